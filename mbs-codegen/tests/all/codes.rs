//! The table of codes is complete: every code pushed anywhere is in it, and every code in it has a snapshot.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use mbs_resolve::CODES;

use crate::mechanisms::root;

/// Codes that no mistake of a user causes.
const NOT_SHOWN: &[&str] = &["MBS099"];

/// Rust files below a directory.
fn rust_files(directory: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(directory).expect("the folder of a crate");
    for path in entries.map(|e| e.expect("a readable entry").path()) {
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

/// The text of all Rust files in `part` (`src`, `tests`) of every crate.
fn sources(part: &str) -> String {
    let mut files = Vec::new();
    for folder in [root().to_owned(), root().join("crates")] {
        for member in fs::read_dir(folder).expect("the folder is there") {
            let directory = member.expect("a readable entry").path().join(part);
            if directory.is_dir() {
                rust_files(&directory, &mut files);
            }
        }
    }
    files.retain(|f| !f.ends_with("mbs-resolve/src/codes.rs"));
    files.iter().map(|f| fs::read_to_string(f).expect("sources are UTF-8")).collect()
}

/// Everything of the form `"MBS014"`.
fn codes_in(text: &str) -> BTreeSet<&str> {
    let is_code = |s: &&str| s.len() == 6 && s.starts_with("MBS") && s[3..].bytes().all(|b| b.is_ascii_digit());
    text.split('"').filter(is_code).collect()
}

#[test]
fn the_table_has_every_code_that_is_used_and_no_other() {
    let text = sources("src");
    let used = codes_in(&text);
    let table: BTreeSet<&str> = CODES.iter().map(|(code, _)| *code).collect();
    assert_eq!(used, table);
    assert_eq!(table.len(), CODES.len(), "every code is listed once");
}

#[test]
fn every_code_has_a_snapshot() {
    let tests = sources("tests");
    for (code, meaning) in CODES.iter().filter(|(code, _)| !NOT_SHOWN.contains(code)) {
        assert!(tests.contains(&format!("fn {}_", code.to_lowercase())), "{code}: {meaning}");
        assert!(tests.contains(&format!("[{code}]")), "{code} is shown: {meaning}");
    }
}
