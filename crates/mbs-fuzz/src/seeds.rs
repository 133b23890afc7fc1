//! Texts of the repository, from which mutations start.

mod book;

use std::fs;
use std::path::{Path, PathBuf};

use crate::chance::Chance;
use crate::input::File;

/// Texts, by the part of the project that reads them.
pub struct Seeds {
    /// Valid mechanisms.
    pub mechanisms: Vec<String>,
    /// Valid mechanisms, and the mechanisms of the book, including those with mistakes.
    pub texts: Vec<String>,
    /// Robots.
    pub urdfs: Vec<String>,
    /// Tables of numbers.
    pub tables: Vec<String>,
    /// Files that texts import, by the last part of their names: parts, robots and tables.
    pub library: Vec<File>,
}

impl Seeds {
    /// Reads the seeds of this repository: `mechanisms/`, the book, robots of tests.
    pub fn from_repository() -> Seeds {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folder = |name: &str, ending: &str| files(&root.join(name), ending);
        let mechanisms: Vec<String> = folder("mechanisms", "mbs").into_iter().map(|f| f.text).collect();
        let mut texts = mechanisms.clone();
        texts.extend(folder("mechanisms/robots", "mbs").into_iter().map(|f| f.text));
        for page in folder("docs", "md") {
            texts.extend(book::mechanisms(&page.text));
        }
        let parts = [folder("mechanisms/parts", "mbs"), folder("docs/parts", "mbs")].concat();
        let robots = [
            folder("mechanisms/urdf", "urdf"),
            folder("docs/urdf", "urdf"),
            folder("mbs-macros/tests/ui/robots", "urdf"),
        ]
        .concat();
        let tables = folder("docs/tables", "csv");
        let mut urdfs: Vec<String> = robots.iter().map(|f| f.text.clone()).collect();
        for test in folder("crates/mbs-syntax/tests/all/urdf", "rs") {
            urdfs.extend(robots_in(&test.text));
        }
        Seeds {
            mechanisms,
            texts,
            urdfs,
            tables: tables.iter().map(|f| f.text.clone()).collect(),
            library: [parts, robots, tables].concat(),
        }
    }

    /// The files that a text imports.
    pub fn imported(&self, text: &str) -> Vec<File> {
        self.library.iter().filter(|file| text.contains(&file.name)).cloned().collect()
    }

    /// A random text of a list; long ones are rare, since they cost more.
    pub fn short<'s>(list: &'s [String], chance: &mut Chance) -> &'s str {
        let mut best = chance.pick(list).map_or("", String::as_str);
        for _ in 0..2 {
            let other = chance.pick(list).map_or("", String::as_str);
            if other.len() < best.len() {
                best = other;
            }
        }
        best
    }
}

/// Files of a folder with an ending, by name.
fn files(folder: &Path, ending: &str) -> Vec<File> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == ending)).collect();
    paths.sort();
    let file = |path: PathBuf| {
        Some(File { name: path.file_name()?.to_str()?.to_owned(), text: fs::read_to_string(&path).ok()? })
    };
    paths.into_iter().filter_map(file).collect()
}

/// Robots in string literals of Rust.
fn robots_in(source: &str) -> Vec<String> {
    let mut list = Vec::new();
    let mut rest = source;
    while let Some(start) = rest.find("<robot") {
        rest = &rest[start..];
        let Some(end) = rest.find("</robot>") else { break };
        list.push(rest[..end + "</robot>".len()].replace("\\\"", "\"").replace("\\n", "\n"));
        rest = &rest[end..];
    }
    list
}
