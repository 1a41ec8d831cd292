//! Damaged inputs for the whole command line: small files of our own, changed where a format hurts, given to every
//! command with little memory and little time.
//!
//! What must hold: no panic, no signal, no time-out; a refusal is one line of at most [`LINE_CHARS`] characters; what
//! is written with exit code 0 has no number that is not finite, but for a format's own mark for missing.

mod commands;
mod finite;
mod kit;
mod limited;
pub mod mutate;
pub mod small;
#[cfg(test)]
mod writers_tests;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub use kit::Kit;
use limited::{Ended, Limits, Ran};

/// The longest line of standard error.
pub const LINE_CHARS: usize = 300;
/// The longest that a command may reckon.
const PROCESSOR_S: u64 = 20;
/// The longest that a command may take: a machine that does other things is slow, and one that hangs reckons nothing.
const TIME: Duration = Duration::from_secs(300);
/// All the memory that a command may have.
const MEMORY_BYTES: u64 = 2 << 30;

/// What is wrong with how a command took an input.
#[derive(Debug)]
pub struct Finding {
    /// The seed that makes the input and the command again.
    pub seed: u64,
    /// The command line.
    pub command: String,
    /// What must not be.
    pub what: String,
}

/// How inputs were taken.
#[derive(Debug, Default)]
pub struct Tally {
    /// How many were tried.
    pub inputs: usize,
    /// How many ended with exit code 0.
    pub done: usize,
    /// How many were refused.
    pub refused: usize,
    /// The slowest, and how long it took.
    pub slowest: Option<(Duration, String)>,
    /// What must not be.
    pub findings: Vec<Finding>,
}

impl Tally {
    /// Adds what another has.
    pub fn add(&mut self, other: Self) {
        self.inputs += other.inputs;
        self.done += other.done;
        self.refused += other.refused;
        self.slowest = self.slowest.take().max(other.slowest);
        self.findings.extend(other.findings);
    }
}

/// Gives one damaged input to one command, both chosen by the seed; what is wrong stays in `keep` with its inputs.
///
/// # Errors
/// The input cannot be written or the program not be started.
pub fn one(program: &Path, kit: &Kit, seed: u64, keep: &Path) -> anyhow::Result<Tally> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let folder = tempfile::tempdir()?;
    let at = folder.path();
    kit.put(at)?;
    let (input, words) = commands::any(&mut rng, kit);
    let other = kit.bytes(rng.random_range(0..kit.count()));
    let damaged = mutate::damaged(kit.named(input), other, &mut rng);
    // The kit is linked: the link goes, not what it points at.
    fs::remove_file(at.join(input))?;
    fs::write(at.join(input), damaged)?;
    let start = Instant::now();
    let limits = Limits { time: TIME, processor_s: PROCESSOR_S, memory_bytes: MEMORY_BYTES };
    let ran = limited::run(program, &words, at, limits)?;
    let took = start.elapsed();
    let command = format!("condyle {}", words.join(" "));
    let mut found = wrong(&ran, several(&words));
    if matches!(ran.ended, Ended::Code(0)) {
        found.extend(finite::wrong_in(at, kit)?);
    }
    let mut tally = Tally { inputs: 1, ..Tally::default() };
    tally.done = usize::from(matches!(ran.ended, Ended::Code(0)));
    tally.refused = usize::from(matches!(ran.ended, Ended::Code(1 | 2)));
    tally.slowest = Some((took, format!("{command} (seed {seed})")));
    if !found.is_empty() {
        let place = keep.join(seed.to_string());
        fs::create_dir_all(&place)?;
        fs::copy(at.join(input), place.join(input)).context("a finding")?;
        fs::write(
            place.join("command.txt"),
            format!("{command}\n{}\n{}", found.join("\n"), ran.errors),
        )?;
    }
    tally.findings =
        found.into_iter().map(|what| Finding { seed, command: command.clone(), what }).collect();
    Ok(tally)
}

/// How many errors there may be: one for each recording, where a command takes several.
fn several(words: &[String]) -> usize {
    let is_option = |word: &&String| word.starts_with("--") || *word == "-o";
    words.iter().skip(1).take_while(|word| !is_option(word)).count().max(1)
}

/// What is wrong with how a command ended and what it said.
fn wrong(ran: &Ran, most_errors: usize) -> Vec<String> {
    let mut found = Vec::new();
    let errors = ran.errors.lines().filter(|line| line.starts_with("error:")).count();
    match ran.ended {
        Ended::TimeOut => found.push("took too long".to_owned()),
        // SIGXCPU.
        Ended::Signal(24) => found.push(format!("reckoned for more than {PROCESSOR_S} s")),
        Ended::Signal(signal) => found.push(format!("ended by signal {signal}")),
        Ended::Code(0) => {}
        // A wrong command line is answered with its usage, on lines of its own.
        Ended::Code(2) => {}
        Ended::Code(1) if (1..=most_errors).contains(&errors) => {}
        Ended::Code(code) => found.push(format!("exit code {code} with {errors} errors")),
    }
    if ran.errors.contains("panicked at") {
        found.push("panicked".to_owned());
    }
    let longest = ran.errors.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    if longest > LINE_CHARS {
        found.push(format!("a line of {longest} characters"));
    }
    found
}
