//! `mechanism! { … }`: compiles a declared mechanism while rustc runs.

use proc_macro::TokenStream;

/// Compiles a mechanism: the declaration becomes a module with a type of its name, specialised and allocation-free.
///
/// The language is described in the book (`docs/`). What is emitted: `Params`, `Inputs`, `Outputs`, the stages `Position`,
/// `Velocity`, `Motion`, and the type itself, which implements `mbs::Mechanism`.
///
/// `import "arm.urdf";` reads a file relative to the source file of the call, or, if there is none, to the package.
#[proc_macro]
pub fn mechanism(tokens: TokenStream) -> TokenStream {
    let source = proc_macro::Span::call_site().local_file();
    mbs_codegen::expand_in(tokens.into(), source.as_deref()).into()
}
