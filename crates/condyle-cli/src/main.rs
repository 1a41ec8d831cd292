//! The `condyle` command.
fn main() {}
