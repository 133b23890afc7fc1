//! Items: the contents of the braces of a mechanism or a loop.

use mbs_definition::{CurveHead, Declaration, Expr, ExprKind, Ident, Item, KEYWORDS, Loop, Name, Setting};

use super::recovery::is_category;
use super::{Parse, Parser, Reported, broken_expression};
use crate::tokens::Kind;

impl Parser<'_> {
    /// Reads items up to the end of the group.
    pub(super) fn items(&mut self) -> Vec<Item> {
        // Items begin outside of brackets; the braces of a loop do not count.
        let brackets = std::mem::take(&mut self.brackets);
        let mut items = Vec::new();
        self.repeat_until_end(|p| {
            let docs = p.docs();
            if p.is_at_end() {
                if !docs.is_empty() {
                    p.report("MBS001", p.next_origin(), "expected an item after the doc comment", None);
                }
            } else if p.at_import() {
                items.extend(p.import());
            } else {
                items.extend(p.item(docs));
            }
        });
        self.brackets = brackets;
        items
    }

    /// Reads one item; `None` if its name is not readable.
    pub(super) fn item(&mut self, docs: String) -> Option<Item> {
        let Ok(word) = self.word("an item") else {
            self.skip_item();
            return None;
        };
        let declares = self.is_word(self.position);
        match word.text.as_str() {
            "joint" if self.is_next("kind") && self.is_word(self.position + 1) => {
                self.advance();
                Some(Item::JointKind(self.joint_kind(docs)))
            }
            // Another word in place of `kind`.
            "joint"
                if self.is_next(":") && self.is_word(self.position + 1) && self.symbol(self.position + 2).0 == "(" =>
            {
                self.expected("`kind`, or a name");
                self.advance();
                Some(Item::JointKind(self.joint_kind(docs)))
            }
            "event" if declares => Some(Item::Event(self.event(docs))),
            "report" if self.is_next("every") || self.is_next("on") => self.report_item(word).map(Item::Report),
            "stop" if self.is_next("when") => self.stop(word),
            "part" if declares && self.at_part() => Some(Item::Part(self.part(docs))),
            "function" if declares => Some(Item::Function(self.function(docs))),
            "for" => self.repetition().map(Item::Loop),
            "initial" if !self.is_next(":") => Some(Item::Initial(self.conditions())),
            _ if self.is_next("in") => {
                self.report("MBS001", word.origin, format!("expected `for` before `{}`", word.text), None);
                self.position -= 1;
                self.repetition().map(Item::Loop)
            }
            _ if self.is_next(":") => Some(Item::Setting(self.setting(word))),
            _ if declares => Some(Item::Declaration(self.declaration(docs, word))),
            _ => self.incomplete(word),
        }
    }

    /// Reports a word that neither a name nor `:` follows. If the category or the name is missing, the word counts as declared, so that references
    /// to it are not reported.
    fn incomplete(&mut self, word: Ident) -> Option<Item> {
        let text = &word.text;
        let help = format!("write `{text}: …;` for an option, `param {text} = …;` for a quantity");
        let ambiguous = self.is_next("=") && !is_category(text);
        self.expected_with_help(&format!("a name or `:` after `{text}`"), ambiguous.then_some(&help));
        let declares = self.is_next("=") || self.is_next("{");
        let value = Some(broken_expression(word.origin));
        self.skip_item();
        let name = Name { ident: word.clone(), index: None };
        let declaration = Declaration {
            docs: String::new(),
            category: word,
            name,
            shape: vec![],
            variants: vec![],
            frame: None,
            curve: None,
            value,
            arguments: vec![],
        };
        declares.then_some(Item::Declaration(declaration))
    }

    /// Reads `name: [shape] in frame = value { arguments };` after the category.
    fn declaration(&mut self, docs: String, category: Ident) -> Declaration {
        let token = self.token(self.position);
        let ident = Ident { text: token.text.clone(), origin: token.origin };
        let name = Name { ident, index: None };
        let mut declaration = Declaration {
            docs,
            category,
            name,
            shape: vec![],
            variants: vec![],
            frame: None,
            curve: None,
            value: None,
            arguments: vec![],
        };
        if self.declaration_rest(&mut declaration).is_err() {
            declaration.value = Some(broken_expression(declaration.name.ident.origin));
            self.skip_item();
        }
        declaration
    }

    /// Reads a word as a new name.
    pub(super) fn declared_name(&mut self) -> Parse<Ident> {
        let name = self.word("a name")?;
        if KEYWORDS.contains(&name.text.as_str()) || name.text.starts_with("r#") {
            let message = format!("`{}` is a word of Rust and cannot be a name", name.text);
            return Err(self.report("MBS001", name.origin, message, None));
        }
        Ok(name)
    }

    fn declaration_rest(&mut self, declaration: &mut Declaration) -> Parse<()> {
        self.declared_name()?;
        if self.is_next("[") {
            declaration.name.index = Some(self.bracketed());
        }
        if declaration.category.text == "curve" {
            declaration.curve = Some(self.curve_head()?);
        }
        if self.is_next(":") && self.token(self.position + 1).text == "enum" {
            self.advance();
            self.advance();
            declaration.variants = self.variants()?;
        } else if self.eat(":").is_some() {
            if !self.is_next("[") {
                return Err(self.expected_with_help("a shape after `:`", Some("write `[3]` or `[2, 3]`")));
            }
            let bracket = self.next_origin();
            declaration.shape = self.group(|p| p.list("`]`")).0;
            if declaration.shape.is_empty() {
                self.report("MBS001", bracket, "the shape has no size", Some("write `[3]` or `[2, 3]`"));
            }
        }
        if self.eat("in").is_some() {
            declaration.frame = Some(self.target()?);
        }
        let subject = format!("the declaration of `{}`", declaration.name.ident.text);
        let has_value = self.eat("=").is_some();
        if has_value {
            declaration.value = Some(self.value()?);
        }
        if self.at_arguments() {
            declaration.arguments = self.arguments();
            if !has_value {
                // A body needs no `;`.
                self.eat(";");
                return Ok(());
            }
        } else if !has_value && !self.ends_item() {
            return Err(self.expected(&format!("`=`, `{{` or `;` after `{}`", declaration.name.ident.text)));
        }
        self.semicolon(&subject)
    }

    /// Reads `(s) on cam` after the name of a curve.
    fn curve_head(&mut self) -> Parse<CurveHead> {
        let parameter = match self.is_next("(") {
            true => Some(self.group(|p| {
                let name = p.declared_name()?;
                if p.is_at_end() { Ok(name) } else { Err(p.expected("`)`: a curve has one parameter")) }
            })?),
            false => None,
        };
        if self.eat("on").is_none() {
            return Err(self.expected_with_help(
                "`on` and the body or marker of the curve",
                Some("write `curve lobe(s) on cam = […];`"),
            ));
        }
        Ok(CurveHead { parameter, on: self.target()? })
    }

    /// Reads `{ low, high }` after `enum`.
    fn variants(&mut self) -> Parse<Vec<Ident>> {
        if !self.is_next("{") {
            return Err(self.expected_with_help("`{` after `enum`", Some("write `enum { low, high }`")));
        }
        let brace = self.next_origin();
        let words = self.group(|p| {
            let mut words = Vec::new();
            p.comma_separated("`,` or `}`", |p| {
                words.push(p.declared_name()?);
                Ok(())
            })?;
            Ok(words)
        })?;
        if words.is_empty() {
            return Err(self.report("MBS001", brace, "the choice has no words", Some("write `enum { low, high }`")));
        }
        Ok(words)
    }

    /// Reads the value of an item; fails if all of it is broken.
    pub(super) fn value(&mut self) -> Parse<Expr> {
        self.expression().and_then(|value| if value.kind == ExprKind::Broken { Err(Reported) } else { Ok(value) })
    }

    /// Whether braces come next that are not those of an `if`.
    fn at_arguments(&self) -> bool {
        let Kind::Open(close) = self.kind() else {
            return false;
        };
        self.is_next("{") && self.token(close + 1).text != "else"
    }

    /// Whether `;` comes next, or the end of the group, or another item.
    fn ends_item(&self) -> bool {
        self.is_next(";") || self.is_at_end() || self.starts_item()
    }

    /// Reads the `;` after `subject`. If it is missing before the next item, that is reported, and the item is valid.
    pub(super) fn semicolon(&mut self, subject: &str) -> Parse<()> {
        if self.eat(";").is_some() {
            return Ok(());
        }
        if !self.ends_item() {
            return Err(self.expected(&format!("`;` after {subject}")));
        }
        let gap = self.sources.after(self.token(self.position - 1).origin);
        self.report("MBS001", gap, format!("expected `;` after {subject}"), None);
        Ok(())
    }

    /// Reads `: value { arguments };` after the option's name.
    fn setting(&mut self, name: Ident) -> Setting {
        self.eat(":");
        let mut setting = Setting { name, tunable: false, value: None, arguments: vec![] };
        if self.setting_rest(&mut setting).is_err() {
            setting.value = Some(broken_expression(setting.name.origin));
            self.skip_item();
        }
        setting
    }

    fn setting_rest(&mut self, setting: &mut Setting) -> Parse<()> {
        setting.tunable = self.eat("param").is_some();
        if !self.is_next("{") {
            setting.value = Some(self.value()?);
        }
        if self.at_arguments() {
            setting.arguments = self.arguments();
        }
        self.semicolon(&format!("`{}`", setting.name.text))
    }

    /// Reads `i in a..b { items }` or `(a, b) in set { items }` after `for`. The items are read even if the header is broken.
    fn repetition(&mut self) -> Option<Loop> {
        let start = self.next_origin();
        let mut variables = Vec::new();
        let over = match self.loop_header(&mut variables) {
            Ok(over) => over,
            Err(Reported) => {
                while !(self.is_at_end() || self.is_next("{") || self.starts_known_item()) {
                    self.advance();
                }
                broken_expression(start)
            }
        };
        if !self.is_next("{") {
            self.eat(";");
            return None;
        }
        self.loops += 1;
        let items = self.nested(|p| Ok(p.group(Self::items)));
        self.loops -= 1;
        if items.is_err() {
            self.advance();
        }
        self.eat(";");
        Some(Loop { variables, over, items: items.unwrap_or_default() })
    }

    fn loop_header(&mut self, variables: &mut Vec<Ident>) -> Parse<Expr> {
        if self.is_next("(") {
            self.group(|p| p.loop_variables(variables))?;
        } else {
            variables.push(self.variable()?);
        }
        if self.eat("in").is_none() {
            return Err(self.expected("`in` after the variable of `for`"));
        }
        let over = self.range()?;
        if !self.is_next("{") {
            return Err(self.expected("`{` after the range of `for`"));
        }
        Ok(over)
    }

    fn loop_variables(&mut self, variables: &mut Vec<Ident>) -> Parse<()> {
        self.comma_separated("`,` or `)`", |p| {
            variables.push(p.variable()?);
            Ok(())
        })
    }

    /// Skips a construct to the end of its `;` or `{…}`.
    pub(super) fn skip_reserved(&mut self, word: &str) {
        let message = format!("`{word}`");
        loop {
            if self.is_next(";") || self.is_at_end() || self.starts_known_item() {
                let _ = self.semicolon(&message);
                return;
            }
            let braces = self.is_next("{");
            self.advance();
            if braces && self.item_ends_after_braces() {
                return;
            }
        }
    }
}
