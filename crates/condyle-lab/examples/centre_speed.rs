//! How fast centres are found: nanoseconds a point, the best of many runs.
//!
//! Run with `cargo run --release -p condyle-lab --example centre_speed`; `benches/run centre` does, and
//! sets the peers beside it. Files given as arguments hold points as 64-bit floats, little-endian:
//! all x, then all y, then all z.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use condyle::centre::{Method, Moments, sphere};
use condyle_lab::centre::Recurrence;
use nalgebra::Point3;
use pulp::{Arch, Simd, WithSimd};

fn main() -> std::io::Result<()> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    for n in [100, 1_000, 10_000, 1_000_000] {
        if files.is_empty() {
            measure(&cap(n));
        }
    }
    for file in files {
        measure(&read(&file)?);
    }
    Ok(())
}

/// Times every way to a centre on the same points.
fn measure(points: &[Vec<f64>; 3]) {
    let axes = points.each_ref().map(Vec::as_slice);
    let n = axes[0].len();
    time("read", n, || Arch::new().dispatch(Read(black_box(axes))));
    time("moments", n, || Moments::<3>::from_points(black_box(axes)).q);
    time("moments-2d", n, || Moments::<2>::from_points(black_box([axes[0], axes[1]])).q);
    time("gdke-bare", n, || {
        Moments::<3>::from_points(black_box(axes)).gdke().map_or(0.0, |fit| fit.1)
    });
    for method in [Method::Gdke, Method::ScGdk, Method::ScGdkPolished, Method::Mle, Method::Lls] {
        let fit = || sphere(black_box(axes), method);
        time(method.name(), n, || fit().map_or(0.0, |fit| fit.radius));
        if let Ok(fit) = fit() {
            let (centre, radius) = (fit.centre, fit.radius);
            let name = format!("{}:fit", method.name());
            println!("{n:>8} {name:<16} {} {} {} {radius}", centre.x, centre.y, centre.z);
        }
    }
    time("igdk-recurrence", n, || one_by_one(black_box(axes)));
}

/// IGDK as the thesis has it: the centre after every point.
fn one_by_one(axes: [&[f64]; 3]) -> f64 {
    let start = Moments::<3>::from_points(axes.map(|axis| &axis[..20]));
    let Some(mut recurrence) = Recurrence::from_start(&start) else { return f64::NAN };
    for i in 20..axes[0].len() {
        recurrence.push(&Point3::from(axes.map(|axis| axis[i])));
    }
    recurrence.radius()
}

/// Reads the three axes side by side and adds them up: what memory can give to one thread.
struct Read<'a>([&'a [f64]; 3]);

impl WithSimd for Read<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let (xs, _) = S::as_simd_f64s(self.0[0]);
        let (ys, _) = S::as_simd_f64s(self.0[1]);
        let (zs, _) = S::as_simd_f64s(self.0[2]);
        let ((xs, _), (ys, _), (zs, _)) = (xs.as_chunks(), ys.as_chunks(), zs.as_chunks());
        let zero = simd.splat_f64s(0.0);
        // Two sums an axis: an addition takes longer than it takes to start the next.
        let (mut a, mut b, mut c, mut d, mut e, mut f) = (zero, zero, zero, zero, zero, zero);
        for (([x, u], [y, v]), [z, w]) in xs.iter().zip(ys).zip(zs) {
            (a, b) = (simd.add_f64s(a, *x), simd.add_f64s(b, *u));
            (c, d) = (simd.add_f64s(c, *y), simd.add_f64s(d, *v));
            (e, f) = (simd.add_f64s(e, *z), simd.add_f64s(f, *w));
        }
        let (a, c, e) = (simd.add_f64s(a, b), simd.add_f64s(c, d), simd.add_f64s(e, f));
        simd.reduce_sum_f64s(simd.add_f64s(simd.add_f64s(a, c), e))
    }
}

/// Points on a cap of 60 degrees with a little unevenness.
fn cap(n: usize) -> [Vec<f64>; 3] {
    let mut points = [const { Vec::new() }; 3];
    for i in 0..n {
        let (sine, cosine) = (i as f64 * 2.399_963).sin_cos();
        let z = 1.0 - 0.5 * (i as f64 + 0.5) / n as f64;
        let r = 1.0 + 0.01 * (i as f64 * 7.89).sin();
        let across = r * (1.0 - z * z).sqrt();
        let point = [across * cosine + 0.3, across * sine - 0.8, r * z + 0.1];
        points.iter_mut().zip(point).for_each(|(axis, value)| axis.push(value));
    }
    points
}

fn read(file: &str) -> std::io::Result<[Vec<f64>; 3]> {
    let bytes = std::fs::read(file)?;
    let (numbers, _) = bytes.as_chunks::<8>();
    let numbers: Vec<f64> = numbers.iter().map(|number| f64::from_le_bytes(*number)).collect();
    let n = numbers.len() / 3;
    Ok([0, 1, 2].map(|axis| numbers[axis * n..][..n].to_vec()))
}

/// Prints the best time of many runs, in nanoseconds a point.
fn time(name: &str, n: usize, mut run: impl FnMut() -> f64) {
    let inner = (10_000 / n).max(1);
    let budget = Duration::from_millis(if cfg!(debug_assertions) { 1 } else { 150 });
    let (started, mut best) = (Instant::now(), f64::INFINITY);
    while best.is_infinite() || started.elapsed() < budget {
        let lap = Instant::now();
        for _ in 0..inner {
            black_box(run());
        }
        best = best.min(lap.elapsed().as_nanos() as f64 / (inner * n) as f64);
    }
    println!("{n:>8} {name:<16} {best:>9.3}");
}
