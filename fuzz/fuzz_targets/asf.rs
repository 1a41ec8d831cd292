#![no_main]

use condyle::format::{ReadOptions, asf};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    condyle_fuzz::check(asf::read(data, &ReadOptions::default()));
});
