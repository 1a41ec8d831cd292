//! Solid figures (chapter 3 of 2005, section 7.2 of 2008): the cube, array sizes, the arm, and how the incremental form
//! drifts.

use std::f64::consts::TAU;

use condyle::figure::{
    Figure, FreedomKind, IncrementalPose, Joint, Segment, coefficient_count as count,
};
use condyle::format::atm;
use condyle::solid::{ClosedSurface, FillFault, FillMethod, RoundCone, Solid, TetrahedralMesh};
use nalgebra::{Matrix3, Point3, Vector3};
use rand::RngExt;

use super::errata::misprint;
use crate::reproduce::lab::Lab;
use crate::reproduce::section::{Line, Section};
use condyle_page::page::{Axis, Chart, Ink, Mark, Scale, Series, Table};

/// The arm of section 7.3.2: five rotations and a slide.
const ARM: &str = include_str!("arm.atm");
/// Random tetrahedra whose density is linear.
const TETRAHEDRA: usize = 10_000;
/// Frames at 100 Hz of the incremental form.
const FRAMES: u32 = 100_000;

/// Runs all of them.
pub fn run(lab: &Lab) -> Section {
    let mut section = Section {
        text: vec![
            "Solids are meshes of tetrahedra; the cube has five. Figures hang them in a tree, with freedoms at their \
             joints: the incremental form moves a figure by the differences to the frame before, as printed, the form \
             that is used by its values alone. What the preface gave up, the time of a step of forward dynamics, is \
             not built."
                .into(),
        ],
        ..Section::default()
    };
    section.lines.extend(tetrahedra(lab));
    section.lines.extend(array_sizes());
    section.tables.push(sizes_table());
    if let Some(figure) = arm() {
        section.lines.push(freedoms(&figure));
        let drifts = [drift(&figure), drift(&hinges(&figure))];
        section.lines.extend(drift_lines(&drifts));
        section.charts.push(chart(drifts));
    }
    let (lines, table) = surfaces();
    section.lines.extend(lines);
    section.tables.push(table);
    section
}

fn cube() -> Option<TetrahedralMesh> {
    let corner = |at: usize| Point3::from([at & 1, at >> 1 & 1, at >> 2].map(|x| x as f64 - 0.5));
    let tetrahedra = vec![[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]];
    TetrahedralMesh::new((0..8).map(corner).collect(), tetrahedra).ok()
}

/// Q of a body: its inertia tensor about the centre of mass over its mass.
fn q(mesh: &TetrahedralMesh) -> Matrix3<f64> {
    let mass = mesh.mass_properties(1.0);
    mass.inertia_kg_m2 / mass.mass_kg
}

fn tetrahedra(lab: &Lab) -> Vec<Line> {
    let mut lines = Vec::new();
    let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let regular = TetrahedralMesh::new(corners.map(Point3::from).to_vec(), vec![[0, 1, 2, 3]]);
    // The edge of the regular one is √8.
    for (what, mesh, wanted, name) in [
        ("cube of five tetrahedra: Q", cube(), 1.0 / 6.0, "I/6"),
        ("regular tetrahedron of edge a: Q", regular.ok(), 8.0 / 20.0, "a²/20 I"),
    ] {
        let Some(mesh) = mesh else { continue };
        let off = (q(&mesh) - Matrix3::identity() * wanted).amax();
        lines.push(
            Line::new(what, "2005, 3.1; (375)")
                .compare(name, format!("the same to {off:.0e}"))
                .reproduced(off < 1e-14),
        );
    }
    let [o, x, y, z] = [Vector3::<f64>::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    let printed = (z - o).dot(&(y - o).cross(&(x - o))) / 6.0;
    let right = (z - o).dot(&(x - o).cross(&(y - o))) / 6.0;
    let texts = [printed, right].map(|volume| format!("{volume:.4}"));
    let what = "volume of the tetrahedron of the origin, x, y and z";
    lines.push(misprint(what, "2005, 3.1", texts, printed < 0.0 && right > 0.0));
    lines.extend(linear_density(lab));
    lines
}

/// (375) holds for one density; with one that is linear between the vertices it does not.
fn linear_density(lab: &Lab) -> Option<Line> {
    let mut random = lab.random(0, 0);
    let (mut worst, mut sum) = (0.0f64, 0.0);
    for _ in 0..TETRAHEDRA {
        let corners: Vec<Point3<f64>> = (0..4)
            .map(|_| Point3::from(Vector3::from_fn(|_, _| random.random_range(-1.0..1.0))))
            .collect();
        let densities: Vec<f64> = (0..4).map(|_| random.random_range(0.5..3.0)).collect();
        let Ok(mesh) = TetrahedralMesh::new(corners, vec![[0, 1, 2, 3]]) else { continue };
        let body = mesh.mass_properties_by_vertex(&densities)?;
        let of = |v: Vector3<f64>| Matrix3::identity() * v.norm_squared() - v * v.transpose();
        let arms = mesh.vertices_m().iter().map(|corner| of(corner - body.centre_of_mass_m));
        let printed = arms.sum::<Matrix3<f64>>() * (body.mass_kg / 20.0);
        let off = (printed - body.inertia_kg_m2).amax() / body.inertia_kg_m2.amax();
        worst = worst.max(off);
        sum += off;
    }
    let mean = sum / TETRAHEDRA as f64;
    let [worst, mean] = [worst, mean].map(|off| 100.0 * off);
    Some(misprint(
        "inertia of a tetrahedron whose density is linear, 0.5 to 3",
        "(375)",
        [
            format!("off by {mean:.1} % on average, {worst:.0} % at worst"),
            "by W_jj = 2R + 4ρ_j, W_jk = R + ρ_j + ρ_k, as quadrature has it".to_owned(),
        ],
        worst > 1.0,
    ))
}

/// How many coefficients polynomials of an order in some variables have, by sums that begin where they are said to.
fn by_sums(order: usize, variables: usize, from: usize) -> u64 {
    let mut counts = vec![1u64; order + 1];
    for _ in 0..variables {
        counts = (0..=order).map(|to| counts.iter().take(to + 1).skip(from).sum()).collect();
    }
    counts[order]
}

fn array_sizes() -> Vec<Line> {
    let [printed, right] = [1, 0].map(|from| by_sums(6, 3, from));
    let all = (0..12)
        .all(|order| (0..12).all(|m| count(order as u64, m as u64) == Some(by_sums(order, m, 0))));
    vec![
        misprint(
            "array size of order 6 in 3 variables, by the recursion",
            "2005, (8.1.3)",
            [format!("{printed}, with sums from i = 1"), format!("{right}, with sums from i = 0")],
            printed != right && count(6, 3) == Some(right),
        ),
        Line::new("array sizes of orders and variables below 12", "2005, (8.1.5)")
            .compare("C(ω + m, m)", if all { "the recursion says the same" } else { "others" })
            .reproduced(all),
    ]
}

fn sizes_table() -> Table {
    let mut table = Table::new(&["order ω", "m = 1", "m = 2", "m = 3", "m = 4"], 0);
    table.caption = "N_ω(m), the coefficients of a polynomial of an order in m variables.".into();
    for order in 0..=6u64 {
        let cell = |m: u64| count(order, m).map_or_else(String::new, |own| own.to_string());
        table.row([order.to_string()].into_iter().chain((1..=4).map(cell)));
    }
    table
}

fn arm() -> Option<Figure> {
    let file = atm::read(ARM.as_bytes()).ok()?;
    let solid = cube().and_then(|mesh| Solid::try_from(mesh).ok())?;
    file.figure(|_| Ok(solid.clone())).ok()
}

fn freedoms(figure: &Figure) -> Line {
    let turns = figure.freedoms().filter(|own| own.kind == FreedomKind::Rotation);
    let turns: Vec<f64> = turns.map(|own| own.limits[1].to_degrees().round()).collect();
    let slides = figure.freedoms().filter(|own| own.kind == FreedomKind::Translation);
    let slides: Vec<[f64; 2]> = slides.map(|own| own.limits).collect();
    let is_so = turns == [90.0, 180.0, 90.0, 90.0, 180.0] && slides == [[0.0, 0.4]];
    let ours = format!("{} rotations to {turns:?}°, slides {slides:?} m", turns.len());
    Line::new("freedoms of the arm", "section 7.3.2")
        .compare("5R1P: five rotations to 90, 180, 90, 90, 180°, a slide of 0 to 0.4 m", ours)
        .reproduced(is_so)
}

/// The arm with a chain of five hinges instead, about the axes of the arm's rotations.
fn hinges(arm: &Figure) -> Figure {
    let turns = arm.freedoms().filter(|own| own.kind == FreedomKind::Rotation);
    let base = &arm.segments()[0];
    let segment = |(at, turn): (usize, &condyle::figure::Freedom)| Segment {
        name: format!("hinge {at}"),
        parent: at.checked_sub(1),
        joint: Joint {
            name: format!("joint {at}"),
            centre_m: Point3::new(0.0, 0.0, 0.5 * at as f64),
            freedoms: vec![*turn],
        },
        ..base.clone()
    };
    let segments = turns.enumerate().map(segment).collect();
    Figure::new("hinges", segments).unwrap_or_else(|_| arm.clone())
}

/// How far the last segment of the incremental form is from where it should be, at some frames: in metres, at a metre.
fn drift(figure: &Figure) -> Vec<(u32, f64)> {
    let mut printed = IncrementalPose::new(figure);
    let mut pose = figure.rest_pose();
    let limits: Vec<[f64; 2]> = figure.freedoms().map(|own| own.limits).collect();
    let mut values = vec![0.0; limits.len()];
    let last = figure.segments().len() - 1;
    let mut shown = [1, 2, 5].into_iter().cycle();
    let (mut next, mut decade) = (1, 1);
    let mut off = Vec::new();
    for frame in 1..=FRAMES {
        let t = f64::from(frame) / 100.0;
        for (at, (value, [from, to])) in values.iter_mut().zip(&limits).enumerate() {
            // From 0, where figures rest, within the limits.
            let wave = (TAU * t * (0.11 + 0.07 * at as f64)).sin();
            *value = if *from < 0.0 { 0.8 * to * wave } else { 0.8 * to * wave * wave };
        }
        printed.step(figure, &values);
        if frame == next || frame == FRAMES {
            figure.pose(&values, &mut pose);
            let expected = pose.figure_from_rest[last].to_homogeneous();
            off.push((frame, (printed.figure_from_rest()[last] - expected).amax()));
            while next <= frame {
                let step = shown.next().unwrap_or(1);
                next = decade * step;
                decade *= if step == 5 { 10 } else { 1 };
            }
        }
    }
    off
}

fn drift_lines(drifts: &[Vec<(u32, f64)>; 2]) -> Vec<Line> {
    let [arm, hinges] = drifts;
    let at = |of: &[(u32, f64)], frame: u32| {
        let found = of.iter().find(|(own, _)| *own == frame);
        match found.map(|(_, off)| *off).filter(|off| off.is_finite()) {
            Some(off) => format!("off by {off:.0e} after {frame} frames"),
            None => format!("no finite number after {frame}"),
        }
    };
    let said = |of: &[(u32, f64)]| [100, 10_000, FRAMES].map(|frame| at(of, frame)).join(", ");
    let off = |of: &[(u32, f64)]| of.iter().find(|own| own.0 == 100).map_or(f64::NAN, |own| own.1);
    vec![
        Line::new("incremental form, a rotation a joint", "2005, procedure 2.3.2")
            .compare("the pose", said(hinges))
            .reproduced(off(hinges) < 1e-12)
            .because("rounding grows: nothing keeps axes of length one, and rotations rotations"),
        misprint(
            "incremental form of the arm, two and three rotations a joint",
            "2005, procedure 2.3.2",
            [said(arm), "from the values alone: as the product of matrices".to_owned()],
            off(arm) > 1e-3,
        )
        .because(
            "rotations of one joint do not commute: the product of their differences is not their \
             difference",
        ),
    ]
}

fn chart(drifts: [Vec<(u32, f64)>; 2]) -> Chart {
    let names = ["the arm 5R1P", "five hinges"];
    let series = drifts.iter().zip(names).enumerate().map(|(at, (of, name))| {
        let points = of.iter().filter(|(_, off)| *off > 0.0 && off.is_finite());
        let points = points.map(|(frame, off)| (f64::from(*frame), *off, None));
        Series::new(name, Ink(at), Mark::Line, points)
    });
    Chart {
        name: "drift",
        title: "The incremental form and the rest-pose form drift apart".into(),
        caption: "The largest difference between the matrices of the last segment, in metres. With one rotation a \
                  joint it is rounding that grows, without end; with several the form is wrong at once."
            .into(),
        x: Axis::new("frames", "frames", Scale::Log),
        y: Axis::new("difference", "difference", Scale::Log),
        series: series.collect(),
        ..Chart::default()
    }
}

/// Tetrahedra of surfaces: by the central point of 2005, and by default.
fn surfaces() -> (Vec<Line>, Table) {
    let ball = RoundCone { ends_m: [Point3::origin(); 2], radii_m: [1.0; 2] }.surface(24);
    let limb =
        RoundCone { ends_m: [Point3::origin(), Point3::new(0.0, 0.0, 0.4)], radii_m: [0.06, 0.04] };
    let shapes = [("ball", ball), ("limb", limb.surface(24)), ("torus", torus(32, 16))];
    let header =
        ["surface", "faces", "by a central point", "by default", "volume off by", "smallest angle"];
    let mut table = Table::new(&header, 1);
    table.caption = "Tetrahedra of closed surfaces. A central point must see every face from within; where none \
                     does, 2005 goes on with further points and leaves open what is between them."
        .into();
    let (mut worst, mut filled) = (0.0f64, 0);
    for (name, surface) in shapes {
        let Some(surface) = surface else { continue };
        let central = match surface.fill(FillMethod::CentralPoint) {
            Ok(mesh) => mesh.tetrahedra().len().to_string(),
            Err(FillFault::NoCentralPoint { unseen }) => format!("none: {unseen} not seen"),
            Err(_) => "none".to_owned(),
        };
        let Ok(mesh) = surface.fill(FillMethod::Any) else { continue };
        let [own, whole] =
            [mesh.mass_properties(1.0), surface.mass_properties(1.0)].map(|own| own.volume_m3);
        let off = (own / whole - 1.0).abs();
        (worst, filled) = (worst.max(off), filled + 1);
        table.row([
            name.to_owned(),
            surface.triangles().len().to_string(),
            central,
            mesh.tetrahedra().len().to_string(),
            format!("{off:.0e}"),
            format!("{:.1}°", mesh.smallest_dihedral_rad().to_degrees()),
        ]);
    }
    let line = Line::new("tetrahedra fill what surfaces enclose", "2005, 3.5.1")
        .compare(
            "any closed finite surface",
            format!("{filled} of 3, to {worst:.0e} of the volume"),
        )
        .reproduced(filled == 3 && worst < 1e-9);
    (vec![line], table)
}

fn torus(around: u32, across: u32) -> Option<ClosedSurface> {
    let at = |i: u32, j: u32| (i % around) * across + j % across;
    let (mut vertices_m, mut triangles) = (Vec::new(), Vec::new());
    for (i, j) in (0..around).flat_map(|i| (0..across).map(move |j| (i, j))) {
        let [u, v] = [(i, around), (j, across)].map(|(k, of)| TAU * f64::from(k) / f64::from(of));
        let out = 1.0 + 0.3 * v.cos();
        vertices_m.push(Point3::new(out * u.cos(), out * u.sin(), 0.3 * v.sin()));
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        triangles.extend([[a, b, c], [a, c, d]]);
    }
    ClosedSurface::new(vertices_m, triangles).ok()
}
