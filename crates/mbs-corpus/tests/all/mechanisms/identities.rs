//! Laws that are independent of formulas: of the solve, of work and momentum, and of motion in either formulation.

use mbs::{Describe, DormandPrince, Mechanism, State, Stepper, zero_inputs};
use mbs_compiler::interp::Inputs;
use mbs_interp::Interpreted;
use mbs_model::{BodyKind, Formulation};
use mbs_random::laws;
use mbs_random::matrix::{eigenvalues, kernel, restricted};
use mbs_random::oracle::Oracle;

use crate::mechanisms::harness::ledger::Ledger;
use crate::mechanisms::harness::{
    OwnedState, Random, accelerations, assembled, corpus, dot, for_each_consistent_state, for_each_mechanism, seed,
    size, times, to_body, transposed_times,
};
use crate::tiers::by_tier;

/// States per mechanism and formulation.
fn states() -> usize {
    by_tier(7, 20)
}

fn run(interpreted: &Interpreted, name: &str, at: &OwnedState) -> Vec<f64> {
    let inputs = Inputs { t: at.t, q: &at.q, v: &at.v, z: &at.z, u: &at.u, ..Inputs::default() };
    interpreted.run(name, inputs).expect("it has no pivots").into_iter().next().unwrap_or_default()
}

fn for_each_formulation(mut check: impl FnMut(&str, &Interpreted)) {
    let files = crate::mechanisms::harness::files();
    crate::mechanisms::harness::FORMULATIONS
        .into_iter()
        .for_each(|formulation| for_each_mechanism(&files, formulation, &mut check));
}

fn for_each_planar_formulation(mut check: impl FnMut(&str, &Interpreted)) {
    let files = crate::mechanisms::harness::planar_files();
    crate::mechanisms::harness::FORMULATIONS
        .into_iter()
        .for_each(|formulation| for_each_mechanism(&files, formulation, &mut check));
}

#[test]
fn mass_matrices_are_symmetric_and_positive_definite_on_admissible_motions() {
    for_each_formulation(|label, mechanism| {
        for_each_consistent_state(label, mechanism, states(), |_, at| {
            let n = at.v.len();
            let mass = run(mechanism, "mass_matrix", at);
            for (i, j) in (0..n * n).map(|k| (k / n, k % n)) {
                assert_eq!(mass[i * n + j].to_bits(), mass[j * n + i].to_bits(), "{label}: M[{i}, {j}] at {at:?}");
            }
            let basis = kernel(&run(mechanism, "constraint_jacobian", at), n);
            if !basis.is_empty() {
                let values = eigenvalues(restricted(&mass, &basis));
                let largest = size(&values);
                let least = values.iter().fold(f64::INFINITY, |least, x| least.min(x / largest));
                assert!(least > 1e-9, "{label}: least eigenvalue {least:e} of the largest, at {at:?}");
            }
        });
    });
}

/// M a + Gᵀ λ = Q and G a = γ, within 1e-11 of the largest term: separate kernels compute the matrices.
#[test]
fn accelerations_and_multipliers_satisfy_their_equations() {
    for_each_formulation(|label, mechanism| {
        let mut ledger = Ledger::default();
        for_each_consistent_state(label, mechanism, states(), |_, at| {
            let Some((a, lambda)) = ledger.count(accelerations(mechanism, at)) else { return };
            let (mass, jacobian) = (run(mechanism, "mass_matrix", at), run(mechanism, "constraint_jacobian", at));
            let (forces, gamma) = (run(mechanism, "generalized_forces", at), run(mechanism, "gamma", at));
            let (inertial, constraining) = (times(&mass, &a), transposed_times(&jacobian, a.len(), &lambda));
            let terms = [size(&inertial), size(&constraining), size(&forces)];
            for i in 0..a.len() {
                let sum = inertial[i] + constraining[i];
                ledger.record("M a + Gᵀ λ", sum, forces[i], size(&terms), at);
            }
            let floor = size(&jacobian) * size(&a);
            ledger.record_all("G a", &times(&jacobian, &a), &gamma, floor, at);
        });
        ledger.settle(label, 1e-11);
    });
}

/// M x + Gᵀ μ = f and G x = g for random right sides, within the tolerance of accelerations.
#[test]
fn solves_satisfy_their_equations() {
    for_each_formulation(|label, mechanism| {
        let mut ledger = Ledger::default();
        let mut random = Random::new(seed(label));
        for_each_consistent_state(label, mechanism, states(), |_, at| {
            let (n, n_c) = (at.v.len(), mechanism.sizes().n_c);
            let (f, mut g) = (random.vector(n, 2.0), random.vector(n_c, 2.0));
            let (mut x, mut mu) = (vec![0.0; n], vec![0.0; n_c]);
            let solved = mechanism.solve(at.view(), &f, &g, &mut x, &mut mu);
            if ledger.count(solved.ok()).is_none() {
                return;
            }
            let (mass, jacobian) = (run(mechanism, "mass_matrix", at), run(mechanism, "constraint_jacobian", at));
            let (inertial, constraining) = (times(&mass, &x), transposed_times(&jacobian, n, &mu));
            // A row that is switched off has no right-hand side.
            let is_off = |r: usize| mechanism.is_switched(r) && jacobian[r * n..(r + 1) * n].iter().all(|g| *g == 0.0);
            (0..n_c).filter(|r| is_off(*r)).for_each(|r| g[r] = 0.0);
            let floor = size(&[size(&inertial), size(&constraining)]);
            for i in 0..n {
                ledger.record("M x + Gᵀ μ", inertial[i] + constraining[i], f[i], floor, at);
            }
            ledger.record_all("G x", &times(&jacobian, &x), &g, size(&jacobian) * size(&x), at);
        });
        ledger.settle(label, 1e-11);
    });
}

/// Power of constraint loads −λᵀ G v = −λᵀ ν, and dT/dt = Σ power of forces + power of gravity − λᵀ ν. T, its rate and the power of
/// gravity come from series of the model, the power of forces from its kernel: the velocity-quadratic part of Q does no work but
/// what ½ vᵀ Ṁ v accounts for.
#[test]
fn kinetic_energy_changes_by_the_power_of_all_loads() {
    for_each_planar_formulation(|label, mechanism| {
        let mut ledger = Ledger::default();
        for_each_consistent_state(label, mechanism, states(), |_, at| {
            let Some((a, lambda)) = ledger.count(accelerations(mechanism, at)) else { return };
            let oracle = Oracle::new(mechanism, at);
            let jacobian = run(mechanism, "constraint_jacobian", at);
            let along = times(&jacobian, &at.v);
            let constraints = -dot(&lambda, &along);
            let floor = size(&lambda) * size(&jacobian) * size(&at.v);
            // Rows of accelerations do not constrain speeds.
            let mut nu = run(mechanism, "nu", at);
            nu.extend_from_slice(&along[nu.len()..]);
            ledger.record("power of constraint loads", constraints, -dot(&lambda, &nu), floor, at);
            let inputs = Inputs { t: at.t, q: &at.q, v: &at.v, z: &at.z, u: &at.u, ..Inputs::default() };
            let energies = mechanism.run("force_energies", inputs).expect("it has no pivots");
            let powers = &energies[1];
            // Prescribed motion enters rows as ν.
            let supplied = match mechanism.compiled().tree.prescribed.is_empty() {
                true => constraints,
                false => oracle.supplied_power(&a, &lambda),
            };
            let power = powers.iter().sum::<f64>() + oracle.gravity_power() + supplied;
            let [kinetic, _] = oracle.energy_rates(&a);
            let floor = floor
                .max(size(powers))
                .max(oracle.gravity_power().abs())
                .max(size(&a) * size(&times(&run(mechanism, "mass_matrix", at), &at.v)));
            ledger.record("dT/dt", kinetic, power, floor, at);
        });
        ledger.settle(label, 1e-11);
    });
}

/// Rates of outputs against differences of fourth order along the motion, h = 1e-4: error h⁴/30 of fifth derivatives (ω⁵ = 1e7 where a
/// chain whips) and rounding 1e-16/h; tolerance 1e-7 of the largest rate.
#[test]
fn rates_of_outputs_are_their_differences() {
    for_each_planar_formulation(|label, mechanism| {
        let mut ledger = Ledger::default();
        let known: Vec<usize> =
            mechanism.compiled().output_has_rate.iter().enumerate().filter(|(_, k)| **k).map(|(i, _)| i).collect();
        for_each_consistent_state(label, mechanism, states(), |_, at| {
            let Some((a, lambda)) = ledger.count(accelerations(mechanism, at)) else { return };
            let rates_of_z = run(mechanism, "auxiliary_rates", at);
            let mut rates_of_q = at.v.clone();
            mechanism.coordinate_rates(at.t, &at.q, &at.v, &mut rates_of_q);
            let flat = |at: &OwnedState| {
                let mut outputs = vec![0.0; mechanism.sizes().n_outputs];
                mechanism.outputs(at.view(), &a, &lambda, &mut outputs);
                outputs
            };
            let moved = |h: f64| OwnedState {
                t: at.t + h,
                q: (0..a.len()).map(|i| at.q[i] + h * rates_of_q[i] + 0.5 * h * h * a[i]).collect(),
                v: (0..a.len()).map(|i| at.v[i] + h * a[i]).collect(),
                // Memories do not change.
                z: at.z.iter().enumerate().map(|(i, z)| z + h * rates_of_z.get(i).unwrap_or(&0.0)).collect(),
                u: at.u.clone(),
            };
            let h = 1e-4;
            let [after, before, later, earlier] = [h, -h, 2.0 * h, -2.0 * h].map(|h| flat(&moved(h)));
            let inputs =
                Inputs { t: at.t, q: &at.q, v: &at.v, z: &at.z, u: &at.u, a: &a, lambda: &lambda, ..Inputs::default() };
            let rates =
                mechanism.run("output_rates", inputs).expect("it has no pivots").into_iter().next().unwrap_or_default();
            assert_eq!(rates.len(), known.len(), "{label}");
            for (rate, i) in rates.iter().zip(&known) {
                let difference = (8.0 * (after[*i] - before[*i]) - (later[*i] - earlier[*i])) / (12.0 * h);
                ledger.record(mechanism.name(mbs::Item::Output(*i)), *rate, difference, size(&at.v), at);
            }
        });
        ledger.settle(label, 1e-7);
    });
}

/// At one state, accelerations of bodies and multipliers of rows that both formulations have are equal, within 1e-9 of the
/// largest: body coordinates of a tree of n bodies have three times the rows, and conditions to match.
#[test]
fn both_formulations_accelerate_alike() {
    for path in crate::mechanisms::harness::planar_files() {
        let stem = crate::mechanisms::harness::stem_of(&path);
        let fma = crate::mechanisms::harness::compiled_fma();
        let [body, joint] = crate::mechanisms::harness::FORMULATIONS.map(|formulation| corpus(&stem, formulation, fma));
        let mut ledger = Ledger::default();
        for_each_consistent_state(&stem, joint, states(), |_, at| {
            let Some((a, lambda)) = ledger.count(accelerations(joint, at)) else { return };
            let (state, expected) = to_body(joint, body, at, &a);
            let mut residuals = vec![0.0; body.sizes().n_position];
            body.position_residuals(state.view(), &mut residuals);
            ledger.record("phi", size(&residuals), 0.0, size(&state.q), at);
            let mut residuals = vec![0.0; body.sizes().n_velocity];
            body.velocity_residuals(state.view(), &mut residuals);
            ledger.record("psi", size(&residuals), 0.0, size(&state.v), at);
            let Some((b, mu)) = ledger.count(accelerations(body, &state)) else { return };
            ledger.record_all("a", &b, &expected, size(&expected), at);
            let (rows, others) = (&joint.compiled().tree.rows, &body.compiled().tree.rows);
            for (row, lambda_r) in rows.iter().zip(&lambda) {
                let same = others.iter().position(|r| r.name == row.name).expect("body coordinates keep every row");
                ledger.record(&format!("lambda of {}", row.name), mu[same], *lambda_r, size(&mu), at);
            }
            let energies = [body.energy(state.view()), joint.energy(at.view())];
            ledger.record("kinetic energy", energies[0].kinetic, energies[1].kinetic, 0.0, at);
            let floor = energies[1].kinetic;
            ledger.record("potential energy", energies[0].potential, energies[1].potential, floor, at);
        });
        ledger.settle(&stem, 1e-9);
    }
}

/// Both formulations agree in space as well, within the growth of rounding errors.
#[test]
fn both_formulations_accelerate_alike_in_space() {
    let planar = crate::mechanisms::harness::planar_files();
    for path in crate::mechanisms::harness::files().into_iter().filter(|path| !planar.contains(path)) {
        let stem = crate::mechanisms::harness::stem_of(&path);
        let [body, joint] = crate::mechanisms::harness::FORMULATIONS
            .map(|formulation| corpus(&stem, formulation, crate::mechanisms::harness::compiled_fma()));
        let mut states = Vec::new();
        for_each_consistent_state(&stem, joint, 6, |_, at| states.push(at.clone()));
        let outcome = laws::formulations_accelerate_alike(body, joint, &states);
        outcome.unwrap_or_else(|violation| panic!("{stem}: {violation}"));
        let compared = laws::comparable_state_count(body, joint, &states);
        assert!(compared > 0 || !joint.compiled().checked.solvable, "{stem}: no state is one of body coordinates, too");
    }
}

/// x, y, θ of all bodies after each of `times`, from a state.
fn motion<M: Mechanism>(
    label: &str,
    mechanism: &M,
    interpreted: &Interpreted,
    start: &OwnedState,
    times: &[f64],
) -> Vec<Vec<f64>> {
    let mut state = State::new(mechanism);
    state.q.as_mut().copy_from_slice(&start.q);
    state.v.as_mut().copy_from_slice(&start.v);
    let mut integrator = DormandPrince::new(mechanism).with_tolerances(1e-10, 1e-12);
    let mut poses = Vec::new();
    for t in times {
        let advanced = integrator.advance_to(mechanism, &mut state, *t, &mut zero_inputs);
        advanced.unwrap_or_else(|error| panic!("{label}: {error}"));
        let inputs = Inputs { t: state.t, q: state.q.as_ref(), ..Inputs::default() };
        poses.push(interpreted.run("poses", inputs).expect("it has no pivots").remove(0));
    }
    poses
}

/// Both formulations move alike for half a second: 1e-6 of a metre or radian, tolerances 1e-10 and the growth of differences
/// of a double pendulum in that time. Angles are compared with their revolutions. Both start where joint coordinates assemble: where
/// `initial` leaves freedoms, the least correction of a guess depends on the coordinates.
#[test]
fn both_formulations_move_alike() {
    macro_rules! visit {
        ($stem:literal, $body:path, $joint:path) => {{
            let [body, joint] = crate::mechanisms::harness::FORMULATIONS
                .map(|f| corpus($stem, f, crate::mechanisms::harness::compiled_fma()));
            let times = [0.1, 0.25, 0.5];
            let compiled = (<$body>::new(Default::default()).unwrap(), <$joint>::new(Default::default()).unwrap());
            let start = assembled($stem, joint);
            let u = vec![0.0; joint.sizes().n_u];
            let start = OwnedState { t: 0.0, q: start.q.to_vec(), v: start.v.to_vec(), z: start.z.to_vec(), u };
            let (in_body, _) = to_body(joint, body, &start, &vec![0.0; start.v.len()]);
            let found = motion($stem, &compiled.0, body, &in_body, &times);
            let expected = motion($stem, &compiled.1, joint, &start, &times);
            let mut ledger = Ledger::default();
            for ((found, expected), t) in found.iter().zip(&expected).zip(&times) {
                for (b, body) in joint.compiled().model.bodies.iter().enumerate() {
                    let components = if body.kind == BodyKind::Rigid { 3 } else { 2 };
                    for k in 0..components {
                        let name = format!("{}.{}", body.name, ["x", "y", "angle"][k]);
                        ledger.record(&name, found[3 * b + k], expected[3 * b + k], 1.0, t);
                    }
                }
            }
            ledger.settle($stem, 1e-6);
        }};
    }
    mbs_corpus::for_each_planar_mechanism!(visit);
}

/// Energy and the work done on it along a run, as an auxiliary quadrature would: E(t) − E(0) = ∫ (Σ power of loads without
/// potential + power of constraints) dt, by Simpson's rule on dense steps. 1e-7 of the largest energy at steps of 1 ms.
#[test]
fn energy_is_lost_to_dampers_and_gained_from_motors_only() {
    for formulation in crate::mechanisms::harness::FORMULATIONS {
        for stem in [
            "four_bar",
            "loads",
            "lines_and_rods",
            "carriage",
            "massless_coupler",
            "geared_drive",
            "knife_edge",
            "shaken_pendulum",
            "moving_wall",
            "chain",
        ] {
            let label = format!("{stem} ({formulation:?})");
            let mechanism = corpus(stem, formulation, crate::mechanisms::harness::compiled_fma());
            assert_energy_balance(&label, mechanism);
        }
    }
}

fn assert_energy_balance(label: &str, mechanism: &Interpreted) {
    let mut state = assembled(label, mechanism);
    let mut integrator = DormandPrince::new(mechanism).with_tolerances(1e-10, 1e-12);
    let energy_and_power = |state: &State<Interpreted>| {
        let at = OwnedState {
            t: state.t,
            q: state.q.to_vec(),
            v: state.v.to_vec(),
            z: state.z.to_vec(),
            u: vec![0.0; mechanism.sizes().n_u],
        };
        let (a, lambda) = accelerations(mechanism, &at).expect("the run is regular");
        let energy = mechanism.energy(at.view());
        let [_, potential_rate] = Oracle::new(mechanism, &at).energy_rates(&a);
        let inputs = Inputs { t: at.t, q: &at.q, v: &at.v, z: &at.z, u: &at.u, ..Inputs::default() };
        let powers = &mechanism.run("force_energies", inputs).expect("it has no pivots")[1];
        let gravity = Oracle::new(mechanism, &at).gravity_power();
        // Any other power is work of dampers, motors and constraints.
        let power = powers.iter().sum::<f64>() + gravity + potential_rate - dot(&lambda, &run(mechanism, "nu", &at));
        (energy.kinetic + energy.potential, power, energy.kinetic + energy.potential.abs())
    };
    let (start, mut before, mut scale) = energy_and_power(&state);
    let (steps, h) = (100, 2e-3);
    let mut work = 0.0;
    for k in 0..steps {
        let mut at = |t: f64| {
            integrator
                .advance_to(mechanism, &mut state, t, &mut zero_inputs)
                .unwrap_or_else(|e| panic!("{label}: {e}"));
            energy_and_power(&state)
        };
        let t = k as f64 * h;
        let (_, middle, _) = at(t + 0.5 * h);
        let (energy, after, size) = at(t + h);
        work += h / 6.0 * (before + 4.0 * middle + after);
        before = after;
        scale = size.max(scale);
        let miss = (energy - start - work).abs();
        assert!(miss < 1e-7 * scale.max(work.abs()), "{label}: energy misses {miss:e} of {scale:e} J at t = {}", t + h);
    }
}

/// Without external forces, linear and angular momentum are conserved to the tolerance of integration, also with internal dampers.
#[test]
fn momentum_of_a_floating_mechanism_stays() {
    for formulation in [Formulation::Body, Formulation::Joint] {
        let mechanism = corpus("free_flight", formulation, crate::mechanisms::harness::compiled_fma());
        let mut state = assembled("free_flight", mechanism);
        let momentum = |state: &State<Interpreted>| {
            let inputs = Inputs { t: state.t, q: state.q.as_ref(), v: state.v.as_ref(), ..Inputs::default() };
            mechanism.run("momentum", inputs).expect("it has no pivots").remove(0)
        };
        let start = momentum(&state);
        assert!(size(&start) > 0.1, "{start:?}");
        let mut integrator = DormandPrince::new(mechanism);
        for k in 1..=10 {
            integrator.advance_to(mechanism, &mut state, 0.2 * f64::from(k), &mut zero_inputs).unwrap();
            for (now, then) in momentum(&state).iter().zip(&start) {
                assert!((now - then).abs() < 1e-8, "{formulation:?}: {now} instead of {then} at t = {}", state.t);
            }
        }
    }
}

/// A drive makes 20 revolutions, all of which its angle counts, in every formulation.
#[test]
fn angles_are_unwrapped_over_twenty_revolutions() {
    fn check_revolutions<M: Describe>(mechanism: &M) {
        let mut state = assembled("driven_arm", mechanism);
        DormandPrince::new(mechanism).advance_to(mechanism, &mut state, 1.0, &mut zero_inputs).unwrap();
        let sizes = mechanism.sizes();
        let index = |name: &str| (0..sizes.n_outputs).find(|i| mechanism.name(mbs::Item::Output(*i)) == name).unwrap();
        let (a, lambda) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
        let mut outputs = vec![0.0; sizes.n_outputs];
        mechanism.outputs(state.view(&[]), &a, &lambda, &mut outputs);
        let revolutions = outputs[index("turret_angle")] / std::f64::consts::TAU;
        assert!((revolutions - 20.0).abs() < 1e-10, "{revolutions} revolutions");
    }
    check_revolutions(&mbs_corpus::body::DrivenArm::new(Default::default()).unwrap());
    check_revolutions(&mbs_corpus::joint::DrivenArm::new(Default::default()).unwrap());
    check_revolutions(corpus("driven_arm", Formulation::Natural, crate::mechanisms::harness::compiled_fma()));
}
