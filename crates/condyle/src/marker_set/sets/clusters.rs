//! Sets of numbered clusters, three markers or more a segment.

use crate::marker_set::table::{MarkerSet, PLAIN};

/// Clusters after the calibrated anatomical systems technique: `RTH1`, `RSK2`, `LFT3`, `PV1`.
pub(super) const CAST: MarkerSet = MarkerSet {
    name: "CAST clusters",
    core: &[
        ("pelvis", "PV#/?PV#/PELVIS#/PEL#"),
        ("? thigh", "?TH#/?THIGH#/?THI#"),
        ("? shank", "?SK#/?SHANK#/?SH#/?LEG#"),
        ("? foot", "?FT#/?FOOT#"),
    ],
    extra: &[
        ("chest", "?TA# TR# TRUNK# THORAX# CHEST#"),
        ("head", "HD# HEAD#"),
        ("? upper arm", "?AR# ?UA# ?ARM# ARM?#"),
        ("? forearm", "?FA# ?FOREARM# FOREARM?#"),
        ("? hand", "?HA# ?HAND# GLOVE?#"),
        ("? scapula", "SCAPULA?#"),
        ("pelvis", "?ASIS SACRUM"),
        ("? foot", "?HEEL ?MT#"),
    ],
    ..PLAIN
};

/// Clusters and landmarks in one or two letters: thigh T, shank S, knee K, ankle A, foot F, heel H,
/// each lateral or medial.
pub(super) const SHORT_CLUSTERS: MarkerSet = MarkerSet {
    name: "CAST clusters, short labels",
    core: &[
        ("pelvis", "?ASIS ?PSIS"),
        ("? thigh", "?T# ?KL ?KM"),
        ("? shank", "?S# ?AL ?AM"),
        ("? foot", "?FL ?FM ?H"),
    ],
    ..PLAIN
};

/// Clusters and epicondyles as in many recordings made for OpenSim.
pub(super) const OPENSIM_CLUSTERS: MarkerSet = MarkerSet {
    name: "OpenSim clusters",
    core: &[
        ("chest", "C7 CLAV"),
        ("pelvis", "?ASI ?PSI"),
        ("? thigh", "?TH# ?LFC ?MFC"),
        ("? shank", "?TB# ?LMAL ?MMAL"),
        ("? foot", "?CAL ?TOE/?MT#"),
    ],
    extra: &[
        ("head", "?FHD ?BHD"),
        ("chest", "?CLAV STRN T10 ?ACR ?ASH ?PSH"),
        ("? upper arm", "?UA# ?LEL ?MEL"),
        ("? forearm", "?FASUPERIOR ?FARADIUS ?FAULNA"),
        ("? hand", "?MCP#"),
    ],
    ..PLAIN
};

/// The set of OpenSim's models gait2354, gait2392 and gait10dof18musc.
pub(super) const OPENSIM_GAIT: MarkerSet = MarkerSet {
    name: "OpenSim gait2392",
    core: &[
        ("chest", "STERNUM ?ACROMIUM"),
        ("pelvis", "?ASIS VSACRAL"),
        ("? thigh", "?THIGHUPPER ?THIGHFRONT ?THIGHREAR"),
        ("? shank", "?SHANKUPPER ?SHANKFRONT ?SHANKREAR"),
        ("? foot", "?HEEL ?MIDFOOTSUP ?MIDFOOTLAT ?TOELAT ?TOEMED ?TOETIP"),
    ],
    extra: &[
        ("head", "TOPHEAD ?TEMPLE"),
        ("? upper arm", "?BICEP ?ELBOW"),
        ("? forearm", "?WRISTMED ?WRISTLAT"),
        ("? thigh", "?KNEELAT ?KNEEMED"),
        ("? shank", "?ANKLELAT ?ANKLEMED"),
    ],
    ..PLAIN
};

/// The set of Rajagopal's full-body model (2016).
pub(super) const RAJAGOPAL: MarkerSet = MarkerSet {
    name: "Rajagopal",
    core: &[
        ("chest", "?SHOULDER ?CLAVICLE"),
        ("? upper arm", "?BICEPS ?ELBOW"),
        ("? forearm", "?FOREARM ?WRIST"),
        ("pelvis", "?ASIS ?PSIS S2"),
        ("? thigh", "?TH# ?KNEE"),
        ("? shank", "?SH# ?ANKLE"),
        ("? foot", "?HEEL ?MT5 ?TOE"),
    ],
    extra: &[("? upper arm", "?MELBOW"), ("? thigh", "?MKNEE"), ("? shank", "?MANKLE")],
    ..PLAIN
};
