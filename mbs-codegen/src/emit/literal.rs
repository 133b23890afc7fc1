//! Numbers in generated code.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// A literal that parses to the bits of a finite number.
pub fn literal(x: f64) -> TokenStream {
    if x < 0.0 || (x == 0.0 && x.is_sign_negative()) {
        let y = Literal::f64_unsuffixed(-x);
        quote!(-#y)
    } else {
        let y = Literal::f64_unsuffixed(x);
        quote!(#y)
    }
}
