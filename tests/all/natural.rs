//! Generated code in natural coordinates: motions, reactions and energies equal those of other coordinates.

use mbs::{
    Describe, DormandPrince, Integrator, Item, Mechanism, Momenta, RowKind, Simulation, State, Stepper, Zhong06,
    assemble, zero_inputs,
};
use serde_json::Value;

mbs::mechanism! {
    /// Bars that share their pins.
    pub planar FourBar {
        gravity: [0, -9.81];
        coordinates: natural;
        kernels: [forward, kinematics, energies, outputs, reactions, momenta];
        param crank = 0.1;
        body a { mass: 0.2, inertia: 2e-4, com: [crank / 2, 0], angle: 1.0 }
        body b { mass: 0.7, inertia: 7e-3, com: [0.175, 0], angle: -1.12 }
        body c { mass: 0.5, inertia: 3e-3, com: [0.125, 0], angle: 4.32 }
        joint first  = revolute(ground, a);
        joint second = revolute(a at [crank, 0], b);
        joint third  = revolute(b at [0.35, 0], c at [0.25, 0]);
        joint fourth = revolute(ground at [0.3, 0], c);
        initial first.rate = 10;
        freedoms: 1;
        output angle = angle(a);
        output energy = kinetic_energy + potential_energy;
    }

    /// The body of the documentation of Rible.jl.
    pub spatial Body {
        kernels: [forward, kinematics, energies, outputs, momenta];
        gravity: [0, 0, -9.81];
        coordinates: natural;
        body body { mass: 1, inertia: [1, 1, 1] }
        joint air = free(ground, body);
        output energy = kinetic_energy + potential_energy;
    }

    /// A body fixed at its origin by three rows; reference case `zhong06_heavy_body`.
    pub spatial HeavyBody {
        kernels: [forward, kinematics, energies, momenta];
        gravity: [0, 0, -9.81];
        coordinates: natural;
        body body {
            mass: 2.5, inertia: [[0.021, 0.002, -0.001], [0.002, 0.034, 0.003], [-0.001, 0.003, 0.028]],
            com: [0.1, -0.05, 0.3],
            coordinates: natural { points: [[0, 0, 0]], vectors: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }
        }
        joint air = free(ground, body);
        constraint pivot = position(body) == [0, 0, 0];
    }

    /// `mechanisms/heavy_top.mbs`.
    pub spatial HeavyTop {
        kernels: [forward, kinematics, energies, momenta];
        gravity: [0, 0, -9.81];
        coordinates: natural;
        const height = 0.9 / (1.5 * 9.81);
        const own = 0.03 - 1.5 * height * height;
        body top { mass: 1.5, inertia: [own, own, 0.012], com: [0, 0, height], rotation: axis_angle([1, 0, 0], 0.6) }
        joint tip = spherical(ground, top);
        initial tip.u[0] = 0, tip.u[1] = 0, tip.u[2] = 80;
    }
}

#[cfg(largest)]
mbs::mechanism! {
    /// A crane on a post, with hinges that share points and axes, a spherical joint, a slide, a spring, and a particle as its load.
    pub spatial Crane {
        gravity: [0, 0, -9.81];
        coordinates: natural;
        param reach = 1.2;
        body post { mass: 40, inertia: [2, 2, 1], com: [0, 0, 0.4] }
        body boom { mass: 8, inertia: [0.2, 1, 1.1], com: [reach / 2, 0, 0.05] }
        body sleeve { mass: 1, inertia: [0.02, 0.03, 0.03], com: [0, 0, -0.1] }
        body hook { mass: 2, inertia: [0.05, 0.05, 0.01], com: [0, 0.02, -0.4] }
        joint turn = revolute(ground, post) { axis: [0, 0, 1] };
        joint hinge = revolute(post at [0.1, 0, 1], boom) { axis: [0, 1, 0.3] };
        joint slide = prismatic(boom at [reach, 0, 0], sleeve) { axis: [1, 0, 0] };
        joint eye = spherical(sleeve at [0, 0, -0.2], hook);
        force stay = spring_damper(post at [0, 0, 1.5], boom at [reach, 0, 0]) { stiffness: 900, damping: 4, free_length: 0.9 };
        force stop = spring_damper(boom at [0.2, 0, 0], sleeve) { stiffness: 400, free_length: 0.9 };
        force drive = mobility(turn.angle) { value: 3 };
        initial turn.rate = 0.7, hinge.angle = 0.2, hinge.rate = 0, slide.position = 0, slide.speed = 0;
        initial eye.u[0] = 0, eye.u[1] = 1.1, eye.u[2] = 0;
        freedoms: 6;
        output angle = turn.angle;
        output tip = position(hook at [0, 0, -0.5]);
        output pull = norm(reaction(eye).force);
        output energy = kinetic_energy + potential_energy;
    }

    /// This crane in joint coordinates.
    pub spatial JointedCrane {
        gravity: [0, 0, -9.81];
        param reach = 1.2;
        body post { mass: 40, inertia: [2, 2, 1], com: [0, 0, 0.4] }
        body boom { mass: 8, inertia: [0.2, 1, 1.1], com: [reach / 2, 0, 0.05] }
        body sleeve { mass: 1, inertia: [0.02, 0.03, 0.03], com: [0, 0, -0.1] }
        body hook { mass: 2, inertia: [0.05, 0.05, 0.01], com: [0, 0.02, -0.4] }
        joint turn = revolute(ground, post) { axis: [0, 0, 1] };
        joint hinge = revolute(post at [0.1, 0, 1], boom) { axis: [0, 1, 0.3] };
        joint slide = prismatic(boom at [reach, 0, 0], sleeve) { axis: [1, 0, 0] };
        joint eye = spherical(sleeve at [0, 0, -0.2], hook);
        force stay = spring_damper(post at [0, 0, 1.5], boom at [reach, 0, 0]) { stiffness: 900, damping: 4, free_length: 0.9 };
        force stop = spring_damper(boom at [0.2, 0, 0], sleeve) { stiffness: 400, free_length: 0.9 };
        force drive = mobility(turn.angle) { value: 3 };
        initial turn.rate = 0.7, hinge.angle = 0.2, hinge.rate = 0, slide.position = 0, slide.speed = 0;
        initial eye.u[0] = 0, eye.u[1] = 1.1, eye.u[2] = 0;
        freedoms: 6;
        output angle = turn.angle;
        output tip = position(hook at [0, 0, -0.5]);
        output pull = norm(reaction(eye).force);
        output energy = kinetic_energy + potential_energy;
    }
}

/// Reactions of all joints at the start.
#[cfg(largest)]
fn reactions<M: Mechanism>(mechanism: &M) -> Vec<mbs::Reaction> {
    let mut state = State::new(mechanism);
    assemble(mechanism, &mut state).expect("it closes");
    let s = mechanism.sizes();
    let (mut a, mut lambda) = (vec![0.0; s.n_v], vec![0.0; s.n_c]);
    mechanism.accelerations(state.view(&[]), &mut a, &mut lambda).expect("it is regular");
    let mut reactions = vec![mbs::Reaction::default(); s.n_joints];
    mechanism.reactions(state.view(&[]), &a, &lambda, &mut reactions);
    reactions
}

#[test]
fn a_four_bar_of_points_keeps_its_energy() {
    let mechanism = FourBar::new(four_bar::Params::default()).expect("valid");
    let sizes = mechanism.sizes();
    assert_eq!((sizes.n_q, sizes.n_v, sizes.n_c), (4, 4, 3));
    let recording = Simulation::new(&mechanism).integrator(STRICT).duration(2.0).every(0.05).run().expect("it runs");
    let energy = recording.output("energy").expect("it is declared");
    let drift = energy.iter().map(|e| (e - energy[0]).abs()).fold(0.0, f64::max);
    // The energy is 0.45 J, with relative tolerances of 1e-11 per step.
    assert!(drift < 1e-8, "{drift:.1e} J");
}

const STRICT: Integrator = Integrator::DormandPrince { rtol: 1e-11, atol: 1e-13 };

/// Chaotic motions would diverge; within a second of slow swings integration errors grow to some 1e-8.
#[cfg(largest)]
#[test]
fn a_crane_of_points_and_vectors_moves_as_one_of_joints() {
    let natural = Crane::new(crane::Params::default()).expect("valid");
    let jointed = JointedCrane::new(jointed_crane::Params::default()).expect("valid");
    let mut state = State::new(&natural);
    assemble(&natural, &mut state).expect("it closes");
    // A longer basis vector changes the motion by rounding alone.
    let diagnosis = mbs::diagnosis::diagnose(&natural, &state);
    assert!(diagnosis.is_healthy() && diagnosis.freedoms == 6, "{diagnosis}");
    for (a, b) in reactions(&natural).iter().zip(reactions(&jointed)) {
        for (a, b) in [(a.point, b.point), (a.force, b.force), (a.torque, b.torque)] {
            // Rounding of forces of hundreds of newtons.
            assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-9), "{a:?}, not {b:?}");
        }
    }
    let run = |recording: Result<mbs::Recording, mbs::Failure>| recording.expect("it runs");
    let natural = run(Simulation::new(&natural).integrator(STRICT).duration(1.0).every(0.1).run());
    let jointed = run(Simulation::new(&jointed).integrator(STRICT).duration(1.0).every(0.1).run());
    for (name, tolerance) in [("angle", 1e-8), ("tip.x", 1e-8), ("tip.z", 1e-8), ("pull", 1e-6), ("energy", 1e-7)] {
        let [a, b] = [&natural, &jointed].map(|recording| recording.output(name).expect("it is declared"));
        let gap = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(gap < tolerance, "{name}: {gap:.1e}");
    }
}

/// Rible.jl, documentation of `Structure`: one body, no apparatus, 12 coordinates, 12 speeds, 6 intrinsic constraints, a residual of zero, a
/// Jacobian of 6 × 12, M = diag(1, 1, 1, ½ …).
#[test]
fn a_body_has_twelve_coordinates_and_six_constraints() {
    let body = Body::new(body::Params::default()).expect("valid");
    let sizes = body.sizes();
    assert_eq!((sizes.n_bodies, sizes.n_forces, sizes.n_q, sizes.n_v, sizes.n_c), (1, 0, 12, 12, 6));
    assert!((0..6).all(|r| body.row_kind(r) == RowKind::Body(0)));
    let mut state = State::new(&body);
    assemble(&body, &mut state).expect("it closes");
    let mut phi = [1.0; 6];
    body.position_residuals(state.view(&[]), &mut phi);
    assert_eq!(phi, [0.0; 6]);
    let mut jacobian = [0.0; 72];
    body.constraint_jacobian(state.view(&[]), &mut jacobian);
    let names: Vec<&str> = (0..6).map(|r| body.name(Item::Row(r))).collect();
    assert_eq!(names, ["uu", "vv", "ww", "vw", "uw", "uv"].map(|pair| format!("body.rigid.{pair}")));
    // ∂(u·u)/∂u = 2 u, and ∂(u·v)/∂(u, v) = (v, u).
    assert_eq!(jacobian[..12], [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(jacobian[60..], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    for i in 0..12 {
        let mut force = [0.0; 12];
        force[i] = if i < 3 { 1.0 } else { 0.5 };
        let (mut x, mut mu) = ([0.0; 12], [0.0; 6]);
        // f = M eᵢ + Gᵀ 0 and g = G eᵢ give back eᵢ.
        let g: [f64; 6] = std::array::from_fn(|r| jacobian[12 * r + i]);
        body.solve(state.view(&[]), &force, &g, &mut x, &mut mu).expect("it is regular");
        let expected: [f64; 12] = std::array::from_fn(|k| f64::from(u8::from(k == i)));
        assert!(x.iter().zip(expected).all(|(x, e)| (x - e).abs() < 1e-15), "{i}: {x:?}");
    }
}

/// Rible.jl, documentation: Zhong and Gao's steps of 1 ms for 0.01 s give 11 points; its energy is the kinetic energy, ½ (9.81 · 0.01)² J, and
/// T + V is conserved; the first mean velocity is −½ · 9.81 mm/s.
#[test]
fn the_body_falls_as_documented() {
    let body = Body::new(body::Params::default()).expect("valid");
    let integrator = Integrator::Zhong06 { step: 1e-3 };
    let simulation = Simulation::new(&body).integrator(integrator).duration(0.01).every(1e-3);
    let recording = simulation.run().expect("it runs");
    assert_eq!(recording.times().len(), 11);
    let (kinetic, total) = (recording.kinetic_energy(), recording.total_energy());
    assert!((kinetic[10] - 0.004811804999999984).abs() <= 2e-16, "{}", kinetic[10]);
    assert!(total.iter().all(|e| e.abs() <= 2e-16), "{total:?}");
    let (mut state, mut stepper) = (State::new(&body), Zhong06::new(&body, 1e-3));
    stepper.step(&body, &mut state, &mut zero_inputs, 1e-3).expect("it is regular");
    let mean = stepper.mid_velocity();
    assert!((mean[2] + 0.004905).abs() <= 2e-16 && mean[0] == 0.0 && mean[1] == 0.0, "{mean:?}");
}

fn list(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

#[test]
fn a_heavy_body_takes_the_steps_of_the_case() {
    let path = format!("{}/reference/zhong06_heavy_body.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("it is there");
    let case: Value = serde_json::from_str(&text).expect("it is JSON");
    let tolerance = case["accuracy"]["abs"].as_f64().expect("a number");
    let body = HeavyBody::new(heavy_body::Params::default()).expect("valid");
    for h in [0.001, 0.01] {
        let steps = case["reference"][format!("h={h}")]["steps"].as_object().expect("steps");
        let (mut state, mut stepper) = (State::new(&body), Zhong06::new(&body, h));
        state.q.copy_from_slice(&list(&steps["0"]["q"]));
        state.v.copy_from_slice(&list(&steps["0"]["qdot"]));
        for n in 1..=100 {
            stepper.step(&body, &mut state, &mut zero_inputs, h).expect("it converges");
            let Some(row) = steps.get(&n.to_string()) else { continue };
            for (found, expected) in [(&state.q, list(&row["q"])), (&state.v, list(&row["qdot"]))] {
                let miss = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(miss <= tolerance, "h = {h}, step {n}: {miss:.1e}");
            }
        }
    }
}

/// The energy of momenta of a top with more than a hundred nutations, ½ p·M⁻¹p + V, oscillates as much in the last tenth of 100,000 steps as in
/// the first.
#[test]
fn a_heavy_top_keeps_its_energy_over_a_hundred_thousand_steps() {
    let top = HeavyTop::new(heavy_top::Params::default()).expect("valid");
    let mut state = State::new(&top);
    assemble(&top, &mut state).expect("it closes");
    let mut stepper = Zhong06::new(&top, 2e-4);
    let mut p = [0.0; 9];
    top.momenta(state.view(&[]), &mut p).expect("speeds are rates");
    let energy = |state: &State<HeavyTop>, p: &[f64]| {
        let kinetic = 0.5 * state.v.iter().zip(p).map(|(v, p)| v * p).sum::<f64>();
        kinetic + top.energy(state.view(&[])).potential
    };
    let initial = energy(&state, &p);
    let mut largest = [0.0_f64; 10];
    for k in 0..100_000 {
        stepper.step(&top, &mut state, &mut zero_inputs, 2e-4).expect("it converges");
        largest[k / 10_000] = largest[k / 10_000].max((energy(&state, stepper.momenta()) - initial).abs());
    }
    println!("{largest:?} J of {initial} J");
    assert!(largest.iter().all(|x| *x < 1.1 * largest[0]), "{largest:?}");
    // The book's figure is 4.7e-7 J of 39 J.
    assert!(largest[0] < 5e-7, "{largest:?}");
}

/// Errors of `Zhong06` after a tenth of a second, with steps of h, h/2 and h/4, fall by four each: its order is two for a constant M and position
/// rows, in the plane and in space. The reference has tolerances of 1e-12.
#[test]
fn steps_of_momenta_have_order_two() {
    fn orders<M: Momenta>(mechanism: &M, h: f64) -> [f64; 2] {
        let mut start = State::new(mechanism);
        assemble(mechanism, &mut start).expect("it closes");
        let mut exact = start.clone();
        let mut reference = DormandPrince::new(mechanism).with_tolerances(1e-12, 1e-14);
        reference.advance_to(mechanism, &mut exact, 0.1, &mut zero_inputs).expect("it converges");
        let error = |h: f64| {
            let mut state = start.clone();
            Zhong06::new(mechanism, h).advance_to(mechanism, &mut state, 0.1, &mut zero_inputs).expect("it converges");
            let (found, wanted) = (state.q.as_ref(), exact.q.as_ref());
            found.iter().zip(wanted).map(|(a, b): (&f64, &f64)| (a - b).abs()).fold(0.0, f64::max)
        };
        let errors = [h, 0.5 * h, 0.25 * h].map(error);
        println!("errors {errors:?}");
        [errors[0] / errors[1], errors[1] / errors[2]].map(f64::log2)
    }
    let bars = FourBar::new(four_bar::Params::default()).expect("valid");
    let top = HeavyTop::new(heavy_top::Params::default()).expect("valid");
    for order in [orders(&bars, 1e-3), orders(&top, 2e-4)].concat() {
        assert!((order - 2.0).abs() < 0.05, "{order}");
    }
}
