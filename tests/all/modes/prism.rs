//! The tensegrity prism of `mechanisms/`: its twist, its modes, its vibration.

use std::f64::consts::PI;

use mbs::analysis::{Equilibrium, ModeKind, Modes, Statics};
use mbs::{Integrator, Mechanism, Simulation, State};
use mbs_interp::Interpreted;
use mbs_model::Formulation;

use crate::modes::mechanisms::{FORMULATIONS, assert_all_near, assert_near, mechanism, output, solved, with_kernels};
use crate::tier::by_tier;

/// The prism with n struts, with an initial twist \[rad\].
pub fn prism(n: usize, twist: f64, formulation: Formulation) -> Interpreted {
    mechanism(&text(n, twist), formulation)
}

/// The prism's text without a `kernels` item, which each test adds.
pub fn text(n: usize, twist: f64) -> String {
    let text = include_str!("../../../mechanisms/tensegrity_prism.mbs");
    let text = text.replace("const N = 3;", &format!("const N = {n};"));
    let text = text.replace("start_twist = 0.3;", &format!("start_twist = {twist:?};"));
    text.lines().filter(|line| !line.contains("kernels:")).map(|line| format!("{line}\n")).collect()
}

/// The initial state with struts translated and rotated by up to `size` \[m, rad\] in a fixed irrational pattern.
fn shaken(prism: &Interpreted, seed: f64, size: f64) -> State<Interpreted> {
    let mut start = State::new(prism);
    let n_v = prism.sizes().n_v;
    let delta: Vec<f64> = (0..2 * n_v)
        .map(|i| if i < n_v { size * (seed + 2.3 * i as f64 + 0.1 * (i * i) as f64).sin() } else { 0.0 })
        .collect();
    start.displace(prism, &delta).unwrap();
    start
}

/// Sets the damping of all cables \[N s/m\].
fn set_damping(prism: &mut Interpreted, damping: f64) {
    let model = &prism.compiled().model;
    let offset = model.quantities.parameters.iter().find(|p| p.name == "damping").expect("it is a parameter").offset;
    let mut parameters = prism.parameters().to_vec();
    parameters[offset] = damping;
    prism.set_parameters(&parameters).unwrap();
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
    check_twists(by_tier(3..=3, 3..=6));
}

/// Equilibria of prisms with so many struts, from every start.
fn check_twists(struts: std::ops::RangeInclusive<usize>) {
    let starts = [
        (Formulation::Body, 0.3, 0.0),
        (Formulation::Body, -0.5, 0.0),
        (Formulation::Body, 1.3, 0.2),
        (Formulation::Joint, 0.3, 0.3),
        (Formulation::Natural, 0.3, 0.0),
        (Formulation::Natural, -0.5, 0.1),
        (Formulation::Natural, 1.3, 0.2),
    ];
    for n in struts {
        for (k, (formulation, twist, size)) in starts.into_iter().enumerate() {
            let prism = prism(n, twist, formulation);
            let found = solved(Statics::new(&prism).initial(shaken(&prism, k as f64, size)).stable());
            println!(
                "{n} struts, {formulation:?}, twisted by {twist}, shaken by {size}: {} iterations",
                found.iterations
            );
            assert_twisted(&prism, &found, n);
        }
    }
}

#[test]
fn it_floats_and_its_struts_spin() {
    for n in by_tier(&[3][..], &[3, 4, 6]).iter().copied() {
        let mut spectra = Vec::new();
        for formulation in FORMULATIONS {
            let prism = prism(n, 0.3, formulation);
            let equilibrium = solved(Statics::new(&prism).stable());
            let modes = Modes::undamped(&prism, &equilibrium).unwrap();
            // Six freedoms of the prism as a whole, and the spin of each strut about its line, on which its cables end.
            let drifting = modes.iter().filter(|mode| mode.kind == ModeKind::Drifting).count();
            assert_eq!((drifting, modes.len()), (6 + n, 6 * n), "{formulation:?} {modes}");
            assert!(modes.is_stable() && modes.frequencies().len() == 5 * n - 6);
            spectra.push(modes.frequencies());
        }
        println!("{n} struts: {:?}", spectra[0]);
        // Squares of frequencies are accurate to 1e-10 of the largest, with inertias that differ a thousandfold.
        spectra[1..].iter().for_each(|spectrum| assert_all_near(spectrum, &spectra[0], 1e-8));
    }
}

#[test]
fn cables_damp_what_stretches_them() {
    for n in by_tier(&[6][..], &[3, 4, 6]).iter().copied() {
        let mut spectra = Vec::new();
        for formulation in FORMULATIONS {
            let mut prism = prism(n, 0.3, formulation);
            set_damping(&mut prism, 2.0);
            let equilibrium = solved(Statics::new(&prism).stable());
            assert_twisted(&prism, &equilibrium, n);
            let modes = Modes::damped(&prism, &equilibrium).unwrap();
            let drifting = modes.iter().filter(|mode| mode.kind == ModeKind::Drifting).count();
            assert_eq!(drifting, 6 + n, "{formulation:?} {modes}");
            let swinging: Vec<_> = modes.moving().map(|mode| mode.eigenvalue).collect();
            // With six struts one motion stretches no cable to first order: prestress alone gives it stiffness, and it has no damping.
            let undamped = swinging.iter().filter(|eigenvalue| eigenvalue.re > -1e-5 * eigenvalue.norm()).count();
            assert_eq!(undamped, usize::from(n == 6), "{formulation:?} {modes}");
            assert!(swinging.iter().all(|eigenvalue| eigenvalue.re < 1e-6), "{formulation:?} {modes}");
            spectra.push(swinging);
        }
        for spectrum in &spectra[1..] {
            assert_eq!(spectrum.len(), spectra[0].len());
            // A symmetric prism has double eigenvalues, which are matched in any order.
            for a in spectrum {
                let nearest = spectra[0].iter().map(|b| (a - b).norm()).fold(f64::INFINITY, f64::min);
                assert_near(nearest / a.norm(), 0.0, 1e-7);
            }
        }
    }
}

#[test]
fn it_vibrates_at_the_frequency_of_its_mode_and_keeps_its_energy() {
    for formulation in FORMULATIONS {
        let prism = prism(3, 0.3, formulation);
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
        // After half a period speeds are opposite, after a full one equal, up to nonlinear terms of the squared amplitude.
        for (row, sign) in [(1, -1.0), (2, 1.0), (4, 1.0)] {
            for (speed, start) in run.table(mbs::Quantity::Speeds).columns().iter().zip(&start.v) {
                assert_near(1e4 * speed[row], 1e4 * sign * start, 1e-3);
            }
        }
        let energies = run.output("energy").unwrap();
        let moving = 0.5e-8;
        assert!(energies.iter().all(|energy| (energy - energies[0]).abs() < 1e-6 * moving + 1e-12), "{energies:?}");
    }
}

#[test]
fn steps_of_momenta_keep_its_energy_while_it_rings() {
    let kernels = "forward, kinematics, energies, outputs, linearization, momenta";
    let prism = with_kernels(kernels, &text(3, 0.3), Formulation::Natural);
    let equilibrium = solved(Statics::new(&prism).stable());
    let modes = Modes::undamped(&prism, &equilibrium).unwrap();
    let mut start = equilibrium.state.clone();
    for mode in modes.moving() {
        start.v.iter_mut().zip(&mode.shape).for_each(|(v, x)| *v += 0.1 * x.re);
    }
    let run = Simulation::new(&prism)
        .initial(start)
        .integrator(Integrator::Zhong06 { step: 5e-4 })
        .duration(by_tier(1.5, 4.0))
        .every(5e-3)
        .run()
        .unwrap();
    let energy = run.output("energy").unwrap();
    // Nine modes of ½ (0.1 m/s)² kg, with steps of a fortieth of the shortest period. Over 100 s, 200,000 steps, the error of the energy is at most
    // 3.2e-5 J in the first tenth, and 3.3e-5 J in the last.
    let off = |rows: &[f64]| rows.iter().fold(0.0_f64, |most, e| most.max((e - energy[0]).abs()));
    let tenth = energy.len() / 10;
    let [first, last] = [off(&energy[..tenth]), off(&energy[9 * tenth..])];
    println!("{first:.1e} {last:.1e} J of {:.3} J", 9.0 * 0.005);
    assert!(first < 0.02 * 0.045 && last < 1.3 * first, "{first:e} {last:e}");
    let errors = run.table(mbs::Quantity::Errors).column("position").unwrap();
    assert!(errors.iter().all(|error| *error < 1e-13), "{errors:?}");
}
