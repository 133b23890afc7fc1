//! Nested rates of functions of time, deeper than those of a motion: in rows, points on ground, loads and outputs.

use crate::every_side::{check_laws, check_natural};

/// Two bars in the plane: a fourth rate drives the first, and a spring pulls the second to a point that moves on ground.
const PLANE: &str = "pub planar Deep {
    gravity: [0.3, -9.81];
    param pace = 1.3;
    body arm { mass: 1, inertia: 0.1, com: [0.3, 0.1], angle: 0.1 }
    body hand { mass: 0.5, inertia: 0.05, com: [0.2, 0], position: [0.5, 0], angle: 0.4 }
    joint pin = revolute(ground, arm);
    joint hinge = revolute(arm at [0.5, 0], hand);
    drive turn = pin.angle == 0.02 * rate(rate(rate(rate(sin(pace * t) + exp(0.3 * t)))));
    force pull = spring_damper(ground at [1, rate(rate(rate(cos(0.9 * t))))], hand) { stiffness: 5, damping: 2, free_length: 0.1 };
    force twist = torque(arm, hand) { torque: rate(rate(rate(rate(rate(sin(t) * cos(2 * t)))))) };
    output shake = rate(rate(rate(rate(rate(rate(rate(sin(pace * t))))))));
    output jolt = acceleration(hand at com);
}";

/// Two bars in space: a fourth rate drives the first, and a spring pulls the second to a point that moves on ground.
const SPACE: &str = "pub spatial Deep {
    gravity: [0.3, 0.5, -9.81];
    param pace = 1.3;
    body arm { mass: 1, inertia: [0.1, 0.12, 0.15], com: [0.3, 0.1, 0.05] }
    body hand { mass: 0.5, inertia: [0.05, 0.04, 0.06], com: [0.2, 0, 0.1], position: [0.5, 0, 0] }
    joint pin = revolute(ground, arm) { axis: [0, 0.6, 0.8] };
    joint hinge = revolute(arm at [0.5, 0, 0], hand) { axis: [0, 1, 0] };
    drive turn = pin.angle == 0.02 * rate(rate(rate(rate(sin(pace * t) + exp(0.3 * t)))));
    force pull = spring_damper(ground at [1, 0, rate(rate(rate(cos(0.9 * t))))], hand) { stiffness: 5, damping: 2, free_length: 0.1 };
    output shake = rate(rate(rate(rate(rate(rate(rate(sin(pace * t))))))));
    output jolt = acceleration(hand at com);
}";

#[test]
fn nested_rates_have_all_their_derivatives_in_every_formulation() {
    for text in [PLANE, SPACE] {
        check_laws(text);
        check_natural(text);
    }
}
