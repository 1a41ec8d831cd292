//! Damaged inputs for the whole command line, for a while or a number of them.
//!
//! ```text
//! cargo build --profile quick -p condyle-cli
//! cargo run --profile quick -p condyle-lab --bin mutants -- --program target/quick/condyle --seconds 1800
//! ```

#![allow(clippy::print_stdout)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use condyle_lab::mutants::{self, Kit, Tally};

/// Damages small files and gives them to every command: no panic, no signal, no time-out, no number that is not finite
#[derive(Parser)]
struct Args {
    /// The program condyle
    #[arg(long, default_value = "target/debug/condyle")]
    program: PathBuf,
    /// How long
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// As many inputs, however long it takes
    #[arg(long)]
    inputs: Option<u64>,
    /// The first seed; each input has its own
    #[arg(long, default_value_t = 1)]
    first_seed: u64,
    /// How many commands at once
    #[arg(long)]
    threads: Option<usize>,
    /// Where inputs go that show something wrong
    #[arg(long, default_value = "target/mutants")]
    keep: PathBuf,
}

fn main() -> anyhow::Result<ExitCode> {
    let args = Args::parse();
    let program = args.program.canonicalize()?;
    let kit = Kit::new(&program)?;
    let next = AtomicU64::new(args.first_seed);
    let total = Mutex::new(Tally::default());
    let start = Instant::now();
    let is_over = |seed: u64| match args.inputs {
        Some(inputs) => seed >= args.first_seed + inputs,
        None => start.elapsed() > Duration::from_secs(args.seconds),
    };
    let work = || -> anyhow::Result<()> {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if is_over(seed) {
                return Ok(());
            }
            let tally = mutants::one(&program, &kit, seed, &args.keep)?;
            for finding in &tally.findings {
                println!("seed {}: {}: {}", finding.seed, finding.command, finding.what);
            }
            if let Ok(mut total) = total.lock() {
                total.add(tally);
            }
        }
    };
    let threads =
        args.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().map_err(|_| anyhow::anyhow!("a worker panicked"))?
        })
    })?;
    let total = total.into_inner().unwrap_or_default();
    let (took, command) = total.slowest.unwrap_or_default();
    println!(
        "{} damaged inputs of {} files in {:.0} s: {} done, {} refused, {} findings; slowest {:.1} s: {command}",
        total.inputs,
        kit.count(),
        start.elapsed().as_secs_f64(),
        total.done,
        total.refused,
        total.findings.len(),
        took.as_secs_f64()
    );
    Ok(if total.findings.is_empty() && total.inputs > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
