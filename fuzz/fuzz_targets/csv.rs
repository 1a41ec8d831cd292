#![no_main]

use condyle::format::{ReadOptions, csv};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    condyle_fuzz::check(csv::read(data, &ReadOptions::default()));
});
