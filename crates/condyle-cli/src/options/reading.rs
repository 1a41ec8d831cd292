//! What the caller knows better than the file, and how numbers are said on the command line.

use std::path::PathBuf;

use clap::Args;
use condyle::angles::Smoothing;
use condyle::format::ReadOptions;
use condyle::trial::{Axis, LengthUnit};

/// A number from 0 up.
pub fn not_negative(text: &str) -> Result<f64, String> {
    let sigma = text.parse::<f64>().ok().filter(|sigma| sigma.is_finite() && *sigma >= 0.0);
    sigma.ok_or_else(|| format!("need a number from 0 up, got '{text}'"))
}

/// What the caller knows better than the file.
#[derive(Debug, Args)]
#[command(next_help_heading = "Instead of what the file says")]
pub struct ReadingArgs {
    /// The unit of length of the stored numbers: m, dm, cm, mm, in, ft
    #[arg(long, value_name = "UNIT")]
    pub units: Option<LengthUnit>,
    /// Which axis is up: x, y, z, -x, -y, -z
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    pub up: Option<Axis>,
    /// Frames a second
    #[arg(long, value_name = "HZ", value_parser = rate_hz, allow_negative_numbers = true)]
    pub assume_rate: Option<f64>,
    /// The skeleton of an AMC motion, instead of the ASF file beside it
    #[arg(long, value_name = "FILE.asf")]
    pub skeleton: Option<PathBuf>,
    /// Keep the coordinates of C3D samples that the file marks as invalid
    #[arg(long)]
    pub keep_invalid: bool,
    /// The names of a table's columns, where it has no header or a wrong one: tool_x,tool_y,tool_z,tool_qx,...
    #[arg(long, value_name = "A,B,...", value_delimiter = ',')]
    pub columns: Option<Vec<String>>,
    /// The axes are left-handed, as in Unity: mirror everything, z to -z
    #[arg(long)]
    pub left_handed: bool,
    /// Multiply all lengths: the scale of a tracking system (condyle scale finds it)
    #[arg(long, value_name = "FACTOR", value_parser = scale)]
    pub scale: Option<f64>,
}

fn scale(text: &str) -> Result<f64, String> {
    let factor = text.parse::<f64>().ok().filter(|factor| factor.is_finite() && *factor > 0.0);
    factor.ok_or_else(|| format!("need a positive factor, got '{text}'"))
}

impl ReadingArgs {
    /// The options in the library's words.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            unit: self.units,
            up: self.up,
            rate_hz: self.assume_rate,
            skeleton: self.skeleton.clone(),
            keep_invalid: self.keep_invalid,
            columns: self.columns.clone(),
            is_left_handed: self.left_handed,
            scale: self.scale,
            point_set: None,
        }
    }
}

/// A positive frequency.
pub fn rate_hz(text: &str) -> Result<f64, String> {
    let rate_hz = text.parse::<f64>().ok().filter(|rate_hz| rate_hz.is_finite() && *rate_hz > 0.0);
    rate_hz.ok_or_else(|| format!("need a positive number of hertz, got '{text}'"))
}

/// Whether angles are smoothed: `off`, `auto` or a cutoff in hertz.
pub fn smoothing(text: &str) -> Result<Smoothing, String> {
    match text {
        "off" => Ok(Smoothing::Off),
        "auto" => Ok(Smoothing::Auto),
        _ => rate_hz(text)
            .map(Smoothing::At)
            .map_err(|_| format!("need auto, off or a positive number of hertz, got '{text}'")),
    }
}
