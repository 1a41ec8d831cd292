//! The command line: what can be said, and how it is explained.

use clap::{Parser, Subcommand};

use crate::batch::BatchArgs;
use crate::centre::CentreArgs;
use crate::convert::ConvertArgs;
use crate::fill::FillArgs;
use crate::fit::FitArgs;
use crate::gait::GaitArgs;
use crate::groups::GroupsArgs;
use crate::hand::HandArgs;
use crate::ik::IkArgs;
use crate::info::InfoArgs;
use crate::label::LabelArgs;
use crate::plot::PlotArgs;
use crate::report::ReportArgs;
use crate::reproduce::ReproduceArgs;
use crate::run::RunArgs;
use crate::solve::SolveArgs;
use crate::view::ViewArgs;

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// Markers in, skeleton out: motion-capture recordings turned into skeletons and their motion
#[derive(Debug, Parser)]
#[command(name = "condyle", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Do it all: recordings to skeletons, their motion, and a report for each
    Run(RunArgs),
    /// Do it all on a performer that is made up, and compare with its truth
    Demo(crate::demo::DemoArgs),
    /// Look at recordings in a browser: markers, skeleton, graphs; or save that as one page
    View(ViewArgs),
    /// Say what is in one or more recordings
    Info(InfoArgs),
    /// Convert a recording to another format, or take part of it
    Convert(ConvertArgs),
    /// Give names to trajectories that have none, from a subject or a labelled frame
    Label(LabelArgs),
    /// Fill the gaps of markers that were out of sight, and say how far off that may be
    Fill(FillArgs),
    /// Find the centre that markers rotate about, and say how sure it is
    Centre(CentreArgs),
    /// Find foot strikes and offs, strides, angles over the gait cycle, scores
    Gait(GaitArgs),
    /// Say which markers belong together on a segment, and how the segments hang together
    Groups(GroupsArgs),
    /// Find all joints of a hand from markers on its back and the tips of its fingers
    Hand(Box<HandArgs>),
    /// Fit a performer's skeleton to calibration recordings
    Fit(FitArgs),
    /// Find where a fitted performer's joints are in every frame of a recording
    Solve(SolveArgs),
    /// Make a page about a run from the results that it kept, or about two
    Report(ReportArgs),
    /// Draw some frames of a recording, with the skeleton found in it
    Plot(PlotArgs),
    /// Move the joints of a chain, a tree or a skeleton so that its ends reach targets
    Ik(IkArgs),
    /// Make a solid figure from a subject, an ATM, a MESH or a PLY file; weigh it, write it, move it
    Figure(crate::solid_figure::FigureArgs),
    /// Bind a surface to a skeleton, so that it bends with it; or make one about the skeleton
    Skin(crate::skin::SkinArgs),
    /// Find the freedoms of a solid figure that follows a recording, as polynomials of time
    Analyse(crate::analyse::AnalyseArgs),
    /// One motion of a performer after another, passing over from the first to the second without a jump
    Blend(crate::blend::BlendArgs),
    /// Find the tip of a tracked pointer that was turned about it
    Pivot(crate::pivot::PivotArgs),
    /// Find the scale of a tracking system from two sensors at a known distance
    Scale(crate::scale::ScaleArgs),
    /// Do it all for thousands of recordings, on a cluster, from and to object stores: through Python
    #[command(disable_help_flag = true)]
    Batch(BatchArgs),
    /// Re-run the experiments of a document, its figures beside ours, on one page
    #[command(disable_help_flag = true)]
    Reproduce(ReproduceArgs),
    /// Make up a recording whose truth is known: a person, a dog or a robot arm that moves
    Simulate(crate::simulate::args::SimulateArgs),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  condyle completions bash > ~/.local/share/bash-completion/completions/condyle"
    )]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }
}
