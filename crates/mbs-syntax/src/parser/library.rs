//! Reads the items outside mechanisms: parts, kinds of joints, constants, functions, and imports of files that contain such items.
//!
//! Names of files are relative to the file that imports them. Mechanisms in an imported file are skipped.

use std::path::{Component, Path, PathBuf};

use mbs_definition::{Ident, Item, Library};

use super::import::{FileName, RELATIVE};
use super::{Parse, Parser};
use crate::import::Imported;
use crate::tokens::{Kind, Token};
use crate::{lexer, lexical};

/// Largest number of files of the language that one source imports, directly and through other files.
const MOST_FILES: usize = 200;

/// Categories of named items that may be outside mechanisms; `joint kind` may be there, too.
const SHARED_CATEGORIES: [&str; 3] = ["part", "const", "function"];

/// A file that is being read.
pub(super) struct Reading {
    /// Its name relative to the source.
    name: PathBuf,
    /// Files whose names have been added to those of this file.
    included: Vec<PathBuf>,
}

impl Parser<'_> {
    /// Whether the next item may be outside mechanisms.
    pub(super) fn at_shared(&self) -> bool {
        let (word, next) = (self.token(self.position), self.token(self.position + 1));
        match word.text.as_str() {
            "import" => next.kind == Kind::Literal,
            "joint" => next.text == "kind",
            category => word.kind == Kind::Word && SHARED_CATEGORIES.contains(&category) && next.kind == Kind::Word,
        }
    }

    /// Reads one item outside mechanisms.
    pub(super) fn shared_item(&mut self, docs: String, items: &mut Vec<Item>) {
        let brackets = std::mem::take(&mut self.brackets);
        if self.at_import() {
            items.extend(self.import());
        } else {
            items.extend(self.item(docs));
        }
        self.brackets = brackets;
    }

    /// Reads the file of `import "parts.mbs" as lib;` after the statement has been read. `None` for a file whose names have been added already.
    pub(super) fn library(&mut self, file: &FileName, name: Option<Ident>) -> Parse<Option<Item>> {
        let path = normalised_path(&self.relative_path(file));
        if self.reading.iter().any(|open| open.name == path) {
            let through = self.reading.last().filter(|open| open.name != path);
            let through = through.map_or_else(String::new, |open| format!(" through `{}`", open.name.display()));
            let message = format!("`{}` imports itself{through}", path.display());
            return Err(self.report("MBS075", file.origin, message, Some("break the circle")));
        }
        if name.is_none() {
            let included = self.included();
            if included.contains(&path) {
                return Ok(None);
            }
            included.push(path.clone());
        }
        let tokens = self.file_tokens(file)?;
        // The names of a library without a prefix are added to those of the importing file.
        let included = if name.is_some() { Vec::new() } else { std::mem::take(self.included()) };
        self.reading.push(Reading { name: path, included });
        let items = self.with_tokens(tokens, Self::library_items);
        let read = self.reading.pop();
        if let (None, Some(Reading { included, .. })) = (&name, read) {
            *self.included() = included;
        }
        Ok(Some(Item::Library(Library { name, items })))
    }

    /// Files whose names have been added to the present ones.
    fn included(&mut self) -> &mut Vec<PathBuf> {
        match self.reading.last_mut() {
            Some(open) => &mut open.included,
            None => &mut self.included,
        }
    }

    /// Reads the tokens of a file.
    fn file_tokens(&mut self, file: &FileName) -> Parse<Vec<Token>> {
        self.files += 1;
        if self.files > MOST_FILES {
            let message = format!("more than {MOST_FILES} files are imported");
            return Err(self.report("MBS070", file.origin, message, None));
        }
        let Imported { path, text } = self.load(file)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
        let index = self.sources.import(path, text.clone());
        let sources = &mut self.sources;
        lexer::tokens(&text, &mut |bytes| sources.imported(index, file.origin, bytes)).map_err(|byte| {
            let character = text[byte..].chars().next().unwrap_or(' ');
            let origin = self.sources.imported(index, file.origin, byte..byte + character.len_utf8());
            let (message, help) = lexical::explain(character, &text[byte..]);
            self.report("MBS000", origin, message, help.as_deref())
        })
    }

    /// Loads the text of a file, with its path for messages.
    pub(super) fn load(&mut self, file: &FileName) -> Parse<Imported> {
        let path = self.relative_path(file);
        (self.loader)(&path.to_string_lossy()).map_err(|reason| {
            let message = format!("this file cannot be imported: {reason}");
            self.report("MBS070", file.origin, message, Some(RELATIVE))
        })
    }

    /// Runs `read` on other tokens, then continues with the present ones.
    fn with_tokens<T>(&mut self, tokens: Vec<Token>, read: impl FnOnce(&mut Self) -> T) -> T {
        #[cfg(test)]
        self.steps.allow(&tokens);
        let outer = std::mem::replace(&mut self.tokens, tokens);
        let (position, depth) = (std::mem::take(&mut self.position), std::mem::take(&mut self.depth));
        let checked = std::mem::replace(&mut self.checked, (0, Ok(())));
        let (loops, brackets) = (std::mem::take(&mut self.loops), std::mem::take(&mut self.brackets));
        let prefixes = std::mem::take(&mut self.prefixes);
        let value = read(self);
        (self.tokens, self.position, self.depth, self.checked) = (outer, position, depth, checked);
        (self.loops, self.brackets, self.prefixes) = (loops, brackets, prefixes);
        value
    }

    /// Reads the items of an imported file; its mechanisms are skipped.
    fn library_items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        self.until_end_of_source(|p| {
            let docs = p.docs();
            if p.at_shared() {
                p.shared_item(docs, &mut items);
            } else if p.kind() != Kind::End && !p.skip_mechanism() {
                let message = "expected `part`, `const`, `function`, `import` or a mechanism";
                p.report("MBS001", p.next_origin(), message, None);
                while p.kind() != Kind::End && !p.at_shared() && !p.at_mechanism() {
                    p.advance_outside();
                }
            }
        });
        items
    }

    /// Whether a mechanism begins at the position.
    fn at_mechanism(&self) -> bool {
        ["pub", "planar", "spatial"].iter().any(|word| self.is_next(word)) || self.at_robot()
    }

    /// Skips `pub planar Name { … }` or `pub robot Arm = "arm.urdf" { … }`, if one comes next.
    fn skip_mechanism(&mut self) -> bool {
        if !self.at_mechanism() {
            return false;
        }
        self.visibility();
        let is_robot = self.at_robot();
        while self.kind() != Kind::End {
            let ends = self.is_next("{") || is_robot && self.is_next(";");
            self.advance_outside();
            if ends {
                self.eat(";");
                return true;
            }
        }
        true
    }

    /// The file's name relative to the source.
    pub(super) fn relative_path(&self, file: &FileName) -> PathBuf {
        let folder = self.reading.last().and_then(|open| open.name.parent());
        folder.unwrap_or(Path::new("")).join(&file.name)
    }
}

/// A path without `.` and `..` where possible, so that equal files have equal paths.
fn normalised_path(path: &Path) -> PathBuf {
    let mut normalised = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(normalised.components().next_back(), Some(Component::Normal(_))) => {
                normalised.pop();
            }
            other => normalised.push(other),
        }
    }
    normalised
}
