//! Which markers move as one, and which segment hangs on which, with no names.
//!
//! `cargo run --release -p condyle-lab --example segments_from_motion -- walk.c3d`; without a file a person and
//! a half are simulated.

#![allow(clippy::print_stdout)]

use std::time::Instant;

use condyle::format::{ReadOptions, read_path};
use condyle::grouping;
use condyle::simulate::{Options, Performer, simulate};
use condyle::topology;
use condyle::{Result, Trial};

fn main() -> Result<()> {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    if files.is_empty() {
        let options =
            Options { seconds: 12.0, noise_m: 0.001, performers: 2, ..Options::default() };
        return show("simulated", &simulate(&Performer::human(), &options)?.trial);
    }
    for file in files {
        let trial = read_path(file.as_ref(), &ReadOptions::default())?;
        if let Err(error) = show(&file.to_string_lossy(), &trial) {
            println!("{}: {error}", file.to_string_lossy());
        }
    }
    Ok(())
}

fn show(name: &str, trial: &Trial) -> Result<()> {
    let start = Instant::now();
    let mut grouping = grouping::from_motion(trial, &Default::default())?;
    let grouped_s = start.elapsed().as_secs_f64();
    println!(
        "{name}: {} markers, {} frames, noise {:.2} mm",
        trial.markers.len(),
        trial.frames,
        1e3 * grouping.noise_m
    );
    let label = |marker: &usize| trial.markers[*marker].label.as_str();
    let labels = |markers: &[usize]| markers.iter().map(label).collect::<Vec<_>>().join(" ");
    for exchange in &grouping.exchanges {
        println!("  {} changed places at frame {}", labels(&exchange.markers), exchange.frame);
    }
    let start = Instant::now();
    let infer = |performer| topology::infer(trial, performer, &Default::default());
    let trees = grouping.plan.performers.iter_mut().map(infer).collect::<Result<Vec<_>>>()?;
    let linked_s = start.elapsed().as_secs_f64();
    for (performer, tree) in grouping.plan.performers.iter().zip(&trees) {
        println!("  performer '{}'", performer.name);
        for (index, segment) in performer.segments.iter().enumerate() {
            let edge = tree.edges.iter().find(|edge| edge.child == index);
            let hangs = edge.map_or("root".into(), |edge| {
                format!(
                    "on {:2}, off by {:.1} mm, weight {:.1} mm, confidence {:.2}{} {:?}",
                    edge.parent + 1,
                    1e3 * edge.residual_m,
                    1e3 * edge.weight_m,
                    edge.confidence,
                    if edge.is_doubtful { " doubtful" } else { "" },
                    edge.evidence
                )
            });
            println!("    {:2} {}: {hangs}", index + 1, labels(&segment.markers));
        }
        for edge in &tree.loops {
            let [a, b] = edge.parts.map(|part| part + 1);
            println!("    perhaps also {a} and {b}: off by {:.1} mm", 1e3 * edge.residual_m);
        }
    }
    for aside in &grouping.plan.excluded {
        println!("  aside: {} {:?}", label(&aside.marker), aside.reason);
    }
    println!("  grouped in {:.1} ms, linked in {:.1} ms", 1e3 * grouped_s, 1e3 * linked_s);
    Ok(())
}
