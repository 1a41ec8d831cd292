//! Lines on which cameras see markers.

use nalgebra::{Point3, Vector3};

/// The line on which a camera sees a marker in one frame.
#[derive(Debug, Clone, PartialEq)]
pub struct CameraRay {
    /// The frame, counted from 0.
    pub frame: usize,
    /// The camera's name.
    pub camera: String,
    /// The marker, by its place in the trial.
    pub marker: usize,
    /// Where the camera is.
    pub origin_m: Point3<f64>,
    /// The direction of the marker, of any length.
    pub direction: Vector3<f64>,
}
