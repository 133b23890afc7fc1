//! Errors at run time.

use core::fmt;

use crate::{History, Item, Real};

/// A run-time failure with the index of its row, parameter or event, and its time. [`Describe::name`](crate::Describe::name) has the names.
#[derive(Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Error<T: Real = f64> {
    /// A pivot of [M Gᵀ; G 0] vanished: `row` counts speeds first, then constraint rows.
    Singular {
        /// Index into (v, λ).
        row: usize,
        /// Time \[s\].
        t: T,
    },
    /// A quantity became infinite or NaN, such as the force of a spring of length zero.
    NotFinite {
        /// Time \[s\].
        t: T,
    },
    /// Newton's method did not reach the tolerance: the poses are too far from an assembled one, or there is none.
    NotAssembled {
        /// Constraint row with the largest remaining residual; n_c + k is condition k: `initial` ones, then those of events.
        row: usize,
        /// That residual.
        residual: T,
        /// Iterations made.
        iterations: usize,
        /// Time \[s\].
        t: T,
    },
    /// The pose found does not continue the motion before it: it lies on another branch, or a prescribed motion jumps.
    Jump {
        /// Speed whose coordinate leaves its path furthest.
        speed: usize,
        /// Time of the pose \[s\].
        t: T,
    },
    /// An event happens again and again while time hardly advances, as the bounces of a ball that comes to rest do, or its handler has stopped
    /// a value at zero and nothing keeps it there. Let a handler or a constraint keep it at zero, or raise
    /// [`Events::most`](crate::Events::most).
    Zeno {
        /// Index of the event.
        event: usize,
        /// Time reached \[s\].
        t: T,
    },
    /// The period of an event of [`Trigger::Every`](crate::Trigger::Every) is not positive, not finite, or so short that time does not
    /// advance by it: less than ε max(1 s, |t|), where ε = 2.2e-16 with `f64`. NaN switches the event off, and is no error.
    Period {
        /// Index of the event.
        event: usize,
        /// That period \[s\].
        period: T,
        /// Time of the event \[s\].
        t: T,
    },
    /// The assignments of an event handler could not be evaluated, or the state could not be made consistent with them.
    Handler {
        /// Index of the event.
        event: usize,
        /// Cause of the failure.
        fault: Fault<T>,
        /// Time of the event \[s\].
        t: T,
    },
    /// Coordinates are so large that rounding alone moves a row by more than a millionth of its lengths: angles beyond some
    /// 5e8 rad, positions beyond 5e8 m. Start again from angles without whole revolutions, or from an origin nearby.
    Unresolved {
        /// Constraint row with the fewest digits left.
        row: usize,
        /// Time \[s\].
        t: T,
    },
    /// A step near a singular pose, where branches of positions meet, has changed the direction of the motion, or has not ended where its speeds
    /// predict: the branch after the pose may differ from the one before it. Take smaller steps or another tolerance; where lengths are meant to
    /// differ slightly from those at which branches meet, take a larger difference.
    Branch {
        /// Position row that depends on others there.
        row: usize,
        /// Time \[s\].
        t: T,
    },
    /// The method does not support this mechanism.
    Unsuited {
        /// Property of the mechanism that the method does not support.
        cause: Unsuited,
    },
    /// The equations of an implicit step were not solved: the step is too long for the motion or for its stiffness.
    NotConverged {
        /// Largest remaining residual, relative to the size of its unknowns.
        residual: T,
        /// Iterations made.
        iterations: usize,
        /// The last of these residuals, which show whether the iteration converges, and how fast.
        history: History<T>,
        /// Time of the stage \[s\].
        t: T,
    },
    /// The step-size control would need a step below the resolution of time.
    StepTooSmall {
        /// Time \[s\].
        t: T,
        /// The step that the control requires \[s\].
        step: T,
        /// The coordinate, speed or state whose error requires it, where an error does: [`Stepper::limited_by`](crate::Stepper::limited_by).
        limited_by: Option<Item>,
    },
    /// More steps were needed than `max_steps` of a simulation, or of one call of an adaptive method, allows.
    TooManySteps {
        /// Time reached \[s\].
        t: T,
        /// The coordinate, speed or state whose error keeps steps short, where an error does: [`Stepper::limited_by`](crate::Stepper::limited_by).
        limited_by: Option<Item>,
    },
    /// A parameter lies outside the domain of the arguments in which it is used: [`Domain`](crate::Domain).
    ParameterOutsideDomain {
        /// Index of the parameter (flat, declaration order).
        parameter: usize,
        /// Its value.
        value: T,
    },
    /// The mechanism was compiled without a kernel that is needed.
    MissingKernel {
        /// The word that requests it in `kernels: [...]`.
        kernel: &'static str,
    },
    /// A slice has the wrong length.
    Size {
        /// Length needed.
        expected: usize,
        /// Length given.
        found: usize,
    },
}

/// Writes the text of `Display`, so that a `main` that returns the error prints it.
impl<T: Real> fmt::Debug for Error<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<T: Real> fmt::Display for Error<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let few = |x: &T| FewDigits(x.to_f64());
        match self {
            Error::Singular { row, t } => write!(f, "singular at t = {}: the pivot of row {row} vanishes", few(t)),
            Error::NotFinite { t } => write!(f, "a value is not finite at t = {}", few(t)),
            Error::NotAssembled { row, residual, iterations, t } => {
                write!(
                    f,
                    "not assembled at t = {}: row {row} misses by {} after {iterations} iterations",
                    few(t),
                    few(residual)
                )
            }
            Error::Jump { speed, t } => {
                write!(f, "the motion jumps before t = {}: speed {speed} does not fit its displacement", few(t))
            }
            Error::Zeno { event, t } => {
                write!(f, "event {event} happens again and again at t = {}: time hardly goes on", few(t))
            }
            Error::Period { event, period, t } => {
                write!(
                    f,
                    "the period of event {event} is {} at t = {}, it has to be positive, finite and long enough for time to advance",
                    few(period),
                    few(t)
                )
            }
            Error::Handler { event, fault, t } => {
                write!(f, "the handler of event {event} fails at t = {}: {fault}", few(t))
            }
            Error::Unresolved { row, t } => {
                write!(
                    f,
                    "coordinates are too large at t = {}: rounding alone moves row {row} by a millionth of its lengths",
                    few(t)
                )
            }
            Error::Branch { row, t } => {
                write!(
                    f,
                    "the branch is lost at a singular pose before t = {}: row {row} depends on others there",
                    few(t)
                )
            }
            Error::Unsuited { cause } => write!(f, "the method is not for this mechanism: {cause}"),
            Error::NotConverged { residual, iterations, history, t } => {
                write!(
                    f,
                    "no convergence at t = {}: an implicit step misses by {} after {iterations} iterations{history}",
                    few(t),
                    few(residual)
                )
            }
            Error::StepTooSmall { t, step, .. } => write!(f, "step too small at t = {}: {} s", few(t), few(step)),
            Error::TooManySteps { t, .. } => {
                write!(
                    f,
                    "too many steps, stopped at t = {}: raise `max_steps`, or find what makes the motion fast",
                    few(t)
                )
            }
            Error::ParameterOutsideDomain { parameter, value } => {
                write!(f, "parameter {parameter} is outside its domain: {}", few(value))
            }
            Error::MissingKernel { kernel } => write!(f, "compiled without `{kernel}`: ask for it in `kernels`"),
            Error::Size { expected, found } => write!(f, "expected {expected} values, found {found}"),
        }
    }
}

impl<T: Real> core::error::Error for Error<T> {}

/// Reason why a method that advances momenta ([`Zhong06`](crate::Zhong06)) does not support a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsuited {
    /// Speeds are not the rates of coordinates, q̇ = N(q) v with N ≠ 1: attitudes, speeds that a joint declares. Natural coordinates have
    /// rates for speeds.
    Rates {
        /// Index of the coordinate; the smaller of n_q and n_v where these differ.
        coordinate: usize,
    },
    /// There is a row for accelerations alone, which methods based on positions cannot impose.
    AccelerationRow {
        /// Its index.
        row: usize,
    },
    /// The directions of constraint loads depend on speeds.
    SpeedsInRows,
    /// A motion prescribed as a function of time has kinetic energy, and the mechanism does not implement the rates of its momenta.
    Prescribed,
    /// No motion has kinetic energy: there is no mass, or the mechanism was compiled without `energies`.
    NoKineticEnergy,
}

impl fmt::Display for Unsuited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsuited::Rates { coordinate } => {
                write!(f, "the rate of coordinate {coordinate} is not its speed, use natural coordinates")
            }
            Unsuited::AccelerationRow { row } => write!(f, "row {row} is one of accelerations alone"),
            Unsuited::SpeedsInRows => write!(f, "directions of constraint loads depend on speeds"),
            Unsuited::Prescribed => {
                write!(f, "a prescribed motion is in its kinetic energy, ask for `momenta` in `kernels`")
            }
            Unsuited::NoKineticEnergy => {
                write!(f, "no motion has kinetic energy, give it mass, or ask for `energies` in `kernels`")
            }
        }
    }
}

/// Cause of the failure of an event handler.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault<T: Real = f64> {
    /// A pivot vanishes, as in [`Error::Singular`].
    Singular {
        /// Index into (v, λ).
        row: usize,
    },
    /// No state satisfies the rows and the conditions of the handler, or none is near: as in [`Error::NotAssembled`].
    NotAssembled {
        /// Constraint row with the largest remaining residual; n_c + k is condition k of
        /// [`Mechanism::initial_condition`](crate::Mechanism::initial_condition).
        row: usize,
        /// That residual.
        residual: T,
    },
    /// A quantity became infinite or NaN.
    NotFinite,
    /// The mechanism was compiled without a kernel that is needed.
    MissingKernel {
        /// The word that requests it in `kernels: [...]`.
        kernel: &'static str,
    },
    /// An evaluation of the mechanism failed for another reason.
    Evaluation,
}

impl<T: Real> Fault<T> {
    /// The cause that an error of an evaluation is for the handler, without its time.
    pub(crate) fn from_error(error: Error<T>) -> Self {
        match error {
            Error::Singular { row, .. } => Fault::Singular { row },
            Error::NotAssembled { row, residual, .. } => Fault::NotAssembled { row, residual },
            Error::NotFinite { .. } => Fault::NotFinite,
            Error::MissingKernel { kernel } => Fault::MissingKernel { kernel },
            _ => Fault::Evaluation,
        }
    }
}

impl<T: Real> fmt::Display for Fault<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Singular { row } => write!(f, "the pivot of row {row} vanishes"),
            Fault::NotAssembled { row, residual } => {
                write!(f, "row {row} misses by {residual}")
            }
            Fault::NotFinite => write!(f, "a value is not finite"),
            Fault::MissingKernel { kernel } => write!(f, "compiled without `{kernel}`: ask for it in `kernels`"),
            Fault::Evaluation => write!(f, "an evaluation of the mechanism fails"),
        }
    }
}

/// A number with seven digits at most, for messages: 2.64, 3.86e-16.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FewDigits(pub f64);

impl fmt::Display for FewDigits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let x = self.0;
        let size = x.abs();
        if x == 0.0 || !x.is_finite() {
            return write!(f, "{x}");
        }
        if !(1e-4..1e7).contains(&size) {
            return write!(f, "{x:.2e}");
        }
        // As many decimals as seven digits need, without trailing zeros.
        let (mut scale, mut decimals) = (1.0, 0);
        while decimals < 10 && (mbs_math::math::floor(size * scale + 0.5) / scale - size).abs() > 5e-8 * size {
            (scale, decimals) = (10.0 * scale, decimals + 1);
        }
        write!(f, "{x:.decimals$}")
    }
}
