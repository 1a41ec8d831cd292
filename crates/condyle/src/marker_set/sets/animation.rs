//! Sets of animation studios and of skeletons that other programs solved.

use crate::marker_set::table::{MarkerSet, PLAIN};

/// OptiTrack's Baseline: 37 markers, 41 with hinged toes; more with fingers.
pub(super) const OPTITRACK_BASELINE: MarkerSet = MarkerSet {
    name: "OptiTrack Baseline",
    core: &[
        ("head", "HEADTOP HEADFRONT HEADSIDE"),
        ("chest", "BACKTOP CHEST ?BACK ?SHOULDERTOP ?SHOULDERBACK"),
        ("? upper arm", "?UARMHIGH ?ELBOWOUT"),
        ("? forearm", "?WRISTOUT ?WRISTIN/?WRISTTOP/?FARM"),
        ("? hand", "?HANDOUT"),
        ("pelvis", "WAIST?FRONT WAIST?BACK"),
        ("? thigh", "?THIGH/?THIGHFRONT/?THIGHSIDE ?KNEEOUT"),
        ("? shank", "?SHIN ?ANKLEOUT"),
        ("? foot", "?TOEOUT ?TOEIN ?HEEL ?TOETIP"),
    ],
    extra: &[
        ("pelvis", "?WAIST WAISTC WAISTCFRONT WAISTCBACK"),
        ("chest", "CHESTTOP CHESTLOW CHEST? BACKLOW"),
        ("? upper arm", "?UARM ?UARMLOW ?ELBOWIN"),
        ("? thigh", "?KNEEIN"),
        ("? shank", "?SHINFRONT ?ANKLEIN"),
        ("? hand", "?HANDIN ?THUMB* ?INDEX* ?MIDDLE* ?RING* ?PINKY*"),
    ],
    ..PLAIN
};

/// The numbered set of OptiTrack's Arena, with two or three markers a bone.
pub(super) const OPTITRACK_ARENA: MarkerSet = MarkerSet {
    name: "OptiTrack Arena",
    core: &[
        ("head", "HEAD#"),
        ("chest", "CHEST# ?SHOULDER#"),
        ("? upper arm", "?UARM#"),
        ("? hand", "?HAND#"),
        ("pelvis", "HIP#"),
        ("? thigh", "?THIGH#"),
        ("? shank", "?SHIN#"),
        ("? foot", "?FOOT#"),
    ],
    extra: &[("? forearm", "?FARM#"), ("? toes", "?TOE#")],
    ..PLAIN
};

/// Qualisys' animation set, and its sports set in the extras.
pub(super) const QUALISYS_ANIMATION: MarkerSet = MarkerSet {
    name: "Qualisys Animation",
    core: &[
        ("head", "HEAD? HEADTOP HEADFRONT"),
        ("chest", "CHEST SPINETOP/SPINETHORACIC2 BACK? ?SHOULDERTOP ?SHOULDERBACK"),
        ("? upper arm", "?ARM ?ELBOWOUT"),
        ("? forearm", "?WRISTOUT ?WRISTIN"),
        ("? hand", "?HANDOUT/?HAND2 ?HANDIN"),
        ("pelvis", "WAIST?FRONT WAIST?BACK/WAIST?"),
        ("? thigh", "?THIGH/?THIGHFRONTLOW ?KNEEOUT"),
        ("? shank", "?SHIN/?SHINFRONTHIGH ?ANKLEOUT"),
        ("? foot", "?HEELBACK ?FOREFOOTOUT/?FOREFOOT5 ?FOREFOOTIN/?FOREFOOT2 ?TOETIP"),
    ],
    extra: &[
        ("chest", "SPINETHORACIC12 BACKTOP BACKMIDDLE CHESTLOW"),
        ("? upper arm", "?ELBOWIN ?ELBOW"),
        ("pelvis", "WAISTBACK BACKLOW"),
        ("? thigh", "?KNEEIN ?THIGHHIGH ?THIGHLOW ?THIGHMEDIAL"),
        ("? shank", "?SHINFRONTLOW ?SHINSIDE ?ANKLEIN"),
        ("? foot", "?FOREFOOT1"),
        ("? hand", "?THUMB* ?INDEX* ?MIDDLE* ?RING* ?PINKY* ?LITTLE*"),
    ],
    ..PLAIN
};

/// The solved skeleton of ART: an origin and the ends of two axes for every bone.
pub(super) const ART_HUMAN: MarkerSet = MarkerSet {
    name: "ART Human",
    core: &[
        ("pelvis", "PELV PELVY PELVZ"),
        ("lower lumbar spine", "LLSP LLSPY LLSPZ"),
        ("upper lumbar spine", "ULSP ULSPY ULSPZ"),
        ("lower thorax", "LTSP LTSPY LTSPZ"),
        ("chest", "UTSP UTSPY UTSPZ"),
        ("neck", "NECK NECKY NECKZ"),
        ("head", "HEAD HEADY HEADZ"),
        ("? clavicle", "?SHO ?SHOY ?SHOZ"),
        ("? upper arm", "?UAR ?UARY ?UARZ"),
        ("? forearm", "?LAR ?LARY ?LARZ"),
        ("? hand", "?HAN ?HANY ?HANZ"),
        ("? thigh", "?ULE ?ULEY ?ULEZ"),
        ("? shank", "?LLE ?LLEY ?LLEZ"),
        ("? foot", "?FOO ?FOOY ?FOOZ"),
    ],
    ..PLAIN
};

/// Points that a camera without markers saw: joints, each on the segment above it.
pub(super) const POSE_KEYPOINTS: MarkerSet = MarkerSet {
    name: "pose keypoints",
    core: &[
        ("head", "NOSE ?EYE"),
        ("chest", "?SHOULDER"),
        ("? upper arm", "?ELBOW"),
        ("? forearm", "?WRIST"),
        ("pelvis", "?HIP"),
        ("? thigh", "?KNEE"),
        ("? shank", "?ANKLE"),
        ("? foot", "?BIGTOE ?SMALLTOE ?HEEL"),
    ],
    extra: &[
        ("head", "?EAR HEAD HEADTOP"),
        ("chest", "NECK"),
        ("? hand", "?THUMB ?INDEX ?PINKY ?HAND"),
        ("pelvis", "HIP MIDHIP PELVIS"),
        ("? foot", "?FOOTINDEX"),
    ],
    ..PLAIN
};
