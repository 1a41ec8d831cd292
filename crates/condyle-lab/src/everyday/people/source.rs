//! Where the mean proportions of a simulated population come from.

/// A published source of mean proportions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Source {
    /// R. Dumas, L. Chèze, J.-P. Verriest 2007, *Adjustments to McConville et al. and Young et al. body segment inertial
    /// parameters*, table 2 (lengths between joints, men of 1.77 m and women of 1.61 m); hips, lumbar joint, neck
    /// and shoulder from landmarks after M. Reed, M. Manary, L. Schneider 1999, *Methods for measuring and representing
    /// automobile occupant posture*, which Dumas uses; stature and ankle breadth of C. Gordon and others 2014, *2012
    /// anthropometric survey of U.S. Army personnel* (ANSUR II).
    #[default]
    Dumas,
    /// R. Drillis, R. Contini 1966, *Body segment parameters*, with hips after A. Bell and others 1990: the means of the
    /// library's own simulated person.
    Drillis,
}

/// Mean proportions of one sex: shares of the stature, except where they are shares of the pelvis' width.
pub(super) struct Means {
    pub stature_m: f64,
    pub stature_sd_m: f64,
    pub thigh: f64,
    pub shank: f64,
    pub upper_arm: f64,
    pub forearm: f64,
    /// From the lumbar joint to the neck.
    pub trunk: f64,
    /// From one anterior iliac spine to the other, on the bone.
    pub pelvis_width: f64,
    /// From between the anterior iliac spines to between the posterior ones, on the bone.
    pub pelvis_depth: f64,
    /// Of the pelvis' width: how far behind, aside and below the middle of the iliac spines a hip is.
    pub hip: [f64; 3],
    /// Of the pelvis' width: how far behind and above the middle of the iliac spines the lumbar joint is.
    pub lumbar: [f64; 2],
    /// From the middle of the body to a shoulder.
    pub shoulder_aside: f64,
    pub knee_width: f64,
    pub ankle_width: f64,
    pub elbow_width: f64,
    pub wrist_width: f64,
}

const DUMAS_MEN: Means = Means {
    stature_m: 1.756,
    stature_sd_m: 0.068,
    thigh: 0.432 / 1.77,
    shank: 0.433 / 1.77,
    upper_arm: 0.271 / 1.77,
    forearm: 0.283 / 1.77,
    trunk: 0.477 / 1.77,
    // Pelvis length .094 is .404 of the width by Reed's regressions.
    pelvis_width: 0.233 / 1.77,
    pelvis_depth: 0.085,
    hip: [0.208, 0.361, 0.278],
    lumbar: [0.264, 0.126],
    shoulder_aside: 0.101,
    knee_width: 0.0553,
    ankle_width: 0.0426,
    elbow_width: 0.0400,
    wrist_width: 0.0335,
};

const DUMAS_WOMEN: Means = Means {
    stature_m: 1.629,
    stature_sd_m: 0.064,
    thigh: 0.379 / 1.61,
    shank: 0.388 / 1.61,
    upper_arm: 0.243 / 1.61,
    forearm: 0.247 / 1.61,
    trunk: 0.429 / 1.61,
    pelvis_width: 0.242 / 1.61,
    pelvis_depth: 0.089,
    hip: [0.197, 0.372, 0.270],
    lumbar: [0.289, 0.172],
    shoulder_aside: 0.096,
    knee_width: 0.0555,
    ankle_width: 0.0412,
    elbow_width: 0.0380,
    wrist_width: 0.0320,
};

const DRILLIS: Means = Means {
    stature_m: 1.70,
    stature_sd_m: 0.09,
    thigh: 0.245,
    shank: 0.246,
    upper_arm: 0.186,
    forearm: 0.146,
    trunk: 0.43 / 1.75,
    pelvis_width: 0.136,
    pelvis_depth: 0.088,
    hip: [0.19, 0.36, 0.30],
    lumbar: [0.24, 0.25],
    shoulder_aside: 0.18 / 1.75,
    knee_width: 0.056,
    ankle_width: 0.041,
    elbow_width: 0.039,
    wrist_width: 0.034,
};

impl Source {
    /// The means of one sex.
    pub(super) fn means(self, is_woman: bool) -> &'static Means {
        match (self, is_woman) {
            (Self::Dumas, false) => &DUMAS_MEN,
            (Self::Dumas, true) => &DUMAS_WOMEN,
            (Self::Drillis, _) => &DRILLIS,
        }
    }
}
