//! Which way is up.

use condyle::format::ReadOptions;
use condyle::trial::{Axis, Parameter};

use super::file::{File, codes, frames, standing};

/// Someone who stands along z in a file that says another axis, or nothing.
fn body(y_screen: Option<&str>) -> File {
    let mut file = File::float(&standing(1.0));
    file.remove("POINT", "Y_SCREEN");
    y_screen.into_iter().for_each(|up| file.set("POINT", Parameter::strings("Y_SCREEN", &[up])));
    file
}

#[test]
fn y_screen_says_which_way_is_up() {
    for (text, up) in [("+Z", Axis::Z), ("Z", Axis::Z), ("+z ", Axis::Z)] {
        let trial = body(Some(text)).read();
        assert_eq!((trial.source.up, codes(&trial)), (Some(up), vec![]));
    }
}

#[test]
fn a_negative_axis_is_believed_unless_it_buries_the_body() {
    let mut file = File::float(&frames(2, 2));
    file.set("POINT", Parameter::strings("Y_SCREEN", &["-Z"]));
    let trial = file.read();
    assert_eq!((trial.source.up, codes(&trial)), (Some(Axis::NegativeZ), vec![]));

    let trial = body(Some("-Z")).read();
    assert_eq!((trial.source.up, codes(&trial)), (Some(Axis::Z), vec!["up"]));
}

#[test]
fn an_axis_that_lays_the_body_down_is_replaced_with_a_note() {
    let trial = body(Some("+Y")).read();
    assert_eq!((trial.source.up, codes(&trial)), (Some(Axis::Z), vec!["up"]));
    assert!(trial.notes[0].text.contains("would lay everything down"), "{}", trial.notes[0]);
}

#[test]
fn an_absent_or_unreadable_axis_is_guessed_from_the_body() {
    for y_screen in [None, Some("up")] {
        let trial = body(y_screen).read();
        assert_eq!((trial.source.up, codes(&trial)), (Some(Axis::Z), vec!["up"]));
    }
}

#[test]
fn the_callers_axis_overrides_all() {
    for y_screen in [None, Some("-Z"), Some("+X")] {
        let options = ReadOptions { up: Some(Axis::Y), ..ReadOptions::default() };
        let trial = body(y_screen).read_with(&options);
        // It lays the body down, which is said.
        assert_eq!((trial.source.up, codes(&trial)), (Some(Axis::Y), vec!["up"]));
    }
}
