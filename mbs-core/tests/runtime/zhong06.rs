//! Zhong and Gao's integrator against reference cases of the scheme, and its conservation laws.

use mbs_core::{
    DormandPrince, Error, Mechanism, Momenta, Stabilization, State, StateView, Stepper, Unsuited, Zhong06, zero_inputs,
};
use serde_json::Value;

use crate::models::bead::Bead;
use crate::models::case::{self, array};
use crate::models::double_pendulum::DoublePendulum;
use crate::models::four_bar::FourBar;
use crate::models::pendulum::Pendulum;
use crate::models::skate::Skate;
use crate::models::top::Top;
use crate::tier::by_tier;

fn start<M: Mechanism>(m: &M, q: &[f64], v: &[f64]) -> State<M> {
    let mut state = State::new(m);
    state.q.as_mut().copy_from_slice(q);
    state.v.as_mut().copy_from_slice(v);
    state
}

fn assert_close(found: &[f64], wanted: &[f64], tolerance: f64, what: &str) {
    for (a, b) in found.iter().zip(wanted) {
        assert!((a - b).abs() <= tolerance, "{what}: {a} for {b}, {:.1e} apart", (a - b).abs());
    }
}

fn list(values: &[f64]) -> String {
    values.iter().map(|x| format!("{x:.2e}")).collect::<Vec<_>>().join(", ")
}

/// Checks the steps of the case with one step size: positions, speeds, momenta, energy, rows.
fn follow(run: &Value, h: f64) {
    let (m, steps) = (FourBar::CASE, run["steps"].as_object().expect("steps by number"));
    let row = |n: usize| (array::<4>(&steps[&n.to_string()]["q"]), array::<4>(&steps[&n.to_string()]["qdot"]));
    let (q, v) = row(0);
    let mut state = start(&m, &q, &v);
    let mut stepper = Zhong06::without_derivatives(&m, h);
    let mut numbers: Vec<usize> = steps.keys().map(|n| n.parse().expect("a number")).collect();
    numbers.sort_unstable();
    for n in 1..=*numbers.last().expect("there are steps") {
        let before = state.clone();
        stepper.step(&m, &mut state, &mut zero_inputs, h).unwrap();
        let mean: Vec<f64> = state.q.iter().zip(before.q).map(|(a, b)| (a - b) / h).collect();
        assert_close(stepper.mid_velocity(), &mean, 1e-12, "mean speeds");
        let (phi, _) = crate::models::violations(&m, &state);
        assert!(phi < 1e-16, "{phi:e} after {n} steps");
        if !numbers.contains(&n) {
            continue;
        }
        let (q, v) = row(n);
        // The accuracy that the case states. In the part of p that the rows remove, roundings of positions divided by h accumulate, to
        // 2e-11 m/s after 1000 steps of 0.5 ms; they affect nothing else.
        assert_close(&state.q, &q, 1e-11, "positions");
        let gaps: Vec<f64> = state.v.iter().zip(v).map(|(a, b)| a - b).collect();
        let mut admissible = [0.0; 4];
        m.solve(state.view(&[]), &m.times_mass(&gaps), &[0.0; 3], &mut admissible, &mut [0.0; 3]).unwrap();
        assert_close(&admissible, &[0.0; 4], 1e-11, "admissible speeds");
        let tolerance = if n <= 250 { 1e-11 } else { 5e-11 };
        assert_close(&state.v, &v, tolerance, "speeds");
        assert_close(stepper.momenta(), &m.times_mass(&v), 1e-11, "momenta");
        let energy = m.energy(state.view(&[]));
        assert_close(
            &[energy.kinetic + energy.potential],
            &[steps[&n.to_string()]["energy"].as_f64().unwrap()],
            1e-11,
            "energy",
        );
    }
}

#[test]
fn a_four_bar_in_natural_coordinates_takes_the_steps_of_the_case() {
    let case = case::read("zhong06_fourbar_forward");
    follow(&case["reference"]["h=0.002"], 0.002);
    follow(&case["reference"]["h=0.0005"], 0.0005);
}

#[test]
fn projected_speeds_lead_to_equal_positions() {
    let (m, case) = (FourBar::CASE, case::read("zhong06_fourbar_forward"));
    let steps = &case["reference"]["h=0.002"]["steps"];
    let mut state = start(&m, &array::<4>(&steps["0"]["q"]), &array::<4>(&steps["0"]["qdot"]));
    let mut stepper = Zhong06::without_derivatives(&m, 0.002).with_stabilization(Stabilization::Projection);
    for n in 1..=20 {
        stepper.step(&m, &mut state, &mut zero_inputs, 0.002).unwrap();
        let (_, psi) = crate::models::violations(&m, &state);
        assert!(psi < 1e-15, "{psi:e} after {n} steps");
        if n > 10 {
            // Momenta are computed again, from projected speeds.
            stepper.restart();
        }
    }
    assert_close(&state.q, &array::<4>(&steps["20"]["q"]), 1e-11, "positions");
}

#[test]
fn energy_of_a_four_bar_does_not_drift() {
    let steps = by_tier(5_000, 100_000);
    let (m, case) = (FourBar::CASE, case::read("zhong06_fourbar_forward"));
    let first = &case["reference"]["h=0.002"]["steps"]["0"];
    let mut state = start(&m, &array::<4>(&first["q"]), &array::<4>(&first["qdot"]));
    let mut stepper = Zhong06::without_derivatives(&m, 1e-3);
    let energy = |state: &State<FourBar>| {
        let energy = m.energy(state.view(&[]));
        energy.kinetic + energy.potential
    };
    let initial = energy(&state);
    // Largest distance from the beginning in each tenth of the run.
    let mut largest = [0.0_f64; 10];
    for k in 0..steps {
        stepper.step(&m, &mut state, &mut zero_inputs, 1e-3).unwrap();
        let tenth = &mut largest[10 * k / steps];
        *tenth = tenth.max((energy(&state) - initial).abs());
    }
    let evaluations = stepper.statistics().evaluations;
    println!("energy of the four-bar: {} J of {initial:.3} J, {evaluations} evaluations", list(&largest));
    assert!(largest.iter().all(|x| *x < 1e-3), "{largest:?}");
    assert!(largest[9] < 1.02 * largest[0], "{largest:?}");
}

/// A particle in the plane, unit mass.
struct Particle;

impl Mechanism for Particle {
    type Coordinates = [f64; 2];
    type Speeds = [f64; 2];
    type Multipliers = [f64; 0];
    type Auxiliary = [f64; 0];
    type Inputs = [f64; 0];
    type Scratch = [f64; 0];

    fn sizes(&self) -> mbs_core::Sizes {
        mbs_core::Sizes { n_q: 2, n_v: 2, ..mbs_core::Sizes::default() }
    }

    fn storage(&self) -> ([f64; 2], [f64; 2], [f64; 0], [f64; 0], [f64; 0], [f64; 0]) {
        ([0.0; 2], [0.0; 2], [], [], [], [])
    }

    fn guess(&self, _: &mut [f64], _: &mut [f64], _: &mut [f64]) {}

    fn accelerations(&self, _: StateView, a: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
        a.copy_from_slice(&[0.0, -9.81]);
        Ok(())
    }

    fn solve(&self, _: StateView, f: &[f64], _: &[f64], x: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
        x.copy_from_slice(f);
        Ok(())
    }

    fn position_residuals(&self, _: StateView, _: &mut [f64]) {}

    fn velocity_residuals(&self, _: StateView, _: &mut [f64]) {}

    fn energy(&self, at: StateView) -> mbs_core::Energy {
        mbs_core::Energy { kinetic: 0.5 * (at.v[0] * at.v[0] + at.v[1] * at.v[1]), potential: 9.81 * at.q[1] }
    }
}

impl Momenta for Particle {}

#[test]
fn free_fall_is_exact() {
    let case = case::read("zhong06_free_fall_rible_doc");
    let (of, h) = (&case["reference"], case["parameters"]["h"].as_f64().unwrap());
    let (z, vz) = (array::<11>(&of["z"]), array::<11>(&of["vz"]));
    let (m, mut state) = (Particle, start(&Particle, &[0.0; 2], &[0.0; 2]));
    let mut stepper = Zhong06::without_derivatives(&m, h);
    for n in 1..=10 {
        stepper.step(&m, &mut state, &mut zero_inputs, h).unwrap();
        // The value that the case states.
        assert_close(&[state.q[1], state.v[1]], &[z[n], vz[n]], 2e-16, "place and speed");
        if n == 1 {
            assert_close(stepper.mid_velocity(), &array::<3>(&of["v_mid_first"])[1..], 2e-16, "mean speed");
        }
    }
    let kinetic = m.energy(state.view(&[])).kinetic;
    assert_close(&[kinetic], &[of["E_kinetic_at_0p01"].as_f64().unwrap()], 2e-16, "energy");
    assert_close(&[kinetic], &[of["E_total_quoted"].as_f64().unwrap()], 2e-16, "energy as Rible gives it");
}

#[test]
fn steps_back_undo_steps() {
    let (m, case) = (FourBar::CASE, case::read("zhong06_fourbar_forward"));
    let first = &case["reference"]["h=0.002"]["steps"]["0"];
    let (q, v) = (array::<4>(&first["q"]), array::<4>(&first["qdot"]));
    let (mut state, mut stepper) = (start(&m, &q, &v), Zhong06::without_derivatives(&m, 0.002));
    for h in [0.002; 200].into_iter().chain([-0.002; 200]) {
        stepper.step(&m, &mut state, &mut zero_inputs, h).unwrap();
    }
    assert_close(&state.q, &q, 1e-12, "positions");
    assert_close(&state.v, &v, 1e-11, "speeds");
    let bead = Bead { omega: 1.2 };
    let exact = bead.exact(0.0);
    let (mut state, mut stepper) = (start(&bead, &exact[..2], &exact[2..]), Zhong06::without_derivatives(&bead, 0.05));
    for h in [0.05; 20].into_iter().chain([-0.05; 20]) {
        stepper.step(&bead, &mut state, &mut zero_inputs, h).unwrap();
    }
    assert_close(&state.q, &exact[..2], 1e-13, "positions on the wire");
}

#[test]
fn momenta_and_their_rates_follow_from_energy_and_velocity_forces() {
    let (m, q) = (DoublePendulum, [0.9, -0.5]);
    for v in [[0.0, 0.0], [0.3, -1.7], [1e-6, 2e-6], [-400.0, 300.0]] {
        let at = StateView::new(0.0, &q, &v);
        let (mut p, mut f, mut back) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        m.momenta(at, &mut p).unwrap();
        m.momentum_rates(at, &mut f).unwrap();
        m.speeds_of_momenta(at, &p, &mut back).unwrap();
        let size = v[0].abs().max(v[1].abs());
        let mass = DoublePendulum::mass(&q);
        // The tolerance is a dozen roundings of p, and of T for its derivatives.
        assert_close(&p, &mass.map(|row| row[0] * v[0] + row[1] * v[1]), 1e-14 * size, "p");
        assert_close(&f, &DoublePendulum::rates(&q, &v), 1e-13 + 1e-14 * size * size, "f");
        assert_close(&back, &v, 1e-14 * size, "v");
    }
    let pendulum = Pendulum::default();
    let (mut p, mut f, mut forces) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    let at = StateView::new(0.0, &[1.2, -0.9], &[0.3, 0.4]);
    pendulum.momenta(at, &mut p).unwrap();
    pendulum.momentum_rates(at, &mut f).unwrap();
    pendulum.constraint_forces(at, &[3.0], &mut forces);
    assert_close(&p, &[0.6, 0.8], 1e-15, "p");
    // The weight alone, without the reaction of the row.
    assert_close(&f, &[0.0, -2.0 * 9.81], 1e-13, "f");
    assert_close(&forces, &[3.6, -2.7], 1e-15, "Gᵀ λ");
}

#[test]
fn energy_of_a_double_pendulum_in_angles_does_not_drift() {
    let m = DoublePendulum;
    let (mut state, mut stepper) = (start(&m, &[1.1, -0.4], &[0.3, 0.7]), Zhong06::without_derivatives(&m, 5e-3));
    let energy = |state: &State<DoublePendulum>| {
        let energy = m.energy(state.view(&[]));
        energy.kinetic + energy.potential
    };
    let initial = energy(&state);
    let mut largest = [0.0_f64; 10];
    let steps = by_tier(20_000, 100_000);
    for k in 0..steps {
        stepper.step(&m, &mut state, &mut zero_inputs, 5e-3).unwrap();
        let tenth = &mut largest[10 * k / steps];
        *tenth = tenth.max((energy(&state) - initial).abs());
    }
    println!("energy of the double pendulum: {} J of {initial:.3} J", list(&largest));
    assert!(largest.iter().all(|x| *x < 5e-2), "{largest:?}");
    assert!(largest[9] < 2.0 * largest[0], "{largest:?}");
}

/// λ of an accurate run at time t.
fn multiplier(m: &Pendulum, t: f64) -> f64 {
    let (mut state, mut exact) = (State::<Pendulum>::new(m), DormandPrince::new(m).with_tolerances(1e-12, 1e-13));
    exact.advance_to(m, &mut state, t, &mut zero_inputs).unwrap();
    let (mut a, mut lambda) = ([0.0; 2], [0.0]);
    m.accelerations(state.view(&[]), &mut a, &mut lambda).unwrap();
    lambda[0]
}

#[test]
fn the_mean_multiplier_of_two_steps_is_of_order_two() {
    let m = Pendulum { guess: [1.5, 0.0, 0.0, -0.4], ..Pendulum::default() };
    let errors = [100, 200, 400].map(|n| {
        let h = 0.7 / f64::from(n);
        let (mut state, mut stepper) = (State::<Pendulum>::new(&m), Zhong06::without_derivatives(&m, h));
        let mut last = [0.0; 2];
        for _ in 0..=n {
            stepper.step(&m, &mut state, &mut zero_inputs, h).unwrap();
            last = [last[1], stepper.multipliers()[0]];
        }
        (0.5 * (last[0] + last[1]) - multiplier(&m, 0.7)).abs()
    });
    let orders = [(errors[0] / errors[1]).log2(), (errors[1] / errors[2]).log2()];
    println!("mean multipliers: errors {}, orders {orders:.3?}", list(&errors));
    assert!((orders[1] - 2.0).abs() < 0.15, "{orders:?}");
}

#[test]
fn a_skate_satisfies_its_row_on_average_and_preserves_its_energy() {
    let (m, h) = (Skate, 0.02);
    let exact = Skate::exact(0.0);
    let (mut state, mut stepper) = (start(&m, &exact[..3], &exact[3..]), Zhong06::without_derivatives(&m, h));
    for _ in 0..1000 {
        let before = state.q;
        stepper.step(&m, &mut state, &mut zero_inputs, h).unwrap();
        let middle: [f64; 3] = core::array::from_fn(|i| 0.5 * (before[i] + state.q[i]));
        let mut psi = [0.0];
        m.velocity_residuals(StateView::new(0.0, &middle, stepper.mid_velocity()), &mut psi);
        assert!(psi[0].abs() < 1e-13, "{psi:?}");
    }
    let mean = stepper.mid_velocity();
    let energy = 0.5 * mean.iter().map(|v| v * v).sum::<f64>();
    assert!((energy - 0.5 * (1.3 * 1.3 + 0.8 * 0.8)).abs() < 1e-4, "{energy}");
}

#[test]
fn attitudes_are_an_error() {
    let (m, mut state) = (Top, State::new(&Top));
    let before = state.clone();
    let error = Zhong06::without_derivatives(&m, 0.01).step(&m, &mut state, &mut zero_inputs, 0.01).unwrap_err();
    assert!(matches!(error, Error::Unsuited { cause: Unsuited::Rates { .. } }), "{error}");
    assert_eq!(
        error.to_string(),
        "the method is not for this mechanism: the rate of coordinate 3 is not its speed, use natural coordinates"
    );
    assert_eq!(state, before);
}

#[test]
fn errors_of_steps_that_are_too_long_name_the_cause() {
    let m = FourBar::CASE;
    let case = case::read("zhong06_fourbar_forward");
    let first = &case["reference"]["h=0.002"]["steps"]["0"];
    let mut state = start(&m, &array::<4>(&first["q"]), &array::<4>(&first["qdot"]));
    let before = state.clone();
    let error = Zhong06::without_derivatives(&m, 3.0).step(&m, &mut state, &mut zero_inputs, 3.0).unwrap_err();
    assert!(matches!(error, Error::NotConverged { history, .. } if history.residuals().len() == 6), "{error}");
    assert_eq!(state, before);
}
