//! Bodies with individually declared coordinates: body, joint and natural ones in one mechanism, with loops between them, against body coordinates,
//! series and the engine.

use mbs_model::Formulation;
use mbs_physics::Placement;

use crate::every_side::{check_against_body, compiled, side};

/// A loop of four bars on a slider, a pendulum and a piston on natural bodies, a gear between a joint of the tree and one of natural bodies.
const PLANE: &str = "pub planar Mixed {
    gravity: [0.3, -9.81];
    coordinates: joint;
    body sled { mass: 2, inertia: 0.3, com: [0.1, 0.05], coordinates: body }
    body crank { mass: 1, inertia: 0.1, com: [0.1, 0.02], position: [-0.5, 0], angle: 1.2 }
    body coupler { mass: 0.7, inertia: 0.1, com: [0.2, 0.01], position: [-0.4, 0.3], angle: 0.2, coordinates: natural }
    body rocker { mass: 0.6, inertia: 0.05, com: [0.1, 0], position: [0.2, 0.4], angle: -1.1, coordinates: natural { points: [[0.5, 0]], vectors: [[1, 0], [0, 1]] } }
    body pendulum { mass: 0.3, inertia: 0.01, com: [0.1, 0], position: [0.1, 0.5], angle: -0.5, coordinates: natural }
    body piston { mass: 0.2, inertia: 0.02, position: [0.3, 0.3], angle: -1 }
    joint rail = prismatic(ground, sled) { axis: [1, 0.2] };
    joint pin_1 = revolute(ground at [-0.5, 0], crank);
    joint pin_2 = revolute(crank at [0.3, 0], coupler);
    joint pin_3 = revolute(coupler at [0.6, 0.1], rocker);
    joint pin_4 = revolute(rocker at [0.5, 0], sled at [0.1, 0.1]);
    joint hung = revolute(coupler at [0.5, 0.2], pendulum);
    joint bore = prismatic(rocker at [0.2, 0], piston) { axis: [1, 0.3] };
    joint mesh = gear(pin_1, hung) { ratio: -1.5 };
    force tie = spring_damper(piston, pendulum at [0.2, 0]) { stiffness: 40, damping: 0.7, free_length: 0.2 };
    force coil = torsion_spring(sled, rocker) { stiffness: 3, free_angle: -1 };
    output load = reaction(pin_3).force; output held = reaction(pin_4).force; output bearing = reaction(bore).torque;
    output pose = position(piston at [0.1, 0.2]); output jolt = acceleration(pendulum at com);
}";

/// A loop of ball joints and universal joints with a free body, a slider on it, and a lever on ground whose angle is geared.
const SPACE: &str = "pub spatial Mixed {
    gravity: [0.3, 0.5, -9.81];
    coordinates: joint;
    body base { mass: 2, inertia: [0.3, 0.2, 0.4], com: [0.1, 0.05, 0.2], position: [0.6, 0, 0], attitude: mrp, coordinates: body }
    body arm { mass: 1, inertia: [0.2, 0.3, 0.25], com: [0.2, 0.1, 0.05] }
    body rod { mass: 0.5, inertia: [0.1, 0.12, 0.15], com: [0.15, 0.1, -0.1], position: [0.4, 0.1, 0.2], coordinates: natural }
    body yoke { mass: 0.4, inertia: [0.05, 0.04, 0.06], com: [0.1, 0, 0.05], position: [0.8, 0.2, 0.3], coordinates: natural }
    body slider { mass: 0.3, inertia: [0.02, 0.03, 0.025], position: [0.9, 0.3, 0.3] }
    body lever { mass: 0.6, inertia: [0.05, 0.06, 0.04], com: [0, 0.1, 0], position: [0, 1, 0], coordinates: natural }
    joint pivot = revolute(ground, arm) { axis: [0, 0.6, 0.8] };
    joint ball = spherical(arm at [0.4, 0.1, 0], rod);
    joint cross = universal(rod at [0.4, 0, 0.1], yoke) { axis: [1, 0, 0.3], second_axis: [0, 1, 0.2] };
    joint tip = spherical(yoke at [0.2, 0, 0.1], base at [0.1, 0.2, 0.3]);
    joint rail = prismatic(yoke, slider) { axis: [0.2, 1, 0] };
    joint turn = revolute(ground at [0, 1, 0], lever) { axis: [1, 0, 0.2] };
    joint mesh = gear(pivot, turn) { ratio: 2 };
    force tie = spring_damper(slider, lever at [0, 0.2, 0]) { stiffness: 40, damping: 0.7, free_length: 0.2 };
    output load = reaction(ball).force; output held = reaction(tip).force; output bearing = reaction(rail).torque;
    output pose = position(slider at [0.1, 0.2, 0]); output jolt = acceleration(rod at com);
}";

#[test]
fn bodies_of_all_coordinates_move_as_one() {
    for text in [PLANE, SPACE] {
        let mixed = side(text, None);
        let placements = &mixed.compiled.compiled().tree.placements;
        let count = |kind: fn(&Placement) -> bool| placements.iter().filter(|placement| kind(placement)).count();
        assert!(count(|p| matches!(p, Placement::Free { .. })) > 0, "some are in body coordinates");
        assert!(count(|p| matches!(p, Placement::Joint { .. })) > 0, "some are in joint coordinates");
        assert!(count(|p| matches!(p, Placement::Natural)) > 2, "some are in natural coordinates");
        check_against_body(&compiled(text, Formulation::Body), &mixed, 4);
    }
}
