//! Landmarks by the labels of their markers: those of the knowledge of people, which a test compares.

/// The front of the pelvis, and its back.
pub(super) const FRONT: &[&str] =
    &["?ASI", "?ASIS", "?IAS", "?EIAS", "?EAS", "?FWT", "WAIST?FRONT"];
pub(super) const BACK: &[&str] =
    &["?PSI", "?PSIS", "?IPS", "?EIPS", "?EPS", "?BACKASIS", "?BWT", "WAIST?BACK"];
/// The ends of a foot.
pub(super) const HEEL: &[&str] =
    &["?HEE", "?HEEL", "?CAL", "?CALC", "?FCC", "?HEELBACK", "?CA", "?POSTERIORFOOT"];
pub(super) const TOE: &[&str] = &[
    "?TOE",
    "?FM2",
    "?SMH",
    "?MT2",
    "?SM",
    "?MET",
    "?MT5",
    "?FM5",
    "?VMH",
    "?FOREFOOTOUT",
    "?FOREFOOT5",
    "?TOEOUT",
    "?P5MT",
    "?5META",
    "?VM",
    "?MFH5",
];
/// The two sides of a knee, an ankle, an elbow.
pub(super) const KNEE_INNER: &[&str] = &[
    "?KNM",
    "?KNEM",
    "?KNI",
    "?KNEIN",
    "?MFC",
    "?FME",
    "?MFE",
    "?MEPI",
    "?KNEEIN",
    "?KNEEMED",
    "?KNEEMEDIAL",
    "?MEDIALKNEE",
    "?MEDKNEE",
    "?MKN",
    "?MKNEE",
    "?ME",
    "?KNEEINT",
];
pub(super) const KNEE_OUTER: &[&str] = &[
    "?KNE", "?KNEE", "?KNEL", "?LFC", "?FLE", "?LFE", "?LEPI", "?KNEEOUT", "?KNEELAT", "?LATKNEE",
    "?LKN", "?LE", "?KNEE1", "?KNE1",
];
pub(super) const ANKLE_INNER: &[&str] = &[
    "?MED",
    "?ANKM",
    "?MMAL",
    "?TAM",
    "?MMA",
    "?ANKIN",
    "?ANKLEIN",
    "?ANKLEMED",
    "?ANKLEMEDIAL",
    "?MEDIALANKLE",
    "?MEDANKLE",
    "?MANKLE",
    "?ANI",
    "?MM",
    "?SPH",
];
pub(super) const ANKLE_OUTER: &[&str] = &[
    "?ANK",
    "?ANKL",
    "?ANKLE",
    "?LMAL",
    "?FAL",
    "?LMA",
    "?ANKLEOUT",
    "?ANKLELAT",
    "?LATANKLE",
    "?MALL",
    "?LM",
];
pub(super) const ELBOW_INNER: &[&str] =
    &["?MEL", "?HME", "?ELBM", "?ELBIN", "?ELBOWIN", "?MELBOW", "?MHE", "?EPIMED", "?ELBOWMED"];
pub(super) const ELBOW_OUTER: &[&str] = &[
    "?ELB",
    "?ELBOW",
    "?LEL",
    "?HLE",
    "?ELBOWOUT",
    "?LHE",
    "?EPILAT",
    "?LATERALEPICONDYLE",
    "?ELBOWLAT",
    "?LELBOW",
];
/// The top of a shoulder.
pub(super) const SHOULDER: &[&str] = &[
    "?SHO",
    "?SH",
    "?ACR",
    "?SHOULDER",
    "?SAJ",
    "?SAE",
    "?AC",
    "?ACROMION",
    "?ACROMIUM",
    "?SHOULDERTOP",
    "?SHOULD",
    "?CAJ",
];
/// The side of a wrist where the thumb is, and the other.
pub(super) const WRIST_RADIAL: &[&str] =
    &["?WRA", "?RSP", "?FARADIUS", "?WRISTIN", "?RS", "?WRISTRAD", "?WRISTLAT", "?WRISTRADIUS"];
pub(super) const WRIST_ULNAR: &[&str] = &[
    "?WRB",
    "?USP",
    "?FAULNA",
    "?WRISTOUT",
    "?UHE",
    "?US",
    "?WRISTULNA",
    "?WRISTMED",
    "?WRISTULN",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn labels_are_those_of_the_knowledge() {
        let text = include_str!("../whole_body/human.toml");
        let knowledge: toml::Table = text.parse().unwrap();
        let labels = |names: &[&str]| -> BTreeSet<String> {
            let all = knowledge["landmark"].as_array().unwrap().iter();
            let own = all.filter(|entry| names.contains(&entry["name"].as_str().unwrap()));
            let fields = own.flat_map(|entry| ["labels", "belt"].map(|field| entry.get(field)));
            let texts = fields.flatten().map(|labels| labels.as_str().unwrap());
            texts.flat_map(str::split_whitespace).map(str::to_owned).collect()
        };
        assert_eq!(labels(&["asis"]), FRONT.iter().map(|l| (*l).to_owned()).collect());
        assert_eq!(labels(&["psis"]), BACK.iter().map(|l| (*l).to_owned()).collect());
        assert_eq!(labels(&["heel"]), HEEL.iter().map(|l| (*l).to_owned()).collect());
        assert_eq!(
            labels(&["toe", "fifth_metatarsal"]),
            TOE.iter().map(|l| (*l).to_owned()).collect()
        );
        assert_eq!(labels(&["knee_medial"]), KNEE_INNER.iter().map(|l| (*l).to_owned()).collect());
        assert_eq!(labels(&["knee_lateral"]), KNEE_OUTER.iter().map(|l| (*l).to_owned()).collect());
        assert_eq!(
            labels(&["ankle_medial"]),
            ANKLE_INNER.iter().map(|l| (*l).to_owned()).collect()
        );
        assert_eq!(
            labels(&["ankle_lateral"]),
            ANKLE_OUTER.iter().map(|l| (*l).to_owned()).collect()
        );
        assert_eq!(
            labels(&["elbow_medial"]),
            ELBOW_INNER.iter().map(|l| (*l).to_owned()).collect()
        );
        assert_eq!(
            labels(&["elbow_lateral"]),
            ELBOW_OUTER.iter().map(|l| (*l).to_owned()).collect()
        );
        assert_eq!(labels(&["acromion"]), SHOULDER.iter().map(|l| (*l).to_owned()).collect());
        assert_eq!(
            labels(&["wrist_radial"]),
            WRIST_RADIAL.iter().map(|l| (*l).to_owned()).collect()
        );
        assert_eq!(labels(&["wrist_ulnar"]), WRIST_ULNAR.iter().map(|l| (*l).to_owned()).collect());
    }
}
