//! How a command finds out which markers are on which segment: by name, by motion or by file.

use std::path::{Path, PathBuf};

use clap::Args;
use condyle::plan::{Plan, PlanOrigin, Reason, SetAside};
use condyle::trial::{Marker, Note};
use condyle::{Error, ErrorKind, Result, Trial, grouping, marker_set, topology};

/// Where segments come from.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Which markers are on which segment")]
pub struct PlanArgs {
    /// Find segments by the names of the markers, by their motion, or by names if they are known
    #[arg(long, value_name = "HOW", value_enum, default_value_t, conflicts_with = "plan")]
    pub by: By,
    /// Take them from a file: a plan in TOML, or an association or marker-set file of Knight's
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    #[command(flatten)]
    pub bodies: crate::trackers::BodyArgs,
}

/// What tells the segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum By {
    /// By names if a marker set is recognised well, by motion if not.
    #[default]
    Auto,
    /// The marker set that the labels are from.
    Names,
    /// Which markers keep their distances; of bodies with poses, how they move against each other.
    Motion,
    /// Bodies with poses of their own, even where there are markers.
    Bodies,
}

/// A plan and what is to be said about it.
pub struct Found {
    pub plan: Plan,
    /// What told the segments: `names`, `motion` or `file`.
    pub by: &'static str,
    /// What is doubtful about it.
    pub notes: Vec<String>,
}

/// Finds the segments of a recording.
///
/// # Errors
/// No segment was found; the message says what else to try.
pub fn plan(trial: &Trial, path: &Path, args: &PlanArgs) -> Result<Found> {
    let found = match (&args.plan, args.by) {
        (Some(file), _) => from_file(trial, file),
        (None, By::Names) => by_names(trial).map_err(|error| {
            let what = format!("{error}: try --by motion, or say it in a file (--plan FILE)");
            ErrorKind::Undetermined(what).into()
        }),
        (None, By::Motion | By::Bodies) => by_motion(trial),
        (None, By::Auto) => match by_names(trial) {
            Ok(found) if found.1 => Ok(found),
            // The names say something, which is better than nothing if the motion does not.
            weak if has_samples(trial) => {
                by_motion(trial).or_else(|motion| weak.map_err(|names| both(&names, &motion)))
            }
            nothing => nothing,
        },
    };
    let found = found.map(|(found, _)| found);
    found.and_then(|found| with_trees(found, trial)).map_err(|error| error.with_path(path))
}

/// Finds from the motion how segments hang together where nothing else says it.
fn with_trees(mut found: Found, trial: &Trial) -> Result<Found> {
    for performer in found.plan.performers.iter_mut().filter(|p| !p.is_tree_known) {
        let tree = topology::infer_performer(trial, performer, &topology::Options::default())?;
        for edge in tree.edges.iter().filter(|edge| edge.is_doubtful) {
            let [a, b] = [edge.parent, edge.child].map(|i| performer.segments[i].name.as_str());
            let text = format!("{b} might hang on another segment than {a}");
            found.notes.push(Note::new("joint-doubtful", text).to_string());
        }
        for ring in &tree.loops {
            let [a, b] = ring.parts.map(|i| performer.segments[i].name.as_str());
            let text = format!(
                "{a} and {b} meet as well as joints of the tree do ({:.1} mm): the segments may form a ring",
                ring.residual_m * 1e3
            );
            found.notes.push(Note::new("loop", text).to_string());
        }
    }
    Ok(found)
}

/// A plan by names, and whether it is good.
fn by_names(trial: &Trial) -> Result<(Found, bool)> {
    let found = marker_set::recognise(trial);
    if found.plan.performers.is_empty() {
        return Err(ErrorKind::Undetermined(why_nothing(trial, &found)).into());
    }
    let is_good = found.is_good();
    let notes = found.notes.iter().map(ToString::to_string).collect();
    Ok((Found { plan: found.plan, by: "names", notes }, is_good))
}

/// Whether any marker is seen in any frame.
fn has_samples(trial: &Trial) -> bool {
    let is_seen = |marker: &Marker| marker.origins().any(|origin| origin.is_present());
    trial.markers.iter().any(is_seen)
}

/// What there is instead of markers, and what to do about it.
fn without_markers(trial: &Trial) -> String {
    let is_table = trial.notes.iter().any(|note| note.code == "unknown-layout");
    match (is_table, trial.bodies.is_empty()) {
        (true, true) => format!(
            "need markers or bodies, got a table of {} columns that are named like neither: name them \
             with --columns, as in --columns A_x,A_y,A_z,A_qw,A_qx,A_qy,A_qz,...",
            trial.channels.len()
        ),
        (_, true) => "need markers or bodies, got a recording without any (condyle info says what \
                      it holds)"
            .into(),
        (_, false) => {
            "need markers or bodies with positions, got orientations alone (condyle info \
                       says more)"
                .into()
        }
    }
}

/// Why there is no plan by names, and what else to try.
fn why_nothing(trial: &Trial, found: &marker_set::Recognition) -> String {
    let markers = trial.markers.len();
    if markers == 0 {
        return without_markers(trial);
    }
    if !has_samples(trial) {
        return format!(
            "need markers that are seen, got {markers} without a sample (condyle info says more)"
        );
    }
    let what = match found.notes.iter().find(|note| note.code == "labels-unknown") {
        Some(note) => {
            let known = marker_set::built_in().count();
            format!("need one of {known} known marker sets, got none of them: {}", note.text)
        }
        None => {
            let computed = marker_set::computed(trial).len();
            match computed {
                0 => format!("need markers with names, got none among {markers} trajectories"),
                _ => format!(
                    "need markers that were recorded, got {computed} points of a model among {markers}"
                ),
            }
        }
    };
    format!("labels: {what}")
}

/// Neither names nor motion say anything.
fn both(names: &Error, motion: &Error) -> Error {
    ErrorKind::Undetermined(format!("{names}; by motion: {motion}")).into()
}

fn by_motion(trial: &Trial) -> Result<(Found, bool)> {
    // Points that a model computed move with a segment too, but nobody put them there.
    let computed = marker_set::computed(trial);
    let is_measured = |marker: &usize| computed.binary_search(marker).is_err();
    let only = (0..trial.markers.len()).filter(is_measured).collect();
    let options = grouping::Options { only: Some(only), ..grouping::Options::default() };
    let grouping = grouping::with_evidence(trial, &options)?;
    let mut plan = grouping.plan;
    if plan.performers.iter().all(|performer| performer.segments.len() < 2) {
        return Err(ErrorKind::Undetermined(
            "motion: need two groups of markers that move against each other, got one at most: \
             record more movement, or say it in a file (--plan FILE)"
                .into(),
        )
        .into());
    }
    let reason = Reason::ModelOutput;
    plan.set_aside.extend(computed.into_iter().map(|marker| SetAside { marker, reason }));
    plan.set_aside.sort_by_key(|aside| aside.marker);
    let exchanged = |exchange: &grouping::exchange::Exchange| {
        let [a, b] = exchange.markers.map(|marker| trial.markers[marker].label.as_str());
        let frame = exchange.frame + 1;
        let text = format!("{a} and {b} change places at frame {frame}; they were followed here");
        Note::new("labels-exchanged", text).to_string()
    };
    let notes = grouping.exchanges.iter().map(exchanged).collect();
    Ok((Found { plan, by: "motion", notes }, true))
}

fn from_file(trial: &Trial, file: &Path) -> Result<(Found, bool)> {
    let (plan, notes) = marker_set::from_file(file, trial)?;
    let notes = notes.iter().map(ToString::to_string).collect();
    Ok((Found { plan, by: "file", notes }, true))
}

/// How the segments of a performer were found, in a word or two.
pub fn in_words(origin: &PlanOrigin) -> String {
    match origin {
        PlanOrigin::Names { marker_set } => format!("by names: {marker_set}"),
        PlanOrigin::File => "from a file".to_owned(),
        PlanOrigin::Motion => "by motion".to_owned(),
    }
}
