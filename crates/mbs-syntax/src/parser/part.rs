//! `part leg(hip, side = 1) { items }`.

use mbs_definition::{Ident, Parameter, Part};

use super::{Parse, Parser, Reported};

const FORM: &str = "write `part leg(hip, side) { … }` for a part, `part left = leg(…);` for an instance";

impl Parser<'_> {
    /// Whether the name of a part and its parameters come next, not an instance.
    pub(super) fn at_part(&self) -> bool {
        matches!(self.symbol(self.position + 1).0, "(" | "{")
    }

    /// Reads a part after the word `part`; reads its items even if the parameters are broken.
    pub(super) fn part(&mut self, docs: String) -> Part {
        let token = self.token(self.position);
        let name = Ident { text: token.text.clone(), origin: token.origin };
        let mut part = Part { docs, name, parameters: Vec::new(), items: Vec::new() };
        let _: Parse<Ident> = self.declared_name();
        if self.is_next("(") {
            let _: Parse<()> = self.group(|p| p.parameters(&mut part.parameters));
        } else {
            self.expected_with_help(&format!("`(` after `{}`", part.name.text), Some(FORM));
        }
        if !self.is_next("{") {
            self.expected_with_help(&format!("`{{` after the parameters of `{}`", part.name.text), Some(FORM));
            self.skip_item();
            return part;
        }
        // Imports and loops of the enclosing mechanism do not count inside a part.
        let outer = (std::mem::take(&mut self.prefixes), std::mem::take(&mut self.included));
        let loops = std::mem::take(&mut self.loops);
        match self.nested(|p| Ok(p.group(Self::items))) {
            Ok(items) => part.items = items,
            Err(Reported) => self.advance(),
        }
        ((self.prefixes, self.included), self.loops) = (outer, loops);
        self.eat(";");
        part
    }

    /// Reads names between commas, with optional defaults, in a group that has been entered.
    pub(super) fn parameters(&mut self, parameters: &mut Vec<Parameter>) -> Parse<()> {
        self.comma_separated("`,` or `)` after a parameter", |p| {
            let name = p.declared_name()?;
            let default = if p.eat("=").is_some() { Some(p.expression()?) } else { None };
            parameters.push(Parameter { name, default });
            Ok(())
        })
    }
}
