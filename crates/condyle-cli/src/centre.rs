//! `condyle centre`: the centre that markers rotate about, with the evidence for it.

use std::io::Write;
use std::process::ExitCode;

use condyle::Result;
use condyle::centre::{ManyMethod, Method, Noise, Points, sphere, sphere_many, sphere_robust};

use crate::args::{CentreArgs, MethodChoice, ShapeChoice, usage};
use crate::centre_answer::Answer;
use crate::centre_points::{self, Track};
use crate::{centre_json, centre_notes, centre_page, centre_shape, say};

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
    let tracks = centre_points::read(args)?;
    let missing: usize = tracks.iter().map(|track| track.missing).sum();
    if missing > 0 {
        say::note(&format!("missing: {missing} samples without a position were left out"));
    }
    if let Some(what) = idle(args, tracks.len()) {
        say::note(&what);
    }
    let answers = match (tracks.as_slice(), args.shape, args.method) {
        ([track], ShapeChoice::Sphere, MethodChoice::All) => compare(track, args),
        ([track], ShapeChoice::Sphere, method) => vec![one(track, method, args)?],
        (tracks, ShapeChoice::Sphere, method) => vec![many(tracks, method, args)?],
        (tracks, shape, _) => vec![centre_shape::fit(tracks, shape, args)?],
    };
    for note in centre_notes::of(&answers) {
        say::note(&note);
    }
    let mut out = anstream::stdout();
    match args.json {
        true => {
            let is_comparison = args.method == MethodChoice::All;
            centre_json::print(&tracks, &answers, is_comparison, &mut out)?;
        }
        false => centre_page::print(&tracks, &answers, &mut out)?,
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
    if !is_robust {
        return Ok(Answer::of_sphere(&sphere(track.points(), method)?));
    }
    let robust = sphere_robust(track.points(), method)?;
    let rejected = Some(robust.rejected.len());
    Ok(Answer { rejected, ..Answer::of_sphere(&robust.fit) })
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
            usage("centre", &format!("{what} {count} markers and '{choice}'"))
        }
    };
    if args.robust {
        usage("centre", &format!("--robust: need one marker, got {}", tracks.len()));
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
    Ok(Answer::of_many(&fit, tracks))
}

/// Names the file, or the marker in it, that has no answer.
pub fn at(error: condyle::Error, track: &Track) -> condyle::Error {
    error.with_path(track.source.as_ref())
}
