//! `mechanism! { … }`: compiles a declared mechanism while rustc runs.

use proc_macro::TokenStream;

/// Compiles a mechanism: the declaration becomes a module with a type of its name, specialised and allocation-free.
///
/// The language is described in the book (`docs/`). What is emitted: `Params`, `Inputs`, `Outputs`, the stages `Position`,
/// `Velocity`, `Motion`, and the type itself, which implements `mbs::Mechanism`.
#[proc_macro]
pub fn mechanism(tokens: TokenStream) -> TokenStream {
    mbs_codegen::expand(tokens.into()).into()
}
