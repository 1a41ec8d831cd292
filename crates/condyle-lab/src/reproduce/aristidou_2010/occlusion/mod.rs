//! Chapter 4: markers that are not seen.

pub mod camera;
pub mod centres;
pub mod lengths;
pub mod markers;
mod method;
pub mod recordings;
mod scene;
pub mod speed;

/// Centimetres, as the document has them.
fn cm(metres: f64) -> String {
    format!("{:.2}", 100.0 * metres)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn worst(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}
