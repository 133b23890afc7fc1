//! The tensegrity prism of `mechanisms/`: its twist, its modes, its vibration.

use std::f64::consts::PI;

use mbs::analysis::{Equilibrium, ModeKind, Modes, Statics};
use mbs::{Integrator, Mechanism, Simulation, State};
use mbs_codegen::Interpreted;
use mbs_model::Formulation;

use crate::mechanisms::{assert_near, mechanism, output, solved};

/// With n struts, put together with a twist \[rad\]; kernels are left to the tests.
pub fn text(n: usize, twist: f64) -> String {
    let text = include_str!("../../mechanisms/tensegrity_prism.mbs");
    let text = text.replace("const N = 3;", &format!("const N = {n};"));
    let text = text.replace("start_twist = 0.3;", &format!("start_twist = {twist:?};"));
    text.lines().filter(|line| !line.contains("kernels:")).map(|line| format!("{line}\n")).collect()
}

fn prism(n: usize, twist: f64, formulation: Formulation) -> Interpreted {
    mechanism(&text(n, twist), formulation)
}

/// The struts of a start, shifted and turned by up to `size` by a fixed irrational pattern.
fn shaken(prism: &Interpreted, seed: f64, size: f64) -> State<Interpreted> {
    let mut start = State::new(prism);
    let n_v = prism.sizes().n_v;
    let delta: Vec<f64> = (0..2 * n_v)
        .map(|i| if i < n_v { size * (seed + 2.3 * i as f64 + 0.1 * (i * i) as f64).sin() } else { 0.0 })
        .collect();
    start.displace(prism, &delta).unwrap();
    start
}

pub fn assert_twisted(prism: &Interpreted, found: &Equilibrium<Interpreted>, n: usize) {
    for i in 0..n {
        let twist = output(prism, found, &format!("twist[{i}]"));
        assert!((twist - (PI / 2.0 - PI / n as f64)).abs() < 1e-9, "{n} struts: {}°", twist.to_degrees());
        assert!(output(prism, found, &format!("tension[{i}]")) > 1.0);
    }
}

#[test]
fn its_twist_is_ninety_degrees_less_half_an_angle_of_its_polygon() {
    let starts = [
        (Formulation::Body, 0.3, 0.0),
        (Formulation::Body, -0.5, 0.0),
        (Formulation::Body, 1.3, 0.2),
        (Formulation::Joint, 0.3, 0.3),
    ];
    for n in 3..=6 {
        for (k, (formulation, twist, size)) in starts.into_iter().enumerate() {
            let prism = prism(n, twist, formulation);
            let found = solved(Statics::new(&prism).initial(shaken(&prism, k as f64, size)).stable());
            println!("{n} struts, twisted by {twist}, shaken by {size}: {} iterations", found.iterations);
            assert_twisted(&prism, &found, n);
        }
    }
}

#[test]
fn it_floats_and_its_struts_spin() {
    for n in 3..=4 {
        let prism = prism(n, 0.3, Formulation::Body);
        let equilibrium = solved(Statics::new(&prism).stable());
        let modes = Modes::undamped(&prism, &equilibrium).unwrap();
        // Six of the whole; nothing holds a strut about its own line, on which its cables end.
        let drifting = modes.iter().filter(|mode| mode.kind == ModeKind::Drifting).count();
        assert_eq!((drifting, modes.len()), (6 + n, 6 * n), "{modes}");
        assert!(modes.is_stable() && modes.frequencies().len() == 5 * n - 6);
    }
}

#[test]
fn it_vibrates_at_the_frequency_of_its_mode_and_keeps_its_energy() {
    let prism = prism(3, 0.3, Formulation::Body);
    let equilibrium = solved(Statics::new(&prism).stable());
    let modes = Modes::undamped(&prism, &equilibrium).unwrap();
    let mode = modes.moving().next().unwrap();
    let mut start = equilibrium.state.clone();
    start.v.iter_mut().zip(&mode.shape).for_each(|(v, x)| *v = 1e-4 * x.re);
    let period = std::f64::consts::TAU / mode.frequency();
    let run = Simulation::new(&prism)
        .initial(start.clone())
        .integrator(Integrator::DormandPrince { rtol: 1e-10, atol: 1e-13 })
        .duration(2.0 * period)
        .every(period / 2.0)
        .run()
        .unwrap();
    // After half a period speeds are opposite, after a whole one the same; nonlinear by the amplitude squared.
    for (row, sign) in [(1, -1.0), (2, 1.0), (4, 1.0)] {
        for (speed, start) in run.table(mbs::Quantity::Speeds).columns().iter().zip(&start.v) {
            assert_near(1e4 * speed[row], 1e4 * sign * start, 1e-3);
        }
    }
    let energies = run.output("energy").unwrap();
    let moving = 0.5e-8;
    assert!(energies.iter().all(|energy| (energy - energies[0]).abs() < 1e-6 * moving + 1e-12), "{energies:?}");
}
