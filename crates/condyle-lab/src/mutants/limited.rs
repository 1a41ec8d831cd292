//! A command with little memory and little time.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

/// What a command may use.
#[derive(Clone, Copy)]
pub struct Limits {
    pub time: Duration,
    pub processor_s: u64,
    pub memory_bytes: u64,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Code(i32),
    Signal(i32),
    TimeOut,
}

/// A command that has ended.
pub struct Ran {
    pub ended: Ended,
    /// Standard error.
    pub errors: String,
}

/// Runs a program in a folder; its standard output is the file `stdout.txt` there.
pub fn run(program: &Path, words: &[String], folder: &Path, limits: Limits) -> anyhow::Result<Ran> {
    let output = std::fs::File::create(folder.join("stdout.txt"))?;
    let mut child = command(program, limits)
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| program.display().to_string())?;
    let stream = child.stderr.take();
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        // What cannot be read was not said.
        let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let ended = wait(&mut child, limits.time)?;
    let errors = reader.join().unwrap_or_default();
    Ok(Ran { ended, errors })
}

/// The shell sets the limits, which a program without unsafe code cannot.
fn command(program: &Path, limits: Limits) -> Command {
    if !cfg!(unix) {
        return Command::new(program);
    }
    let mut shell = Command::new("sh");
    let Limits { processor_s, memory_bytes, .. } = limits;
    let kib = memory_bytes / 1024;
    // The hard limit kills without a word; the soft one, before it, says by its signal what it was.
    let hard_s = processor_s + 5;
    let script = format!(
        "ulimit -v {kib} && ulimit -S -t {processor_s} && ulimit -H -t {hard_s} && exec \"$0\" \"$@\""
    );
    shell.arg("-c").arg(script).arg(program);
    shell
}

fn wait(child: &mut Child, time: Duration) -> anyhow::Result<Ended> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(ended(status));
        }
        if start.elapsed() > time {
            child.kill()?;
            child.wait()?;
            return Ok(Ended::TimeOut);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn ended(status: ExitStatus) -> Ended {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Ended::Signal(signal);
    }
    Ended::Code(status.code().unwrap_or(-1))
}
