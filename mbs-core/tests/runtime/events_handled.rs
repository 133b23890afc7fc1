//! Effects of handlers: impulses that act through joints, rows that are switched on, imposed positions, and contradictory conditions.

use mbs_core::*;

use crate::models::links::{LENGTHS, Links, MASSES, STOP, Strike};
use crate::models::particle::{Particle, Spec};
use crate::models::violations;

/// The state at the first event, and that after it, with the impulses p and μ.
struct Struck {
    before: State<Links>,
    after: State<Links>,
    impulses: Vec<f64>,
    rows: [f64; 3],
}

fn strike(strike: Strike) -> (Links, Struck) {
    let links = Links { angles: [0.9, 0.4], rates: [0.3, -0.5], strike };
    let (mut state, mut events) = (State::new(&links), Events::new(&links));
    let mut stepper = DormandPrince::new(&links).with_tolerances(1e-11, 1e-12);
    loop {
        let event = events.step_towards(&links, &mut stepper, &mut state, 5.0, &mut zero_inputs).unwrap();
        let before = state.clone();
        if let Some(event) = event {
            events.handle(&links, &mut state, event, &mut zero_inputs).unwrap();
            let rows = events.row_impulses().try_into().unwrap();
            return (links, Struck { before, after: state, impulses: events.impulses().to_vec(), rows });
        }
        assert!(state.t < 5.0, "it never strikes");
    }
}

/// Impact equations in the angles of the rods, with x₂ = l₁ sin θ₁ + l₂ sin θ₂: M Δθ̇ = Jᵀ p, J θ̇⁺ = −e J θ̇⁻. Returns p and θ̇⁺.
fn closed_form(angles: [f64; 2], rates: [f64; 2], e: f64) -> (f64, [f64; 2]) {
    let (l, m) = (LENGTHS, MASSES);
    let j = [l[0] * angles[0].cos(), l[1] * angles[1].cos()];
    let coupling = m[1] * l[0] * l[1] * (angles[0] - angles[1]).cos();
    let mass = [[(m[0] + m[1]) * l[0] * l[0], coupling], [coupling, m[1] * l[1] * l[1]]];
    let determinant = mass[0][0] * mass[1][1] - coupling * coupling;
    let inverse =
        [[mass[1][1] / determinant, -coupling / determinant], [-coupling / determinant, mass[0][0] / determinant]];
    let answer = inverse.map(|row| row[0] * j[0] + row[1] * j[1]);
    let approach = j[0] * rates[0] + j[1] * rates[1];
    let p = -(1.0 + e) * approach / (j[0] * answer[0] + j[1] * answer[1]);
    (p, [rates[0] + answer[0] * p, rates[1] + answer[1] * p])
}

/// Angles and rates of the rods.
fn rods(state: &State<Links>) -> ([f64; 2], [f64; 2]) {
    let (q, v) = (state.q, state.v);
    let (x, y, u, w) = (q[2] - q[0], q[3] - q[1], v[2] - v[0], v[3] - v[1]);
    let rate = |x: f64, y: f64, u: f64, w: f64| (x * w - y * u) / (x * x + y * y);
    ([q[0].atan2(-q[1]), x.atan2(-y)], [rate(q[0], q[1], v[0], v[1]), rate(x, y, u, w)])
}

#[test]
fn an_impulse_acts_through_joints() {
    for e in [0.0, 0.6, 1.0] {
        let (links, Struck { before, after, impulses, rows }) = strike(Strike::Bounce { restitution: e, more: 0.0 });
        assert!((before.q[2] - STOP).abs() < 1e-12 && before.v[2] < -0.1);
        let (angles, rates) = rods(&before);
        let (p, rates) = closed_form(angles, rates, e);
        let (_, wanted) = Links::cartesian(angles, rates);
        // A few dozen operations on numbers up to 5.
        for (v, wanted) in after.v.iter().zip(wanted) {
            assert!((v - wanted).abs() < 1e-12, "e = {e}: {:?} for {wanted:?}", after.v);
        }
        // The second condition is equal to the first: its impulse is zero.
        assert!((impulses[0] - p).abs() < 1e-12 && impulses[1] == 0.0, "{impulses:?} for {p}");
        // Rows: m₂ Δv₂ + μ₂ (p₂ − p₁) = p e_x, and m₁ Δv₁ + μ₁ p₁ − μ₂ (p₂ − p₁) = 0.
        let change: [f64; 4] = core::array::from_fn(|i| MASSES[i / 2] * (after.v[i] - before.v[i]));
        let q = before.q;
        let rod = [q[2] - q[0], q[3] - q[1]];
        let push = [p, 0.0];
        for k in 0..2 {
            assert!((change[2 + k] + rows[1] * rod[k] - push[k]).abs() < 1e-12);
            assert!((change[k] + rows[0] * q[k] - rows[1] * rod[k]).abs() < 1e-12);
        }
        // p (v⁺ + v⁻)/2 is the energy lost: −½ (1 − e²) v⁻²/(J M⁻¹ Jᵀ).
        let energy = |state: &State<Links>| links.energy(state.view(&[])).kinetic;
        let lost = energy(&before) - energy(&after);
        assert!((lost + 0.5 * p * (after.v[2] + before.v[2])).abs() < 1e-12);
        assert!(if e < 1.0 { lost > 0.01 } else { lost.abs() < 1e-12 }, "{lost}");
        assert_eq!(before.q, after.q, "positions stay where they are");
        let (phi, psi) = violations(&links, &after);
        assert!(phi < 1e-14 && psi < 1e-14, "{phi:.1e} {psi:.1e}");
    }
}

#[test]
fn a_row_that_is_switched_on_takes_the_impulse_of_a_plastic_impact() {
    let (links, Struck { before, after, impulses, rows }) = strike(Strike::Stick);
    let (angles, rates) = rods(&before);
    let (p, rates) = closed_form(angles, rates, 0.0);
    let (_, wanted) = Links::cartesian(angles, rates);
    assert!(after.v.iter().zip(wanted).all(|(v, wanted)| (v - wanted).abs() < 1e-11), "{:?} {wanted:?}", after.v);
    // The row is on the left side.
    assert!(impulses.is_empty() && (rows[2] + p).abs() < 1e-11, "{rows:?} for {p}");
    let (phi, psi) = violations(&links, &after);
    assert!(phi < 1e-14 && psi < 1e-14, "{phi:.1e} {psi:.1e}");
}

#[test]
fn the_particle_remains_at_the_stop_without_further_events() {
    let links = Links { angles: [0.9, 0.4], rates: [0.3, -0.5], strike: Strike::Stick };
    let (mut state, mut events) = (State::new(&links), Events::new(&links));
    let mut stepper = DormandPrince::new(&links);
    let mut count = 0;
    let then = &mut |_: usize, _: &State<Links>| count += 1;
    events.advance_to(&links, &mut stepper, &mut state, 5.0, &mut zero_inputs, then).unwrap();
    assert!(count == 1 && (state.q[2] - STOP).abs() < 1e-14, "{count} {:?}", state.q);
}

#[test]
fn a_contradictory_condition_is_an_error_that_names_the_event() {
    let links =
        Links { angles: [0.9, 0.4], rates: [0.3, -0.5], strike: Strike::Bounce { restitution: 0.5, more: 0.1 } };
    let (mut state, mut events) = (State::new(&links), Events::new(&links));
    let mut stepper = DormandPrince::new(&links);
    let event = loop {
        if let Some(event) = events.step_towards(&links, &mut stepper, &mut state, 5.0, &mut zero_inputs).unwrap() {
            break event;
        }
    };
    let before = state.clone();
    let outcome = events.handle(&links, &mut state, event, &mut zero_inputs);
    // One of the two conditions, which follow the three rows, is not satisfied.
    let Err(Error::Handler { event: 0, fault: Fault::NotAssembled { row: 3 | 4, .. }, t }) = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!((state.clone(), state.t), (before, t));
    assert!(outcome.unwrap_err().to_string().starts_with("the handler of event 0 fails at t = "));
}

#[test]
fn positions_have_the_values_that_a_handler_imposes() {
    // The handler sets the position back to the start at each root: a sawtooth.
    let back = |_: StateView, _: &mut [f64], targets: &mut [f64]| targets.copy_from_slice(&[0.0, 1.0]);
    let spec = Spec::new(Trigger::Falls, |at| at.q[0]).rate(|at| at.v[0]).assigns((0, 2), back);
    let mechanism = Particle::<f64>::falling(1.0).on(spec);
    let (all, state) = mechanism.run_dense(1.0);
    let fall = (2.0_f64 / 9.81).sqrt();
    assert_eq!(all.len(), 2);
    assert!((all[1].1 - 2.0 * fall).abs() < 1e-12);
    let left = 1.0 - 2.0 * fall;
    assert!((state.q[0] - (1.0 - 0.5 * 9.81 * left * left)).abs() < 1e-11);
}

#[test]
fn a_change_by_the_caller_is_settled() {
    let links = Links { angles: [0.9, 0.4], rates: [0.3, -0.5], strike: Strike::Stick };
    let (mut state, mut events) = (State::new(&links), Events::new(&links));
    state.q[3] += 0.05;
    state.v[0] += 1.0;
    events.settle(&links, &mut state, 0).unwrap();
    let (phi, psi) = violations(&links, &state);
    assert!(phi < 1e-14 && psi < 1e-14, "{phi:.1e} {psi:.1e}");
    assert!(events.row_impulses()[0] != 0.0);
}

#[test]
fn too_little_scratch_is_an_error() {
    struct Small(Particle);
    impl Mechanism for Small {
        type Coordinates = [f64; 1];
        type Speeds = [f64; 1];
        type Multipliers = [f64; 0];
        type Auxiliary = [f64; 0];
        type Inputs = [f64; 0];
        type Scratch = [f64; 3];
        fn sizes(&self) -> Sizes {
            self.0.sizes()
        }
        fn storage(&self) -> ([f64; 1], [f64; 1], [f64; 0], [f64; 0], [f64; 0], [f64; 3]) {
            ([0.0], [0.0], [], [], [], [0.0; 3])
        }
        fn guess(&self, _: &mut [f64], _: &mut [f64], _: &mut [f64]) {}
        fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
            self.0.accelerations(at, a, lambda)
        }
        fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
            self.0.solve(at, f, g, x, mu)
        }
        fn position_residuals(&self, _: StateView, _: &mut [f64]) {}
        fn velocity_residuals(&self, _: StateView, _: &mut [f64]) {}
    }

    impl Eventful for Small {}
    let small = Small(Particle::falling(1.0).bouncing(0.5));
    let (mut state, mut events, mut stepper) = (State::new(&small), Events::new(&small), Rk4::new(&small, 0.1));
    let outcome = events.step_towards(&small, &mut stepper, &mut state, 1.0, &mut zero_inputs);
    assert_eq!(outcome, Err(Error::Size { expected: 4, found: 3 }));
}
