//! Joints in a report: a sentence each, and advice once for every cause.

use condyle::subject::{CentreKnown, JointKind, JointMethod};
use condyle_page::page::{Share, Tone};

use super::results::JointResult;

/// The tone of a joint whose centre is known so well.
pub fn tone_of(joint: &JointResult) -> Tone {
    match joint.centre {
        CentreKnown::Well => Tone::Good,
        CentreKnown::Fairly => Tone::Open,
        CentreKnown::Barely => Tone::Bad,
    }
}

/// What is known of a joint, in a sentence, and how much of it the motion told.
pub fn sentence(joint: &JointResult) -> Share {
    let turned: Vec<String> =
        joint.ranges_rad.iter().map(|rad| format!("{:.0}", rad.to_degrees())).collect();
    let known = match joint.centre {
        CentreKnown::Well => "well known",
        CentreKnown::Fairly => "fairly known",
        CentreKnown::Barely => "barely known",
    };
    let sd_mm = joint.sd_m * 1e3;
    let text = match joint.ranges_rad.iter().all(|rad| rad.abs() < 1e-6) {
        true => {
            format!("nothing was seen of what is beyond it; its centre {known}, to {sd_mm:.0} mm")
        }
        false => format!(
            "{}, by {} degrees{}; its centre {known}, to {sd_mm:.0} mm",
            joint.kind.movement(),
            turned.join(", "),
            if joint.kind == JointKind::Fixed { " with noise and skin" } else { "" },
        ),
    };
    Share { name: joint.name.clone(), text, tone: tone_of(joint), share: joint.from_motion }
}

/// What would tell more of joints that were filmed: no motion does.
pub const ADVICE_ON_FILMS: &str = "How far keypoints are from the centres of joints no motion shows, and no second recording \
    of the same kind: markers in one trial would, or anatomical points that are predicted from keypoints (_study).";

/// Why joints are not known better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    Guessed,
    Still,
    Wanders,
    OneAxis,
    Little,
}

impl Cause {
    const ALL: [Self; 5] = [Self::Guessed, Self::Still, Self::Wanders, Self::OneAxis, Self::Little];

    fn of(joint: &JointResult) -> Option<Self> {
        let advice = joint.advice.as_ref()?;
        Some(match (joint.method, joint.kind) {
            (JointMethod::Guess, _) => Self::Guessed,
            (_, JointKind::Fixed) => Self::Still,
            _ if advice.contains(" wanders ") => Self::Wanders,
            (_, JointKind::Hinge) => Self::OneAxis,
            (_, JointKind::Ball) => Self::Little,
        })
    }

    fn advice(self) -> &'static str {
        match self {
            Self::Guessed => {
                "only halfway between the nearest markers: three markers on either side, seen together while the joint \
                 moves, would tell its centre"
            }
            Self::Still => {
                "hardly moved: in a calibration trial, turn each by 30 degrees about one axis and 15 about another"
            }
            Self::Wanders => {
                "the centre wanders: skin that moves, something loose, or a joint without a fixed centre"
            }
            Self::OneAxis => {
                "turned about one axis alone, which does not tell where along it the centre is: if it can, turn it \
                 about another axis too"
            }
            Self::Little => {
                "turned too little for its noise: turn it more widely about all axes; skin or too few markers may be \
                 the reason too"
            }
        }
    }
}

/// What would make joints better: once for every cause, with the joints that it holds for.
pub fn advice(joints: &[JointResult]) -> Vec<String> {
    let of_cause = |cause: Cause| {
        let own = joints.iter().filter(|joint| Cause::of(joint) == Some(cause));
        let names: Vec<&str> = own.map(|joint| joint.name.as_str()).collect();
        (!names.is_empty()).then(|| format!("{}: {}.", names.join(", "), cause.advice()))
    };
    Cause::ALL.into_iter().filter_map(of_cause).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(name: &str, kind: JointKind, advice: Option<&str>) -> JointResult {
        JointResult {
            name: name.into(),
            kind,
            centre: CentreKnown::Fairly,
            method: JointMethod::TwoSided,
            sd_m: 0.012,
            best_sd_m: 0.004,
            from_motion: 0.25,
            from_knowledge: 0.75,
            ranges_rad: [1.0, 0.2, 0.1],
            samples: 100,
            gap_m: None,
            bone_m: None,
            bone_sd_m: None,
            bone_error_m: None,
            frames_placed: 100,
            advice: advice.map(str::to_owned),
        }
    }

    #[test]
    fn advice_is_given_once_for_every_cause() {
        let joints = [
            joint("left knee", JointKind::Hinge, Some("left knee: turned 60 degrees about one")),
            joint("right knee", JointKind::Hinge, Some("right knee: turned 58 degrees about one")),
            joint("neck", JointKind::Fixed, Some("neck: move head")),
            joint("waist", JointKind::Ball, None),
        ];
        let advice = advice(&joints);
        assert_eq!(advice.len(), 2, "{advice:?}");
        assert!(advice[0].starts_with("neck: hardly moved"), "{advice:?}");
        assert!(
            advice[1].starts_with("left knee, right knee: turned about one axis"),
            "{advice:?}"
        );
    }

    #[test]
    fn a_sentence_says_kind_place_and_motion() {
        let own = sentence(&joint("left knee", JointKind::Hinge, None));
        let wanted =
            "turned about one axis, by 57, 11, 6 degrees; its centre fairly known, to 12 mm";
        assert_eq!((own.text.as_str(), own.share), (wanted, 0.25));
    }
}
