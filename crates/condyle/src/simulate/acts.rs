//! What goes on while a performer stays in its place, act by act.

use rand::{Rng, RngExt};

use super::performer::Performer;
use super::standing::Act;
use super::wave::Wave;

/// How long a joint takes to begin and to end a motion.
pub(super) const RAMP_S: f64 = 1.0;
/// How often joints go through their range.
const EXERCISE_HZ: f64 = 0.55;
/// How long a leg's turn lasts, about.
const TURN_S: f64 = 7.0;
/// How far a knee that nothing else moves is bent in a lifted leg, as a share of its range.
const LIFTED_KNEE: f64 = 0.3;

/// Waves through the range of the joints of some segments that never repeat together.
pub(super) fn incommensurate(
    performer: &Performer,
    segments: &[usize],
    rng: &mut impl Rng,
) -> Vec<(usize, Wave)> {
    let first = performer.first_angles();
    let mut waves = Vec::new();
    for segment in segments {
        for (axis, range) in performer.segments[*segment].joint.axes.iter().enumerate() {
            let index = first[*segment] + axis;
            // Multiples of the golden ratio spread evenly over the band.
            let spread = (index as f64 * 0.618_033_988_75).fract();
            let wave = Wave::through(range, 0.24 + 0.2 * spread, rng.random());
            waves.push((index, wave));
        }
    }
    waves
}

/// Range of motion: the legs take turns, everything else moves all the time.
pub(super) fn rom(performer: &Performer, seconds: f64, rng: &mut impl Rng) -> Vec<Act> {
    let in_legs: Vec<usize> = performer.legs.iter().flat_map(|leg| leg.segments).collect();
    let others: Vec<usize> =
        (1..performer.segments.len()).filter(|segment| !in_legs.contains(segment)).collect();
    let act = |from_s: f64, to_s: f64, waves, lifted| Act {
        from_s,
        to_s,
        ramp_s: RAMP_S.min((to_s - from_s) / 4.0),
        waves,
        lifted,
        high_step_m: 0.0,
    };
    let mut acts = vec![act(0.0, seconds, incommensurate(performer, &others, rng), Vec::new())];
    let legs = performer.legs.len();
    if legs > 0 {
        let rounds = (seconds / (TURN_S * legs as f64)).round().max(1.0);
        let turns = rounds as usize * legs;
        let turn_s = seconds / turns as f64;
        for turn in 0..turns {
            let leg = turn % legs;
            let waves = incommensurate(performer, &performer.legs[leg].segments, rng);
            let from_s = turn as f64 * turn_s;
            acts.push(act(from_s, from_s + turn_s, waves, vec![leg]));
        }
    }
    acts
}

/// One thing after the other: the performer's exercises, or each of its joints.
pub(super) fn exercises(performer: &Performer, seconds: f64) -> Vec<Act> {
    let first = performer.first_angles();
    let script: Vec<(Vec<usize>, f64)> = match performer.exercises.as_slice() {
        [] => (1..performer.segments.len()).map(|segment| (vec![segment], 0.0)).collect(),
        script => script.iter().map(|step| (step.driven.clone(), step.high_step_m)).collect(),
    };
    let turn_s = seconds / script.len().max(1) as f64;
    let act = |(turn, (driven, high_step_m)): (usize, (Vec<usize>, f64))| {
        let from_s = turn as f64 * turn_s;
        // The first two axes make a circle, the third goes along at half the pace.
        let roll = [(1.0, 0.25), (1.0, 0.0), (0.5, 0.1)];
        let mut waves = Vec::new();
        for segment in &driven {
            let axes = performer.segments[*segment].joint.axes.iter().zip(roll).enumerate();
            waves.extend(axes.map(|(axis, (range, (pace, phase)))| {
                // Phases count from the act's beginning.
                let frequency_hz = pace * EXERCISE_HZ;
                let phase = phase - frequency_hz * from_s;
                (first[*segment] + axis, Wave::through(range, frequency_hz, phase))
            }));
        }
        let is_lifted = |leg: &usize| {
            performer.legs[*leg].segments.iter().any(|segment| driven.contains(segment))
        };
        let lifted: Vec<usize> = (0..performer.legs.len()).filter(is_lifted).collect();
        for leg in &lifted {
            let shank = performer.legs[*leg].segments[1];
            if !driven.contains(&shank) {
                let [least, most] = performer.segments[shank].joint.axes[0].rom_rad;
                waves.push((first[shank], Wave::constant(least + LIFTED_KNEE * (most - least))));
            }
        }
        Act {
            from_s,
            to_s: from_s + turn_s,
            ramp_s: RAMP_S.min(turn_s / 4.0),
            waves,
            lifted,
            high_step_m,
        }
    };
    script.into_iter().enumerate().map(act).collect()
}
