//! The package for JavaScript.

use std::fs;

use anyhow::Context;

use crate::tools::{npm, said, why_no_node};
use crate::{Places, Step, module};

/// What is in it besides the module, and where that is.
const FILES: [(&str, &str); 6] = [
    ("crates/condyle-wasm", "condyle.mjs"),
    ("crates/condyle-wasm", "condyle.d.ts"),
    ("crates/condyle-wasm", "package.json"),
    ("crates/condyle-wasm", "README.md"),
    ("", "LICENSE-MIT"),
    ("", "LICENSE-APACHE"),
];

/// Packs it into the folder `package` of the target folder: the archive.
///
/// # Errors
/// A file is missing, or npm cannot pack them.
pub fn package(places: &Places) -> anyhow::Result<Step> {
    if let Some(why) = why_no_node() {
        return Ok(Step::Skipped(format!("the package for JavaScript: {why}")));
    }
    let module = match module(places)? {
        Step::Built(module) => module,
        skipped => return Ok(skipped),
    };
    let folder = places.target.join("package");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    for (from, name) in FILES {
        let source = places.root.join(from).join(name);
        fs::copy(&source, folder.join(name)).with_context(|| source.display().to_string())?;
    }
    fs::copy(module, folder.join("condyle_wasm.wasm"))?;
    let archive = said(npm(&folder).args(["pack", "--silent"])).context("npm pack failed")?;
    let name = archive.lines().last().context("npm pack: need a name, got none")?;
    Ok(Step::Built(folder.join(name)))
}
