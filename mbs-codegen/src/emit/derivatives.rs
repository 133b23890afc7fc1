//! Prints derivatives: their types, the methods that compute them, and `impl Differentiable`.

mod differentiable;
mod wrench;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Emission;
use super::stages::{failing_row, plain_argument, state_arguments};
use mbs_compiler::compile::DENSE_LIMIT;

/// All requested derivatives.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    let s = emission.sizes();
    let state = [
        Family { letter: 'q', size: s.n_v, variables: "displacements N(q) δ at fixed speeds" },
        Family { letter: 'v', size: s.n_v, variables: "speeds" },
        Family { letter: 'z', size: s.n_states, variables: "auxiliary states" },
        Family { letter: 'u', size: s.n_u, variables: "inputs, in the order of `Inputs::to_array`" },
    ];
    let parameters =
        [Family { letter: 'p', size: s.n_parameters, variables: "parameters, in the order of `Params::to_array`" }];
    let derivatives = motion(emission, "derivatives", "Derivatives", &state);
    let inverse_derivatives = inverse(emission, "inverse_derivatives", "InverseDerivatives", &state);
    let sensitivities = motion(emission, "sensitivities", "Sensitivities", &parameters);
    let inverse_sensitivities = inverse(emission, "inverse_sensitivities", "InverseSensitivities", &parameters);
    let differentiable = differentiable::emit(emission);
    let wrenches = wrench::emit(emission);
    quote!(#derivatives #inverse_derivatives #sensitivities #inverse_sensitivities #differentiable #wrenches)
}

/// A family of directions of differentiation.
struct Family {
    letter: char,
    size: usize,
    variables: &'static str,
}

/// A matrix of derivatives.
struct Block {
    field: Ident,
    rows: usize,
    columns: usize,
}

/// Matrices of derivatives as fields of a type, and the output arrays of their kernel.
struct Blocks {
    list: Vec<Block>,
    /// Fields.
    declared: Vec<TokenStream>,
    /// Flat arrays.
    flat: Vec<TokenStream>,
    /// Arguments of the kernel.
    outputs: Vec<TokenStream>,
    /// Values of the fields.
    values: Vec<TokenStream>,
}

impl Blocks {
    /// ∂`symbol`/∂x for each family, for two quantities.
    fn new(root: &TokenStream, families: &[Family], quantities: [(&str, &str, usize); 2]) -> Blocks {
        let mut blocks = Blocks {
            list: Vec::new(),
            declared: Vec::new(),
            flat: Vec::new(),
            outputs: Vec::new(),
            values: Vec::new(),
        };
        for (family, (name, symbol, rows)) in families.iter().flat_map(|family| quantities.map(|q| (family, q))) {
            let (field, columns) = (format_ident!("{}_{}", name, family.letter), family.size);
            let size = rows * columns;
            let symbol = if symbol.contains(' ') { format!("({symbol})") } else { symbol.to_owned() };
            let docs = format!("∂{symbol}/∂{}, row by row: with respect to {}.", family.letter, family.variables);
            blocks.declared.push(quote!(#[doc = #docs] pub #field: [[f64; #columns]; #rows]));
            blocks.flat.push(quote!(let mut #field = [0.0; #size];));
            blocks.outputs.push(quote!(&mut #field));
            blocks.values.push(quote!(#field: #root::matrix_of_rows(&#field)));
            blocks.list.push(Block { field, rows, columns });
        }
        blocks
    }
}

/// Derivatives of the motion.
fn motion(emission: &Emission<'_>, kernel: &str, ty: &str, families: &[Family]) -> TokenStream {
    let Some(function) = emission.function(kernel) else { return quote!() };
    let root = &emission.paths.root;
    let (name, method, ty) = (emission.name(), format_ident!("{}", kernel), format_ident!("{}", ty));
    let s = emission.sizes();
    let (n_v, n_c) = (s.n_v, s.n_c);
    let state = state_arguments(emission, &quote!(&Inputs));
    let Blocks { list, declared, .. } = Blocks::new(root, families, [("a", "a", n_v), ("lambda", "λ", n_c)]);
    let fields: Vec<&Ident> = list.iter().map(|b| &b.field).collect();
    let sizes = list.iter().map(|b| b.rows * b.columns);
    let outputs = fields.iter().map(|field| quote!(#field));
    let outputs: Vec<TokenStream> =
        [quote!(&mut derivatives.a), quote!(&mut derivatives.lambda)].into_iter().chain(outputs).collect();
    let row = failing_row(function, emission.call(function, &plain_argument, &outputs));
    let zeros = zeros(&list);
    let (fallback, singular) = fallback(emission, kernel, &ty, &list);
    let type_docs = "Accelerations and multipliers with their derivatives; λ is that of M a + Gᵀ λ = Q.";
    let docs = format!(
        "Accelerations, multipliers and their derivatives: {}.\n\nThe derivatives are exact: the factorisation of the accelerations solves \
         for the derivatives of the residual of the equations of motion at fixed a and λ. With constraint rows they are derivatives of a \
         and λ as functions of q and v, whether or not these satisfy the rows.\n\n# Errors\n`Singular` with the row whose pivot vanishes, \
         `NotFinite` if a result is not finite.",
        function.counts
    );
    quote! {
        #[doc = #type_docs]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct #ty {
            /// Accelerations.
            pub a: [f64; #n_v],
            /// Multipliers.
            pub lambda: [f64; #n_c],
            #(#declared,)*
        }

        impl #name {
            #[doc = #docs]
            pub fn #method(&self, #state,) -> ::core::result::Result<#ty, #root::Error> {
                let u = &u.to_array();
                let mut derivatives = #ty { a: [0.0; #n_v], lambda: [0.0; #n_c], #(#zeros,)* };
                // The kernel writes flat arrays, whose sizes are those of the matrices.
                let row: ::core::option::Option<usize> =
                    match (#(<&mut [f64; #sizes]>::try_from(derivatives.#fields.as_flattened_mut()),)*) {
                        (#(::core::result::Result::Ok(#fields),)*) => #row,
                        _ => ::core::option::Option::None,
                    };
                if let ::core::option::Option::Some(row) = row {
                    return #singular;
                }
                if #root::all_finite(&derivatives.a) && #root::all_finite(&derivatives.lambda) {
                    ::core::result::Result::Ok(derivatives)
                } else {
                    ::core::result::Result::Err(#root::Error::NotFinite { t })
                }
            }
            #fallback
        }
    }
}

/// Fields with zeros.
fn zeros(blocks: &[Block]) -> Vec<TokenStream> {
    let zeros = blocks.iter().map(|b| {
        let (field, rows, columns) = (&b.field, b.rows, b.columns);
        quote!(#field: [[0.0; #columns]; #rows])
    });
    zeros.collect()
}

/// The method of the fallback for a vanishing pivot of the static order, and the expression that calls it: a dense solution for each column
/// if there are rows, the error if M alone is singular.
fn fallback(emission: &Emission<'_>, kernel: &str, ty: &Ident, blocks: &[Block]) -> (TokenStream, TokenStream) {
    let root = &emission.paths.root;
    let s = emission.sizes();
    let (n, n_c) = (s.n_v, s.n_c);
    let state = state_arguments(emission, &quote!(&[f64; NU]));
    let residual = format!("inverse_{kernel}");
    let dense = n_c > 0 && n + n_c <= DENSE_LIMIT && emission.compiled.checked.solvable;
    if !dense || emission.function(&residual).is_none() {
        return (quote!(), quote!(::core::result::Result::Err(#root::Error::Singular { row, t })));
    }
    let z = emission.if_positions_read_states(quote!(z,));
    let v = emission.if_reads_speeds(quote!(v,));
    let (method, residual) = (format_ident!("{}_densely", kernel), format_ident!("{}", residual));
    let columns = blocks.chunks_exact(2).map(|pair| {
        let (a, lambda, columns) = (&pair[0].field, &pair[1].field, pair[0].columns);
        let letter = a.to_string().split_off(2);
        let (tau, rows) = (format_ident!("tau_{}", letter), format_ident!("rows_{}", letter));
        quote! {
            for column in 0..#columns {
                let mut x: [f64; #n] = ::core::array::from_fn(|i| -residual.#tau[i][column]);
                let mut mu: [f64; #n_c] = ::core::array::from_fn(|i| -residual.#rows[i][column]);
                self.fallback_solve(row, t, q, #v #z &mut x, &mut mu)?;
                for (row, value) in derivatives.#a.iter_mut().zip(x) {
                    row[column] = value;
                }
                for (row, value) in derivatives.#lambda.iter_mut().zip(mu) {
                    row[column] = value;
                }
            }
        }
    });
    let zeros = zeros(blocks);
    let method_tokens = quote! {
        #[cold]
        #[inline(never)]
        fn #method(&self, row: usize, #state,) -> ::core::result::Result<#ty, #root::Error> {
            let (mut a, mut lambda) = ([0.0; #n], [0.0; #n_c]);
            self.fallback_accelerations(row, t, q, v, u, z, &mut a, &mut lambda)?;
            let residual = self.#residual(t, q, v, &a, &lambda, &Inputs::from_array(u), z);
            let mut derivatives = #ty { a, lambda, #(#zeros,)* };
            #(#columns)*
            ::core::result::Result::Ok(derivatives)
        }
    };
    (method_tokens, quote!(self.#method(row, t, q, v, u, z)))
}

/// Derivatives of inverse dynamics.
fn inverse(emission: &Emission<'_>, kernel: &str, ty: &str, families: &[Family]) -> TokenStream {
    let Some(function) = emission.function(kernel) else { return quote!() };
    let root = &emission.paths.root;
    let (name, method, ty) = (emission.name(), format_ident!("{}", kernel), format_ident!("{}", ty));
    let s = emission.sizes();
    let (n_q, n_v, n_c, n_z) = (s.n_q, s.n_v, s.n_c, s.n_z);
    let Blocks { declared, flat, outputs, values, .. } =
        Blocks::new(root, families, [("tau", "M a + Gᵀ λ − Q", n_v), ("rows", "G a − γ", n_c)]);
    let call = emission.call(function, &plain_argument, &outputs);
    let docs = format!(
        "Derivatives of inverse dynamics τ = M a + Gᵀ λ − Q and of G a − γ at any accelerations and multipliers: {}.\n\nThe derivatives \
         with respect to a are the mass matrix and G.",
        function.counts
    );
    quote! {
        /// Derivatives of the residuals of the equations of motion.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct #ty {
            #(#declared,)*
        }

        impl #name {
            #[doc = #docs]
            #[allow(clippy::too_many_arguments)]
            pub fn #method(
                &self,
                t: f64,
                q: &[f64; #n_q],
                v: &[f64; #n_v],
                a: &[f64; #n_v],
                lambda: &[f64; #n_c],
                u: &Inputs,
                z: &[f64; #n_z],
            ) -> #ty {
                let u = &u.to_array();
                #(#flat)*
                #call;
                #ty { #(#values,)* }
            }
        }
    }
}
