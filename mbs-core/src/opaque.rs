//! Functions of the program that carry data.

mod derivatives;

use mbs_math::BicubicSpline;

pub use derivatives::{DerivativeWatch, WrongDerivative, check_derivatives, check_opaque, watch_derivatives};

/// A function of N numbers with M values, as a value of a type: a table, a fitted model, whatever the declaration need not know.
///
/// `function gas: opaque(2, GasTable);` puts a `GasTable` among the parameters and calls it from generated code;
/// `Options::function_value` of the engine binds one. R is the number of results of each value: 1 without derivatives, and with k of
/// them k + 1 for one number, all partial derivatives up to order k for several: `Opaque<1, 3>` gives f, f′, f″, and `Opaque<2, 6>`
/// f, f_x, f_y, f_xx, f_xy, f_yy. A type that gives another number than is declared does not compile.
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
    /// Returns each value with its partial derivatives, by order, and in lexicographic order within each order. Equal x must give equal numbers:
    /// calls are shared, and results are kept.
    fn evaluate(&self, x: [f64; N]) -> [[f64; R]; M];
}

/// With as many derivatives as are declared.
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
