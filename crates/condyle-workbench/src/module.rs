//! The library as a module for browsers.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::tools::{run, said};
use crate::{Places, Step};

const TARGET: &str = "wasm32-unknown-unknown";

/// Builds the module.
///
/// # Errors
/// It does not compile.
pub fn module(places: &Places) -> anyhow::Result<Step> {
    let asked = ["--print", "target-libdir", "--target", TARGET];
    let library = said(Command::new("rustc").args(asked));
    if !library.is_some_and(|library| Path::new(&library).is_dir()) {
        let why = format!(
            "the module for browsers: need the target {TARGET}: rustup target add {TARGET}"
        );
        return Ok(Step::Skipped(why));
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    run(Command::new(cargo)
        .current_dir(&places.root)
        .args([
            "build",
            "--quiet",
            "--profile",
            "module",
            "--package",
            "condyle-wasm",
            "--target",
            TARGET,
        ])
        .env("CARGO_TARGET_DIR", &places.target))?;
    Ok(Step::Built(places.target.join(TARGET).join("module/condyle_wasm.wasm")))
}
