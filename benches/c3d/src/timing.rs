//! Seconds per read: one line a reader and file, `reader<tab>file<tab>seconds seconds …`.

use std::error::Error;
use std::fs::File;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use condyle::format::{ReadOptions, c3d, read_path};
use condyle::trial::{Format, Trial};

use crate::files::FILES;

const REPETITIONS: usize = 15;

/// Times every reader on every file of a folder; the readers take turns.
pub fn time_all(folder: &Path) -> Result<(), Box<dyn Error>> {
    let options = ReadOptions::default();
    for (name, ..) in FILES {
        let path = folder.join(format!("{name}.c3d"));
        let text = path.to_str().ok_or("folder: need a name in UTF-8")?;
        let mut reused = Trial::new(Format::C3d, 0.0);
        // Also the warm-up: the file is in memory, and the reused trial has its size.
        c3d::read_into(File::open(&path)?, &options, &mut reused)?;
        let c3dio_reads = c3dio::C3d::load(text).is_ok();
        let (mut fresh_s, mut reused_s, mut c3dio_s) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..REPETITIONS {
            // What was read is dropped before the next: all start from the same memory.
            let start = Instant::now();
            let trial = read_path(&path, &options)?;
            fresh_s.push(start.elapsed().as_secs_f64());
            drop(black_box(trial));

            let start = Instant::now();
            c3d::read_into(File::open(&path)?, &options, &mut reused)?;
            reused_s.push(start.elapsed().as_secs_f64());
            black_box(&reused);

            if c3dio_reads {
                let start = Instant::now();
                let peer = c3dio::C3d::load(text).is_ok();
                c3dio_s.push(start.elapsed().as_secs_f64());
                black_box(peer);
            }
        }
        for (reader, seconds) in
            [("condyle_fresh", fresh_s), ("condyle_reused", reused_s), ("c3dio", c3dio_s)]
        {
            let seconds: Vec<String> = seconds.iter().map(f64::to_string).collect();
            println!("{reader}\t{name}\t{}", seconds.join(" "));
        }
    }
    Ok(())
}
