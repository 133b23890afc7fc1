//! Functions as Rust.
//!
//! After this point: free functions on `&[f64; N]` with literal indices, no panic, no allocation, no branch but the selections
//! the model asks for. The text computes what the interpreter computes, bit for bit.
//!
//! Bodies are written as text and read by the tokeniser once: building tokens one by one costs a macro three times as much.

mod chunks;
mod names;
mod text;

use std::fmt::Write;

use proc_macro2::TokenStream;
use quote::quote;

use crate::interp::Fma;
use crate::program::{Argument, Function, Input, Output, Program, Statement};

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
    std::iter::once(&program.prepare).chain(&program.functions).map(|f| function(f, paths)).collect()
}

/// One function, and its chunks if it is long. Where fused and plain arithmetic differ, both bodies are printed and
/// `select_fma!` chooses.
pub fn function(function: &Function, paths: &Paths) -> TokenStream {
    let root = paths.root.to_string().replace(' ', "");
    let names = Names::new(function);
    let one = |fma| {
        let mut writer = Writer { function, names: &names, root: &root, fma, text: String::new() };
        definition(&mut writer);
        writer.text
    };
    let text = match function.has_fused() {
        true => format!("{root}::select_fma! {{ {{ {} }} {{ {} }} }}", one(Fma::Fused), one(Fma::Plain)),
        false => one(Fma::Plain),
    };
    text.parse().expect("the printer writes Rust")
}

/// The name an output has in the signature: its own, unless an input has it.
pub fn output_name(function: &Function, output: &Output) -> String {
    let taken = function.inputs.iter().any(|a| a.input.name() == output.name);
    if taken { format!("{}_out", output.name) } else { output.name.clone() }
}

/// The function with one kind of arithmetic.
fn definition(writer: &mut Writer<'_>) {
    let function = writer.function;
    docs(writer);
    writer.put(&format!("pub fn {}(", function.name));
    signature(writer, &function.inputs, None, &function.outputs.iter().collect::<Vec<_>>(), function.is_checked());
    let stores: usize = function.outputs.iter().map(|o| o.values.len()).sum();
    if function.body.len() + stores <= MAX_STATEMENTS {
        writer.put("{\n");
        function.body.iter().for_each(|s| writer.statement(s, &|_| None));
        function.outputs.iter().for_each(|o| writer.store_all(o));
        writer.verdict(&function.body);
        writer.put("}\n");
        return;
    }
    let chunks = Chunks::new(function);
    writer.put(&format!("{{ let w = &mut [0.0; {}];\n", chunks.slots));
    (0..chunks.list.len()).for_each(|k| call(writer, &chunks, k));
    chunks.verdict(writer);
    writer.put("}\n");
    (0..chunks.list.len()).for_each(|k| chunk(writer, &chunks, k));
}

/// One chunk: reads what earlier chunks left in `w`, leaves what later ones need.
fn chunk(writer: &mut Writer<'_>, chunks: &Chunks, k: usize) {
    let (function, chunk) = (writer.function, &chunks.list[k]);
    writer.put(&format!("#[inline(never)]\nfn {}(", chunk_name(function, k)));
    let outputs: Vec<&Output> = chunk.outputs.iter().map(|o| &function.outputs[*o]).collect();
    signature(writer, &chunk.inputs, Some(chunks.slots), &outputs, chunk.is_checked(function));
    writer.put("{\n");
    chunks.body(writer, k);
    writer.put("}\n");
}

fn call(writer: &mut Writer<'_>, chunks: &Chunks, k: usize) {
    let (function, chunk) = (writer.function, &chunks.list[k]);
    if chunk.is_checked(function) {
        writer.put(&format!("let {} = ", chunks::singular(k)));
    }
    writer.put(&format!("{}(", chunk_name(function, k)));
    chunk.inputs.iter().for_each(|a| writer.put(&format!("{}, ", a.input.name())));
    writer.put("w, ");
    chunk.outputs.iter().for_each(|o| writer.put(&format!("{}, ", output_name(function, &function.outputs[*o]))));
    writer.put(");\n");
}

fn chunk_name(function: &Function, k: usize) -> String {
    format!("{}_part_{}", function.name, k + 1)
}

fn docs(writer: &mut Writer<'_>) {
    let (text, counts) = (&writer.function.docs, writer.function.counts);
    let gap = if text.is_empty() { "" } else { "\n\n" };
    for line in format!("{text}{gap}{counts}.").lines() {
        let line = format!(" {line}");
        writer.put(&format!("#[doc = {line:?}]\n"));
    }
}

/// The arguments and the result, after the opening parenthesis.
fn signature(
    writer: &mut Writer<'_>,
    inputs: &[Argument],
    slots: Option<usize>,
    outputs: &[&Output],
    is_checked: bool,
) {
    let function = writer.function;
    let text = &mut writer.text;
    let mut put = |name: &str, kind: std::fmt::Arguments<'_>| {
        write!(text, "{name}: {kind}, ").expect("strings take everything");
    };
    for argument in inputs {
        let name = argument.input.name();
        match argument.input {
            Input::Time => put(name, format_args!("f64")),
            _ => put(name, format_args!("&[f64; {}]", argument.size)),
        }
    }
    if let Some(slots) = slots {
        put("w", format_args!("&mut [f64; {slots}]"));
    }
    for output in outputs {
        put(&output_name(function, output), format_args!("&mut [f64; {}]", output.values.len()));
    }
    writer.put(if is_checked { ") -> ::core::option::Option<usize> " } else { ") " });
}

/// Rows that statements check.
fn rows<'s>(body: impl IntoIterator<Item = &'s Statement>) -> Vec<usize> {
    let rows = body.into_iter().filter_map(|s| match s {
        Statement::Check { row, .. } => Some(*row),
        Statement::Let { .. } => None,
    });
    rows.collect()
}
