//! Tokens as text that reads well: doc comments a line each, and the bodies of `select_fma!` formatted like everything else.

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use syn::{File, Item, ItemMacro};

/// Rewrites `#[doc = "…"]` so that every attribute is one line that begins with a space: prettyplease prints those as `///`.
/// rustdoc shows the same.
pub fn docs_by_line(tokens: TokenStream) -> TokenStream {
    let mut output: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = token else {
            output.push(token);
            continue;
        };
        match doc_text(&group) {
            Some(text) if matches!(output.last(), Some(TokenTree::Punct(p)) if p.as_char() == '#') => {
                let hash = output.pop().expect("it was just seen");
                for line in if text.is_empty() { vec![""] } else { text.lines().collect() } {
                    let space = if line.is_empty() || line.starts_with(' ') { "" } else { " " };
                    output.extend([hash.clone(), attribute(&group, &format!("{space}{line}"))]);
                }
            }
            _ => {
                let mut inner = Group::new(group.delimiter(), docs_by_line(group.stream()));
                inner.set_span(group.span());
                output.push(TokenTree::Group(inner));
            }
        }
    }
    output.into_iter().collect()
}

/// The text of `[doc = "text"]`.
fn doc_text(group: &Group) -> Option<String> {
    if group.delimiter() != Delimiter::Bracket {
        return None;
    }
    let mut inside = group.stream().into_iter();
    match (inside.next()?, inside.next()?, inside.next()?) {
        (TokenTree::Ident(doc), TokenTree::Punct(_), TokenTree::Literal(text)) if doc == "doc" => {
            match syn::Lit::new(text) {
                syn::Lit::Str(text) => Some(text.value()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `[doc = "line"]` in place of another.
fn attribute(old: &Group, line: &str) -> TokenTree {
    let mut inside: Vec<TokenTree> = old.stream().into_iter().take(2).collect();
    inside.push(TokenTree::Literal(Literal::string(line)));
    let mut group = Group::new(Delimiter::Bracket, inside.into_iter().collect());
    group.set_span(old.span());
    TokenTree::Group(group)
}

/// Formatted Rust.
pub fn format(tokens: TokenStream) -> String {
    let mut file: File = syn::parse2(tokens).expect("generated tokens are Rust");
    let mut bodies = Vec::new();
    take_bodies(&mut file.items, &mut bodies);
    let text = prettyplease::unparse(&file);
    let mut output = String::with_capacity(text.len());
    for line in text.lines() {
        let call = line.trim_start();
        match call.strip_suffix(" }").and_then(|c| c.split_once("select_fma! { ")).map(|(_, k)| k.parse::<usize>()) {
            Some(Ok(k)) => splice(&mut output, line, &bodies[k]),
            _ => {
                output.push_str(line);
                output.push('\n');
            }
        }
    }
    output
}

/// Takes the bodies out of every `select_fma! { { … } { … } }` and leaves their number.
fn take_bodies(items: &mut [Item], bodies: &mut Vec<Vec<String>>) {
    for item in items {
        match item {
            Item::Mod(module) => {
                if let Some((_, items)) = &mut module.content {
                    take_bodies(items, bodies);
                }
            }
            Item::Macro(ItemMacro { mac, .. }) if mac.path.segments.last().is_some_and(|s| s.ident == "select_fma") => {
                let body = |token: TokenTree| match token {
                    TokenTree::Group(group) => {
                        prettyplease::unparse(&syn::parse2(group.stream()).expect("generated tokens are Rust"))
                    }
                    other => unreachable!("{other} is no body"),
                };
                bodies.push(std::mem::take(&mut mac.tokens).into_iter().map(body).collect());
                mac.tokens = TokenTree::Literal(Literal::usize_unsuffixed(bodies.len() - 1)).into();
            }
            _ => {}
        }
    }
}

/// Writes the call with its bodies, indented from where the line is.
fn splice(output: &mut String, line: &str, bodies: &[String]) {
    let indent = &line[..line.len() - line.trim_start().len()];
    let head = line.trim_start().split_once("{ ").map_or("", |(head, _)| head);
    output.push_str(&format!("{indent}{head}{{\n"));
    for body in bodies {
        output.push_str(&format!("{indent}    {{\n"));
        for line in body.lines() {
            let gap = if line.is_empty() { String::new() } else { format!("{indent}        ") };
            output.push_str(&format!("{gap}{line}\n"));
        }
        output.push_str(&format!("{indent}    }}\n"));
    }
    output.push_str(&format!("{indent}}}\n"));
}
