//! Gaps in the main job, on public recordings.
//!
//! ```text
//! cargo run --release -p condyle-lab --bin gaps -- natural
//! cargo run --release -p condyle-lab --bin gaps -- made cmu/02_05.c3d cmu/85_02.c3d --gaps 20
//! ```
#![allow(clippy::print_stdout)]

use clap::{Parser, Subcommand};
use condyle::job;
use condyle_lab::everyday::recordings;
use condyle_lab::gaps::made::{self, Cell, Missing};
use condyle_lab::gaps::natural;

/// Gaps in the main job: what filling does to joints
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    part: Part,
}

#[derive(Subcommand)]
enum Part {
    /// Recordings with the most missing samples: before and after
    Natural {
        /// How many
        #[arg(long, default_value_t = 20)]
        most: usize,
        /// These alone
        files: Vec<String>,
    },
    /// Gaps made in recordings: 95 % regions of markers, joints and turns
    Made {
        /// The recordings, by their paths in the folder
        files: Vec<String>,
        /// How many gaps a recording, kind and length
        #[arg(long, default_value_t = 20)]
        gaps: usize,
        /// The seed of the first recording
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How long they are, in seconds
        #[arg(long, value_delimiter = ',', default_value = "0.1,0.3,1")]
        seconds: Vec<f64>,
    },
}

fn main() -> anyhow::Result<()> {
    let folder = recordings::folder()?;
    match Args::parse().part {
        Part::Natural { most, files } => {
            let names = match files.is_empty() {
                true => natural::most_missing(&folder, most).into_iter().map(|(n, _)| n).collect(),
                false => files,
            };
            println!(
                "recording\tmissing\t%\tfilled\tleft\tcomplete % before\tafter\tbones mm\tends\tlarge steps before\tafter\ts before\tafter"
            );
            for name in names {
                let row = natural::row(&folder, &name)?;
                println!(
                    "{}\t{}\t{:.1}\t{}\t{}\t{:.1}\t{:.1}\t{:.1e}\t{}\t{}\t{}\t{:.2}\t{:.2}",
                    row.name,
                    row.missing,
                    100.0 * row.share,
                    row.gaps[0],
                    row.gaps[1],
                    100.0 * row.before.complete,
                    100.0 * row.after.complete,
                    1e3 * row.after.bone_change_m,
                    row.after.ends,
                    row.before.steps,
                    row.after.steps,
                    row.seconds[0],
                    row.seconds[1],
                );
                row.after.large.iter().for_each(|step| println!("\t{step}"));
            }
        }
        Part::Made { files, gaps, seed, seconds } => {
            println!(
                "missing\ts\trecording\tgaps\tleft\tmarkers mm\tjoints mm\tunfilled mm\t% markers\tjoints\tturns"
            );
            let solved: Vec<_> = files
                .iter()
                .map(|name| {
                    let trial = recordings::read(&folder, name)?;
                    let performance = job::run(trial, &job::Options::default())?;
                    Ok((name, performance))
                })
                .collect::<anyhow::Result<_>>()?;
            for missing in [Missing::One, Missing::Two, Missing::All] {
                let mut total = Cell::default();
                for length_s in &seconds {
                    for (index, (name, performance)) in solved.iter().enumerate() {
                        let Some(performer) = performance.performers.first() else { continue };
                        let mut cell = Cell::default();
                        let trial = performance.trial_with_gaps();
                        let drawn = (gaps, seed + 1000 * index as u64 + (10.0 * length_s) as u64);
                        let kind = (missing, *length_s);
                        made::measure(&trial, &performer.subject, kind, drawn, &mut cell)?;
                        println!("{missing:?}\t{length_s}\t{name}\t{}", in_words(&cell));
                        total.add(&cell);
                    }
                }
                println!("{missing:?}\tall\tall\t{}", in_words(&total));
            }
        }
    }
    Ok(())
}

fn in_words(cell: &Cell) -> String {
    let percent = |[inside, all]: [usize; 2]| 100.0 * inside as f64 / all.max(1) as f64;
    let mm = |square_m2: f64, count: usize| 1e3 * (square_m2 / count.max(1) as f64).sqrt();
    format!(
        "{}\t{}\t{:.1}\t{:.1}\t{:.1}\t{:.1}\t{:.1}\t{:.1}",
        cell.gaps,
        cell.left,
        mm(cell.marker_m2, cell.markers[1]),
        mm(cell.joint_m2, cell.joints[1]),
        mm(cell.unfilled_m2, cell.unfilled),
        percent(cell.markers),
        percent(cell.joints),
        percent(cell.turns),
    )
}
