//! The app: static files that any web server can hand out.

use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::tools::{npm, run, why_no_node};
use crate::{Places, Step, module};

/// Builds the app, with the module in it, into the folder `workbench` of the target folder.
///
/// # Errors
/// It does not build, or its packages cannot be had.
pub fn app(places: &Places) -> anyhow::Result<Step> {
    let source = places.root.join("workbench");
    let skipped = |why: String| Ok(Step::Skipped(format!("the workbench: {why}")));
    if !source.join("package.json").is_file() {
        return skipped(format!("need its sources in {}, got none", source.display()));
    }
    if let Some(why) = why_no_node() {
        return skipped(why);
    }
    let module = match module(places)? {
        Step::Built(module) => module,
        skipped => return Ok(skipped),
    };
    if !are_packages_installed(&source) && run(npm(&source).args(["ci", "--silent"])).is_err() {
        return skipped(
            "need its packages, which npm ci could not get: is there a network?".into(),
        );
    }
    let out = places.target.join("workbench");
    let _ = fs::remove_dir_all(&out);
    fs::create_dir_all(&out).with_context(|| out.display().to_string())?;
    let script = |name: &str| {
        let mut command = npm(&source);
        command.args(["run", "--silent", name]).env("CONDYLE_WORKBENCH_OUT", &out);
        command
    };
    run(&mut script("types"))?;
    run(&mut script("build"))?;
    fs::copy(&module, out.join("condyle_wasm.wasm"))?;
    Ok(Step::Built(out))
}

/// Whether what is installed is what the lock says: npm keeps a copy of it, newer than the lock.
fn are_packages_installed(source: &Path) -> bool {
    let time = |name: &str| fs::metadata(source.join(name)).and_then(|facts| facts.modified()).ok();
    match (time("node_modules/.package-lock.json"), time("package-lock.json")) {
        (Some(installed), Some(locked)) => installed >= locked,
        _ => false,
    }
}
