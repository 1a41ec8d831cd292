//! A figure that follows a solved motion.

use nalgebra::Isometry3;

use super::Mannequin;
use crate::solve::SolvedMotion;

impl Mannequin {
    /// How a segment moved since it was at rest, from where it is in the world.
    pub fn world_from_rest(
        &self,
        segment: usize,
        world_from_segment: &Isometry3<f64>,
    ) -> Isometry3<f64> {
        let rest = self.figure_from_segments.get(segment).copied().unwrap_or_default();
        world_from_segment * rest.inverse()
    }

    /// How every segment moved since it was at rest in a frame; `None` where it is not placed.
    pub fn placed(&self, motion: &SolvedMotion, frame: usize) -> Vec<Option<Isometry3<f64>>> {
        let place = |segment: usize| {
            let pose = motion.world_from_segment(frame, segment)?;
            Some(self.world_from_rest(segment, &pose))
        };
        (0..self.figure.segments().len()).map(place).collect()
    }

    /// The same in every frame for a picture that moves: a segment that is not placed keeps what it had against its
    /// parent, at first as at rest. Also the frames in which one was held so.
    pub fn moved(&self, motion: &SolvedMotion) -> (Vec<Vec<Isometry3<f64>>>, usize) {
        let segments = self.figure.segments();
        let mut parent_from_own = vec![Isometry3::identity(); segments.len()];
        let mut held = 0;
        let mut frame_of = |frame: usize| {
            let placed = self.placed(motion, frame);
            held += usize::from(placed.iter().any(Option::is_none));
            let mut own: Vec<Isometry3<f64>> = Vec::with_capacity(segments.len());
            for (at, segment) in segments.iter().enumerate() {
                let above = segment.parent.map_or_else(Isometry3::identity, |parent| own[parent]);
                if let Some(pose) = placed[at] {
                    parent_from_own[at] = above.inverse() * pose;
                }
                own.push(above * parent_from_own[at]);
            }
            own
        };
        let frames = (0..motion.frames()).map(&mut frame_of).collect();
        (frames, held)
    }
}
