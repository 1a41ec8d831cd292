//! Words and abbreviations that mean the same wherever they are used.
//!
//! They take what the set that was recognised leaves over, and everything where none was. What two
//! laboratories use for two segments is not here: it belongs to a set of its own.

use crate::marker_set::table::{MarkerSet, PLAIN};

/// Anatomical names, in English and in French.
pub(in crate::marker_set) const ANATOMICAL: MarkerSet = MarkerSet {
    name: "anatomical names",
    core: &[
        ("head", "?FHD ?BHD HEAD# HEAD? HEADTOP TOPHEAD HEADFRONT HEADSIDE ?HEADTAMP ?HEADFRONT"),
        ("head", "?HEADBACK ?TEMPLE ?TEMP ?MAS GLAB ?EAR ?TETE TETEH TETED TETEG VERTEX"),
        ("chest", "C7 CV7 T# TV# CLAV ?CLAV ?CLA ?CLAVICLE STRN STERNUM ?STERNUM STER STERN"),
        ("chest", "XIPHOID XYP PX IJ SNJ SXS MAN MANUBRIUM ?SHO ?SHOULDER ?ACR ?ACROMION"),
        ("chest", "?ACROMIUM ?ACROMIAL ?SAJ ?ASH ?PSH ?BAK ?BAC ?OFF ?OFFSET ?AC ?AA"),
        ("chest", "?ANGULUSACROMIO ?SCAPULA ?SCAP CHEST"),
        ("? scapula", "SCAPULA?# ?SCAPIA ?SCAPAA ?SCAPAC ?SCAPCOR ?SCAPBACK ?SCAPFRONT"),
        ("? clavicle", "?CLAVSC ?CLAVAC"),
        (
            "? upper arm",
            "?UPA ?UPA# ?UA# ?UARM# ARM?# ?ARM ?ARM# ?BICEP ?BICEPS ?ELB ?ELBOW* ?MELBOW",
        ),
        (
            "? upper arm",
            "?LEL ?MEL ?HLE ?HME ?EPILAT ?EPIMED ?LATERALEPICONDYLE LATERALEPICONDYLE?",
        ),
        ("? upper arm", "?HUM ?HUMERUS ?HEADHUM ?DELT"),
        (
            "? forearm",
            "?FOREARM* FOREARM?# ?FARM# ?FOA# ?FASUPERIOR ?FARADIUS ?FAULNA ?WRA ?WRB ?WRI",
        ),
        ("? forearm", "?WRIST* ?RSP ?USP ?ULNA ?RADIUS ?RAD"),
        ("? hand", "?FIN ?FINGER ?HAND* ?MC# ?MCP# ?D2M1 ?D5M1 ?THUMB* ?INDEX* ?PINKY* ?MIDDLE*"),
        ("? hand", "GLOVE?# ?CAR ?SEML"),
        ("pelvis", "?ASI ?PSI ?ASIS ?PSIS ?EIAS ?EIPS ?EAS ?EPS ?IAS ?IPS SACR SACRUM SACRAL VSAC"),
        ("pelvis", "VSACRAL S1 S2 ?CRETE ?ILIACCREST ?BACKASIS ?FWT ?BWT PELVIS# PELR PELL"),
        ("? thigh", "?THI ?THI# ?TH# ?THIGH* ?GT ?GTR ?GRT ?TRO ?TRC ?TROC ?TROCH ?HIP ?KNE ?KNEL"),
        ("? thigh", "?KNEM ?KNI ?KNIUP ?KNEIN ?KNM ?KNEE* ?MKNEE ?MEDIALKNEE ?MEDKNEE ?LATKNEE"),
        ("? thigh", "?LKN ?MKN ?LFC ?MFC ?LFE ?MFE ?FLE ?FME ?FTC ?LEPI ?MEPI ?PAT ?PATELLA"),
        ("? thigh", "?KAX ?KD# ?POSTFEM ?ANTFEM ?THAP ?THAD"),
        ("? shank", "?TIB ?TIBIA* ?TIBTUBERCLE ?SHN ?SHA ?SHANK* ?SHIN* ?SK# ?SH# ?TB# ?LEG ?LEG#"),
        ("? shank", "?MIDSHANK ?DISTALSHANK ?FIB ?FIBULA ?FAX ?TTC ?TTB ?TTA ?TUB ?ATT ?KNEDOWN"),
        ("? shank", "?ANK ?ANKL ?ANKM ?ANKIN ?ANI ?ANE ?ANKLE* ?MANKLE ?MEDIALANKLE ?MEDANKLE"),
        ("? shank", "?LATANKLE ?LMAL ?MMAL ?LMA ?MMA ?MAL ?MALL ?FAL ?TAM ?POSTTIB ?ANTTIB"),
        ("? shank", "?TIAP ?TIAD"),
        (
            "? foot",
            "?HEE ?HEEL* ?TOE* ?CAL ?CALL ?CALM ?CALC ?CALCA ?CALCEXT ?CALCINT ?MT# ?MET ?MET#",
        ),
        (
            "? foot",
            "?5META ?1META ?FCC ?FM# ?FOOT* ?FOREFOOT* ?MIDFOOT* ?PHAL# ?BIGTOE ?SMALLTOE ?HAL",
        ),
        ("? foot", "?TAR ?TARI ?PM1 ?FMH ?SMH ?VMH ?LATERALFOOT ?POSTERIORFOOT ?P1MT ?P5MT"),
    ],
    ..PLAIN
};
