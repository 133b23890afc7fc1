//! Choice of the integrator, and its steps to recorded times.

use super::Cause;
use super::limits::Limits;
use super::solver::Solver;
use mbs_core::integrators::{ATOL, RTOL};
use mbs_core::{
    DormandPrince, Eventful, Events, ExplicitEuler, Inputs, Mechanism, Momenta, Rk2, Rk3, Rk4, SemiImplicitEuler,
    Stabilization, State, Statistics, Stepper, Zhong06,
};

/// An integrator by name; each is documented at the type of the same name. Steps in \[s\].
///
/// Methods of fixed step divide the time between two recorded times into equal steps of at most `step`. Dormand–Prince
/// chooses its steps independently of recorded times. States at these come from its dense output, and are projected like steps.
/// `ImplicitMidpoint`, `Gauss4`, `Gauss6` and `GeneralizedAlpha` solve their steps without derivatives, since not every mechanism has them: by
/// fixed-point iteration with secants, which converges with a few stiff directions. [`Simulation::newton`](super::Simulation::newton) chooses
/// Newton's method with derivatives, for any stiffness. `Zhong06` uses the derivatives of `kernels: [momenta]` where the mechanism has them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)] // the text above documents the fields
pub enum Integrator {
    /// Order 5 with step control and dense output: the default, with rtol = 1e-9 and atol = 1e-11. rtol + atol has to be 2.2e-16 or more.
    DormandPrince { rtol: f64, atol: f64 },
    /// Order 4, four evaluations a step.
    Rk4 { step: f64 },
    /// Order 3, three evaluations a step.
    Rk3 { step: f64 },
    /// Order 2 (explicit midpoint), two evaluations a step.
    Rk2 { step: f64 },
    /// Order 2, symmetric, implicit, on the manifold of attitudes.
    ImplicitMidpoint { step: f64 },
    /// Order 4, symmetric, implicit with two stages.
    Gauss4 { step: f64 },
    /// Order 6, symmetric, implicit with three stages.
    Gauss6 { step: f64 },
    /// Order 2, damps fast oscillations: `spectral_radius` in [0, 1] is the factor of the amplitude of an infinitely fast one in a step.
    GeneralizedAlpha { step: f64, spectral_radius: f64 },
    /// Order 2, symmetric and symplectic, in momenta: energy does not drift, also with rows. Speeds have to be rates of coordinates: no attitudes.
    Zhong06 { step: f64 },
    /// Order 1, symplectic for separable systems.
    SemiImplicitEuler { step: f64 },
    /// Order 1.
    ExplicitEuler { step: f64 },
}

impl Default for Integrator {
    fn default() -> Self {
        Integrator::DormandPrince { rtol: RTOL, atol: ATOL }
    }
}

impl Integrator {
    /// Checks that steps and tolerances are in their domains.
    pub(super) fn check(self, max_step: Option<f64>) -> Result<(), Cause> {
        let is_positive = |x: f64| x > 0.0 && x.is_finite();
        let setting = |name, value, is_right: bool| if is_right { Ok(()) } else { Err(Cause::Setting { name, value }) };
        if let Some(longest) = max_step {
            setting("max_step", longest, is_positive(longest))?;
        }
        match self {
            Integrator::DormandPrince { rtol, atol } => {
                setting("rtol", rtol, rtol >= 0.0 && rtol.is_finite())?;
                setting("atol", atol, is_positive(atol))?;
                // For states near 1 neither exceeds a rounding.
                let (name, value) = if rtol > 0.0 { ("rtol", rtol) } else { ("atol", atol) };
                setting(name, value, rtol + atol >= f64::EPSILON)
            }
            Integrator::Rk4 { step }
            | Integrator::Rk3 { step }
            | Integrator::Rk2 { step }
            | Integrator::ImplicitMidpoint { step }
            | Integrator::Gauss4 { step }
            | Integrator::Gauss6 { step }
            | Integrator::Zhong06 { step }
            | Integrator::SemiImplicitEuler { step }
            | Integrator::ExplicitEuler { step } => setting("step", step, is_positive(step)),
            Integrator::GeneralizedAlpha { step, spectral_radius } => {
                setting("step", step, is_positive(step))?;
                setting("spectral_radius", spectral_radius, (0.0..=1.0).contains(&spectral_radius))
            }
        }
    }

    /// The longest step that the settings allow, if they limit it.
    pub(super) fn longest_step(self, max_step: Option<f64>) -> Option<f64> {
        let step = match self {
            Integrator::DormandPrince { .. } => return max_step,
            Integrator::Rk4 { step }
            | Integrator::Rk3 { step }
            | Integrator::Rk2 { step }
            | Integrator::ImplicitMidpoint { step }
            | Integrator::Gauss4 { step }
            | Integrator::Gauss6 { step }
            | Integrator::GeneralizedAlpha { step, .. }
            | Integrator::Zhong06 { step }
            | Integrator::SemiImplicitEuler { step }
            | Integrator::ExplicitEuler { step } => step,
        };
        Some(max_step.map_or(step, |longest| step.min(longest)))
    }

    /// The default stabilisation of constraints.
    fn stabilization(self) -> Stabilization {
        match self {
            Integrator::Gauss4 { .. } | Integrator::Gauss6 { .. } => Stabilization::SymmetricProjection,
            _ => Stabilization::default(),
        }
    }
}

/// Advances a state from one recorded time to the next, and from event to event.
pub(super) trait Sampler<M: Mechanism> {
    /// Advances `state`, the last one sampled, by a step towards a time `t` not before its time, or to an event before, within limits. Returns the
    /// event, if there is one.
    fn sample(
        &mut self,
        mechanism: &M,
        events: &mut Events<M>,
        state: &mut State<M>,
        t: f64,
        inputs: &mut Inputs,
        limits: &mut Limits,
    ) -> Result<Option<usize>, Cause>;

    fn statistics(&self) -> Statistics;
}

/// Calls `then` with the sampler of a choice of integrator, longest step and stabilisation. N solves implicit steps.
pub(super) fn with_sampler<N: Solver<M>, M: Eventful + Momenta, R>(
    integrator: Integrator,
    max_step: Option<f64>,
    stabilization: Option<Stabilization>,
    m: &M,
    then: impl FnOnce(&mut dyn Sampler<M>) -> R,
) -> R {
    let bounded = |step: f64| max_step.map_or(step, |longest| step.min(longest));
    let stabilization = stabilization.unwrap_or(integrator.stabilization());
    match integrator {
        Integrator::DormandPrince { rtol, atol } => call_with_stepper(
            || {
                let mut stepper = DormandPrince::new(m).with_tolerances(rtol, atol).with_stabilization(stabilization);
                stepper.max_step = max_step;
                stepper
            },
            then,
        ),
        Integrator::Rk4 { step } => {
            call_with_stepper(|| Rk4::new(m, bounded(step)).with_stabilization(stabilization), then)
        }
        Integrator::Rk3 { step } => {
            call_with_stepper(|| Rk3::new(m, bounded(step)).with_stabilization(stabilization), then)
        }
        Integrator::Rk2 { step } => {
            call_with_stepper(|| Rk2::new(m, bounded(step)).with_stabilization(stabilization), then)
        }
        Integrator::ImplicitMidpoint { step } => {
            call_with_stepper(|| N::midpoint(m, bounded(step), stabilization), then)
        }
        Integrator::Gauss4 { step } => call_with_stepper(|| N::gauss4(m, bounded(step), stabilization), then),
        Integrator::Gauss6 { step } => call_with_stepper(|| N::gauss6(m, bounded(step), stabilization), then),
        Integrator::GeneralizedAlpha { step, spectral_radius } => {
            call_with_stepper(|| N::alpha(m, (bounded(step), spectral_radius), stabilization), then)
        }
        Integrator::Zhong06 { step } => {
            call_with_stepper(|| Zhong06::new(m, bounded(step)).with_stabilization(stabilization), then)
        }
        Integrator::SemiImplicitEuler { step } => {
            call_with_stepper(|| SemiImplicitEuler::new(m, bounded(step)).with_stabilization(stabilization), then)
        }
        Integrator::ExplicitEuler { step } => {
            call_with_stepper(|| ExplicitEuler::new(m, bounded(step)).with_stabilization(stabilization), then)
        }
    }
}

/// Calls `then` with a stepper, in a stack frame that contains this stepper alone: a function with steppers of all methods would fill the stack of
/// a thread.
fn call_with_stepper<M: Eventful, S: Stepper<M>, R>(
    make: impl FnOnce() -> S,
    then: impl FnOnce(&mut dyn Sampler<M>) -> R,
) -> R {
    then(&mut Stepping(make()))
}

/// The sampler of a stepper. Steps of fixed length end at every recorded time; recorded times of a method with dense output are between the
/// beginning and the end of its last step.
struct Stepping<S>(S);

impl<M: Eventful, S: Stepper<M>> Sampler<M> for Stepping<S> {
    fn sample(
        &mut self,
        mechanism: &M,
        events: &mut Events<M>,
        state: &mut State<M>,
        t: f64,
        inputs: &mut Inputs,
        limits: &mut Limits,
    ) -> Result<Option<usize>, Cause> {
        limits.check_interrupt(state.t)?;
        let event = events.step_towards(mechanism, &mut self.0, state, t, inputs).map_err(Cause::Run)?;
        limits.check_budget(self.0.statistics(), state.t, &|| self.0.limited_by())?;
        Ok(event)
    }

    fn statistics(&self) -> Statistics {
        self.0.statistics()
    }
}
