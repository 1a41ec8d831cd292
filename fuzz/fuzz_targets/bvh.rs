#![no_main]

use condyle::format::{ReadOptions, bvh};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    condyle_fuzz::check(bvh::read(data, &ReadOptions::default()));
});
