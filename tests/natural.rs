//! Generated code in natural coordinates: the same motions, reactions and energies as in others.

use mbs::{Integrator, Item, Mechanism, Reaction, RowKind, Simulation, State, assemble};

mbs::mechanism! {
    /// Bars that share their pins.
    pub planar FourBar {
        gravity: [0, -9.81];
        coordinates: natural;
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

    /// A crane on a post: hinges that share points and axes, a ball, a slide, a spring, a load that is a particle.
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

    /// The same in joint coordinates.
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

    /// The body of Rible's documentation.
    pub spatial Body {
        gravity: [0, 0, -9.81];
        coordinates: natural;
        body body { mass: 1, inertia: [1, 1, 1] }
        joint air = free(ground, body);
        output energy = kinetic_energy + potential_energy;
    }
}

/// Reactions of all joints at the start.
fn reactions<M: Mechanism>(mechanism: &M) -> Vec<Reaction> {
    let mut state = State::new(mechanism);
    assemble(mechanism, &mut state).expect("it closes");
    let s = mechanism.sizes();
    let (mut a, mut lambda) = (vec![0.0; s.n_v], vec![0.0; s.n_c]);
    mechanism.accelerations(state.view(&[]), &mut a, &mut lambda).expect("it is regular");
    let mut reactions = vec![Reaction::default(); s.n_joints];
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
    // Of 0.45 J, at relative tolerances of 1e-11 a step.
    assert!(drift < 1e-8, "{drift:.1e} J");
}

const STRICT: Integrator = Integrator::DormandPrince { rtol: 1e-11, atol: 1e-13 };

/// Two chaotic systems would part; within a second of slow swings what the integrator leaves grows to some 1e-8.
#[test]
fn a_crane_of_points_and_vectors_moves_as_one_of_joints() {
    let natural = Crane::new(crane::Params::default()).expect("valid");
    let jointed = JointedCrane::new(jointed_crane::Params::default()).expect("valid");
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
