//! Whether two recordings show the same performers, with their markers in the same places.

use std::collections::BTreeMap;

use super::options::{Options, SegmentsBy};
use super::{bodies, keypoints};
use crate::calibrate::own_label;
use crate::marker_set;
use crate::order;
use crate::plan::Performer;
use crate::statistics::{median_in_place, quantile};
use crate::trial::Trial;

/// What tells whether recordings show the same performers: names, labels, and how far apart markers of one segment are.
#[derive(Debug, Clone, PartialEq)]
pub struct Likeness {
    /// Who is recorded, as the file says; empty where it does not.
    names: Vec<String>,
    performers: Vec<Shape>,
}

/// How one performer's markers sit.
#[derive(Debug, Clone, PartialEq)]
struct Shape {
    name: String,
    /// The median distance of two markers of one segment, by their labels.
    apart_m: BTreeMap<[String; 2], f64>,
}

/// How far the distances between markers of two recordings are from each other.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// How many distances both recordings have.
    pub pairs: usize,
    /// Half of them differ by less.
    pub median_m: f64,
    /// Nine in ten of them differ by less.
    pub ninth_decile_m: f64,
}

/// Frames that are looked at, at most.
const FRAMES: usize = 400;
/// A distance needs so many of them.
const LEAST_FRAMES: usize = 5;
/// So few distances say nothing.
const LEAST_PAIRS: usize = 6;
/// Both recordings have at least this share of the distances of the one that has fewer.
const LEAST_SHARE: f64 = 0.75;
/// Distances of one performer, whose markers were not put on again, differ between recordings by less than this: half
/// of them, and nine in ten. Skin makes them differ.
const SAME_MEDIAN_M: f64 = 4e-3;
const SAME_NINTH_DECILE_M: f64 = 15e-3;

impl Difference {
    /// Whether so small a difference is one of skin and noise.
    pub fn is_same(&self) -> bool {
        self.median_m < SAME_MEDIAN_M && self.ninth_decile_m < SAME_NINTH_DECILE_M
    }
}

impl Likeness {
    /// What tells who is recorded; nothing of keypoints and of bodies with poses, whose distances do not tell people
    /// apart, and nothing where motion must tell the segments, which may be other ones in every recording.
    pub fn from_trial(trial: &Trial, options: &Options) -> Option<Self> {
        if trial.motion.is_some() || bodies::is_body_recording(trial, options) {
            return None;
        }
        let planned = match (&options.plan, options.segments_by) {
            (Some(text), _) => Some(marker_set::from_text(text, trial).ok()?.0.performers),
            (None, SegmentsBy::Auto | SegmentsBy::Names) => {
                let found = marker_set::recognise_trial(trial);
                found.is_good().then_some(found.plan.performers)
            }
            (None, SegmentsBy::Motion | SegmentsBy::Bodies) => None,
        }?;
        if planned.iter().any(keypoints::is_planned) {
            return None;
        }
        let performers = planned.iter().map(|performer| Shape::of_plan(trial, performer)).collect();
        Some(Self { names: trial.subjects.clone(), performers })
    }

    /// How many distances it knows: of several recordings the one that shows most comes first.
    pub fn pairs(&self) -> usize {
        self.performers.iter().map(|shape| shape.apart_m.len()).sum()
    }

    /// How far two recordings are from showing the same performers; nothing where names or labels say that they do not,
    /// or where there is too little to compare.
    pub fn difference(&self, other: &Self) -> Option<Difference> {
        let is_named = !self.names.is_empty() && !other.names.is_empty();
        if is_named && self.names != other.names || self.performers.len() != other.performers.len()
        {
            return None;
        }
        let mut apart_m = Vec::new();
        for (one, two) in self.performers.iter().zip(&other.performers) {
            let fewer = one.apart_m.len().min(two.apart_m.len());
            let before = apart_m.len();
            let both = one.apart_m.iter().filter_map(|(pair, m)| Some(m - two.apart_m.get(pair)?));
            apart_m.extend(both.map(f64::abs));
            let pairs = apart_m.len() - before;
            let is_shared = pairs as f64 >= LEAST_SHARE * fewer as f64;
            if one.name != two.name || pairs < LEAST_PAIRS || !is_shared {
                return None;
            }
        }
        let pairs = apart_m.len();
        let ninth_decile_m = quantile(apart_m.iter().copied(), 0.9)?;
        Some(Difference { pairs, median_m: median_in_place(&mut apart_m)?, ninth_decile_m })
    }

    /// Recordings that show the same performers, in the order of the first of each; those that nothing is known of are
    /// by themselves. Within a group the recording with most markers comes first: it says which segments there are.
    pub fn groups(all: &[Option<Self>]) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (index, own) in all.iter().enumerate() {
            let is_alike = |other: &usize| {
                let both = own.as_ref().zip(all[*other].as_ref());
                let difference = both.and_then(|(own, other)| own.difference(other));
                difference.is_some_and(|difference| difference.is_same())
            };
            match groups.iter_mut().find(|group| group.iter().all(is_alike)) {
                Some(group) => group.push(index),
                None => groups.push(vec![index]),
            }
        }
        for group in &mut groups {
            let pairs = |index: &usize| all[*index].as_ref().map_or(0, Self::pairs);
            order::by_key(group, |index| std::cmp::Reverse(pairs(index)));
        }
        groups
    }
}

impl Shape {
    fn of_plan(trial: &Trial, performer: &Performer) -> Self {
        let mut apart_m = BTreeMap::new();
        for segment in &performer.segments {
            for (at, &one) in segment.markers.iter().enumerate() {
                for &two in &segment.markers[at + 1..] {
                    // Plates go from person to person.
                    if is_on_one_plate(trial, [one, two]) {
                        continue;
                    }
                    let Some(median_m) = distance_m(trial, one, two) else { continue };
                    apart_m.insert(labels(trial, [one, two], &performer.name), median_m);
                }
            }
        }
        Self { name: performer.name.clone(), apart_m }
    }
}

/// Whether two labels differ in their number alone, as those of a plate do: what they are apart tells nobody.
fn is_on_one_plate(trial: &Trial, pair: [usize; 2]) -> bool {
    let [one, two] = pair.map(|marker| {
        let label = &trial.markers[marker].label;
        let stem = label.trim_end_matches(|c: char| c.is_ascii_digit());
        (stem, stem.len() < label.len())
    });
    one.1 && one == two
}

fn labels(trial: &Trial, pair: [usize; 2], performer: &str) -> [String; 2] {
    let mut labels = pair.map(|marker| own_label(&trial.markers[marker].label, performer));
    labels.sort();
    labels
}

/// How far apart two markers are in the median.
fn distance_m(trial: &Trial, one: usize, two: usize) -> Option<f64> {
    let stride = trial.frames.div_ceil(FRAMES).max(1);
    let [one, two] = [one, two].map(|marker| &trial.markers[marker]);
    let apart_m = (0..trial.frames)
        .step_by(stride)
        .filter_map(|frame| Some((one.position_m(frame)? - two.position_m(frame)?).norm()));
    let mut apart_m: Vec<f64> = apart_m.collect();
    if apart_m.len() < LEAST_FRAMES {
        return None;
    }
    median_in_place(&mut apart_m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::{self, Performer, Routine};

    /// A person of this seed, doing this.
    fn likeness(routine: Routine, seed: u64) -> Option<Likeness> {
        let options = simulate::Options {
            routine,
            seconds: 3.0,
            rate_hz: 50.0,
            noise_m: 1e-3,
            skin_m: 5e-3,
            seed,
            ..simulate::Options::default()
        };
        let mut performer = Performer::human();
        // Somebody a tenth taller.
        let size = 1.0 + 0.1 * (seed / 10) as f64;
        for segment in &mut performer.segments {
            segment.joint_in_parent_m *= size;
            segment.sites.iter_mut().for_each(|site| site.in_segment_m *= size);
        }
        let trial = simulate::simulate(&performer, &options).unwrap().trial;
        Likeness::from_trial(&trial, &Options::default())
    }

    #[test]
    fn recordings_of_one_person_go_together_and_of_two_do_not() {
        // Seeds of one ten are one person.
        let all = [
            likeness(Routine::Walk, 1),
            likeness(Routine::Walk, 11),
            likeness(Routine::Rom, 2),
            None,
            likeness(Routine::Walk, 12),
        ];
        assert_eq!(Likeness::groups(&all), [vec![0, 2], vec![1, 4], vec![3]]);
    }

    #[test]
    fn another_name_is_another_person() {
        let mut one = likeness(Routine::Walk, 1).unwrap();
        let mut two = one.clone();
        assert!(one.difference(&two).unwrap().is_same());
        one.names = vec!["ANNA".into()];
        assert!(one.difference(&two).is_some());
        two.names = vec!["BERT".into()];
        assert_eq!(one.difference(&two), None);
    }

    #[test]
    fn too_few_distances_say_nothing() {
        let one = likeness(Routine::Walk, 1).unwrap();
        let mut two = one.clone();
        let few: Vec<_> = two.performers[0].apart_m.clone().into_iter().take(3).collect();
        two.performers[0].apart_m = few.into_iter().collect();
        assert_eq!(one.difference(&two), None);
    }
}
