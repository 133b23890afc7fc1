//! Text or tokens to a mechanism [`Definition`], and mistakes rendered for a terminal or for rustc.
//!
//! The same grammar is read from `mechanism! { … }` ([`parse_tokens`]), from a `.mbs` file or a string ([`parse_text`]).
//! The parser knows shapes only: `category name = value { arguments };`. Which categories, kinds and functions exist is
//! the catalogue's business (`mbs-model`), so a misspelt category passes here and is reported there.
//!
//! # Recovery
//! One mistake gives one message. After a mistake the parser continues with the next item; an item whose category and
//! name were readable is still emitted, with [`ExprKind::Broken`](mbs_model::definition::ExprKind) as its value, so that
//! names which refer to it stay known.
//!
//! # Limits
//! Source text comes from people and from programs. Nesting is limited to [`DEPTH_LIMIT`] levels, an expression to
//! [`TOKEN_LIMIT`] tokens, and both are checked before anything recurses; a source gets at most 100 messages. No input makes the parser panic.
//!
//! # Codes
//! | code | meaning |
//! |---|---|
//! | `MBS000` | the text does not split into tokens |
//! | `MBS001` | something else was expected here |
//! | `MBS002` | too deep or too long |
//! | `MBS003` | an operator the language does not have |

#![forbid(unsafe_code)]

mod lexical;
mod parser;
mod sources;
mod tokens;

use mbs_model::Errors;
use mbs_model::definition::Definition;
use proc_macro2::TokenStream;

pub use parser::{DEPTH_LIMIT, TOKEN_LIMIT};
pub use sources::{Sources, to_compile_error};

/// What a front end hands on: mechanisms as written, where everything stands, and what was wrong.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The mechanisms in order, also those with mistakes in them.
    pub definitions: Vec<Definition>,
    /// Places of all origins in `definitions` and `errors`.
    pub sources: Sources,
    /// The mistakes in the order they were found.
    pub errors: Errors,
}

/// Reads the tokens of a macro call: one mechanism or several.
pub fn parse_tokens(tokens: TokenStream) -> Parsed {
    parse(tokens, Sources::of_tokens())
}

/// Reads the text of a file or string; `path` is what diagnostics show.
///
/// A text that does not split into tokens gives no definitions and one `MBS000`.
pub fn parse_text(path: &str, text: &str) -> Parsed {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut sources = Sources::of_text(path, text);
    match text.parse::<TokenStream>() {
        Ok(tokens) => parse(tokens, sources),
        Err(error) => {
            let mut errors = Errors::new();
            lexical::report(text, error.span(), &mut sources, &mut errors);
            Parsed { definitions: Vec::new(), sources, errors }
        }
    }
}

fn parse(stream: TokenStream, mut sources: Sources) -> Parsed {
    let tokens = tokens::flatten(stream, &mut sources);
    let (definitions, sources, errors) = parser::mechanisms(tokens, sources);
    Parsed { definitions, sources, errors }
}
