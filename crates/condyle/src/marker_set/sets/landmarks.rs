//! Sets named after bony landmarks.

use crate::marker_set::table::{MarkerSet, PLAIN};

/// Three-letter landmarks after van Sint Jan (2007), with which Qualisys labels its full-body sets;
/// wands 1 to 4 are on thigh, shank, upper arm and forearm.
pub(super) const ISB: MarkerSet = MarkerSet {
    name: "van Sint Jan landmarks",
    core: &[
        ("chest", "CV7 ?SAJ/?AC"),
        ("? upper arm", "?HLE ?HME"),
        ("? forearm", "?RSP ?USP/?UHE"),
        ("? hand", "?HM#/?HL#"),
        ("pelvis", "?IAS ?IPS"),
        ("? thigh", "?FTC ?FLE ?FME"),
        ("? shank", "?FAL ?TAM"),
        ("? foot", "?FCC ?FM1 ?FM5"),
    ],
    extra: &[
        ("head", "?HDF ?HDB ?FHD ?BHD"),
        ("chest", "SNJ SXS TV# CLAV STRN ?SCAP"),
        ("? upper arm", "?WAND3 ?UA#"),
        ("? forearm", "?WAND4 ?F1 ?F2"),
        ("? thigh", "?WAND1 ?TH#"),
        ("? shank", "?WAND2 ?SK# ?FAX ?TTC"),
        ("? foot", "?FM2"),
    ],
    ..PLAIN
};

/// The end points of de Leva's segments (1996), as in Dumas and Wojtusch (2018).
pub(super) const DE_LEVA: MarkerSet = MarkerSet {
    name: "de Leva landmarks",
    core: &[
        ("head", "HV OCC ?TEMP SEL"),
        ("chest", "C7 T10 SUP STR ?A"),
        ("? upper arm", "?LHE ?MHE"),
        ("? forearm", "?US ?RS"),
        ("? hand", "?HMH5 ?HMH2 ?FT3"),
        ("pelvis", "?PSIS ?ASIS"),
        ("? thigh", "?GT ?LFE ?MFE"),
        ("? shank", "?LM ?SPH"),
        ("? foot", "?CAL ?MFH5 ?MFH1 ?TT2"),
    ],
    extra: &[
        ("? upper arm", "?ARM# ?AMR#"),
        ("? forearm", "?FARM#"),
        ("? thigh", "?THI#"),
        ("? shank", "?LEG# ?ATT"),
    ],
    ..PLAIN
};

/// The protocol of the Istituto Ortopedico Rizzoli (Leardini 2007).
pub(super) const RIZZOLI: MarkerSet = MarkerSet {
    name: "Rizzoli",
    core: &[
        ("pelvis", "?ASIS ?PSIS"),
        ("? thigh", "?GT ?LE ?ME"),
        ("? shank", "?HF ?TT ?LM ?MM"),
        ("? foot", "?CA ?FM ?SM ?VM"),
    ],
    extra: &[("chest", "C7 T2 MAI SJN SXS ?A"), ("pelvis", "LV1 LV3 LV5")],
    ..PLAIN
};

/// French landmarks, cut to four letters or not: tête, coude, main; épine antéro- and
/// postéro-supérieure; condyles and malleoli, lateral and medial.
pub(super) const FRENCH: MarkerSet = MarkerSet {
    name: "French landmarks",
    core: &[
        ("head", "?TET/?TETE"),
        ("chest", "C7 STER/STERN PX T8 ?ACR ?ANG/?ANGLACR"),
        ("? upper arm", "?PRO/?PROCDELT ?COU/?COUD/?COUDINT"),
        ("? forearm", "?MAI/?MAIN/?MAININT"),
        ("? hand", "?MC5 ?MC2"),
        ("pelvis", "?EAS ?EPS"),
        ("? thigh", "?CM ?CL"),
        ("? shank", "?MM ?ML"),
        ("? foot", "?CAL ?MT1 ?MT5 ?HAL"),
    ],
    ..PLAIN
};

/// One arm, its side unsaid, down from the trunk, with clavicle and scapula on their own.
pub(super) const UPPER_LIMB: MarkerSet = MarkerSet {
    name: "one upper limb",
    core: &[
        ("chest", "C7 T10 MAN XYP"),
        ("clavicle", "CLAVSC CLAVAC"),
        ("scapula", "SCAPIA SCAPAA SCAPAC SCAPCOR SCAPBACK SCAPFRONT"),
        ("upper arm", "ARM DELT EPIMED EPILAT"),
        ("forearm", "ULNA RADIUS"),
        ("hand", "SEML MET2 MET5"),
    ],
    ..PLAIN
};

/// Trunk and arms of someone in a wheelchair; `Arm` is on the forearm there.
pub(super) const WHEELCHAIR: MarkerSet = MarkerSet {
    name: "wheelchair propulsion",
    core: &[
        ("chest", "C7 T8 IJ PX ?ACROMION ?ANGULUSACROMIO"),
        ("? upper arm", "?HEADHUM ?BICEPS ?EPILAT ?EPIMED"),
        ("? forearm", "?ARM ?WRISTRAD ?WRISTULNA"),
        ("? hand", "?D5M1 ?D2M1"),
    ],
    ..PLAIN
};
