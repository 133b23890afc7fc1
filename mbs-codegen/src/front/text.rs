//! Formats tokens as readable text, the bodies of `select_fma!` included.

use proc_macro2::{Literal, TokenStream, TokenTree};
use syn::{File, Item, ItemMacro};

/// Formatted Rust.
pub fn format(tokens: TokenStream) -> String {
    let mut file: File = syn::parse2(tokens).expect("generated tokens are Rust");
    let mut bodies = Vec::new();
    take_bodies(&mut file.items, &mut bodies);
    let text = prettyplease::unparse(&file);
    let mut output = String::with_capacity(text.len());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        output.push_str(line);
        output.push('\n');
        if line.ends_with("select_fma! {")
            && let Some(Ok(k)) = lines.next().map(|number| number.trim().parse::<usize>())
        {
            splice(&mut output, line, &bodies[k]);
        }
    }
    output
}

/// Takes the bodies out of every `select_fma! { { … } { … } }` and leaves their index.
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

/// Writes the bodies inside the braces that `line` has opened, indented relative to it.
fn splice(output: &mut String, line: &str, bodies: &[String]) {
    let indent = &line[..line.len() - line.trim_start().len()];
    for body in bodies {
        output.push_str(&format!("{indent}    {{\n"));
        for line in body.lines() {
            let gap = if line.is_empty() { String::new() } else { format!("{indent}        ") };
            output.push_str(&format!("{gap}{line}\n"));
        }
        output.push_str(&format!("{indent}    }}\n"));
    }
}
