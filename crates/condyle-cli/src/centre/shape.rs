//! `condyle centre --shape`: a circle in space, a plane or a cylinder instead of a sphere.

use condyle::Result;
use condyle::centre::{CircleFit, CylinderAxis, CylinderFit, PlaneFit, circle, cylinder, plane};

use super::answer::Answer;
use super::method::MethodChoice;
use super::points::Track;
use super::{CentreArgs, ShapeChoice};
use crate::centre::at;
use crate::terminal::usage;

/// Fits the shape to the points of one marker.
pub fn fit(tracks: &[Track], shape: ShapeChoice, args: &CentreArgs) -> Result<Answer> {
    let [track] = tracks else {
        let (count, what) = (tracks.len(), "--shape: need one marker for this shape, got");
        usage::exit::<CentreArgs>("centre", &format!("{what} {count}"))
    };
    if args.method != MethodChoice::Default || args.robust || args.sigma.is_some() {
        let what = "--method, --sigma and --robust: need --shape sphere, got another shape";
        usage::exit::<CentreArgs>("centre", what);
    }
    let points = track.axes();
    let answer = match shape {
        ShapeChoice::Plane => plane(points).map(|fit| Answer::of_plane(&fit)),
        ShapeChoice::Cylinder => {
            cylinder(points, CylinderAxis::Free).map(|fit| Answer::of_cylinder(&fit))
        }
        _ => circle(points)
            .map(|fit| Answer::of_circle(&fit.with_soft_tissue(track.slide_m(&fit.centre)))),
    };
    answer.map_err(|error| at(error, track))
}

impl Answer {
    fn of_circle(fit: &CircleFit) -> Self {
        Self {
            shape: "circle",
            method: "sc-gdk",
            centre: Some(fit.centre),
            radii: vec![fit.radius],
            converged: true,
            ..Self::resting_on(&fit.evidence)
        }
    }

    fn of_plane(fit: &PlaneFit) -> Self {
        Self {
            shape: "plane",
            method: "least-squares",
            centre: Some(fit.point),
            sigma: Some(fit.sigma),
            covariance: Some(fit.covariance),
            axis: Some(fit.normal),
            samples: fit.samples,
            converged: true,
            ..Self::default()
        }
    }

    fn of_cylinder(fit: &CylinderFit) -> Self {
        Self {
            shape: "cylinder",
            method: "least-squares",
            centre: Some(fit.point),
            radii: vec![fit.radius],
            radius_standard_error: Some(fit.radius_standard_error),
            sigma: Some(fit.sigma),
            covariance: Some(fit.covariance),
            verdict: Some(fit.verdict),
            axis: Some(fit.axis),
            samples: fit.samples,
            converged: fit.converged,
            ..Self::default()
        }
    }
}
