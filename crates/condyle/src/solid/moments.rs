//! Moments of tetrahedra, summed.

use nalgebra::{Matrix3, Point3, Vector3};

/// Volume and mass with their moments about a reference point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moments {
    about_m: Point3<f64>,
    pub volume_m3: f64,
    pub mass_kg: f64,
    volume_first: Vector3<f64>,
    mass_first: Vector3<f64>,
    mass_second: Matrix3<f64>,
}

impl Moments {
    /// Nothing yet. The nearer the reference is to what will be added, the less rounding there is.
    pub fn about(about_m: Point3<f64>) -> Self {
        Self {
            about_m,
            volume_m3: 0.0,
            mass_kg: 0.0,
            volume_first: Vector3::zeros(),
            mass_first: Vector3::zeros(),
            mass_second: Matrix3::zeros(),
        }
    }

    /// Adds a tetrahedron whose density is linear between its vertices; its volume has a sign, which is positive where
    /// the fourth vertex sees the other three counter-clockwise.
    ///
    /// # Method
    /// V = det[v₁−v₀, v₂−v₀, v₃−v₀]/6, R = Σρᵢ, m = VR/4. First moment of mass V/20 Σ(R+ρᵢ)vᵢ; second
    /// V/120 ΣΣ W_jk v_j v_kᵀ with W_jj = 2R+4ρ_j and W_jk = R+ρ_j+ρ_k. Knight's (375) is exact for one density only.
    pub fn add(&mut self, vertices_m: [Point3<f64>; 4], densities_kg_m3: [f64; 4]) {
        let v = vertices_m.map(|vertex_m| vertex_m - self.about_m);
        let volume = (v[1] - v[0]).cross(&(v[2] - v[0])).dot(&(v[3] - v[0])) / 6.0;
        let total: f64 = densities_kg_m3.iter().sum();
        let sum = v[0] + v[1] + v[2] + v[3];
        let weighted: Vector3<f64> = v.iter().zip(densities_kg_m3).map(|(v, rho)| v * rho).sum();
        self.volume_m3 += volume;
        self.mass_kg += volume * total / 4.0;
        self.volume_first += sum * (volume / 4.0);
        self.mass_first += (sum * total + weighted) * (volume / 20.0);
        // ΣΣ W_jk v_j v_kᵀ, sums over j and k taken apart.
        let mut second = (sum * sum.transpose()) * total;
        second += sum * weighted.transpose() + weighted * sum.transpose();
        for (v, rho) in v.iter().zip(densities_kg_m3) {
            second += v * v.transpose() * (total + 2.0 * rho);
        }
        self.mass_second += second * (volume / 120.0);
    }

    /// Of tetrahedra of one density; a volume has a sign.
    ///
    /// # Method
    /// With vertices v about the reference and s their sum: first moment V/4 s, second V/20 (Σvvᵀ + ssᵀ), of which six
    /// numbers are different.
    pub fn of_one_density(
        about_m: Point3<f64>,
        density_kg_m3: f64,
        tetrahedra: impl Iterator<Item = [Point3<f64>; 4]>,
    ) -> Self {
        let mut volume = 0.0;
        let mut first = [0.0; 3];
        let mut second = [0.0; 6];
        for [a, b, c, d] in tetrahedra {
            let [a, b, c, d] =
                [a, b, c, d].map(|at| [at.x - about_m.x, at.y - about_m.y, at.z - about_m.z]);
            let [p, q, r] = [b, c, d].map(|at| [at[0] - a[0], at[1] - a[1], at[2] - a[2]]);
            let own = (p[1] * q[2] - p[2] * q[1]) * r[0]
                + (p[2] * q[0] - p[0] * q[2]) * r[1]
                + (p[0] * q[1] - p[1] * q[0]) * r[2];
            let s: [f64; 3] = std::array::from_fn(|k| (a[k] + b[k]) + (c[k] + d[k]));
            volume += own;
            for (sum, s) in first.iter_mut().zip(s) {
                *sum += own * s;
            }
            let products = |i: usize, j: usize| {
                (a[i] * a[j] + b[i] * b[j]) + (c[i] * c[j] + d[i] * d[j]) + s[i] * s[j]
            };
            let places = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
            for (sum, (i, j)) in second.iter_mut().zip(places) {
                *sum += own * products(i, j);
            }
        }
        let [xx, yy, zz, xy, xz, yz] = second.map(|sum| sum * density_kg_m3 / 120.0);
        let volume_first = Vector3::from(first) / 24.0;
        Self {
            about_m,
            volume_m3: volume / 6.0,
            mass_kg: volume * density_kg_m3 / 6.0,
            volume_first,
            mass_first: volume_first * density_kg_m3,
            mass_second: Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz),
        }
    }

    /// The centroid of the volume.
    pub fn centroid_m(&self) -> Point3<f64> {
        self.about_m + self.volume_first / self.volume_m3
    }

    pub fn centre_of_mass_m(&self) -> Point3<f64> {
        self.about_m + self.mass_first / self.mass_kg
    }

    /// The inertia tensor about the centre of mass: Tr(S)·I − S.
    pub fn inertia_kg_m2(&self) -> Matrix3<f64> {
        let centre = self.mass_first / self.mass_kg;
        let about_centre = self.mass_second - centre * centre.transpose() * self.mass_kg;
        let inertia = Matrix3::identity() * about_centre.trace() - about_centre;
        (inertia + inertia.transpose()) * 0.5
    }
}
