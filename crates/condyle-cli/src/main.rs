//! The `condyle` command: markers in, skeleton out.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod analyse;
mod batch;
mod blend;
mod centre;
mod cli;
mod convert;
mod demo;
mod figure;
mod fill;
mod fit;
mod gait;
mod groups;
mod hand;
mod ik;
mod info;
mod label;
mod options;
mod pivot;
mod plot;
mod report;
mod reproduce;
mod run;
mod scale;
mod simulate;
mod skin;
mod solid_figure;
mod solve;
mod terminal;
mod view;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use cli::{Cli, Command};
use terminal::exit_code;

fn main() -> ExitCode {
    // Where the shell leaves *.c3d as it is, on Windows, it stands for the files all the same.
    exit_code(command(Cli::parse_from(wild::args_os())))
}

fn command(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::View(args) => view::run(&args),
        Command::Info(args) => info::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Label(args) => label::run(&args),
        Command::Centre(args) => centre::run(&args),
        Command::Fill(args) => fill::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Ik(args) => ik::run(&args),
        Command::Gait(args) => gait::run(&args),
        Command::Groups(args) => groups::run(&args),
        Command::Figure(args) => solid_figure::run(&args),
        Command::Skin(args) => skin::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::Hand(args) => hand::run(&args),
        Command::Blend(args) => blend::run(&args),
        Command::Pivot(args) => pivot::run(&args),
        Command::Scale(args) => scale::run(&args),
        Command::Batch(args) => batch::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Completions { shell } => completions(shell),
    }
}

fn completions(shell: clap_complete::Shell) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "condyle", &mut script);
    io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
