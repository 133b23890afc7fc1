//! Bars: spatial bodies in natural coordinates whose points and vectors are on one line. For every basis, motion, reactions and energies are
//! those of body coordinates at zero angular velocity about the line.

use mbs_model::Formulation;

use crate::every_side::{check_against_body, side};

/// Bases of a bar along z from its origin to l.
const BASES: [&str; 5] = [
    "points: [[0, 0, 0]], vectors: [[0, 0, 1]]",
    "points: [[0, 0, 0], [0, 0, l]]",
    "points: [[0, 0, l]], vectors: [[0, 0, -2]]",
    "points: [[0, 0, l], [0, 0, 0.1]]",
    "points: [[0, 0, 0.3]], vectors: [[0, 0, 0.5]]",
];

/// A rod that hangs at one end, with a force at the other.
const PENDULUM: &str = "
    param l = 0.7;
    body rod { mass: 1.3, inertia: [0.2, 0.2, 0.01], com: [0, 0, 0.3], rotation: euler(xyz, [2.5, 0, 0]), BASIS }
    joint ball = spherical(ground at [0.1, 0.2, 0], rod);
    force wind = point_force(rod at [0, 0, l]) { force: [0.5, 0.2 * t, 0.1] in ground };
    force spring = spring_damper(ground at [0.5, 0.1, -0.2], rod at [0, 0, 0.5]) { stiffness: 30, damping: 0.4, free_length: 0.1 };
    output tip = position(rod at [0, 0, l]);
    output along = rod.z;
    output turns = angular_velocity(rod);
    freedoms: 2;";

/// A chain of two rods with a bead at the end.
const CHAIN: &str = "
    param l = 0.4;
    body upper { mass: 0.5, inertia: [0.03, 0.03, 0.001], com: [0, 0, 0.2], rotation: euler(xyz, [0, 2.6, 0]), BASIS }
    body lower { mass: 0.8, inertia: [0.05, 0.05, 0.002], com: [0, 0, 0.1], rotation: euler(xyz, [2.2, 0, 0]), BASIS }
    particle bead { mass: 0.2 }
    joint hook = spherical(ground, upper);
    joint middle = spherical(upper at [0, 0, l], lower);
    joint end = spherical(lower at [0, 0, l], bead);
    force wind = point_force(bead) { force: [0.5, 0.2 * t, 0.1] in ground };
    output tip = position(bead);";

/// A crank drives a rocker through a rod with a ball at each end.
const RSSR: &str = "
    param l = 0.8;
    body crank { mass: 0.4, inertia: [0.002, 0.003, 0.004], com: [0.05, 0, 0.01], rotation: euler(xyz, [0, 0, 0.4]) }
    body rod { mass: 0.7, inertia: [0.04, 0.04, 0.001], com: [0, 0, 0.35], position: [0.18, 0.08, 0], rotation: euler(xyz, [0, 1.2, 0]), BASIS }
    body rocker { mass: 0.9, inertia: [0.02, 0.03, 0.01], com: [0, 0, 0.2], position: [0.9, 0.3, -0.1] }
    joint bearing = revolute(ground, crank) { axis: [0, 0, 1] };
    joint pivot = revolute(ground at [0.9, 0.3, -0.1], rocker) { axis: [0, 1, 0] };
    joint head = spherical(crank at [0.2, 0, 0], rod);
    joint foot = spherical(rod at [0, 0, l], rocker at [0, 0, 0.4]);
    force motor = torque(ground, crank) { torque: [0, 0, 0.4] in ground };
    output angle = pivot.angle;
    freedoms: 1;";

fn text(items: &str, basis: &str) -> String {
    let basis = match basis {
        "" => String::new(),
        basis => format!("coordinates: natural {{ {basis} }}"),
    };
    format!(
        "pub spatial Bars {{ gravity: [0.4, -0.2, -9.81];\n{} }}",
        items.replace("BASIS", &basis).replace(", }", " }")
    )
}

/// Checks the laws in natural coordinates, also against body coordinates, where the bar has one more degree of freedom: the rotation about its
/// line.
fn check_laws(items: &str, basis: &str) {
    let free = ["freedoms: 1;", "freedoms: 2;"].iter().fold(items.to_owned(), |items, count| items.replace(count, ""));
    let body = side(&text(&free, ""), Formulation::Body).compiled;
    check_against_body(&body, &side(&text(items, basis), Formulation::Natural), 3);
}

#[test]
fn every_basis_of_a_bar_moves_it_alike() {
    for items in [PENDULUM, CHAIN, RSSR] {
        for basis in BASES {
            println!("{basis}");
            check_laws(items, basis);
        }
    }
}
