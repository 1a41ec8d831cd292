//! A limb: the hull of two spheres.

use std::f64::consts::{PI, TAU};

use nalgebra::{Point3, Unit, UnitQuaternion, Vector3};

use super::surface::ClosedSurface;
use super::tetrahedra::TetrahedralMesh;

/// A shape that is as thick as a sphere at either end, and straight between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoundCone {
    /// The middles of the spheres.
    pub ends_m: [Point3<f64>; 2],
    /// Their radii.
    pub radii_m: [f64; 2],
}

impl RoundCone {
    /// Its surface as triangles, their corners on it; `None` of what is not finite or has no thickness.
    ///
    /// `around` corners are around it (at least three), and half as many from the middle of each cap to its rim.
    pub fn surface(&self, around: usize) -> Option<ClosedSurface> {
        let around = around.max(3);
        let rings = (around / 2).max(2);
        let along = self.ends_m[1] - self.ends_m[0];
        let length_m = along.norm();
        let [r0, r1] = self.radii_m;
        let is_solid = r0 > 0.0 && r1 > 0.0 && (length_m + r0 + r1).is_finite();
        if !is_solid {
            return None;
        }
        // Where one sphere holds the other it is all that is seen.
        let (ends_m, [r0, r1], length_m) = if length_m > (r0 - r1).abs() {
            (self.ends_m, [r0, r1], length_m)
        } else {
            let larger = usize::from(r1 > r0);
            ([self.ends_m[larger]; 2], [self.radii_m[larger]; 2], 0.0)
        };
        let way = Unit::try_new(along, 1e-12).unwrap_or_else(Vector3::z_axis);
        let turn = UnitQuaternion::rotation_between(&Vector3::z(), &way)
            .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vector3::x_axis(), PI));
        // The cone touches both spheres at this angle from the axis.
        let touch = if length_m > 0.0 { ((r0 - r1) / length_m).acos() } else { 0.5 * PI };
        let mut places: Vec<(f64, f64)> = Vec::new();
        // From the first end's pole to its rim, then from the second's rim to its pole.
        places.extend((1..=rings).map(|ring| {
            let angle = PI - (PI - touch) * ring as f64 / rings as f64;
            (r0 * angle.cos(), r0 * angle.sin())
        }));
        let second = usize::from(length_m == 0.0)..rings;
        places.extend(second.map(|ring| {
            let angle = touch * (1.0 - ring as f64 / rings as f64);
            (length_m + r1 * angle.cos(), r1 * angle.sin())
        }));
        let at = |z: f64, radius: f64, corner: usize| {
            let angle = TAU * corner as f64 / around as f64;
            let local = Vector3::new(radius * angle.cos(), radius * angle.sin(), z);
            ends_m[0] + turn * local
        };
        let mut vertices_m = vec![at(-r0, 0.0, 0), at(length_m + r1, 0.0, 0)];
        for (z, radius) in &places {
            vertices_m.extend((0..around).map(|corner| at(*z, *radius, corner)));
        }
        let index = |ring: usize, corner: usize| (2 + ring * around + corner % around) as u32;
        u32::try_from(vertices_m.len()).ok()?;
        let mut triangles = Vec::new();
        for corner in 0..around {
            triangles.push([0, index(0, corner + 1), index(0, corner)]);
            for ring in 0..places.len() - 1 {
                let [a, b] = [corner, corner + 1].map(|corner| index(ring, corner));
                let [c, d] = [corner, corner + 1].map(|corner| index(ring + 1, corner));
                triangles.extend([[a, b, d], [a, d, c]]);
            }
            let last = places.len() - 1;
            triangles.push([1, index(last, corner), index(last, corner + 1)]);
        }
        ClosedSurface::new(vertices_m, triangles).ok()
    }

    /// Its tetrahedra, from a point in its middle to its triangles; `None` as for [`RoundCone::surface`].
    pub fn tetrahedra(&self, around: usize) -> Option<TetrahedralMesh> {
        let surface = self.surface(around)?;
        let mut vertices_m = surface.vertices_m().to_vec();
        let apex = u32::try_from(vertices_m.len()).ok()?;
        vertices_m.push(surface.mass_properties(1.0).centroid_m);
        let tetrahedra = surface.triangles().iter().map(|&[a, b, c]| [apex, a, b, c]).collect();
        TetrahedralMesh::new(vertices_m, tetrahedra).ok()
    }
}
