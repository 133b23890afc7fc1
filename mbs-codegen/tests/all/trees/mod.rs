//! Trees of bodies in space, for tests of recursions: every freedom, in both directions, with literal geometry and with parameters.

use std::path::Path;

use mbs_model::{Formulation, Model};
use mbs_physics::{Mobilizer, Tree};
use mbs_resolve::resolve;

const MECHANISMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../mechanisms");

/// The model of a spatial mechanism in joint coordinates; files are imported from `mechanisms/`.
pub fn model(items: &str) -> Model {
    let text = format!("spatial M {{\n{items}\n}}\n");
    let mut load = |name: &str| {
        let text = std::fs::read_to_string(Path::new(MECHANISMS).join(name)).map_err(|e| e.to_string())?;
        Ok(mbs_syntax::Imported { path: name.to_owned(), text })
    };
    let parsed = mbs_syntax::parse_text_with("m.mbs", &text, &mut load);
    assert!(parsed.errors.is_empty(), "{}", parsed.sources.render(parsed.errors.list()));
    let resolved = resolve(&parsed.definitions[0]);
    let mut model = resolved.unwrap_or_else(|errors| panic!("{}", parsed.sources.render(errors.list())));
    model.coordinates.formulation = Formulation::Joint;
    model
}

/// Reproducible numbers of order one.
pub fn sines(n: usize, from: usize) -> Vec<f64> {
    (0..n).map(|k| (1.0 + 1.7 * (k + from) as f64).sin()).collect()
}

/// Reproducible coordinates of order one, with unit quaternions.
pub fn coordinates(tree: &Tree, seed: usize) -> Vec<f64> {
    let mut q = sines(tree.n_q(), 37 * seed + 3);
    for first in tree.quaternions() {
        let size = q[first..first + 4].iter().map(|x| x * x).sum::<f64>().sqrt();
        q[first..first + 4].iter_mut().for_each(|x| *x /= size);
    }
    q
}

/// Freedoms of the links.
pub fn freedoms(tree: &Tree) -> Vec<Mobilizer> {
    tree.links.iter().map(|l| l.mobilizer).collect()
}

const BODIES: [&str; 4] = [
    "body a { mass: 1.2, inertia: [[0.03, 0.002, -0.001], [0.002, 0.05, 0.003], [-0.001, 0.003, 0.04]], com: [0.1, -0.2, 0.3] }",
    "body b { mass: 0.7, inertia: [0.01, 0.02, 0.015], com: [0.05, 0.1, -0.15], attitude: mrp }",
    "body c { mass: 0.9, inertia: [[0.03, 0.001, 0], [0.001, 0.02, 0.002], [0, 0.002, 0.04]], com: [0, 0.2, 0.1], attitude: euler(zyx) }",
    "body d { mass: 0.4, inertia: [0.02, 0.01, 0.02], com: [0.2, 0.1, 0], attitude: vector, velocity: body }",
];

/// Items: the first so many bodies, and their joints.
pub fn bodies_and_joints(bodies: usize, joints: &str) -> String {
    format!("gravity: [0.3, -0.2, -9.81];\n{}\n{joints}", BODIES[..bodies].join("\n"))
}

/// Frames of literal geometry are chosen.
pub const LITERAL_HINGES: &str =
    "joint j1 = revolute(ground at [0.1, 0.2, 0.3], a at [0.01, 0.02, 0.03]) { axis: [0, 0, 1] };
    joint j2 = revolute(a at [0.3, -0.1, 0.2], b at [0.1, 0, 0.1]) { axis: [1, 2, -1] };
    joint j3 = revolute(c at [0.1, 0.3, 0.1], b at [0.3, 0, 0]) { axis: [0, -1, 0] };";

/// Geometry of parameters keeps frames where they are declared.
pub const HINGES: &str = "param l = 0.3;
    joint j1 = revolute(a, ground at [0.1, l, 0.3]) { axis: [0, -1, 0] };
    joint j2 = revolute(b at [0.1, 0, l], a at [l, -0.1, 0.2]) { axis: [1, 0, 0] };
    joint j3 = revolute(b at [0.2, l, 0], c at [0.1, 0, l]) { axis: [1, 2, -1] };";

pub const BRANCHES: &str = "joint j1 = revolute(ground, a at [0.1, 0, 0]) { axis: [0, 1, 0] };
    joint j2 = revolute(a at [0.3, 0.1, 0], b at [0, 0.1, 0.1]) { axis: [1, 0, 0] };
    joint j3 = revolute(a at [-0.3, 0.2, 0.1], c at [0.1, 0, 0]) { axis: [0, 0, 1] };
    joint j4 = prismatic(c at [0, 0.3, 0.1], d) { axis: [1, 1, 0] };";

pub const SLIDES: &str = "joint j1 = prismatic(ground at [0.1, 0.2, 0.3], a at [0.01, 0.02, 0.03]) { axis: [1, 1, 0] };
    joint j2 = cylindrical(a at [0.3, -0.1, 0.2], b at [0.1, 0, 0.1]) { axis: [1, 2, -1] };
    joint j3 = screw(c, b at [0.1, 0.2, 0.3]) { axis: [0, 1, 1], pitch: -0.2 };";

pub const SCREWS: &str = "param lead = 0.2;
    joint j1 = screw(ground, a at [0.01, 0.02, 0.03]) { axis: [0, 1, 0], pitch: lead };
    joint j2 = prismatic(b at [0.1, 0, 0.1], a at [0.3, -0.1, 0.2]) { axis: [0, 0, 1] };
    joint j3 = screw(b, c at [0.1, 0.2, 0.3]) { axis: [0, 1, 1], pitch: -0.2 };
    joint j4 = revolute(c, d at [0.1, 0.2, 0.3]) { axis: [1, 0, 0] };";

pub const BALLS: &str = "joint j1 = spherical(ground at [0.1, 0.2, 0.3], a at [0.01, 0.02, 0.03]);
    joint j2 = spherical(a at [0.3, -0.1, 0.2], b at [0.1, 0, 0.1]);
    joint j3 = spherical(b at [0.3, 0, 0.2], c at [0.1, 0.2, 0.1]);
    joint j4 = spherical(b at [0.3, 0.2, 0.2], d at [0.1, 0.2, 0.1]);";

pub const REVERSED_BALLS: &str = "joint j1 = revolute(ground, a) { axis: [1, 0, 0] };
    joint j2 = spherical(b at [0.1, 0, 0.1], a at [0.3, -0.1, 0.2]);
    joint j3 = spherical(c at [0.1, 0.2, 0.1], b at [0.3, 0, 0.2]);
    joint j4 = revolute(c at [0, 0.2, 0.1], d at [0.1, 0.2, 0.1]) { axis: [0, 1, 1] };";

pub const CARRYING: &str =
    "joint j1 = free(ground at [1, 2, 3], a); joint j2 = revolute(a at [0.3, 0, 0.1], b) { axis: [0, 1, 1] };
    joint j3 = spherical(a at [-0.3, 0, 0.1], c); joint j4 = revolute(c at [0, 0.2, 0.1], d) { axis: [0, 0, 1] };";

pub const CARRIED: &str =
    "joint j1 = free(a at [0, 0.1, 0], ground); joint j2 = free(b at [0, 0.2, 0], a at [0.3, 0, 0.1]);
    joint j3 = free(d at [0, 0.2, 0.3], b at [0.3, 0.1, 0.1]); joint j4 = spherical(d at [0.1, 0, 0], c);";

/// Bodies without children, and a particle.
pub const FLYING: &str = "joint j1 = free(ground at [1, 2, 3], a at [0.1, 0.2, 0.3]); joint j2 = free(ground, d);
    particle p { mass: 0.3 } joint j3 = free(ground, b); joint j4 = revolute(ground, c) { axis: [1, 0, 0] };
    force s = spring_damper(p, c) { stiffness: 3, free_length: 0.2 };";

/// Joints of several steps.
pub const STEPS: &str =
    "joint j1 = universal(ground, a at [0.01, 0.02, 0.03]) { axis: [1, 0, 0], second_axis: [0, 1, 0] };
    joint j2 = planar(a at [0.3, -0.1, 0.2], b at [0.1, 0, 0.1]) { normal: [0, 0, 1] };
    joint j3 = universal(c at [0.01, 0.02, 0.03], b) { axis: [1, 0, 0], second_axis: [0, 1, 0] };
    joint j4 = planar(d at [0.1, 0, 0.1], a at [0.3, -0.1, 0.2]) { normal: [0, 1, 1] };";
