//! Reading a performer's description from TOML, which docs/performer.md explains.

mod entries;
mod mirror;
mod names;
mod segments;
mod walking;

use toml::Spanned;
use toml::de::DeValue;

use self::entries::{Description, Named};
use self::names::Names;
use super::performer::Performer;
use crate::error::{Error, Result};
use crate::tables;

/// No length, angle or share is larger.
const LARGEST: f64 = 1e6;

/// Reads a whole description.
pub(super) fn performer(text: &str) -> Result<Performer> {
    let table = tables::parsed(text)?;
    table.get_ref().values().try_for_each(|value| check_numbers(text, value))?;
    let description: Description = tables::data(text, table)?;
    let mut entries = description.segment;
    if description.mirror {
        entries = mirror::both_sides(entries);
    }
    let mut names = Names::new(text);
    let segments = segments::read(&entries, &mut names)?;
    let mut performer = Performer {
        name: description.name,
        marker_set: String::new(),
        is_fixed: description.fixed,
        segments,
        legs: Vec::new(),
        walk: None,
        chicken_walk: None,
        exercises: Vec::new(),
        digits: Vec::new(),
    };
    for entry in &description.leg {
        let leg = walking::leg(entry, &performer, &names)?;
        performer.legs.push(leg);
    }
    let gait = |entry| walking::gait(entry, &performer, &names);
    let (walk, chicken_walk) = (
        description.walk.as_ref().map(gait).transpose()?,
        description.chicken_walk.as_ref().map(gait).transpose()?,
    );
    (performer.walk, performer.chicken_walk) = (walk, chicken_walk);
    for entry in &description.exercise {
        performer.exercises.push(walking::exercise(entry, &names)?);
    }
    performer.marker_set = marker_set(&performer, description.marker_set, &names)?;
    Ok(performer)
}

/// The marker set that is worn by default: the one that is named, or the first.
fn marker_set(performer: &Performer, named: Option<Named>, names: &Names) -> Result<String> {
    let sets = performer.marker_sets();
    match named {
        Some(named) if sets.contains(&named.get_ref().as_str()) => Ok(named.into_inner()),
        Some(named) => {
            let what = format!("marker_set: need one of {sets:?}, got {:?}", named.get_ref());
            Err(names.wrong(&named, what))
        }
        None => Ok(sets.first().map_or(segments::ONLY_SET, |set| set).to_owned()),
    }
}

/// Refuses numbers that would make nonsense of everything: infinite ones and huge ones.
fn check_numbers(text: &str, value: &Spanned<DeValue>) -> Result<()> {
    let number = match value.get_ref() {
        DeValue::Array(values) => {
            return values.iter().try_for_each(|value| check_numbers(text, value));
        }
        DeValue::Table(table) => {
            return table.values().try_for_each(|value| check_numbers(text, value));
        }
        DeValue::Float(number) => number.as_str(),
        DeValue::Integer(number) => number.as_str(),
        _ => return Ok(()),
    };
    match number.parse::<f64>() {
        Ok(parsed) if parsed.abs() > LARGEST || parsed.is_nan() => {
            let what = format!("need a number within a million, got {number}");
            Err(at(text, value.span().start, &what))
        }
        // Hexadecimal integers and the like are the deserializer's.
        _ => Ok(()),
    }
}

/// The error at a byte of the text.
fn at(text: &str, byte: usize, what: &str) -> Error {
    Error::at_line(tables::line(text, byte), what)
}

#[cfg(test)]
mod tests;
