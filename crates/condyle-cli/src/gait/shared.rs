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
    /// The number of the subject that it was solved with: recordings with one number are of one performer.
    pub subject: usize,
}

/// Which of so many recordings share a subject, as indices; one that nothing is known of is by itself.
pub fn groups(
    count: usize,
    options: &job::Options,
    is_each: bool,
    likenesses: impl FnOnce() -> Vec<Option<Likeness>>,
) -> Vec<Vec<usize>> {
    match is_each || options.subject.is_some() || count < 2 {
        true => (0..count).map(|index| vec![index]).collect(),
        false => Likeness::groups(&likenesses()),
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
    let groups = groups(files.len(), options, is_each, || {
        let likeness =
            |trial: &condyle::Result<Trial>| Likeness::from_trial(trial.as_ref().ok()?, options);
        parallel::map(&trials, likeness)
    });
    let recording = |index: usize| -> Option<Recording> {
        let trial = trials[index].as_ref().ok()?;
        Some(Recording::new(files[index].display().to_string(), trial.clone()))
    };
    let alone = |index: usize| -> Option<Result<Performance, condyle::Error>> {
        Some(job::run(recording(index)?, options))
    };
    let together = |group: &[usize]| -> Option<Vec<Result<Performance, condyle::Error>>> {
        let all = group.iter().map(|index| recording(*index)).collect::<Option<Vec<_>>>()?;
        let fitted = job::fit(all, options).ok()?.into_recordings();
        Some(fitted.into_iter().map(|own| own.solve(options)).collect())
    };
    let of_groups = parallel::map(&groups, |group| {
        let shared = if group.len() > 1 { together(group) } else { None };
        let mut shared = shared.map(Vec::into_iter);
        let each = group.iter().map(|index| {
            // One that the shared subject does not fit is solved by itself.
            let done = shared.as_mut().and_then(Iterator::next).filter(Result::is_ok);
            progress.advance();
            let subject = match done {
                Some(_) => group[0],
                None if options.subject.is_some() => 0,
                None => *index,
            };
            (*index, subject, done.or_else(|| alone(*index)))
        });
        each.collect::<Vec<_>>()
    });
    drop(progress);
    let mut found: Vec<(usize, Option<Result<Performance, condyle::Error>>)> = Vec::new();
    found.resize_with(files.len(), || (0, None));
    for (index, subject, done) in of_groups.into_iter().flatten() {
        found[index] = (subject, done);
    }
    let solved = |(trial, (subject, done)): (condyle::Result<Trial>, _)| {
        let trial = trial?;
        let performance = match done {
            Some(Err(error)) if options.subject.is_some() => return Err(anyhow::Error::new(error)),
            Some(done) => done.map_err(|error: condyle::Error| error.to_string()),
            None => Err("it was not solved".to_owned()),
        };
        Ok(Solved { trial, performance, subject })
    };
    trials.into_iter().zip(found).map(solved).collect()
}
