#![no_main]

use condyle::format::{ReadOptions, mvnx};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    condyle_fuzz::check(mvnx::read(data, &ReadOptions::default()));
});
