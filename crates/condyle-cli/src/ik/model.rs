//! What `condyle ik` moves: a file of its own, a subject, the skeleton of a recording, a robot arm.

use std::fs;
use std::path::Path;

use condyle::ik::Model;
use condyle::subject::Subject;
use condyle::{Error, Result, limbs};

use crate::ik::IkArgs;
use crate::terminal::input;

/// Reads the model, hung up by its first pin, and chooses its effectors.
pub fn read(args: &IkArgs) -> Result<Model> {
    let named = |error: Error| error.with_path(&args.model);
    let mut model = any(args).map_err(named)?;
    if !args.effectors.is_empty() {
        model.effectors = joints(&model, "effectors", &args.effectors).map_err(named)?;
    }
    Ok(model)
}

/// The joints of a list of names or numbers; the base is none of them.
pub fn joints(model: &Model, what: &str, names: &[String]) -> Result<Vec<usize>> {
    let joint = |name: &String| {
        model.find(name.trim()).filter(|joint| *joint > 0).ok_or_else(|| {
            let known: Vec<&str> =
                model.names.iter().skip(1).take(40).map(String::as_str).collect();
            Error::argument(format!("{what}: need any of {}; got '{name}'", known.join(", ")))
        })
    };
    names.iter().map(joint).collect()
}

fn any(args: &IkArgs) -> Result<Model> {
    let extension = args.model.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let base = args.pin.first().map(|name| name.trim());
    let unpinned = |model: Result<Model>| match base {
        None => model,
        Some(_) => Err(Error::argument(
            "pin: need a subject or a recording with a skeleton; the base of others stays anyway",
        )),
    };
    match extension.to_ascii_lowercase().as_str() {
        "urdf" => unpinned(limbs::from_urdf(&fs::read_to_string(&args.model)?)),
        "json" => {
            let text = fs::read_to_string(&args.model)?;
            match text.contains("\"segments\"") {
                true => limbs::from_subject(&Subject::from_json(&text)?, base),
                false => unpinned(Model::from_json(&text)),
            }
        }
        _ => of_recording(&args.model, args, base),
    }
}

/// The skeleton of a recording in its first frame.
fn of_recording(path: &Path, args: &IkArgs, base: Option<&str>) -> Result<Model> {
    let trial = input::read(path, &args.reading.options())?;
    let Some(motion) = &trial.motion else {
        return Err(Error::argument(
            "need a chain as JSON, a subject, a URDF, or a recording with a skeleton; got one without",
        ));
    };
    limbs::from_motion(motion, base)
}
