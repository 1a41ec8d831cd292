//! Running the real binary and looking at what it printed.
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What came out of a run.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// The standard output as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {}", self.stdout))
    }

    /// Insists on an exit code.
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// Insists on exit code 1, nothing on standard output, and one line on standard error.
    pub fn expect_one_error(self) -> String {
        let ran = self.expect(1);
        assert_eq!(ran.stdout, "");
        let lines: Vec<&str> = ran.stderr.lines().collect();
        assert_eq!(lines.len(), 1, "{}", ran.stderr);
        assert!(lines[0].starts_with("error: "), "{}", ran.stderr);
        lines[0].to_owned()
    }
}

/// Runs `condyle` in a folder.
pub fn condyle_in<S: AsRef<std::ffi::OsStr>>(folder: &Path, args: &[S]) -> Ran {
    condyle_with_input(folder, args, b"")
}

/// Runs `condyle` in a folder with bytes on standard input.
pub fn condyle_with_input<S: AsRef<std::ffi::OsStr>>(
    folder: &Path,
    args: &[S],
    input: &[u8],
) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_condyle"))
        .args(args)
        .current_dir(folder)
        // What is asked for is in the arguments; recordings that happen to be there change nothing.
        .env_remove("CONDYLE_DATA")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A run that fails early closes its end; that is its right.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The project's own sample.
pub fn arm() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data/arm.trc")
}

/// A folder of its own with the sample in it as `arm.trc`.
pub fn folder_with_arm() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(arm(), folder.path().join("arm.trc")).unwrap();
    folder
}

/// The names of the files in a folder, in order.
pub fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
