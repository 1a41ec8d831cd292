//! Is this a body? A check of units and axes against the size of things people record.

use super::ReadOptions;
use crate::trial::Trial;

/// Fills in the unit and up-axis that the file does not give, and notes those that cannot be.
pub(super) fn check(_trial: &mut Trial, _options: &ReadOptions, _unit_declared: bool) {}
