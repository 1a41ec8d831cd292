//! Points that a model computed and that sit among the markers: joint centres, axes, angles.

use std::collections::HashSet;

use super::label;

/// Ends of labels that are angles, forces and the like, which files list as such or do not.
const QUANTITIES: &str = "\
    ANGLES ANGLESV ANKLEANGLE ANKLEANGLEV POWER POWERABS FORCE FORCEABS MOMENT MOMENTABS \
    GRF TIBIAROTATION GROUND";

/// Joint centres, middles between markers, and the centre of mass.
const POINTS: &str = "\
    ?HJC* ?KJC* ?AJC* ?SJC* ?EJC* ?WJC* ?FJC* ?CALJC ?MIDCEN MIDHJC \
    ?HIPCENT* ?KNEECENT* ?ANKLECENT* ?HIPJOINT* ?KNEEJOINT* ?ANKLEJOINT* \
    MIDASIS MIDPSI MIDPSIS MIDPELVIS MIDCLAVICLE MIDHIPS \
    CENTREOFMASS* CENTEROFMASS* COM WBCOM ORIGIN* AXISX* AXISY* AXISZ*";

/// Segments of Plug-in Gait whose names no marker has.
const FRAMES: [&str; 7] = ["PEL", "LFE", "RFE", "LTI", "RTI", "HED", "TRX"];

/// The origin and the ends of the anterior, lateral and proximal axis.
const ENDS: [char; 4] = ['O', 'A', 'L', 'P'];

/// Whether a label in normal spelling is a model's, given all labels of the performer.
pub(super) fn is_computed(word: &str, all: &HashSet<String>) -> bool {
    // Predicted from keypoints, hips too: what such a recording has of anatomy.
    if word.ends_with("STUDY") {
        return false;
    }
    QUANTITIES.split_whitespace().any(|end| word.len() > end.len() && word.ends_with(end))
        || POINTS.split_whitespace().any(|pattern| label::fit(pattern, word).is_some())
        || is_frame(word, all)
}

/// Whether it is one of the four points that draw the frame of a segment: `LFEO LFEA LFEL LFEP`.
///
/// Other segments than those of [`FRAMES`] are known by having at least three of the four, so that
/// a marker `LCLA` on the clavicle is not taken for an axis.
fn is_frame(word: &str, all: &HashSet<String>) -> bool {
    let Some(stem) = word.strip_suffix(ENDS) else { return false };
    if FRAMES.contains(&stem) {
        return true;
    }
    let of_the_four = ENDS.iter().filter(|end| all.contains(&format!("{stem}{end}"))).count();
    stem.len() >= 3 && of_the_four >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn computed(labels: &[&str]) -> Vec<String> {
        let all: HashSet<String> = labels.iter().map(|label| label::normal(label)).collect();
        let mut found: Vec<String> =
            all.iter().filter(|word| is_computed(word, &all)).cloned().collect();
        found.sort();
        found
    }

    #[test]
    fn knows_angles_centres_and_frames() {
        let labels = [
            "LHipAnglesV",
            "RGroundReactionForce",
            "LNormalisedGRF",
            "CentreOfMassFloor",
            "RHJC",
            "R_HJC_reg",
            "LFEO",
            "PELO",
            "LFOO",
            "LFOA",
            "LFOL",
            "LFOP",
            "TrunkIMUO",
            "TrunkIMUP",
            "TrunkIMUL",
            "L.HeelGround",
        ];
        assert_eq!(computed(&labels).len(), labels.len());
    }

    #[test]
    fn leaves_markers_alone() {
        let labels = [
            "RCLA",
            "LCLA",
            "RFOO",
            "LTHAP",
            "LTHLP",
            "RTOE",
            "LASI",
            "R.Scap.Angle",
            "PELR",
            "LPAT",
        ];
        assert!(computed(&labels).is_empty(), "{:?}", computed(&labels));
    }
}
