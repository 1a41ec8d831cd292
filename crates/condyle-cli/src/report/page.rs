//! The report of one run, as a page that needs nothing but itself.

use condyle::statistics::median;
use condyle::subject::{CentreKnown, JointMethod};

use super::results::{PerformerResult, RecordingResult, Results};
use super::{angles, gait, gap_map, joints, physics};
use crate::figure::{self, View};
use crate::terminal::say;
use condyle_page::page::{Page, Share, Table, Tone};

const SCRIPT: &str = include_str!("moving.js");
/// Pictures in the strip of frames.
const FRAMES: usize = 6;

/// The report of one run.
pub fn page(results: &Results) -> String {
    let recording = &results.recording;
    let mut page = Page::new(&format!("{}: skeleton and motion", recording.file));
    let contents = [
        ("summary", "Summary"),
        ("figure", "The figure"),
        ("notes", "Notes"),
        ("joints", "Joints, and how far to trust them"),
        ("gait", "Gait"),
        ("physics", "Body and physics"),
        ("angles", "Joint angles"),
        ("bones", "Bone lengths"),
        ("markers", "Markers"),
        ("cite", "Methods, and how to cite them"),
    ];
    let has_physics = results.performers.iter().any(|own| own.physics.is_some());
    let is_there = |(anchor, _): &(&str, &str)| match *anchor {
        "gait" => !results.gait.is_empty(),
        "physics" => has_physics,
        _ => true,
    };
    page.contents(&contents.into_iter().filter(is_there).collect::<Vec<_>>());
    page.heading("summary", "Summary");
    for text in summary(results) {
        page.paragraph(&text);
    }
    figure(results, &mut page);
    notes(results, &mut page);
    joint_section(results, &mut page);
    if !results.gait.is_empty() {
        gait::section(&results.gait, &mut page);
    }
    if has_physics {
        page.heading("physics", "Body and physics");
    }
    for performer in &results.performers {
        let Some(own) = &performer.physics else { continue };
        named(performer, results, &mut page);
        physics::section(own, performer.figure_png.as_deref(), &mut page);
    }
    page.heading("angles", "Joint angles");
    angle_section(results, &mut page);
    page.heading("bones", "Bone lengths");
    page.paragraph(
        "Lengths are the same in every frame. Off by: how far a length may be wrong, at most, by the standard errors of the \
         joints at its ends. Spread: how much it would vary from frame to frame if the markers alone said it.",
    );
    for performer in &results.performers {
        named(performer, results, &mut page);
        page.table(&bones(performer));
    }
    page.heading("markers", "Markers");
    page.paragraph(
        "When each marker was seen: pale where it was, orange where a gap was filled, red where it is \
         missing.",
    );
    for performer in &results.performers {
        named(performer, results, &mut page);
        page.figure(&gap_map::svg(performer, recording.duration_s), "Markers over time.");
        page.details("Every marker", &markers(performer, recording.frames));
    }
    cite(&mut page);
    page.finish()
}

fn notes(results: &Results, page: &mut Page) {
    page.heading("notes", "Notes");
    if results.notes().next().is_none() {
        page.paragraph("Nothing was odd.");
    }
    let notes: Vec<String> = results.notes().map(say::in_words).collect();
    page.list(notes.iter().map(String::as_str));
}

fn joint_section(results: &Results, page: &mut Page) {
    page.heading("joints", "Joints, and how far to trust them");
    page.paragraph(
        "Known to: one standard error of the centre, along its worst direction. The bar shows what told it: dark what the \
         motion told, pale what is known of bodies.",
    );
    for performer in &results.performers {
        named(performer, results, page);
        let all: Vec<Share> = performer.joints.iter().map(joints::sentence).collect();
        page.shares(&all, ["motion", "knowledge of bodies"]);
        let advice = match is_filmed(results) {
            true => vec![joints::ADVICE_ON_FILMS.to_owned()],
            false => joints::advice(&performer.joints),
        };
        if !advice.is_empty() {
            page.subheading("What would tell more");
            page.list(advice.iter().map(String::as_str));
        }
        page.details("All figures", &joint_table(performer, results.recording.frames));
    }
}

/// One picture of the figure, in the middle of the frames that show it.
pub fn picture(results: &Results) -> String {
    let scene = results.moving.scene();
    figure::strip(&scene, &scene.telling_frames(1), &[View::Oblique])
}

/// What the run comes to, in a few sentences.
pub fn summary(results: &Results) -> Vec<String> {
    let recording = &results.recording;
    let up = recording.up.as_ref();
    let points = if is_filmed(results) { "keypoints" } else { "markers" };
    let gaps = gaps_in_words(recording);
    let others = match recording.other_points {
        0 => String::new(),
        1 => " (and 1 other point)".to_owned(),
        others => format!(
            " (and {others} other points: angles, forces, joint centres of a model, points that never move or have no label)"
        ),
    };
    let mut texts = vec![format!(
        "{} frames at {} Hz ({:.2} s), {}, {}. {gaps}",
        recording.frames,
        (recording.rate_hz * 1e3).round() / 1e3,
        recording.duration_s,
        match recording.bodies {
            0 => format!("{} {points}{others}", recording.markers),
            bodies => format!("{} markers{others}, {bodies} bodies", recording.markers),
        },
        up.map_or_else(|| "no up-axis known".to_owned(), |up| format!("{up} up")),
    )];
    if is_filmed(results) {
        texts.push(
            "Taken for keypoints: joints that cameras saw without markers. Trajectories are smoothed, each at a bandwidth \
             found from it. How far a keypoint is from the joint it stands for cannot be seen; error bars contain it. The \
             turn of straight limbs about themselves, and the tilt of a pelvis of which hips alone are seen, are what is \
             usual, and not measured."
                .to_owned(),
        );
    }
    // What a file measured of its subject is used, and not odd.
    let odd = results.notes().filter(|note| note.code != "size-measured").count();
    if odd > 0 {
        let remarks = if odd == 1 { "1 remark" } else { &format!("{odd} remarks") };
        texts.push(format!("{remarks} on what is odd under Notes: read that first."));
    }
    for performer in &results.performers {
        let count = |known| performer.joints.iter().filter(|j| j.centre == known).count();
        let typical = median(performer.joints.iter().map(|joint| joint.sd_m * 1e3));
        let typical = typical.map_or(String::new(), |sd_mm| {
            format!(" The standard error of a centre is {sd_mm:.1} mm (median).")
        });
        let residual = performer.residual_m.map_or("-".into(), |m| format!("{:.1}", m * 1e3));
        texts.push(format!(
            "{}: {} segments by {}, {} joints. The centres of {} are well known (to 10 mm), of {} fairly (to 25 mm), of {} \
             barely. {}{} are {residual} mm (median) from where the skeleton has them.{typical}",
            title(performer),
            performer.segments.len(),
            performer.plan,
            performer.joints.len(),
            count(CentreKnown::Well),
            count(CentreKnown::Fairly),
            count(CentreKnown::Barely),
            points[..1].to_uppercase(),
            &points[1..],
        ));
    }
    texts
}

/// What became of the gaps, each counted once.
fn gaps_in_words(recording: &RecordingResult) -> String {
    let RecordingResult { filled_gaps, partly_filled_gaps, left_gaps, .. } = *recording;
    let RecordingResult { filled_samples, left_samples, .. } = *recording;
    let gaps = filled_gaps + partly_filled_gaps + left_gaps;
    if gaps == 0 {
        return "No gap was filled.".to_owned();
    }
    let plural = |count: usize, word: &str| match count {
        1 => format!("1 {word}"),
        count => format!("{count} {word}s"),
    };
    let became =
        [(filled_gaps, "filled"), (partly_filled_gaps, "filled in part"), (left_gaps, "left open")];
    let became = became.into_iter().filter(|(count, _)| *count > 0);
    let became: Vec<String> = became.map(|(count, how)| format!("{count} {how}")).collect();
    let left = match left_samples {
        0 => format!(" ({})", plural(filled_samples, "sample")),
        left => format!(
            "; of {} {filled_samples} are filled, {left} stay missing, since nothing tells them well enough",
            plural(filled_samples + left, "missing sample")
        ),
    };
    format!("The markers that are used have {}: {}{left}.", plural(gaps, "gap"), became.join(", "))
}

/// Whether joints were seen by cameras without markers.
fn is_filmed(results: &Results) -> bool {
    results.recording.kind == "keypoints"
}

fn title(performer: &PerformerResult) -> &str {
    if performer.name.is_empty() { "The performer" } else { &performer.name }
}

fn named(performer: &PerformerResult, results: &Results, page: &mut Page) {
    if results.performers.len() > 1 {
        page.subheading(title(performer));
    }
}

fn figure(results: &Results, page: &mut Page) {
    page.heading("figure", "The figure");
    let data = serde_json::to_string(&results.moving).unwrap_or_default();
    page.moving(&data, SCRIPT);
    page.paragraph(
        "The left is purple, the right green. Black joints are well known (a standard error of at most 10 mm), white ones \
         fairly (25 mm), the thin circle about them is one standard error; red ones are barely known: where they are is \
         a guess in some direction. Limbs are as thick as usual, which nobody measured.",
    );
    let scene = results.moving.scene();
    let frames = scene.telling_frames(FRAMES);
    let svg = figure::strip(&scene, &frames, &[View::Front, View::Side, View::Oblique]);
    page.figure(&svg, "Some frames from ahead, from the right, and from above at an angle.");
}

fn joint_table(performer: &PerformerResult, frames: usize) -> Table {
    let mut table = Table::columns(
        "joint | movement | centre | found | sd mm | best sd mm | by motion % | turned deg | gap mm | placed %",
        4,
    );
    table.caption = "movement: about how many axes it turned in this recording by 10 degrees and more, beyond what noise and \
                     skin do. What was assumed of the joint is another matter: a hip that only swings turns about one axis. centre: how \
                     well it is known, well to 10 mm, fairly to 25 mm, else barely. sd: standard error of the centre along its worst and its best direction. by motion: how much of what is known along the worst \
                     direction the motion told; the rest is knowledge of bodies. turned: about \
                     its three principal axes. gap: how far its two segments put it apart, rms. placed: share \
                     of frames that have it."
        .into();
    for joint in &performer.joints {
        let tone = joints::tone_of(joint);
        let degrees: Vec<String> =
            joint.ranges_rad.iter().map(|rad| format!("{:.0}", rad.to_degrees())).collect();
        table.rows.push(vec![
            (joint.name.clone(), Tone::Plain),
            (joint.kind.movement().to_owned(), Tone::Plain),
            (joint.centre.name().to_owned(), tone),
            (method_text(joint.method).to_owned(), Tone::Faint),
            (format!("{:.1}", joint.sd_m * 1e3), tone),
            (format!("{:.1}", joint.best_sd_m * 1e3), Tone::Plain),
            (format!("{:.0}", joint.from_motion * 100.0), Tone::Plain),
            (degrees.join(" / "), Tone::Plain),
            (millimetres(joint.gap_m), Tone::Plain),
            (percent(joint.frames_placed, frames), Tone::Plain),
        ]);
    }
    table
}

fn method_text(method: JointMethod) -> &'static str {
    match method {
        JointMethod::TwoSided => "from both sides",
        JointMethod::FromParent => "from its parent",
        JointMethod::FromChild => "from its child",
        JointMethod::Guess => "guessed",
        JointMethod::Given => "given",
    }
}

fn bones(performer: &PerformerResult) -> Table {
    let mut table =
        Table::new(&["joint", "bone to the joint above mm", "off by mm", "spread mm"], 1);
    for joint in performer.joints.iter().filter(|joint| joint.bone_m.is_some()) {
        let tone = match joint.bone_error_m.map(CentreKnown::from_sd_m) {
            Some(CentreKnown::Barely) => Tone::Bad,
            _ => Tone::Plain,
        };
        table.rows.push(vec![
            (joint.name.clone(), Tone::Plain),
            (millimetres(joint.bone_m), Tone::Plain),
            (millimetres(joint.bone_error_m), tone),
            (millimetres(joint.bone_sd_m), Tone::Faint),
        ]);
    }
    table
}

fn markers(performer: &PerformerResult, frames: usize) -> Table {
    let mut table =
        Table::new(&["segment", "marker", "residual mm", "missing %", "filled", "off by mm"], 2);
    table.is_grouped = true;
    table.caption = "residual: median distance from where the skeleton has the marker; off by: the expected error of \
                     filled samples."
        .into();
    for marker in &performer.markers {
        table.row([
            marker.segment.clone(),
            marker.label.clone(),
            millimetres(marker.residual_m),
            percent(marker.missing, frames),
            marker.filled.to_string(),
            millimetres(marker.filled_error_m),
        ]);
    }
    table
}

fn angle_section(results: &Results, page: &mut Page) {
    for performer in &results.performers {
        named(performer, results, page);
        let gait = results.gait.iter().find(|gait| gait.performer == performer.name);
        page.charts(&angles::charts(performer, gait));
    }
    if results.performers.iter().all(|performer| performer.angles.is_empty()) {
        page.paragraph(
            "No joint has angles: it takes two segments that are placed in the same frames.",
        );
    }
}

fn cite(page: &mut Page) {
    page.heading("cite", "Methods, and how to cite them");
    page.paragraph(&format!(
        "Made with Condyle {}. Segments are placed by weighted least squares over the markers that are seen; \
         joints are found in closed form, from both segments where both have an orientation and from one \
         where not; every frame is solved by itself, with bones at their lengths.",
        env!("CARGO_PKG_VERSION")
    ));
    page.list([
        "J. K. Knight (2008), Rotation Points From Motion Capture Data Using a Closed Form Solution, PhD thesis, University of Colorado at Colorado Springs: centres of rotation in closed form.",
        "J. F. O'Brien, R. E. Bodenheimer, G. J. Brostow, J. K. Hodgins (2000), Automatic Joint Parameter Estimation from Magnetic Motion Capture Data, Graphics Interface: joints from both sides, and topology.",
        "B. K. P. Horn (1987), Closed-form solution of absolute orientation using unit quaternions: segment poses.",
    ]);
}

fn millimetres(length_m: Option<f64>) -> String {
    length_m.map_or_else(|| "-".to_owned(), |m| format!("{:.1}", m * 1e3))
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.1}", 100.0 * part as f64 / whole.max(1) as f64)
}
