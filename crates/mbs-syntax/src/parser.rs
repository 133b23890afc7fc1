//! The parser: it has a position in the token list, reports unexpected tokens there, and recovers after mistakes.
//!
//! Functions that return [`Parse`] report a mistake before they fail. They leave the position at or before the token of the mistake, at the level of
//! brackets where they started, and the caller skips tokens from there.

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

/// Largest number of levels of nesting, of loops and expressions together.
pub const DEPTH_LIMIT: usize = 128;

/// Largest number of tokens of one expression.
pub const TOKEN_LIMIT: usize = 10_000;

/// Largest number of mistakes recorded per source.
const ERROR_LIMIT: usize = 100;

/// Marks a failure whose mistake is in the list already.
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

/// Reads every robot in `tokens`, `Arm = "arm.urdf" { … }`, and their files.
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
    /// Space of the mechanism that is read, planar or spatial; `None` outside mechanisms.
    space: Option<Space>,
    /// Prefixes of the imports of the mechanism that is read.
    prefixes: Vec<String>,
    /// Imported files that are being read, outermost first.
    reading: Vec<library::Reading>,
    /// Files whose names have been added to the mechanism that is read.
    included: Vec<PathBuf>,
    /// Files that were imported.
    files: usize,
    /// Levels of nesting entered.
    depth: usize,
    /// Loops entered.
    loops: usize,
    /// Brackets entered since the item began; a new item can only begin outside of them.
    brackets: usize,
    /// Index of the token up to which expressions have been checked, and whether they are within the limits.
    checked: (usize, Parse<()>),
    /// Counts the visited tokens, with the number that tests allow.
    #[cfg(test)]
    steps: tests::Steps,
}

impl<'l> Parser<'l> {
    fn new(tokens: Vec<Token>, sources: Sources, loader: Loader<'l>) -> Self {
        Parser {
            #[cfg(test)]
            steps: tests::Steps::for_tokens(&tokens),
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

    /// Kind of the next token.
    fn kind(&self) -> Kind {
        self.token(self.position).kind
    }

    /// Origin of the next token.
    fn next_origin(&self) -> Origin {
        self.token(self.position).origin
    }

    /// The operator, word or bracket at `index`, and its number of tokens.
    fn symbol(&self, index: usize) -> (&str, usize) {
        #[cfg(test)]
        self.steps.count();
        operators::symbol(&self.tokens, index.min(self.tokens.len() - 1))
    }

    /// Whether an operator, word or bracket comes next.
    fn is_next(&self, symbol: &str) -> bool {
        self.symbol(self.position).0 == symbol
    }

    fn is_word(&self, index: usize) -> bool {
        self.token(index).kind == Kind::Word
    }

    /// Whether the end of the group or of the source comes next.
    fn is_at_end(&self) -> bool {
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

    /// Repeats `read` up to the end of the group. If `read` does not advance, a token is skipped, so that the loop ends.
    fn repeat_until_end(&mut self, mut read: impl FnMut(&mut Self)) {
        while !self.is_at_end() {
            let start = self.position;
            read(self);
            if self.position <= start {
                self.position = start;
                self.advance();
            }
        }
    }

    /// Repeats `read` up to the end of the source. If `read` does not advance, a token is skipped, so that the loop ends.
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

    /// Repeats `read` between commas up to the end of the group; `expected` names the tokens that may follow.
    fn comma_separated(&mut self, expected: &str, mut read: impl FnMut(&mut Self) -> Parse<()>) -> Parse<()> {
        while !self.is_at_end() {
            let start = self.position;
            read(self)?;
            if self.position <= start || self.eat(",").is_none() && !self.is_at_end() {
                return Err(self.expected(expected));
            }
        }
        Ok(())
    }

    /// Steps over `symbol` if it comes next, and returns its origin.
    fn eat(&mut self, symbol: &str) -> Option<Origin> {
        let (text, length) = self.symbol(self.position);
        if text != symbol {
            return None;
        }
        let (first, last) = (self.next_origin(), self.token(self.position + length - 1).origin);
        self.position += length;
        Some(if length == 1 { first } else { self.sources.range(first, last) })
    }

    /// Reads a word; `subject` names it in the message if there is none.
    fn word(&mut self, subject: &str) -> Parse<Ident> {
        if self.kind() != Kind::Word {
            return Err(self.expected(subject));
        }
        let token = &self.tokens[self.position];
        let ident = Ident { text: token.text.clone(), origin: token.origin };
        self.position += 1;
        Ok(ident)
    }

    /// Enters the group at the position, reads it with `inside`, and leaves it, even if `inside` has not read all of it.
    fn group<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let Kind::Open(close) = self.kind() else { unreachable!("callers look for the bracket") };
        self.position += 1;
        self.brackets += 1;
        let value = inside(self);
        self.brackets -= 1;
        self.position = close + 1;
        value
    }

    /// Runs `inside` one level of nesting deeper; an error if the nesting is too deep.
    fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= DEPTH_LIMIT {
            return Err(self.too_deep(self.next_origin()));
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

    /// Reports that `subject` was expected in place of the next token.
    fn expected(&mut self, subject: &str) -> Reported {
        self.expected_with_help(subject, None)
    }

    fn expected_with_help(&mut self, subject: &str, help: Option<&str>) -> Reported {
        let before = self.tokens.get(self.position.wrapping_sub(1)).filter(|token| token.kind == Kind::Literal);
        let unit = before.and_then(|number| units::unit_help(&number.text, &self.token(self.position).text));
        let help = unit.as_deref().or(help);
        let message = format!("expected {subject}, found {}", self.found_description());
        let (_, length) = self.symbol(self.position);
        let last = self.token(self.position + length - 1).origin;
        let origin = if length == 1 { last } else { self.sources.range(self.next_origin(), last) };
        self.report("MBS001", origin, message, help)
    }

    /// Description of the next token, for messages.
    fn found_description(&self) -> String {
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

/// An expression whose mistake has been reported.
fn broken_expression(origin: Origin) -> Expr {
    Expr { kind: ExprKind::Broken, origin }
}
