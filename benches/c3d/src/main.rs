//! `condyle-bench-c3d make DIR` writes the benchmark files, `time DIR` prints seconds per read of
//! each, and `dump FILE OUT` writes what Condyle reads in a file as plain binary numbers.

mod dump;
mod files;
mod timing;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["make", folder] => files::make(Path::new(folder)),
        ["time", folder] => timing::time_all(Path::new(folder)),
        ["dump", file, out] => dump::dump(Path::new(file), Path::new(out)),
        _ => {
            eprintln!("usage: condyle-bench-c3d make DIR | time DIR | dump FILE OUT");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
