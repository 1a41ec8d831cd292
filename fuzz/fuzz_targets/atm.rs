#![no_main]

use condyle::format::atm::read;
use condyle::nalgebra::Point3;
use condyle::solid::{RoundCone, Solid};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(atm) = read(data) else { return };
    assert!(read(atm.to_text().as_bytes()).unwrap() == atm, "what was written reads as something else");
    if atm.segments.len() > 50 {
        return;
    }
    let ball = RoundCone { ends_m: [Point3::origin(); 2], radii_m: [0.1; 2] };
    let Ok(figure) = atm.figure(|_| Ok(Solid::from(ball.surface(6).unwrap()))) else { return };
    let mut pose = figure.rest_pose();
    figure.pose(&figure.values(), &mut pose);
});
