#![no_main]

use condyle::format::{ReadOptions, poses};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    condyle_fuzz::check(poses::read(data, &ReadOptions::default()));
});
