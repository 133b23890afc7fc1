//! Bodies without mass or inertia: M a + Gᵀ λ = Q and G a = γ hold in every pose, also where a row has no component along the massless speed
//! that it determines in other poses.

use mbs::Mechanism;

use crate::mechanisms::harness::{
    FORMULATIONS, OwnedState, assembled, compiled_fma, for_each_state, interpret, size, times, transposed_times,
};

/// A slide without inertia: in its initial pose the row along its normal does not rotate it.
const RAIL: &str = "planar Rail {
    param k = -0.25;
    body slider { mass: 0.9, com: [-0.15, -0.5], position: [0.4, 0.25], angle: 0 }
    body light { mass: 0.1, inertia: 0.01, position: [0.5, 0.5], angle: 0.3 }
    joint slide = prismatic(ground, slider at [-0.4, k]) { axis: [0.7, 0.7] };
    force spring = torsion_spring(slider, light) { stiffness: 1, damping: 0.2, free_angle: -0.4 };
}";

/// A link without mass or inertia on a pin and a gear; the arm of its pin is a parameter with the value zero.
const GEARED: &str = "planar Geared {
    gravity: [0, -9.81];
    param inertia = 0.01;
    param arm = 0;
    body carrier { mass: 1, inertia, position: [0, 0], angle: 0 }
    body link { position: [0, 0.1], angle: 0 }
    joint base = free(ground, carrier);
    joint pin = revolute(carrier at [0, 0.05], link at [arm, -0.05]);
    joint mesh = gear(base, pin) { ratio: 1, offset: 0 };
}";

/// Two rods with mass at the tip of the second one only: M is singular where they are in line. A slot guides the tip.
const POINT_MASS: &str = "planar PointMass {
    gravity: [0, -9.81];
    body first { angle: -0.5 }
    body second { mass: 2, com: [1, 0], angle: 0.4 }
    joint shoulder = revolute(ground, first);
    joint elbow = revolute(first at [1, 0], second);
    joint slot = point_on_line(ground at [0, -0.09], second at [1, 0]) { axis: [1, 0] };
}";

/// A rail without mass on a hinge, and a heavy slide on it.
const HOLLOW: &str = "planar Hollow {
    gravity: [0, -9.81];
    body rail { angle: 0.4 }
    body slide { mass: 1, inertia: 0.02, position: [0.3, 0.1] }
    joint hinge = revolute(ground, rail);
    joint guide = prismatic(rail, slide) { axis: [1, 0] };
}";

#[test]
fn the_equations_hold_where_a_speed_has_no_inertia() {
    for text in [RAIL, GEARED, POINT_MASS, HOLLOW] {
        for formulation in FORMULATIONS {
            let name = text.split_whitespace().nth(1).expect("a text starts with kind and name");
            let mechanism = interpret(name, text, Some(formulation), compiled_fma());
            let n = mechanism.sizes().n_v;
            let check = |k: usize, at: &OwnedState| {
                let (mut a, mut lambda) = (vec![0.0; n], vec![0.0; mechanism.sizes().n_c]);
                // A random pose may be singular, which is an error.
                let solved = mechanism.accelerations(at.view(), &mut a, &mut lambda);
                assert!(solved.is_ok() || k > 0, "{name} {formulation:?}: {solved:?}");
                if solved.is_err() {
                    return;
                }
                let jacobian = mechanism.constraint_jacobian(at.view());
                let inertial = times(&mechanism.mass_matrix(at.view()), &a);
                let constraint = transposed_times(&jacobian, n, &lambda);
                let mut forces = vec![0.0; n];
                mechanism.generalized_forces(at.view(), &mut forces);
                // Elimination amplifies rounding by the condition number of the pose: 1e-9 of the largest term.
                let scale = size(&inertial).max(size(&constraint)).max(size(&forces)).max(1.0);
                for i in 0..n {
                    let miss = inertial[i] + constraint[i] - forces[i];
                    assert!(miss.abs() <= 1e-9 * scale, "{name} {formulation:?} state {k}: row {i} misses by {miss}");
                }
                let gamma = mechanism.gamma(at.view());
                for (r, (left, right)) in times(&jacobian, &a).iter().zip(&gamma).enumerate() {
                    let scale = size(&a).max(size(&gamma)).max(1.0);
                    assert!((left - right).abs() <= 1e-9 * scale, "{name} {formulation:?} state {k}: constraint {r}");
                }
            };
            let start = assembled(name, &mechanism);
            let rest = OwnedState { t: 0.0, q: start.q.to_vec(), v: vec![0.0; n], z: Vec::new(), u: Vec::new() };
            check(0, &rest);
            for_each_state(name, &mechanism, 20, |k, at| check(k + 1, at));
        }
    }
}
