//! `mechanism! { … }` and `urdf! { … }`: compile a declared mechanism, or a robot's file, while rustc runs.

use proc_macro::TokenStream;

/// Compiles a mechanism: the declaration becomes a module with a type of its name, specialised and allocation-free.
///
#[doc = include_str!("language.md")]
// Generated from the catalogue of kinds; a test of the repository compares it.
#[doc = include_str!("kinds.md")]
#[proc_macro]
pub fn mechanism(tokens: TokenStream) -> TokenStream {
    let source = proc_macro::Span::call_site().local_file();
    mbs_codegen::expand_in(tokens.into(), source.as_deref()).into()
}

/// Compiles a robot's file in URDF, which is a mechanism by itself: `pub Arm = "arm.urdf";`, with further items in braces.
///
/// ```ignore
/// mbs::urdf! {
///     /// On its table.
///     pub Arm = "robots/arm.urdf";
///     /// Flying.
///     pub Dog = "robots/dog.urdf" {
///         base: free;                                     // or `fixed`, as unless said otherwise
///         gravity: [0, 0, -1.62];                         // [0, 0, -9.81] unless said otherwise
///         kernels: [forward, outputs, operators];         // any option, and any item, of a mechanism in space
///         trunk: { velocity: body };                      // arguments of a link
///         output height = position(trunk).z;
///     }
/// }
/// ```
///
/// The input `effort` has a torque \[N m\] or force \[N\] for every joint with one coordinate that follows no other, in the order of the
/// joints' speeds. The damping of the file acts, and `friction_speed: 0.01;` adds its static friction. `LIMITS` has the limits in the same
/// order. The section on [robots](https://github.com/mbs-rs/mbs/blob/main/docs/urdf.md) of the book describes the rest. The file is found and watched for changes
/// like files that [`mechanism!`] imports.
#[proc_macro]
pub fn urdf(tokens: TokenStream) -> TokenStream {
    let source = proc_macro::Span::call_site().local_file();
    mbs_codegen::expand_robots_in(tokens.into(), source.as_deref()).into()
}
