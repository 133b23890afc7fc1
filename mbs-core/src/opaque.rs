//! Functions written in Rust that contain data.

mod derivatives;

use mbs_math::BicubicSpline;

pub use derivatives::{DerivativeWatch, WrongDerivative, check_derivatives, check_opaque, watch_derivatives};

/// A function of N numbers with M values, as a type with data that the declaration does not know: a table, a fitted model.
///
/// `function gas: opaque(2, GasTable);` makes a `GasTable` a parameter that generated code calls;
/// `Options::function_value` of the engine binds one. R is the number of results for each value: 1 without derivatives, k + 1 with k
/// derivatives of a function of one number, and all partial derivatives up to order k of a function of several: `Opaque<1, 3>` gives f, f′, f″,
/// and `Opaque<2, 6>` f, f_x, f_y, f_xx, f_xy, f_yy. A type with another number than is declared does not compile.
///
/// ```
/// use mbs_core::Opaque;
///
/// /// c₀ + c₁ x.
/// struct Line([f64; 2]);
///
/// impl Opaque<1, 2> for Line {
///     fn evaluate(&self, [x]: [f64; 1]) -> [[f64; 2]; 1] {
///         [[self.0[0] + self.0[1] * x, self.0[1]]]
///     }
/// }
/// assert_eq!(Line([1.0, 2.0]).evaluate([3.0]), [[7.0, 2.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement `Opaque<{N}, {R}, {M}>`",
    label = "not a function of {N} numbers with {R} results for each of {M} values",
    note = "the declaration says how many derivatives there are: `opaque(2, {Self})` asks for value, first and second derivatives"
)]
pub trait Opaque<const N: usize, const R: usize, const M: usize = 1> {
    /// Returns each value with its partial derivatives, by order, and in lexicographic order within each order. Equal x must give equal results:
    /// calls are shared, and results are stored.
    fn evaluate(&self, x: [f64; N]) -> [[f64; R]; M];
}

/// Implements [`Opaque`] for bicubic splines, with the given numbers of results.
macro_rules! spline_as_opaque {
    ($($results:literal)*) => {
        $(impl<const N: usize, const M: usize> Opaque<2, $results> for BicubicSpline<N, M> {
            fn evaluate(&self, [x, y]: [f64; 2]) -> [[f64; $results]; 1] {
                let all = self.derivatives(x, y);
                [core::array::from_fn(|i| all[i])]
            }
        })*
    };
}

spline_as_opaque!(1 3 6 10 15);
