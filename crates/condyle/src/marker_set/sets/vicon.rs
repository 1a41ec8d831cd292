//! Sets that grew around Vicon's systems.

use crate::marker_set::table::{MarkerSet, PLAIN};

/// Table 1 of Knight (2008); the first spelling of an entry is the table's own.
pub(in crate::marker_set) const KNIGHT: MarkerSet = MarkerSet {
    name: "Knight 51",
    core: &[
        ("head", "?FHD ?BHD"),
        ("chest", "?SHO ?FTSHOULD ?RRSHOULD CLAV STRN C7 T10 R10 RBAC/RBAK"),
        ("? upper arm", "?UPA ?ELB"),
        ("? forearm", "?ARM/?FRM/?FRA ?WRB ?WRA"),
        ("? hand", "?FIN"),
        ("pelvis", "?FWT/?ASI ?BWT/?PSI RPELVIS"),
        ("? thigh", "?THI ?GTR ?KNE"),
        ("? shank", "?LEG/?SHN ?TIB ?ANK"),
        ("? foot", "?MT5 ?TOE ?HEE"),
    ],
    ..PLAIN
};

/// The set of Carnegie Mellon's library, and of HDM05.
pub(super) const VICON_512: MarkerSet = MarkerSet {
    name: "Vicon 512",
    core: &[
        ("head", "?FHD ?BHD"),
        ("chest", "?SHO CLAV STRN C7 T10 RBAC/RBAK"),
        ("? upper arm", "?UPA ?ELB"),
        ("? forearm", "?FRM/?ARM ?WRA ?WRB"),
        ("? hand", "?FIN"),
        ("pelvis", "?FWT ?BWT"),
        ("? thigh", "?THI ?KNE"),
        ("? shank", "?SHN/?LEG ?ANK"),
        ("? foot", "?HEE ?TOE ?MT5"),
    ],
    extra: &[
        ("chest", "LBAC"),
        ("? thigh", "?KNI ?KNIUP"),
        ("? shank", "?KNEDOWN ?ANI ?ANE"),
        ("? foot", "?MT1 ?TAR ?TARI"),
        ("? hand", "?CAR ?THM ?PKY"),
    ],
    computed: "ROOT",
    ..PLAIN
};

/// What laboratories wear beside Plug-in Gait: medial markers, the knee alignment device (which
/// clamps the thigh's condyles), clusters of functional calibrations on femur (F) and tibia (T).
const BESIDE_PLUG_IN_GAIT: &[(&str, &str)] = &[
    ("pelvis", "SACR ASI"),
    ("chest", "C7 T10 CLAV STRN ?BAK ?SHO ?CLA"),
    ("? upper arm", "?UPA ?UPA# ?ELB ?ELBIN ?ELBM"),
    ("? forearm", "?FRM/?FRA ?WRA ?WRB ?WRI"),
    ("? hand", "?FIN ?PALA#"),
    ("? thigh", "?KNEIN ?KNM ?KNEM ?KAX ?KD# ?F0#"),
    ("? shank", "?ANKIN ?ANKM ?MED ?MMA ?MAK ?MAL ?T0# ?FIB"),
    ("? foot", "?MT1 ?MT5"),
];

/// Full-body Plug-in Gait.
pub(super) const PLUG_IN_GAIT: MarkerSet = MarkerSet {
    name: "Plug-in Gait",
    core: &[
        ("head", "?FHD ?BHD"),
        ("chest", "C7 T10 CLAV STRN RBAK ?SHO"),
        ("? upper arm", "?UPA ?ELB"),
        ("? forearm", "?FRM/?FRA ?WRA ?WRB"),
        ("? hand", "?FIN"),
        ("pelvis", "?ASI ?PSI"),
        ("? thigh", "?THI ?KNE"),
        ("? shank", "?TIB ?ANK"),
        ("? foot", "?HEE ?TOE"),
    ],
    extra: BESIDE_PLUG_IN_GAIT,
    ..PLAIN
};

/// Plug-in Gait from the pelvis down.
pub(super) const PLUG_IN_GAIT_LOWER: MarkerSet = MarkerSet {
    name: "Plug-in Gait lower body",
    core: &[
        ("pelvis", "?ASI ?PSI"),
        ("? thigh", "?THI ?KNE"),
        ("? shank", "?TIB ?ANK"),
        ("? foot", "?HEE ?TOE"),
    ],
    extra: BESIDE_PLUG_IN_GAIT,
    ..PLAIN
};

/// The conventional gait model 2: Plug-in Gait with more markers on thigh, shank and forefoot.
pub(super) const CGM2: MarkerSet = MarkerSet {
    name: "CGM2",
    core: &[
        ("head", "?FHD ?BHD"),
        ("chest", "C7 T2 T10 CLAV STRN RBAK ?SHO"),
        ("? upper arm", "?UPA ?ELB"),
        ("? forearm", "?FRM/?FRA ?WRA ?WRB"),
        ("? hand", "?FIN"),
        ("pelvis", "?ASI ?PSI"),
        ("? thigh", "?THI ?THAP ?THAD ?KNE"),
        ("? shank", "?TIB ?TIAP ?TIAD ?ANK"),
        ("? foot", "?HEE ?TOE ?FMH ?VMH"),
    ],
    extra: &[
        ("head", "?MAS GLAB"),
        ("pelvis", "SACR"),
        ("? thigh", "?KNM"),
        ("? shank", "?MED"),
        ("? foot", "?SMH ?FOOTOFF"),
    ],
    computed: "?HO",
    ..PLAIN
};

/// The one-letter labels of Vicon Clinical Manager: hip markers, femur, knee, bar, ankle, digit.
pub(super) const CLINICAL_MANAGER: MarkerSet = MarkerSet {
    name: "Vicon Clinical Manager",
    core: &[("pelvis", "H R B"), ("? thigh", "?F ?K"), ("? shank", "?B ?A"), ("? foot", "?D")],
    ..PLAIN
};
