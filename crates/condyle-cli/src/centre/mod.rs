//! `condyle centre`: the centre that markers rotate about, with the evidence for it.

mod answer;
mod json;
mod method;
mod notes;
mod page;
mod points;
mod shape;

use std::io::Write;
use std::process::ExitCode;

use condyle::Result;
use condyle::centre::{
    ManyMethod, Method, Noise, Points, SphereFit, sphere, sphere_many, sphere_robust,
};
use condyle::job::SoftTissue;

use crate::options::ReadingArgs;
use crate::options::job::soft_tissue;
use crate::options::reading::not_negative;
use crate::terminal::usage;
use answer::Answer;
use condyle::centre::known_sphere::Calibrated;
use method::MethodChoice;
use nalgebra::Point3;
use points::Track;
use std::path::PathBuf;

use crate::terminal::say;
use clap::Args;

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle centre`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CentreArgs {
    /// Recordings, or bare tables of x,y,z; several mean several markers around one centre
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The markers that rotate; not needed where a file holds only one
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub marker: Vec<String>,
    /// Take positions relative to the segment that carries these three or more markers
    #[arg(long = "in", value_name = "A,B,C,...", value_delimiter = ',', requires = "marker")]
    pub segment: Vec<String>,
    /// How: see below; all compares the methods
    #[arg(long, value_name = "METHOD", value_enum, default_value_t, hide_possible_values = true)]
    pub method: MethodChoice,
    /// What the points lie on: sphere, circle, plane or cylinder (its axis is found too)
    #[arg(long, value_name = "SHAPE", value_enum, default_value_t, hide_possible_values = true)]
    pub shape: ShapeChoice,
    /// For ugdk, the noise of the points: one standard deviation an axis, in their unit
    #[arg(long, value_name = "SIGMA", value_parser = not_negative, allow_negative_numbers = true)]
    #[arg(required_if_eq("method", "ugdk"))]
    pub sigma: Option<f64>,
    /// The radius is known, as of a wand about a fixed tip: say how noisy the recording is by it, in the unit of the points
    #[arg(long, value_name = "R", value_parser = positive_length, allow_negative_numbers = true)]
    pub known_radius: Option<f64>,
    /// The centre is known too
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_negative_numbers = true, requires = "known_radius")]
    pub known_centre: Option<Point3<f64>>,
    /// Leave out gross outliers: swapped markers, spikes (up to a tenth of the samples, and more)
    #[arg(long)]
    pub robust: bool,
    /// How far skin carries markers over the bone where they move most: auto (10 mm where a marker set of people is
    /// recognised, nothing elsewhere), none, or millimetres. The error counts it; residuals do not show it
    #[arg(long, value_name = "MM", default_value = "auto", value_parser = soft_tissue, allow_negative_numbers = true)]
    pub soft_tissue: SoftTissue,
    /// Print a JSON object, or an array for --method all (documented in docs/json.md)
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// What the points of one marker lie on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum ShapeChoice {
    #[default]
    Sphere,
    Circle,
    Plane,
    Cylinder,
}

fn positive_length(text: &str) -> std::result::Result<f64, String> {
    let length = text.parse::<f64>().ok().filter(|length| length.is_finite() && *length > 0.0);
    length.ok_or_else(|| format!("need a positive length, got '{text}'"))
}

fn point(text: &str) -> std::result::Result<Point3<f64>, String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|word| word.trim().parse().ok()).collect();
    match numbers[..] {
        [x, y, z] if x.is_finite() && y.is_finite() && z.is_finite() => Ok(Point3::new(x, y, z)),
        _ => Err(format!("need X,Y,Z, got '{text}'")),
    }
}

/// Everything that `--method all` compares, in the order of the documents; UGDK needs a sigma.
const COMPARED: [Method; 12] = [
    Method::Gdke,
    Method::Lls,
    Method::Gander,
    Method::Pratt,
    Method::Taubin,
    Method::Hyper,
    Method::SgdkPrinted,
    Method::Sgdk,
    Method::ScGdk,
    Method::ScGdkPolished,
    Method::Igdk,
    Method::Mle,
];

/// Reads the markers, fits, and prints.
pub fn run(args: &CentreArgs) -> anyhow::Result<ExitCode> {
    let tracks = points::read(args)?;
    let missing: usize = tracks.iter().map(|track| track.missing).sum();
    if missing > 0 {
        say::note(&format!("missing: {missing} samples without a position were left out"));
    }
    if let Some(what) = idle(args, tracks.len()) {
        say::note(&what);
    }
    let mut answers = match (tracks.as_slice(), args.shape, args.method) {
        ([track], ShapeChoice::Sphere, MethodChoice::All) => compare(track, args),
        ([track], ShapeChoice::Sphere, method) => vec![one(track, method, args)?],
        (tracks, ShapeChoice::Sphere, method) => vec![many(tracks, method, args)?],
        (tracks, shape, _) => vec![shape::fit(tracks, shape, args)?],
    };
    if let (Some(radius), [track]) = (args.known_radius, tracks.as_slice()) {
        for answer in &mut answers {
            let (known, found) = (args.known_centre, answer.centre);
            answer.calibrated = Calibrated::of(track.axes(), radius, known, found);
        }
    }
    for note in notes::of(&answers) {
        say::note(&note);
    }
    let mut out = anstream::stdout();
    match args.json {
        true => {
            let is_comparison = args.method == MethodChoice::All;
            json::print(&tracks, &answers, is_comparison, &mut out)?;
        }
        false => page::print(&tracks, &answers, &mut out)?,
    }
    out.flush()?;
    if answers.iter().all(|answer| answer.error.is_some()) {
        say::error("no method has an answer");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// What was asked for but changes nothing.
fn idle(args: &CentreArgs, markers: usize) -> Option<String> {
    let takes_sigma = matches!(args.method, MethodChoice::Ugdk | MethodChoice::All);
    if args.sigma.is_some() && !takes_sigma && args.shape == ShapeChoice::Sphere {
        return Some("--sigma: only ugdk takes it; the other methods find the noise".into());
    }
    if args.known_radius.is_some() && (markers > 1 || args.shape != ShapeChoice::Sphere) {
        return Some(
            "--known-radius: one marker on a sphere tells its noise; several do not".into(),
        );
    }
    (args.method == MethodChoice::Mgdk && markers == 1)
        .then(|| "mgdk: of one marker that is sc-gdk".into())
}

fn compare(track: &Track, args: &CentreArgs) -> Vec<Answer> {
    let known = args.sigma.map(|sigma| Method::Ugdk(Noise::Sigma(sigma)));
    let methods = COMPARED.into_iter().chain(known);
    let answer = |method: Method| {
        fit(track, method, args.robust).unwrap_or_else(|e| Answer::failed(method.name(), &e))
    };
    methods.map(answer).collect()
}

fn one(track: &Track, choice: MethodChoice, args: &CentreArgs) -> Result<Answer> {
    let method = match choice {
        MethodChoice::Ugdk => Method::Ugdk(Noise::Sigma(args.sigma.unwrap_or_default())),
        choice => choice.method().unwrap_or_default(),
    };
    fit(track, method, args.robust).map_err(|error| at(error, track))
}

fn fit(track: &Track, method: Method, is_robust: bool) -> Result<Answer> {
    let on_skin = |fit: SphereFit| fit.with_soft_tissue(track.slide_m(&fit.centre));
    if !is_robust {
        return Ok(Answer::of_sphere(&on_skin(sphere(track.points(), method)?)));
    }
    let robust = sphere_robust(track.points(), method)?;
    let rejected = Some(robust.rejected.len());
    Ok(Answer { rejected, ..Answer::of_sphere(&on_skin(robust.fit)) })
}

fn many(tracks: &[Track], choice: MethodChoice, args: &CentreArgs) -> Result<Answer> {
    let method = match choice {
        MethodChoice::Default | MethodChoice::Mgdk | MethodChoice::ScGdk => {
            ManyMethod::SelfCalibrated
        }
        MethodChoice::Gdke => ManyMethod::Plain,
        MethodChoice::Ugdk => ManyMethod::Unbiased { sigma: args.sigma.unwrap_or_default() },
        _ => {
            let count = tracks.len();
            let what = "several markers: need --method mgdk, sc-gdk, gdke or ugdk, got";
            usage::exit::<CentreArgs>("centre", &format!("{what} {count} markers and '{choice}'"))
        }
    };
    if args.robust {
        usage::exit::<CentreArgs>(
            "centre",
            &format!("--robust: need one marker, got {}", tracks.len()),
        );
    }
    let markers: Vec<Points> = tracks.iter().map(Track::points).collect();
    let fit = sphere_many(&markers, method).map_err(|error| {
        // The first marker that has no answer by itself is the one that it is about.
        let alone = |track: &&Track| sphere_many(&[track.points()], method).is_err();
        match tracks.iter().find(alone) {
            Some(track) => at(error, track),
            None => error,
        }
    })?;
    let slide_m = tracks.iter().map(|track| track.slide_m(&fit.centre)).fold(0.0, f64::max);
    Ok(Answer::of_many(&fit.with_soft_tissue(slide_m), tracks))
}

/// Names the file, or the marker in it, that has no answer.
pub fn at(error: condyle::Error, track: &Track) -> condyle::Error {
    error.with_path(track.source.as_ref())
}
