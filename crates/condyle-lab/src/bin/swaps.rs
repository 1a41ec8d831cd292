//! The table of exchanged labels on simulated recordings.
//!
//! ```text
//! cargo run --release -p condyle-lab --bin swaps -- --recordings 200 --first-seed 1001
//! ```

#![allow(clippy::print_stdout)]

use std::time::Instant;

use clap::Parser;
use condyle_lab::swaps::{KINDS, Score, options, score, simulated, swapped};

/// Exchanged labels on simulated recordings with 1 mm of noise, 20 s each
#[derive(Parser)]
struct Args {
    /// How many recordings with exchanges, and as many without
    #[arg(long, default_value_t = 40)]
    recordings: u64,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    first_seed: u64,
    /// Show every recording that is not perfect
    #[arg(long)]
    verbose: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let mut rows = [Score::default(); KINDS.len()];
    let mut clean = [Score::default(); KINDS.len()];
    let mut seconds = 0.0;
    for seed in args.first_seed..args.first_seed + args.recordings {
        let row = (seed % KINDS.len() as u64) as usize;
        let kind = &KINDS[row];
        let (simulation, right) = simulated(&swapped(seed, kind))?;
        let begun = Instant::now();
        let (found, swaps) = score(&simulation.trial, &right);
        seconds += begun.elapsed().as_secs_f64();
        rows[row].add(&found);
        if args.verbose && found.still + found.spoilt > 0 {
            println!("seed {seed} {kind:?} {:?}: {found:?}", swapped(seed, kind).routine);
            println!("  truth {:?}", simulation.truth.swaps);
            println!("  found {swaps:?}");
        }
        let (untouched, _) = simulated(&options(seed, kind))?;
        let (found, swaps) = score(&untouched.trial, &untouched.trial);
        clean[row].add(&found);
        if args.verbose && found.touched > 0 {
            println!("clean seed {seed} {kind:?} {swaps:?}");
        }
    }
    println!(
        "markers\tskin mm\tgaps s\trecordings\tswapped samples\tput right %\tspoilt\tworse\tclean touched"
    );
    let mut all = [Score::default(); 2];
    for ((kind, found), clean) in KINDS.iter().zip(&rows).zip(&clean) {
        print_row(
            &format!("{}\t{}\t{}", kind.markers, kind.skin_m * 1e3, kind.gap_s),
            found,
            clean,
        );
        all[0].add(found);
        all[1].add(clean);
    }
    print_row("all\t\t", &all[0], &all[1]);
    println!("{:.3} s a recording", seconds / args.recordings as f64);
    Ok(())
}

fn print_row(name: &str, found: &Score, clean: &Score) {
    let right = 100.0 * (1.0 - found.still as f64 / found.before.max(1) as f64);
    println!(
        "{name}\t{}\t{}\t{right:.2}\t{}\t{}\t{} of {}",
        found.recordings, found.before, found.spoilt, found.worse, clean.touched, clean.recordings
    );
}
