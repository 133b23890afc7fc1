//! Functions as Rust.
//!
//! After this point: free functions on `&[f64; N]` with literal indices, no panic, no allocation, no branch but the selections
//! the model asks for. The text computes what the interpreter computes, bit for bit.

mod chunks;
mod names;
mod text;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::interp::Fma;
use crate::program::{Argument, Function, Input, Output, Program, Role, Statement};

use chunks::Chunks;
use names::Names;
use text::Writer;

/// Longest function printed in one piece; beyond it rustc's debug information overflows its stack (DESIGN.md §7).
pub const MAX_STATEMENTS: usize = 1000;

/// How generated code names what it needs.
pub struct Paths {
    /// The façade, `::mbs` by default.
    pub root: TokenStream,
}

impl Default for Paths {
    fn default() -> Self {
        Paths { root: quote!(::mbs) }
    }
}

/// All functions, `prepare` first.
pub fn program(program: &Program, paths: &Paths) -> TokenStream {
    let prepare = function(&program.prepare, paths);
    let functions = program.functions.iter().map(|f| function(f, paths));
    quote!(#prepare #(#functions)*)
}

/// One function, and its chunks if it is long. Where fused and plain arithmetic differ, both bodies are printed and
/// `select_fma!` chooses.
pub fn function(function: &Function, paths: &Paths) -> TokenStream {
    if !function.has_fused() {
        return body(function, paths, Fma::Plain);
    }
    let root = &paths.root;
    let (fused, plain) = (body(function, paths, Fma::Fused), body(function, paths, Fma::Plain));
    quote!(#root::select_fma! { { #fused } { #plain } })
}

/// The name an output has in the signature: its own, unless an input has it.
pub fn output_name(function: &Function, output: &Output) -> String {
    let taken = function.inputs.iter().any(|a| a.input.name() == output.name);
    if taken { format!("{}_out", output.name) } else { output.name.clone() }
}

/// The functions with one kind of arithmetic.
fn body(function: &Function, paths: &Paths, fma: Fma) -> TokenStream {
    let names = Names::new(function);
    let writer = Writer { function, names: &names, root: &paths.root, fma };
    let docs = docs(function);
    let name = ident(&function.name);
    let inputs = function.inputs.iter().map(input);
    let outputs = function.outputs.iter().map(|o| output(function, o));
    let result = function.is_checked().then(|| quote!(-> ::core::option::Option<usize>));
    let stores: usize = function.outputs.iter().map(|o| o.values.len()).sum();
    if function.body.len() + stores <= MAX_STATEMENTS {
        let statements = writer.statements(&function.body);
        let stores = function.outputs.iter().map(|o| writer.store_all(o));
        let verdict = writer.verdict(&function.body);
        return quote! { #docs pub fn #name(#(#inputs,)* #(#outputs,)*) #result { #(#statements)* #(#stores)* #verdict } };
    }
    let chunks = Chunks::new(function);
    let pieces = (0..chunks.list.len()).map(|k| chunk(&writer, &chunks, k));
    let calls = (0..chunks.list.len()).map(|k| call(&writer, &chunks, k));
    let verdict = chunks.verdict(function);
    let size = chunks.slots;
    quote! {
        #docs
        pub fn #name(#(#inputs,)* #(#outputs,)*) #result {
            let w = &mut [0.0; #size];
            #(#calls)*
            #verdict
        }
        #(#pieces)*
    }
}

/// One chunk: reads what earlier chunks left in `w`, leaves what later ones need.
fn chunk(writer: &Writer<'_>, chunks: &Chunks, k: usize) -> TokenStream {
    let (function, chunk) = (writer.function, &chunks.list[k]);
    let name = chunk_name(function, k);
    let inputs = chunk.inputs.iter().map(input);
    let outputs = chunk.outputs.iter().map(|o| output(function, &function.outputs[*o]));
    let body = chunks.text(writer, k);
    let is_checked = chunk.statements(function).any(|s| matches!(s, Statement::Check { .. }));
    let result = is_checked.then(|| quote!(-> ::core::option::Option<usize>));
    let size = chunks.slots;
    quote! {
        #[inline(never)]
        fn #name(#(#inputs,)* w: &mut [f64; #size], #(#outputs,)*) #result { #body }
    }
}

fn call(writer: &Writer<'_>, chunks: &Chunks, k: usize) -> TokenStream {
    let (function, chunk) = (writer.function, &chunks.list[k]);
    let name = chunk_name(function, k);
    let inputs = chunk.inputs.iter().map(|a| ident(a.input.name()));
    let outputs = chunk.outputs.iter().map(|o| ident(&output_name(function, &function.outputs[*o])));
    let is_checked = chunk.statements(function).any(|s| matches!(s, Statement::Check { .. }));
    let result = is_checked.then(|| {
        let singular = chunks::singular(k);
        quote!(let #singular =)
    });
    quote!(#result #name(#(#inputs,)* w, #(#outputs,)*);)
}

fn chunk_name(function: &Function, k: usize) -> Ident {
    ident(&format!("{}_part_{}", function.name, k + 1))
}

fn docs(function: &Function) -> TokenStream {
    let text = function.docs.lines().map(|l| format!(" {l}"));
    let cost = format!(" {}.", function.counts);
    let gap = (!function.docs.is_empty()).then(String::new);
    let lines = text.chain(gap).chain([cost]);
    quote!(#(#[doc = #lines])*)
}

fn input(argument: &Argument) -> TokenStream {
    let name = ident(argument.input.name());
    let size = argument.size;
    match argument.input {
        Input::Time => quote!(#name: f64),
        _ => quote!(#name: &[f64; #size]),
    }
}

fn output(function: &Function, output: &Output) -> TokenStream {
    let name = ident(&output_name(function, output));
    let size = output.values.len();
    debug_assert!(output.role == Role::Result || output.name == "slots");
    quote!(#name: &mut [f64; #size])
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}
