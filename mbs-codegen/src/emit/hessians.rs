//! Second derivatives of the rows: their pattern and constant values as data, and H(μ) as a method of a stage.

use std::ops::Range;

use proc_macro2::TokenStream;
use quote::quote;

use super::Emission;
use super::indices::{range, rows};
use super::literal::literal;
use super::stages::{Lazy, Quantities};
use mbs_compiler::kernels::HESSIANS;
use mbs_compiler::program::Input;

/// `hessian::ROCKER_PIN`, and the pattern, values and kinds of the rows.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    let compiled = emission.compiled;
    if !compiled.model.settings.kernels.hessians {
        return quote!();
    }
    let all = &compiled.hessians;
    let (n, n_c) = (all.len(), emission.sizes().n_c);
    let pattern = all.iter().map(|e| {
        let (row, [i, j]) = (e.row, e.speeds);
        quote!((#row, #i, #j))
    });
    let values = all.iter().map(|e| match e.value {
        None => quote!(::core::option::Option::None),
        Some(value) => {
            let value = literal(value);
            quote!(::core::option::Option::Some(#value))
        }
    });
    let quadratic = (0..n_c).map(|r| compiled.is_quadratic(r));
    let ranges = rows(emission).into_iter().map(|(name, rows): (String, Range<usize>)| {
        let [start, end] = [rows.start, rows.end].map(|r| all.partition_point(|e| e.row < r));
        range(&name, &format!("Entries of `{name}`."), start..end)
    });
    let stage = compiled.stage_of_rows();
    let docs = format!(
        "Row r and speeds i, j of each entry of the second derivatives, in order: the derivative of G\\[r\\]\\[i\\] with respect to the \
         displacement N(q) e_j; in coordinates with q̇ = v it is ∂²Φ_r/∂q_i ∂q_j. All others vanish in every state. Both triangles are \
         listed, because second derivatives of velocity rows, and those with respect to attitudes, are not symmetric. Values are those of \
         [`{stage}::hessians`]."
    );
    quote! {
        /// Number of second derivatives of rows that do not vanish.
        pub const N_HESSIAN: usize = #n;
        #[doc = #docs]
        pub const HESSIAN_PATTERN: [(usize, usize, usize); N_HESSIAN] = [#(#pattern),*];
        /// Values of constant entries; `None` for the others.
        pub const HESSIAN_VALUES: [::core::option::Option<f64>; N_HESSIAN] = [#(#values),*];
        /// Rows whose second derivatives vanish, are constant or depend on parameters alone. In coordinates with q̇ = v, position rows of this
        /// kind are linear or quadratic, and G of all is linear in q.
        pub const QUADRATIC: [bool; #n_c] = [#(#quadratic),*];
        /// Ranges of second derivatives in `HESSIAN_PATTERN`.
        pub mod hessian { #(#ranges)* }
    }
}

/// The quantity `hessians` of the stage that computes G.
pub fn values(emission: &Emission<'_>, argument: &dyn Fn(Input) -> TokenStream) -> Quantities {
    let mut all = Quantities::default();
    if !emission.compiled.model.settings.kernels.hessians {
        return all;
    }
    let n = emission.compiled.hessians.len();
    let docs = "Second derivatives of the rows, in the order of [`HESSIAN_PATTERN`].";
    let values = Lazy::array(emission, HESSIANS, docs, &[n], argument).map(|values| values.recomputed_if_large(n));
    all.extend([values.unwrap_or_else(|| Lazy::computed(HESSIANS, docs, quote!([f64; 0]), quote!([])))]);
    all
}

/// The method that computes H(μ), of the stage that computes G.
pub fn constraint_hessian(emission: &Emission<'_>) -> TokenStream {
    if !emission.compiled.model.settings.kernels.hessians {
        return quote!();
    }
    let (n_v, n_c) = (emission.sizes().n_v, emission.sizes().n_c);
    quote! {
        /// H(μ)\[i\]\[j\]: the derivative of (Gᵀ μ)_i with respect to the displacement N(q) e_j, at fixed μ: Σ μ_r H_r of [`HESSIAN_PATTERN`].
        pub fn constraint_hessian(&self, mu: &[f64; #n_c]) -> [[f64; #n_v]; #n_v] {
            let mut hessian = [[0.0; #n_v]; #n_v];
            for (&(r, i, j), value) in HESSIAN_PATTERN.iter().zip(self.hessians()) {
                let entry = hessian.get_mut(i).and_then(|row| row.get_mut(j));
                if let (::core::option::Option::Some(entry), ::core::option::Option::Some(mu)) = (entry, mu.get(r)) {
                    *entry += mu * value;
                }
            }
            hessian
        }
    }
}
