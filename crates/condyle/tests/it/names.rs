//! What the labels of some recordings imply: which markers are on which segment.
/// Segments and the names of the markers on them.
pub type Segments = &'static [(&'static str, &'static str)];

/// The segment that a marker's name implies.
pub fn segment_of(segments: Segments, name: &str) -> Option<usize> {
    segments.iter().position(|(_, markers)| markers.split(' ').any(|marker| marker == name))
}

/// The Vicon 512 set as CMU and HDM05 wear it: knee on the thigh, elbow on the upper arm, shoulders on the
/// chest, wrist on the forearm, ankle on the shank.
pub const CMU: Segments = &[
    ("head", "LFHD RFHD LBHD RBHD"),
    ("chest", "C7 T10 CLAV STRN RBAC LSHO RSHO"),
    ("pelvis", "LFWT RFWT LBWT RBWT"),
    ("left upper arm", "LUPA LELB"),
    ("right upper arm", "RUPA RELB"),
    ("left forearm", "LFRM LWRA LWRB"),
    ("right forearm", "RFRM RWRA RWRB"),
    ("left hand", "LFIN"),
    ("right hand", "RFIN"),
    ("left thigh", "LTHI LKNE"),
    ("right thigh", "RTHI RKNE"),
    ("left shank", "LSHN LANK"),
    ("right shank", "RSHN RANK"),
    ("left foot", "LHEE LTOE LMT5"),
    ("right foot", "RHEE RTOE RMT5"),
];

/// The markers of the OpenSim model behind the synthetic recordings. Heel and toes are two bodies there, but
/// their joint does not move.
pub const NIMBLE: Segments = &[
    ("pelvis", "RASI LASI RPSI LPSI"),
    ("torso", "RACR LACR C7 CLAV RASH RPSH LASH LPSH"),
    ("right thigh", "RTH1 RTH2 RTH3 RLFC RMFC"),
    ("left thigh", "LTH1 LTH2 LTH3 LLFC LMFC"),
    ("right shank", "RTB1 RTB2 RTB3 RLMAL RMMAL"),
    ("left shank", "LTB1 LTB2 LTB3 LLMAL LMMAL"),
    ("right foot", "RCAL RTOE RMT5"),
    ("left foot", "LCAL LTOE LMT5"),
    ("right upper arm", "RUA1 RUA2 RUA3 RLEL RMEL"),
    ("left upper arm", "LUA1 LUA2 LUA3 LLEL LMEL"),
    ("right forearm", "RFAsuperior RFAradius RFAulna"),
    ("left forearm", "LFAsuperior LFAradius LFAulna"),
];
