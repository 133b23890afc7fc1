//! Planar mechanisms by hand, for tests of the façade: body coordinates, a dense solve, no generated code.
#![allow(dead_code, missing_docs, clippy::type_complexity)]

mod planar;

pub use planar::{Body, Ends, Joint, Planar, Point, Spring};

const CRANK: f64 = 0.1;
const COUPLER: f64 = 0.35;
const ROCKER: f64 = 0.25;
const BASE: f64 = 0.3;

/// A uniform bar of length l and 2 kg/m between two points.
fn bar(name: &'static str, l: f64, (from, to): ([f64; 2], [f64; 2])) -> Body {
    let (m, angle) = (2.0 * l, (to[1] - from[1]).atan2(to[0] - from[0]));
    let guess = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]), angle];
    Body { name, mass: m, inertia: m * l * l / 12.0, guess }
}

/// A crank-rocker with a coupler point; the crank starts at 1 rad, 10 rad/s, one input torque on it.
pub fn four_bar() -> Planar {
    let b = [CRANK * 1f64.cos(), CRANK * 1f64.sin()];
    let c = [BASE + ROCKER * 4.3244_f64.cos(), ROCKER * 4.3244_f64.sin()];
    let point = |body, x| Point { body: Some(body), at: [x, 0.0] };
    Planar {
        name: "FourBar",
        bodies: vec![
            bar("crank", CRANK, ([0.0, 0.0], b)),
            bar("coupler", COUPLER, (b, c)),
            bar("rocker", ROCKER, ([BASE, 0.0], c)),
        ],
        joints: vec![
            Joint::pin("main_bearing", Point { body: None, at: [0.0, 0.0] }, point(0, -CRANK / 2.0)),
            Joint::pin("crank_pin", point(0, CRANK / 2.0), point(1, -COUPLER / 2.0)),
            Joint::pin("rocker_pin", point(1, COUPLER / 2.0), point(2, ROCKER / 2.0)),
            Joint::pin("rocker_bearing", Point { body: None, at: [BASE, 0.0] }, point(2, -ROCKER / 2.0)),
        ],
        springs: vec![],
        ends: Ends::Reported,
        markers: vec![("coupler_point", Point { body: Some(1), at: [0.02, 0.11] })],
        rates: vec![10.0],
        wrench: None,
    }
}

/// A slider-crank with a spring on the piston; the crank starts at 0.5 rad, 10 rad/s.
pub fn slider_crank() -> Planar {
    let (r, l) = (0.05, 0.15);
    let pin = [r * 0.5f64.cos(), r * 0.5f64.sin()];
    let wrist = [pin[0] + (l * l - pin[1] * pin[1]).sqrt(), 0.0];
    Planar {
        name: "SliderCrank",
        bodies: vec![
            bar("crank", r, ([0.0, 0.0], pin)),
            bar("rod", l, (pin, wrist)),
            Body { name: "piston", mass: 0.4, inertia: 1e-4, guess: [wrist[0], wrist[1], 0.0] },
        ],
        joints: vec![
            Joint::pin(
                "main_bearing",
                Point { body: None, at: [0.0, 0.0] },
                Point { body: Some(0), at: [-r / 2.0, 0.0] },
            ),
            Joint::pin(
                "crank_pin",
                Point { body: Some(0), at: [r / 2.0, 0.0] },
                Point { body: Some(1), at: [-l / 2.0, 0.0] },
            ),
            Joint::pin(
                "wrist_pin",
                Point { body: Some(1), at: [l / 2.0, 0.0] },
                Point { body: Some(2), at: [0.0, 0.0] },
            ),
            Joint::slide("cylinder", Point { body: None, at: [0.0, 0.0] }, Point { body: Some(2), at: [0.0, 0.0] }),
        ],
        springs: vec![Spring::new(
            "spring",
            40.0,
            Point { body: None, at: [0.3, 0.0] },
            Point { body: Some(2), at: [0.0, 0.0] },
        )],
        ends: Ends::Reported,
        markers: vec![],
        rates: vec![10.0],
        wrench: None,
    }
}

/// Two uniform bars, hanging from the origin, released from the horizontal.
pub fn double_pendulum() -> Planar {
    Planar {
        name: "DoublePendulum",
        bodies: vec![bar("upper", 0.6, ([0.0, 0.0], [0.6, 0.0])), bar("lower", 0.4, ([0.6, 0.0], [1.0, 0.0]))],
        joints: vec![
            Joint::pin("shoulder", Point { body: None, at: [0.0, 0.0] }, Point { body: Some(0), at: [-0.3, 0.0] }),
            Joint::pin("elbow", Point { body: Some(0), at: [0.3, 0.0] }, Point { body: Some(1), at: [-0.2, 0.0] }),
        ],
        springs: vec![],
        ends: Ends::Reported,
        markers: vec![("tip", Point { body: Some(1), at: [0.2, 0.0] })],
        rates: vec![],
        wrench: None,
    }
}

/// Dense solve by the runtime, with local work space.
fn solve_dense(t: f64, matrix: &mut [f64], rhs: &mut [f64], deficiency: mbs::RankDeficiency) -> Result<(), mbs::Error> {
    let n = rhs.len();
    let (mut scale, mut solution, mut order) = (vec![0.0; n], vec![0.0; n], vec![0; n]);
    let workspace = mbs::DenseWorkspace { scale: &mut scale, solution: &mut solution, order: &mut order };
    mbs::solve_symmetric(t, matrix, rhs, deficiency, workspace).map(|_| ())
}

/// A chain of links suspended from the ground, with more items.
pub fn chain(links: usize, more: &str) -> mbs::Engine {
    let text = format!(
        "planar Chain {{
            gravity: [0, -9.81];
            body link[0] {{ mass: 1, inertia: 0.1, com: [0, -1] }}
            joint pin[0] = revolute(ground, link[0]);
            for i in 1..{links} {{
                body link[i] {{ mass: 1, inertia: 0.1, com: [0, -1] }}
                joint pin[i] = revolute(link[i - 1] at [0, -1], link[i]);
            }}
            {more}
        }}"
    );
    mbs::Engine::text(&text).unwrap_or_else(|e| panic!("{e}"))
}
