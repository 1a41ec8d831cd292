//! The table of grouping by motion on simulated recordings.
//!
//! ```text
//! cargo run --release -p condyle-lab --bin grouping -- --seeds 20
//! ```

#![allow(clippy::print_stdout)]

use clap::Parser;
use condyle_lab::grouping::{names, scenarios, score};

/// Segments from motion alone on simulated recordings with 1 mm of noise, 20 s each
#[derive(Parser)]
struct Args {
    /// How many recordings of each kind
    #[arg(long, default_value_t = 20)]
    seeds: u64,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    first_seed: u64,
    /// The names that segments get by the shape of their tree, instead
    #[arg(long)]
    names: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let seeds = args.first_seed..args.first_seed + args.seeds;
    if args.names {
        println!(
            "kind\tperformers\tother kind\tsegments\tpart right\twrong\tsided\tside right\twrong"
        );
        for scenario in scenarios() {
            let found = names(&scenario, seeds.clone())?;
            println!(
                "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
                scenario.name,
                found.performers,
                found.wrong_kinds,
                found.segments,
                found.parts,
                found.wrong_parts,
                found.sided,
                found.sides,
                found.wrong_sides
            );
        }
        return Ok(());
    }
    println!("kind\trecordings\ttrees\tsegments\tperformers\twrong\tundoubted\tdoubts a recording");
    for scenario in scenarios() {
        let found = score(&scenario, seeds.clone())?;
        println!(
            "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.1}",
            scenario.name,
            found.recordings,
            found.trees,
            found.segmentations,
            found.performers,
            found.wrong,
            found.wrong_undoubted,
            found.doubts as f64 / found.recordings.max(1) as f64
        );
    }
    Ok(())
}
