//! The parser: a position in the token list, expectations there, and recovery after a mistake.
//!
//! Functions that return [`Parse`] report their mistake before they fail and leave the position at or before the token
//! where it was found, at the level of brackets where they started; the caller skips on from there.

mod arguments;
mod docs;
mod event;
mod expression;
mod function;
mod import;
mod item;
mod joint_kind;
mod library;
mod mechanism;
mod number;
mod operand;
mod operators;
mod part;
mod recovery;
mod robot;
#[cfg(test)]
mod tests;
mod units;

use std::path::PathBuf;

use mbs_definition::{Definition, Errors, Expr, ExprKind, Ident, Origin, Space};

use crate::import::{Loader, refuse};
use crate::sources::Sources;
use crate::tokens::{Kind, Token};

/// Levels of nesting, of loops and expressions together.
pub const DEPTH_LIMIT: usize = 128;

/// Tokens of one expression.
pub const TOKEN_LIMIT: usize = 10_000;

/// Mistakes recorded per source; further ones are noise.
const ERROR_LIMIT: usize = 100;

/// Marks a mistake that is in the list already.
#[derive(Clone, Copy)]
struct Reported;

type Parse<T> = Result<T, Reported>;

pub use docs::unescape;

/// Reads every mechanism in `tokens`, and the files that they import.
pub(crate) fn mechanisms(
    tokens: Vec<Token>,
    sources: Sources,
    loader: Loader<'_>,
) -> (Vec<Definition>, Sources, Errors) {
    let mut parser = Parser::new(tokens, sources, loader);
    let definitions = parser.mechanisms();
    (definitions, parser.sources, parser.errors)
}

/// Reads every robot in `tokens`, `Arm = "arm.urdf" { … }`, and the files that they are.
pub(crate) fn robots(tokens: Vec<Token>, sources: Sources, loader: Loader<'_>) -> (Vec<Definition>, Sources, Errors) {
    let mut parser = Parser::new(tokens, sources, loader);
    let definitions = parser.robots();
    (definitions, parser.sources, parser.errors)
}

/// Reads `tokens` as one expression, up to their end.
pub(crate) fn expression(tokens: Vec<Token>, sources: Sources) -> Result<Expr, Errors> {
    let mut loader = refuse;
    let mut parser = Parser::new(tokens, sources, &mut loader);
    match parser.expression() {
        Ok(expr) if parser.kind() == Kind::End && parser.errors.is_empty() => Ok(expr),
        Ok(_) if parser.errors.is_empty() => {
            parser.expected("the end of the expression");
            Err(parser.errors)
        }
        _ => Err(parser.errors),
    }
}

struct Parser<'l> {
    tokens: Vec<Token>,
    /// Index of the next token; never beyond the last, which is [`Kind::End`].
    position: usize,
    sources: Sources,
    errors: Errors,
    /// Reads imported files.
    loader: Loader<'l>,
    /// Plane or space of the mechanism that is read; `None` outside mechanisms.
    space: Option<Space>,
    /// Prefixes of the imports of the mechanism that is read.
    prefixes: Vec<String>,
    /// Imported files that are being read, one in another.
    reading: Vec<library::Reading>,
    /// Files whose items are among the names of the mechanism that is read.
    included: Vec<PathBuf>,
    /// Files that were imported.
    files: usize,
    /// Levels of nesting entered.
    depth: usize,
    /// Loops entered.
    loops: usize,
    /// Brackets entered since the item began; a new item can only begin outside of them.
    brackets: usize,
    /// Index of the token up to which expressions are known to be within the limits, or to exceed them.
    checked: (usize, Parse<()>),
    /// Tokens visited, and how many of them tests allow.
    #[cfg(test)]
    steps: tests::Steps,
}

impl<'l> Parser<'l> {
    fn new(tokens: Vec<Token>, sources: Sources, loader: Loader<'l>) -> Self {
        Parser {
            #[cfg(test)]
            steps: tests::Steps::of(&tokens),
            tokens,
            position: 0,
            sources,
            errors: Errors::new(),
            loader,
            space: None,
            prefixes: Vec::new(),
            reading: Vec::new(),
            included: Vec::new(),
            files: 0,
            depth: 0,
            loops: 0,
            brackets: 0,
            checked: (0, Ok(())),
        }
    }
}

impl Parser<'_> {
    fn token(&self, index: usize) -> &Token {
        #[cfg(test)]
        self.steps.count();
        &self.tokens[index.min(self.tokens.len() - 1)]
    }

    fn kind(&self) -> Kind {
        self.token(self.position).kind
    }

    fn here(&self) -> Origin {
        self.token(self.position).origin
    }

    /// The operator, word or bracket at `index`, and how many tokens it takes.
    fn symbol(&self, index: usize) -> (&str, usize) {
        #[cfg(test)]
        self.steps.count();
        operators::symbol(&self.tokens, index.min(self.tokens.len() - 1))
    }

    fn at(&self, symbol: &str) -> bool {
        self.symbol(self.position).0 == symbol
    }

    fn is_word(&self, index: usize) -> bool {
        self.token(index).kind == Kind::Word
    }

    /// The end of the group or of the source.
    fn at_end(&self) -> bool {
        matches!(self.kind(), Kind::Close | Kind::End)
    }

    /// Steps over one token, or over a whole group; stays at the end of a group.
    fn advance(&mut self) {
        match self.kind() {
            Kind::Open(close) => self.position = close + 1,
            Kind::Close | Kind::End => {}
            Kind::Word | Kind::Literal | Kind::Punct { .. } => self.position += 1,
        }
    }

    /// Steps over one token or a whole group outside of all groups; at the end of the source it stays.
    fn advance_outside(&mut self) {
        if self.kind() == Kind::Close { self.position += 1 } else { self.advance() }
    }

    /// Repeats `read` up to the end of the group. A token where it stays is stepped over, so that the loop ends.
    fn until_end(&mut self, mut read: impl FnMut(&mut Self)) {
        while !self.at_end() {
            let start = self.position;
            read(self);
            if self.position <= start {
                self.position = start;
                self.advance();
            }
        }
    }

    /// Repeats `read` up to the end of the source. A token where it stays is stepped over, so that the loop ends.
    fn until_end_of_source(&mut self, mut read: impl FnMut(&mut Self)) {
        while self.kind() != Kind::End {
            let start = self.position;
            read(self);
            if self.position <= start {
                self.position = start;
                self.advance_outside();
            }
        }
    }

    /// Repeats `read` between commas up to the end of the group, where `expected` names what follows each.
    fn separated(&mut self, expected: &str, mut read: impl FnMut(&mut Self) -> Parse<()>) -> Parse<()> {
        while !self.at_end() {
            let start = self.position;
            read(self)?;
            if self.position <= start || self.eat(",").is_none() && !self.at_end() {
                return Err(self.expected(expected));
            }
        }
        Ok(())
    }

    /// Steps over `symbol` if it comes next, and says where it stood.
    fn eat(&mut self, symbol: &str) -> Option<Origin> {
        let (text, length) = self.symbol(self.position);
        if text != symbol {
            return None;
        }
        let (first, last) = (self.here(), self.token(self.position + length - 1).origin);
        self.position += length;
        Some(if length == 1 { first } else { self.sources.range(first, last) })
    }

    /// The word at the position.
    fn word(&mut self, what: &str) -> Parse<Ident> {
        if self.kind() != Kind::Word {
            return Err(self.expected(what));
        }
        let token = &self.tokens[self.position];
        let ident = Ident { text: token.text.clone(), origin: token.origin };
        self.position += 1;
        Ok(ident)
    }

    /// Enters the group at the position, reads it with `inside`, and leaves it whatever was read.
    fn group<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let Kind::Open(close) = self.kind() else { unreachable!("callers look for the bracket") };
        self.position += 1;
        self.brackets += 1;
        let value = inside(self);
        self.brackets -= 1;
        self.position = close + 1;
        value
    }

    /// One level deeper.
    fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= DEPTH_LIMIT {
            return Err(self.too_deep(self.here()));
        }
        self.depth += 1;
        let value = inside(self);
        self.depth -= 1;
        value
    }

    fn report(
        &mut self,
        code: &'static str,
        origin: Origin,
        message: impl Into<String>,
        help: Option<&str>,
    ) -> Reported {
        if self.errors.list().len() < ERROR_LIMIT {
            self.errors.push(code, origin, message, help.map(str::to_owned));
        }
        Reported
    }

    fn expected(&mut self, what: &str) -> Reported {
        self.expected_with_help(what, None)
    }

    fn expected_with_help(&mut self, what: &str, help: Option<&str>) -> Reported {
        let before = self.tokens.get(self.position.wrapping_sub(1)).filter(|token| token.kind == Kind::Literal);
        let unit = before.and_then(|number| units::help(&number.text, &self.token(self.position).text));
        let help = unit.as_deref().or(help);
        let message = format!("expected {what}, found {}", self.found());
        let (_, length) = self.symbol(self.position);
        let last = self.token(self.position + length - 1).origin;
        let origin = if length == 1 { last } else { self.sources.range(self.here(), last) };
        self.report("MBS001", origin, message, help)
    }

    /// The next token as a message names it.
    fn found(&self) -> String {
        match self.kind() {
            Kind::End => "the end".to_owned(),
            Kind::Literal if self.token(self.position).text.starts_with('"') => "a string".to_owned(),
            _ if self.at_docs() => "a doc comment".to_owned(),
            _ => format!("`{}`", self.symbol(self.position).0),
        }
    }

    fn too_deep(&mut self, origin: Origin) -> Reported {
        let message = format!("this nests deeper than {DEPTH_LIMIT} levels");
        self.report("MBS002", origin, message, Some("name parts of it with `let`"))
    }
}

/// An expression about which a message was given.
fn broken(origin: Origin) -> Expr {
    Expr { kind: ExprKind::Broken, origin }
}
