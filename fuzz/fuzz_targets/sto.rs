#![no_main]

use condyle::format::{ReadOptions, sto};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    condyle_fuzz::check(sto::read(data, &ReadOptions::default()));
});
