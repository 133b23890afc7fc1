//! Check of the derivatives that a function written in Rust gives, by differences of its values.

use core::fmt;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::Opaque;
use crate::{Eventful, StateView};

/// Largest number of results of one call, as the language allows.
const MOST_RESULTS: usize = 256;
/// Largest number of arguments.
const MOST_ARGUMENTS: usize = 4;
/// Lengths h of differences, relative to max(|x|, 1), then relative to |x|.
const LENGTHS: [(f64, f64); 9] = [
    (1e-2, 1.0),
    (1e-3, 1.0),
    (1e-4, 1.0),
    (1e-5, 1.0),
    (1e-6, 1.0),
    (1e-7, 1.0),
    (1e-2, 0.0),
    (1e-4, 0.0),
    (1e-6, 0.0),
];
/// A derivative and a difference agree if they differ by at most this fraction of the larger.
const AGREEMENT: f64 = 1e-3;
/// Largest relative length of one-sided differences that are compared.
const ONE_SIDED: f64 = 1e-5;
/// Roundings of values in a difference.
const NOISE: f64 = 8.0;

/// A derivative of a function written in Rust that no difference of its values, or of its lower derivatives, confirms.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct WrongDerivative {
    /// Index of the function in the mechanism; 0 where it is checked by itself.
    pub function: usize,
    /// Index of the value; 0 of a function with one.
    pub value: usize,
    /// Index of the argument of differentiation.
    pub argument: usize,
    /// Index of the derivative among the results of its value: 1 is the first derivative with respect to the first argument.
    pub result: usize,
    /// The argument at which it is wrong.
    pub at: f64,
    /// The derivative as given there.
    pub given: f64,
    /// The difference quotient of the value or lower derivative whose derivative it is.
    pub expected: f64,
}

/// Writes the text of `Display`, so that a `main` that returns the error prints it.
impl fmt::Debug for WrongDerivative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for WrongDerivative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WrongDerivative { value, argument, result, at, given, expected, .. } = self;
        let argument = ["first", "second", "third", "fourth"].get(*argument).unwrap_or(&"last");
        write!(f, "result {result} of value {value} is no derivative along the {argument} argument: ")?;
        write!(f, "at {at:.4e} it is {given:.4e}, differences give {expected:.4e}")
    }
}

impl core::error::Error for WrongDerivative {}

/// Compares the derivatives that a function gives at x with differences of its values, and of its lower derivatives.
///
/// The sizes are the numbers of its arguments (1 to 4), of results of each value, and of its values; `evaluate` writes all results at given
/// arguments, value by value, in the order of [`Opaque::evaluate`]. A derivative is right if a central or one-sided difference of one of several
/// lengths agrees with it to 1e-3: kinks and values that are not finite do not count as wrong. Sizes that no function has are not checked.
///
/// ```
/// use mbs_core::check_derivatives;
///
/// let right = |x: &[f64], f: &mut [f64]| f.copy_from_slice(&[x[0].powi(3), 3.0 * x[0] * x[0]]);
/// assert!(check_derivatives([1, 2, 1], &[2.0], &mut { right }).is_ok());
/// let wrong = |x: &[f64], f: &mut [f64]| f.copy_from_slice(&[x[0].powi(3), 2.0 * x[0] * x[0]]);
/// let error = check_derivatives([1, 2, 1], &[2.0], &mut { wrong }).unwrap_err();
/// assert_eq!((error.argument, error.result, error.given), (0, 1, 8.0));
/// ```
///
/// # Errors
/// [`WrongDerivative`], the first in order.
pub fn check_derivatives(
    [arguments, each, values]: [usize; 3],
    x: &[f64],
    evaluate: &mut dyn FnMut(&[f64], &mut [f64]),
) -> Result<(), WrongDerivative> {
    let n = each.saturating_mul(values);
    if arguments == 0 || arguments > MOST_ARGUMENTS || x.len() != arguments || n == 0 || n > MOST_RESULTS {
        return Ok(());
    }
    let mut at = [0.0; MOST_ARGUMENTS];
    at[..arguments].copy_from_slice(x);
    let mut results = [[f64::NAN; MOST_RESULTS]; 3];
    evaluate(x, &mut results[0][..n]);
    for axis in 0..arguments {
        let mut open = [Verdict::Unknown; MOST_RESULTS];
        for (relative, least) in LENGTHS {
            let h = relative * mbs_math::math::abs(x[axis]).max(least);
            if h == 0.0 {
                continue;
            }
            for (side, step) in [(1, h), (2, -h)] {
                at[axis] = x[axis] + step;
                evaluate(&at[..arguments], &mut results[side][..n]);
            }
            at[axis] = x[axis];
            for (lower, higher) in pairs(arguments, each).filter(|pair| pair.2 == axis).map(|pair| (pair.0, pair.1)) {
                for value in 0..values {
                    let result = |side: usize, k: usize| results[side][value * each + k];
                    let values = [result(2, lower), result(0, lower), result(1, lower)];
                    let verdict = compare(values, result(0, higher), (h, relative));
                    let known = &mut open[value * each + higher];
                    *known = known.and(verdict);
                }
            }
        }
        for (k, verdict) in open[..n].iter().enumerate() {
            if let Verdict::Differs(expected) = *verdict {
                let (value, result, given) = (k / each, k % each, results[0][k]);
                return Err(WrongDerivative {
                    function: 0,
                    value,
                    argument: axis,
                    result,
                    at: x[axis],
                    given,
                    expected,
                });
            }
        }
    }
    Ok(())
}

/// [`check_derivatives`] for a function that implements [`Opaque`].
///
/// # Errors
/// [`WrongDerivative`], the first in order.
pub fn check_opaque<const N: usize, const R: usize, const M: usize>(
    function: &impl Opaque<N, R, M>,
    x: [f64; N],
) -> Result<(), WrongDerivative> {
    check_derivatives([N, R, M], &x, &mut |x, results| {
        let Ok(x) = <[f64; N]>::try_from(x) else { return };
        for (to, from) in results.iter_mut().zip(function.evaluate(x).as_flattened()) {
            *to = *from;
        }
    })
}

/// Result of comparing a derivative with differences.
#[derive(Clone, Copy)]
enum Verdict {
    /// No difference was finite so far.
    Unknown,
    Agrees,
    /// The first of the differences; none agrees.
    Differs(f64),
}

impl Verdict {
    fn and(self, next: Verdict) -> Verdict {
        match (self, next) {
            (Verdict::Agrees, _) | (_, Verdict::Agrees) => Verdict::Agrees,
            (Verdict::Unknown, next) => next,
            (known, _) => known,
        }
    }
}

/// Compares a derivative with differences of the values at −h, 0 and h.
fn compare([before, here, after]: [f64; 3], given: f64, (h, relative): (f64, f64)) -> Verdict {
    let noise = NOISE * f64::EPSILON * before.abs().max(here.abs()).max(after.abs()) / h;
    let mut verdict = Verdict::Unknown;
    let differences = [(after - before) / (2.0 * h), (after - here) / h, (here - before) / h];
    // One-sided differences are of first order: only short ones distinguish a kink from a mistake.
    let count = if relative <= ONE_SIDED { 3 } else { 1 };
    for difference in differences.into_iter().take(count) {
        if !(difference.is_finite() && given.is_finite()) {
            continue;
        }
        let agrees = (given - difference).abs() <= AGREEMENT * given.abs().max(difference.abs()) + noise;
        verdict = verdict.and(if agrees { Verdict::Agrees } else { Verdict::Differs(difference) });
    }
    verdict
}

/// Pairs of results of which the second is the derivative of the first: (lower, higher, argument), in the order of the higher ones. Each
/// derivative is that of the derivative with respect to all but the last of its arguments.
fn pairs(arguments: usize, each: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    // The last argument of each result so far; orders follow each other, and in each the arguments do not decrease.
    let mut last = [0_usize; MOST_RESULTS];
    let (mut lower, mut higher, mut axis) = (0, 1, 0);
    core::iter::from_fn(move || {
        if higher >= each {
            return None;
        }
        let pair = (lower, higher, axis);
        last[higher] = axis;
        higher += 1;
        axis += 1;
        if axis == arguments {
            lower += 1;
            axis = last[lower];
        }
        Some(pair)
    })
}

/// Checks the derivatives of one function in each call while it is armed. Generated code and engines store one per function.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct DerivativeWatch {
    is_armed: AtomicBool,
    /// 0 if all derivatives are right, else 1 + 4 × index of the result + argument; then x, given and expected as `f32`.
    found: [AtomicU32; 4],
}

impl DerivativeWatch {
    /// The watch of a function that is not armed.
    pub const fn new() -> Self {
        DerivativeWatch { is_armed: AtomicBool::new(false), found: [const { AtomicU32::new(0) }; 4] }
    }

    /// Whether calls are to be checked.
    #[inline]
    pub fn is_armed(&self) -> bool {
        self.is_armed.load(Ordering::Relaxed)
    }

    /// Checks a call.
    #[cold]
    pub fn check(&self, sizes: [usize; 3], x: &[f64], evaluate: &mut dyn FnMut(&[f64], &mut [f64])) {
        let Err(wrong) = check_derivatives(sizes, x, evaluate) else { return };
        let code = (wrong.value * sizes[1] + wrong.result) * MOST_ARGUMENTS + wrong.argument;
        let numbers = [wrong.at, wrong.given, wrong.expected].map(|x| (x as f32).to_bits());
        for (to, from) in self.found[1..].iter().zip(numbers) {
            to.store(from, Ordering::Relaxed);
        }
        self.found[0].store(1 + code as u32, Ordering::Release);
    }

    fn take(&self, function: usize, each: usize) -> Option<WrongDerivative> {
        let stored = self.found[0].load(Ordering::Acquire);
        self.found[0].store(0, Ordering::Relaxed);
        let code = stored.checked_sub(1)? as usize;
        let [at, given, expected] = [1, 2, 3].map(|k| f64::from(f32::from_bits(self.found[k].load(Ordering::Relaxed))));
        let (k, argument) = (code / MOST_ARGUMENTS, code % MOST_ARGUMENTS);
        Some(WrongDerivative { function, value: k / each, argument, result: k % each, at, given, expected })
    }
}

/// Evaluates a mechanism at a state while watches are armed. `watches` are (function, number of results of each value, watch); `outputs` has
/// n_outputs values of work space.
///
/// # Errors
/// [`WrongDerivative`] of the first function with one.
#[doc(hidden)]
pub fn watch_derivatives<'w, M: Eventful>(
    mechanism: &M,
    at: StateView,
    outputs: &mut [f64],
    watches: impl Iterator<Item = (usize, usize, &'w DerivativeWatch)> + Clone,
) -> Result<(), WrongDerivative> {
    for (_, _, watch) in watches.clone() {
        watch.is_armed.store(true, Ordering::Relaxed);
    }
    let (_, mut a, mut rows, mut z, _, mut scratch) = mechanism.storage();
    // Errors are ignored here: integrators and recordings return them where they evaluate the state.
    let _ = mechanism.accelerations(at, a.as_mut(), rows.as_mut());
    mechanism.outputs(at, a.as_ref(), rows.as_ref(), outputs);
    mechanism.auxiliary_rates(at, z.as_mut());
    if let Some(values) = scratch.as_mut().get_mut(..mechanism.sizes().n_events) {
        let _ = mechanism.event_values(at, values);
    }
    for (_, _, watch) in watches.clone() {
        watch.is_armed.store(false, Ordering::Relaxed);
    }
    let found = watches.clone().filter_map(|(function, each, watch)| watch.take(function, each));
    found.min_by_key(|wrong| wrong.function).map_or(Ok(()), Err)
}
