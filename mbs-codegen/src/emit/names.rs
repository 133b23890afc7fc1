//! Identifiers of generated code.

use mbs_definition::{KEYWORDS, Origin};
use mbs_model::Model;
pub use mbs_model::flat_name;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// `crank_length`, `link[0]` → `link_0`, `leg.knee` → `leg_knee`, `type` → `r#type`.
pub fn value_ident(name: &str, span: Span) -> Ident {
    let text = flat_name(name);
    match KEYWORDS.contains(&text.as_str()) {
        false => Ident::new(&text, span),
        // `self`, `super`, `crate`, `Self` cannot be raw.
        true if matches!(text.as_str(), "self" | "Self" | "super" | "crate" | "_") => {
            Ident::new(&format!("{text}_"), span)
        }
        true => Ident::new_raw(&text, span),
    }
}

/// Names with a predefined meaning inside a generated module: primitive types, and the modules in it.
#[rustfmt::skip] // one name per line says nothing
const MEANT_INSIDE: [&str; 27] = [
    "bool", "char", "f16", "f32", "f64", "f128", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16", "u32", "u64",
    "u128", "usize", "functions", "hessian", "index", "kernels", "limits", "row", "speed", "wrench_pattern",
];

/// Names of crates: a module with one of these names would shadow the crate.
const CRATES: [&str; 6] = ["alloc", "core", "mbs", "proc_macro", "std", "test"];

/// The mechanism's type inside its module: its name, unless that has a predefined meaning there.
pub fn type_ident(name: &str, span: Span) -> Ident {
    if MEANT_INSIDE.contains(&name) {
        return Ident::new(&format!("{name}_"), span);
    }
    value_ident(name, span)
}

/// `module::FourBar`, under the mechanism's name.
pub fn path_of_type(module: &Ident, name: &str, span: Span) -> TokenStream {
    let (inside, outside) = (type_ident(name, span), value_ident(name, span));
    if inside == outside { quote!(#module::#inside) } else { quote!(#module::#inside as #outside) }
}

/// The module of a mechanism.
pub fn module_name(model: &Model, span: &dyn Fn(Origin) -> Span) -> Ident {
    module_name_of(&model.header.name, span(model.header.origin))
}

/// `FourBar` → `four_bar`.
pub fn module_name_of(name: &str, span: Span) -> Ident {
    let mut text = String::new();
    let chars: Vec<char> = name.chars().collect();
    for (i, c) in chars.iter().enumerate() {
        let starts = c.is_uppercase()
            && i > 0
            && (chars[i - 1].is_lowercase()
                || chars[i - 1].is_ascii_digit()
                || chars.get(i + 1).is_some_and(|n| n.is_lowercase()));
        if starts && !text.ends_with('_') {
            text.push('_');
        }
        text.extend(c.to_lowercase());
    }
    if text == name || CRATES.contains(&text.as_str()) {
        text.push_str("_module");
    }
    value_ident(&text, span)
}

/// `SCREAMING_CASE` of a name.
pub fn constant_ident(name: &str) -> Ident {
    let text = flat_name(name).to_uppercase();
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return Ident::new(&format!("_{text}"), Span::call_site());
    }
    Ident::new(&text, Span::call_site())
}
