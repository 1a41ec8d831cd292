//! Documents and their experiments.

use super::lab::{Effort, Lab, Load};
use super::section::Section;
use super::{args::DocumentName, aristidou_2010, knight_2008, obrien_2000};

/// A document whose experiments can be run again.
pub struct Document {
    /// Its name on the command line, and of the page.
    pub name: &'static str,
    /// The heading of the page.
    pub title: &'static str,
    /// What it is.
    pub about: &'static str,
    /// In the order of the page.
    pub experiments: &'static [Experiment],
}

/// One experiment. A new one is a new row in its document's list, at the end: its place decides on
/// its random numbers.
pub struct Experiment {
    /// Its name for `--only` and `--json`.
    pub name: &'static str,
    /// The chapter it is from, where the document is run by chapters.
    pub chapter: Option<u32>,
    /// Its heading.
    pub title: &'static str,
    /// The trials it will run, so that progress is known beforehand.
    pub loads: fn(&Effort) -> Vec<Load>,
    /// Whether it is done on recordings.
    pub needs_recordings: bool,
    /// Runs it.
    pub run: fn(&Lab) -> Section,
}

impl Experiment {
    /// An experiment that needs no recording.
    pub const fn new(
        name: &'static str,
        loads: fn(&Effort) -> Vec<Load>,
        run: fn(&Lab) -> Section,
    ) -> Self {
        Self { name, chapter: None, title: "", loads, needs_recordings: false, run }
    }

    /// The same under a heading.
    pub const fn titled(self, title: &'static str) -> Self {
        Self { title, ..self }
    }

    /// The same, of a chapter.
    pub const fn of_chapter(self, chapter: u32) -> Self {
        Self { chapter: Some(chapter), ..self }
    }

    /// The same, on recordings.
    pub const fn on_recordings(self) -> Self {
        Self { needs_recordings: true, ..self }
    }
}

/// The document of that name.
pub fn of(name: DocumentName) -> &'static Document {
    match name {
        DocumentName::Aristidou2010 => &aristidou_2010::DOCUMENT,
        DocumentName::Knight2008 => &knight_2008::DOCUMENT,
        DocumentName::Obrien2000 => &obrien_2000::DOCUMENT,
    }
}
