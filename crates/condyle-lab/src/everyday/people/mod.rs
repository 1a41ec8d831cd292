//! People to simulate: bodies drawn from a published source, markers placed as people place them, gaits that vary.
//!
//! The means come from another source than the library's table of knowledge, so that a test does not draw from its
//! own prior. They vary by the standard deviations of that table, as none of the sources states all of them; wands and
//! markers of feet, hands and trunk by about six tenths of it, which leaves each on its segment.

mod body;
mod chance;
mod habit;
mod performer;
mod sites;
mod source;

pub use body::Body;
pub use chance::Chance;
pub use performer::Worn;
pub use source::Source;

use condyle::simulate::Performer;

/// What is unusual about a person; everything else is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Unusual {
    /// The stature, if it is not drawn.
    pub stature_m: Option<f64>,
    /// How much shorter the left shank is than it should be.
    pub left_shank_short_m: f64,
    /// How much flesh lies over pelvis and knees: iliac spines go forward by 50 mm and up by 25 mm, knees are wider
    /// by 15 mm.
    pub is_obese: bool,
}

/// Draws a person: a performer to simulate, wearing every marker set of [`Worn`].
pub fn person(source: Source, unusual: &Unusual, seed: u64) -> Performer {
    let mut chance = Chance::new(seed);
    let body = Body::draw(source, unusual, &mut chance);
    performer::build(&body, &mut chance)
}
