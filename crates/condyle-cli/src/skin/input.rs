//! What a skin is made from: a skeleton with its motion, and a surface.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use condyle::format::{ReadOptions, mesh, ply, read_path, stl};
use condyle::hand::{self, Model};
use condyle::mannequin::Mannequin;
use condyle::motion::Motion;
use condyle::skeleton::{Joint, JointChannel, Skeleton};
use condyle::skin::{Coat, Surface, bones};
use condyle::subject::Subject;
use condyle::trial::{Axis, Note};
use nalgebra::{Point3, Vector3};

/// A skeleton, how it moves, and which way is up.
pub struct Rig {
    pub motion: Motion,
    pub rate_hz: f64,
    pub up: Axis,
    pub notes: Vec<Note>,
    /// The hand that it is, if it was read from a model.
    pub hand: Option<Model>,
}

/// A file that does not say has so many frames a second.
const RATE_HZ: f64 = 30.0;
/// A surface is at most so many times as large as its skeleton, and as much smaller.
const MOST_LARGER: f64 = 20.0;

impl Rig {
    /// Reads whatever holds a skeleton, by its content.
    pub fn read(path: &Path, options: &ReadOptions) -> anyhow::Result<Self> {
        let named = |error: condyle::Error| error.with_path(path);
        if path.extension().is_some_and(|own| own == "toml") {
            let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            let model = Model::from_toml(&text).map_err(named)?;
            let motion = still(model.skeleton().map_err(named)?).map_err(named)?;
            return Ok(Self { hand: Some(model), ..Self::still(motion, Axis::Z) });
        }
        let mut head = [0; 64];
        let length = std::io::Read::read(
            &mut fs::File::open(path).with_context(|| path.display().to_string())?,
            &mut head,
        )?;
        if head[..length].trim_ascii_start().starts_with(b"{") {
            let text = fs::read_to_string(path)?;
            let subject = Subject::from_json(&text).map_err(named)?;
            let motion = still(of_subject(&subject).map_err(named)?).map_err(named)?;
            return Ok(Self::still(motion, Axis::Z));
        }
        let trial = read_path(path, options)?;
        let Some(motion) = trial.motion else {
            bail!("{}: need a skeleton, got none", path.display());
        };
        Ok(Self {
            motion,
            rate_hz: if trial.rate_hz > 0.0 { trial.rate_hz } else { RATE_HZ },
            up: trial.source.up.unwrap_or(Axis::Y),
            notes: trial.notes,
            hand: None,
        })
    }

    fn still(motion: Motion, up: Axis) -> Self {
        Self { motion, rate_hz: RATE_HZ, up, notes: Vec::new(), hand: None }
    }

    /// A surface of our own about it; a skeleton that is a hand's by its names gets one of a hand.
    pub fn own_surface(&self, vertices: usize) -> condyle::Result<Surface> {
        let own = bones(self.motion.skeleton());
        let hand = self.hand.clone().or_else(|| hand_of(self.motion.skeleton()));
        match hand {
            Some(model) => hand::coat(&model, vertices)?.surface(),
            None => Coat::usual(&own, vertices).surface(),
        }
    }
}

/// A skeleton that does not move.
fn still(skeleton: Skeleton) -> condyle::Result<Motion> {
    Motion::new(skeleton, 0, Vec::new())
}

/// The joints of a subject at rest, a limb without another joint as long as its solid.
fn of_subject(subject: &Subject) -> condyle::Result<Skeleton> {
    let figure = Mannequin::of_subject(subject, None)?.figure;
    let segments = figure.segments();
    let mut joints: Vec<Joint> = Vec::new();
    for segment in segments {
        let above_m =
            segment.parent.map_or(Vector3::zeros(), |at| segments[at].joint.centre_m.coords);
        let offset_m = segment.joint.centre_m.coords - above_m;
        let joint = Joint::new(segment.name.clone(), segment.parent, offset_m);
        joints.push(Joint { channels: (0..3).map(JointChannel::Rotation).collect(), ..joint });
    }
    for (at, segment) in segments.iter().enumerate() {
        if segments.iter().any(|other| other.parent == Some(at)) {
            continue;
        }
        let from_m = segment.joint.centre_m;
        let far = |p: &&Point3<f64>| (*p - from_m).norm();
        let end = segment.solid.vertices_m().iter().max_by(|a, b| far(a).total_cmp(&far(b)));
        if let Some(end) = end {
            joints.push(Joint::new(format!("{} end", segment.name), Some(at), end - from_m));
        }
    }
    Skeleton::new(joints)
}

/// The model of a hand whose skeleton this is, as far as thickness goes.
fn hand_of(skeleton: &Skeleton) -> Option<Model> {
    let at_m = skeleton.rest_positions_m();
    let mut model = Model::from_toml(Model::STANDARD).ok()?;
    let of = |name: &str| Some(at_m[skeleton.find(name)?]);
    let is_all = model.joint_names().iter().all(|name| skeleton.find(name).is_some());
    if !is_all || model.joint_names().len() != skeleton.joints().len() {
        return None;
    }
    let wrist_m = of(hand::WRIST)?;
    model.hand_length_m = (of("middle_tip")? - wrist_m).norm();
    let thumb_m = of("thumb_tip")? - of("little_tip")?;
    model.side = if thumb_m.y < 0.0 { hand::Side::Left } else { hand::Side::Right };
    let right = |v: Vector3<f64>| match model.side {
        hand::Side::Right => v,
        hand::Side::Left => Vector3::new(v.x, -v.y, v.z),
    };
    for finger in &mut model.fingers {
        if let Some((name, place_m)) = &mut finger.metacarpal {
            *place_m = Point3::from(right(of(name)? - wrist_m));
        }
        let mut places_m = Vec::new();
        for name in finger.joints.iter().map(|joint| &joint.name).chain([&finger.tip]) {
            places_m.push(right(of(name)? - wrist_m));
        }
        finger.base_in_hand_m = Point3::from(places_m[0]);
        for (joint, pair) in finger.joints.iter_mut().zip(places_m.windows(2)) {
            joint.length_m = (pair[1] - pair[0]).norm();
        }
        let along = (places_m[1] - places_m[0]).normalize();
        finger.hand_from_rest = nalgebra::UnitQuaternion::rotation_between(&Vector3::x(), &along)?;
    }
    Some(model)
}

/// Reads a surface, and checks that it has the size of a skeleton.
pub fn surface(path: &Path, skeleton: &Skeleton) -> anyhow::Result<(Surface, Vec<Note>)> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    let named = |error: condyle::Error| error.with_path(path);
    let (vertices_m, triangles, notes) = if ply::is_ply(&bytes) {
        let (own, notes) = ply::read(&bytes).map_err(named)?;
        (own.vertices_m, own.triangles, notes)
    } else if mesh::is_mesh(&bytes) {
        let (own, notes) = mesh::read(&bytes).map_err(named)?;
        (own.vertices_m(), own.triangles(), notes)
    } else if stl::is_stl(&bytes) {
        let own = stl::read(&bytes).map_err(named)?;
        (own.vertices_m, own.triangles, Vec::new())
    } else {
        bail!("{}: need a surface as PLY, MESH or STL, got something else", path.display());
    };
    let surface = Surface::new(&vertices_m, &triangles).map_err(named)?;
    let joints_m = skeleton.rest_positions_m();
    let own_m = extent_m(surface.vertices_m().iter().map(|p| p.coords));
    let bones_m = extent_m(joints_m.into_iter());
    let ratio = own_m / bones_m;
    if !(1.0 / MOST_LARGER..=MOST_LARGER).contains(&ratio) {
        bail!(
            "{}: need a surface about as large as the skeleton ({bones_m:.3} m), got {own_m:.3} m: is it in metres?",
            path.display()
        );
    }
    Ok((surface, notes))
}

/// The longest side of the box around places.
fn extent_m(places_m: impl Iterator<Item = Vector3<f64>>) -> f64 {
    let start = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
    let (low, high) = places_m.fold(start, |(low, high), p| (low.inf(&p), high.sup(&p)));
    (high - low).max()
}
