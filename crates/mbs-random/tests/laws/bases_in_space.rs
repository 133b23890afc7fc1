//! Declared bases of spatial natural coordinates: for every choice of points and vectors, motion, reactions and energies are those of body
//! coordinates, and all derivatives are correct. Bars are in `bars.rs`.

use mbs_core::{Describe, Mechanism, RowKind};
use mbs_model::Formulation;

use crate::every_side::{check_against_body, side};

/// Every kind of basis of a body with joints at its origin and at (0.4, 0, 0): with basic points at both joints, at one or at none.
const BASES: [&str; 8] = [
    "",
    "points: [[0, 0, 0]], vectors: [[1, 0, 0], [0, 2, 0.5], [0.1, 0, 0.6]]",
    "points: [[0.1, 0.2, 0.1]], vectors: [[1, 0.1, 0], [0, 0.5, 0], [0, 0, 1]]",
    "points: [[0, 0, 0], [0.4, 0, 0]], vectors: [[0, 1, 0.2], [0, 0, 1]]",
    "points: [[0.4, 0, 0], [0, 0.3, 0]], vectors: [[1, 0, 0.3], [0, 0.4, 1]]",
    "points: [[0, 0, 0], [0.4, 0, 0], [0.1, 0.5, 0]], vectors: [[0, 0.1, 0.7]]",
    "points: [[0.4, 0, 0], [0, 0, 0], [0.1, 0.5, 0], [0, 0.1, 0.6]]",
    "points: [[0.3, 0.1, 0], [0, 0.2, 0.1], [-0.2, 0, 0.3], [0.1, -0.4, 0]]",
];

fn text(bases: [&str; 3]) -> String {
    let [a, b, c] = bases.map(|basis| match basis {
        "" => String::new(),
        stated => format!("coordinates: natural {{ {stated} }},"),
    });
    format!(
        "pub spatial Stated {{
            gravity: [0.4, 0.2, -9.81];
            body a {{ {a} mass: 2, inertia: [0.2, 0.25, 0.3], com: [0.1, 0.02, 0.05] }}
            body b {{ {b} mass: 1, inertia: [0.1, 0.12, 0.15], com: [0.2, -0.02, 0], position: [0.4, 0, 0] }}
            body c {{ {c} mass: 0.6, inertia: [0.05, 0.06, 0.08], com: [0.1, 0, 0.1], position: [0.8, 0, 0] }}
            joint base = spherical(ground, a);
            joint knee = revolute(a at [0.4, 0, 0], b) {{ axis: [0, 1, 0.2] }};
            joint wrist = universal(b at [0.4, 0, 0], c);
            force spring = spring_damper(ground at [0.1, 0.2, 0.9], c at [0.4, 0, 0]) {{ stiffness: 30, damping: 0.4, free_length: 0.2 }};
            force coil = torsion_spring(a, b) {{ axis: [0, 1, 0.2], stiffness: 2, damping: 0.1, free_angle: 0.3 }};
            output energy = kinetic_energy + potential_energy;
        }}"
    )
}

#[test]
fn bodies_of_all_bases_move_alike() {
    // Every basis occurs.
    for indices in [[0, 3, 5], [1, 4, 6], [2, 5, 7]] {
        println!("bases {indices:?}");
        let bases = indices.map(|k| BASES[k]);
        let text = text(bases);
        let natural = side(&text, Formulation::Natural);
        check_against_body(&side(&text, Formulation::Body).compiled, &natural, 2);
        let sizes = natural.compiled.sizes();
        // Six degrees of freedom; the angle of the torsion spring is a coordinate with a row.
        assert_eq!(sizes.n_v - sizes.n_c, 6);
    }
}

/// Reference case `natural_planar_and_counts`: a body in flight has twelve coordinates and six rows, for every basis.
#[test]
fn rows_are_counted() {
    for basis in &BASES[1..] {
        let text = format!(
            "pub spatial Flight {{
                body b {{ mass: 1, inertia: [1, 1.1, 1.2], coordinates: natural {{ {basis} }} }}
                joint air = free(ground, b);
            }}"
        );
        let compiled = side(&text, Formulation::Natural).compiled;
        let sizes = compiled.sizes();
        let rigid = (0..sizes.n_c).filter(|r| matches!(compiled.row_kind(*r), RowKind::Body(_))).count();
        assert_eq!([sizes.n_q, sizes.n_c, rigid], [12, 6, 6], "{basis}");
    }
}
