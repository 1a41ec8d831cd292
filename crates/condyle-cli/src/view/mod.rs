//! `condyle view`: the workbench in a browser, as one page, or a picture.

mod app;
mod browser;
mod film;
mod pack;
mod request;
mod save;
mod served;
mod server;

use std::fs;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use crate::figure::View;
use crate::plot;
use crate::terminal::output::Output;
use crate::terminal::say;
use serde_json::Value;
use served::Table;
use server::Server;

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle view`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ViewArgs {
    /// Recordings to open
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the address only, and open no browser
    #[arg(long)]
    no_open: bool,
    /// Listen on this port; 0 is any that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    /// Listen on this address: others can then reach the files, if they know the address that is printed
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Write one page with the workbench and the recordings in it, instead
    #[arg(long, value_name = "PAGE.html", conflicts_with_all = ["no_open", "port", "listen", "capture"])]
    save: Option<PathBuf>,
    /// Write a picture of the first recording, or a film of it, instead
    #[arg(long, value_name = "PNG|WEBM", requires = "files", conflicts_with_all = ["no_open", "port", "listen"])]
    capture: Option<PathBuf>,
    /// Where to look from
    #[arg(long, value_enum, value_name = "VIEW", default_value = "oblique", requires = "capture")]
    view: View,
    /// The frames of the film, or up to five of this stretch as a picture, counted from 1
    #[arg(long, value_name = "A:B", requires = "capture", value_parser = frames)]
    frames: Option<[usize; 2]>,
    /// Overwrite what is there
    #[arg(long, short)]
    force: bool,
}

/// `5:20` as positions counted from 1, the last included.
fn frames(text: &str) -> Result<[usize; 2], String> {
    let ends = text.split_once(':').and_then(|(a, b)| Some([a.parse().ok()?, b.parse().ok()?]));
    let wanted = ends.filter(|[from, to]| 1 <= *from && from <= to);
    wanted.ok_or_else(|| format!("need a stretch A:B from 1 up, got '{text}'"))
}

/// Shows recordings.
///
/// # Errors
/// A file cannot be read or written, the workbench is not built, or the port is taken.
pub fn run(args: &ViewArgs) -> anyhow::Result<ExitCode> {
    if let (Some(picture), Some(file)) = (&args.capture, args.files.first()) {
        return capture(picture, file, args);
    }
    let files = args.files.iter().map(|path| real(path)).collect::<anyhow::Result<Vec<_>>>()?;
    let app = app::folder()?;
    if let Some(page) = &args.save {
        return save(page, args.force, &app, &files);
    }
    let server =
        Server::bind(args.listen, args.port, Table::new(&app, &files, Value::Null)?, None)?;
    if !args.listen.is_loopback() {
        say::note(
            "listening beyond this machine, unencrypted: whoever sees the address can read the files",
        );
    }
    let url = server.url();
    let mut out = anstream::stdout().lock();
    writeln!(out, "{url}")?;
    out.flush()?;
    drop(out);
    if !args.no_open && !browser::open(&url) {
        say::note("no browser was found: open the address above in one");
    }
    server.run();
    Ok(ExitCode::SUCCESS)
}

/// The file itself, whatever becomes of the folder that this runs in.
fn real(path: &Path) -> anyhow::Result<PathBuf> {
    fs::canonicalize(path).with_context(|| path.display().to_string())
}

/// A picture is drawn here, a film by the workbench.
fn capture(to: &Path, file: &Path, args: &ViewArgs) -> anyhow::Result<ExitCode> {
    if to.extension().is_none_or(|extension| extension != "webm") {
        let picture = plot::Picture { to, is_forced: args.force, view: args.view };
        return picture.of_stretch(file, args.frames);
    }
    let film = Output::at(to, args.force)?;
    film::make(film, &app::folder()?, real(file)?, args.view, args.frames)?;
    say::wrote(&to.display().to_string());
    Ok(ExitCode::SUCCESS)
}

fn save(page: &Path, is_forced: bool, app: &Path, files: &[PathBuf]) -> anyhow::Result<ExitCode> {
    let output = Output::at(page, is_forced)?;
    let text = save::page(app, files)?;
    output.write(|out| Ok(out.write_all(text.as_bytes())?))?;
    say::wrote(&format!("{}: {:.1} MB", page.display(), text.len() as f64 / 1e6));
    Ok(ExitCode::SUCCESS)
}
