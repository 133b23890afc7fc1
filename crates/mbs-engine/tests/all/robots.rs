//! The robots of `mechanisms/robots/` in every formulation. A test cannot compile them in all formulations; the engine evaluates them.

use mbs_core::{DormandPrince, Mechanism, Pose, State, Stepper, assemble, rotation, zero_inputs};
use mbs_engine::Engine;
use mbs_model::Formulation;

const SECONDS: f64 = 0.1;

/// Final poses of all bodies in a simulation with zero inputs.
fn final_poses(name: &str, formulation: Formulation) -> Vec<f64> {
    let path = format!("{}/../../mechanisms/robots/{name}.mbs", env!("CARGO_MANIFEST_DIR"));
    let engine = Engine::options().formulation(formulation).file(path);
    let engine = engine.unwrap_or_else(|failure| panic!("{name}, {formulation:?}: {failure}"));
    let mut state = State::new(&engine);
    assemble(&engine, &mut state).unwrap_or_else(|error| panic!("{name}, {formulation:?}: {error}"));
    let mut integrator = DormandPrince::new(&engine).with_tolerances(1e-9, 1e-11);
    integrator
        .advance_to(&engine, &mut state, SECONDS, &mut zero_inputs)
        .unwrap_or_else(|error| panic!("{name}, {formulation:?}: {error}"));
    let mut poses = vec![Pose::planar(0.0, 0.0, 0.0); engine.sizes().n_bodies];
    engine.poses(state.view(&vec![0.0; engine.sizes().n_u]), &mut poses);
    let flat = |pose: &Pose| [&pose.position[..], rotation::matrix_of(pose.attitude).as_flattened()].concat();
    poses.iter().flat_map(flat).collect()
}

/// 1e-7 m, and 1e-7 in entries of rotations: tolerances of steps, and the divergence of motions from residuals of the assembly.
#[test]
fn robots_move_alike_in_every_formulation() {
    for name in ["robot_arm7", "quadruped18", "walker"] {
        let joint = final_poses(name, Formulation::Joint);
        for formulation in [Formulation::Body, Formulation::Natural] {
            let other = final_poses(name, formulation);
            let miss = joint.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            println!("{name}, {formulation:?}: {miss:.1e}");
            assert!(miss < 1e-7, "{name}, {formulation:?}: {miss:.1e}");
        }
    }
}
