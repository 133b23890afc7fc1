//! The header: `/// docs pub planar Name { items }`.

use mbs_definition::{Definition, Ident, Space};
use mbs_math::nearest;

use super::{Parse, Parser, Reported};
use crate::tokens::Kind;

const HEADER: &str = "write `pub planar Name { … }` or `pub spatial Name { … }`";

const SPACES: [&str; 2] = ["planar", "spatial"];

impl Parser<'_> {
    /// Reads all mechanisms up to the end.
    pub(super) fn mechanisms(&mut self) -> Vec<Definition> {
        let mut definitions = Vec::new();
        if self.kind() == Kind::End {
            self.report("MBS001", self.next_origin(), "there is no mechanism here", Some(HEADER));
        }
        let mut shared = Vec::new();
        self.until_end_of_source(|p| {
            let docs = p.docs();
            if p.at_shared() {
                p.space = None;
                p.shared_item(docs, &mut shared);
            } else {
                let imports = (p.prefixes.len(), p.included.len());
                definitions.extend(p.mechanism(docs));
                p.prefixes.truncate(imports.0);
                p.included.truncate(imports.1);
            }
        });
        definitions.iter_mut().for_each(|d| d.items.splice(0..0, shared.iter().cloned()).for_each(drop));
        definitions
    }

    fn mechanism(&mut self, docs: String) -> Option<Definition> {
        let start = self.position;
        let visibility = self.visibility();
        if self.at_robot() {
            self.eat("robot");
            return self.robot_mechanism(docs, visibility);
        }
        self.position = start;
        let header = match self.header() {
            Ok(header) => header,
            Err(Reported) => self.guessed_header(start)?,
        };
        let (visibility, space, name) = header;
        self.space = Some(space);

        let items = self.group(Self::items);
        Some(Definition { docs, visibility, space, name, items })
    }

    /// Reads the header of a mechanism, up to `{`: visibility, space and name.
    fn header(&mut self) -> Parse<(String, Space, Ident)> {
        let visibility = self.visibility();
        let space = self.space()?;
        if !self.is_word(self.position) {
            return Err(self.expected_with_help("the name of the mechanism", Some(HEADER)));
        }
        let name = self.declared_name()?;
        if !self.is_next("{") {
            return Err(self.expected_with_help(&format!("`{{` after `{}`", name.text), Some(HEADER)));
        }
        Ok((visibility, space, name))
    }

    /// Skips to `{` after a mistake in the header that began at `start`, so that the items are read. `None` if there is no `{`, or if the tokens
    /// before it are a macro call.
    fn guessed_header(&mut self, start: usize) -> Option<(String, Space, Ident)> {
        while !self.is_next("{") {
            if self.kind() == Kind::End {
                return None;
            }
            self.advance_outside();
        }
        let header = &self.tokens[start..self.position];
        if header.iter().any(|token| token.text == "!") {
            self.advance();
            return None;
        }
        let words = || header.iter().filter(|token| token.kind == Kind::Word);
        let spatial = words().any(|token| nearest(&token.text, SPACES) == Some("spatial"));
        let space = if spatial { Space::Spatial } else { Space::Planar };
        let name = words().rfind(|token| token.text != "pub" && !SPACES.contains(&token.text.as_str()));
        let text = name.map_or(String::new(), |token| token.text.clone());
        let origin = name.map_or(self.next_origin(), |token| token.origin);
        Some((String::new(), space, Ident { text, origin }))
    }

    /// Reads `pub`, `pub(crate)`, or no visibility.
    pub(super) fn visibility(&mut self) -> String {
        let mut visibility = String::new();
        if self.eat("pub").is_some() {
            visibility.push_str("pub");
            if let (Kind::Open(close), true) = (self.kind(), self.is_next("(")) {
                for token in &self.tokens[self.position..=close] {
                    visibility.push_str(&token.text);
                    visibility.push_str(if token.text == "in" { " " } else { "" });
                }
                self.position = close + 1;
            }
        }
        visibility
    }

    fn space(&mut self) -> Parse<Space> {
        if self.eat("planar").is_some() {
            return Ok(Space::Planar);
        }
        if self.eat("spatial").is_some() {
            return Ok(Space::Spatial);
        }
        let guess = nearest(&self.token(self.position).text, SPACES);
        let help = guess.map_or(HEADER.to_owned(), |word| format!("did you mean `{word}`?"));
        Err(self.expected_with_help("`planar` or `spatial`", Some(&help)))
    }
}
