//! The frames of an AMC file.

use crate::error::{Error, Result};
use crate::format::asf::Rig;
use crate::format::proportion::in_proportion;
use crate::format::table;
use crate::format::text::{self, cut};
use crate::trial::Note;

/// What an AMC file holds.
#[derive(Debug, Default)]
pub(super) struct Frames {
    pub(super) count: usize,
    /// The number of the first frame.
    pub(super) first_frame: i64,
    /// The rate, where the file states one against the custom.
    pub(super) rate_hz: Option<f64>,
    /// Channel values in metres and radians.
    pub(super) values: Vec<f64>,
    pub(super) notes: Vec<Note>,
}

/// What was odd, counted so that it is noted once.
#[derive(Default)]
struct Oddities {
    bones_missing: usize,
    frames_with_missing: usize,
    short_lines: usize,
    unknown_bones: usize,
    first_unknown: String,
    jumps: usize,
}

/// Reads all frames; a bone that a frame does not mention is at rest there.
pub(super) fn read(text: &str, rig: &Rig, file_bytes: usize) -> Result<Frames> {
    let channels = rig.skeleton.channel_count();
    let mut at_rest = vec![0.0; channels];
    for bone in 0..rig.bones().len() {
        rig.move_bone(bone, &[], true, &mut at_rest);
    }
    let mut frames = Frames::default();
    let mut odd = Oddities::default();
    let mut in_radians = rig.in_radians;
    // For every bone the frame that mentioned it last, counted from 1.
    let mut mentioned_in = vec![0_usize; rig.bones().len()];
    let mut mentioned = 0;
    let mut last_number: Option<i64> = None;
    let mut numbers: Vec<f64> = Vec::new();
    let text = text.trim_end();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        let mut words = line.split_whitespace();
        let Some(first) = words.next().filter(|first| !first.starts_with('#')) else { continue };
        if first.starts_with(':') {
            match first.to_ascii_lowercase().as_str() {
                ":degrees" => in_radians = false,
                ":radians" => in_radians = true,
                ":samples-per-second" => {
                    frames.rate_hz = words.next().and_then(text::number).filter(|rate| *rate > 0.0);
                }
                _ => {}
            }
            continue;
        }
        if let (Ok(number), None) = (first.parse::<i64>(), words.clone().next()) {
            if frames.count > 0 {
                odd.frame_ended(mentioned, rig.bones().len());
            }
            if !in_proportion(frames.count + 1, channels, 8, file_bytes) {
                let what = format!(
                    "frames: need the bones' numbers, got {} frames nearly without",
                    frames.count
                );
                return Err(Error::at_line(index + 1, what));
            }
            match last_number {
                Some(last) => odd.jumps += usize::from(last.checked_add(1) != Some(number)),
                None => frames.first_frame = number,
            }
            last_number = Some(number);
            frames.count += 1;
            frames.values.extend_from_slice(&at_rest);
            mentioned = 0;
            continue;
        }
        if frames.count == 0 {
            let what = format!("frame: need its number before the bones, got '{}'", cut(first));
            return Err(Error::at_line(index + 1, what));
        }
        let Some(bone) = rig.find(first) else {
            odd.unknown(first);
            continue;
        };
        numbers.clear();
        let wanted = rig.bones()[bone].dofs.len();
        let mut is_cut = false;
        for word in words.take(wanted) {
            match text::number(word) {
                Some(number) => numbers.push(number),
                None if lines.peek().is_none() => is_cut = true,
                None => {
                    let what = format!("bone {first}: need numbers, got '{}'", cut(word));
                    return Err(Error::at_line(index + 1, what));
                }
            }
        }
        is_cut |= numbers.len() < wanted && lines.peek().is_none();
        if is_cut {
            continue;
        }
        odd.short_lines += usize::from(numbers.len() < wanted);
        mentioned += usize::from(mentioned_in[bone] != frames.count);
        mentioned_in[bone] = frames.count;
        let start = (frames.count - 1) * channels;
        rig.move_bone(bone, &numbers, in_radians, &mut frames.values[start..]);
    }
    if frames.count == 0 {
        return Err(Error::malformed("motion: need at least one frame, got none"));
    }
    let is_cut = frames.count > 1 && mentioned < rig.bones().len() && odd.bones_missing == 0;
    if is_cut {
        frames.count -= 1;
        frames.values.truncate(frames.count * channels);
        let text = format!(
            "the last frame has {mentioned} of {} bones and is left out: the file seems cut",
            rig.bones().len()
        );
        frames.notes.push(Note::new("truncated", text));
    } else {
        odd.frame_ended(mentioned, rig.bones().len());
    }
    frames.values.shrink_to_fit();
    frames.notes.extend(odd.notes().into_iter().flatten());
    Ok(frames)
}

impl Oddities {
    fn frame_ended(&mut self, mentioned: usize, bones: usize) {
        self.bones_missing += bones - mentioned;
        self.frames_with_missing += usize::from(mentioned < bones);
    }

    fn unknown(&mut self, name: &str) {
        if self.unknown_bones == 0 {
            self.first_unknown = cut(name);
        }
        self.unknown_bones += 1;
    }

    fn notes(&self) -> [Option<Note>; 4] {
        let Self { bones_missing, first_unknown, .. } = self;
        let missing = format!(
            "frames leave out bones, {bones_missing} times in all: those bones are at rest there"
        );
        let unknown = format!(
            "lines move bones that the skeleton has not or keeps fixed, the first is '{first_unknown}': ignored"
        );
        let short = "bone lines have too few numbers: zeros added";
        [
            Note::counted(self.frames_with_missing, "bones-missing", &missing),
            Note::counted(self.short_lines, "line-short", short),
            Note::counted(self.unknown_bones, "bones-unknown", &unknown),
            table::note_jumps(self.jumps),
        ]
    }
}
