//! The humanoid: who rebuilds it, with which bones and limits.

use condyle::ik::limit::{Limit, Twist};
use condyle::ik::{Linkage, Method, Options, ZeroDirection};
use nalgebra::Vector3;

use super::recording::{Dance, PARENTS, THORAX_PARENTS};

/// A way to rebuild, as a row of the table.
pub struct Row {
    pub name: &'static str,
    pub options: Options,
    pub is_limited: bool,
    /// Whether the thorax is one part.
    pub has_thorax: bool,
    /// Whether the head is kept too: five ends, as figure 3.24 says.
    pub has_head: bool,
    /// Whether how the pelvis stands is known, beside where it is. Limits are against it.
    pub knows_pelvis: bool,
    pub printed_mm: Option<f64>,
}

/// Every way; those of table 3.2 first.
pub fn rows() -> Vec<Row> {
    let row = |name, method, is_limited, printed_mm| Row {
        name,
        options: Options { tolerance_m: 1e-3, max_iterations: 2000, ..Options::plain(method) },
        is_limited,
        has_thorax: false,
        has_head: false,
        knows_pelvis: is_limited,
        printed_mm,
    };
    let mut rows = vec![
        row("fabrik", Method::Fabrik, false, Some(58.68)),
        row("ccd", Method::Ccd, false, Some(69.99)),
        row("jt", Method::Transpose, false, Some(137.42)),
        row("dls", Method::Dls, false, Some(84.84)),
        row("svd-dls", Method::SvdDls, false, Some(83.73)),
        row("gauss-newton", Method::GaussNewton, false, None),
        row("fabrik, limits", Method::Fabrik, true, Some(30.0)),
        row("ccd, limits", Method::Ccd, true, None),
        row("fabrik, limits, finished", Method::Fabrik, true, None),
    ];
    rows[8].options.finish = true;
    for (name, method) in [
        ("fabrik, pelvis known", Method::Fabrik),
        ("ccd, pelvis known", Method::Ccd),
        ("dls, pelvis known", Method::Dls),
    ] {
        rows.push(Row { knows_pelvis: true, ..row(name, method, false, None) });
    }
    // What a fitted subject knows: parts are rigid, the pelvis is measured, the pose is the last one's.
    let mut parts = Row { has_thorax: true, ..row(PARTS, Method::Fabrik, true, None) };
    parts.options = Options { tolerance_m: 1e-3, max_iterations: 2000, ..Options::tracking() };
    rows.push(parts);
    // Chosen for its error on the three dances: stands in the table, and is judged by nothing.
    for (name, method) in [
        (FIVE, Method::Fabrik),
        ("ccd, limits, five ends", Method::Ccd),
        ("dls, limits, five ends", Method::Dls),
    ] {
        let mut five = Row { has_thorax: true, has_head: true, ..row(name, method, true, None) };
        five.options.finish = true;
        rows.push(five);
    }
    rows
}

pub const PARTS: &str = "fabrik, limits, rigid thorax, tracking";
pub const FIVE: &str = "fabrik, limits, five ends, finished";

/// The dancer's own bones, as long as on average.
pub fn linkage(dance: &Dance, row: &Row) -> condyle::Result<Linkage> {
    let bones = if row.has_head { 13 } else { 12 };
    let parents = if row.has_thorax { &THORAX_PARENTS[..bones] } else { &PARENTS[..] };
    let mut rest_m = dance.rest_m[..=parents.len()].to_vec();
    for (joint, &parent) in (1..).zip(parents) {
        let lengths =
            dance.frames.iter().map(|frame| (frame.at_m[joint] - frame.at_m[parent]).norm());
        let mean_m = lengths.sum::<f64>() / dance.frames.len() as f64;
        let along = (dance.rest_m[joint] - dance.rest_m[parent]).normalize();
        rest_m[joint] = rest_m[parent] + along * mean_m;
    }
    let parents: Vec<Option<usize>> =
        [None].into_iter().chain(parents.iter().copied().map(Some)).collect();
    let mut linkage = Linkage::tree(&rest_m, &parents, ZeroDirection::Rest)?;
    if row.is_limited {
        limit(&mut linkage, row)?;
    }
    Ok(linkage)
}

/// Anatomy: the pelvis is rigid, knees and elbows bend one way. At rest the dancer stands with arms out,
/// y up, facing z; elbows turn about an axis 30 degrees from upright, as the skeleton's file says.
fn limit(linkage: &mut Linkage, row: &Row) -> condyle::Result<()> {
    let degrees = f64::to_radians;
    let twist = |most: f64| Twist::Range { min_rad: -degrees(most), max_rad: degrees(most) };
    for (hip, knee, ankle) in [(1, 2, 3), (4, 5, 6)] {
        linkage.limit(hip, Limit::FIXED)?;
        linkage.limit(knee, Limit { twist: twist(45.0), ..Limit::cone(degrees(120.0)) })?;
        hinge(linkage, ankle, Vector3::x(), [-5.0, 150.0])?;
    }
    for (shoulder, elbow, wrist, up) in [(7, 8, 9, -1.0), (10, 11, 12, 1.0)] {
        let spine = if row.has_thorax { 60.0 } else { 30.0 };
        linkage.limit(shoulder, Limit { twist: twist(10.0), ..Limit::cone(degrees(spine)) })?;
        linkage.limit(elbow, Limit { twist: twist(100.0), ..Limit::cone(degrees(130.0)) })?;
        let (sin, cos) = degrees(30.0).sin_cos();
        hinge(linkage, wrist, Vector3::new(0.0, cos, -sin) * up, [-5.0, 150.0])?;
    }
    if row.has_thorax {
        linkage.limit(10, Limit::FIXED)?;
    }
    if row.has_head {
        linkage.limit(13, Limit::FIXED)?;
    }
    Ok(())
}

fn hinge(
    linkage: &mut Linkage,
    end: usize,
    axis: Vector3<f64>,
    range_deg: [f64; 2],
) -> condyle::Result<()> {
    let mut axis = linkage.world_from_zero_at_rest(end).inverse() * axis;
    // Across the bone: thighs do not hang straight down at rest.
    axis.z = 0.0;
    linkage.limit(end, Limit::hinge(axis, range_deg.map(f64::to_radians))?)
}
