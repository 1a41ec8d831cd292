//! The public recordings, which are not part of the project.

use std::path::{Path, PathBuf};

use anyhow::Context;
use condyle::Trial;
use condyle::format::{self, ReadOptions};
use nalgebra::Point3;

/// The folder of recordings.
///
/// # Errors
/// There is none.
pub fn folder() -> anyhow::Result<PathBuf> {
    let folder = std::env::var_os("CONDYLE_DATA").map_or_else(
        || [env!("CARGO_MANIFEST_DIR"), "..", "..", "..", "shared", "data"].iter().collect(),
        PathBuf::from,
    );
    anyhow::ensure!(folder.is_dir(), "no recordings at {}; set CONDYLE_DATA", folder.display());
    Ok(folder)
}

/// Reads a recording by its path in the folder.
///
/// # Errors
/// It is not there or cannot be read.
pub fn read(folder: &Path, name: &str) -> anyhow::Result<Trial> {
    let path = folder.join(name);
    format::read_path(&path, &ReadOptions::default()).with_context(|| path.display().to_string())
}

/// All recordings below a folder that may hold markers, by their paths in it.
pub fn all(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&next) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
            if path.is_dir() {
                folders.push(path);
            } else if ["c3d", "trc"].contains(&extension.as_str())
                && let Ok(name) = path.strip_prefix(folder)
            {
                found.push(name.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.retain(|name| !name.starts_with("torture") && !name.starts_with("derived"));
    found.sort();
    found
}

/// Knows recordings that were seen before under another name: the same trial in several storages.
#[derive(Default)]
pub struct Twins(std::collections::HashSet<(usize, Vec<String>)>);

impl Twins {
    /// Whether a recording has the frames and the labels of one that came before.
    pub fn is_new(&mut self, trial: &Trial) -> bool {
        let labels = trial.labels().iter().map(|label| label.to_lowercase()).collect();
        self.0.insert((trial.frames, labels))
    }
}

/// Columns of a table of joint centres: `name_x, name_y, name_z`, scaled to metres.
pub struct Centres {
    /// The first column of every row.
    pub keys: Vec<f64>,
    headers: Vec<String>,
    rows: Vec<Vec<f64>>,
    scale: f64,
}

impl Centres {
    /// Reads a table of the folder `derived`.
    ///
    /// # Errors
    /// It is not there or holds something else than numbers.
    pub fn read(folder: &Path, name: &str, scale: f64) -> anyhow::Result<Self> {
        let path = folder.join("derived").join(name);
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let mut lines = text.lines();
        let header = lines.next().context("need a header, got nothing")?;
        let headers: Vec<String> = header.split(',').map(str::to_owned).collect();
        let rows = lines
            .map(|line| line.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>())
            .collect::<Result<Vec<_>, _>>()?;
        let keys = rows.iter().map(|row| row[0]).collect();
        Ok(Self { keys, headers, rows, scale })
    }

    /// Where a centre is in a row.
    pub fn position_m(&self, row: usize, name: &str) -> Option<Point3<f64>> {
        let x = self.headers.iter().position(|header| header.strip_suffix("_x") == Some(name))?;
        let row = self.rows.get(row)?;
        Some(Point3::new(*row.get(x)?, *row.get(x + 1)?, *row.get(x + 2)?) * self.scale)
    }
}

/// The mean of values; `None` without any.
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.into_iter().fold((0.0, 0u32), |(s, n), value| (s + value, n + 1));
    (count > 0).then(|| sum / f64::from(count))
}
