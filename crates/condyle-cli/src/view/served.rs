//! What is handed out, under which path: the app, the opened files, and nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use condyle::format::amc;
use serde_json::{Value, json};

/// What a path stands for.
pub enum Served {
    /// A file of the app, with its type.
    App(PathBuf, &'static str),
    /// An opened recording.
    Recording(PathBuf),
    /// The list of them.
    List(Vec<u8>),
}

/// Everything that is handed out, by its path below the token.
pub struct Table(BTreeMap<String, Served>);

/// The path of the list of recordings.
const LIST: &str = "files.json";

impl Table {
    /// The files of the app's folder, and recordings; what the page is to capture of them, if that is asked for.
    ///
    /// # Errors
    /// A file cannot be looked at.
    pub fn new(app: &Path, recordings: &[PathBuf], capture: Value) -> anyhow::Result<Self> {
        let mut table = BTreeMap::new();
        add_folder(app, "", &mut table).with_context(|| app.display().to_string())?;
        if let Some(Served::App(path, kind)) = table.get("index.html") {
            let page = Served::App(path.clone(), kind);
            table.insert(String::new(), page);
        }
        let mut listed = Vec::new();
        for (index, path) in recordings.iter().enumerate() {
            let url = format!("files/{index}");
            let mut entry = entry(path, &url)?;
            if let Some(skeleton) = skeleton_of(path) {
                let url = format!("files/{index}/skeleton");
                entry["skeleton"] = json!(url);
                table.insert(url, Served::Recording(skeleton));
            }
            listed.push(entry);
            table.insert(url, Served::Recording(path.clone()));
        }
        let list = json!({ "files": listed, "capture": capture });
        table.insert(LIST.to_owned(), Served::List(list.to_string().into()));
        Ok(Self(table))
    }

    /// What a path stands for. It must be spelt just so: nothing is decoded, joined or followed.
    pub fn find(&self, path: &str) -> Option<&Served> {
        self.0.get(path)
    }
}

impl Served {
    /// Its bytes and their type.
    pub fn read(&self) -> io::Result<(Vec<u8>, &'static str)> {
        match self {
            Self::App(path, kind) => Ok((fs::read(path)?, kind)),
            Self::Recording(path) => Ok((fs::read(path)?, "application/octet-stream")),
            Self::List(bytes) => Ok((bytes.clone(), "application/json; charset=utf-8")),
        }
    }
}

fn entry(path: &Path, url: &str) -> anyhow::Result<Value> {
    let named = || path.display().to_string();
    let facts = fs::metadata(path).with_context(named)?;
    anyhow::ensure!(facts.is_file(), "{}: need a file, got something else", path.display());
    // A file that nobody may read is said now, not in the browser.
    fs::File::open(path).with_context(named)?;
    Ok(json!({ "name": name(path), "url": url, "bytes": facts.len() }))
}

/// The name of a file without its folders.
pub fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The skeleton beside an AMC motion.
pub fn skeleton_of(path: &Path) -> Option<PathBuf> {
    let is_named = path.extension().is_some_and(|own| own.eq_ignore_ascii_case("amc"));
    if is_named { amc::find_skeleton(path).ok() } else { None }
}

fn add_folder(folder: &Path, below: &str, table: &mut BTreeMap<String, Served>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{below}{}", entry.file_name().to_string_lossy());
        // Links are not followed.
        let kind = entry.file_type()?;
        if kind.is_dir() {
            add_folder(&entry.path(), &format!("{path}/"), table)?;
        } else if kind.is_file()
            && let Some(mime) = mime(&path)
        {
            table.insert(path, Served::App(entry.path(), mime));
        }
    }
    Ok(())
}

/// The type of a file of the app; nothing else is handed out.
fn mime(path: &str) -> Option<&'static str> {
    Some(match path.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        "json" => "application/json; charset=utf-8",
        _ => return None,
    })
}
