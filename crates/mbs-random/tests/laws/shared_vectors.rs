//! Vectors that bodies share in planar natural coordinates, at prismatic joints and welds: motion, reactions, momenta and energies are those of body
//! coordinates, and the numbers of coordinates and rows are small.

use mbs_core::Mechanism;
use mbs_model::Formulation;

use crate::every_side::{check_against_body, side};

/// Checks the laws in natural coordinates, also against body coordinates. Returns the numbers of coordinates and rows.
fn check_laws(items: &str) -> [usize; 2] {
    let text = format!(
        "pub planar Shared {{ gravity: [0.4, -9.81];\n{items}\noutput energy = kinetic_energy + potential_energy; }}"
    );
    let natural = side(&text, Formulation::Natural);
    check_against_body(&side(&text, Formulation::Body).compiled, &natural, 4);
    let sizes = natural.compiled.sizes();
    [sizes.n_q, sizes.n_c]
}

const BODIES: &str = "
    body a { mass: 1.1, inertia: 0.2, com: [0.3, 0.1], angle: 0.4 }
    body b { mass: 0.7, inertia: 0.1, com: [-0.1, 0.2], angle: 0.4 }
    body c { mass: 0.5, inertia: 0.05, com: [0.2, 0], angle: 0.4 }
    marker skew = a at [0.5, 0.1] { angle: 0.3 };
    marker other = b at [0.1, -0.1] { angle: 0.3 };
    force spring = spring_damper(ground at [0.4, 0.9], b at [0.3, 0.2]) { stiffness: 60, damping: 0.7, free_length: 0.1 };
    force motor = torque(ground, c) { torque: 0.3 };";

#[test]
fn a_slider_on_ground_has_the_direction_of_the_guide() {
    // Two coordinates of a point that moves on a line.
    assert_eq!(
        check_laws(
            "body slider { mass: 2, inertia: 0.1, com: [0.1, 0.2], angle: 0.3 }
        marker way = ground at [0.2, 0.1] { angle: 0.3 };
        joint guide = prismatic(way, slider) { axis: [0.6, 0.8] };
        force push = point_force(slider at [0.3, 0]) { force: [1, 2] };"
        ),
        [2, 1]
    );
    // The wrist pin of a slider-crank is a point of the slider and of the rod.
    assert_eq!(
        check_laws(
            "
        body crank { mass: 0.8, inertia: 4e-4, com: [0.02, 0.01], angle: 0.5 }
        body rod { mass: 0.5, inertia: 9e-4, com: [0.07, -0.01], angle: -0.16 }
        body piston { mass: 0.4, inertia: 1e-4, com: [0.01, 0.002], position: [0.19, 0] }
        joint main_bearing = revolute(ground, crank);
        joint crank_pin = revolute(crank at [0.05, 0], rod);
        joint wrist_pin = revolute(rod at [0.15, 0], piston);
        joint cylinder = prismatic(ground, piston) { axis: [1, 0] };"
        ),
        [4, 3]
    );
}

#[test]
fn slides_between_bodies_share_directions() {
    for axis in ["[1, 0]", "[0.6, 0.8]"] {
        let chain = format!(
            "{BODIES}
            joint pin = revolute(ground at [0.1, 0], a at [0.2, 0]);
            joint slide = prismatic(skew, other) {{ axis: {axis} }};
            joint next = prismatic(c, b at [0.2, 0.1]) {{ axis: [1, 0] }};"
        );
        // A point of each body and one shared vector; the last prismatic joint uses another vector of b.
        let [n_q, n_c] = check_laws(&chain);
        assert_eq!(n_q - n_c, 3);
        assert_eq!(n_q, 8);
    }
}

#[test]
fn bodies_that_are_fixed_share_both() {
    for turned in ["0", "0.7", "corner"] {
        let welded = format!(
            "param corner = -0.4; {BODIES}
            joint pin = revolute(ground at [0.1, 0], a at [0.2, 0]);
            joint weld = fixed(skew, other) {{ angle: {turned} }};
            joint last = fixed(b at [0.4, 0.3], c);"
        );
        let [n_q, n_c] = check_laws(&welded);
        assert_eq!(n_q - n_c, 1);
    }
    assert_eq!(
        check_laws(
            "body plate { mass: 2, inertia: 0.3, com: [0.1, 0.2] } body arm { mass: 1, inertia: 0.1, com: [0.3, 0] }
        joint base = fixed(ground at [0.3, 0.2], plate at [0.1, 0]) { angle: 0.4 };
        joint pin = revolute(plate at [0.5, 0], arm);
        joint end = fixed(ground at [9, 9], ballast);
        body ballast { mass: 3, inertia: 0.1 }"
        )[0],
        4
    );
}

/// The moment of a prismatic joint follows from the equations of motion of its two bodies.
#[test]
fn loops_of_slides_and_guides() {
    let [n_q, n_c] = check_laws(
        "
        body left { mass: 1, inertia: 0.1, com: [0.1, 0], angle: 0.5 }
        body right { mass: 1.5, inertia: 0.2, com: [0.2, 0.1], angle: 0.5, position: [0.3, 0.1] }
        body block { mass: 0.4, inertia: 0.02, angle: 0.5 }
        joint first = revolute(ground, left);
        joint second = prismatic(left at [0.1, 0.1], right) { axis: [0.8, 0.6] };
        joint third = prismatic(right at [0.3, 0], block) { axis: [0, 1] };
        joint fourth = point_on_line(ground at [0.2, 0.9], block) { axis: [1, 0] };
        force coil = torsion_spring(ground, right) { stiffness: 3, damping: 0.1, free_angle: 0.2 };
        freedoms: 2;",
    );
    assert_eq!(n_q - n_c, 2);
}
