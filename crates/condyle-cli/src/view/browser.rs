//! The browser of whoever is at this machine.

use std::process::{Command, Stdio};

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
