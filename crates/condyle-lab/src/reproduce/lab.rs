//! Where experiments are run: seeded, in parallel, with progress.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::recordings::Recording;
use condyle_page::terminal::parallel;
use condyle_page::terminal::progress::Progress;

/// How much work an experiment may do.
#[derive(Debug, Clone, Default)]
pub struct Effort {
    /// The whole range of the document.
    pub is_full: bool,
    /// So many trials, instead of each experiment's own number.
    pub trials: Option<usize>,
    /// What is done with recordings is done with these.
    pub recordings: Arc<[Recording]>,
}

impl Effort {
    /// The number of trials: as asked for, or one of these.
    pub fn trials(&self, usual: usize, full: usize) -> usize {
        self.trials.unwrap_or(self.either(usual, full))
    }

    /// The usual, or the full.
    pub fn either<T>(&self, usual: T, full: T) -> T {
        if self.is_full { full } else { usual }
    }
}

/// A number of trials, each over about so many samples.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    /// A trial's samples.
    pub samples: usize,
    /// How many trials.
    pub trials: usize,
}

/// A job takes about this many samples: a tenth of a second, so that progress shows.
const SAMPLES_A_JOB: usize = 200_000;

/// Trials of one load that one thread does in one go.
struct Job {
    load: usize,
    first: usize,
    trials: usize,
}

fn jobs(loads: &[Load]) -> Vec<Job> {
    let mut jobs = Vec::new();
    for (load, Load { samples, trials }) in loads.iter().enumerate() {
        let at_once = (SAMPLES_A_JOB / samples.max(&1)).max(1);
        for first in (0..*trials).step_by(at_once) {
            jobs.push(Job { load, first, trials: at_once.min(trials - first) });
        }
    }
    jobs
}

/// How many steps of progress the loads make.
pub fn steps(loads: &[Load]) -> usize {
    jobs(loads).len()
}

/// What experiments work with.
pub struct Lab<'a> {
    /// Where the random numbers begin.
    pub seed: u64,
    /// How much work is wanted.
    pub effort: Effort,
    /// The experiment's number: its random numbers are its own.
    pub experiment: u64,
    /// Advanced as trials are done.
    pub progress: &'a Progress,
}

impl Lab<'_> {
    /// Runs trials in parallel: for each load its results, in the order of the trials.
    ///
    /// A trial gets the number of its load and random numbers of its own, the same for the same
    /// seed whatever runs beside it.
    pub fn trials<R: Send>(
        &self,
        loads: &[Load],
        trial: impl Fn(usize, &mut ChaCha8Rng) -> R + Sync,
    ) -> Vec<Vec<R>> {
        let jobs = jobs(loads);
        let done = parallel::map(&jobs, |job| {
            let results: Vec<R> = (job.first..job.first + job.trials)
                .map(|index| trial(job.load, &mut self.random(job.load, index)))
                .collect();
            self.progress.advance();
            results
        });
        let mut results: Vec<Vec<R>> = loads.iter().map(|_| Vec::new()).collect();
        for (job, done) in jobs.iter().zip(done) {
            results[job.load].extend(done);
        }
        results
    }

    /// The random numbers of one trial.
    pub fn random(&self, load: usize, trial: usize) -> ChaCha8Rng {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(self.experiment << 48 | (load as u64) << 32 | trial as u64);
        random
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::Rng;

    #[test]
    fn every_trial_has_its_own_numbers_and_they_come_in_order() {
        let progress = Progress::over("testing", 3);
        let effort = Effort::default();
        let lab = Lab { seed: 1, effort, experiment: 2, progress: &progress };
        let loads = [Load { samples: 60_000, trials: 10 }, Load { samples: 1, trials: 3 }];
        let draw = |load, random: &mut ChaCha8Rng| (load, random.next_u64());
        let results = lab.trials(&loads, draw);
        assert_eq!((results[0].len(), results[1].len()), (10, 3));
        assert_eq!(results, lab.trials(&loads, draw));
        assert_eq!(results[0][7].1, lab.random(0, 7).next_u64());
        let mut all: Vec<_> = results.concat();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 13);
    }
}
