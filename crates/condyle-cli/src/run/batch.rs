//! Many recordings: those of one performer share a subject, every one gets a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, bail};
use condyle::job::{self, FittedRecording, Likeness, Performance, Recording};
use condyle::trial::Note;

use super::lock::FolderLock;
use super::record::{self, Record, State};
use super::{Batch, Outcome, Show, exports, folders, index, outcome};
use crate::gait;
use crate::report::{self, Results};
use crate::terminal::files::Found;
use crate::terminal::prefixes::prefixes;
use crate::terminal::progress::Progress;
use crate::terminal::{in_one_line, input, output, parallel, say};

/// A recording and where its results go.
struct Job {
    file: PathBuf,
    folder: PathBuf,
}

/// What is left to do of a recording.
enum Todo {
    /// Nothing, or it cannot be done.
    Nothing(Box<Outcome>),
    /// All of it.
    All,
    /// All of it, because its performer has other recordings now.
    BySiblings,
}

/// Runs recordings, each into a folder of its own.
pub fn run_batch(files: &[Found], output: &Path, batch: &Batch) -> anyhow::Result<ExitCode> {
    if fs::metadata(output).is_ok_and(|metadata| !metadata.is_dir()) {
        bail!("{}: need a folder to write in, got a file", output.display());
    }
    let folders = folders::of(files, output).into_iter();
    let jobs: Vec<Job> = files
        .iter()
        .zip(folders)
        .map(|(found, folder)| Job { file: found.path.clone(), folder })
        .collect();
    let progress = Progress::over("recordings", jobs.len());
    let (several, alone): (Vec<_>, Vec<_>) =
        groups(&jobs, batch).into_iter().partition(|group| group.len() > 1);
    let mut outcomes = vec![Outcome::default(); jobs.len()];
    let of_alone = parallel::map(&alone, |group| {
        let job = &jobs[group[0]];
        let outcome = timed(job, || {
            let (outcome, notes) = one(job, &Record::new(&job.file, batch)?, batch, None)?;
            // Of many recordings the table says how many remarks there are.
            if jobs.len() == 1 && batch.show != Show::Nothing {
                say::notes(&notes);
            }
            Ok(outcome)
        });
        progress.advance();
        outcome
    });
    for (group, outcome) in alone.iter().zip(of_alone) {
        outcomes[group[0]] = outcome;
    }
    for group in &several {
        let of_group: Vec<&Job> = group.iter().map(|index| &jobs[*index]).collect();
        let done = together(&of_group, batch, &progress);
        group.iter().zip(done).for_each(|(index, outcome)| outcomes[*index] = outcome);
    }
    drop(progress);
    index::write(output, &outcomes, batch.is_forced)?;
    if batch.show != Show::Nothing {
        outcome::print(&outcomes, output, batch.show == Show::Json)?;
    }
    let is_good = outcomes.iter().all(|outcome| outcome.error.is_none());
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Which recordings share a subject, as indices; one that cannot be read is by itself, and says so later.
fn groups(jobs: &[Job], batch: &Batch) -> Vec<Vec<usize>> {
    if batch.is_each || batch.options.subject.is_some() {
        return (0..jobs.len()).map(|index| vec![index]).collect();
    }
    gait::performers(jobs.len(), || {
        parallel::map(jobs, |job| {
            let trial = input::read(&job.file, &batch.reading).ok()?;
            Likeness::from_trial(&trial, &batch.options)
        })
    })
}

/// Runs recordings of one performer with one subject, fitted to all of them.
fn together(jobs: &[&Job], batch: &Batch, progress: &Progress) -> Vec<Outcome> {
    let each = |records: &[Option<Record>], why: Option<&str>| {
        let both: Vec<_> = jobs.iter().zip(records).collect();
        parallel::map(&both, |(job, record)| {
            let outcome = timed(job, || match record {
                Some(record) => Ok(one(job, record, batch, why)?.0),
                None => Ok(one(job, &Record::new(&job.file, batch)?, batch, why)?.0),
            });
            progress.advance();
            outcome
        })
    };
    let records = jobs.iter().map(|job| Record::new(&job.file, batch)).collect();
    let records: anyhow::Result<Vec<Record>> = records;
    let Ok(mut records) = records else { return each(&vec![None; jobs.len()], None) };
    Record::share(&mut records);
    let todo: Vec<Todo> =
        jobs.iter().zip(&records).map(|(job, record)| left_to_do(job, record, batch)).collect();
    say_siblings(jobs, &todo, batch);
    if todo.iter().all(|todo| matches!(todo, Todo::Nothing(_))) {
        progress_by(progress, jobs.len());
        return todo.into_iter().map(Todo::outcome).collect();
    }
    let start = Instant::now();
    let is_writable = jobs.iter().try_for_each(|job| check_folder(&job.folder));
    let fitted = match is_writable.and_then(|()| fit(jobs, batch)) {
        Ok(fitted) => fitted,
        // What stands in the way of one subject need not stand in the way of several.
        Err(error) => {
            let records: Vec<_> = records.into_iter().map(Some).collect();
            return each(&records, Some(&in_one_line(&error)));
        }
    };
    let share_s = start.elapsed().as_secs_f64() / jobs.len() as f64;
    let todo = todo.into_iter().zip(fitted.into_iter().map(Some));
    let todo: Vec<_> = todo.map(Mutex::new).zip(jobs).zip(&records).collect();
    parallel::map(&todo, |((todo, job), record)| {
        let (todo, fitted) = {
            let mut held = todo.lock().unwrap_or_else(PoisonError::into_inner);
            (std::mem::replace(&mut held.0, Todo::All), held.1.take())
        };
        let outcome = match (todo, fitted) {
            (Todo::Nothing(outcome), _) => *outcome,
            (_, fitted) => {
                let mut outcome = timed(job, || of_fitted(job, record, batch, fitted));
                outcome.seconds += share_s;
                outcome
            }
        };
        progress.advance();
        outcome
    })
}

fn progress_by(progress: &Progress, recordings: usize) {
    (0..recordings).for_each(|_| progress.advance());
}

impl Todo {
    fn outcome(self) -> Outcome {
        match self {
            Self::Nothing(outcome) => *outcome,
            Self::All | Self::BySiblings => Outcome::default(),
        }
    }
}

fn left_to_do(job: &Job, record: &Record, batch: &Batch) -> Todo {
    let state = || match record::state(&job.folder, record)? {
        State::UpToDate(outcome) if !batch.is_forced => {
            Ok(Todo::Nothing(Box::new(outcome.skipped())))
        }
        State::OtherSiblings => Ok(Todo::BySiblings),
        State::Foreign(why) if !batch.is_forced => Err(taken(&job.folder, &why)),
        _ => Ok(Todo::All),
    };
    state().unwrap_or_else(|error| Todo::Nothing(Box::new(failed(job, &error))))
}

/// Says which recordings are made again because others of their performer came or went.
fn say_siblings(jobs: &[&Job], todo: &[Todo], batch: &Batch) {
    let again = jobs.iter().zip(todo).filter(|(_, todo)| matches!(todo, Todo::BySiblings));
    let again: Vec<String> = again.map(|(job, _)| file_name(&job.file)).collect();
    if !again.is_empty() && batch.show != Show::Nothing {
        let recordings = if again.len() == 1 { "recording" } else { "recordings" };
        say::note(&format!(
            "{} {recordings} made again, since the performer's subject is now fitted to {}: {}",
            again.len(),
            jobs.len(),
            again.join(", ")
        ));
    }
}

fn fit(jobs: &[&Job], batch: &Batch) -> anyhow::Result<Vec<FittedRecording>> {
    let recordings = parallel::map(jobs, |job| read(job, batch));
    let recordings = recordings.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    Ok(job::fit(recordings, &batch.options)?.into_recordings())
}

/// That results cannot be written is found before the work, not after it.
fn check_folder(folder: &Path) -> anyhow::Result<()> {
    output::check_folder(folder).with_context(|| folder.display().to_string())
}

fn read(job: &Job, batch: &Batch) -> anyhow::Result<Recording> {
    let trial = input::read(&job.file, &batch.reading)?;
    Ok(Recording::new(job.file.display().to_string(), trial))
}

/// Solves and writes a recording whose subject is there; one that shows somebody else is run by itself.
fn of_fitted(
    job: &Job,
    record: &Record,
    batch: &Batch,
    fitted: Option<FittedRecording>,
) -> anyhow::Result<Outcome> {
    match fitted.map(|fitted| fitted.solve(&batch.options)) {
        Some(Ok(performance)) => Ok(write(job, record, batch, &performance)?.0),
        Some(Err(error)) => Ok(one(job, record, batch, Some(&error.to_string()))?.0),
        None => Ok(one(job, record, batch, None)?.0),
    }
}

/// Reads, solves and writes one recording by itself; `why` it is not done with others of its performer, if it was to.
fn one(
    job: &Job,
    record: &Record,
    batch: &Batch,
    why: Option<&str>,
) -> anyhow::Result<(Outcome, Vec<Note>)> {
    if let Some(outcome) = done(&job.folder, record, batch.is_forced)? {
        return Ok((outcome.skipped(), Vec::new()));
    }
    check_folder(&job.folder)?;
    let mut performance = job::run(read(job, batch)?, &batch.options)?;
    performance.notes.extend(why.map(|why| {
        let text = format!("fitted by itself, not with other recordings of its performer: {why}");
        Note::new("subject-not-shared", text)
    }));
    write(job, record, batch, &performance)
}

/// Writes what was found, unless another run did it meanwhile.
fn write(
    job: &Job,
    record: &Record,
    batch: &Batch,
    performance: &Performance,
) -> anyhow::Result<(Outcome, Vec<Note>)> {
    let Job { file, folder } = job;
    let name = file_name(file);
    let mut results = Results::of(&name, performance);
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let held = FolderLock::hold(folder)?;
    if let Some(outcome) = done(folder, record, batch.is_forced)? {
        return Ok((outcome.skipped(), Vec::new()));
    }
    let was_ours = record.begin(folder, &held)?;
    let mut writer = exports::Writer::new(folder, &batch.exports, &held);
    if let Err(error) = write_outputs(&name, &mut writer, performance, &mut results) {
        record::abandon(folder, &held, was_ours);
        return Err(error);
    }
    let outcome = Outcome::of(file, folder, &results, writer.outputs);
    record.clone().finish(folder, &outcome)?;
    Ok((outcome, results.notes().cloned().collect()))
}

/// Writes all files of a recording.
fn write_outputs(
    name: &str,
    writer: &mut exports::Writer,
    performance: &Performance,
    results: &mut Results,
) -> anyhow::Result<()> {
    let performers = &performance.performers;
    let names: Vec<&str> = performers.iter().map(|p| p.subject.name.as_str()).collect();
    for (index, (performer, prefix)) in performers.iter().zip(prefixes(&names)).enumerate() {
        writer.performer(performance, performer, &prefix, &mut results.performers[index])?;
    }
    writer.recording(performance)?;
    results.gait = writer.gait(name, performance)?;
    let picture = report::picture(results);
    writer.write(report::PICTURE, |out| Ok(std::io::Write::write_all(out, picture.as_bytes())?))?;
    writer.write(report::RESULTS, |out| Ok(serde_json::to_writer(out, results)?))?;
    let page = report::page(results);
    writer.write(report::REPORT, |out| Ok(std::io::Write::write_all(out, page.as_bytes())?))?;
    Ok(())
}

/// How a recording went, with the time that it took; what stands in the way is said.
fn timed(job: &Job, work: impl FnOnce() -> anyhow::Result<Outcome>) -> Outcome {
    let start = Instant::now();
    let mut outcome = work().unwrap_or_else(|error| failed(job, &error));
    outcome.seconds = start.elapsed().as_secs_f64();
    outcome
}

fn failed(job: &Job, error: &anyhow::Error) -> Outcome {
    let why = about(&job.file, &in_one_line(error));
    say::error(&why);
    Outcome::failed(&job.file, why)
}

/// An error with the recording that it is about, unless it says so itself.
fn about(file: &Path, error: &str) -> String {
    let name = file.display().to_string();
    if error.contains(&name) { error.to_owned() } else { format!("{name}: {error}") }
}

fn file_name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The results of these very inputs, where they are there; an error where something else is.
fn done(folder: &Path, record: &Record, is_forced: bool) -> anyhow::Result<Option<Box<Outcome>>> {
    match record::state(folder, record)? {
        State::UpToDate(outcome) if !is_forced => Ok(Some(outcome)),
        State::Foreign(why) if !is_forced => Err(taken(folder, &why)),
        _ => Ok(None),
    }
}

fn taken(folder: &Path, why: &str) -> anyhow::Error {
    anyhow::anyhow!("{}: {why}: need --force to overwrite it", folder.display())
}
