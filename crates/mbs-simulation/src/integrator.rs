//! Choice of the integrator, and how each reaches recorded times.

use super::Cause;
use super::limits::Limits;
use super::solver::Solver;
use mbs_core::{
    DormandPrince, Eventful, Events, ExplicitEuler, Inputs, Mechanism, Momenta, Rk2, Rk3, Rk4, SemiImplicitEuler,
    Stabilization, State, Statistics, Stepper, Zhong06,
};

/// An integrator by name; each is documented at the type of the same name. Steps in \[s\].
///
/// Methods of fixed step divide the time between two recorded ones into equal steps of at most `step`. Dormand–Prince
/// chooses its steps regardless of recorded times and takes those from its dense output, projected like steps. `ImplicitMidpoint`, `Gauss4`,
/// `Gauss6` and `GeneralizedAlpha` solve their steps without derivatives, since not every mechanism has them: fixed points with secants, which a
/// few stiff directions do not disturb. After [`Simulation::newton`](super::Simulation::newton), for mechanisms that have them, they take
/// derivatives, however much is stiff. `Zhong06` takes those of `kernels: [momenta]` wherever they are.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)] // the fields are what the text above says
pub enum Integrator {
    /// Order 5 with step control and dense output: the default, with rtol = 1e-9 and atol = 1e-11. Together they are 2.2e-16 or more.
    DormandPrince { rtol: f64, atol: f64 },
    /// Order 4, four evaluations a step.
    Rk4 { step: f64 },
    /// Order 3, three evaluations a step.
    Rk3 { step: f64 },
    /// Order 2 (explicit midpoint), two evaluations a step.
    Rk2 { step: f64 },
    /// Order 2, symmetric; solves each step, on the manifold of attitudes.
    ImplicitMidpoint { step: f64 },
    /// Order 4, symmetric; solves two stages together.
    Gauss4 { step: f64 },
    /// Order 6, symmetric; solves three stages together.
    Gauss6 { step: f64 },
    /// Order 2, damps what is fast: `spectral_radius` in [0, 1] is what is left of an infinitely fast oscillation after a step.
    GeneralizedAlpha { step: f64, spectral_radius: f64 },
    /// Order 2, symmetric and symplectic, of momenta: energy does not drift, with rows either. Speeds have to be rates: no attitudes.
    Zhong06 { step: f64 },
    /// Order 1, symplectic for separable systems.
    SemiImplicitEuler { step: f64 },
    /// Order 1.
    ExplicitEuler { step: f64 },
}

impl Default for Integrator {
    fn default() -> Self {
        Integrator::DormandPrince { rtol: 1e-9, atol: 1e-11 }
    }
}

impl Integrator {
    /// Whether steps and tolerances are in their domains.
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

    /// The longest step that is asked for, if one is.
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

    /// How constraints are kept unless another way is chosen.
    fn stabilization(self) -> Stabilization {
        match self {
            Integrator::Gauss4 { .. } | Integrator::Gauss6 { .. } => Stabilization::SymmetricProjection,
            _ => Stabilization::default(),
        }
    }
}

/// Brings a state to one recorded time after the other, from event to event.
pub(super) trait Sampler<M: Mechanism> {
    /// Moves `state`, the last one sampled, by a step towards time `t`, not before its own, or to an event on the way, within limits.
    fn sample(
        &mut self,
        of: (&M, &mut Events<M>),
        state: &mut State<M>,
        t: f64,
        by: (&mut Inputs, &mut Limits),
    ) -> Result<Option<usize>, Cause>;

    fn statistics(&self) -> Statistics;
}

/// Calls `then` with the sampler of a choice, which may bound steps. Implicit steps are solved as N does.
pub(super) fn with_sampler<N: Solver<M>, M: Eventful + Momenta, R>(
    (integrator, max_step, stabilization): (Integrator, Option<f64>, Option<Stabilization>),
    m: &M,
    then: impl FnOnce(&mut dyn Sampler<M>) -> R,
) -> R {
    let bounded = |step: f64| max_step.map_or(step, |longest| step.min(longest));
    let stabilization = stabilization.unwrap_or(integrator.stabilization());
    match integrator {
        Integrator::DormandPrince { rtol, atol } => stepping(
            || {
                let mut stepper = DormandPrince::new(m).with_tolerances(rtol, atol).with_stabilization(stabilization);
                stepper.max_step = max_step;
                stepper
            },
            then,
        ),
        Integrator::Rk4 { step } => stepping(|| Rk4::new(m, bounded(step)).with_stabilization(stabilization), then),
        Integrator::Rk3 { step } => stepping(|| Rk3::new(m, bounded(step)).with_stabilization(stabilization), then),
        Integrator::Rk2 { step } => stepping(|| Rk2::new(m, bounded(step)).with_stabilization(stabilization), then),
        Integrator::ImplicitMidpoint { step } => stepping(|| N::midpoint(m, bounded(step), stabilization), then),
        Integrator::Gauss4 { step } => stepping(|| N::gauss4(m, bounded(step), stabilization), then),
        Integrator::Gauss6 { step } => stepping(|| N::gauss6(m, bounded(step), stabilization), then),
        Integrator::GeneralizedAlpha { step, spectral_radius } => {
            stepping(|| N::alpha(m, (bounded(step), spectral_radius), stabilization), then)
        }
        Integrator::Zhong06 { step } => {
            stepping(|| Zhong06::new(m, bounded(step)).with_stabilization(stabilization), then)
        }
        Integrator::SemiImplicitEuler { step } => {
            stepping(|| SemiImplicitEuler::new(m, bounded(step)).with_stabilization(stabilization), then)
        }
        Integrator::ExplicitEuler { step } => {
            stepping(|| ExplicitEuler::new(m, bounded(step)).with_stabilization(stabilization), then)
        }
    }
}

/// Calls `then` with a stepper, which stands in a frame of its own: a function with one of every method would fill the stack of a thread.
fn stepping<M: Eventful, S: Stepper<M>, R>(make: impl FnOnce() -> S, then: impl FnOnce(&mut dyn Sampler<M>) -> R) -> R {
    then(&mut Stepping(make()))
}

/// Steps of a method. Those of fixed length end at every recorded time; recorded times of a method with dense output lie between the
/// beginning and the end of its last step.
struct Stepping<S>(S);

impl<M: Eventful, S: Stepper<M>> Sampler<M> for Stepping<S> {
    fn sample(
        &mut self,
        (mechanism, events): (&M, &mut Events<M>),
        state: &mut State<M>,
        t: f64,
        (inputs, limits): (&mut Inputs, &mut Limits),
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
