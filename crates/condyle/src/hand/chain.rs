//! A finger as a chain in a plane: where its joints are for its angles.

use nalgebra::{Matrix3, Point3, UnitQuaternion, Vector3};

use super::model::{Finger, MAX_JOINTS};

/// The angles of a finger.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FingerAngles {
    /// How far the finger is turned towards the thumb.
    pub abduction_rad: f64,
    /// The flexion of every joint, the base first; 0 beyond the last.
    pub flexion_rad: [f64; MAX_JOINTS],
}

/// What the closed form needs of a finger.
#[derive(Debug, Clone)]
pub(super) struct Chain {
    pub joints: usize,
    pub lengths_m: [f64; MAX_JOINTS],
    pub couplings: [f64; MAX_JOINTS],
    /// How far joints are bent where the driving angle is 0.
    pub offsets_rad: [f64; MAX_JOINTS],
    pub flexion_rad: [[f64; 2]; MAX_JOINTS],
    pub abduction_rad: [f64; 2],
    pub base_in_hand_m: Point3<f64>,
    pub hand_from_rest: UnitQuaternion<f64>,
    /// The same as a matrix.
    hand_from_rest_matrix: Matrix3<f64>,
    /// From the last joint to the marker of the tip, in the frame of the end bone.
    pub end_m: Vector3<f64>,
    /// The driving angles between which the tip comes nearer and nearer.
    pub drive_rad: [f64; 2],
    /// How far the marker of the tip is from the base at either end, in the plane.
    pub reach_m: [f64; 2],
    /// The driving angle that is to be expected where the finger is all but straight.
    pub straight: super::straight::Straight,
}

/// Places in the plane of a finger: along it unbent, and out of the nail.
type InPlane = [f64; 2];

/// The steps in which the range of the driving angle is searched for where the tip is farthest and nearest.
const SEARCH_STEPS: usize = 256;

impl Chain {
    pub fn of(finger: &Finger) -> Self {
        let mut chain = Self {
            joints: finger.joints.len(),
            lengths_m: [0.0; MAX_JOINTS],
            couplings: [0.0; MAX_JOINTS],
            offsets_rad: [0.0; MAX_JOINTS],
            flexion_rad: [[0.0; 2]; MAX_JOINTS],
            abduction_rad: finger.joints[0].abduction_rad.unwrap_or_default(),
            base_in_hand_m: finger.base_in_hand_m,
            hand_from_rest: finger.hand_from_rest,
            hand_from_rest_matrix: finger.hand_from_rest.to_rotation_matrix().into_inner(),
            end_m: finger.end_marker_m(),
            drive_rad: [0.0; 2],
            reach_m: [0.0; 2],
            straight: super::straight::Straight::default(),
        };
        for (index, joint) in finger.joints.iter().enumerate() {
            chain.lengths_m[index] = joint.length_m;
            chain.flexion_rad[index] = joint.flexion_rad;
            if index > 0 {
                chain.couplings[index] = joint.coupling;
                chain.offsets_rad[index] = joint.offset_rad;
            }
        }
        chain.with_range()
    }

    /// The same finger with couplings that are larger by so much.
    pub fn with_couplings(&self, by: [f64; MAX_JOINTS]) -> Self {
        let mut other = self.clone();
        other.straight = super::straight::Straight::default();
        other.couplings.iter_mut().zip(by).for_each(|(coupling, by)| *coupling += by);
        other.with_range()
    }

    /// The driving angles at which no joint is beyond its limits.
    pub fn legal_range(&self) -> [f64; 2] {
        let mut range = [f64::NEG_INFINITY, f64::INFINITY];
        for joint in (1..self.joints).filter(|joint| self.couplings[*joint] > 0.0) {
            let [least, most] = self.flexion_rad[joint]
                .map(|limit| (limit - self.offsets_rad[joint]) / self.couplings[joint]);
            range = [range[0].max(least), range[1].min(most)];
        }
        if range[0] <= range[1] { range } else { [range[0].min(range[1]); 2] }
    }

    /// The part of the range of the driving angle in which the tip comes nearer all the time.
    pub fn with_range(mut self) -> Self {
        let [least, most] = self.legal_range();
        let at = |step: usize| least + (most - least) * step as f64 / SEARCH_STEPS as f64;
        let square = |step: usize| self.square_m2(at(step)).0;
        let mut farthest = 0;
        for step in 1..=SEARCH_STEPS {
            if square(step) > square(farthest) {
                farthest = step;
            }
        }
        let mut nearest = farthest;
        while nearest < SEARCH_STEPS && square(nearest + 1) < square(nearest) {
            nearest += 1;
        }
        self.drive_rad = [at(farthest), at(nearest)];
        self.reach_m = self.drive_rad.map(|drive_rad| self.square_m2(drive_rad).0.sqrt());
        self
    }

    /// The flexions for a driving angle, that of the base 0.
    pub fn flexions(&self, drive_rad: f64) -> [f64; MAX_JOINTS] {
        std::array::from_fn(|joint| self.couplings[joint] * drive_rad + self.offsets_rad[joint])
    }

    /// Where the marker of the tip is for a driving angle, the base unbent, and how that changes with the angle.
    #[inline]
    pub fn end(&self, drive_rad: f64) -> (InPlane, InPlane) {
        let (mut at, mut turned, mut share) = ([self.lengths_m[0], 0.0], 0.0, 0.0);
        let mut change = [0.0; 2];
        for joint in 1..self.joints {
            turned += self.couplings[joint] * drive_rad + self.offsets_rad[joint];
            share += self.couplings[joint];
            let (sin, cos) = f64::sin_cos(turned);
            let [x, z] = match joint + 1 == self.joints {
                true => [self.end_m.x, self.end_m.z],
                false => [self.lengths_m[joint], 0.0],
            };
            let step = [x * cos + z * sin, z * cos - x * sin];
            at = [at[0] + step[0], at[1] + step[1]];
            // A turn about y takes x to -z and z to x.
            change = [change[0] + share * step[1], change[1] - share * step[0]];
        }
        (at, change)
    }

    /// The square of the distance of the marker of the tip from the base in the plane, and its derivative.
    #[inline]
    pub fn square_m2(&self, drive_rad: f64) -> (f64, f64) {
        let (at, change) = self.end(drive_rad);
        (at[0] * at[0] + at[1] * at[1], 2.0 * (at[0] * change[0] + at[1] * change[1]))
    }

    /// A place of the hand in the frame of the unbent finger.
    #[inline]
    pub fn in_rest_m(&self, in_hand_m: &Point3<f64>) -> Vector3<f64> {
        self.hand_from_rest_matrix.tr_mul(&(in_hand_m - self.base_in_hand_m))
    }

    /// A place in the plane of the finger, `aside` beside it, in the hand, for sine and cosine of the abduction.
    #[inline]
    fn in_hand_m(&self, [x, z]: InPlane, aside: f64, (sin, cos): (f64, f64)) -> Point3<f64> {
        let in_rest = Vector3::new(x * cos - aside * sin, x * sin + aside * cos, z);
        self.base_in_hand_m + self.hand_from_rest_matrix * in_rest
    }

    /// Where every joint is in the hand, then the tip, then the marker of the tip.
    pub fn places_m(&self, angles: &FingerAngles) -> [Point3<f64>; MAX_JOINTS + 2] {
        let mut places = [self.base_in_hand_m; MAX_JOINTS + 2];
        let (mut at, mut turned) = ([0.0; 2], 0.0);
        let plane = f64::sin_cos(angles.abduction_rad);
        for joint in 0..self.joints {
            turned += angles.flexion_rad[joint];
            let (sin, cos) = f64::sin_cos(turned);
            if joint + 1 == self.joints {
                let end = [
                    at[0] + self.end_m.x * cos + self.end_m.z * sin,
                    at[1] + self.end_m.z * cos - self.end_m.x * sin,
                ];
                places[self.joints + 1] = self.in_hand_m(end, self.end_m.y, plane);
            }
            let length_m = self.lengths_m[joint];
            at = [at[0] + length_m * cos, at[1] - length_m * sin];
            places[joint + 1] = self.in_hand_m(at, 0.0, plane);
        }
        places
    }

    /// Where the marker of the tip is in the hand.
    pub fn marker_m(&self, angles: &FingerAngles) -> Point3<f64> {
        self.places_m(angles)[self.joints + 1]
    }

    /// The same in the plane of the finger, for its flexions.
    pub fn marker_in_plane_m(&self, flexion_rad: &[f64; MAX_JOINTS]) -> InPlane {
        let (mut at, mut turned) = ([0.0; 2], 0.0);
        for (joint, flexion_rad) in flexion_rad.iter().take(self.joints).enumerate() {
            turned += flexion_rad;
            let (sin, cos) = f64::sin_cos(turned);
            let [x, z] = match joint + 1 == self.joints {
                true => [self.end_m.x, self.end_m.z],
                false => [self.lengths_m[joint], 0.0],
            };
            at = [at[0] + x * cos + z * sin, at[1] + z * cos - x * sin];
        }
        at
    }

    /// The frame of the unbent finger after its abduction.
    pub fn hand_from_bone_turned(&self, abduction_rad: f64) -> UnitQuaternion<f64> {
        self.hand_from_rest * UnitQuaternion::from_axis_angle(&Vector3::z_axis(), abduction_rad)
    }

    /// The frame of the bone that follows a joint.
    pub fn hand_from_bone(&self, joint: usize, angles: &FingerAngles) -> UnitQuaternion<f64> {
        let turned: f64 = angles.flexion_rad[..=joint].iter().sum();
        self.hand_from_bone_turned(angles.abduction_rad)
            * UnitQuaternion::from_axis_angle(&Vector3::y_axis(), turned)
    }

    /// Brings angles within their limits; how many stood outside by more than rounding.
    pub fn clamp(&self, angles: &mut FingerAngles) -> usize {
        let mut outside = 0;
        let mut within = |angle: &mut f64, [least, most]: [f64; 2]| {
            let clamped = angle.clamp(least, most);
            outside += usize::from((clamped - *angle).abs() > 1e-9);
            *angle = clamped;
        };
        within(&mut angles.abduction_rad, self.abduction_rad);
        for joint in 0..self.joints {
            within(&mut angles.flexion_rad[joint], self.flexion_rad[joint]);
        }
        outside
    }
}
