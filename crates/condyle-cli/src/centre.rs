//! `condyle centre`: the centre that markers rotate about, with the evidence for it.

use std::io::Write;
use std::process::ExitCode;

use condyle::centre::{ManyMethod, Method, Noise, Verdict, sphere, sphere_many, sphere_robust};
use condyle::{ErrorKind, Result};

use crate::args::{CentreArgs, MethodChoice, ShapeChoice};
use crate::centre_answer::Answer;
use crate::centre_points::{self, Track};
use crate::{centre_json, centre_page, centre_shape, say};

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
    let answers = match (tracks.as_slice(), args.shape, args.method) {
        ([track], ShapeChoice::Sphere, MethodChoice::All) => compare(track, args.sigma),
        ([track], ShapeChoice::Sphere, method) => vec![one(track, method, args)?],
        (tracks, ShapeChoice::Sphere, method) => vec![many(tracks, method, args)?],
        (tracks, shape, _) => vec![centre_shape::fit(tracks, shape, args)?],
    };
    for answer in &answers {
        warn(answer);
    }
    let mut out = anstream::stdout();
    match args.json {
        true => centre_json::print(&answers, args.method == MethodChoice::All, &mut out)?,
        false => centre_page::print(&tracks, &answers, &mut out)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Says aloud what must not be overlooked.
fn warn(answer: &Answer) {
    if let Some(error) = &answer.error {
        say::note(&format!("{}: {error}", answer.method));
    } else if answer.verdict == Some(Verdict::Insufficient) {
        say::note(&format!(
            "{}: the points did not move enough, or are too few, to trust this centre",
            answer.method
        ));
    }
}

fn compare(track: &Track, sigma: Option<f64>) -> Vec<Answer> {
    let known = sigma.map(|sigma| Method::Ugdk(Noise::Sigma(sigma)));
    let methods = COMPARED.into_iter().chain(known);
    let answer = |method: Method| match sphere(track.axes(), method) {
        Ok(fit) => Answer::of_sphere(&fit),
        Err(error) => Answer::failed(method.name(), &error),
    };
    methods.map(answer).collect()
}

fn one(track: &Track, choice: MethodChoice, args: &CentreArgs) -> Result<Answer> {
    let method = match choice {
        MethodChoice::Ugdk => Method::Ugdk(Noise::Sigma(args.sigma.unwrap_or_default())),
        choice => choice.method().unwrap_or_default(),
    };
    let fit = match args.robust {
        false => Answer::of_sphere(&sphere(track.axes(), method).map_err(|e| at(e, track))?),
        true => {
            let robust = sphere_robust(track.axes(), method).map_err(|e| at(e, track))?;
            let mut answer = Answer::of_sphere(&robust.fit);
            answer.rejected = Some(robust.rejected.len());
            answer
        }
    };
    Ok(fit)
}

fn many(tracks: &[Track], choice: MethodChoice, args: &CentreArgs) -> Result<Answer> {
    let method = match choice {
        MethodChoice::Default | MethodChoice::Mgdk | MethodChoice::ScGdk => {
            ManyMethod::SelfCalibrated
        }
        MethodChoice::Gdke => ManyMethod::Plain,
        MethodChoice::Ugdk => ManyMethod::Unbiased { sigma: args.sigma.unwrap_or_default() },
        _ => {
            return Err(ErrorKind::Argument(format!(
                "several markers: need --method mgdk, sc-gdk, gdke or ugdk, got {} markers and '{choice}'",
                tracks.len()
            ))
            .into());
        }
    };
    if args.robust {
        return Err(ErrorKind::Argument("--robust: need one marker, got several".into()).into());
    }
    let markers: Vec<[&[f64]; 3]> = tracks.iter().map(Track::axes).collect();
    let fit = sphere_many(&markers, method).map_err(|error| {
        // The first marker that has no answer by itself is the one that it is about.
        let alone = |track: &&Track| sphere_many(&[track.axes()], method).is_err();
        match tracks.iter().find(alone) {
            Some(track) => at(error, track),
            None => error,
        }
    })?;
    Ok(Answer::of_many(&fit))
}

/// Names the file, or the marker in it, that has no answer.
pub fn at(error: condyle::Error, track: &Track) -> condyle::Error {
    error.with_path(track.source.as_ref())
}
