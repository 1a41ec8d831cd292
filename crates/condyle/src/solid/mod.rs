//! Solid bodies: tetrahedra and closed surfaces, with volume, mass and inertia.
//!
//! | file | holds |
//! |---|---|
//! | `moments` | moments of tetrahedra, summed |
//! | `mass` | mass, centre of mass, inertia and principal axes of what was summed |
//! | `tetrahedra` | a mesh of tetrahedra, its neighbours and its outside |
//! | `surface` | a closed surface of triangles, and what is wrong with one that is not |
//! | `shape` | a solid of either kind |
//! | `fill` | tetrahedra that fill a closed surface |
//! | `delaunay`, `recover` | tetrahedra of points, and a surface among their faces |
//! | `improve` | flat tetrahedra taken out again |
//! | `hull` | the convex hull of points |
//! | `crossing`, `predicates` | triangles that cross, sides that are exact |
//! | `round_cone` | a limb: the hull of two spheres |
//!
//! # Reference
//! J. Knight 2005, *Tetrahedral articulated motion*, chapter 3 and section 8.2; J. Knight 2008, section 7.2, (355) to
//! (376).

mod crossing;
mod delaunay;
mod fill;
mod hull;
mod improve;
mod mass;
mod moments;
mod predicates;
mod recover;
mod round_cone;
mod shape;
mod surface;
mod tetrahedra;

pub use fill::{FillFault, FillMethod};
pub use hull::hull;
pub use mass::{MassProperties, PrincipalAxes};
pub use round_cone::RoundCone;
pub use shape::{Solid, TriangleMesh};
pub use surface::{ClosedSurface, SurfaceFault};
pub use tetrahedra::{MeshFault, TetrahedralMesh};

#[cfg(test)]
mod fill_tests;
#[cfg(test)]
mod tests;
