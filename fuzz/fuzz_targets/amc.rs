#![no_main]

use condyle::format::{ReadOptions, amc};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    condyle_fuzz::check(amc::read(data, condyle_fuzz::SKELETON.as_bytes(), &ReadOptions::default()));
});
