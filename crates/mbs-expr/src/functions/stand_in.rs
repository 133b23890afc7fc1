//! Stand-ins for unbound Rust functions, with which a declaration is checked.
//!
//! In the positions of bodies the stand-in is zero, because any other value would invent a size. For ranks and pivots it is a generic function,
//! a sum of sines (1) whose frequencies and phases differ from function to function. It has the properties that almost all functions have in
//! common. Its values lie between 0 and 1, where roots, logarithms and arcs are defined. It has all derivatives.
//!
//! ```text
//! (1)  f(x) = ½ + Σₖ aₖ sin(wₖ · x + φₖ)
//! ```

use super::partial::partials;
use super::{CalledFunction, Partial};
use crate::FunctionId;

/// Stand-in for an unbound function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandIn {
    /// Zero.
    Zero,
    /// The smooth generic function (1).
    Generic,
}

/// aₖ of (1).
const AMPLITUDES: [f64; 3] = [0.2, 0.15, 0.1];

impl StandIn {
    /// A derivative at x of the stand-in for a function.
    pub fn partial(self, function: FunctionId, partial: Partial, x: &[f64]) -> f64 {
        if self == StandIn::Zero {
            return 0.0;
        }
        let term = |(k, a): (u64, f64)| {
            let random = |i: u64| unit(u64::from(function.0) << 24 | u64::from(partial.value) << 8 | k << 4 | i);
            // Between 0.6 and 1.6, of either sign.
            let frequency = |i: usize| {
                let w = 2.0 * random(i as u64) - 1.0;
                w + 0.6_f64.copysign(w)
            };
            let phase = std::f64::consts::TAU * random(15);
            let argument = x.iter().enumerate().fold(phase, |sum, (i, x)| sum + frequency(i) * x);
            let scale = partial.differentiation_arguments().fold(a, |scale, i| scale * frequency(i));
            scale
                * match partial.order() % 4 {
                    0 => argument.sin(),
                    1 => argument.cos(),
                    2 => -argument.sin(),
                    _ => -argument.cos(),
                }
        };
        let mean = if partial.order() == 0 { 0.5 } else { 0.0 };
        mean + (0..).zip(AMPLITUDES).map(term).sum::<f64>()
    }

    /// All results of a call, in the order of [`CalledFunction::evaluate`].
    pub(super) fn fill(self, id: FunctionId, function: &CalledFunction, x: &[f64], results: &mut [f64]) {
        let orders = usize::from(function.derivatives().unwrap_or(0));
        let all_partials = partials(function.arguments, orders);
        let all = (0..function.values())
            .flat_map(|value| all_partials.iter().map(move |p| Partial { value: value as u8, ..*p }));
        results.iter_mut().zip(all).for_each(|(result, partial)| *result = self.partial(id, partial, x));
    }
}

/// A pseudo-random number in [0, 1) that is determined by n: the 64-bit mix of Steele, Lea and Flood (2014).
fn unit(n: u64) -> f64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    (z >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Central differences with a step of 1e-6 of sums of sines have errors of 1e-9.
    #[test]
    fn derivatives_of_the_generic_function_match_differences() {
        let generic = StandIn::Generic;
        for (arguments, value) in [(1, 0), (2, 3), (4, 250)] {
            let x = [0.3, -1.2, 2.5, 0.1];
            for lower in partials(arguments, 3) {
                for i in 0..arguments {
                    let lower = Partial { value, ..lower };
                    let shifted = |h: f64| {
                        let mut x = x;
                        x[i] += h;
                        generic.partial(FunctionId(7), lower, &x[..arguments])
                    };
                    let derivative = generic.partial(FunctionId(7), lower.differentiated(i), &x[..arguments]);
                    assert!(
                        (derivative - (shifted(1e-6) - shifted(-1e-6)) / 2e-6).abs() < 1e-8,
                        "{lower:?}, argument {i}"
                    );
                }
            }
        }
    }

    #[test]
    fn generic_functions_lie_between_0_and_1_and_differ() {
        let value_at =
            |f: u32, value: u8, x: f64| StandIn::Generic.partial(FunctionId(f), Partial::value(1, value), &[x]);
        for x in (-50..50).map(|k| 0.37 * f64::from(k)) {
            assert!((0.05..=0.95).contains(&value_at(0, 0, x)));
            assert!(value_at(0, 0, x) != value_at(1, 0, x) && value_at(0, 0, x) != value_at(0, 1, x));
        }
    }
}
