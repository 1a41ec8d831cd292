//! The program behind `condyle reproduce`.

use std::process::ExitCode;

fn main() -> ExitCode {
    condyle_page::terminal::exit_code(condyle_lab::reproduce::main())
}
