//! Quantities of a stage that are computed on first request and stored.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::emit::Emission;
use mbs_compiler::program::Input;

/// Number of entries of the largest matrix that a stage stores: 8 kB. Larger ones are computed at every request, so that stages are small
/// enough for the stack.
const LARGEST_STORED: usize = 1024;

/// A quantity that a stage computes without further arguments.
pub struct Lazy {
    name: Ident,
    docs: String,
    ty: TokenStream,
    compute: TokenStream,
    /// Whether the stage stores the result of the first request.
    is_stored: bool,
}

/// Quantities of one stage.
#[derive(Default)]
pub struct Quantities(Vec<Lazy>);

impl Lazy {
    /// The result of a kernel, converted from `size` numbers to type `ty` by the expression `value` of `flat`; `None` without the kernel.
    pub fn new(
        emission: &Emission<'_>,
        kernel: &str,
        docs: &str,
        argument: &dyn Fn(Input) -> TokenStream,
        size: usize,
        ty: TokenStream,
        value: TokenStream,
    ) -> Option<Lazy> {
        let function = emission.function(kernel)?;
        let call = emission.call(function, argument, &[quote!(&mut flat)]);
        let compute = quote! {
            let mut flat = [0.0; #size];
            #call;
            #value
        };
        let docs = format!("{docs} {}.", function.counts);
        Some(Lazy { name: format_ident!("{}", kernel), docs, ty, compute, is_stored: true })
    }

    /// The result of a kernel as an array or, for a shape of two sizes, as a matrix of rows; `None` without the kernel.
    pub fn array(
        emission: &Emission<'_>,
        kernel: &str,
        docs: &str,
        shape: &[usize],
        argument: &dyn Fn(Input) -> TokenStream,
    ) -> Option<Lazy> {
        let size: usize = shape.iter().product();
        let &[rows, columns] = shape else {
            return Lazy::new(emission, kernel, docs, argument, size, quote!([f64; #size]), quote!(flat));
        };
        let function = emission.function(kernel)?;
        let call = emission.call(function, argument, &[quote!(flat)]);
        let compute = quote! {
            let mut matrix = [[0.0; #columns]; #rows];
            if let ::core::result::Result::Ok(flat) = <&mut [f64; #size]>::try_from(matrix.as_flattened_mut()) {
                #call;
            }
            matrix
        };
        let docs = format!("{docs} {}.", function.counts);
        let (name, ty) = (format_ident!("{}", kernel), quote!([[f64; #columns]; #rows]));
        Some(Lazy { name, docs, ty, compute, is_stored: size <= LARGEST_STORED })
    }

    /// The quantity, computed at every request.
    pub fn recomputed(self) -> Lazy {
        Lazy { is_stored: false, ..self }
    }

    /// The quantity, computed at every request if it is larger than a stage stores.
    pub fn recomputed_if_large(self, size: usize) -> Lazy {
        Lazy { is_stored: size <= LARGEST_STORED, ..self }
    }

    /// A quantity computed by the given statements.
    pub fn computed(name: &str, docs: &str, ty: TokenStream, compute: TokenStream) -> Lazy {
        Lazy { name: format_ident!("{}", name), docs: docs.to_owned(), ty, compute, is_stored: true }
    }

    fn method(&self) -> TokenStream {
        let Lazy { name, docs, ty, compute, is_stored } = self;
        // `get_or_init` has a panic path, for initialisers that request themselves.
        let body = match is_stored {
            true => quote! {
                if let ::core::option::Option::Some(stored) = self.#name.get() {
                    return *stored;
                }
                let computed = { #compute };
                let _ = self.#name.set(computed);
                computed
            },
            false => compute.clone(),
        };
        quote! {
            #[doc = #docs]
            pub fn #name(&self) -> #ty {
                #body
            }
        }
    }
}

impl Extend<Lazy> for Quantities {
    fn extend<I: IntoIterator<Item = Lazy>>(&mut self, quantities: I) {
        self.0.extend(quantities);
    }
}

impl Quantities {
    /// Appends other quantities.
    pub fn append(&mut self, mut other: Quantities) {
        self.0.append(&mut other.0);
    }

    /// Methods that return the quantities.
    pub fn methods(&self) -> TokenStream {
        self.0.iter().map(Lazy::method).collect()
    }

    /// Fields of the stage that store them.
    pub fn fields(&self) -> TokenStream {
        let field = |Lazy { name, ty, .. }: &Lazy| quote!(#name: ::core::cell::OnceCell<#ty>,);
        self.0.iter().filter(|q| q.is_stored).map(field).collect()
    }

    /// These fields, empty.
    pub fn empty(&self) -> TokenStream {
        let field = |Lazy { name, .. }: &Lazy| quote!(#name: ::core::cell::OnceCell::new(),);
        self.0.iter().filter(|q| q.is_stored).map(field).collect()
    }
}
