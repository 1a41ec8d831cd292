//! Skeletons for several recordings: those of one performer share one, in `condyle gait` and in `condyle run`.

use std::path::PathBuf;

use condyle::Trial;
use condyle::format::ReadOptions;
use condyle::job::{self, Likeness, Performance, Recording};

use crate::terminal::progress::Progress;
use crate::terminal::{input, parallel};

/// A recording, and what was solved of it or why it was not.
pub struct Solved {
    pub trial: Trial,
    pub performance: Result<Performance, String>,
    /// The number of its performer, as other recordings of the same have it.
    pub performer: usize,
}

/// Which of so many recordings are of one performer, as indices; one that nothing is known of is by itself.
pub fn performers(
    count: usize,
    likenesses: impl FnOnce() -> Vec<Option<Likeness>>,
) -> Vec<Vec<usize>> {
    match count {
        0 | 1 => (0..count).map(|index| vec![index]).collect(),
        _ => Likeness::groups(&likenesses()),
    }
}

/// Every recording with its performance. One that has none is analysed all the same, since events need no skeleton;
/// with a subject that was named it is an error.
pub fn performances(
    files: &[PathBuf],
    reading: &ReadOptions,
    options: &job::Options,
    is_each: bool,
) -> Vec<anyhow::Result<Solved>> {
    let progress = Progress::over("recordings", files.len());
    let trials = parallel::map(files, |file| input::read(file, reading));
    let performers = match options.subject {
        Some(_) => vec![(0..files.len()).collect()],
        None => performers(files.len(), || {
            let likeness = |trial: &condyle::Result<Trial>| {
                Likeness::from_trial(trial.as_ref().ok()?, options)
            };
            parallel::map(&trials, likeness)
        }),
    };
    let recording = |index: usize| -> Option<Recording> {
        let trial = trials[index].as_ref().ok()?;
        Some(Recording::new(files[index].display().to_string(), trial.clone()))
    };
    let together = |group: &Vec<usize>| -> Option<Vec<Result<Performance, condyle::Error>>> {
        if is_each || options.subject.is_some() || group.len() < 2 {
            return None;
        }
        let all = group.iter().map(|index| recording(*index)).collect::<Option<Vec<_>>>()?;
        let fitted = job::fit(all, options).ok()?.into_recordings();
        let solved = |own: job::FittedRecording| {
            progress.advance();
            own.solve(options)
        };
        Some(fitted.into_iter().map(solved).collect())
    };
    let mut found: Vec<(usize, Option<Result<Performance, condyle::Error>>)> = Vec::new();
    found.resize_with(files.len(), || (0, None));
    for (group, shared) in performers.iter().zip(parallel::map(&performers, together)) {
        let is_shared = shared.is_some();
        let mut shared = shared.into_iter().flatten();
        let done: Vec<_> = group.iter().map(|_| shared.next().filter(Result::is_ok)).collect();
        // One that the shared subject does not fit is somebody else; the others are called by the first of them.
        let is_other = |done: &Option<_>| is_shared && done.is_none();
        let named = group.iter().zip(&done).find(|(_, done)| !is_other(done));
        let performer = named.map_or(group[0], |(index, _)| *index);
        for (&index, done) in group.iter().zip(done) {
            found[index] = (if is_other(&done) { index } else { performer }, done);
        }
    }
    let left: Vec<usize> = (0..files.len()).filter(|index| found[*index].1.is_none()).collect();
    let alone = parallel::map(&left, |index| {
        let done = recording(*index).map(|recording| job::run(recording, options));
        progress.advance();
        done
    });
    for (index, done) in left.into_iter().zip(alone) {
        found[index].1 = done;
    }
    drop(progress);
    let solved = |(trial, (performer, done)): (condyle::Result<Trial>, _)| {
        let trial = trial?;
        let performance = match done {
            Some(Err(error)) if options.subject.is_some() => return Err(anyhow::Error::new(error)),
            Some(done) => done.map_err(|error: condyle::Error| error.to_string()),
            None => Err("it was not solved".to_owned()),
        };
        Ok(Solved { trial, performance, performer })
    };
    trials.into_iter().zip(found).map(solved).collect()
}
