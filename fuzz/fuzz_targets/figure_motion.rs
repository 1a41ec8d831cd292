#![no_main]

use condyle::format::{atm, figure_motion};
use condyle::nalgebra::Point3;
use condyle::solid::{RoundCone, Solid};

const FIGURE: &[u8] = b"FIGURE f\nSEGMENTS 1\nMESH 0 a.mesh\nNAME A\nJOINT j\n3 0 0 0\nDEGREES_OF_FREEDOM 1 1\n\
VALUE 0 3 1 0 0 FROM -90 TO 90\nVALUE 0 3 0 0 1 FROM 0 TO 1\nENDMESH\nENDFIGURE\n";

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let ball = RoundCone { ends_m: [Point3::origin(); 2], radii_m: [0.1; 2] };
    let solid = |_: &str| Ok(Solid::from(ball.surface(3).unwrap()));
    let figure = atm::read(FIGURE).unwrap().figure(solid).unwrap();
    let Ok(motion) = figure_motion::read(data, &figure) else { return };
    let mut values = Vec::new();
    motion.values(&figure, 0.5, &mut values).unwrap();
    let mut bytes = Vec::new();
    figure_motion::write(&motion, &figure, &mut bytes).unwrap();
    figure_motion::read(&bytes, &figure).unwrap();
});
