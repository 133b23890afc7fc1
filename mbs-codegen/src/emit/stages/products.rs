//! Methods of the stage of positions that multiply with the matrices of the equations of motion and project onto admissible motions.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::failing_row;
use crate::emit::Emission;
use mbs_compiler::kernels::{INVERSE_MASS, TRANSPOSED_JACOBIAN};
use mbs_compiler::program::Input;

/// All products, if operators are requested.
pub fn products(emission: &Emission<'_>, argument: &dyn Fn(Input) -> TokenStream) -> TokenStream {
    if !emission.compiled.model.settings.kernels.operators {
        return quote!();
    }
    let s = emission.sizes();
    let (n_v, n_c) = (s.n_v, s.n_c);
    let mass = "M x, without M where that is fewer operations";
    let transposed = "Gᵀ λ, without G: the generalised forces of the rows are −Gᵀ λ, M a = Q − Gᵀ λ";
    let all = [
        product(emission, argument, "multiply_by_mass_matrix", mass, ("x", n_v), n_v),
        product(emission, argument, "multiply_by_constraint_jacobian", "G x, without G", ("x", n_v), n_c),
        product(emission, argument, TRANSPOSED_JACOBIAN, transposed, ("lambda", n_c), n_v),
    ];
    let inverse = inverse_mass(emission, argument);
    if emission.reads_speeds() {
        // Products with G need speeds.
        let [mass, ..] = all;
        return quote!(#mass #inverse);
    }
    let projection = projection(emission, argument);
    let operational = operational(emission);
    quote!(#(#all)* #inverse #projection #operational)
}

/// A method that multiplies by a matrix and cannot fail; its kernel is missing where the matrix has no rows.
fn product(
    emission: &Emission<'_>,
    argument: &dyn Fn(Input) -> TokenStream,
    kernel: &str,
    docs: &str,
    (given, size): (&str, usize),
    result_size: usize,
) -> TokenStream {
    let (method, given) = (format_ident!("{}", kernel), format_ident!("{}", given));
    let (docs, body) = match emission.function(kernel) {
        None => (format!("{docs}: there are no rows."), quote!(let _ = #given; [0.0; #result_size])),
        Some(function) => {
            let call = emission.call(function, &with_vector(&quote!(#given), argument), &[quote!(&mut product)]);
            let body = quote! {
                let mut product = [0.0; #result_size];
                #call;
                product
            };
            (format!("{docs}: {}.", function.counts), body)
        }
    };
    quote! {
        #[doc = #docs]
        pub fn #method(&self, #given: &[f64; #size]) -> [f64; #result_size] {
            #body
        }
    }
}

/// Arguments as those of `argument`, with the variable `given` as the vector of the product.
fn with_vector<'a>(
    given: &'a TokenStream,
    argument: &'a dyn Fn(Input) -> TokenStream,
) -> impl Fn(Input) -> TokenStream + 'a {
    move |input| match input {
        Input::Accelerations | Input::Multipliers | Input::Forces => given.clone(),
        other => argument(other),
    }
}

fn inverse_mass(emission: &Emission<'_>, argument: &dyn Fn(Input) -> TokenStream) -> TokenStream {
    let root = &emission.paths.root;
    let n_v = emission.sizes().n_v;
    let (cost, body) = match emission.function(INVERSE_MASS) {
        None => {
            let solve = emission.function("solve").expect("every mechanism has a solve");
            (solve.counts.to_string(), quote!(self.solve(f, &[], &mut product, &mut [])?;))
        }
        Some(function) => {
            let call = emission.call(function, &with_vector(&quote!(f), argument), &[quote!(&mut product)]);
            let row = failing_row(function, call);
            let body = quote! {
                let row: ::core::option::Option<usize> = #row;
                if let ::core::option::Option::Some(row) = row {
                    return ::core::result::Result::Err(#root::Error::Singular { row, t: self.t });
                }
            };
            (function.counts.to_string(), body)
        }
    };
    let stage = emission.compiled.stage_of_rows();
    let docs = format!(
        "M⁻¹ f, without regard to rows: {cost}.\n\n[`{stage}::solve`] with g = 0 respects the rows.\n\n# Errors\n`Singular` with \
         the speed whose pivot vanishes: M is singular where a motion has no mass, even if rows give it some."
    );
    quote! {
        #[doc = #docs]
        pub fn multiply_by_inverse_mass_matrix(
            &self,
            f: &[f64; #n_v],
        ) -> ::core::result::Result<[f64; #n_v], #root::Error> {
            let mut product = [0.0; #n_v];
            #body
            ::core::result::Result::Ok(product)
        }
    }
}

fn projection(emission: &Emission<'_>, argument: &dyn Fn(Input) -> TokenStream) -> TokenStream {
    let root = &emission.paths.root;
    let (n_v, n_c) = (emission.sizes().n_v, emission.sizes().n_c);
    let z = emission.if_positions_read_states(quote!(self.z,));
    let (cost, body) = match emission.function("project_speeds") {
        None => ("every motion is admissible".to_owned(), quote!(::core::result::Result::Ok(*x))),
        Some(function) => {
            let call = emission.call(function, &with_vector(&quote!(x), argument), &[quote!(&mut projected)]);
            let body = quote! {
                let mut projected = [0.0; #n_v];
                match self.values().1 {
                    ::core::option::Option::None => {
                        #call;
                    }
                    ::core::option::Option::Some(row) => {
                        let mut mu: [f64; #n_c] = self.multiply_by_constraint_jacobian(x);
                        self.mechanism.fallback_solve(row, self.t, self.q, #z &mut projected, &mut mu)?;
                        projected.iter_mut().zip(x).for_each(|(y, x)| *y = x - *y);
                    }
                }
                ::core::result::Result::Ok(projected)
            };
            (function.counts.to_string(), body)
        }
    };
    let docs = format!(
        "P x = x − M⁻¹Gᵀ(GM⁻¹Gᵀ)⁻¹G x: the admissible motion, G P x = 0, that is nearest to x in kinetic energy, with this stage's \
         factorisation: {cost}.\n\nFor mechanisms without any mass, M = 1.\n\n# Errors\n`Singular` with the row whose pivot \
         vanishes."
    );
    quote! {
        #[doc = #docs]
        pub fn project_speeds(&self, x: &[f64; #n_v]) -> ::core::result::Result<[f64; #n_v], #root::Error> {
            #body
        }
    }
}

/// Twist Jacobians of single bodies, and Λ⁻¹.
fn operational(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let s = emission.sizes();
    let (n_v, n_c, n_bodies, n_markers) = (s.n_v, s.n_c, s.n_bodies, s.n_markers);
    let (twist, dimension) = if emission.is_spatial() { (6usize, 3usize) } else { (3, 2) };
    let rows = if emission.is_spatial() { "v_x, v_y, v_z, ω_x, ω_y, ω_z" } else { "v_x, v_y, ω" };
    let docs = "Λ⁻¹ = J M⁻¹ Jᵀ, the inverse operational inertia for the rows of a Jacobian, by one [`Position::solve`] for each. With \
         constraint rows it is the constrained one, J (M⁻¹ − M⁻¹Gᵀ(GM⁻¹Gᵀ)⁻¹GM⁻¹) Jᵀ: the accelerations of J's rows that unit forces on \
         them cause in the constrained mechanism.\n\nFor mechanisms without any mass, M = 1.\n\n# Errors\n`Singular` with the row whose pivot \
         vanishes.";
    let body_docs = format!(
        "Twist Jacobian of a body frame: rows {rows} of its origin, world axes. `None` beyond the last of {n_bodies} bodies."
    );
    let method = quote! {
        #[doc = #docs]
        pub fn inverse_operational_inertia<const R: usize>(
            &self,
            jacobian: &[[f64; #n_v]; R],
        ) -> ::core::result::Result<[[f64; R]; R], #root::Error> {
            let mut inverse = [[0.0; R]; R];
            for (column, force) in jacobian.iter().enumerate() {
                let mut x = [0.0; #n_v];
                self.solve(force, &[0.0; #n_c], &mut x, &mut [0.0; #n_c])?;
                for (row, direction) in inverse.iter_mut().zip(jacobian) {
                    row[column] = direction.iter().zip(&x).map(|(j, x)| j * x).sum();
                }
            }
            ::core::result::Result::Ok(inverse)
        }

        #[doc = #body_docs]
        pub fn body_jacobian(&self, body: usize) -> ::core::option::Option<[[f64; #n_v]; #twist]> {
            self.body_jacobians().as_chunks().0.get(body).copied()
        }
    };
    if n_markers == 0 || emission.function("marker_jacobians").is_none() {
        return method;
    }
    let drawn = emission.compiled.model.markers.iter().filter(|m| m.drawn).take(n_markers);
    let bodies = drawn.map(|m| match m.body {
        Some(body) => {
            let body = body.index();
            quote!(::core::option::Option::Some(#body))
        }
        None => quote!(::core::option::Option::None),
    });
    let docs = format!(
        "Twist Jacobian of a marker frame: rows {rows} of its point and of its body, world axes. `None` beyond the last of {n_markers} \
         markers; zero on ground."
    );
    quote! {
        #method

        #[doc = #docs]
        pub fn marker_jacobian(&self, marker: usize) -> ::core::option::Option<[[f64; #n_v]; #twist]> {
            let bodies: [::core::option::Option<usize>; #n_markers] = [#(#bodies),*];
            let body = *bodies.get(marker)?;
            let mut twist = body.and_then(|body| self.body_jacobian(body)).unwrap_or([[0.0; #n_v]; #twist]);
            let points = self.marker_jacobians();
            let (points, _) = points.as_chunks::<#dimension>();
            twist.iter_mut().zip(points.get(marker)?).for_each(|(row, point)| *row = *point);
            ::core::option::Option::Some(twist)
        }
    }
}
