//! Inputs to be examined.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// Which part of the project reads an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum, Serialize, Deserialize)]
pub enum Kind {
    /// Texts of mechanisms, `.mbs`.
    Texts,
    /// Robots, alone or imported.
    Urdfs,
    /// Tables of splines and grids.
    Tables,
    /// Command lines of `mbs` and the files they name.
    Commands,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [Kind::Texts, Kind::Urdfs, Kind::Tables, Kind::Commands];
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Texts => "texts",
            Kind::Urdfs => "urdfs",
            Kind::Tables => "tables",
            Kind::Commands => "commands",
        })
    }
}

/// A file of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// Its name in an `import` or an argument.
    pub name: String,
    /// Its contents.
    pub text: String,
}

/// One input: the first file is read; it imports the others, or arguments name them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Part of the project that reads it.
    pub kind: Kind,
    /// Its files, the one to be read first.
    pub files: Vec<File>,
    /// Arguments of a command line, without the name of the program.
    pub arguments: Vec<String>,
    /// Random number for choices that are not part of the text: coordinates, whether it is compiled.
    pub choice: u64,
}

impl Input {
    /// Bytes of files and arguments.
    pub fn size(&self) -> usize {
        self.files.iter().map(|file| file.text.len()).chain(self.arguments.iter().map(String::len)).sum()
    }
}

/// Formats the input for readers: invisible characters are escaped.
impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == Kind::Commands {
            writeln!(f, "mbs {:?}", self.arguments)?;
        } else {
            writeln!(f, "choice {}", self.choice)?;
        }
        for file in &self.files {
            writeln!(f, "--- {}", file.name)?;
            for line in file.text.split_inclusive('\n') {
                let is_plain = |c: char| matches!(c, '\t' | ' '..='~') || (c.is_alphanumeric() && !c.is_control());
                match line.strip_suffix('\n') {
                    Some(line) if line.chars().all(is_plain) => writeln!(f, "{line}")?,
                    None if line.chars().all(is_plain) => writeln!(f, "{line}")?,
                    _ => writeln!(f, "{}", line.escape_debug())?,
                }
            }
        }
        Ok(())
    }
}
