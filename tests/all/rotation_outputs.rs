//! Rotations and matrices as outputs: against the attitudes of poses, compiled and in the engine, in every formulation.

use mbs::{Engine, Mechanism, Recording, Simulation, rotation};
use mbs_model::Formulation;

/// Compiles a declaration, and defines its text as `TEXT`.
macro_rules! compiled_and_text {
    ($($token:tt)*) => {
        mbs::mechanism! { $($token)* }
        const TEXT: &str = stringify!($($token)*);
    };
}

compiled_and_text! {
    spatial Arm {
        gravity: [0, 0, -9.81];
        body upper { mass: 1, inertia: diag([0.1, 0.2, 0.15]), com: [0.3, 0.1, -0.5] }
        body lower { mass: 0.7, inertia: diag([0.05, 0.04, 0.03]), com: [0.1, 0, -0.4] }
        joint shoulder = spherical(ground, upper);
        joint elbow = universal(upper at [0.4, 0, -1], lower);
        output attitude = rotation(lower);
        output between: [3, 3] = transpose(rotation(upper)) * rotation(lower);
    }
}

fn check(run: &Recording) {
    let bodies = ["upper", "lower"].map(|name| run.body(name).unwrap());
    for row in 0..run.len() {
        let [upper, lower] = bodies.map(|body| rotation::matrix_of(body.attitudes[row]));
        for (i, row_of_lower) in lower.iter().enumerate() {
            for (j, expected) in row_of_lower.iter().enumerate() {
                let found = |name: &str| run.output(&format!("{name}[{i}][{j}]")).unwrap()[row];
                let between: f64 = (0..3).map(|k| upper[k][i] * lower[k][j]).sum();
                // The tolerance covers some products of numbers below 1.
                assert!((found("attitude") - expected).abs() < 1e-13, "{row}: {i} {j}");
                assert!((found("between") - between).abs() < 1e-13, "{row}: {i} {j}");
            }
        }
    }
}

#[test]
fn a_rotation_is_its_matrix_row_by_row() {
    for formulation in [Formulation::Body, Formulation::Joint, Formulation::Natural] {
        let engine = Engine::options().formulation(formulation).text(TEXT).unwrap_or_else(|e| panic!("{e}"));
        check(&Simulation::new(&engine).duration(0.5).every(0.1).run().unwrap());
    }
    let arm = Arm::new(arm::Params::default()).unwrap();
    assert_eq!(arm.sizes().n_outputs, 18);
    check(&Simulation::new(&arm).duration(0.5).every(0.1).run().unwrap());
    let outputs: arm::Outputs = arm::Outputs::default();
    let _: [[f64; 3]; 3] = outputs.attitude;
}

#[test]
fn matrices_are_outputs_in_the_plane_too() {
    let text = "planar Crank {
        body crank { mass: 1, inertia: 0.1, com: [1, 0] }
        joint pin = revolute(ground, crank);
        initial pin.rate = 2;
        output turned = [[cos(pin.angle), -sin(pin.angle)], [sin(pin.angle), cos(pin.angle)]];
        output angle = pin.angle;
    }";
    for formulation in [Formulation::Body, Formulation::Joint] {
        let engine = Engine::options().formulation(formulation).text(text).unwrap_or_else(|e| panic!("{e}"));
        let run = Simulation::new(&engine).duration(1.0).run().unwrap();
        for (row, angle) in run.output("angle").unwrap().iter().enumerate() {
            assert!((run.output("turned[1][0]").unwrap()[row] - angle.sin()).abs() < 1e-14);
            assert!((run.output("turned[0][1]").unwrap()[row] + angle.sin()).abs() < 1e-14);
        }
    }
}
