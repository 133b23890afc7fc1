//! Text or tokens to a mechanism [`Definition`], and mistakes rendered for a terminal or for rustc.
//!
//! [`parse_tokens`] reads `mechanism! { … }` and [`parse_text`] a `.mbs` file or a string, both with one grammar.
//! The parser knows shapes only: `category name = value { arguments };`. The categories, kinds and functions that exist are defined
//! by the catalogue (`mbs-model`), so that the resolver reports a misspelt category.
//!
//! # Recovery
//! One mistake gives one message. After a mistake the parser continues with the next item; an item whose category and
//! name were readable is still emitted, with [`ExprKind::Broken`](mbs_definition::ExprKind) as its value, so that
//! names which refer to it stay known.
//!
//! # Limits
//! Source text is written by people and by programs. Nesting is limited to [`DEPTH_LIMIT`] levels, an expression to
//! [`TOKEN_LIMIT`] tokens, and both limits are checked before any recursion; a source gets at most 100 messages. No input makes the parser panic.
//!
//! # Imports
//! `import "arm.urdf";` inserts the items of the robot in a file, `import "parts.mbs";` the parts, kinds of joints, constants and functions that
//! another file declares outside of mechanisms. The caller decides which files may be read, and from where: see [`Loader`] and [`from_folder`].
//! [`Sources::imported_paths`] are the files read. In [`parse_urdf`] and in `robot Arm = "arm.urdf";` the file of a robot is a complete mechanism.
//!
//! # Codes
//! | code | meaning |
//! |---|---|
//! | `MBS000` | the text does not split into tokens |
//! | `MBS001` | another token was expected here |
//! | `MBS002` | too deep or too long |
//! | `MBS003` | an operator the language does not have |
//! | `MBS070` | a file that cannot be imported |
//! | `MBS075` | files that import each other |

#![forbid(unsafe_code)]

mod import;
mod lexer;
mod lexical;
mod parser;
#[cfg(feature = "render")]
mod render;
mod robot;
mod sources;
mod tokens;
mod utf8;

use mbs_definition::{Definition, Errors, Expr};
use proc_macro2::TokenStream;

pub use import::{Imported, Loader, from_folder, refuse};
pub use parser::{DEPTH_LIMIT, TOKEN_LIMIT, unescape};
#[cfg(feature = "render")]
pub use render::{Severity, Style};
pub use sources::{Excerpt, Sources, to_compile_error};
pub use utf8::read_text;

/// Result of a front end: mechanisms as written, their source positions, and mistakes.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The mechanisms in order, including those with mistakes.
    pub definitions: Vec<Definition>,
    /// Source positions of all origins in `definitions` and `errors`.
    pub sources: Sources,
    /// The mistakes in the order they were found.
    pub errors: Errors,
}

/// Reads the tokens of a macro call: one mechanism or several. Imports are refused: see [`parse_tokens_with`].
pub fn parse_tokens(tokens: TokenStream) -> Parsed {
    parse_tokens_with(tokens, &mut refuse)
}

/// As [`parse_tokens`], with a loader of imported files.
pub fn parse_tokens_with(tokens: TokenStream, loader: Loader<'_>) -> Parsed {
    parse(tokens, Sources::for_tokens(), loader)
}

/// Reads the text of a file or string; diagnostics show `path`. Imports are refused: see [`parse_text_with`].
///
/// A text that does not split into tokens gives no definitions and one `MBS000`.
pub fn parse_text(path: &str, text: &str) -> Parsed {
    parse_text_with(path, text, &mut refuse)
}

/// As [`parse_text`], with a loader of imported files.
///
/// ```
/// use mbs_syntax::Imported;
///
/// let urdf = r#"<robot name="arm"> <link name="base"/> </robot>"#;
/// let mut loader = |name: &str| Ok(Imported { path: name.to_owned(), text: urdf.to_owned() });
/// let parsed = mbs_syntax::parse_text_with("arm.mbs", r#"spatial Arm { import "arm.urdf"; }"#, &mut loader);
/// assert_eq!(parsed.definitions[0].items.len(), 1); // body base { }
/// ```
pub fn parse_text_with(path: &str, text: &str, loader: Loader<'_>) -> Parsed {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut sources = Sources::for_text(path, text);
    match text.parse::<TokenStream>() {
        Ok(tokens) => parse(tokens, sources, loader),
        Err(error) => {
            let mut errors = Errors::new();
            lexical::report(text, error.span(), &mut sources, &mut errors);
            Parsed { definitions: Vec::new(), sources, errors }
        }
    }
}

/// Reads one expression, and nothing after it: `0.2 * sin(3 * t)`. Names in it are not resolved.
///
/// # Errors
/// The mistakes in it; their origins belong to no file.
///
/// ```
/// assert!(mbs_syntax::parse_expression("2 * PI").is_ok());
/// assert!(mbs_syntax::parse_expression("u; input u").is_err());
/// ```
pub fn parse_expression(text: &str) -> Result<Expr, Errors> {
    let mut sources = Sources::for_text("expression", text);
    match text.parse::<TokenStream>() {
        Ok(tokens) => {
            let tokens = tokens::flatten(tokens, &mut sources);
            parser::expression(tokens, sources)
        }
        Err(error) => {
            let mut errors = Errors::new();
            lexical::report(text, error.span(), &mut sources, &mut errors);
            Err(errors)
        }
    }
}

/// Reads the tokens of a `urdf! { pub Arm = "arm.urdf"; }` call: one robot or several, each a complete mechanism.
pub fn parse_robot_tokens_with(tokens: TokenStream, loader: Loader<'_>) -> Parsed {
    let mut sources = Sources::for_tokens();
    let tokens = tokens::flatten(tokens, &mut sources);
    let (definitions, sources, errors) = parser::robots(tokens, sources, loader);
    Parsed { definitions, sources, errors }
}

/// Reads the text of a URDF file as a complete mechanism, its base fixed, with gravity in the direction −z and a motor at every joint. Its name is
/// that of the robot in camel case: `robot_arm7` becomes `RobotArm7`. Without the feature `urdf` it reports `MBS070`.
///
/// ```
/// let urdf = r#"<robot name="one_arm"> <link name="base"/> </robot>"#;
/// let parsed = mbs_syntax::parse_urdf("arm.urdf", urdf);
/// assert_eq!(parsed.definitions[0].name.text, "OneArm");
/// ```
pub fn parse_urdf(path: &str, text: &str) -> Parsed {
    robot::parse(path, text)
}

/// As [`parse_text_with`], or [`parse_urdf`] where `path` ends in `.urdf`.
pub fn parse_file_with(path: &str, text: &str, loader: Loader<'_>) -> Parsed {
    let is_urdf = std::path::Path::new(path).extension().is_some_and(|e| e.eq_ignore_ascii_case("urdf"));
    if is_urdf { parse_urdf(path, text) } else { parse_text_with(path, text, loader) }
}

fn parse(stream: TokenStream, mut sources: Sources, loader: Loader<'_>) -> Parsed {
    let tokens = tokens::flatten(stream, &mut sources);
    let (definitions, sources, errors) = parser::mechanisms(tokens, sources, loader);
    Parsed { definitions, sources, errors }
}
