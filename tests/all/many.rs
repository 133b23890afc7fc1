//! More than 32 of everything: inputs, outputs, parameters, states, discrete variables, switches, events, bodies and rows, compiled, and the
//! derived traits of generated types.

use mbs::{Mechanism, Simulation};

mbs::mechanism! {
    /// Thirty-three beads on as many wires, each driven by a separate input.
    pub planar Beads {
        coordinates: body;
        kernels: [forward, kinematics, energies, outputs, reactions, operators, linearization, steps];
        param masses: [33] = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2];
        input forces: [33];
        state work: [33] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] { rate: forces };
        for i in 0..33 {
            particle bead[i] { mass: masses[i], position: [0, i] }
            joint base[i] = free(ground, bead[i]);
            constraint wire[i] = position(bead[i]).y == i;
            force push[i] = point_force(bead[i]) { force: [forces[i], 0] };
            discrete times[i] = 0;
            switch moved[i] = off;
            event passes[i] = when position(bead[i]).x rises { times[i] = t; moved[i] = on; }
            output reached[i] = position(bead[i]).x;
        }
        output all: [33] = work;
    }
}

#[test]
fn more_than_32_of_everything_compile_and_move() -> Result<(), Box<dyn std::error::Error>> {
    let beads = Beads::new(beads::Params::default())?;
    let sizes = beads.sizes();
    assert_eq!((sizes.n_c, sizes.n_u, sizes.n_events, sizes.n_outputs), (33, 33, 33, 66));
    let run = Simulation::new(&beads).inputs(|_, u| u.iter_mut().enumerate().for_each(|(i, u)| *u = i as f64)).run()?;
    for i in [0, 31, 32] {
        // ½ F t²/m, and F t.
        let (force, mass) = (i as f64, if i == 32 { 2.0 } else { 1.0 });
        let last = |name: &str| run.output(name).map(|values| values[values.len() - 1]);
        assert!((last(&format!("reached[{i}]"))? - 0.5 * force / mass).abs() < 1e-8, "{i}");
        assert!((last(&format!("all[{i}]"))? - force).abs() < 1e-8, "{i}");
    }
    Ok(())
}

#[test]
fn generated_types_have_their_traits_whatever_their_length() {
    fn check<T: Clone + PartialEq + std::fmt::Debug>(value: T) -> String {
        assert_eq!(value, value.clone());
        format!("{value:?}")
    }
    let mut parameters = beads::Params::default();
    assert_eq!(parameters.masses[32], 2.0);
    parameters.masses[31] = 5.0;
    assert_ne!(parameters, beads::Params::default());
    assert!(check(parameters).contains("5.0"));
    check(beads::Inputs::default());
    check(beads::Outputs::default());
    check(beads::OutputRates::default());
}
