//! Division of texts into tokens, lines and items, without a grammar and without loss of bytes.

use std::ops::Range;

/// Kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Letters, digits and underscores that do not begin with a digit.
    Word,
    /// A number, which begins with a digit.
    Number,
    /// Blanks and ends of lines.
    Blank,
    /// Anything else, one character.
    Mark,
}

/// A token: its kind, and its bytes in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Its byte range in the text.
    pub bytes: Range<usize>,
}

/// All tokens of a text, one after the other without gaps.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut list = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let (kind, length) = match first {
            '0'..='9' => (TokenKind::Number, number_length(rest)),
            c if is_word(c) => (TokenKind::Word, rest.find(|c| !is_word(c)).unwrap_or(rest.len())),
            c if c.is_whitespace() => (TokenKind::Blank, rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len())),
            c => (TokenKind::Mark, c.len_utf8()),
        };
        let start = text.len() - rest.len();
        list.push(Token { kind, bytes: start..start + length });
        rest = &rest[length..];
    }
    list
}

/// Length of the number at the start \[bytes\]: digits, one point between digits, an exponent.
fn number_length(text: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(|b| b.is_ascii_digit() || *b == b'_').count();
    let mut length = digits(text);
    if text[length..].starts_with('.') && digits(&text[length + 1..]) > 0 {
        length += 1 + digits(&text[length + 1..]);
    }
    let rest = text[length..].strip_prefix(['e', 'E']);
    if let Some(rest) = rest {
        let sign = usize::from(rest.starts_with(['-', '+']));
        let exponent = digits(&rest[sign..]);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

/// Byte ranges of all lines, including line ends.
pub fn lines(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let range = |line: &str| {
        start += line.len();
        start - line.len()..start
    };
    text.split_inclusive('\n').map(range).collect()
}

/// Byte ranges of the text after `:` or `=` up to the next `,`, `;` or closing bracket: values of settings in a language with
/// brackets.
pub fn values(text: &str) -> Vec<Range<usize>> {
    let tokens = tokens(text);
    let mark = |token: &Token| &text[token.bytes.clone()];
    let mut list = Vec::new();
    for (i, token) in tokens.iter().enumerate().filter(|(_, token)| matches!(mark(token), ":" | "=")) {
        let mut depth = 0_usize;
        for end in &tokens[i + 1..] {
            match mark(end) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" | "," | ";" if depth == 0 => {
                    list.push(token.bytes.end..end.bytes.start);
                    break;
                }
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
        }
    }
    list.retain(|bytes| !text[bytes.clone()].trim().is_empty());
    list
}

/// Byte ranges of items: from the end of the last item to a `;`, or to a `}` that closes the item's bracket, at one depth inside the
/// outermost braces.
pub fn items(text: &str) -> Vec<Range<usize>> {
    let mut list = Vec::new();
    let (mut depth, mut start) = (0_usize, None);
    for token in tokens(text) {
        match &text[token.bytes.clone()] {
            "{" | "(" | "[" => {
                depth += 1;
                if depth == 1 {
                    start = Some(token.bytes.end);
                }
            }
            close @ ("}" | ")" | "]") => {
                depth = depth.saturating_sub(1);
                match (depth, start) {
                    (0, _) => start = None,
                    (1, Some(from)) if close == "}" => {
                        list.push(from..token.bytes.end);
                        start = Some(token.bytes.end);
                    }
                    _ => {}
                }
            }
            ";" if depth == 1 => {
                if let Some(from) = start {
                    list.push(from..token.bytes.end);
                }
                start = Some(token.bytes.end);
            }
            _ => {}
        }
    }
    list
}
