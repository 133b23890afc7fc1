//! Shrinking of failing inputs: parts are deleted greedily, large ones first.

use std::ops::Range;

use crate::input::{Input, Kind};
use crate::tokens::{items, lines, tokens};

/// The smallest input found that `fails`, with at most `attempts` calls of it.
pub fn shrink(input: &Input, attempts: usize, fails: &mut dyn FnMut(&Input) -> bool) -> Input {
    let mut left = attempts;
    let mut still_fails = |input: &Input| {
        left = left.saturating_sub(1);
        left > 0 && fails(input)
    };
    let mut smallest = input.clone();
    loop {
        let before = smallest.clone();
        shrink_list(&mut smallest, |input| &mut input.arguments, &mut still_fails);
        let first = usize::from(input.kind != Kind::Commands);
        for file in (first..smallest.files.len()).rev() {
            let mut without = smallest.clone();
            without.files.remove(file);
            if still_fails(&without) {
                smallest = without;
            }
        }
        for file in 0..smallest.files.len() {
            for parts in [items, lines, words, characters] {
                shrink_text(&mut smallest, file, parts, &mut still_fails);
            }
        }
        if smallest == before {
            return smallest;
        }
    }
}

/// Removes elements of a list.
fn shrink_list<T: Clone>(
    smallest: &mut Input,
    list: impl Fn(&mut Input) -> &mut Vec<T>,
    fails: &mut dyn FnMut(&Input) -> bool,
) {
    let mut at = 0;
    while at < list(smallest).len() {
        let mut without = smallest.clone();
        list(&mut without).remove(at);
        match fails(&without) {
            true => *smallest = without,
            false => at += 1,
        }
    }
}

/// Removes parts of a file: halves, quarters, down to single parts.
fn shrink_text(
    smallest: &mut Input,
    file: usize,
    parts: fn(&str) -> Vec<Range<usize>>,
    fails: &mut dyn FnMut(&Input) -> bool,
) {
    let mut size = parts(&smallest.files[file].text).len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        loop {
            let all = parts(&smallest.files[file].text);
            let Some(chunk) = all.get(at..(at + size).min(all.len())).filter(|chunk| !chunk.is_empty()) else { break };
            let mut without = smallest.clone();
            // Parts are deleted from the last to the first, so that other ranges stay valid.
            chunk.iter().rev().for_each(|part| without.files[file].text.replace_range(part.clone(), ""));
            match fails(&without) {
                true => *smallest = without,
                false => at += size,
            }
        }
        size /= 2;
    }
}

fn words(text: &str) -> Vec<Range<usize>> {
    tokens(text).into_iter().map(|token| token.bytes).collect()
}

/// Characters of short texts.
fn characters(text: &str) -> Vec<Range<usize>> {
    match text.len() {
        0..200 => text.char_indices().map(|(at, c)| at..at + c.len_utf8()).collect(),
        _ => Vec::new(),
    }
}
