//! Called functions: the wrappers that kernels call, and the documentation of the functions that the user has to write.

use mbs_core::spline::Cubic;
use mbs_expr::{CalledFunction, CalledKind, FunctionSource, GridSpline, Spline};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::Emission;
use super::literal::literal;
use super::names::value_ident;

/// `mod functions`: a wrapper for each called function, which kernels call.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    let functions = &emission.compiled.model.functions;
    if functions.is_empty() {
        return quote!();
    }
    let wrappers = functions.iter().map(|f| match &f.kind {
        CalledKind::Rust { value_type: Some(_), .. } => value_wrapper(emission, f),
        CalledKind::Rust { .. } => rust_wrapper(emission, f),
        CalledKind::Data(spline) => spline_wrapper(emission, f, spline),
        CalledKind::Grid(spline) => grid_wrapper(emission, f, spline),
        CalledKind::Settable(_) => settable_wrapper(emission, f),
    });
    let watches = derivative_watches(emission);
    quote! {
        /// Functions, as the kernels call them.
        mod functions {
            #(#wrappers)*
            #watches
        }
    }
}

/// Whether a function is written in Rust.
fn is_rust(f: &CalledFunction) -> bool {
    matches!(f.kind, CalledKind::Rust { .. })
}

/// Checks of the derivatives of functions written in Rust, one for each function.
fn derivative_watches(emission: &Emission<'_>) -> Option<TokenStream> {
    let (root, functions) = (&emission.paths.root, &emission.compiled.model.functions);
    let watches = functions.iter().map(|_| quote!(#root::DerivativeWatch::new()));
    let n = functions.len();
    functions.iter().any(is_rust).then(|| {
        quote! {
            #[cfg(debug_assertions)]
            pub static WATCHES: [#root::DerivativeWatch; #n] = [#(#watches),*];
        }
    })
}

/// `Describe::check_functions`, if functions are written in Rust.
pub fn check_functions(emission: &Emission<'_>) -> Option<TokenStream> {
    let (root, functions) = (&emission.paths.root, &emission.compiled.model.functions);
    let (counts, outputs) = (functions.iter().map(CalledFunction::results_of_value), emission.sizes().n_outputs);
    functions.iter().any(is_rust).then(|| {
        quote! {
            #[cfg(debug_assertions)]
            fn check_functions(&self, at: #root::StateView) -> ::core::result::Result<(), #root::WrongDerivative> {
                let watches = functions::WATCHES.iter().zip([#(#counts),*]).enumerate();
                #root::watch_derivatives(self, at, &mut [0.0; #outputs], watches.map(|(i, (watch, count))| (i, count, watch)))
            }
        }
    })
}

/// Statements that check the derivatives of a function in debug builds; `call` is its call with the arguments.
fn derivative_check(emission: &Emission<'_>, f: &CalledFunction, call: &TokenStream) -> TokenStream {
    let index = emission.compiled.model.functions.iter().position(|other| other.name == f.name).unwrap_or_default();
    let (each, count, values) = (f.results_of_value(), f.arguments, f.values());
    let arguments: Vec<Ident> = arguments(f).map(|a| Ident::new(a, Span::call_site())).collect();
    let flat = match f.shape {
        None => quote!(results),
        Some(_) => quote!(results.as_flattened()),
    };
    quote! {
        #[cfg(debug_assertions)]
        if WATCHES[#index].is_armed() {
            WATCHES[#index].check([#count, #each, #values], &[#(#arguments),*], &mut |x, output| {
                if let [#(#arguments),*] = *x {
                    let results = #call;
                    output.copy_from_slice(&#flat[..]);
                }
            });
        }
    }
}

/// Wrapper of a function of the enclosing module. The call of the user's function has the span of the user's token, so that rustc points
/// there, once, when the function is missing or has another type.
fn rust_wrapper(emission: &Emission<'_>, f: &CalledFunction) -> TokenStream {
    let span = (emission.span)(f.origin);
    let name = value_ident(&f.name, span);
    let each = f.results_of_value();
    let docs = format!("`{}` of the enclosing module: {}.", f.name, result_list(f));
    let arguments: Vec<Ident> = arguments(f).map(|a| Ident::new(a, Span::call_site())).collect();
    let call = quote_spanned!(span=> super::super::#name(#(#arguments),*));
    let array = match f.shape {
        None => quote_spanned!(span=> [f64; #each]),
        Some(n) => quote_spanned!(span=> [[f64; #each]; #n]),
    };
    let watched = derivative_check(emission, f, &quote!(call(#(#arguments),*)));
    quote! {
        #[doc = #docs]
        #[inline]
        pub fn #name(#(#arguments: f64),*) -> #array {
            let call = |#(#arguments: f64),*| -> #array { #call };
            #watched
            call(#(#arguments),*)
        }
    }
}

/// Wrapper of a value among the parameters. If its type returns other results than declared, rustc reports which.
fn value_wrapper(emission: &Emission<'_>, f: &CalledFunction) -> TokenStream {
    let root = &emission.paths.root;
    let (name, field) = (value_ident(&f.name, Span::call_site()), value_ident(&f.name, (emission.span)(f.origin)));
    let span = f.value_type().map_or_else(Span::call_site, |ty| (emission.span)(ty.origin));
    let (each, count, values) = (f.results_of_value(), f.arguments, f.values());
    let docs = format!("`{}` among the parameters: {}.", f.name, result_list(f));
    let arguments: Vec<Ident> = arguments(f).map(|a| Ident::new(a, Span::call_site())).collect();
    // Hygiene separates a name that is declared here from one that a surrounding macro might declare there.
    let params = quote!(params);
    let call =
        quote_spanned!(span=> #root::Opaque::<#count, #each, #values>::evaluate(&#params.#field, [#(#arguments),*]));
    let (array, body) = match f.shape {
        None => (quote!([f64; #each]), quote!(let [value] = #call; value)),
        Some(n) => (quote!([[f64; #each]; #n]), call),
    };
    let watched = derivative_check(emission, f, &quote!(call(params, #(#arguments),*)));
    quote! {
        #[doc = #docs]
        #[inline]
        pub fn #name(params: &super::Params, #(#arguments: f64),*) -> #array {
            #[inline]
            fn call(params: &super::Params, #(#arguments: f64),*) -> #array {
                #body
            }
            #watched
            call(params, #(#arguments),*)
        }
    }
}

/// The type of a value among the parameters, as the module of the mechanism sees it.
pub fn user_type(emission: &Emission<'_>, f: &CalledFunction) -> Option<TokenStream> {
    let ty = f.value_type()?;
    let span = (emission.span)(ty.origin);
    let name = value_ident(&ty.text, span);
    Some(quote_spanned!(span=> super::#name))
}

/// Function that evaluates a spline, with its table.
fn spline_wrapper(emission: &Emission<'_>, f: &CalledFunction, spline: &Spline) -> TokenStream {
    let (name, docs) = (value_ident(&f.name, Span::call_site()), spline_docs(f));
    let (ty, value) = (spline_type(emission, spline), spline_value(emission, spline));
    let (result, method) = evaluation(spline);
    quote! {
        #[doc = #docs]
        #[inline]
        pub fn #name(x: f64) -> #result {
            static TABLE: #ty = #value;
            TABLE.#method(x)
        }
    }
}

/// Function that evaluates a spline over a grid, with its table.
fn grid_wrapper(emission: &Emission<'_>, f: &CalledFunction, spline: &GridSpline) -> TokenStream {
    let root = &emission.paths.root;
    let name = value_ident(&f.name, Span::call_site());
    let text = if f.docs.is_empty() { format!("Spline `{}`.", f.name) } else { f.docs.clone() };
    let docs = format!("{text} Value and partial derivatives up to the sixth order.");
    let [n, m] = [0, 1].map(|axis| spline.knots[axis].len());
    let cells = spline.cells.chunks(m).map(|cells| {
        let cells = cells.iter().map(|cell| cubics(cell));
        quote!([#(#cells),*])
    });
    let (x, y, periods) = (numbers(&spline.knots[0]), numbers(&spline.knots[1]), numbers(&spline.periods));
    let [straight_x, straight_y] = spline.straight;
    let each = f.results_of_value();
    quote! {
        #[doc = #docs]
        #[inline]
        pub fn #name(x: f64, y: f64) -> [f64; #each] {
            static TABLE: #root::BicubicSpline<#n, #m> =
                #root::BicubicSpline::from_parts(#x, #y, [#(#cells),*], #periods, [#straight_x, #straight_y]);
            TABLE.derivatives(x, y)
        }
    }
}

/// Function that evaluates a spline among the parameters.
fn settable_wrapper(emission: &Emission<'_>, f: &CalledFunction) -> TokenStream {
    let Some(spline) = f.spline() else { return quote!() };
    let (name, docs) = (value_ident(&f.name, Span::call_site()), spline_docs(f));
    let field = value_ident(&f.name, (emission.span)(f.origin));
    let (result, method) = evaluation(spline);
    quote! {
        #[doc = #docs]
        #[inline]
        pub fn #name(params: &super::Params, x: f64) -> #result {
            params.#field.#method(x)
        }
    }
}

fn spline_docs(f: &CalledFunction) -> String {
    let text = if f.docs.is_empty() { format!("Spline `{}`.", f.name) } else { f.docs.clone() };
    format!("{text} Value, first, second and third derivative.")
}

/// Type of the result of a call, and the method that returns it.
fn evaluation(spline: &Spline) -> (TokenStream, TokenStream) {
    let m = spline.values;
    match spline.several {
        false => (quote!([f64; 4]), quote!(derivatives)),
        true => (quote!([[f64; 4]; #m]), quote!(evaluate)),
    }
}

/// The type of a spline in one variable: `::mbs::CubicSpline<16>`.
pub fn spline_type(emission: &Emission<'_>, spline: &Spline) -> TokenStream {
    let root = &emission.paths.root;
    let (n, m) = (spline.knots.len(), spline.values);
    if spline.several { quote!(#root::CubicSpline<#n, #m>) } else { quote!(#root::CubicSpline<#n>) }
}

/// A constant expression for a spline, with the same bits.
pub fn spline_value(emission: &Emission<'_>, spline: &Spline) -> TokenStream {
    let root = &emission.paths.root;
    let knots = numbers(&spline.knots);
    let pieces = spline.pieces.chunks(spline.values).map(cubics);
    let (before, period) = (cubics(&spline.before), literal(spline.period));
    quote!(#root::CubicSpline::from_parts(#knots, [#(#pieces),*], #before, #period))
}

/// An array of literals, with the same bits.
fn numbers(all: &[f64]) -> TokenStream {
    let all = all.iter().map(|x| literal(*x));
    quote!([#(#all),*])
}

fn cubics(all: &[Cubic]) -> TokenStream {
    let all = all.iter().map(|c| numbers(c));
    quote!([#(#all),*])
}

/// Documentation of the functions that the enclosing module has to define.
pub fn docs(functions: &[CalledFunction]) -> Vec<String> {
    let all: Vec<&CalledFunction> = functions.iter().filter(|f| f.source() == FunctionSource::Rust).collect();
    if all.is_empty() {
        return Vec::new();
    }
    let item = |f: &&CalledFunction| {
        let name = value_ident(&f.name, Span::call_site());
        if let Some(ty) = f.value_type() {
            let (n, each, m) = (f.arguments, f.results_of_value(), f.values());
            let ty = &ty.text;
            return format!("- `impl Opaque<{n}, {each}, {m}> for {ty}`, of [`Params::{name}`]: {}.", result_list(f));
        }
        let docs = f.docs.replace('\n', "\n  ");
        let docs = if docs.is_empty() { docs } else { format!(" {docs}") };
        let each = f.results_of_value();
        let result = f.shape.map_or(format!("[f64; {each}]"), |n| format!("[[f64; {each}]; {n}]"));
        let arguments: Vec<String> = arguments(f).map(|a| format!("{a}: f64")).collect();
        format!("- `fn {name}({}) -> {result}`: {}.{docs}", arguments.join(", "), result_list(f))
    };
    let head =
        "\n# Functions to provide\n\nThe enclosing module defines them; equal arguments always give equal results.\n";
    std::iter::once(head.to_owned()).chain(all.iter().map(item)).collect()
}

/// Names of the arguments of a function.
fn arguments(f: &CalledFunction) -> impl Iterator<Item = &'static str> {
    ["x", "y", "z", "w"].into_iter().take(f.arguments)
}

/// The results of a function in words: "value, first and second derivative"; "value, f_x, f_y, f_xx, f_xy, f_yy" for a function of several
/// numbers.
fn result_list(f: &CalledFunction) -> String {
    let derivatives = f.derivatives().unwrap_or(0);
    let prefix = if f.shape.is_some() { "of each component, " } else { "" };
    if f.arguments > 1 && derivatives > 0 {
        let mut list = vec!["the value".to_owned()];
        let mut paths = vec![String::new()];
        for _ in 0..derivatives {
            // Each path continues with its last argument or a later one.
            let longer = |path: &String| {
                let last = path.chars().last();
                let next = arguments(f).skip_while(move |a| last.is_some_and(|l| !a.starts_with(l)));
                let path = path.clone();
                next.map(move |a| format!("{path}{a}"))
            };
            paths = paths.iter().flat_map(longer).collect();
            list.extend(paths.iter().map(|path| format!("f_{path}")));
        }
        return format!("{prefix}{}", list.join(", "));
    }
    let list = match derivatives {
        0 => "the value",
        1 => "value and derivative",
        2 => "value, first and second derivative",
        3 => "value, first, second and third derivative",
        _ => "value, first, second, third and fourth derivative",
    };
    format!("{prefix}{list}")
}
