//! Prescribed motions that leave freedoms: least kinetic energy, least kinetic metric, equal in both formulations.

use mbs::{Kinematics, Mechanism, Sizes, StateView};
use mbs_model::Formulation;

use crate::analysis::mechanisms::{engine, for_each_formulation};

/// A driven shaft with two more links and a sprung bob, with loads of every kind; 3 freedoms remain.
const ARM: &str = "pub planar Arm {
    gravity: [0, -9.81];
    body upper { mass: 1.5, inertia: 0.04, com: [0.2, 0.03], angle: 0.3 }
    body lower { mass: 0.7, inertia: 0.02, com: [0.1, -0.05], angle: -0.4 }
    body bob   { mass: 0.3, inertia: 0.001, com: [0.02, 0.01], position: [0.9, -0.2], angle: 0.2 }
    joint shoulder = revolute(ground at [0.1 * sin(2 * t), 0.05 * t.powi(2)], upper);
    joint elbow    = revolute(upper at [0.5, 0], lower);
    joint rail     = prismatic(lower at [0.3, 0], bob) { axis: [1, 0.2] };
    drive swing = shoulder.angle == 0.3 + 0.8 * sin(3 * t);
    force spring = spring_damper(ground at [1, 1], bob) { stiffness: 30, damping: 0.4, free_length: 0.3 };
    force wind = torque(ground, lower) { torque: 0.3 };
    initial elbow.angle = -0.7, rail.position = 0.1;
    freedoms: 3;
    output places = [position(upper).x, position(upper).y, position(lower).x, position(lower).y, position(bob).x, position(bob).y];
    output rates = [rate(upper), rate(lower), rate(bob)];
    output velocities = [velocity(lower).x, velocity(lower).y, velocity(bob).x, velocity(bob).y];
    output spins = [angular_acceleration(upper), angular_acceleration(lower), angular_acceleration(bob)];
    output accelerations = [acceleration(lower).x, acceleration(lower).y, acceleration(bob).x, acceleration(bob).y];
    output load = load(swing);
}";

fn outputs(recording: &mbs::Recording, row: usize, names: &[&str]) -> Vec<f64> {
    let table = recording.table(mbs::Quantity::Outputs);
    let wanted = table.iter().filter(|(name, _)| names.iter().any(|wanted| name.starts_with(wanted)));
    wanted.map(|(_, column)| column[row]).collect()
}

#[test]
fn velocities_and_accelerations_are_the_same_in_every_formulation() {
    let [body, joint] = [Formulation::Body, Formulation::Joint].map(|formulation| {
        Kinematics::new(&engine(ARM, formulation)).at(&[0.0]).run().unwrap_or_else(|e| panic!("{e}"))
    });
    let names = ["places", "rates", "velocities", "spins", "accelerations"];
    let [a, b] = [&body, &joint].map(|recording| outputs(recording, 0, &names));
    assert_eq!(a.len(), 20);
    for (a, b) in a.iter().zip(&b) {
        // Forces of up to 20 N cancel on masses of 0.3 kg: accelerations are accurate to 1e-15 of 100 m/s².
        assert!((a - b).abs() < 1e-11, "{a} is not {b}");
    }
    // Inertia alone moves the elbow.
    assert!(a[7].abs() > 0.1, "{a:?}");
}

#[test]
fn paths_of_least_velocities_converge_to_the_same_one() {
    let path = |formulation, rows| {
        let run =
            Kinematics::new(&engine(ARM, formulation)).grid(0.0, 1.0, rows).run().unwrap_or_else(|e| panic!("{e}"));
        outputs(&run, rows - 1, &["places"])
    };
    let difference = |rows| {
        let [a, b] = [path(Formulation::Body, rows), path(Formulation::Joint, rows)];
        a.iter().zip(&b).fold(0.0_f64, |worst, (a, b)| worst.max((a - b).abs()))
    };
    let (coarse, fine) = (difference(51), difference(101));
    println!("{coarse:e} {fine:e}");
    // Errors are of second order in the interval between rows, a ratio of 4; the differences of the corrections are of higher order still.
    assert!(coarse < 1e-3 && fine < 0.35 * coarse, "{coarse:e}, then {fine:e}");
}

/// Kinetic energy at speeds v.
fn kinetic<M: Mechanism>(mechanism: &M, t: f64, q: &[f64], v: &[f64]) -> f64 {
    let (_, _, _, z, u, _) = mechanism.storage();
    mechanism.energy(StateView { t, q, v, z: z.as_ref(), u: u.as_ref() }).kinetic
}

#[test]
fn no_admissible_velocities_have_less_kinetic_energy() {
    for_each_formulation(ARM, |engine| {
        let run = Kinematics::new(engine).grid(0.0, 1.0, 11).run().unwrap_or_else(|e| panic!("{e}"));
        let Sizes { n_v, n_c, .. } = engine.sizes();
        for row in 0..run.len() {
            let column = |quantity| -> Vec<f64> { run.table(quantity).columns().iter().map(|c| c[row]).collect() };
            let (t, q, v) = (run.times()[row], column(mbs::Quantity::Coordinates), column(mbs::Quantity::Speeds));
            let least = kinetic(engine, t, &q, &v);
            for i in 0..n_v {
                // An admissible x satisfies G x = 0.
                let (mut f, mut x, mut mu) = (vec![0.0; n_v], vec![0.0; n_v], vec![0.0; n_c]);
                f[i] = 1.0;
                engine.solve(StateView::new(t, &q, &[]), &f, &vec![0.0; n_c], &mut x, &mut mu).unwrap();
                let size = x.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
                if size < 1e-9 {
                    continue; // No freedom has a component in this direction.
                }
                // T is of second degree: its least value along x follows from a parabola through three points and is at the middle one.
                let energy = |s: f64| {
                    let v: Vec<f64> = v.iter().zip(&x).map(|(v, x)| v + s * x / size).collect();
                    kinetic(engine, t, &q, &v)
                };
                let (ahead, behind) = (energy(1.0), energy(-1.0));
                assert!((ahead - behind).abs() < 1e-11 * (1.0 + ahead), "row {row}, speed {i}: {ahead} {behind}");
                assert!(ahead >= least - 1e-12);
            }
        }
    });
}

#[test]
fn loads_that_nobody_knows_are_not_recorded() {
    for_each_formulation(ARM, |engine| {
        let run = Kinematics::new(engine).grid(0.0, 0.5, 6).run().unwrap_or_else(|e| panic!("{e}"));
        assert!(!run.has_loads());
        let refusal = run.multiplier("swing").unwrap_err().to_string();
        assert_eq!(refusal, "unknown multiplier (without loads or rows in this recording) `swing`");
        assert!(run.generalized_force("v[0]").is_err() && run.reaction("elbow").is_err());
        assert!(run.output("load").unwrap().iter().all(|load| load.is_nan()));
        assert!(run.output("rates.y").unwrap().iter().all(|rate| rate.is_finite()));
        let mut csv = Vec::new();
        run.to_csv(&mut csv).unwrap();
        let header = String::from_utf8(csv).unwrap().lines().next().unwrap().to_owned();
        assert!(!header.contains("lambda") && !header.contains("reaction"), "{header}");
        assert!(run.page().to_html().contains("elbow"));
    });
}

#[test]
fn without_drives_nothing_moves() {
    let text = "pub planar Free { gravity: [0, -9.81]; body rod { mass: 1, inertia: 0.1, com: [0.5, 0] }
        joint pin = revolute(ground, rod); initial pin.angle = 0.3, pin.rate = 5; }";
    for_each_formulation(text, |engine| {
        let run = Kinematics::new(engine).run().unwrap_or_else(|e| panic!("{e}"));
        for quantity in [mbs::Quantity::Speeds, mbs::Quantity::Accelerations] {
            // Gravity cancels to round-off.
            assert!(run.table(quantity).columns().iter().flatten().all(|x| x.abs() < 1e-13));
        }
    });
}

#[test]
fn massless_mechanisms_move_alike() {
    let text = "pub planar Massless { kernels: [kinematics, outputs];
        body crank { } body rod { } joint pin = revolute(ground, crank); joint knee = revolute(crank at [1, 0], rod);
        drive turn = pin.angle == 2 * t + t.powi(2);
        output rate = rate(crank); output acceleration = angular_acceleration(crank); }";
    for_each_formulation(text, |engine| {
        let run = Kinematics::new(engine).grid(0.0, 1.0, 5).run().unwrap_or_else(|e| panic!("{e}"));
        for (i, t) in run.times().iter().enumerate() {
            assert!((run.output("rate").unwrap()[i] - 2.0 - 2.0 * t).abs() < 1e-12);
            assert!((run.output("acceleration").unwrap()[i] - 2.0).abs() < 1e-12);
        }
    });
}
