//! `import "arm.urdf" as arm { trunk: { velocity: body } };`: inserts the items of a file into a mechanism.

use std::path::Path;

use mbs_definition::{Errors, Ident, Item, Origin, Space};
use mbs_import::urdf::{self, LinkArguments, RobotOptions, Standalone};

use super::docs::unescape;
use super::{ERROR_LIMIT, Parse, Parser, Reported};
use crate::import::Imported;
use crate::tokens::Kind;

pub(super) const RELATIVE: &str = "names of files are relative to the file that imports them";

/// The file name of an import, as written.
pub(super) struct FileName {
    pub(super) name: String,
    pub(super) origin: Origin,
}

impl FileName {
    fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.name).extension().is_some_and(|e| e.eq_ignore_ascii_case(extension))
    }
}

fn reserved(text: &str, origin: Origin) -> Item {
    Item::Reserved(Ident { text: text.to_owned(), origin })
}

impl Parser<'_> {
    /// Whether an import comes next.
    pub(super) fn at_import(&self) -> bool {
        self.is_next("import") && self.symbol(self.position + 1).0 != ":"
    }

    /// Reads an import; returns its items. After a mistake it returns a reserved item, since the names that the file declares are unknown.
    pub(super) fn import(&mut self) -> Vec<Item> {
        let origin = self.next_origin();
        self.imported().unwrap_or_else(|Reported| vec![reserved("import", origin)])
    }

    fn imported(&mut self) -> Parse<Vec<Item>> {
        let (origin, inside_loop, before) = (self.next_origin(), self.loops > 0, self.errors.list().len());
        self.advance();
        let Ok(file) = self.file_name("`import`", "write `import \"arm.urdf\";`") else {
            self.skip_item();
            return Err(Reported);
        };
        let Ok(prefix) = self.import_prefix() else {
            self.skip_item();
            return Err(Reported);
        };
        let is_library = file.has_extension("mbs");
        if is_library && !inside_loop && self.errors.list().len() == before {
            // A missing `;` is reported, and the import is read.
            let library = self.library(&file, prefix);
            if self.semicolon("`import`").is_err() {
                self.skip_reserved("import");
            }
            return Ok(library?.into_iter().collect());
        }
        let added = if is_library { None } else { self.link_arguments() };
        if added.is_some() {
            self.eat(";");
        } else if self.semicolon("`import`").is_err() {
            self.skip_reserved("import");
        }
        if inside_loop {
            self.report("MBS027", origin, "`import` inside `for`", Some("write it outside the loop"));
        }
        // A text with mistakes is not converted.
        if self.errors.list().len() > before {
            return Err(Reported);
        }
        let robot = self.robot(&file, prefix.as_ref(), &added.unwrap_or_default(), None)?;
        Ok(prefix.into_iter().map(Item::Group).chain(robot).collect())
    }

    /// Reads `as arm` if it comes next; the name must differ from those of other imports.
    fn import_prefix(&mut self) -> Parse<Option<Ident>> {
        if self.eat("as").is_none() {
            return Ok(None);
        }
        let prefix = self.declared_name()?;
        if self.prefixes.contains(&prefix.text) {
            let message = format!("two imports are called `{}`", prefix.text);
            self.report("MBS011", prefix.origin, message, Some("give one of them another name"));
        }
        self.prefixes.push(prefix.text.clone());
        Ok(Some(prefix))
    }

    /// Reads a file name, a string; `after` names the preceding word in the message.
    pub(super) fn file_name(&mut self, after: &str, help: &str) -> Parse<FileName> {
        let token = self.token(self.position);
        let is_string = token.kind == Kind::Literal && token.text.starts_with(['"', 'r']);
        if !is_string {
            return Err(self.expected_with_help(&format!("a file after {after}"), Some(help)));
        }
        let named = FileName { name: unescape(&token.text), origin: token.origin };
        self.advance();
        Ok(named)
    }

    /// Reads `{ trunk: { velocity: body }, … }` if it comes next.
    fn link_arguments(&mut self) -> Option<Vec<LinkArguments>> {
        self.is_next("{").then(|| self.group(Self::links_with_arguments))
    }

    /// Reads the arguments of links, in a group that has been entered.
    fn links_with_arguments(&mut self) -> Vec<LinkArguments> {
        let mut links = Vec::new();
        self.repeat_until_end(|p| {
            match p.arguments_of_link() {
                Ok(link) => links.push(link),
                Err(Reported) => p.skip_to_comma(),
            }
            if p.eat(",").is_none() && !p.is_at_end() {
                p.expected("`,` or `}`");
                p.skip_to_comma();
                p.eat(",");
            }
        });
        links
    }

    /// Reads `trunk: { velocity: body }`.
    fn arguments_of_link(&mut self) -> Parse<LinkArguments> {
        let link = self.word("the name of a link")?;
        let help = format!("write `{}: {{ velocity: body }}`", link.text);
        if self.eat(":").is_none() {
            return Err(self.expected_with_help(&format!("`:` after `{}`", link.text), Some(&help)));
        }
        if !self.is_next("{") {
            return Err(self.expected_with_help(&format!("`{{` after `{}:`", link.text), Some(&help)));
        }
        Ok(LinkArguments { link, arguments: self.arguments() })
    }

    /// Reads the robot of a file; returns its items.
    pub(super) fn robot(
        &mut self,
        file: &FileName,
        prefix: Option<&Ident>,
        links: &[LinkArguments],
        alone: Option<&Standalone>,
    ) -> Parse<Vec<Item>> {
        if !file.has_extension("urdf") {
            let [message, help] = match alone {
                Some(_) => ["a file that is not called `….urdf` cannot be imported", "import a robot in URDF"],
                None => [
                    "a file that is called neither `….mbs` nor `….urdf` cannot be imported",
                    "import parts in the language, or a robot in URDF",
                ],
            };
            return Err(self.report("MBS070", file.origin, message, Some(help)));
        }
        if self.space == Some(Space::Planar) {
            let message = "a robot in space cannot be imported into a planar mechanism";
            return Err(self.report("MBS070", file.origin, message, Some("write `spatial` for `planar`")));
        }
        let Imported { path, text } = self.load(file)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
        let index = self.sources.import(path, text.clone());
        let sources = &mut self.sources;
        let mut make_origin = |bytes| sources.imported(index, file.origin, bytes);
        let mut errors = Errors::new();
        let options = RobotOptions { prefix: prefix.map(|prefix| prefix.text.as_str()), links, alone };
        let items = urdf::import_items(&text, options, &mut make_origin, &mut errors);
        for mistake in errors.list() {
            if self.errors.list().len() < ERROR_LIMIT {
                self.errors.push(mistake.code, mistake.origin, mistake.message.clone(), mistake.help.clone());
            }
        }
        items.ok_or(Reported)
    }
}
