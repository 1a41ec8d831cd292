//! The memory of all trajectories: one block per kind of number, a track of it per marker.

use std::sync::Arc;

use crate::trial::{Block, Column, Marker};

/// The trajectories of a file while they are being read.
pub(super) struct Tracks {
    frames: usize,
    coordinates_m: Block<f64>,
    origin: Block<u8>,
    quality: Block<u16>,
}

/// The memory of one marker.
pub(super) struct Track<'a> {
    /// Whether the point is a place, where 0, 0, 0 means that nothing was seen.
    pub is_position: bool,
    pub x_m: &'a mut [f64],
    pub y_m: &'a mut [f64],
    pub z_m: &'a mut [f64],
    pub origin: &'a mut [u8],
    pub quality: &'a mut [u16],
}

impl Tracks {
    /// Memory for so many markers, taken from `old` ones where they are large enough.
    pub(super) fn new(markers: usize, frames: usize, old: Vec<Marker>) -> Self {
        let first = old.first();
        let coordinates_m = first.and_then(|marker| marker.x_m.block().cloned());
        let origin = first.and_then(|marker| marker.origin.block().cloned());
        // A marker without residuals has let go of its quality; another may still hold it.
        let quality = old.iter().find_map(|marker| marker.quality.block().cloned());
        drop(old);
        Self {
            frames,
            coordinates_m: Block::at_least(markers * frames * 3, coordinates_m),
            origin: Block::at_least(markers * frames, origin),
            quality: Block::at_least(markers * frames, quality),
        }
    }

    /// The tracks for filling, one a marker, each told whether it is a place.
    pub(super) fn tracks(&mut self, are_positions: &[bool]) -> Vec<Track<'_>> {
        let frames = self.frames.max(1);
        let mut coordinates = self.coordinates_m.as_mut_slice().chunks_exact_mut(frames);
        let mut origins = self.origin.as_mut_slice().chunks_exact_mut(frames);
        let mut qualities = self.quality.as_mut_slice().chunks_exact_mut(frames);
        let track = |&is_position: &bool| {
            Some(Track {
                is_position,
                x_m: coordinates.next()?,
                y_m: coordinates.next()?,
                z_m: coordinates.next()?,
                origin: origins.next()?,
                quality: qualities.next()?,
            })
        };
        are_positions.iter().map_while(track).collect()
    }

    /// The markers, once filled; residuals and camera masks are dropped where all are zero.
    pub(super) fn into_markers(
        self,
        names: impl IntoIterator<Item = (String, String)>,
        residual_step_m: f32,
    ) -> Vec<Marker> {
        let frames = self.frames;
        let coordinates_m = Arc::new(self.coordinates_m);
        let origin = Arc::new(self.origin);
        let quality = Arc::new(self.quality);
        let axis = |index: usize| Column::Shared {
            block: coordinates_m.clone(),
            range: index * frames..(index + 1) * frames,
        };
        let marker = |(index, (label, description)): (usize, (String, String))| {
            let range = index * frames..(index + 1) * frames;
            let mut quality = Column::Shared { block: quality.clone(), range: range.clone() };
            if quality.iter().all(|word| *word == 0) {
                quality.clear();
            }
            Marker {
                label,
                description,
                x_m: axis(index * 3),
                y_m: axis(index * 3 + 1),
                z_m: axis(index * 3 + 2),
                origin: Column::Shared { block: origin.clone(), range },
                residual_step_m: if quality.is_empty() { 0.0 } else { residual_step_m },
                quality,
                ..Marker::default()
            }
        };
        names.into_iter().enumerate().map(marker).collect()
    }
}
