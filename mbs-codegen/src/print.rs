//! Prints functions as Rust.
//!
//! After this point: free functions on `&[f64; N]` with literal indices, without panics, allocations, or branches except the selections of
//! the model and one for each pivot check (to return at once was measured as 10–35 % faster than to collect results of checks). The text
//! computes the values of the interpreter, bit for bit.
//!
//! Bodies are written as text, which is tokenised once: building tokens one by one makes a macro three times as expensive.

mod chunks;
mod names;
mod text;

use std::fmt::Write;

use proc_macro2::TokenStream;
use quote::quote;

use mbs_compiler::interp::Fma;
use mbs_compiler::program::{Argument, Called, Function, Input, Output, Program, Role};

use chunks::Chunks;
use names::Names;
use text::Writer;

pub use text::MAX_SCOPES;

/// Most statements of a function that compute or store values; longer functions are cut in pieces. Measured with robots: each cut makes an evaluation
/// slower by some percent, and rustc's time for a statement grows slowly up to here.
pub const MAX_STATEMENTS: usize = 5000;

/// Most statements of the pieces of a function of more than two such pieces, as derivatives of large mechanisms are. Their time is that of memory, and
/// cuts cost nothing, but rustc takes half as long again for pieces of [`MAX_STATEMENTS`].
const MAX_OF_MANY: usize = 1000;

/// Longest function that its caller inlines.
const MAX_INLINED: usize = 1000;

/// Paths of the dependencies of generated code.
pub struct Paths {
    /// The façade, `::mbs` by default.
    pub root: TokenStream,
}

impl Default for Paths {
    fn default() -> Self {
        Paths { root: quote!(::mbs) }
    }
}

/// Prints all functions, `prepare` first.
pub fn program(program: &Program, paths: &Paths) -> TokenStream {
    let functions = std::iter::once(&program.prepare).chain(&program.functions);
    functions.map(|f| function(f, &program.called, paths)).collect()
}

/// Prints one function, and its pieces if it is long. `called` lists the called functions, which are `functions::name` in the enclosing
/// module. Where fused and plain arithmetic differ, both bodies are printed, and `select_fma!` chooses one.
pub fn function(function: &Function, called: &[Called], paths: &Paths) -> TokenStream {
    let root = paths.root.to_string().replace(' ', "");
    let names = Names::new(function, called);
    let print = |fma| {
        let mut writer =
            Writer { function, called, names: &names, root: &root, fma, is_declared: false, text: String::new() };
        definition(&mut writer);
        writer.text
    };
    let text = match function.has_fused() {
        true => format!("{root}::select_fma! {{ {{ {} }} {{ {} }} }}", print(Fma::Fused), print(Fma::Plain)),
        false => print(Fma::Plain),
    };
    text.parse().expect("the printer writes Rust")
}

/// Name of an output in the signature; it gets a suffix if an input has that name.
pub fn output_name(function: &Function, output: &Output) -> String {
    let taken = function.inputs.iter().any(|a| a.input.name() == output.name);
    if taken { format!("{}_out", output.name) } else { output.name.clone() }
}

/// Prints the function with one kind of arithmetic.
fn definition(writer: &mut Writer<'_>) {
    let function = writer.function;
    docs(writer);
    if has_one_caller(function) && statements(function) <= MAX_INLINED {
        // Inlined there, results are in registers when they are tested, and slots are written in place.
        writer.write("#[inline(always)]\n");
    }
    writer.write(&format!("pub fn {}(", function.name));
    signature(writer, &function.inputs, None, &function.results().collect::<Vec<_>>(), function.is_checked());
    writer.write("{\n");
    for local in function.outputs.iter().filter(|o| o.role == Role::Local) {
        writer.write(&format!("let {} = &mut [0.0; {}];\n", output_name(function, local), local.values.len()));
    }
    if !is_long(function) {
        writer.declare(function.operands(), &function.body);
        writer.statements(&function.body.iter().collect::<Vec<_>>(), &|_| None);
        function.outputs.iter().for_each(|o| writer.store_array(o));
        writer.solve_columns();
        writer.return_singular_row(&function.body);
        writer.write("}\n");
        return;
    }
    let chunks = Chunks::new(function);
    writer.write(&format!("let w = &mut [0.0; {}];\n", chunks.slots));
    (0..chunks.list.len()).for_each(|k| chunk_call(writer, &chunks, k));
    writer.solve_columns();
    chunks.return_singular_row(writer);
    writer.write("}\n");
    (0..chunks.list.len()).for_each(|k| chunk(writer, &chunks, k));
}

/// Whether one method calls a function: the accelerations, and functions that fill or read the slots of a stage.
fn has_one_caller(function: &Function) -> bool {
    let fills = function.outputs.iter().any(|o| matches!(o.role, Role::Slots(_)));
    function.name == "accelerations" || fills || function.inputs.iter().any(|a| matches!(a.input, Input::Slots(_)))
}

/// Whether a function is printed in chunks.
fn is_long(function: &Function) -> bool {
    statements(function) > MAX_STATEMENTS
}

/// Most statements of each piece of a function.
fn most_statements(function: &Function) -> usize {
    if statements(function) <= 2 * MAX_STATEMENTS { MAX_STATEMENTS } else { MAX_OF_MANY }
}

/// Number of statements that compute or store values.
fn statements(function: &Function) -> usize {
    function.body.len() + function.outputs.iter().map(|o| o.values.len()).sum::<usize>()
}

/// Prints one chunk: it reads the values that earlier chunks stored in `w`, and stores those that later ones need.
fn chunk(writer: &mut Writer<'_>, chunks: &Chunks, k: usize) {
    let (function, chunk) = (writer.function, &chunks.list[k]);
    writer.write(&format!("#[inline(never)]\nfn {}(", chunk_name(function, k)));
    let outputs: Vec<&Output> = chunk.outputs.iter().map(|o| &function.outputs[*o]).collect();
    signature(writer, &chunk.inputs, Some(chunks.slots), &outputs, chunk.is_checked(function));
    writer.write("{\n");
    chunks.body(writer, k);
    writer.return_singular_row(chunk.statements(function));
    writer.write("}\n");
}

/// Prints the call of a chunk.
fn chunk_call(writer: &mut Writer<'_>, chunks: &Chunks, k: usize) {
    let (function, chunk) = (writer.function, &chunks.list[k]);
    let mut arguments: Vec<String> = chunk.inputs.iter().map(|a| a.input.name().to_owned()).collect();
    arguments.push("w".to_owned());
    arguments.extend(chunk.outputs.iter().map(|o| output_name(function, &function.outputs[*o])));
    let call = format!("{}({})", chunk_name(function, k), arguments.join(", "));
    let some = "::core::option::Option::Some(row)";
    let text = match (chunk.is_checked(function), function.continues_when_singular()) {
        (true, true) => format!("let {} = {call};\n", chunks::singular(k)),
        (true, false) => format!("if let {some} = {call} {{ return {some}; }}\n"),
        (false, _) => format!("{call};\n"),
    };
    writer.write(&text);
}

fn chunk_name(function: &Function, k: usize) -> String {
    format!("{}_part_{}", function.name, k + 1)
}

fn docs(writer: &mut Writer<'_>) {
    let (text, counts) = (&writer.function.docs, writer.function.counts);
    let gap = if text.is_empty() { "" } else { "\n\n" };
    for line in format!("{text}{gap}{counts}.").lines() {
        let line = if line.is_empty() { String::new() } else { format!(" {line}") };
        writer.write(&format!("#[doc = {line:?}]\n"));
    }
}

/// Prints the arguments and the result, after the opening parenthesis.
fn signature(
    writer: &mut Writer<'_>,
    inputs: &[Argument],
    slots: Option<usize>,
    outputs: &[&Output],
    is_checked: bool,
) {
    let function = writer.function;
    let text = &mut writer.text;
    let mut write = |name: &str, kind: std::fmt::Arguments<'_>| {
        write!(text, "{name}: {kind}, ").expect("writing to a string does not fail");
    };
    for argument in inputs {
        let name = argument.input.name();
        match argument.input {
            Input::Time | Input::Step => write(name, format_args!("f64")),
            Input::Params => write(name, format_args!("&super::Params")),
            _ => write(name, format_args!("&[f64; {}]", argument.size)),
        }
    }
    if let Some(slots) = slots {
        write("w", format_args!("&mut [f64; {slots}]"));
    }
    for output in outputs {
        write(&output_name(function, output), format_args!("&mut [f64; {}]", output.values.len()));
    }
    writer.write(if is_checked { ") -> ::core::option::Option<usize> " } else { ") " });
}
