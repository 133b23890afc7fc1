//! Declared bases of planar natural coordinates: for every choice of points and vectors, motion, reactions and energies are those of body
//! coordinates, and all derivatives are correct.

use mbs_core::{Describe, Differentiable, Item, Mechanism, RowKind, StateView};
use mbs_model::Formulation;
use mbs_physics::Tree;
use mbs_random::laws;
use mbs_random::state::{Random, assembled, consistent};

use crate::every_side::{check_against_body, side};
use crate::tier::is_in_turn;

/// Every kind of planar basis of a body with pins at its origin and at (l, 0): with basic points at both pins, at one or at none.
const BASES: [&str; 9] = [
    "points: [[0, 0]], vectors: [[0.3, 0.4]]",
    "points: [[l, 0]], vectors: [[0, 2]]",
    "points: [[0, 0], [l, 0]]",
    "points: [[0.2, 0.3], [l, 0]]",
    "points: [[0, 0]], vectors: [[0.5, 0], [0.1, 0.4]]",
    "points: [[0.2, -0.1]], vectors: [[1, 1], [-2, 0.5]]",
    "points: [[l, 0], [0, 0]], vectors: [[0.3, 0.7]]",
    "points: [[0.1, 0.2], [l, 0], [0, 0]]",
    "points: [[0, 0], [0.2, 0.3], [-0.1, 0.4]]",
];

/// Bodies that each have a pin at the origin and another one at (l, 0), and all other items.
struct Linkage<'t> {
    name: &'t str,
    bodies: &'t [(&'t str, &'t str, &'t str)],
    others: &'t str,
}

const FOUR_BAR: Linkage<'static> = Linkage {
    name: "four-bar",
    bodies: &[
        ("crank", "0.1", "mass: 0.2, inertia: 2e-4, com: [0.05, 0.01], position: [0, 0], angle: 1.0"),
        ("coupler", "0.35", "mass: 0.7, inertia: 7e-3, com: [0.17, -0.02], angle: -1.12"),
        ("rocker", "0.25", "mass: 0.5, inertia: 3e-3, com: [0.12, 0.03], angle: 4.32"),
    ],
    others: "
        joint crank_bearing = revolute(ground, crank);
        joint crank_pin = revolute(crank at [l_crank, 0], coupler);
        joint rocker_pin = revolute(coupler at [l_coupler, 0], rocker at [l_rocker, 0]);
        joint rocker_bearing = revolute(ground at [0.3, 0], rocker);
        marker skew = coupler at [0.1, 0] { angle: 0.7 };
        force motor = torque(crank, skew) { torque: 0.4 };
        force spring = spring_damper(ground at [0.1, 0.2], coupler at [0.1, 0.1]) { stiffness: 30, damping: 0.4, free_length: 0.1 };",
};

const SLIDER_CRANK: Linkage<'static> = Linkage {
    name: "slider-crank",
    bodies: &[
        ("crank", "0.05", "mass: 0.8, inertia: 4e-4, com: [0.02, 0.01], angle: 0.5"),
        ("rod", "0.15", "mass: 0.5, inertia: 9e-4, com: [0.07, -0.01], angle: -0.16"),
        ("piston", "0.03", "mass: 0.4, inertia: 1e-4, com: [0.01, 0.002], position: [0.19, 0], angle: 0"),
    ],
    others: "
        joint main_bearing = revolute(ground, crank);
        joint crank_pin = revolute(crank at [l_crank, 0], rod);
        joint wrist_pin = revolute(rod at [l_rod, 0], piston);
        joint cylinder = prismatic(ground, piston) { axis: [1, 0] };
        force spring = spring_damper(ground at [0.3, 0], piston at [l_piston, 0]) { stiffness: 500, damping: 5, free_length: 0.1 };
        drive spin = main_bearing.rate == 3 + 0.2 * sin(t);",
};

const PENDULUM: Linkage<'static> = Linkage {
    name: "pendulum",
    bodies: &[("rod", "0.7", "mass: 1.3, inertia: 0.2, com: [0.3, -0.2], angle: 0.4")],
    others: "
        joint pin = revolute(ground at [0.1, 0.2], rod);
        force coil = torsion_spring(ground, rod) { stiffness: 3, damping: 0.1, free_angle: 0.2 };
        force wind = point_force(rod at [l_rod, 0]) { force: [0.5, 0.2 * t] };",
};

const ALL: [&Linkage<'static>; 3] = [&FOUR_BAR, &SLIDER_CRANK, &PENDULUM];

/// The declaration, with the bases of the bodies that have one.
fn text(mechanism: &Linkage<'_>, basis_of: &dyn Fn(usize) -> Option<&'static str>) -> String {
    let lengths = mechanism.bodies.iter().map(|(name, l, _)| format!("param l_{name} = {l};\n"));
    let bodies = mechanism.bodies.iter().enumerate().map(|(b, (name, _, arguments))| {
        let of_body = |basis: &str| basis.replace("[l, 0]", &format!("[l_{name}, 0]"));
        let stated = basis_of(b).map(|basis| format!(", coordinates: natural {{ {} }}", of_body(basis)));
        format!("body {name} {{ {arguments}{} }}\n", stated.unwrap_or_default())
    });
    let items: String = lengths.chain(bodies).collect();
    let first = mechanism.bodies[0].0;
    let outputs = format!("output bearing = position({first}); output energy = kinetic_energy + potential_energy;");
    format!("pub planar Stated {{ gravity: [0.4, -9.81];\n{items}{}\n{outputs} }}", mechanism.others)
}

/// Checks the laws in natural coordinates, also against body coordinates.
fn check_laws(text: &str) {
    check_against_body(&side(text, Formulation::Body).compiled, &side(text, Formulation::Natural), 3);
}

#[test]
fn every_basis_of_one_body_moves_it_alike() {
    for mechanism in ALL {
        for b in 0..mechanism.bodies.len() {
            for basis in BASES {
                let text = text(mechanism, &|of| (of == b).then_some(basis));
                if is_in_turn(&text, 0, 2) {
                    println!("{}, {}: {basis}", mechanism.name, mechanism.bodies[b].0);
                    check_laws(&text);
                }
            }
        }
    }
}

/// Neighbours share points and distances in all possible combinations.
#[test]
fn bodies_of_all_bases_move_alike() {
    for mechanism in ALL {
        for k in 0..BASES.len() {
            println!("{}, from basis {k}", mechanism.name);
            for text in
                [text(mechanism, &|_| Some(BASES[k])), text(mechanism, &|b| Some(BASES[(k + 4 * b + 1) % BASES.len()]))]
            {
                if is_in_turn(&text, 0, 2) {
                    check_laws(&text);
                }
            }
        }
    }
}

/// Derivatives of accelerations and multipliers against central differences, h = 1e-5: 1e-7 of the largest.
#[test]
fn derivatives_of_accelerations_are_those_of_differences() {
    for mechanism in [&FOUR_BAR, &PENDULUM] {
        let text = text(mechanism, &|b| Some(BASES[(3 * b + 4) % BASES.len()]));
        let text =
            text.replace("gravity:", "kernels: [forward, energies, outputs, jacobians, linearization]; gravity:");
        let compiled = side(&text, Formulation::Natural).compiled;
        let start = assembled(&compiled).expect("declared poses are near");
        let (n_v, n_c) = (compiled.sizes().n_v, compiled.sizes().n_c);
        for at in consistent(&compiled, &start, 3, &mut Random::new(5)) {
            let (mut a, mut lambda) = (vec![0.0; n_v], vec![0.0; n_c]);
            let mut derivatives = vec![0.0_f64; (n_v + n_c) * 2 * n_v];
            compiled.acceleration_jacobian(at.view(), &mut a, &mut lambda, &mut derivatives).expect("it is regular");
            let largest = derivatives.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            let solution = |k: usize, h: f64| {
                let mut displaced = at.clone();
                if k < n_v {
                    displaced.q[k] += h
                } else {
                    displaced.v[k - n_v] += h
                }
                let (a, lambda) = laws::accelerations(&compiled, &displaced).expect("it is regular");
                [a, lambda].concat()
            };
            for k in 0..2 * n_v {
                let (forth, back) = (solution(k, 1e-5), solution(k, -1e-5));
                for (i, (x, y)) in forth.iter().zip(&back).enumerate() {
                    let (found, expected) = (derivatives[i * 2 * n_v + k], (x - y) / 2e-5);
                    assert!((found - expected).abs() <= 1e-7 * largest, "{}: {found}, not {expected}", mechanism.name);
                }
            }
        }
    }
}

/// Numbers of coordinates, of rows of rigid bodies, and of rows of joints.
fn counts(bodies: &str, others: &str) -> [usize; 3] {
    let compiled = side(&format!("pub planar Counted {{ {bodies}\n{others} }}"), Formulation::Natural).compiled;
    let sizes = compiled.sizes();
    let intrinsic = (0..sizes.n_c).filter(|r| matches!(compiled.row_kind(*r), RowKind::Body(_))).count();
    assert_eq!(compiled.compiled().tree.n_intrinsic(), intrinsic);
    [sizes.n_q, intrinsic, sizes.n_c - intrinsic]
}

/// Vectors whose lengths differ from those of the mechanism: checks are relative to their lengths.
#[test]
fn vectors_have_any_length() {
    for vectors in ["[1e4, 0], [0, 1e-4]", "[1e-5, 2e-5], [3e5, 0]"] {
        let body = format!(
            "body b {{ mass: 1, inertia: 0.1, coordinates: natural {{ points: [[0, 0]], vectors: [{vectors}] }} }}"
        );
        assert_eq!(counts(&body, "joint pin = revolute(ground, b); freedoms: 1;"), [4, 3, 0]);
    }
}

/// One direction needs one row, two need three; `planar_body_intrinsic_constraints` and `bar_intrinsic_constraints` of reference case
/// `natural_planar_and_counts`. A pin at a basic point needs none, one elsewhere two.
#[test]
fn rows_are_counted() {
    let free = |basis: &str| {
        let body = format!("body b {{ mass: 1, inertia: 1, coordinates: natural {{ {basis} }} }}");
        [
            counts(&body, "joint air = free(ground, b);"),
            counts(&body, "joint pin = revolute(ground at [1, 0], b at [0.5, 0]);"),
        ]
    };
    assert_eq!(free("points: [[0.5, 0]], vectors: [[1, 2]]"), [[4, 1, 0], [2, 1, 0]]);
    assert_eq!(free("points: [[0, 0], [0.5, 0]]"), [[4, 1, 0], [2, 1, 0]]);
    assert_eq!(free("points: [[0, 0]], vectors: [[1, 2], [0, 1]]"), [[6, 3, 0], [6, 3, 2]]);
    assert_eq!(free("points: [[0, 0], [0.5, 0]], vectors: [[0, 1]]"), [[6, 3, 0], [4, 3, 0]]);
    assert_eq!(free("points: [[0, 0], [0, 1], [0.5, 0]]"), [[6, 3, 0], [4, 3, 0]]);
}

/// Names of the rows of rigidity of two plates, where plate a floats and b is pinned to it at points of both bases.
fn rigidity_rows(plates: [(&str, &str); 2], pins: &[&str]) -> Vec<String> {
    let plates = plates.map(|(name, points)| {
        format!("body {name} {{ mass: 1, inertia: 1, coordinates: natural {{ points: [{points}] }} }}\n")
    });
    let pin = |(k, at): (usize, &&str)| format!("joint p{k} = revolute(a at {at}, b at {at});\n");
    let pins: String = pins.iter().enumerate().map(pin).collect();
    let text = format!("pub planar Kept {{ {}{pins} joint air = free(ground, a); }}", plates.concat());
    let parsed = mbs_syntax::parse_text("rigidity_rows.mbs", &text);
    let mut model = mbs_resolve::resolve(&parsed.definitions[0]).unwrap_or_else(|errors| panic!("{:?}", errors.list()));
    mbs_physics::set_formulation(&mut model, Formulation::Natural);
    Tree::new(&model).rows.iter().map(|row| row.name.clone()).collect()
}

/// The distance between two points that bodies share is a row of the first body only. The second body then has no row for u·u or v·v or, if the
/// distance is that of the ends of u and v, for u·v.
#[test]
fn distances_that_bodies_share_are_kept_once() {
    let (three, two) = ("[0, 0], [1, 0], [0, 1]", "[0, 0], [1, 0]");
    let pins = ["[0, 0]", "[1, 0]", "[0, 1]"];
    let all_of_a = ["a.rigid.uu", "a.rigid.vv", "a.rigid.uv"];
    assert_eq!(rigidity_rows([("a", three), ("b", two)], &pins[..2]), all_of_a);
    assert_eq!(rigidity_rows([("b", two), ("a", three)], &pins[..2]), ["b.rigid", "a.rigid.vv", "a.rigid.uv"]);
    assert_eq!(
        rigidity_rows([("b", "[0, 1], [0, 0]"), ("a", three)], &[pins[0], pins[2]]),
        ["b.rigid", "a.rigid.uu", "a.rigid.uv"]
    );
    assert_eq!(
        rigidity_rows([("b", "[0, 1], [1, 0]"), ("a", three)], &pins[1..]),
        ["b.rigid", "a.rigid.uu", "a.rigid.vv"]
    );
    assert_eq!(rigidity_rows([("a", three), ("b", three)], &pins), all_of_a);
}

/// Mass, first moments and coordinates of a point and two vectors as in reference case `natural_planar_and_counts`; the second moment of each axis is
/// half the moment of inertia.
#[test]
fn stated_vectors_keep_their_lengths() {
    let text = "pub planar Plate {
        body b { mass: 2, inertia: 0.3, com: [0.205, 0.155], coordinates: natural { points: [[0, 0]], vectors: [[0.5, 0], [0.1, 0.4]] }, angle: 0 }
        joint air = free(ground, b);
    }";
    let compiled = side(text, Formulation::Natural).compiled;
    let names: Vec<&str> = (0..6).map(|i| compiled.name(Item::Coordinate(i))).collect();
    assert_eq!(names, ["b.point.x", "b.point.y", "b.vector[0].x", "b.vector[0].y", "b.vector[1].x", "b.vector[1].y"]);
    let start = assembled(&compiled).expect("it is free");
    assert_eq!(start.q, [0.0, 0.0, 0.5, 0.0, 0.1, 0.4]);
    let mass = |q: &[f64]| compiled.mass_matrix(StateView { t: 0.0, q, v: &[0.0; 6], z: &[], u: &[] });
    let found = mass(&start.q);
    assert_eq!(found, mass(&[0.3, 1.0, -0.2, 0.7, 0.9, 2.0]), "it does not depend on coordinates");
    // [ū v̄]⁻¹ of the centre of mass: 2 (0.205 − 0.155/4), 2.5 · 0.155.
    for (k, expected) in [(0, 2.0), (2, 0.665), (4, 0.775)] {
        assert!((found[6 * k] - expected).abs() <= 1e-15, "{} instead of {expected}", found[6 * k]);
    }
    let rows: Vec<&str> = (0..3).map(|r| compiled.name(Item::Row(r))).collect();
    assert_eq!(rows, ["b.rigid.uu", "b.rigid.vv", "b.rigid.uv"]);
}
