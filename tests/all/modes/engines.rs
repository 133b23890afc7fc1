//! Cables in the engine, against compiled ones.

use mbs::{Engine, Mechanism, State};

use crate::modes::mechanisms::{FORMULATIONS, assert_all_near, mechanism};

#[test]
fn the_engine_pulls_cables_as_the_compiler_does() {
    let space = include_str!("../../../mechanisms/tensegrity_prism.mbs");
    let space: String =
        space.lines().filter(|line| !line.contains("kernels:")).map(|line| format!("{line}\n")).collect();
    let space = space.replace("param damping = 0;", "param damping = 40;");
    let plane = "planar Hung { gravity: [0, -10];
        body load { mass: 2, inertia: 0.1, position: [0.1, 0.3] }
        joint rail = prismatic(ground, load) { axis: [0.3, 1] };
        force above = cable(ground at [-1, 0], load at [0.1, 0.1]) { stiffness: 500, damping: 30, free_length: 1.1 };
        force below = cable(ground at [0, -0.7], load) { stiffness: 500, damping: 3, free_length: 0.9 }; }";
    for (text, formulation) in [plane, &space].into_iter().flat_map(|text| FORMULATIONS.map(|f| (text, f))) {
        let compiled = mechanism(text, formulation);
        let engine = Engine::options().formulation(formulation).text(text).unwrap_or_else(|e| panic!("{e}"));
        let n = compiled.sizes().n_v;
        for seed in 0..10 {
            // Cables are taut and slack, lengthening and shortening.
            let pattern = |i: usize| 0.3 * (f64::from(seed) + 1.9 * i as f64).sin();
            let mut state = State::new(&compiled);
            state
                .displace(
                    &compiled,
                    &(0..2 * n).map(|i| pattern(i) * if i < n { 0.5 } else { 10.0 }).collect::<Vec<_>>(),
                )
                .unwrap();
            let of = |mechanism: &dyn Fn(&mut [f64], &mut [f64])| {
                let (mut a, mut lambda) = (vec![0.0; n], vec![0.0; compiled.sizes().n_c]);
                mechanism(&mut a, &mut lambda);
                a
            };
            let at = state.view(&[]);
            let ours = of(&|a, lambda| compiled.accelerations(at, a, lambda).unwrap());
            let theirs = of(&|a, lambda| engine.accelerations(at, a, lambda).unwrap());
            // Forces of thousands of newtons act on struts of 1e-4 kg m²: 1e-13 of the accelerations.
            let size = mbs::max_norm(&ours).max(1.0);
            let scaled = |a: &[f64]| a.iter().map(|a| a / size).collect::<Vec<_>>();
            assert_all_near(&scaled(&ours), &scaled(&theirs), 1e-11);
            let energies = [compiled.energy(at).potential, engine.energy(at).potential];
            assert_all_near(&energies[..1], &energies[1..], 1e-12);
        }
    }
}
