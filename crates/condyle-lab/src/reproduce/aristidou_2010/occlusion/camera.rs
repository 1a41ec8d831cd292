//! Table 4.2: a marker that one camera still sees.

use condyle::predict::Ray;
use condyle_page::page::Table;
use nalgebra::Vector3;
use rand::RngExt;

use super::method::{Compared, complete};
use super::scene::all;
use super::{cm, mean};
use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::{Line, Section};

const GAP_FRAMES: usize = 1500;
/// Where the camera hangs.
const CAMERA_M: Vector3<f64> = Vector3::new(4.0, -3.0, 2.4);

/// The trials of it.
pub fn loads(effort: &Effort) -> Vec<Load> {
    vec![Load { samples: 200_000, trials: effort.trials(4, 20) }; 3]
}

/// Errors of markers and centres, in metres: without the camera and with it.
type WithAndWithout = [[f64; 2]; 2];

/// Every gap without the camera and with it.
pub fn run(lab: &Lab) -> Section {
    let scenes = all();
    let methods = [Compared::Printed, Compared::Ours];
    let results = lab.trials(&loads(&lab.effort), |load, random| {
        let scene = &scenes[load % scenes.len().max(1)];
        let first = 2 * scene.frames.len() / 5;
        let start = random.random_range(first..scene.frames.len() - GAP_FRAMES);
        let frames = start..start + GAP_FRAMES;
        // One marker of every limb.
        let hidden: Vec<usize> = scene
            .body
            .segments
            .iter()
            .map(|s| s.markers[random.random_range(0..s.markers.len())])
            .collect();
        let holed = scene.without(&hidden, frames.clone());
        let body = (&scene.body, scene.rate_hz);
        let whole = complete(body, &scene.frames, frames.clone(), Compared::Ours, |_| Vec::new());
        methods.map(|method| -> WithAndWithout {
            [false, true].map(|is_seen| {
                let rays = |frame: usize| -> Vec<Ray> {
                    let of = |marker: &usize| {
                        let to = scene.frames[frame][*marker]?.coords - CAMERA_M;
                        Ray::new(*marker, CAMERA_M, to).ok()
                    };
                    if is_seen { hidden.iter().filter_map(of).collect() } else { Vec::new() }
                };
                let found = complete(body, &holed, frames.clone(), method, rays);
                let (Some(found), Some(whole)) = (found, &whole) else { return [f64::NAN; 2] };
                let (mut markers, mut centres) = (Vec::new(), Vec::new());
                for (i, frame) in frames.clone().enumerate() {
                    let off = |m: &usize| {
                        Some((found.markers_m[i][*m]? - scene.frames[frame][*m]?).norm())
                    };
                    markers.extend(hidden.iter().filter_map(off));
                    let pairs = found.centres_m[i].iter().zip(&whole.centres_m[i]);
                    centres.extend(
                        pairs.filter_map(|(a, b)| Some((a.as_ref()?.0 - b.as_ref()?.0).norm())),
                    );
                }
                [mean(&markers), mean(&centres)]
            })
        })
    });
    let mut table = Table::columns("method | what | without cm | with one camera cm | change", 2);
    let mut lines = Vec::new();
    for (index, method) in methods.iter().enumerate() {
        for (what, [name, document, wanted]) in
            [["marker", "1.35 to 0.26: -81 %", "80"], ["centre", "2.22 to 0.56: -75 %", "74"]]
                .iter()
                .enumerate()
        {
            let all: Vec<&WithAndWithout> =
                results.iter().flatten().map(|trial| &trial[index]).collect();
            let of =
                |seen: usize| mean(&all.iter().map(|trial| trial[seen][what]).collect::<Vec<_>>());
            let (without, with) = (of(0), of(1));
            let less = 100.0 * (1.0 - with / without);
            table.row([
                method.name().to_owned(),
                (*name).to_owned(),
                cm(without),
                cm(with),
                format!("-{less:.0} %"),
            ]);
            lines.push(
                Line::new(format!("{}: {name} with one camera", method.name()), "table 4.2")
                    .compare(*document, format!("{} to {}: -{less:.0} %", cm(without), cm(with)))
                    .reproduced(less >= wanted.parse().unwrap_or(80.0)),
            );
        }
    }
    Section {
        text: vec![
            "One marker of every segment is deleted for 1,500 frames; then the same with the line on which a \
             camera sees it, brought to the nearest point of that line."
                .into(),
        ],
        lines,
        tables: vec![table],
        ..Section::default()
    }
}
