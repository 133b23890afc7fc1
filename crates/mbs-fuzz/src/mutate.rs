//! Mutations of texts: of characters, tokens, lines, and of items and values in a grammar with brackets.

use std::ops::Range;

use crate::chance::Chance;
use crate::tokens::{Token, TokenKind, items, lines, tokens, values};
use crate::words::{CHARACTERS, ITEMS, LANGUAGE, NESTS, NUMBERS, OPERATORS, RUST};

/// Largest mutated text \[bytes\], which limits repetition and nesting.
pub const MOST_BYTES: usize = 60_000;

/// A text with `count` mutations; some insert parts of `other`.
pub fn mutate(text: &str, other: &str, count: usize, chance: &mut Chance) -> String {
    let mut text = text.to_owned();
    for _ in 0..count {
        mutate_once(&mut text, other, chance);
        truncate(&mut text);
    }
    text
}

fn mutate_once(text: &mut String, other: &str, chance: &mut Chance) {
    match chance.below(40) {
        0..=8 => renumber(text, chance),
        9..=11 => rename(text, chance),
        12..=14 => change_tokens(text, other, chance),
        15..=17 => change_parts(text, other, lines, chance),
        18..=23 => change_parts(text, other, items, chance),
        24..=29 => change_values(text, other, chance),
        30..=32 => change_operator(text, chance),
        33..=34 => add_item(text, chance),
        35 => change_characters(text, chance),
        36 => nest(text, chance),
        37 => repeat(text, chance),
        38 => add_word(text, chance),
        _ => change_line_ends(text, chance),
    }
}

/// Replaces a number by a similar or an extreme one.
fn renumber(text: &mut String, chance: &mut Chance) {
    let Some(token) = random_token(text, chance, |token, _| token.kind == TokenKind::Number) else { return };
    let old: f64 = text[token.bytes.clone()].parse().unwrap_or(1.0);
    let new = match chance.below(10) {
        0 => format!("{}", 0.9 * old),
        1 => format!("{}", 2.0 * old),
        2 => format!("{}", old + 1.0),
        3 => format!("{}", (old - 1.0).max(0.0)),
        4 => "0".to_owned(),
        5 => format!("-{old}"),
        6 => format!("{:.3}", 3.0 * chance.unit()),
        _ => chance.word(NUMBERS).to_owned(),
    };
    text.replace_range(token.bytes, &new);
}

/// Replaces a word by another one of the text, of the language, or of Rust.
fn rename(text: &mut String, chance: &mut Chance) {
    let Some(token) = random_token(text, chance, |token, _| token.kind == TokenKind::Word) else { return };
    let new = match chance.below(6) {
        0..=2 => random_token(text, chance, |token, _| token.kind == TokenKind::Word)
            .map_or_else(String::new, |t| text[t.bytes].to_owned()),
        3 | 4 => chance.word(LANGUAGE).to_owned(),
        _ => chance.word(RUST).to_owned(),
    };
    text.replace_range(token.bytes, &new);
}

/// Deletes, doubles or exchanges tokens, or replaces them by some of another text.
fn change_tokens(text: &mut String, other: &str, chance: &mut Chance) {
    let all = tokens(text);
    let (first, second) = (random_tokens(&all, chance), random_tokens(&all, chance));
    match chance.below(4) {
        0 => text.replace_range(first, ""),
        1 => {
            let doubled = text[first.clone()].to_owned();
            text.insert_str(first.start, &doubled);
        }
        2 => exchange(text, first, second),
        _ => {
            let inserted = random_tokens(&tokens(other), chance);
            text.replace_range(first, &other[inserted]);
        }
    }
}

/// Deletes, doubles, exchanges or moves lines or items, or replaces them by some of another text.
fn change_parts(text: &mut String, other: &str, parts: fn(&str) -> Vec<Range<usize>>, chance: &mut Chance) {
    let all = parts(text);
    let (Some(first), Some(second)) = (chance.pick(&all).cloned(), chance.pick(&all).cloned()) else { return };
    match chance.below(6) {
        0 | 1 => text.replace_range(first, ""),
        2 => {
            let doubled = text[first].to_owned();
            text.insert_str(second.end, &doubled);
        }
        3 => exchange(text, first, second),
        choice => {
            let inserted = chance.pick(&parts(other)).map_or("", |bytes| &other[bytes.clone()]).to_owned();
            let at = if choice == 4 { first.end..first.end } else { first };
            text.replace_range(at, &inserted);
        }
    }
}

/// Replaces a value of a setting by another value of this text or of another one.
fn change_values(text: &mut String, other: &str, chance: &mut Chance) {
    let all = values(text);
    let Some(first) = chance.pick(&all).cloned() else { return };
    match chance.below(5) {
        0 | 1 => {
            let new = chance.pick(&all).map_or("", |bytes| &text[bytes.clone()]).to_owned();
            text.replace_range(first, &new);
        }
        2 | 3 => {
            let new = chance.pick(&values(other)).map_or("", |bytes| &other[bytes.clone()]).to_owned();
            text.replace_range(first, &new);
        }
        _ => {
            let (open, close) = chance.pick(NESTS).copied().unwrap_or_default();
            text.insert_str(first.end, close);
            text.insert_str(first.start, open);
        }
    }
}

fn change_operator(text: &mut String, chance: &mut Chance) {
    let Some(token) = random_token(text, chance, |_, mark| OPERATORS.contains(&mark)) else { return };
    text.replace_range(token.bytes, chance.word(OPERATORS));
}

/// Adds an item, at the end of the outermost braces or after another item.
fn add_item(text: &mut String, chance: &mut Chance) {
    let item = format!("\n{}\n", chance.word(ITEMS));
    let at = chance.pick(&items(text)).map(|item| item.end).or_else(|| text.rfind('}'));
    text.insert_str(at.unwrap_or(text.len()), &item);
}

/// Deletes, doubles or inserts a character.
fn change_characters(text: &mut String, chance: &mut Chance) {
    for _ in 0..chance.few(4) {
        let at = random_position(text, chance);
        let Some(c) = text[at..].chars().next() else { return };
        match chance.below(3) {
            0 => drop(text.remove(at)),
            1 => text.insert(at, c),
            _ => text.insert_str(at, chance.word(CHARACTERS)),
        }
    }
}

/// Puts a token or value in brackets, a few times or many times.
fn nest(text: &mut String, chance: &mut Chance) {
    let all: Vec<Range<usize>> = values(text);
    let at = chance.pick(&all).cloned().unwrap_or_else(|| random_tokens(&tokens(text), chance));
    let (open, close) = chance.pick(NESTS).copied().unwrap_or_default();
    let depth = [1, 2, 5, 20, 100, 126, 130, 2_000][chance.below(8)];
    text.insert_str(at.end, &close.repeat(depth));
    text.insert_str(at.start, &open.repeat(depth));
}

/// Repeats an item, line or token, a few times or many times.
fn repeat(text: &mut String, chance: &mut Chance) {
    let at = match chance.below(3) {
        0 => chance.pick(&items(text)).cloned(),
        1 => chance.pick(&lines(text)).cloned(),
        _ => Some(random_tokens(&tokens(text), chance)),
    };
    let Some(at) = at else { return };
    let times = [2, 3, 10, 50, 1_000][chance.below(5)];
    let repeated = text[at.clone()].repeat(times.min(MOST_BYTES / at.len().max(1)));
    text.insert_str(at.end, &repeated);
}

/// Inserts a word of any list.
fn add_word(text: &mut String, chance: &mut Chance) {
    let list = [LANGUAGE, RUST, NUMBERS, CHARACTERS, ITEMS][chance.below(5)];
    let word = format!(" {} ", chance.word(list));
    let at = chance.pick(&tokens(text)).map_or(0, |token| token.bytes.start);
    text.insert_str(at, &word);
}

fn change_line_ends(text: &mut String, chance: &mut Chance) {
    *text = match chance.below(6) {
        0 => text.replace('\n', "\r\n"),
        1 => text.replace('\n', "\r"),
        2 => text.replace('\n', " "),
        3 => format!("\u{feff}{text}"),
        4 => text.chars().take(chance.below(text.len() + 1)).collect(),
        _ => format!("{text}{}", chance.word(CHARACTERS)),
    };
}

/// A random token for which `is_candidate` returns true.
fn random_token(text: &str, chance: &mut Chance, is_candidate: impl Fn(&Token, &str) -> bool) -> Option<Token> {
    let all: Vec<Token> =
        tokens(text).into_iter().filter(|token| is_candidate(token, &text[token.bytes.clone()])).collect();
    chance.pick(&all).cloned()
}

/// Byte range of a few adjacent tokens.
fn random_tokens(all: &[Token], chance: &mut Chance) -> Range<usize> {
    let first = chance.below(all.len());
    let last = (first + chance.few(12)).min(all.len());
    match all.get(first..last) {
        Some([only]) => only.bytes.clone(),
        Some([first, .., last]) => first.bytes.start..last.bytes.end,
        _ => 0..0,
    }
}

/// Exchanges two ranges that do not overlap.
fn exchange(text: &mut String, a: Range<usize>, b: Range<usize>) {
    let (a, b) = if a.start <= b.start { (a, b) } else { (b, a) };
    if a.end <= b.start {
        let (first, second) = (text[a.clone()].to_owned(), text[b.clone()].to_owned());
        text.replace_range(b, &first);
        text.replace_range(a, &second);
    }
}

/// The byte position of a random character.
fn random_position(text: &str, chance: &mut Chance) -> usize {
    let mut at = chance.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Truncates a text to [`MOST_BYTES`].
fn truncate(text: &mut String) {
    if text.len() > MOST_BYTES {
        let mut end = MOST_BYTES;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
    }
}
