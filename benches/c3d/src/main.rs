//! `condyle-bench-c3d make DIR` writes the benchmark files; `… time DIR` prints seconds per read.
//!
//! One line a measurement: reader, file, best and median seconds over the repetitions.

use std::fs::File;
use std::hint::black_box;
use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

use condyle::format::c3d::{self, Storage, WriteOptions};
use condyle::format::{ReadOptions, read_path};
use condyle::trial::{C3dStorage, Format, LengthUnit, Marker, Processor, Trial};
use nalgebra::Point3;

const MARKERS: usize = 41;
const FRAMES: usize = 100_000;
const RATE_HZ: f64 = 120.0;
const REPETITIONS: usize = 21;

const FILES: [(&str, Processor, Storage); 5] = [
    ("intel_float", Processor::Intel, Storage::Float),
    ("intel_int", Processor::Intel, Storage::Integer),
    ("dec_float", Processor::Dec, Storage::Float),
    ("dec_int", Processor::Dec, Storage::Integer),
    ("sgi_float", Processor::Mips, Storage::Float),
];

/// Someone walking in circles: every coordinate moves, 1 % of samples are missing, residuals and
/// camera masks are there.
fn walk() -> Trial {
    let mut trial = Trial::new(Format::C3d, RATE_HZ);
    trial.frames = FRAMES;
    trial.source.unit = LengthUnit::Millimetre;
    trial.source.c3d = Some(C3dStorage { processor: Processor::Intel, float: true, scale: 0.1 });
    for m in 0..MARKERS {
        let height_m = 0.05 + 1.7 * m as f64 / MARKERS as f64;
        let at = |frame: usize| {
            let t = frame as f64 / RATE_HZ;
            let (sin, cos) = (0.5 * t + 0.1 * m as f64).sin_cos();
            let seen = (frame * 7 + m * 131) % 100 != 0;
            seen.then(|| Point3::new(1.2 * cos, 1.2 * sin, height_m + 0.03 * (6.0 * t).sin()))
        };
        let mut marker = Marker::from_positions(format!("M{m}"), (0..FRAMES).map(at));
        for frame in 0..FRAMES {
            marker.set_quality(frame, (frame % 9) as u8, (frame % 100) as u8);
        }
        trial.markers.push(marker);
    }
    trial
}

fn make(folder: &Path) {
    let trial = walk();
    for (name, processor, storage) in FILES {
        let file = File::create(folder.join(format!("{name}.c3d"))).expect("create");
        let options = WriteOptions { processor, storage: Some(storage) };
        c3d::write_with(&trial, options, &mut BufWriter::new(file)).expect("write");
    }
}

fn time(reader: &str, file: &str, mut read: impl FnMut()) {
    read();
    let mut seconds: Vec<f64> = (0..REPETITIONS)
        .map(|_| {
            let start = Instant::now();
            read();
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    println!("{reader}\t{file}\t{}\t{}", seconds[0], seconds[REPETITIONS / 2]);
}

fn time_all(folder: &Path) {
    let options = ReadOptions::default();
    for (name, ..) in FILES {
        let path = folder.join(format!("{name}.c3d"));
        time("condyle_fresh", name, || {
            black_box(read_path(&path, &options).expect("read"));
        });
        let mut trial = Trial::new(Format::C3d, 0.0);
        time("condyle_reused", name, || {
            c3d::read_into(File::open(&path).expect("open"), &options, &mut trial).expect("read");
            black_box(&trial);
        });
        if name != "sgi_float" {
            time("c3dio", name, || {
                black_box(c3dio::C3d::load(path.to_str().expect("path")).is_ok());
            });
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.as_slice() {
        [_, what, folder] if what == "make" => make(Path::new(folder)),
        [_, what, folder] if what == "time" => time_all(Path::new(folder)),
        _ => {
            eprintln!("usage: condyle-bench-c3d make|time DIR");
            std::process::exit(2);
        }
    }
}
