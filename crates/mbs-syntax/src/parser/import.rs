//! `import "arm.urdf" { trunk: { velocity: body } };`: a file's mechanism as items of this one.

use std::path::Path;

use mbs_model::definition::{Ident, Item, Space};
use mbs_model::import::urdf::{self, LinkArguments};
use mbs_model::{Errors, Origin};

use super::docs::unescape;
use super::{ERROR_LIMIT, Parse, Parser, Reported};
use crate::import::Imported;
use crate::tokens::Kind;

const RELATIVE: &str = "names of files are relative to the file that imports them";

/// The file of an import, as written.
struct Named {
    name: String,
    origin: Origin,
}

impl Named {
    fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.name).extension().is_some_and(|e| e.eq_ignore_ascii_case(extension))
    }
}

fn reserved(text: &str, origin: Origin) -> Item {
    Item::Reserved(Ident { text: text.to_owned(), origin })
}

impl Parser<'_> {
    /// `import` comes next.
    pub(super) fn at_import(&self) -> bool {
        self.at("import") && self.symbol(self.position + 1).0 != ":"
    }

    /// The items that an import stands for. After a mistake, a reserved item in their place: what it would declare is unknown.
    pub(super) fn import(&mut self) -> Vec<Item> {
        let origin = self.here();
        self.imported().unwrap_or_else(|Reported| vec![reserved("import", origin)])
    }

    fn imported(&mut self) -> Parse<Vec<Item>> {
        let (origin, inside_loop, before) = (self.here(), self.depth > 0, self.errors.list().len());
        self.advance();
        let Ok(file) = self.file_name() else {
            self.skip_item();
            return Err(Reported);
        };
        let prefix = self.eat("as");
        if prefix.is_some() || file.has_extension("mbs") {
            self.skip_reserved("import");
            return Ok(vec![prefix.map_or(reserved("import", origin), |prefix| reserved("import … as", prefix))]);
        }
        let added = self.link_arguments();
        if added.is_some() {
            self.eat(";");
        } else if self.semicolon("`import`").is_err() {
            self.skip_reserved("import");
        }
        if inside_loop {
            self.report("MBS027", origin, "`import` inside `for`", Some("write it outside the loop"));
        }
        // What is written wrong is not read.
        if self.errors.list().len() > before { Err(Reported) } else { self.robot(&file, &added.unwrap_or_default()) }
    }

    /// The string after `import`.
    fn file_name(&mut self) -> Parse<Named> {
        let token = self.token(self.position);
        let is_string = token.kind == Kind::Literal && token.text.starts_with(['"', 'r']);
        if !is_string {
            return Err(self.expected_with_help("a file after `import`", Some("write `import \"arm.urdf\";`")));
        }
        let named = Named { name: unescape(&token.text), origin: token.origin };
        self.advance();
        Ok(named)
    }

    /// `{ trunk: { velocity: body }, … }` if it comes next.
    fn link_arguments(&mut self) -> Option<Vec<LinkArguments>> {
        self.at("{").then(|| self.group(Self::links_with_arguments))
    }

    /// In a group that has been entered.
    fn links_with_arguments(&mut self) -> Vec<LinkArguments> {
        let mut links = Vec::new();
        while !self.at_end() {
            match self.arguments_of_link() {
                Ok(link) => links.push(link),
                Err(Reported) => self.skip_to_comma(),
            }
            if self.eat(",").is_none() && !self.at_end() {
                self.expected("`,` or `}`");
                self.skip_to_comma();
                self.eat(",");
            }
        }
        links
    }

    /// `trunk: { velocity: body }`.
    fn arguments_of_link(&mut self) -> Parse<LinkArguments> {
        let link = self.word("the name of a link")?;
        let help = format!("write `{}: {{ velocity: body }}`", link.text);
        if self.eat(":").is_none() {
            return Err(self.expected_with_help(&format!("`:` after `{}`", link.text), Some(&help)));
        }
        if !self.at("{") {
            return Err(self.expected_with_help(&format!("`{{` after `{}:`", link.text), Some(&help)));
        }
        Ok(LinkArguments { link, arguments: self.arguments() })
    }

    /// Reads the robot of the file.
    fn robot(&mut self, file: &Named, added: &[LinkArguments]) -> Parse<Vec<Item>> {
        if !file.has_extension("urdf") {
            let message = "a file that is not called `….urdf` cannot be imported";
            return Err(self.report("MBS070", file.origin, message, Some("import a robot in URDF")));
        }
        if self.space == Space::Planar {
            let message = "a robot in space cannot be imported into a planar mechanism";
            return Err(self.report("MBS070", file.origin, message, Some("write `spatial` for `planar`")));
        }
        let Imported { path, text } = match (self.loader)(&file.name) {
            Ok(imported) => imported,
            Err(reason) => {
                let message = format!("this file cannot be imported: {reason}");
                return Err(self.report("MBS070", file.origin, message, Some(RELATIVE)));
            }
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
        let index = self.sources.import(path, text.clone());
        let sources = &mut self.sources;
        let mut place = |bytes| sources.imported(index, file.origin, bytes);
        let mut errors = Errors::new();
        let items = urdf::read(&text, &mut place, &mut errors)
            .and_then(|robot| urdf::items(&robot, added, &mut place, &mut errors));
        for mistake in errors.list() {
            if self.errors.list().len() < ERROR_LIMIT {
                self.errors.push(mistake.code, mistake.origin, mistake.message.clone(), mistake.help.clone());
            }
        }
        items.ok_or(Reported)
    }
}
