#![no_main]

use condyle::format::{ReadOptions, c3d};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    condyle_fuzz::check(c3d::read(std::io::Cursor::new(data), &ReadOptions::default()));
});
