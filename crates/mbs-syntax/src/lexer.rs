//! Splits the text of an imported file into the flat list of tokens that [`flatten`](crate::tokens::flatten) makes of a stream.
//!
//! rustc gives no source positions to the tokens of a text that a macro reads. This lexer finds them, equally for macros, build scripts and files.
//! Tokens of Rust that the language does not have (characters, bytes) become tokens that no rule of the parser accepts.

use std::ops::Range;

use mbs_definition::Origin;

use crate::tokens::{Kind, Token};

/// Characters of operators.
const OPERATORS: &str = "~!@#$%^&*-=<>.,;:|+?/'";

/// The tokens of a text; `make_origin` makes an origin of a range of bytes.
///
/// # Errors
/// The byte at which the text does not split into tokens: of an invalid character, or of a bracket, string or comment that is not closed.
pub(crate) fn tokens(text: &str, make_origin: &mut dyn FnMut(Range<usize>) -> Origin) -> Result<Vec<Token>, usize> {
    let mut lexer = Lexer { text, position: 0, tokens: Vec::new(), open: Vec::new(), make_origin };
    lexer.skip_space()?;
    while lexer.position < text.len() {
        lexer.token()?;
        lexer.skip_space()?;
    }
    if let Some(open) = lexer.open.last() {
        return Err(open.start);
    }
    let end = lexer.tokens_end();
    lexer.push(Kind::End, String::new(), end..end);
    Ok(lexer.tokens)
}

struct Lexer<'t> {
    text: &'t str,
    position: usize,
    tokens: Vec<Token>,
    open: Vec<Open>,
    make_origin: &'t mut dyn FnMut(Range<usize>) -> Origin,
}

/// An open bracket.
struct Open {
    token: usize,
    start: usize,
    close: char,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.position..]
    }

    fn push(&mut self, kind: Kind, text: String, bytes: Range<usize>) {
        let origin = (self.make_origin)(bytes);
        self.tokens.push(Token { kind, text, origin });
    }

    /// The next `length` bytes as one token.
    fn take(&mut self, kind: Kind, length: usize) {
        let bytes = self.position..self.position + length;
        self.push(kind, self.text[bytes.clone()].to_owned(), bytes.clone());
        self.position = bytes.end;
    }

    /// The byte at which the last token ends, or 0.
    fn tokens_end(&self) -> usize {
        let before = &self.text[..self.position];
        if self.tokens.is_empty() { 0 } else { before.trim_end().len() }
    }

    /// Skips blanks and comments that are not doc comments.
    fn skip_space(&mut self) -> Result<(), usize> {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            if blank > 0 {
                self.position += blank;
            } else if rest.starts_with("//") && line_docs(rest).is_none() {
                self.position += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") && block_docs(rest).is_none() {
                self.position += block_length(rest).ok_or(self.position)?;
            } else {
                return Ok(());
            }
        }
    }

    fn token(&mut self) -> Result<(), usize> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(()) };
        if rest.starts_with("//") || rest.starts_with("/*") {
            return self.docs();
        }
        if let Some(length) = string_length(rest) {
            self.take(Kind::Literal, length.ok_or(self.position)?);
        } else if first.is_ascii_digit() {
            self.take(Kind::Literal, number_length(rest));
        } else if is_name_start(first) {
            let raw = if rest.starts_with("r#") && rest[2..].starts_with(is_name_start) { 2 } else { 0 };
            let length = rest[raw..].find(|c| !is_name_part(c)).map_or(rest.len(), |end| raw + end);
            self.take(Kind::Word, length);
        } else if "([{".contains(first) {
            let close = if first == '(' { ')' } else { char::from(first as u8 + 2) };
            self.open.push(Open { token: self.tokens.len(), start: self.position, close });
            self.take(Kind::Open(0), 1);
        } else if ")]}".contains(first) {
            self.close(first)?;
        } else if OPERATORS.contains(first) {
            let next = &rest[1..];
            let comment = next.starts_with("//") || next.starts_with("/*");
            self.take(Kind::Punct { joint: !comment && next.starts_with(|c| OPERATORS.contains(c)) }, 1);
        } else {
            return Err(self.position);
        }
        Ok(())
    }

    fn close(&mut self, bracket: char) -> Result<(), usize> {
        match self.open.pop() {
            Some(open) if open.close == bracket => {
                let close = self.tokens.len();
                self.tokens[open.token].kind = Kind::Open(close);
                self.take(Kind::Close, 1);
                Ok(())
            }
            Some(open) => Err(open.start),
            None => Err(self.position),
        }
    }

    /// Reads a doc comment as `#[doc = "…"]` or `#![doc = "…"]`; all its tokens have the origin of the comment.
    fn docs(&mut self) -> Result<(), usize> {
        let rest = self.rest();
        let found = line_docs(rest).map(Some).or_else(|| block_docs(rest));
        let Some((inner, docs, length)) = found.flatten() else { return Err(self.position) };
        let text = format!("{docs:?}");
        let bytes = self.position..self.position + length;
        let single = Kind::Punct { joint: false };
        self.push(single, "#".to_owned(), bytes.clone());
        if inner {
            self.push(single, "!".to_owned(), bytes.clone());
        }
        let close = self.tokens.len() + 4;
        let group =
            [(Kind::Open(close), "["), (Kind::Word, "doc"), (single, "="), (Kind::Literal, &text), (Kind::Close, "]")];
        for (kind, text) in group {
            self.push(kind, text.to_owned(), bytes.clone());
        }
        self.position = bytes.end;
        Ok(())
    }
}

/// A doc comment: whether it documents the enclosing item (`//!`), its text, and its number of bytes.
type Docs<'t> = (bool, &'t str, usize);

/// `/// …` or `//! …`, but not `//// …`.
fn line_docs(text: &str) -> Option<Docs<'_>> {
    let inner = text.starts_with("//!");
    if !inner && (!text.starts_with("///") || text.starts_with("////")) {
        return None;
    }
    let length = text.find('\n').unwrap_or(text.len());
    Some((inner, text[3..length].trim_end_matches('\r'), length))
}

/// `/** … */` or `/*! … */`, but not `/**/` and `/*** … */`; `Some(None)` where it has no end.
fn block_docs(text: &str) -> Option<Option<Docs<'_>>> {
    let inner = text.starts_with("/*!");
    if !inner && (!text.starts_with("/**") || text.starts_with("/**/") || text.starts_with("/***")) {
        return None;
    }
    Some(block_length(text).map(|length| (inner, &text[3..length - 2], length)))
}

/// Number of bytes of `/* … /* … */ … */`; `None` where it has no end.
fn block_length(text: &str) -> Option<usize> {
    let (mut depth, mut position) = (0_usize, 0);
    loop {
        let rest = text.as_bytes().get(position..)?;
        match rest {
            [b'/', b'*', ..] => (depth, position) = (depth + 1, position + 2),
            [b'*', b'/', ..] if depth == 1 => return Some(position + 2),
            [b'*', b'/', ..] => (depth, position) = (depth - 1, position + 2),
            [_, ..] => position += 1,
            [] => return None,
        }
    }
}

/// Number of bytes of `"…"` or `r#"…"#`; `Some(None)` where it has no end, `None` where no string begins.
fn string_length(text: &str) -> Option<Option<usize>> {
    if let Some(inside) = text.strip_prefix('"') {
        let mut escaped = false;
        let end = inside.find(|c| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        return Some(end.map(|end| end + 2));
    }
    let hashes = text.strip_prefix('r')?.chars().take_while(|c| *c == '#').count();
    let inside = text[1 + hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    Some(inside.find(&close).map(|end| 2 + hashes + end + close.len()))
}

/// Number of bytes of a number: `1_000.5e-3f64`, `0x1f`, `1` of `1..2` and of `1.max(2)`.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit() || **b == b'_').count();
    let mut length = digits(0);
    let based = length == 1 && matches!(bytes, [b'0', b'x' | b'o' | b'b', ..]);
    if !based && bytes.get(length) == Some(&b'.') {
        let next = text[length + 1..].chars().next();
        if !next.is_some_and(|c| c == '.' || is_name_start(c)) {
            length += 1 + digits(length + 1);
        }
    }
    if !based && matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let exponent = digits((length + 1 + sign).min(bytes.len()));
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length + text[length..].find(|c| !is_name_part(c)).unwrap_or(text.len() - length)
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proc_macro2::TokenStream;

    use super::*;
    use crate::sources::Sources;
    use crate::tokens::flatten;

    /// Kind and text of each token; strings without their escapes.
    fn shown(tokens: &[Token]) -> Vec<String> {
        let text = |token: &Token| match token.text.starts_with('"') {
            true => format!("{:?}", crate::parser::unescape(&token.text)),
            false => token.text.clone(),
        };
        tokens.iter().map(|token| format!("{:?} {}", token.kind, text(token))).collect()
    }

    fn same_as_rust(text: &str) {
        let stream: TokenStream = text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
        let rust = flatten(stream, &mut Sources::for_text("m.mbs", text));
        let mut bytes: Vec<Range<usize>> = Vec::new();
        let mut make_origin = |range| {
            bytes.push(range);
            Origin::NONE
        };
        let tokens_found = tokens(text, &mut make_origin).unwrap_or_else(|position| panic!("byte {position}: {text}"));
        assert_eq!(shown(&tokens_found), shown(&rust), "{text}");
        for (token, range) in tokens_found.iter().zip(bytes) {
            let slice = &text[range];
            assert!(slice == token.text || slice.starts_with('/'), "{slice} is {}", token.text);
        }
    }

    #[test]
    fn every_mechanism_splits_as_rust_splits_it() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mechanisms");
        let mut count = 0;
        for entry in std::fs::read_dir(folder).expect("mechanisms/ lies beside the crates") {
            let path = entry.expect("a readable entry").path();
            if path.extension().is_some_and(|e| e == "mbs") {
                same_as_rust(&std::fs::read_to_string(path).expect("a readable mechanism"));
                count += 1;
            }
        }
        assert!(count > 10);
    }

    #[test]
    fn odd_texts_split_as_rust_splits_them() {
        let texts = [
            "",
            " \n",
            "a.b(1.5e-3, 1..2, 1.max(2), 1. , 0x1f, 1_000, 2e3, 3e)",
            "/// docs \"quoted\" \\ here\n/** block */ x /* no /* docs */ */ // end",
            "//! inner\n//// none\n/**/ /*** none */ a",
            "a<=b a< =b a==b a/ /* c */ b x=// c\n-1 ..= !a",
            "\"a\\\"b\" r\"raw\" r#\"a\"b\"# r#type größe _ _a",
            "{([x]){}}",
        ];
        texts.into_iter().for_each(same_as_rust);
    }

    #[test]
    fn texts_that_do_not_split_say_where() {
        let cases =
            [("a (b", 2), ("a )", 2), ("(]", 0), ("a \"b", 2), ("/* a", 0), ("/** a", 0), ("a × b", 2), ("r#\"a\"", 0)];
        for (text, position) in cases {
            assert_eq!(tokens(text, &mut |_| Origin::NONE).err(), Some(position), "{text}");
        }
    }
}
