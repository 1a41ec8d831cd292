//! Soft-tissue artefact: markers that ride on skin instead of bone.

use nalgebra::Vector3;

use super::chance::{Purpose, normal_vector, stream};
use super::options::Options;
use super::truth::Truth;

/// How far the skin carries each marker, linear in the angles of the joints beside it.
///
/// # Method
/// A marker `m` of a segment is displaced, in the segment's frame, by
///
/// ```text
/// d_m = a Σ_j (q_j - mean q_j) (c_j + o_mj) / 2
/// ```
///
/// over the angles `q_j` of the joints at both ends of the segment, with normal vectors `c_j`
/// common to the segment's markers and `o_mj` of each marker's own. The factor `a` makes the root
/// mean square over the segment's markers, in the frame where it is largest, what was asked for.
///
/// # Reference
/// The artefact is that of the comparison of one-sided and two-sided fits: linear in the joint
/// angle, half of it common to the segment.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Skin {
    means_rad: Vec<f64>,
    /// For every marker or sensor, the angles it follows and how.
    follows: Vec<Vec<(usize, Vector3<f64>)>>,
}

impl Skin {
    pub(super) fn of(options: &Options, truth: &Truth) -> Self {
        let segments: Vec<usize> = match options.sensors {
            true => truth.sensors.iter().map(|sensor| sensor.segment).collect(),
            false => truth.markers.iter().map(|marker| marker.segment).collect(),
        };
        let mut skin =
            Self { means_rad: mean_angles(truth), follows: vec![Vec::new(); segments.len()] };
        if options.skin_m > 0.0 {
            for segment in 0..truth.segments.len() {
                skin.add_segment(segment, &segments, options, truth);
            }
        }
        skin
    }

    /// How far a marker or sensor is displaced in a frame, in its segment's frame, in metres.
    pub(super) fn displacement_m(&self, index: usize, truth: &Truth, frame: usize) -> Vector3<f64> {
        let angles_rad = &truth.angles_rad[frame];
        let follows = self.follows[index].iter();
        follows.map(|(angle, way)| way * (angles_rad[*angle] - self.means_rad[*angle])).sum()
    }

    fn add_segment(&mut self, segment: usize, of: &[usize], options: &Options, truth: &Truth) {
        let mut rng = stream(options.seed, Purpose::Skin, segment);
        let beside = truth.joints.iter().filter(|j| j.child == segment || j.parent == segment);
        let angles: Vec<usize> = beside.flat_map(|joint| joint.angles.clone()).collect();
        let common: Vec<Vector3<f64>> =
            angles.iter().map(|_| normal_vector(&mut rng, 0.5)).collect();
        let own: Vec<usize> = (0..of.len()).filter(|index| of[*index] == segment).collect();
        for index in &own {
            let ways = angles.iter().zip(&common);
            let ways = ways.map(|(angle, common)| (*angle, common + normal_vector(&mut rng, 0.5)));
            self.follows[*index] = ways.collect();
        }
        let square = |frame: usize| -> f64 {
            own.iter().map(|index| self.displacement_m(*index, truth, frame).norm_squared()).sum()
        };
        let greatest = (0..truth.angles_rad.len()).map(square).fold(0.0, f64::max);
        let greatest_m = (greatest / own.len().max(1) as f64).sqrt();
        if greatest_m > 0.0 {
            let factor = options.skin_m * truth.segments[segment].skin / greatest_m;
            for index in own {
                self.follows[index].iter_mut().for_each(|(_, way)| *way *= factor);
            }
        }
    }
}

fn mean_angles(truth: &Truth) -> Vec<f64> {
    let mut means_rad = vec![0.0; truth.angles_rad.first().map_or(0, Vec::len)];
    for angles_rad in &truth.angles_rad {
        for (mean, angle) in means_rad.iter_mut().zip(angles_rad) {
            *mean += angle / truth.angles_rad.len() as f64;
        }
    }
    means_rad
}
