//! Labels that are exchanged throughout a recording: left for right, the front of the pelvis for its back, or each
//! on the other's segment.

use nalgebra::Vector3;

use super::crossed::without_crossed;
use super::limbs;
use crate::marker_set::{Side, fits, side_pairs};
use crate::statistics::{median, quantile};
use crate::trial::Trial;

/// Frames looked at, at most.
const FRAMES: usize = 60;
/// Left and right are told by the other pairs; so many there must be.
const MIN_PAIRS: usize = 5;
/// At most this share of the pairs is exchanged; if more are, nobody knows which.
const MAX_SHARE_EXCHANGED: f64 = 0.34;
/// The cosine between a pair and all others below which it points the other way.
const AGAINST: f64 = -0.5;
/// The same for a foot and the other, which swings.
const FOOT_AGAINST: f64 = -0.1;
/// In this share of the frames at least: hands may cross for a while.
const MIN_SHARE_AGAINST: f64 = 0.9;

/// Landmarks that tell forward from backward, by their labels.
const FRONT: [&str; 6] = ["?ASI", "?ASIS", "?IAS", "?EIAS", "?EAS", "?FWT"];
const BACK: [&str; 6] = ["?PSI", "?PSIS", "?IPS", "?EIPS", "?EPS", "?BWT"];
const HEEL: [&str; 5] = ["?HEE", "?HEEL", "?CAL", "?CALC", "?FCC"];
const TOE: [&str; 6] = ["?TOE", "?MT2", "?FM2", "?SMH", "?MT5", "?FM5"];

/// Two markers of a segment whose distance varies by more than this, standard deviation, are not on one bone:
/// 15 mm of skin under each, half of it common, make 9.
pub(super) const MAX_STRETCH_M: f64 = 0.013;
/// Nine tenths of a normal distribution are within so many standard deviations.
const NORMAL_RANGE: f64 = 3.29;
/// Segments with more markers are no parts of people, and would take long.
const MAX_MARKERS: usize = 30;
/// Frames that show both markers, at least.
const MIN_FRAMES: usize = 8;
/// An exchange must remove all but this share of what stretches the two markers' segments.
const MAX_LEFT: f64 = 0.2;
/// And bring the two this much nearer to the others of their segments, as a share of how far they were.
const MAX_APART: f64 = 0.9;
/// With so many exchanges between segments labels tell nothing.
pub(crate) const MAX_EXCHANGES: usize = 3;

/// The markers of every segment, and the segment that it hangs on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Segments {
    pub markers: Vec<Vec<usize>>,
    pub parents: Vec<Option<usize>>,
}

/// Puts labels back that are exchanged in all frames; the pairs, in the order in which they were.
pub(crate) fn put_back_throughout(trial: &mut Trial, segments: &Segments) -> Vec<[usize; 2]> {
    let markers = segments.markers.concat();
    let mut found =
        limbs::exchanged(trial, segments, &pairs(trial, &markers), &spread_frames(trial));
    exchange(trial, &found);
    let against = against_others(trial, segments);
    exchange(trial, &against);
    found.extend(against);
    let misplaced = misplaced(trial, segments);
    if misplaced.len() < MAX_EXCHANGES {
        exchange(trial, &misplaced);
        found.extend(misplaced);
    }
    found
}

fn exchange(trial: &mut Trial, pairs: &[[usize; 2]]) {
    for pair in pairs {
        (0..trial.frames).for_each(|frame| trial.exchange(frame, *pair));
    }
}

fn spread_frames(trial: &Trial) -> Vec<usize> {
    (0..trial.frames).step_by(trial.frames.div_ceil(FRAMES).max(1)).collect()
}

/// Pairs of markers that bear each other's labels in all frames, by where they point.
///
/// # Method
/// The directions from right to left of all pairs of labels agree in people, but for hands that cross and feet in a
/// stride; a pair that points against the mean of the others in nearly every frame is exchanged,
/// unless its limbs are crossed. The front
/// and the back of the pelvis, of either side, are exchanged if they point against the feet in nearly every frame; heel
/// and toe if they point against the other foot and the pelvis.
fn against_others(trial: &Trial, segments: &Segments) -> Vec<[usize; 2]> {
    let frames = spread_frames(trial);
    let markers = segments.markers.concat();
    let left_for_right = left_for_right(trial, &pairs(trial, &markers), &frames);
    let mut found = without_crossed(trial, segments, &frames, left_for_right);
    found.extend(front_for_back(trial, &markers, &frames));
    found
}

/// The markers whose labels differ in the side alone, left first.
fn pairs(trial: &Trial, markers: &[usize]) -> Vec<[usize; 2]> {
    let labels: Vec<&str> = markers.iter().map(|m| trial.markers[*m].label.as_str()).collect();
    side_pairs(&labels).into_iter().map(|pair| pair.map(|index| markers[index])).collect()
}

fn left_for_right(trial: &Trial, pairs: &[[usize; 2]], frames: &[usize]) -> Vec<[usize; 2]> {
    let mut votes = vec![Votes::default(); pairs.len()];
    for frame in frames {
        let across = |[left, right]: &[usize; 2]| direction(trial, *frame, *right, *left);
        let all: Vec<Option<Vector3<f64>>> = pairs.iter().map(across).collect();
        let sum: Vector3<f64> = all.iter().flatten().sum();
        if all.iter().flatten().count() < MIN_PAIRS {
            continue;
        }
        for (votes, own) in votes.iter_mut().zip(&all) {
            votes.extend(own.and_then(|own| cosine(&own, &(sum - own))), AGAINST);
        }
    }
    let found: Vec<[usize; 2]> =
        pairs.iter().zip(&votes).filter(|(_, votes)| votes.is_against()).map(|(p, _)| *p).collect();
    let is_clear = found.len() as f64 <= MAX_SHARE_EXCHANGED * pairs.len() as f64;
    if is_clear { found } else { Vec::new() }
}

fn front_for_back(trial: &Trial, markers: &[usize], frames: &[usize]) -> Vec<[usize; 2]> {
    let find = |patterns: &[&str], side: Side| {
        markers.iter().copied().find(|marker| {
            let label = &trial.markers[*marker].label;
            patterns.iter().any(|pattern| fits(pattern, label) == Some(side))
        })
    };
    let sides = [Side::Left, Side::Right];
    let of_sides = |from: &[&str], to: &[&str]| -> Vec<[usize; 2]> {
        sides.iter().filter_map(|side| Some([find(from, *side)?, find(to, *side)?])).collect()
    };
    let (spines, feet) = (of_sides(&BACK, &FRONT), of_sides(&HEEL, &TOE));
    let is_against = |[back, front]: &[usize; 2], others: &[[usize; 2]], against: f64| {
        let mut votes = Votes::default();
        for frame in frames {
            let along = |[from, to]: &[usize; 2]| direction(trial, *frame, *from, *to);
            let forward: Vector3<f64> = others.iter().filter_map(along).sum();
            let own = direction(trial, *frame, *back, *front);
            votes.extend(own.and_then(|own| cosine(&own, &forward)), against);
        }
        votes.is_against()
    };
    let against_feet: Vec<[usize; 2]> =
        spines.iter().copied().filter(|spine| is_against(spine, &feet, AGAINST)).collect();
    let is_turned = |foot: &[usize; 2]| {
        let others: Vec<[usize; 2]> = feet.iter().copied().filter(|other| other != foot).collect();
        [&others, &spines].iter().all(|others| is_against(foot, others, FOOT_AGAINST))
    };
    let turned = feet.iter().copied().filter(is_turned);
    if against_feet.is_empty() { turned.collect() } else { against_feet }
}

/// How often a direction was compared with others, and how often it pointed the other way.
#[derive(Debug, Clone, Default)]
struct Votes {
    all: usize,
    against: usize,
}

impl Votes {
    fn extend(&mut self, cosine: Option<f64>, against: f64) {
        self.all += usize::from(cosine.is_some());
        self.against += usize::from(cosine.is_some_and(|cosine| cosine < against));
    }

    fn is_against(&self) -> bool {
        self.all > 0 && self.against as f64 >= MIN_SHARE_AGAINST * self.all as f64
    }
}

pub(super) fn direction(
    trial: &Trial,
    frame: usize,
    from: usize,
    to: usize,
) -> Option<Vector3<f64>> {
    let [from_m, to_m] = [from, to].map(|marker| trial.markers[marker].position_m(frame));
    (to_m? - from_m?).try_normalize(1e-6)
}

fn cosine(a: &Vector3<f64>, b: &Vector3<f64>) -> Option<f64> {
    Some(a.try_normalize(1e-6)?.dot(&b.try_normalize(1e-6)?))
}

/// The pairs of markers that are each on the other's segment.
///
/// # Method
/// Markers of one bone keep their distances. Where they do not, the exchange of two markers is sought
/// after which their segments are rigid and closer together; of several, as of two knees or both of what else the
/// thighs wear, the one after which distances between neighbouring segments vary least.
pub(crate) fn misplaced(trial: &Trial, segments: &Segments) -> Vec<[usize; 2]> {
    let Segments { markers, parents } = segments;
    let few = |own: &Vec<usize>| if own.len() > MAX_MARKERS { Vec::new() } else { own.clone() };
    let mut segments: Vec<Vec<usize>> = markers.iter().map(few).collect();
    let columns = segments.concat();
    let frames = spread_frames(trial);
    let is_stretched = |[a, b]: [usize; 2]| distance_m(trial, &frames, a, b).1 > MAX_STRETCH_M;
    let within = |own: &Vec<usize>| {
        let mut places = own.iter().enumerate();
        places.any(|(place, a)| own[..place].iter().any(|b| is_stretched([*a, *b])))
    };
    if !segments.iter().any(within) {
        return Vec::new();
    }
    let size = trial.markers.len();
    let (mut spread_m, mut middle_m) = (vec![0.0; size * size], vec![0.0; size * size]);
    for (place, &a) in columns.iter().enumerate() {
        for &b in &columns[..place] {
            let (middle, spread) = distance_m(trial, &frames, a, b);
            for at in [a * size + b, b * size + a] {
                (spread_m[at], middle_m[at]) = (spread, middle);
            }
        }
    }
    let spread = |a: usize, b: usize| spread_m[a * size + b];
    // By how much the distances of two markers to others of their segments vary too much.
    let stretched = |segments: &[Vec<usize>], places: [(usize, usize); 2]| -> f64 {
        let of_marker = |(segment, place): (usize, usize)| -> f64 {
            let markers: &Vec<usize> = &segments[segment];
            let to = |other: &usize| (spread(markers[place], *other) - MAX_STRETCH_M).max(0.0);
            markers.iter().map(to).sum()
        };
        places.map(of_marker).iter().sum()
    };
    // How far two markers are from the others of their segments.
    let away = |segments: &[Vec<usize>], places: [(usize, usize); 2]| -> f64 {
        let of_marker = |(segment, place): (usize, usize)| -> f64 {
            let markers: &Vec<usize> = &segments[segment];
            markers.iter().map(|other| middle_m[markers[place] * size + other]).sum()
        };
        places.map(of_marker).iter().sum()
    };
    let between = |segments: &[Vec<usize>]| -> f64 {
        let of_joint = |(own, parent): (&Vec<usize>, &Option<usize>)| -> f64 {
            let above = parent.map_or(&[][..], |parent| &segments[parent][..]);
            own.iter().flat_map(|a| above.iter().map(|b| spread(*a, *b))).sum()
        };
        segments.iter().zip(parents).map(of_joint).sum()
    };
    let mut found = Vec::new();
    for _ in 0..MAX_EXCHANGES {
        let apart = between(&segments);
        let mut best: Option<(f64, [(usize, usize); 2])> = None;
        for one in 0..segments.len() {
            for other in 0..one {
                for i in 0..segments[one].len() {
                    for j in 0..segments[other].len() {
                        let places = [(one, i), (other, j)];
                        let before = stretched(&segments, places);
                        if before <= 0.0 {
                            continue;
                        }
                        let was_away = away(&segments, places);
                        swap(&mut segments, places);
                        let (after, cost) = (stretched(&segments, places), between(&segments));
                        let is_nearer = away(&segments, places) < MAX_APART * was_away;
                        if is_nearer
                            && after <= MAX_LEFT * before
                            && best.map_or(apart, |best| best.0) > cost
                        {
                            best = Some((cost, places));
                        }
                        swap(&mut segments, places);
                    }
                }
            }
        }
        let Some((_, places)) = best else { break };
        found.push(places.map(|(segment, place)| segments[segment][place]));
        swap(&mut segments, places);
    }
    found
}

fn swap(segments: &mut [Vec<usize>], [a, b]: [(usize, usize); 2]) {
    let kept = segments[a.0][a.1];
    segments[a.0][a.1] = segments[b.0][b.1];
    segments[b.0][b.1] = kept;
}

/// The distance of two markers and how much it varies, as a standard deviation; nothing if too few frames show both.
///
/// It is that of the range without a tenth of the frames: outliers do not count, a knee that is bent in a third of
/// them does.
pub(super) fn distance_m(trial: &Trial, frames: &[usize], a: usize, b: usize) -> (f64, f64) {
    let [a, b] = [a, b].map(|marker| &trial.markers[marker]);
    let apart = |frame: &usize| Some((a.position_m(*frame)? - b.position_m(*frame)?).norm());
    let all: Vec<f64> = frames.iter().filter_map(apart).collect();
    if all.len() < MIN_FRAMES {
        return (0.0, 0.0);
    }
    let middle = median(all.iter().copied()).unwrap_or(0.0);
    let [low, high] = [0.05, 0.95].map(|share| quantile(all.iter().copied(), share).unwrap_or(0.0));
    (middle, (high - low) / NORMAL_RANGE)
}
