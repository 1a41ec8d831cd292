//! Sets of gait laboratories other than Vicon's.

use crate::marker_set::table::{MarkerSet, PLAIN};

/// What is worn with it above the pelvis, in the middle of joints and on the foot.
const BESIDE_HELEN_HAYES: &[(&str, &str)] = &[
    ("head", "THEA/HEADTOP/TOPHEAD FHEA/HEADFRONT/FRONTHEAD RHEA/HEADREAR/REARHEAD"),
    ("chest", "?SHO/?SHOULDER ROFF/ROFFSET LSCA C7 IJ PX STERNUM"),
    ("? upper arm", "?ELB/?ELBOW"),
    ("? forearm", "?WRI/?WRIST"),
    ("pelvis", "?PSI ?PSIS OFFSET"),
    ("? thigh", "?KNEEMEDIAL/?MEDIALKNEE"),
    ("? shank", "?ANKLEMEDIAL/?MEDIALANKLE ?TIBTUBERCLE ?DISTALSHANK"),
    ("? foot", "?FOO ?FOOTMEDIAL ?FOOTLATERAL ?LATERALFOOT ?POSTERIORFOOT"),
];

/// Helen Hayes as Motion Analysis labels it, cut to four letters or in full; medial markers of knee
/// and ankle carry the label of the lateral ones where labels are cut.
pub(super) const HELEN_HAYES: MarkerSet = MarkerSet {
    name: "Helen Hayes",
    core: &[
        ("pelvis", "?ASI/?ASIS VSAC/VSACRAL/SACR/SACRUM"),
        ("? thigh", "?THI/?THIGH ?KNE/?KNEE"),
        ("? shank", "?SHA/?SHANK/?MIDSHANK ?ANK/?ANKLE"),
        ("? foot", "?HEE/?HEEL ?TOE/?TO"),
    ],
    extra: BESIDE_HELEN_HAYES,
    computed: "VMID VPEL V?HI V?KN V?AN V?HA V?TO",
    ..PLAIN
};

/// The same with the labels of hips on the front of the pelvis: in recordings they are 25 cm apart,
/// as its spines are, and trochanters 39 cm.
pub(super) const HELEN_HAYES_HIPS: MarkerSet = MarkerSet {
    name: "Helen Hayes, hips for spines",
    core: &[
        ("pelvis", "?HIP VSAC/VSACRAL/SACR/SACRUM"),
        ("? thigh", "?THI/?THIGH ?KNE/?KNEE"),
        ("? shank", "?SHA/?SHANK/?MIDSHANK ?ANK/?ANKLE"),
        ("? foot", "?HEE/?HEEL ?TOE/?TO"),
    ],
    ..HELEN_HAYES
};

/// The protocol of Davis as BTS and Elite label it: bars are wands, knee 1 is the epicondyle of the
/// femur, knee 2 the head of the fibula. The same labels again are points inside the body.
pub(super) const DAVIS: MarkerSet = MarkerSet {
    name: "Davis (BTS)",
    core: &[
        ("chest", "?SHOULD C7"),
        ("pelvis", "?ASIS/?ASI SACRUM/SACR"),
        ("? thigh", "?THIGH/?THI ?BAR1 ?KNEE1/?KNE1"),
        ("? shank", "?KNEE2/?KNE2 ?BAR2 ?MALL"),
        ("? foot", "?MET ?HEEL"),
    ],
    computed: "?HIP ?KNEE ?KNE ?ANKLE ?ANK SACR1 ?ASI1 ?MET1",
    repeats_are_computed: true,
    ..PLAIN
};

/// Codamotion's gait wands. The knee marker there is clamped with the wands of the tibia: in the
/// recordings it keeps its distance from them to 1 mm, from those of the femur to 5 mm.
pub(super) const CODAMOTION: MarkerSet = MarkerSet {
    name: "Codamotion",
    core: &[
        ("pelvis", "?SACWAND ?PSIS ?ASIS"),
        ("? thigh", "?POSTFEM ?ANTFEM ?HIP"),
        ("? shank", "?POSTTIB ?ANTTIB ?KNEE ?ANKLE"),
        ("? foot", "?HEEL ?TOE"),
    ],
    ..PLAIN
};

/// The sprinting set of Dorn, Schache and Pandy (2012): lines of markers down thigh and tibia.
pub(super) const SPRINT: MarkerSet = MarkerSet {
    name: "Melbourne sprint",
    core: &[
        ("chest", "C7 T7 MAN ?SH"),
        ("? upper arm", "?ARM ?ELB"),
        ("? forearm", "?FOREARM ?WR"),
        ("pelvis", "?ASI SACR P1 P2 P3"),
        ("? thigh", "?THLP ?THLD ?THAP ?THAD ?LEPI ?PAT"),
        ("? shank", "?TIAP ?TIAD ?TILAT ?LMAL"),
        ("? foot", "?HEEL ?MFS ?MFL ?P1MT ?TOE ?P5MT"),
    ],
    extra: &[("? thigh", "?MEPI"), ("? shank", "?MMAL")],
    ..PLAIN
};

/// Initials of French words: pied, cheville, jambe, genou, fémur, bassin, épaule, omoplate; droit
/// and gauche.
pub(super) const FRENCH_INITIALS: MarkerSet = MarkerSet {
    name: "French initials",
    core: &[
        ("chest", "ED EG C7 OG"),
        ("pelvis", "BD BG SS"),
        ("right thigh", "FD GD"),
        ("left thigh", "FG GG"),
        ("right shank", "JD CD"),
        ("left shank", "JG CG"),
        ("right foot", "PD"),
        ("left foot", "PG"),
    ],
    extra: &[("chest", "OD")],
    ..PLAIN
};
