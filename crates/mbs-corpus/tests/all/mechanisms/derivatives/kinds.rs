//! Every spatial joint kind, in the tree from either end, cut, and in body coordinates, with all attitudes and axes of velocities: two bodies,
//! a spring, a bushing and an input.

use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_model::catalog::{Build, Ends, Kind, SPATIAL_JOINTS, Shape};
use mbs_model::{Formulation, Kernels};

use super::check;
use crate::tiers::is_full_tier;

/// Arguments without symmetry for kinds whose arguments [`arguments`] would choose differently.
const ARGUMENTS: [(&str, &str); 21] = [
    ("screw", "axis: [0.3, 0.2, 1], pitch: 0.3"),
    ("planar", "normal: [0.3, 1, 0.2]"),
    ("universal", "axis: [1, 0, 0.3], second_axis: [0, 1, 0.2]"),
    ("bend_stretch", "axis: [0.1, 0, 1], slide: [1, 0.2, 0]"),
    ("spherical_coordinates", "axis: [0, 0, 1], second_axis: [0, 1, 0], slide: [0, 0.2, 1]"),
    ("universal_prismatic", "axis: [0, 1, 0], second_axis: [1, 0, 0.5], slide: [0, 0.2, 1]"),
    ("prismatic_revolute", "slide: [1, 0, 1], axis: [0, 1, 0]"),
    ("prismatic_universal", "slide: [1, 0, 1], axis: [0, 1, 0], second_axis: [1, 0, 0.5]"),
    ("prismatic_spherical", "slide: [1, 0, 1]"),
    ("planar_fixed", "normal: [1, 2, 1]"),
    ("planar_revolute", "normal: [1, 2, 1], axis: [0, 1, 0]"),
    ("planar_universal", "normal: [1, 2, 1], axis: [0, 1, 0], second_axis: [1, 0, 0.5]"),
    ("planar_spherical", "normal: [1, 2, 1]"),
    ("floating_revolute", "axis: [0, 1, 0.3]"),
    ("floating_universal", "axis: [0, 1, 0], second_axis: [1, 0, 0.5]"),
    ("orbital_revolute", "radius: 0.4, axis: [0, 1, 0.4]"),
    ("orbital_universal", "radius: 0.4"),
    ("point_on_line", "axis: [1, 0.4, 0]"),
    ("point_on_plane", "normal: [1, 0.4, 0]"),
    ("distance", "length: 0.5"),
    ("constant_angle", "axis: [1, 0.4, 0], second_axis: [0, 0, 1], angle: 1.1"),
];

/// Every kind of the catalogue between two bodies, with its arguments; kinds that only close loops come last.
fn kinds() -> impl Iterator<Item = (&'static str, String)> {
    SPATIAL_JOINTS.iter().filter(|kind| kind.ends == Ends::Two).map(|kind| (kind.name, arguments(kind)))
}

/// Arguments of a kind: those of [`ARGUMENTS`], or skew axes and numbers.
fn arguments(kind: &Kind) -> String {
    if let Some((_, written)) = ARGUMENTS.iter().find(|(name, _)| *name == kind.name) {
        return (*written).to_owned();
    }
    let mut skew = SKEW.into_iter();
    let each = kind.arguments.iter().map(|argument| match argument.shape {
        Shape::Number => format!("{}: 0.4", argument.name),
        Shape::Axis => format!("{}: {}", argument.name, skew.next().expect("no kind has more axes")),
        _ => format!("{}: [0.3, 0.5, 0.2]", argument.name),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// Axes that no kind has by default, pairwise not parallel.
const SKEW: [&str; 3] = ["[0.3, 0.2, 1]", "[1, 0, 0.3]", "[0, 1, 0.2]"];

/// Declared kinds: with speeds that are rates, with a different function in each component, and with declared speeds.
const DECLARED: [(&str, &str); 4] = [
    ("SlideTurn", "coordinate s; coordinate turn: angle; pose { rotation: [0, turn, 0], translation: [s, 0, 0] }"),
    (
        "Worm",
        "coordinate angle: angle; pose { rotation: [0.1 * angle.powi(2), 0, angle], axes: [[1, 0.2, 0], [0, 1, 0], [0, 0.1, 1]],
         translation: [0.02 * cos(angle), m * 0.1 * sin(angle), 0.1 * angle + 0.03 * angle.powi(2)] }",
    ),
    (
        "Socket",
        "coordinate q: quaternion; speed u: [3];
         kinematics: [
             -(q[1] * u[0] + q[2] * u[1] + q[3] * u[2]) / 2, (q[0] * u[0] - q[3] * u[1] + q[2] * u[2]) / 2,
             (q[3] * u[0] + q[0] * u[1] - q[1] * u[2]) / 2, (-q[2] * u[0] + q[1] * u[1] + q[0] * u[2]) / 2,
         ];
         pose { rotation: quaternion(q), translation: [0.1 * quaternion(q).z.x, 0.2 * q[1] * q[2], 0.05 * q[3]] }",
    ),
    (
        "Track",
        "coordinate a; coordinate b; speed u; speed w; kinematics: [u * cos(b) + 0.2 * w, w / (1.5 + sin(a))];
         pose { rotation: [a, a * b, 0], translation: [sin(a), cos(b), a * b] }",
    ),
];

const ATTITUDES: [&str; 8] =
    ["quaternion", "mrp", "rodrigues", "vector", "euler(zyx)", "euler(zxz)", "euler(xyz)", "euler(yxy)"];

/// The second body is attached to the first by a tree joint, or is free and connected to it by a cut joint.
fn text(i: usize, (kind, arguments): (&str, &str), reversed: bool, cut: bool) -> String {
    let declared = DECLARED.iter().find(|(name, _)| *name == kind);
    let (declared, arguments) = match declared {
        Some((name, body)) => (format!("joint kind {name}(f, g) {{ {body} }}"), ""),
        None => (String::new(), arguments),
    };
    let [a, b] = [i, i + 3].map(|k| ATTITUDES[k % ATTITUDES.len()]);
    let axes = [["world", "body"], ["body", "world"]][i % 2];
    let mut ends = ["a at [0.1, 0.2, 0]", "b at [0.1, 0, 0.1]"];
    if reversed {
        ends.reverse();
    }
    let loops = !can_be_in_tree(kind);
    let (flight, cut) = match (cut || loops, loops) {
        (false, _) => ("", ""),
        (true, true) => ("joint flight = free(ground, b);", ""),
        (true, false) => ("joint flight = free(ground, b);", "cut: true"),
    };
    format!(
        "spatial Pair {{
        gravity: [0.3, -0.2, -9.81]; input u: [3]; param m = 1.2; param k = 3.0; {declared}
        body a {{ mass: m, inertia: [[0.03, 0.002, -0.001], [0.002, 0.05, 0.003], [-0.001, 0.003, 0.04]], com: [0.1, -0.2, 0.3],
            attitude: {a}, velocity: {}, rotation: euler(xyz, [0.2, 0.3, 0.4]) }}
        body b {{ mass: 0.7, inertia: [0.01, 0.02, 0.015], com: [0.05, 0.1, -0.15],
            attitude: {b}, velocity: {}, rotation: euler(xyz, [0.4, 0.5, 0.3]), position: [0.4, 0.3, 0.2] }}
        joint stand = revolute(ground at [0.1, 0.2, 0.3], a) {{ axis: [0, 1, 0.2] }};
        {flight} joint tie = {kind}({}, {}) {{ {arguments}{}{cut} }};
        force spring = spring_damper(ground at [1, 0.5, 0.3], b at [0.1, 0, 0.1]) {{ stiffness: k, damping: 0.7, free_length: 0.4 }};
        force push = point_force(b at [0.1, 0.2, -0.1]) {{ force: u in b }};
        force mount = bushing(a at [0.1, 0, 0], b) {{
            stiffness: [10, 20, 30], torsional_stiffness: [1, 2, 3], damping: [1, 2, 3], torsional_damping: [0.1, 0.2, 0.3] }};
        }}",
        axes[0],
        axes[1],
        ends[0],
        ends[1],
        if arguments.is_empty() || cut.is_empty() { "" } else { ", " },
    )
}

/// Whether a kind can be in the tree.
fn can_be_in_tree(kind: &str) -> bool {
    let declared = DECLARED.iter().any(|(name, _)| *name == kind);
    let is_composed = |row: &&Kind| row.name == kind && matches!(row.build, Build::Composed(_));
    declared || SPATIAL_JOINTS.iter().any(|row| is_composed(&row))
}

fn check_kind(i: usize, kind: (&str, &str), (reversed, cut): (bool, bool), formulation: Formulation) {
    // Line joints in the tree have no linearization, and kinds with declared kinematics have none anywhere.
    let line = !cut && formulation == Formulation::Joint && kind.0.contains("line");
    let linearization = !line && !kind.1.contains("kinematics");
    let kernels = Kernels { jacobians: true, linearization, sensitivities: true, operators: true, ..Kernels::NONE };
    let options = Options {
        formulation: Some(formulation),
        kernels: Some(Kernels { forward: true, ..kernels }),
        ..Options::default()
    };
    let ends = if reversed { "reversed" } else { "forward" };
    let label = format!("{}, {ends}, {} ({formulation:?})", kind.0, if cut { "cut" } else { "not cut" });
    let mechanism =
        crate::mechanisms::harness::interpret_with(&label, &text(i, kind, reversed, cut), options, Fma::Plain);
    check(&label, &mechanism, 1);
}

#[test]
fn derivatives_of_joint_kinds_in_the_tree_are_those_of_dual_numbers() {
    for (i, (kind, arguments)) in kinds().enumerate().filter(|(_, (kind, _))| can_be_in_tree(kind)) {
        check_kind(i, (kind, &arguments), (i % 2 == 1, false), Formulation::Joint);
    }
}

/// Cut joints in joint coordinates or in body coordinates, from alternating ends. A landing takes every second kind; `every_use…` covers all
/// combinations.
#[test]
fn derivatives_of_joint_kinds_that_close_loops_are_those_of_dual_numbers() {
    for (i, (kind, arguments)) in kinds().enumerate().filter(|(i, _)| [0, 3].contains(&(i % 4)) || is_full_tier()) {
        let (cut, formulation) = [(true, Formulation::Joint), (false, Formulation::Body)][i % 2];
        check_kind(i, (kind, &arguments), (i % 4 > 1, cut), formulation);
    }
}

#[test]
fn derivatives_of_declared_kinds_are_those_of_dual_numbers() {
    for (i, kind) in DECLARED.into_iter().enumerate().filter(|(i, _)| *i < 2 || is_full_tier()) {
        check_kind(i, kind, (i % 2 == 1, false), Formulation::Joint);
        if is_full_tier() {
            let (cut, formulation) = [(true, Formulation::Joint), (false, Formulation::Body)][i / 2];
            check_kind(i, kind, (i % 2 == 0, cut), formulation);
        }
    }
}

#[test]
#[ignore = "minutes in a debug build; `.ci/run --full`"]
fn every_use_of_a_joint_kind_has_the_derivatives_of_dual_numbers() {
    for (i, (kind, arguments)) in kinds().enumerate() {
        for reversed in [false, true] {
            let uses = [(false, Formulation::Joint), (true, Formulation::Joint), (false, Formulation::Body)];
            for (k, (cut, formulation)) in uses.into_iter().enumerate() {
                check_kind(i + k + 3 * usize::from(reversed), (kind, &arguments), (reversed, cut), formulation);
            }
        }
    }
}

#[test]
fn arguments_are_of_kinds_of_the_catalogue() {
    for (name, _) in ARGUMENTS {
        assert!(SPATIAL_JOINTS.iter().any(|kind| kind.name == name), "`{name}` is no kind");
    }
}
