//! Section 6.1: a recording thinned out, and how far its joints move for it. Figure 24, tables 2 and 3.

mod answers;

use nalgebra::Vector3;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::recordings::{FOLDER, Recording};
use crate::reproduce::section::{Line, Section};
use crate::reproduce::statistics::{Estimate, median, power};
use answers::Whole;
use condyle_page::page::{Axis, Chart, Guide, Ink, Mark, Scale, Series, Table};

/// So many per cent of the frames are left out, at most.
const MOST_REMOVED: usize = 99;
/// Beyond so many samples figure 24 is below so many metres.
const BEYOND: usize = 200;
const BELOW_M: f64 = 0.01;
/// The power is fitted from here on: with fewer samples some answers are missing, the worst ones.
const LAW_FROM: usize = 50;
/// The power is fitted below this share of the frames: nearer to all of them nothing is left to deviate.
const LAW_SHARE: f64 = 0.9;
const METHODS: [(&str, usize); 2] = [("GDKE", 0), ("ours", 1)];

/// A recording at one level of thinning.
struct Level {
    recording: usize,
    /// How many frames are left.
    kept: usize,
}

fn levels(effort: &Effort) -> Vec<Level> {
    let step = effort.trials.map_or(effort.either(3, 1), |_| 20);
    let of = |(recording, Recording { trial, .. }): (usize, &Recording)| {
        let frames = trial.frames;
        (1..=MOST_REMOVED).rev().step_by(step).map(move |removed| {
            let kept = (frames * (100 - removed)) as f64 / 100.0;
            Level { recording, kept: kept.round() as usize }
        })
    };
    effort.recordings.iter().enumerate().flat_map(of).collect()
}

/// A load a level of every recording.
pub fn loads(effort: &Effort) -> Vec<Load> {
    // A fit of all joints costs about as much as a hundred plain ones.
    let load =
        |level: &Level| Load { samples: 100 * level.kept.max(1), trials: effort.trials(4, 4) };
    levels(effort).iter().map(load).collect()
}

/// Of one pass at one level, for every joint.
type Deviations = Vec<[Option<Vector3<f64>>; 2]>;

/// Thins out every recording.
pub fn run(lab: &Lab) -> Section {
    let recordings = &lab.effort.recordings;
    if recordings.is_empty() {
        return skipped();
    }
    let wholes: Vec<Option<Whole>> = recordings.iter().map(Whole::of).collect();
    let levels = levels(&lab.effort);
    let passes = lab.trials(&loads(&lab.effort), |load, random| {
        let Level { recording, kept } = levels[load];
        let whole = wholes[recording].as_ref();
        whole.map(|whole| whole.deviations_m(&chosen(&recordings[recording], kept, random)))
    });
    let mut section = Section { text: text(), ..Section::default() };
    for (number, (recording, whole)) in recordings.iter().zip(&wholes).enumerate() {
        let Some(whole) = whole else {
            let what = format!(
                "{}: no joint that moved enough was found in all of its frames.",
                recording.name
            );
            section.text.push(what);
            continue;
        };
        let own = levels.iter().zip(&passes).filter(|(level, _)| level.recording == number);
        let own: Vec<(usize, Vec<&Deviations>)> =
            own.map(|(level, passes)| (level.kept, passes.iter().flatten().collect())).collect();
        let study = Study { recording, whole, levels: own };
        section.lines.extend(study.lines());
        section.charts.push(study.chart(number));
        section.tables.push(study.table());
        section.tables.push(study.tables_2_and_3());
    }
    section
}

/// So many frames by chance, in their order.
fn chosen(recording: &Recording, kept: usize, random: &mut ChaCha8Rng) -> Vec<usize> {
    let frames = recording.trial.frames;
    let mut chosen = index::sample(random, frames, kept.min(frames)).into_vec();
    chosen.sort_unstable();
    chosen
}

fn skipped() -> Section {
    let why = format!(
        "needs a recording: name one with --recording FILE, or in {FOLDER} a folder with the \
         public ones"
    );
    let line = Line::new("deviation in a recording", "figure 24")
        .compare("below 1 cm beyond 200 samples", "skipped");
    Section {
        text: vec![format!("Skipped: this {why}.")],
        lines: vec![line.because(why)],
        ..Section::default()
    }
}

fn text() -> Vec<String> {
    vec![
        "The thesis takes 1 to 99 % of the frames of a salsa (CMU 60-08) away by chance, four \
         times each, and looks how far every joint then is from where it was. The markers of \
         that trial are no longer to be had; other recordings stand in. GDKE is the way of 2008: \
         the farthest marker of the child in the parent's frame (as all frames have that), the \
         circle where the condition says hinge. Ours is `condyle fit`. Of a hinge only what is \
         across its axis counts; joints that turned less than 30° about their first axis, or 15° \
         about their second if they are no hinges, are left out."
            .into(),
        "Deviation is from the answer of all n frames, not from the truth: of N frames taken \
         from them without putting back it falls with √(1/N - 1/n), to nothing at n, whatever \
         the estimator. A straight line through that in doubly logarithmic scales is steeper \
         than -1/2, the more the nearer it goes to n: this is where the draft's power of -0.8125 \
         comes from. Divided by √(1 - N/n) the power is that of the error. A bias is in both \
         answers, and is not seen."
            .into(),
    ]
}

/// A recording with all its passes.
struct Study<'a> {
    recording: &'a Recording,
    whole: &'a Whole<'a>,
    /// Samples, then what every pass found.
    levels: Vec<(usize, Vec<&'a Deviations>)>,
}

impl Study<'_> {
    /// What remains of the deviation of N frames from n: √(1 - N/n).
    fn left(&self, kept: usize) -> f64 {
        (1.0 - kept as f64 / self.recording.trial.frames as f64).sqrt()
    }

    /// Samples and the median deviation over joints and passes.
    fn medians_m(&self, method: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.levels.iter().filter_map(move |(kept, passes)| {
            let all = passes.iter().flat_map(|joints| joints.iter()).filter_map(|j| j[method]);
            let all = all.map(|off_m| off_m.norm());
            let middle_m = median(all);
            middle_m.is_finite().then_some((*kept, middle_m))
        })
    }

    /// The power of N, as it is and with what is left taken into account.
    fn powers(&self, method: usize) -> [Estimate; 2] {
        let most = LAW_SHARE * self.recording.trial.frames as f64;
        let is_in = |(kept, _): &(usize, f64)| *kept >= LAW_FROM && *kept as f64 <= most;
        let plain = self.medians_m(method).filter(|(kept, _)| *kept >= LAW_FROM);
        let just = self.medians_m(method).filter(is_in);
        [
            power(plain.map(|(kept, off_m)| (kept as f64, off_m))),
            power(just.map(|(kept, off_m)| (kept as f64, off_m / self.left(kept)))),
        ]
    }

    /// Of every joint the root-mean-square deviation beyond 200 samples, corrected for what is left at
    /// its own level to that at 200 of endlessly many.
    fn beyond_m(&self, joint: usize, method: usize) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for (kept, passes) in self.levels.iter().filter(|(kept, _)| *kept > BEYOND) {
            let scale = (*kept as f64 / BEYOND as f64).sqrt() / self.left(*kept);
            for off_m in passes.iter().filter_map(|joints| joints[joint][method]) {
                sum += (off_m * scale).norm_squared();
                count += 1.0;
            }
        }
        f64::sqrt(sum / count)
    }

    fn lines(&self) -> Vec<Line> {
        METHODS.iter().flat_map(|(method, index)| self.lines_of(method, *index)).collect()
    }

    fn lines_of(&self, method: &str, index: usize) -> [Line; 3] {
        let name = format!("{}, {method}", self.recording.name);
        let [plain, just] = self.powers(index);
        let shown = |law: Estimate| format!("{:.3} ± {:.3}", law.value, law.error);
        let beyond = self.medians_m(index).filter(|(kept, _)| *kept > BEYOND);
        let worst_m = beyond.map(|(_, off_m)| off_m).reduce(f64::max);
        let all = self.whole.joints.len();
        let few = (0..all).filter(|j| self.beyond_m(*j, index) < BELOW_M).count();
        let below = format!("{name}: largest median deviation beyond {BEYOND} samples");
        let below = Line::new(below, "figure 24").because(format!(
            "at {BEYOND} of endlessly many such frames {few} of {all} joints have an rms below \
             1 cm: see the table"
        ));
        [
            Line::new(
                format!("{name}: power of N in the deviation from all frames"),
                "2005, p. 20; figure 24",
            )
            .compare("-0.8125; about -1/2", shown(plain))
            .reproduced((plain.value + 0.8125).abs() < 0.1)
            .because("no law of the error: it depends on how near to all frames the levels go"),
            Line::new(format!("{name}: the same over √(1 - N/n)"), "figure 24")
                .compare("-1/2", shown(just))
                .reproduced((just.value + 0.5).abs() < 0.1),
            match worst_m {
                None => below.compare("below 1 cm", "too few frames"),
                Some(worst_m) => below
                    .compare("below 1 cm", format!("{:.1} mm", worst_m * 1e3))
                    .reproduced(worst_m < BELOW_M),
            },
        ]
    }

    fn chart(&self, number: usize) -> Chart {
        let frames = self.recording.trial.frames as f64;
        let ink = |method: usize| Ink(1 - method);
        let points = |method: usize| {
            self.levels.iter().flat_map(move |(kept, passes)| {
                let middle = move |joints: &&Deviations| {
                    let off_m =
                        median(joints.iter().filter_map(|joint| Some(joint[method]?.norm())));
                    (*kept as f64, off_m * 1e3, None)
                };
                passes.iter().map(middle)
            })
        };
        let series = METHODS.iter().map(|(name, method)| {
            Series::new(
                *name,
                ink(*method),
                Mark::Dots,
                points(*method).filter(|(_, off, _)| *off > 0.0),
            )
        });
        // √(1/N - 1/n) and 1/√N through what ours has at the middle level.
        let at = self.medians_m(1).find(|(kept, _)| *kept as f64 >= 0.3 * frames);
        let law = |kept: f64, is_finite: bool| {
            let (there, off_m) = at.unwrap_or((1, 0.0));
            let shape = |n: f64| (1.0 / n - if is_finite { 1.0 / frames } else { 0.0 }).sqrt();
            off_m * 1e3 * shape(kept) / shape(there as f64)
        };
        let curve = |is_finite| {
            let steps =
                (0..=60).map(|step| 10.0 * (0.985 * frames / 10.0).powf(f64::from(step) / 60.0));
            steps.map(|kept| (kept, law(kept, is_finite))).collect()
        };
        Chart {
            name: ["figure-24", "figure-24b", "figure-24c", "figure-24d"][number.min(3)],
            title: format!("Figure 24: {}, {frames} frames thinned out", self.recording.name),
            caption: "Median over the joints of the deviation from the answer of all frames, a \
                 dot a pass. The curve that bends down is √(1/N - 1/n), the straight one 1/√N."
                .into(),
            x: Axis::new("samples N", "samples", Scale::Log),
            y: Axis::new("deviation, mm", "median_deviation_mm", Scale::Log),
            series: series.collect(),
            guides: vec![
                Guide { name: "√(1/N - 1/n)".into(), points: curve(true) },
                Guide { name: "1/√N".into(), points: curve(false) },
                Guide { name: "1 cm".into(), points: vec![(10.0, 10.0), (frames, 10.0)] },
            ],
            ..Chart::default()
        }
    }

    fn table(&self) -> Table {
        let mut table = Table::new(&["joint", "GDKE, mm", "ours, mm"], 1);
        table.caption = format!(
            "{}: root-mean-square deviation of every joint, beyond {BEYOND} samples, as it would \
             be at {BEYOND} of endlessly many such frames.",
            self.recording.name
        );
        for (index, joint) in self.whole.joints.iter().enumerate() {
            let off =
                METHODS.map(|(_, method)| format!("{:.1}", 1e3 * self.beyond_m(index, method)));
            table.row([joint.name.clone()].into_iter().chain(off));
        }
        table
    }

    /// Of every joint where the passes of all levels have it in its parent, as mean and deviation.
    fn tables_2_and_3(&self) -> Table {
        let mut table = Table::columns(
            "joint | method | answers | mean x, mm | mean y | mean z | deviation x, mm | deviation y | deviation z",
            2,
        );
        table.caption = format!(
            "{}: tables 2 and 3, the mean of the joint in its parent and the standard deviation, over all levels and \
             passes, the parent's frame being ours. The thesis has 14 joints of CMU 60-08, with deviations of 1 to 20 \
             mm, and 129, 34 and 21 mm at the right ankle, which has two answers; the parent's frame is fixed here.",
            self.recording.name
        );
        for (index, joint) in self.whole.joints.iter().enumerate() {
            for (name, method) in METHODS {
                let Some(whole_m) = self.whole.answers_m(joint)[method] else { continue };
                let passes = self.levels.iter().flat_map(|(_, passes)| passes);
                let off_m: Vec<Vector3<f64>> =
                    passes.filter_map(|joints| joints[index][method]).collect();
                let count = off_m.len() as f64;
                let mean_m = off_m.iter().sum::<Vector3<f64>>() / count;
                let spread = off_m.iter().map(|off_m| (off_m - mean_m).map(|x| x * x));
                let spread_m =
                    (spread.sum::<Vector3<f64>>() / (count - 1.0)).map(|variance| variance.sqrt());
                let mean_m = whole_m + mean_m;
                let cells = mean_m.iter().chain(spread_m.iter());
                let cells: Vec<String> = cells.map(|own| format!("{:.2}", own * 1e3)).collect();
                let head = [joint.name.clone(), name.to_owned(), off_m.len().to_string()];
                table.row(head.into_iter().chain(cells));
            }
        }
        table
    }
}
