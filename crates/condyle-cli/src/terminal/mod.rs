//! The edge to the user: files in and out, lines on the terminal, progress, wrong command lines.

pub mod input;
pub mod prefixes;
pub mod usage;

pub use condyle_page::terminal::{
    Out, Written, exit_code, in_one_line, output, parallel, progress, say, table,
};
