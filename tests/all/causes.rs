//! Causes that runs report, with every integrator, for values that are not finite and for tolerances that no step meets.

use crate::support::{double_pendulum, four_bar};
use mbs::simulation::Cause;
use mbs::{Error, FullMechanism, Integrator, Mechanism, Simulation, Stabilization, State};

const STEP: f64 = 1e-3;

const INTEGRATORS: [Integrator; 11] = [
    Integrator::DormandPrince { rtol: 1e-9, atol: 1e-11 },
    Integrator::Rk4 { step: STEP },
    Integrator::Rk3 { step: STEP },
    Integrator::Rk2 { step: STEP },
    Integrator::ImplicitMidpoint { step: STEP },
    Integrator::Gauss4 { step: STEP },
    Integrator::Gauss6 { step: STEP },
    Integrator::GeneralizedAlpha { step: STEP, spectral_radius: 0.8 },
    Integrator::Zhong06 { step: STEP },
    Integrator::SemiImplicitEuler { step: STEP },
    Integrator::ExplicitEuler { step: STEP },
];

/// Runs with every integrator; each ends with `NotFinite` not before `from` and not much after it.
fn check_not_finite<M: FullMechanism>(
    label: &str,
    mechanism: &M,
    from: f64,
    change: impl Fn(Simulation<M>) -> Simulation<M>,
) {
    for integrator in INTEGRATORS {
        let run = Simulation::new(mechanism).integrator(integrator).duration(0.1).every(0.01);
        let failure = change(run).run().err().unwrap_or_else(|| panic!("{label}, {integrator:?}: it runs"));
        let Cause::Run(Error::NotFinite { t, .. }) = failure.cause else {
            panic!("{label}, {integrator:?}: {failure}")
        };
        assert!(t >= from - 2.0 * STEP && t <= from + 2.0 * STEP, "{label}, {integrator:?}: {failure}");
    }
}

/// Checks a mechanism with constraint rows and one without.
fn check_both(label: &str, from: f64, load: fn(f64) -> f64) {
    check_not_finite(label, &double_pendulum(), from, |run| {
        run.load(move |at, loads| loads.generalized(0, load(at.t)))
    });
    check_not_finite(label, &four_bar(), from, |run| run.load(move |at, loads| loads.generalized(2, load(at.t))));
}

#[test]
fn a_load_that_is_no_number_is_not_finite() {
    check_both("NaN from the start", 0.0, |_| f64::NAN);
    check_both("infinite from the start", 0.0, |_| f64::INFINITY);
    check_both("NaN later", 0.01, |t| if t > 0.01 { f64::NAN } else { 0.0 });
    check_both("infinite later", 0.01, |t| if t > 0.01 { f64::NEG_INFINITY } else { 0.0 });
}

#[test]
fn an_input_that_is_no_number_is_not_finite() {
    let input =
        |from: f64, value: f64| move |at: mbs::StateView, u: &mut [f64]| u.fill(if at.t >= from { value } else { 0.0 });
    for value in [f64::NAN, f64::INFINITY] {
        check_not_finite("an input", &four_bar(), 0.0, |run| run.inputs(input(0.0, value)));
        check_not_finite("an input later", &four_bar(), 0.01, |run| run.inputs(input(0.01, value)));
    }
}

/// A state in which the element `index` of q and v together is replaced by `value`.
fn broken<M: Mechanism>(mechanism: &M, index: usize, value: f64) -> State<M> {
    let mut state = State::new(mechanism);
    mbs::assemble(mechanism, &mut state).unwrap();
    let mut all = state.q.as_mut().iter_mut().chain(state.v.as_mut());
    *all.nth(index).unwrap() = value;
    state
}

fn check_starts<M: FullMechanism>(mechanism: &M) {
    let sizes = mechanism.sizes();
    for value in [f64::NAN, f64::INFINITY] {
        for index in (0..sizes.n_q + sizes.n_v).step_by(4) {
            let start = || broken(mechanism, index, value);
            let label = format!("{value} in index {index}");
            check_not_finite(&label, mechanism, 0.0, |run| run.initial(start()));
            check_not_finite(&label, mechanism, 0.0, |run| run.initial(start()).as_given());
            check_not_finite(&label, mechanism, 0.0, |run| {
                run.initial(start()).as_given().stabilization(Stabilization::None)
            });
        }
    }
}

#[test]
fn an_initial_state_that_is_no_number_is_not_finite() {
    check_starts(&double_pendulum());
    check_starts(&four_bar());
}

#[test]
fn a_time_that_is_no_number_is_refused() {
    let mechanism = double_pendulum();
    let mut state = State::new(&mechanism);
    state.t = f64::NAN;
    let failure = Simulation::new(&mechanism).initial(state).run().unwrap_err();
    assert!(matches!(failure.cause, Cause::Times { .. } | Cause::Run(Error::NotFinite { .. })), "{failure}");
}

#[test]
fn tolerances_below_rounding_are_refused() {
    let mechanism = double_pendulum();
    let run = |rtol, atol| Simulation::new(&mechanism).integrator(Integrator::DormandPrince { rtol, atol }).run();
    for (rtol, atol, name) in [(1e-300, 1e-302, "rtol"), (0.0, 1e-300, "atol"), (1e-17, 1e-19, "rtol")] {
        let failure = run(rtol, atol).unwrap_err();
        assert!(matches!(failure.cause, Cause::Setting { name: found, .. } if found == name), "{failure}");
    }
    assert_eq!(
        run(1e-300, 1e-302).unwrap_err().to_string(),
        "`rtol` is 1e-300, it has to be 2.2e-16 or more, the rounding of numbers near 1"
    );
    assert!(run(0.0, 1e-9).is_ok() && run(1e-9, 1e-300).is_ok());
}

/// An error estimate that overflows in units of the tolerances is large, not infinite.
#[test]
fn a_stepper_with_tiny_tolerances_finds_no_step() {
    use mbs::{DormandPrince, Stepper, zero_inputs};
    let mechanism = double_pendulum();
    let mut state = State::new(&mechanism);
    state.v.as_mut()[0] = 1.0;
    state.t = 1.0;
    let outcome = DormandPrince::new(&mechanism).with_tolerances(0.0, 1e-300).advance_to(
        &mechanism,
        &mut state,
        2.0,
        &mut zero_inputs,
    );
    assert!(matches!(outcome, Err(Error::StepTooSmall { .. })), "{outcome:?}");
}
