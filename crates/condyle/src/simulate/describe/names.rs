//! Which segment and which joint has which name, and errors at the place of a name.

use std::collections::HashMap;

use toml::Spanned;

use super::at;
use super::entries::Named;
use crate::error::{Error, Result};

/// The names that a description has used so far.
pub(super) struct Names<'a> {
    text: &'a str,
    pub(super) joints: HashMap<String, usize>,
    pub(super) segments: HashMap<String, usize>,
}

impl<'a> Names<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, joints: HashMap::new(), segments: HashMap::new() }
    }

    /// The segment below a joint.
    pub(super) fn below(&self, joint: &Named) -> Result<usize> {
        self.joints.get(joint.get_ref()).copied().ok_or_else(|| {
            let mut known: Vec<&str> = self.joints.keys().map(String::as_str).collect();
            known.sort_unstable();
            let what = format!("need one of the joints {known:?}, got {:?}", joint.get_ref());
            self.wrong(joint, what)
        })
    }

    /// The segments below some joints.
    pub(super) fn below_all(&self, joints: &[Named]) -> Result<Vec<usize>> {
        joints.iter().map(|joint| self.below(joint)).collect()
    }

    /// The error at the place of a value.
    pub(super) fn wrong<T>(&self, value: &Spanned<T>, what: String) -> Error {
        at(self.text, value.span().start, &what)
    }

    /// The error of a description as a whole.
    pub(super) fn wrong_whole(&self, what: &str) -> Error {
        at(self.text, 0, what)
    }
}
