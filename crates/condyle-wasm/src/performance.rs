//! What the main job found in a recording.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use condyle::export::{self, Export};
use condyle::job::{Performance, SolvedPerformer};
use condyle::marker_set::{self, Side};
use condyle::nalgebra::{Point3, center};
use condyle::opensim;
use condyle::solve::{self, PointTrack, SegmentTrack, Solver};
use condyle::stick::{Limb, Stick};
use condyle::subject::{Joint, Subject};
use condyle::trial::{Note, Trial};
use condyle::{Result, statistics};
use serde_json::{Value, json};

use crate::numbers::{Numbers, of_bytes, of_f64s, place, pose};
use crate::recording::{one, places};
use crate::request::PerformanceRow;
use crate::session::wrong;

/// A recording, what was found in it, and how that is drawn.
pub struct Found {
    performance: Performance,
    performers: Vec<Shown>,
}

/// What belongs to a performer besides what was found.
struct Shown {
    stick: Stick,
    /// For every marker of the subject its place in the recording.
    columns: Vec<Option<usize>>,
    /// For every frame every joint's bone, from the joint above, as the markers have it. Made when it is asked for.
    bones_m: OnceCell<Vec<f64>>,
}

impl Found {
    /// What the job found.
    pub fn new(performance: Performance) -> Self {
        let labels = performance.trial.labels();
        let shown = |performer: &SolvedPerformer| Shown {
            stick: Stick::from_subject(&performer.subject),
            columns: solve::columns(&performer.subject, &labels).unwrap_or_default(),
            bones_m: OnceCell::new(),
        };
        let performers = performance.performers.iter().map(shown).collect();
        Self { performance, performers }
    }

    /// Everything about it but its numbers.
    pub fn facts(&self) -> Value {
        let Performance { trial, repairs, gaps, performers, .. } = &self.performance;
        let own = performers.iter().zip(&self.performers);
        let own = own.map(|(performer, shown)| performer_facts(performer, shown, trial));
        let repairs = repairs.iter().map(|repair| {
            let mut facts = json!(repair);
            facts["note"] = json!(repair.note(trial));
            facts
        });
        let gaps = gaps.iter().map(|gap| {
            json!({
                "marker": gap.marker,
                "frames": [gap.frames.start, gap.frames.end],
                "method": gap.method.name(),
                "reason": gap.reason,
                "predictedError_m": gap.predicted_error_m,
                "isFilled": gap.is_filled,
            })
        });
        json!({
            "kind": self.performance.kind().name(),
            "frames": trial.frames,
            "firstFrame": trial.first_frame,
            "rateHz": trial.rate_hz,
            "startS": trial.start_s,
            "up": trial.source.up,
            "performers": own.collect::<Vec<_>>(),
            "markers": self.markers(),
            "repairs": repairs.collect::<Vec<_>>(),
            "gaps": gaps.collect::<Vec<_>>(),
            "notes": self.performance.all_notes(),
        })
    }

    /// Every marker, and on which segment it is.
    fn markers(&self) -> Vec<Value> {
        let mut on: Vec<Option<[&str; 2]>> = vec![None; self.performance.trial.markers.len()];
        for (performer, shown) in self.performance.performers.iter().zip(&self.performers) {
            let segments = performer.subject.segments().iter();
            let names = segments.flat_map(|segment| segment.markers.iter().map(|_| &*segment.name));
            for (column, segment) in shown.columns.iter().zip(names) {
                if let Some(column) = column {
                    on[*column] = Some([&performer.subject.name, segment]);
                }
            }
        }
        let markers = self.performance.trial.markers.iter().zip(on);
        let facts = markers.map(|(marker, on)| {
            json!({
                "label": marker.label,
                "performer": on.map(|[performer, _]| performer),
                "segment": on.map(|[_, segment]| segment),
            })
        });
        facts.collect()
    }

    fn performer(&self, index: usize) -> Result<(&SolvedPerformer, &Shown)> {
        let performer = one(&self.performance.performers, index, "performer")?;
        Ok((performer, one(&self.performers, index, "performer")?))
    }

    /// A row of its numbers.
    pub fn row(
        &self,
        row: PerformanceRow,
        performer: usize,
        index: usize,
        numbers: &mut Numbers,
    ) -> Result<Value> {
        let trial = &self.performance.trial;
        let frames = 0..trial.frames;
        let marker = || one(&trial.markers, index, "marker");
        match row {
            PerformanceRow::Marker => return Ok(places(marker()?, numbers)),
            PerformanceRow::Origin => return Ok(of_bytes(marker()?.origin_bytes())),
            PerformanceRow::MarkerSd => {
                let marker = marker()?;
                return Ok(numbers.collect(frames.map(|f| marker.sd_m(f).unwrap_or(0.0))));
            }
            _ => {}
        }
        let (own, shown) = self.performer(performer)?;
        let motion = &own.motion;
        let joint = || -> Result<&PointTrack> { one(motion.joints(), index, "joint") };
        let segment = || -> Result<&SegmentTrack> { one(motion.segments(), index, "segment") };
        Ok(match row {
            PerformanceRow::Joint => of_f64s(joint()?.positions_m().as_flattened()),
            PerformanceRow::Placed => of_bytes(joint()?.placed()),
            PerformanceRow::JointSd => {
                joint()?;
                numbers.collect(frames.map(|f| motion.joint_sd_m(f, index).unwrap_or(f64::NAN)))
            }
            PerformanceRow::Segment => numbers.collect(segment()?.iter().flat_map(pose)),
            PerformanceRow::Point => {
                one(&shown.stick.points, index, "point")?;
                let at = |frame| shown.stick.points_m(motion, frame).nth(index).flatten();
                numbers.collect(frames.flat_map(|frame| place(at(frame))))
            }
            PerformanceRow::Angle => {
                let angles = &one(&own.angles.joints, index / 3, "joint")?.angles_rad;
                let deg =
                    |all: &Option<[f64; 3]>| all.map_or(f64::NAN, |a| a[index % 3].to_degrees());
                numbers.collect(angles.iter().map(deg))
            }
            PerformanceRow::Bone => {
                let joints = motion.joints().len();
                joint()?;
                let all = shown.bones_m.get_or_init(|| bones_m(&own.subject, trial));
                numbers.collect(all.iter().skip(index).step_by(joints).copied())
            }
            PerformanceRow::Residual => {
                let off = |frame| shown.residuals_m(own, trial, frame).flatten();
                let rms = |frame| statistics::rms(off(frame)).unwrap_or(f64::NAN);
                numbers.collect(frames.map(rms))
            }
            _ => {
                one(&shown.columns, index, "marker")?;
                let off = |frame| shown.residuals_m(own, trial, frame).nth(index).flatten();
                numbers.collect(frames.map(|frame| off(frame).unwrap_or(f64::NAN)))
            }
        })
    }

    /// The same with other names for markers, by their labels.
    pub fn renamed(&self, names: &BTreeMap<String, String>) -> Result<Self> {
        let mut performance = self.performance.clone();
        let mut taken = BTreeSet::new();
        for marker in &mut performance.trial.markers {
            if let Some(name) = names.get(&marker.label) {
                marker.label.clone_from(name);
            }
            if !taken.insert(&*marker.label) && names.values().any(|name| *name == marker.label) {
                let what = "names: need another one for each marker, got";
                return Err(wrong(format!("{what} '{}' twice", marker.label)));
            }
        }
        for performer in &mut performance.performers {
            let prefix = format!("{}:", performer.subject.name);
            performer.subject = performer.subject.clone().with_labels(|label| {
                let prefixed = names.get(&format!("{prefix}{label}"));
                let name = names.get(label).or(prefixed)?;
                Some(name.strip_prefix(&prefix).unwrap_or(name).to_owned())
            });
        }
        Ok(Self::new(performance))
    }

    /// A file of a performer's motion, or of the recording with everybody's joints.
    pub fn export(&self, performer: usize, format: &str) -> Result<(Vec<u8>, Vec<Note>)> {
        let found = &self.performance;
        let (own, _) = self.performer(performer)?;
        let mut bytes = Vec::new();
        let notes = match format {
            "json" | "subject.json" => {
                bytes = own.subject.to_json()?.into();
                Vec::new()
            }
            "osim" => {
                bytes = opensim::model(&found.trial, own, None)?.into();
                Vec::new()
            }
            "c3d" | "with-joints.c3d" => export::write_with_joints(found, &mut bytes)?,
            "filled.c3d" => export::write_filled(found, &mut bytes)?,
            "markers.trc" => {
                export::write_markers_trc(&opensim::with_posed_points(found), &mut bytes)?
            }
            "grf.mot" => {
                export::write_ground_reaction(&found.trial, &mut bytes)?;
                Vec::new()
            }
            "angles.csv" => Export::AnglesCsv.write(found, own, None, &mut bytes)?,
            other => {
                let none = || wrong(format!("format: need {}, got '{other}'", Export::EXTENSIONS));
                let export = Export::from_extension(other).ok_or_else(none)?;
                export.write(found, own, None, &mut bytes)?
            }
        };
        Ok((bytes, notes))
    }
}

impl Shown {
    /// How far every marker of the subject is from where its segment has it, in a frame.
    fn residuals_m<'a>(
        &'a self,
        performer: &'a SolvedPerformer,
        trial: &'a Trial,
        frame: usize,
    ) -> impl Iterator<Item = Option<f64>> + 'a {
        let segments = performer.subject.segments().iter().enumerate();
        let markers = segments.flat_map(move |(index, segment)| {
            let pose = performer.motion.world_from_segment(frame, index);
            segment.markers.iter().map(move |own| Some(pose? * own.position_in_segment_m))
        });
        markers.zip(&self.columns).map(move |(at_m, column)| {
            let seen_m = trial.markers[(*column)?].position_m(frame)?;
            Some((seen_m - at_m?).norm())
        })
    }
}

/// For every frame the length of the bone that ends at each joint, as the markers have it; NaN where there is none.
fn bones_m(subject: &Subject, trial: &Trial) -> Vec<f64> {
    let joints = subject.joints();
    let nowhere = || vec![f64::NAN; joints.len() * trial.frames];
    if subject.is_of_bodies() {
        return nowhere();
    }
    let Ok(solver) = Solver::new(subject, &trial.labels()) else { return nowhere() };
    let above = |joint: &Joint| joints.iter().position(|other| other.child == joint.parent);
    let above: Vec<Option<usize>> = joints.iter().map(above).collect();
    let mut pose = solver.pose();
    let mut positions_m = vec![None; trial.markers.len()];
    let mut all = Vec::with_capacity(joints.len() * trial.frames);
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        solver.solve(&positions_m, &mut pose);
        let at = |joint: usize| match solver.measured_joint_m(joint, &pose) {
            [Some(a), Some(b)] => Some(center(&a, &b)),
            [a, b] => a.or(b),
        };
        let length = |(joint, above): (usize, &Option<usize>)| -> Option<f64> {
            let [far, near]: [Point3<f64>; 2] = [at(joint)?, at((*above)?)?];
            Some((far - near).norm())
        };
        all.extend(above.iter().enumerate().map(|bone| length(bone).unwrap_or(f64::NAN)));
    }
    all
}

fn side_name(side: Side) -> Option<&'static str> {
    match side {
        Side::Left => Some("left"),
        Side::Right => Some("right"),
        Side::Unsaid => None,
    }
}

/// The side that a name says.
fn side_of(name: &str) -> Option<&'static str> {
    match marker_set::body_part(name) {
        Some((_, side)) => side_name(side),
        None => ["left", "right"].into_iter().find(|side| name.to_lowercase().starts_with(side)),
    }
}

fn performer_facts(performer: &SolvedPerformer, shown: &Shown, trial: &Trial) -> Value {
    let SolvedPerformer { subject, motion, angles, checks, notes, .. } = performer;
    let joints = subject.joints().iter().enumerate();
    let joints = joints.map(|(index, joint)| joint_facts(performer, index, joint));
    let segments = subject.segments().iter().enumerate().map(|(index, segment)| {
        let own_limb = |limb: &&Limb| limb.ends.iter().all(|end| *end < subject.joints().len());
        let of_segment = |limb: &&Limb| {
            let [from, to] = limb.ends.map(|end| subject.joints().get(end));
            to.is_some_and(|to| to.parent == index) && from.is_some_and(|from| from.child == index)
        };
        let bone = shown.stick.limbs.iter().filter(own_limb).find(of_segment);
        json!({
            "name": segment.name,
            "side": side_of(&segment.name),
            "markers": segment.markers.iter().map(|marker| &marker.label).collect::<Vec<_>>(),
            "markersInSegment_m": segment.markers.iter().map(|marker| marker.position_in_segment_m).collect::<Vec<_>>(),
            "parent": segment.parent.map(|parent| &subject.segments()[parent].name),
            "bone": bone.map(|limb| limb.ends),
            "sigma_m": segment.sigma_m,
        })
    });
    let bones = shown.stick.limbs.iter().map(
        |limb| json!({ "ends": limb.ends, "side": side_name(limb.side), "width_m": limb.width_m }),
    );
    let angles = angles.joints.iter().enumerate().flat_map(|(joint, own)| {
        own.components.iter().enumerate().map(move |(component, what)| {
            json!({
                "name": what.name,
                "joint": own.name,
                "side": side_of(&own.name),
                "unit": "deg",
                "index": 3 * joint + component,
                "zero": own.zero.in_words(trial),
                "convention": own.convention.name(),
                "smoothedHz": own.smoothed_hz,
                "centre": own.centre_known,
                "range_deg": own.range_rad.map(|ranges| ranges[component].map(f64::to_degrees)),
            })
        })
    });
    let checks = checks.iter().map(|check| {
        let [least, most] = check.expected;
        json!({
            "name": check.name,
            "value": format!("{:.3}", check.value),
            "expected": format!("{least} to {most}"),
            "passed": check.is_passed(),
        })
    });
    json!({
        "name": subject.name,
        "joints": joints.collect::<Vec<_>>(),
        "segments": segments.collect::<Vec<_>>(),
        "points": shown.stick.points.len(),
        "bones": bones.collect::<Vec<_>>(),
        "trunk": shown.stick.trunk,
        "angles": angles.collect::<Vec<_>>(),
        "checks": checks.collect::<Vec<_>>(),
        "notes": notes,
        "residual_m": motion.evidence().residual_m,
        "markerResidual_m": motion.evidence().marker_residual_m,
        "provenance": subject.provenance,
    })
}

fn joint_facts(performer: &SolvedPerformer, index: usize, joint: &Joint) -> Value {
    let SolvedPerformer { subject, motion, .. } = performer;
    let name = |segment: usize| &subject.segments()[segment].name;
    let above = subject.joints().iter().find(|other| other.child == joint.parent);
    let evidence = motion.evidence();
    let covariance: Vec<f64> = joint.covariance_m2.transpose().iter().copied().collect();
    json!({
        "name": joint.name,
        "parent": above.map(|above| &above.name),
        "kind": joint.kind,
        "centre": joint.centre_known(),
        "sd_m": joint.worst_sd_m(),
        "from_motion": 1.0 - joint.from_knowledge,
        "from_knowledge": joint.from_knowledge,
        "advice": joint.advice,
        "covariance_m2": covariance,
        "parentSegment": name(joint.parent),
        "childSegment": name(joint.child),
        "ranges_deg": joint.ranges_rad.map(f64::to_degrees),
        "method": joint.method,
        "samples": joint.samples,
        "wander_m": joint.wander_m,
        "separation_m": evidence.separations_m.get(index).copied().flatten(),
        "bone_m": subject.bone_length_m(joint.child),
        "bone_sd_m": evidence.bone_sd_m.get(index).copied().flatten(),
    })
}
