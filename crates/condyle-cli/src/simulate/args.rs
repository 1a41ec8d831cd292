//! The command line of `condyle simulate`.

use std::path::PathBuf;

use clap::Args;
use condyle::simulate::{Options, Performer, Routine};
use condyle::trial::Format;

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle simulate`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SimulateArgs {
    /// The folder to write in; it is made if there is none
    #[arg(long, short, value_name = "DIR", required_unless_present = "describe")]
    pub output: Option<PathBuf>,
    /// Who performs: human, dog, arm, hand (a right one), left-hand, or a description of one's own
    /// (docs/performer.md, docs/hand.md)
    #[arg(long, value_name = "NAME|FILE.toml", default_value = "human")]
    pub performer: String,
    /// How many perform; from two on their labels begin with P1:, P2: and so on
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub performers: usize,
    /// The marker set; of human: clusters (3 or 4 markers a segment), cmu41, plug-in-gait
    #[arg(long, value_name = "SET")]
    pub markers: Option<String>,
    /// Joints as cameras see them without markers, with the offset, noise, jumps and gaps of filmed recordings;
    /// --swaps N exchanges the legs
    #[arg(long, conflicts_with_all = ["markers", "sensors"])]
    pub keypoints: bool,
    /// What is performed: rom, walk, exercise, chicken-walk; by hands fist, spread, count, grasp, random
    #[arg(long, value_name = "ROUTINE", default_value = "rom", value_parser = routine)]
    pub routine: Routine,
    /// For how many seconds
    #[arg(long, value_name = "S", default_value_t = 30.0)]
    pub seconds: f64,
    /// Frames a second
    #[arg(long, value_name = "HZ", default_value_t = 100.0)]
    pub rate: f64,
    /// What all chance comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The format of the recording: c3d, trc, csv [default: c3d, csv for sensors]
    #[arg(long, value_name = "FORMAT", value_parser = recording_format)]
    pub to: Option<Format>,
    /// Overwrite files in DIR
    #[arg(long, short)]
    pub force: bool,
    /// Say nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
    /// Print a summary of what was written as a JSON object on standard output
    #[arg(long)]
    pub json: bool,
    /// Print the description of a performer that is built in (human, dog, arm, hand), and write nothing
    #[arg(long, value_name = "NAME", conflicts_with = "output", value_parser = built_in)]
    pub describe: Option<&'static str>,
    #[command(flatten)]
    pub disturbances: DisturbanceArgs,
}

/// What spoils the recording.
#[derive(Debug, Args)]
#[command(next_help_heading = "Disturbances")]
pub struct DisturbanceArgs {
    /// Noise of every coordinate: one standard deviation, in millimetres
    #[arg(long, value_name = "MM", default_value_t = 0.0, allow_negative_numbers = true)]
    pub noise_mm: f64,
    /// Skin that carries markers along, in millimetres (see below)
    #[arg(long, value_name = "MM", default_value_t = 0.0, allow_negative_numbers = true)]
    pub skin_mm: f64,
    /// The share of samples lost in bursts, 0 to 0.95
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, allow_negative_numbers = true)]
    pub occlusion: f64,
    /// The share of samples lost one by one, 0 to 0.95
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, allow_negative_numbers = true)]
    pub dropout: f64,
    /// How many times two labels near each other are exchanged for a while
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "sensors")]
    pub swaps: usize,
    /// Cameras about the room: what fewer than two of them see past the bodies is missing, and what one
    /// sees is in rays.csv; 0: everything is seen
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "sensors")]
    pub cameras: usize,
    /// So many exchanges begin at once
    #[arg(long, value_name = "N", default_value_t = 1, requires = "swaps")]
    pub swaps_at_once: usize,
    /// How many times three labels near each other change places in a cycle for a while
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "sensors")]
    pub cycles: usize,
    /// Markers are hidden for up to so long, in seconds, while their labels change places, every second time
    #[arg(long, value_name = "S", default_value_t = 0.0, allow_negative_numbers = true)]
    pub swap_gap_s: f64,
    /// How many markers slip once, and stay there
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "sensors")]
    pub slips: usize,
    /// How far they slip, in millimetres
    #[arg(long, value_name = "MM", default_value_t = 10.0, allow_negative_numbers = true)]
    pub slip_mm: f64,
    /// How many segments have all their markers elsewhere than usual
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "sensors")]
    pub moved_clusters: usize,
    /// How far these were moved, in millimetres
    #[arg(long, value_name = "MM", default_value_t = 20.0, allow_negative_numbers = true)]
    pub moved_mm: f64,
    /// Of a hand: end joints bend so many times as far as the middle ones, by chance between two numbers
    #[arg(long, value_name = "LEAST,MOST", value_delimiter = ',', num_args = 1)]
    pub end_joint_ratio: Option<Vec<f64>>,
    /// Of a hand: its palm hides the tips of fingers that are closed over it
    #[arg(long)]
    pub palm_hides_tips: bool,
    /// One sensor with six degrees of freedom on every segment instead of markers
    #[arg(long, conflicts_with = "markers")]
    pub sensors: bool,
    /// Noise of a sensor's orientation about each axis: one standard deviation, in degrees
    #[arg(
        long,
        value_name = "DEG",
        default_value_t = 0.0,
        requires = "sensors",
        allow_negative_numbers = true
    )]
    pub noise_deg: f64,
}

impl SimulateArgs {
    /// The options in the library's words.
    pub fn options(&self) -> Options {
        let disturbances = &self.disturbances;
        Options {
            routine: self.routine,
            seconds: self.seconds,
            rate_hz: self.rate,
            seed: self.seed,
            performers: self.performers,
            marker_set: self.markers.clone(),
            sensors: disturbances.sensors,
            keypoints: self.keypoints,
            noise_m: disturbances.noise_mm / 1000.0,
            orientation_noise_rad: disturbances.noise_deg.to_radians(),
            skin_m: disturbances.skin_mm / 1000.0,
            occlusion: disturbances.occlusion,
            dropout: disturbances.dropout,
            swaps: disturbances.swaps,
            cameras: disturbances.cameras,
            swaps_at_once: disturbances.swaps_at_once,
            cycles: disturbances.cycles,
            swap_gap_s: disturbances.swap_gap_s,
            slips: disturbances.slips,
            slip_m: disturbances.slip_mm / 1000.0,
            moved_clusters: disturbances.moved_clusters,
            moved_m: disturbances.moved_mm / 1000.0,
            end_joint_ratio: disturbances
                .end_joint_ratio
                .as_deref()
                .and_then(|range| range.try_into().ok()),
            palm_hides_tips: disturbances.palm_hides_tips,
        }
    }

    /// The format of the recording; sensors go into the one that keeps all digits.
    pub fn format(&self) -> Format {
        let usual = if self.disturbances.sensors { Format::Csv } else { Format::C3d };
        self.to.unwrap_or(usual)
    }
}

fn routine(name: &str) -> Result<Routine, String> {
    let found = Routine::ALL.into_iter().find(|routine| routine.name() == name);
    found
        .ok_or_else(|| format!("need {}, got '{name}'", Routine::ALL.map(Routine::name).join(", ")))
}

fn built_in(name: &str) -> Result<&'static str, String> {
    let description = Performer::description(name);
    description
        .or_else(|| (name == "hand").then_some(condyle::hand::Model::STANDARD))
        .ok_or_else(|| format!("need {}, got '{name}'", Performer::BUILT_IN.join(", ")))
}

fn recording_format(name: &str) -> Result<Format, String> {
    match Format::from_extension(name) {
        Some(format @ (Format::C3d | Format::Trc | Format::Csv)) => Ok(format),
        _ => Err(format!("need c3d, trc or csv, got '{name}'")),
    }
}
