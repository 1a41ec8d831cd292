//! The browser of whoever is at this machine.

use std::env;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::bail;

/// The variable that names a Chromium, and the names that it has on the path.
const VARIABLE: &str = "CONDYLE_CHROMIUM";
const CHROMIUMS: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

#[cfg(target_os = "macos")]
const OPENERS: [&[&str]; 1] = [&["open"]];
#[cfg(target_os = "windows")]
const OPENERS: [&[&str]; 1] = [&["rundll32", "url.dll,FileProtocolHandler"]];
#[cfg(not(any(target_os = "macos", target_os = "windows")))]
const OPENERS: [&[&str]; 3] = [&["xdg-open"], &["wslview"], &["gio", "open"]];

/// Has a page opened; whether there was something to do it.
pub fn open(url: &str) -> bool {
    OPENERS.iter().any(|opener| {
        let mut command = Command::new(opener[0]);
        command.args(&opener[1..]).arg(url);
        // What browsers say on the terminal is no concern of ours.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok()
    })
}

/// Opens a page in Chromium without a window, with a profile of its own; drawn in software, so that it needs no display.
///
/// # Errors
/// There is no Chromium.
pub fn open_unseen(url: &str, profile: &Path) -> anyhow::Result<Child> {
    let named = env::var(VARIABLE).ok();
    let names = named.as_deref().into_iter().chain(CHROMIUMS);
    for name in names {
        let mut command = Command::new(name);
        command.args([
            "--headless=new",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--use-angle=swiftshader",
            "--enable-unsafe-swiftshader",
            "--window-size=1280,720",
        ]);
        if is_root() {
            // Its own walls do not stand there.
            command.arg("--no-sandbox");
        }
        command.arg(format!("--user-data-dir={}", profile.display())).arg(url);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Ok(child) = command.spawn() {
            return Ok(child);
        }
    }
    bail!(
        "a film needs Chromium without a window, and none is on the path ({VARIABLE} names one): a png needs none"
    )
}

#[cfg(unix)]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
