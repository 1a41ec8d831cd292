#![no_main]

use condyle::simulate::{Options, Performer, Routine, simulate};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(performer) = Performer::from_toml(text) else { return };
    for routine in Routine::ALL {
        let options = Options { routine, seconds: 0.2, rate_hz: 20.0, ..Options::default() };
        condyle_fuzz::check(simulate(&performer, &options).map(|simulation| simulation.trial));
    }
});
