//! A token stream as a flat list in which each group has the index of its end, so that skipping it is one step and no function recurses.

use mbs_definition::Origin;
use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree, token_stream};

use crate::sources::Sources;

/// A token with its text.
#[derive(Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// The text; of a delimiter its character; empty at the end.
    pub(crate) text: String,
    pub(crate) origin: Origin,
}

/// Kind of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Literal,
    /// One character; joint when the next one follows without a space.
    Punct {
        joint: bool,
    },
    /// Start of a group, with the index of its [`Kind::Close`].
    Open(usize),
    Close,
    /// The last token of every list.
    End,
}

/// Flattens `stream`; the list ends with one [`Kind::End`].
///
/// A group without delimiters, which `macro_rules!` makes of `$e:expr`, counts as parentheses; around a single token it is left out.
pub(crate) fn flatten(stream: TokenStream, sources: &mut Sources) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    // Groups being read: their remaining tokens, the index of their opening token, and the group.
    let mut open: Vec<(token_stream::IntoIter, Option<(usize, Group)>)> = vec![(stream.into_iter(), None)];
    while let Some((rest, _)) = open.last_mut() {
        match rest.next() {
            Some(TokenTree::Group(group)) => {
                let inside = group.stream();
                if is_transparent(&group) {
                    open.push((inside.into_iter(), None));
                } else {
                    let origin = sources.token(group.span_open());
                    open.push((inside.into_iter(), Some((tokens.len(), group.clone()))));
                    let (text, _) = delimiters(group.delimiter());
                    tokens.push(Token { kind: Kind::Open(0), text: text.to_owned(), origin });
                }
            }
            Some(leaf) => tokens.push(leaf_token(&leaf, sources)),
            None => {
                if let Some((_, Some((start, group)))) = open.pop() {
                    let close = tokens.len();
                    tokens[start].kind = Kind::Open(close);
                    let (_, text) = delimiters(group.delimiter());
                    let origin = sources.token(group.span_close());
                    tokens.push(Token { kind: Kind::Close, text: text.to_owned(), origin });
                }
            }
        }
    }
    let origin = match tokens.last() {
        Some(last) => sources.after(last.origin),
        None => sources.start(),
    };
    tokens.push(Token { kind: Kind::End, text: String::new(), origin });
    tokens
}

fn leaf_token(leaf: &TokenTree, sources: &mut Sources) -> Token {
    let kind = match leaf {
        TokenTree::Punct(punct) => Kind::Punct { joint: punct.spacing() == Spacing::Joint },
        TokenTree::Literal(_) => Kind::Literal,
        TokenTree::Ident(_) | TokenTree::Group(_) => Kind::Word,
    };
    Token { kind, text: leaf.to_string(), origin: sources.token(leaf.span()) }
}

fn is_transparent(group: &Group) -> bool {
    group.delimiter() == Delimiter::None && group.stream().into_iter().take(2).count() < 2
}

fn delimiters(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Parenthesis | Delimiter::None => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{", "}"),
    }
}
