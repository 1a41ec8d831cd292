//! A film of a recording, made by the workbench in a browser without a window.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde_json::json;

use super::browser;
use super::served::Table;
use super::server::{CAPTURE, Captured, Server};
use crate::figure::View;
use crate::terminal::output::Output;

/// A film takes as long as it lasts, and the skeleton before it; after so long something is wrong.
const PATIENCE: Duration = Duration::from_secs(1800);

/// Makes a film of some frames, counted from 1, or of all.
///
/// # Errors
/// There is no Chromium, or the page could not make it.
pub fn make(
    film: Output,
    app: &Path,
    file: PathBuf,
    view: View,
    frames: Option<[usize; 2]>,
) -> anyhow::Result<()> {
    let wanted = json!({
        "kind": "webm",
        "view": view.name(),
        "frames": frames.map(|[from, to]| [from - 1, to]),
        "to": CAPTURE,
    });
    let (sender, captured) = mpsc::sync_channel(1);
    let table = Table::new(app, &[file], wanted)?;
    let server = Server::bind(IpAddr::V4(Ipv4Addr::LOCALHOST), 0, table, Some(sender))?;
    let url = server.url();
    thread::Builder::new().spawn(move || server.run())?;
    let profile = tempfile::tempdir()?;
    let mut browser = browser::open_unseen(&url, profile.path())?;
    let began = Instant::now();
    let found = loop {
        match captured.recv_timeout(Duration::from_millis(200)) {
            Ok(found) => break Ok(found),
            Err(_) if browser.try_wait()?.is_some() => {
                break Err("the browser ended before it was made");
            }
            Err(_) if began.elapsed() > PATIENCE => {
                break Err("it was not made within half an hour");
            }
            Err(_) => {}
        }
    };
    let _ = browser.kill();
    let _ = browser.wait();
    let Captured { content_type, body } = match found {
        Ok(found) => found,
        Err(why) => bail!("the film: {why}"),
    };
    ensure!(content_type.starts_with("video/"), "the film: {}", String::from_utf8_lossy(&body));
    film.write(|out| out.write_all(&body).context("the film"))
}
