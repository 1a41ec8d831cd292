//! Every public C3D file is read, or refused for the right reason.
//!
//! `corpus.tsv` lists what is expected of each; a file that starts to read differently, one that
//! was refused and now reads, or one not listed, fails. `CONDYLE_BLESS=1` rewrites the table.

use crate::recordings;
use std::fmt::Write;
use std::path::Path;

use condyle::format::{ReadOptions, read_path};

fn describe(path: &Path, name: &str) -> String {
    match read_path(path, &ReadOptions::default()) {
        Ok(trial) => {
            let codes: Vec<&str> = trial.notes.iter().map(|note| &*note.code).collect();
            format!(
                "{name}\tread\t{}\t{}\t{}\t{}\t{:.4}\t{}\t{}\t{}\t{}\t{}\t{}",
                trial.markers.len(),
                trial.frames,
                (trial.rate_hz * 1e4).round() / 1e4,
                trial.channels.len(),
                trial.missing_fraction(),
                trial.source.variant,
                trial.source.declared_unit.as_deref().map_or("-", str::trim),
                trial.source.unit,
                trial.source.declared_up.map_or("-", |up| up.symbol()),
                trial.source.up.map_or("-", |up| up.symbol()),
                codes.join(" "),
            )
        }
        Err(error) => {
            let text = error.to_string();
            let reason = text.split_once(": ").map_or(text.as_str(), |(_, reason)| reason);
            format!("{name}\trefused\t{reason}")
        }
    }
}

#[test]
fn every_public_c3d_file_reads_as_the_table_says() {
    let Some(folder) = recordings::folder() else { return };
    let mut table = String::from(
        "file\tverdict\tpoints\tframes\trate_hz\tanalog\tmissing\tvariant\tdeclared unit\tunit\tdeclared up\tup\tnotes\n",
    );
    for path in recordings::files(&folder, &["c3d"]) {
        writeln!(table, "{}", describe(&path, &recordings::name(&folder, &path))).unwrap();
    }
    let expected_at = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it").join("corpus.tsv");
    if std::env::var_os("CONDYLE_BLESS").is_some() {
        std::fs::write(&expected_at, &table).unwrap();
    }
    let expected = std::fs::read_to_string(&expected_at).unwrap();
    let differing: Vec<String> = table
        .lines()
        .filter(|line| !expected.lines().any(|other| other == *line))
        .map(|line| {
            let file = line.split('\t').next().unwrap_or_default();
            let was = expected.lines().find(|other| other.split('\t').next() == Some(file));
            format!("was {}\nnow {line}", was.unwrap_or("not listed"))
        })
        .collect();
    assert!(differing.is_empty(), "{} files differ:\n{}", differing.len(), differing.join("\n"));
    assert_eq!(table.lines().count(), expected.lines().count(), "a listed file is gone");
}
