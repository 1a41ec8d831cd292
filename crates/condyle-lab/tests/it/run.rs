//! Running the real program and looking at what it printed.
use std::path::Path;
use std::process::Command;

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

/// Runs `condyle-reproduce` in a folder.
pub fn reproduce_in(folder: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_condyle-reproduce"));
    // What is asked for is in the arguments; recordings that happen to be there change nothing.
    let output =
        command.args(args).current_dir(folder).env_remove("CONDYLE_DATA").output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The names of the files in a folder, in order.
pub fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
