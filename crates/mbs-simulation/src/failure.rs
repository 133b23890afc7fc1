//! Failure of a simulation, and its message with the names of the declaration.

use std::fmt;

use super::recording::MOST_NUMBERS;
use super::{Cause, Recording};
#[cfg(feature = "nalgebra")]
use mbs_core::Describe;
use mbs_core::{Error, Fault, FewDigits, Mechanism, Obstacle, State};

/// A simulation that stopped early: the cause, and the recording until then.
///
/// `Debug`, which is printed if `main` returns the error, writes the message and not the recording.
#[derive(Clone, PartialEq)]
pub struct Failure {
    /// Reason for the failure.
    pub cause: Cause,
    /// The recording up to the failure; without rows if assembly failed.
    pub recording: Box<Recording>,
    /// Last state of assembly, of the integrator or of the analysis.
    stop: Box<Stop>,
}

/// t, q, v and z where a run stopped, and further details.
#[derive(Clone, Debug, Default, PartialEq)]
struct Stop {
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    z: Vec<f64>,
    details: Vec<String>,
}

impl Failure {
    /// The failure of a run that stopped at a state.
    pub(crate) fn at_state<M: Mechanism>(cause: Cause, recording: Box<Recording>, state: &State<M>) -> Self {
        let [q, v, z] = [state.q.as_ref(), state.v.as_ref(), state.z.as_ref()].map(<[f64]>::to_vec);
        Failure { cause, recording, stop: Box::new(Stop { t: state.t, q, v, z, details: Vec::new() }) }
    }

    pub(super) fn with_details(mut self, details: Vec<String>) -> Self {
        self.stop.details = details;
        self
    }

    /// Further details of the failure, one sentence each: values that are not finite and their operands; the variable whose error
    /// keeps steps short; and, with the feature `nalgebra`, findings of [`diagnose`](mbs_diagnosis::diagnose) about the pose, such as a
    /// singular pose near it. They follow the message, one per line.
    pub fn details(&self) -> &[String] {
        &self.stop.details
    }

    /// The state of the mechanism where the run stopped: the last iterate of an assembly, the end of the last step of an integration, or the
    /// last pose of a prescribed motion. `mechanism` is the mechanism of the run.
    pub fn state<M: Mechanism>(&self, mechanism: &M) -> State<M> {
        let mut state = State::new(mechanism);
        let Stop { t, q, v, z, .. } = &*self.stop;
        state.t = *t;
        for (to, from) in [(state.q.as_mut(), q), (state.v.as_mut(), v), (state.z.as_mut(), z)] {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        }
        state
    }

    /// Diagnosis of the mechanism where the run stopped, in sentences: see [`diagnose`](mbs_diagnosis::diagnose).
    ///
    /// ```
    /// # use mbs::{FullMechanism, Simulation};
    /// # fn run(mechanism: &impl FullMechanism) {
    /// if let Err(failure) = Simulation::new(mechanism).run() {
    ///     eprintln!("{failure}\n{}", failure.diagnosis(mechanism));
    /// }
    /// # }
    /// ```
    #[cfg(feature = "nalgebra")]
    pub fn diagnosis<M: Describe>(&self, mechanism: &M) -> mbs_diagnosis::Diagnosis {
        mbs_diagnosis::diagnose(mechanism, &self.state(mechanism))
    }

    /// Name of the event that failed, if one did.
    pub fn event(&self) -> Option<&str> {
        let Cause::Run(Error::Zeno { event, .. } | Error::Period { event, .. } | Error::Handler { event, .. }) =
            &self.cause
        else {
            return None;
        };
        self.recording.events().names().get(*event).map(String::as_str)
    }

    /// Name of the constraint row, speed or condition that the cause refers to, if it refers to one.
    pub fn item(&self) -> Option<&str> {
        let (Cause::Run(error) | Cause::Stuck(Obstacle { error, .. })) = &self.cause else { return None };
        let (speeds, rows, conditions) = self.recording.fault_names();
        let named = match error {
            Error::Singular { row, .. } => speeds.iter().chain(rows).nth(*row),
            Error::Handler { fault: Fault::Singular { row }, .. } => speeds.iter().chain(rows).nth(*row),
            Error::NotAssembled { row, .. } | Error::Handler { fault: Fault::NotAssembled { row, .. }, .. } => {
                rows.iter().chain(conditions).nth(*row)
            }
            Error::Branch { row, .. } | Error::Unresolved { row, .. } => rows.get(*row),
            Error::Jump { speed, .. } => speeds.get(*speed),
            _ => None,
        };
        named.map(String::as_str)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_message(f)?;
        self.fmt_details(f)
    }
}

impl Failure {
    fn fmt_details(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stop.details.iter().try_for_each(|detail| write!(f, "\n  {detail}"))
    }

    fn fmt_message(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.cause, self.item()) {
            (Cause::Run(Error::Singular { t, .. }), Some(item)) => {
                write!(f, "singular at t = {}: the pivot of `{item}` vanishes", FewDigits(*t))
            }
            (Cause::Run(Error::NotAssembled { residual, iterations, t, .. }), Some(item)) => {
                let t = FewDigits(*t);
                write!(f, "not assembled at t = {t}: `{item}` misses by {residual:.3e} after {iterations} iterations")
            }
            (Cause::Run(Error::Branch { t, .. }), Some(item)) => write!(
                f,
                "the branch may be lost at a singular pose before t = {}, where `{item}` depends on other rows: give a smaller step or another \
                 tolerance, or lengths by which branches do not meet",
                FewDigits(*t)
            ),
            (Cause::Run(Error::Unresolved { t, .. }), Some(item)) => write!(
                f,
                "coordinates are too large at t = {}: rounding alone moves `{item}` by a millionth of its lengths; start from angles less whole \
                 turns, or from an origin nearby",
                FewDigits(*t)
            ),
            (Cause::Run(error), item) => match self.event() {
                Some(event) => fmt_event_error(f, error, event, item),
                None => write!(f, "{error}"),
            },
            (Cause::Stuck(obstacle), item) => fmt_obstacle(f, obstacle, item),
            (Cause::Freedoms { left }, _) if *left > 0 => {
                let freedoms = if *left == 1 { "1 freedom is".to_owned() } else { format!("{left} freedoms are") };
                write!(f, "{freedoms} left: inverse dynamics needs a prescribed motion, add a drive for each")
            }
            (Cause::Freedoms { left }, _) => {
                write!(f, "{} rows too many: the motion is prescribed more than once, remove as many drives", -left)
            }
            (Cause::Unknown(unknown), _) => write!(f, "{unknown} in a load"),
            (Cause::Times { index }, _) => {
                write!(f, "times[{index}] is not finite or lies before the time in front of it")
            }
            (Cause::Setting { name, value }, _) => {
                let domain = match *name {
                    "rtol" | "atol" if *value > 0.0 && *value < f64::EPSILON => {
                        "2.2e-16 or more, the rounding of numbers near 1"
                    }
                    "duration" | "rtol" => "finite and not negative",
                    "spectral_radius" => "between 0 and 1",
                    _ => "positive and finite",
                };
                let value = if value.abs() < 1e-5 && *value != 0.0 { format!("{value:e}") } else { value.to_string() };
                write!(f, "`{name}` is {value}, it has to be {domain}")
            }
            (Cause::Memory { rows, columns }, _) => write!(
                f,
                "{} rows of {columns} numbers are more than a recording holds, {MOST_NUMBERS:e} numbers: give a longer `every`, or a \
                 shorter `duration`",
                Count(*rows)
            ),
            (Cause::Resolution { t, interval: 0.0 }, _) => write!(
                f,
                "the grid starts and ends at t = {t:e}: rows would be equal, give times that differ there, or one row"
            ),
            (Cause::Resolution { t, interval }, _) => write!(
                f,
                "times near t = {t:e} are {:.1e} s apart, too coarse for an interval of {interval} s: start nearer to t = 0, or record \
                 less often",
                f64::EPSILON * t.abs()
            ),
            (Cause::Steps { step, needed, most }, _) => write!(
                f,
                "a step of {step:e} s takes {} steps, more than `max_steps`, {most}: give a longer `step`, or raise `max_steps`",
                Count(*needed)
            ),
            (Cause::Derivative { function, wrong }, _) => {
                write!(f, "function `{function}`: {wrong}; `check_derivatives` looks at it alone")
            }
            (Cause::Interrupted { t }, _) => write!(f, "interrupted at t = {}", FewDigits(*t)),
        }
    }
}

/// A count, written in full up to a million, then with three digits.
struct Count(f64);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 <= 1e6 { write!(f, "{}", self.0) } else { write!(f, "{:.2e}", self.0) }
    }
}

/// Writes the message of an error at an event.
fn fmt_event_error(f: &mut fmt::Formatter<'_>, error: &Error, event: &str, item: Option<&str>) -> fmt::Result {
    match (error, item) {
        (Error::Zeno { t, .. }, _) => write!(
            f,
            "event `{event}` happens again and again at t = {}, time hardly goes on: end the run before, or let what has come to \
             rest be held",
            FewDigits(*t)
        ),
        (Error::Period { period, t, .. }, _) => {
            write!(
                f,
                "the period of event `{event}` is {} s at t = {}, it has to be positive, finite and long enough for time to advance",
                FewDigits(*period),
                FewDigits(*t)
            )
        }
        (Error::Handler { fault: Fault::Singular { .. }, t, .. }, Some(item)) => {
            write!(f, "the handler of event `{event}` fails at t = {}: the pivot of `{item}` vanishes", FewDigits(*t))
        }
        (Error::Handler { fault: Fault::NotAssembled { residual, .. }, t, .. }, Some(item)) => {
            let t = FewDigits(*t);
            write!(f, "the handler of event `{event}` fails at t = {t}: `{item}` misses by {residual:.3e}")
        }
        (Error::Handler { fault, t, .. }, _) => {
            write!(f, "the handler of event `{event}` fails at t = {}: {fault}", FewDigits(*t))
        }
        _ => write!(f, "{error}"),
    }
}

/// Writes the message of a prescribed motion that cannot continue, with a remedy.
fn fmt_obstacle(
    f: &mut fmt::Formatter<'_>,
    Obstacle { from, to, error }: &Obstacle,
    item: Option<&str>,
) -> fmt::Result {
    let item = item.unwrap_or("a row");
    let [from, to] = [from, to].map(|t| FewDigits(*t));
    match error {
        Error::NotAssembled { residual, .. } => write!(
            f,
            "the mechanism locks between t = {from} and t = {to}: no pose continues the motion, `{item}` misses by {residual:.3e}; \
             end the motion before, or change the lengths or the drive"
        ),
        Error::Singular { .. } => write!(
            f,
            "the mechanism is at a dead point between t = {from} and t = {to}: the drives no longer decide `{item}`; \
             end the motion before, drive another joint, or keep the links out of line"
        ),
        Error::Jump { .. } => write!(
            f,
            "the motion breaks off between t = {from} and t = {to}: `{item}` would have to jump, at a dead point or because a \
             drive jumps; end the motion before, or drive without a jump"
        ),
        Error::TooManySteps { t, .. } => write!(
            f,
            "the motion from t = {from} to t = {to} changes too fast to be followed, given up at t = {}; ask for more times between",
            FewDigits(*t)
        ),
        error => write!(f, "the motion cannot be followed from t = {from} to t = {to}: {error}"),
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_message(f)?;
        write!(f, " ({} rows recorded)", self.recording.len())?;
        self.fmt_details(f)
    }
}

impl std::error::Error for Failure {}
