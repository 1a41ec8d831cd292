//! Coverage of 95 % ellipsoids, one factor varied at a time from a stated centre.

use condyle::simulate::Routine;
use condyle::whole_body::SoftTissue;

use super::estimate::{Estimator, Settings};
use super::people::{Source, Worn};
use super::scene::{Creature, Scene};
use super::score::{COLUMNS, JointScore, MORE_COLUMNS, summary};
use super::simulated;
use super::soft_tissue::Model;
use super::table::Table;

/// Coverage that is right.
const RIGHT: std::ops::RangeInclusive<f64> = 0.92..=0.98;

/// A scene and what is said about it.
struct Cell {
    name: String,
    scene: Scene,
    settings: Settings,
}

/// What is known beside the recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stated {
    /// Soft tissue as it is simulated.
    AsSimulated,
    /// Nothing: `auto`.
    Auto,
}

/// The cells about a centre.
fn vary(centre: &str, scene: Scene, knowledge: bool, stated: Stated) -> Vec<Cell> {
    let mut scenes = vec![(format!("{centre}: centre"), scene)];
    let mut add = |name: String, scene: Scene| scenes.push((format!("{centre}: {name}"), scene));
    add("gaps 10 %".into(), Scene { gaps: 0.10, ..scene });
    for frames in [500, 8000, 20_000] {
        add(format!("{frames} frames"), Scene { frames, ..scene });
    }
    for noise_mm in [0.2, 0.5, 3.0] {
        add(format!("noise {noise_mm} mm"), Scene { noise_m: noise_mm * 1e-3, ..scene });
    }
    for skin_mm in [0.0, 5.0, 15.0] {
        if skin_mm * 1e-3 != scene.skin_m {
            add(format!("skin {skin_mm} mm"), Scene { skin_m: skin_mm * 1e-3, ..scene });
        }
    }
    for skin_mm in [5.0, 10.0, 15.0] {
        let skin = Scene { skin_m: skin_mm * 1e-3, skin: Model::Wobble, ..scene };
        add(format!("wobbling skin {skin_mm} mm"), skin);
    }
    for markers in 2..=5 {
        let creature = match scene.creature {
            Creature::Person(source, _) => Creature::Person(source, Worn::Limbs(markers)),
            Creature::Dog(_) => Creature::Dog(markers),
        };
        if creature != scene.creature {
            add(format!("{markers} markers a segment"), Scene { creature, ..scene });
        }
    }
    let other = if scene.routine == Routine::Walk { Routine::Rom } else { Routine::Walk };
    add(other.name().into(), Scene { routine: other, ..scene });
    let settings = |scene: &Scene| Settings {
        soft_tissue: match stated {
            Stated::Auto => SoftTissue::Auto,
            Stated::AsSimulated if scene.skin_m == 0.0 => SoftTissue::None,
            Stated::AsSimulated => SoftTissue::Metres(scene.skin_m),
        },
        knowledge,
    };
    scenes
        .into_iter()
        .map(|(name, scene)| Cell { name, settings: settings(&scene), scene })
        .collect()
}

fn cells(stated: Stated) -> Vec<Cell> {
    let person = Scene { frames: 2000, ..Scene::everyday(Routine::Walk) };
    let exact = Scene {
        creature: Creature::Person(Source::Dumas, Worn::Limbs(4)),
        routine: Routine::Rom,
        skin_m: 0.0,
        ..person
    };
    let dog = Scene { creature: Creature::Dog(4), ..exact };
    let mut cells = vary("person, CMU 41, walk, 10 mm of skin", person, true, stated);
    cells.extend(vary("person, 4 a segment, rom, no skin, motion alone", exact, false, stated));
    cells.extend(vary("dog, 4 a segment, rom, no skin", dog, false, stated));
    cells
}

/// The kinds of joints of a cell: by name where knowledge tells them apart, by degrees of freedom for motion alone.
fn kind_of<'a>(cell: &Cell, score: &'a JointScore) -> &'a str {
    if cell.settings.knowledge { score.class() } else { score.kind }
}

/// One table a cell, and the list of those outside.
///
/// # Errors
/// A scene cannot be simulated.
pub fn tables(
    estimator: &dyn Estimator,
    stated: Stated,
    only: Option<&str>,
    seeds: std::ops::Range<u64>,
    mut show: impl FnMut(&Table),
) -> anyhow::Result<()> {
    let headers = [&["cell", "kind"], COLUMNS.as_slice(), MORE_COLUMNS.as_slice(), &[""]].concat();
    let mut outside =
        Table::new(format!("Cells outside 92 to 98 % [{}]", estimator.name()), &headers);
    let (mut count, mut wrong) = (0, 0);
    for cell in cells(stated).iter().filter(|cell| only.is_none_or(|only| cell.name.contains(only)))
    {
        let outcome = simulated::run(estimator, &cell.scene, &cell.settings, seeds.clone())?;
        let mut table = Table::new(format!("{} [{}]", cell.name, estimator.name()), &headers[1..]);
        let mut kinds: Vec<&str> = Vec::new();
        for score in &outcome.scores {
            let kind = kind_of(cell, score);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        for kind in kinds {
            let of = |score: &&JointScore| kind_of(cell, score) == kind;
            let sum = summary(outcome.scores.iter().filter(of));
            let is_right = RIGHT.contains(&sum.coverage);
            let verdict = match (is_right, sum.coverage < *RIGHT.start()) {
                (true, _) => "",
                (false, true) => "too narrow",
                (false, false) => "too wide",
            };
            let verdict = vec![verdict.to_owned()];
            let row = [vec![kind.to_owned()], sum.cells(), sum.more_cells(), verdict].concat();
            count += 1;
            if !is_right {
                wrong += 1;
                outside.row([vec![cell.name.clone()], row.clone()].concat());
            }
            table.row(row);
        }
        show(&table);
    }
    outside.remark(format!("{wrong} of {count} cells; a cell needs 300 joints to be judged"));
    show(&outside);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::estimators;
    use super::super::score::CHI2_95;
    use super::*;

    /// One of the dogs whose stifles were 38 and 53 mm off with an sd of 5 and 10 mm.
    #[test]
    fn nobody_knows_where_along_their_axis_stifles_of_two_markers_a_segment_are() {
        let person = Scene { frames: 2000, ..Scene::everyday(Routine::Rom) };
        let scene = Scene { creature: Creature::Dog(2), skin_m: 0.0, ..person };
        let settings = Settings { soft_tissue: SoftTissue::None, knowledge: false };
        let estimator = estimators().pop().unwrap();
        let outcome = simulated::run(estimator.as_ref(), &scene, &settings, [22001]).unwrap();
        let stifles = outcome.scores.iter().filter(|score| score.class() == "stifle");
        for stifle in stifles.clone() {
            let (chi2, sd_m) = (stifle.chi2.unwrap(), stifle.sd_m.unwrap());
            assert!(chi2 < CHI2_95 && sd_m > 0.025, "{}: {chi2}, {sd_m}", stifle.name);
        }
        assert_eq!(stifles.count(), 2);
    }
}
