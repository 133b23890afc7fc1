//! The tensegrity prism with bars for struts, in natural coordinates: each bar has two points, at which cables pull, and no spin.

use mbs::analysis::{ModeKind, Modes, Statics};
use mbs::{Describe, Integrator, Item, Mechanism, Quantity, Simulation, State};
use mbs_interp::Interpreted;
use mbs_model::Formulation;

use crate::modes::mechanisms::{assert_all_near, mechanism, output, solved};
use crate::modes::prism::{assert_twisted, text};
use crate::tier::by_tier;

/// The prism with n struts, with an initial twist \[rad\].
fn prism_of_bars(n: usize, twist: f64) -> Interpreted {
    let placed = "coordinates: natural { points: [[0, 0, -length / 2], [0, 0, length / 2]] }, mass, inertia:";
    let text = text(n, twist).replace("mass, inertia:", placed).replace("freedoms: 6 * N;", "freedoms: 5 * N;");
    mechanism(&text, Formulation::Natural)
}

#[test]
fn its_twist_is_ninety_degrees_less_half_an_angle_of_its_polygon() {
    for n in by_tier(&[3, 4][..], &[3, 4, 5, 6]).iter().copied() {
        for twist in [0.3, -0.5, 1.3] {
            let prism = prism_of_bars(n, twist);
            let sizes = prism.sizes();
            assert_eq!((sizes.n_v, sizes.n_c), (6 * n, n));
            assert_eq!(prism.name(Item::Coordinate(0)), "strut[0].point[0].x");
            let found = solved(Statics::new(&prism).stable());
            assert_twisted(&prism, &found, n);
        }
    }
}

/// Frequencies agree with those of struts that can spin, in body coordinates, to 1e-6 of each: the tolerance of equilibria times the stiffness.
#[test]
fn it_has_the_modes_of_struts_that_spin_but_for_their_spin() {
    for n in by_tier(3..=3, 3..=5) {
        let prism = prism_of_bars(n, 0.3);
        let modes = Modes::undamped(&prism, &solved(Statics::new(&prism).stable())).unwrap();
        let drifting = modes.iter().filter(|mode| mode.kind == ModeKind::Drifting).count();
        assert_eq!((drifting, modes.len()), (6, 5 * n), "{modes}");
        let spinning = mechanism(&text(n, 0.3), Formulation::Body);
        let expected = Modes::undamped(&spinning, &solved(Statics::new(&spinning).stable())).unwrap();
        assert_all_near(&modes.frequencies(), &expected.frequencies(), 1e-6);
    }
}

/// Runs with random speeds: energy, momentum and the length of each strut are conserved; in the full tier for 100 s.
#[test]
fn prisms_of_bars_vibrate() {
    for n in by_tier(3..=3, 3..=6) {
        let prism = prism_of_bars(n, 0.3);
        let equilibrium = solved(Statics::new(&prism).stable());
        assert_twisted(&prism, &equilibrium, n);
        let rest = output(&prism, &equilibrium, "energy");
        let mut start: State<Interpreted> = equilibrium.state;
        // Speeds follow a fixed irrational pattern; the start of the run projects out components that lengthen struts.
        start.v.iter_mut().enumerate().for_each(|(i, v)| *v = 0.03 * (1.0 + 2.3 * i as f64).sin());
        let run = Simulation::new(&prism)
            .initial(start)
            .integrator(Integrator::Zhong06 { step: 5e-3 })
            .duration(by_tier(10.0, 100.0))
            .every(1.0)
            .run()
            .unwrap();
        let off = |values: &[f64]| values.iter().fold(0.0_f64, |most, x| most.max((x - values[0]).abs()));
        let energies = run.output("energy").unwrap();
        let size = energies[0] - rest;
        let momenta = ["x", "y", "z"].map(|axis| off(run.output(&format!("momentum.{axis}")).unwrap()));
        let momentum = momenta.into_iter().fold(0.0, f64::max);
        let longer = off(run.table(Quantity::Errors).column("position").unwrap());
        println!("{n} struts: {size:.1e} J within {:.1e}, {momentum:.0e} N s, {longer:.0e} m", off(energies));
        assert!(size > 5e-4 && off(energies) < 0.05 * size, "{n} struts: {} of {size} J", off(energies));
        // Rounding of impulses of some newtons in at most 20,000 steps.
        assert!(momentum < 1e-11, "{n} struts: {momentum:e} N s");
        assert!(longer < 1e-14, "{n} struts: {longer:e} m");
    }
}
