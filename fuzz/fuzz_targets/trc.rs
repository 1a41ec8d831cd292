#![no_main]

use condyle::format::{ReadOptions, trc};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    condyle_fuzz::check(trc::read(data, &ReadOptions::default()));
});
