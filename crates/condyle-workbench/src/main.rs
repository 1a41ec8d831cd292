//! Builds the workbench and the package for JavaScript, and says where they are or what is missing.
#![allow(clippy::print_stdout, reason = "a tool of this repository says what it does")]

use std::env;
use std::process::ExitCode;

use anyhow::bail;
use condyle_workbench::{Places, Step, app, module, package};

const USAGE: &str = "usage: condyle-workbench [module|app|package]...";

fn main() -> anyhow::Result<ExitCode> {
    let places = Places::of_this_repository();
    let mut wanted: Vec<String> = env::args().skip(1).collect();
    if wanted.is_empty() {
        wanted.push("app".into());
    }
    let mut is_whole = true;
    for name in wanted {
        let step = match name.as_str() {
            "module" => module(&places)?,
            "app" => app(&places)?,
            "package" => package(&places)?,
            _ => bail!(USAGE),
        };
        match step {
            Step::Built(path) => println!("built {}", path.display()),
            Step::Skipped(why) => {
                is_whole = false;
                println!("skipped: {why}");
            }
        }
    }
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(3) })
}
