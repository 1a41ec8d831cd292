//! Tables of error and coverage on everyday recordings.
//!
//! ```text
//! cargo run --release -p condyle-lab --bin everyday -- simulated --people 100
//! ```

use std::io::Write;

use anyhow::Context;
use clap::{Parser, Subcommand, ValueEnum};
use condyle::whole_body::SoftTissue;
use condyle_lab::everyday::coverage::Stated;
use condyle_lab::everyday::estimate::Settings;
use condyle_lab::everyday::table::Table;
use condyle_lab::everyday::{
    baselines, cmu, coverage, estimators, flexion, functional, guards, halves, plug_in_gait,
    simulated, speed, walkers,
};

/// Tables of error and coverage of joints on everyday recordings
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    part: Part,
    /// Who estimates; the newest if not said
    #[arg(long, global = true)]
    estimator: Option<String>,
    /// How many people or draws are simulated
    #[arg(long, global = true, default_value_t = 20)]
    people: u64,
    /// The first seed
    #[arg(long, global = true, default_value_t = 1000)]
    first_seed: u64,
    /// What is stated about soft tissue: auto, none, or millimetres
    #[arg(long, global = true, default_value = "auto")]
    soft_tissue: String,
    /// Whether knowledge of bodies is used
    #[arg(long, global = true, value_enum, default_value_t = Knowledge::Auto)]
    knowledge: Knowledge,
    /// One JSON object a table
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Knowledge {
    Auto,
    None,
}

#[derive(Subcommand)]
enum Part {
    /// Simulated people: walks and ranges of motion
    Simulated {
        /// Frames, at 100 a second
        #[arg(long)]
        frames: Option<usize>,
        /// Noise of each coordinate
        #[arg(long)]
        noise_mm: Option<f64>,
        /// Soft tissue of a thigh: rms over markers and frames
        #[arg(long)]
        skin_mm: Option<f64>,
        /// Share of samples that are missing, 0 to 0.95
        #[arg(long)]
        gaps: Option<f64>,
        /// Only scenes whose name contains this
        #[arg(long)]
        only: Option<String>,
    },
    /// OpenSim's synthetic walkers
    Walkers,
    /// Recordings of CMU's performers, of files with centres of their own, of a functional trial
    Real,
    /// Halves of all recordings fitted apart
    Halves,
    /// Beside regressions, midpoints and bare markers
    Baselines,
    /// Flexion beside stored angles
    Flexion,
    /// Coverage in cells about three centres; 150 people make 300 joints of a kind
    Coverage {
        /// Only cells whose name contains this
        #[arg(long)]
        only: Option<String>,
        /// Do not say how much soft tissue there is
        #[arg(long)]
        auto: bool,
    },
    /// Unusual people and wrong labels
    Guards {
        /// Only cases whose name contains this
        #[arg(long)]
        only: Option<String>,
        /// With Plug-in Gait's markers and labels instead of CMU's
        #[arg(long)]
        plug_in_gait: bool,
    },
    /// Time of an estimate
    Speed,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let soft_tissue = match args.soft_tissue.as_str() {
        "auto" => SoftTissue::Auto,
        "none" => SoftTissue::None,
        text => SoftTissue::Metres(1e-3 * text.parse::<f64>().context("--soft-tissue")?),
    };
    let settings = Settings { soft_tissue, knowledge: args.knowledge == Knowledge::Auto };
    let all = estimators();
    let estimator = match &args.estimator {
        None => all.last(),
        Some(name) => all.iter().find(|estimator| estimator.name() == name),
    };
    let names: Vec<&str> = all.iter().map(|estimator| estimator.name()).collect();
    let estimator = estimator
        .with_context(|| format!("--estimator: need one of {}", names.join(", ")))?
        .as_ref();
    let seeds = args.first_seed..args.first_seed + args.people;
    let show = |table: &Table| {
        let text = if args.json { table.to_json().to_string() } else { table.to_text() };
        // Whoever reads may stop reading.
        let _ = writeln!(std::io::stdout(), "{text}");
    };
    match args.part {
        Part::Simulated { frames, noise_mm, skin_mm, gaps, only } => {
            let [noise_m, skin_m] = [noise_mm, skin_mm].map(|mm| mm.map(|mm| 1e-3 * mm));
            let changes = simulated::Changes { frames, noise_m, skin_m, gaps, only };
            simulated::tables(estimator, &settings, &changes, seeds, show)
        }
        Part::Walkers => walkers::tables(estimator, &settings, seeds, show),
        Part::Real => {
            cmu::tables(estimator, &settings, show)?;
            plug_in_gait::tables(estimator, &settings, show)?;
            functional::tables(estimator, &settings, show)
        }
        Part::Halves => halves::tables(estimator, &settings, show),
        Part::Baselines => baselines::tables(estimator, &settings, seeds, show),
        Part::Flexion => flexion::tables(estimator, &settings, show),
        Part::Coverage { only, auto } => {
            let stated = if auto { Stated::Auto } else { Stated::AsSimulated };
            coverage::tables(estimator, stated, only.as_deref(), seeds, show)
        }
        Part::Guards { only, plug_in_gait } => {
            let which = (only.as_deref(), plug_in_gait);
            guards::tables(estimator, &settings, which, seeds, show)
        }
        Part::Speed => speed::tables(estimator, &settings, seeds, show),
    }
}
