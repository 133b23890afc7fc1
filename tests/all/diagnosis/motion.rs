//! Freedoms of a mechanism, and loads or drives that move them.

use mbs::diagnosis::Finding;
use mbs::{Describe, Error, Mechanism, Sizes, State, StateView, assemble, diagnose};

use crate::diagnosis::linkages::planar;
use crate::diagnosis::{messages, only};
use crate::support::{double_pendulum, four_bar, slider_crank};

const PENDULUM: &str =
    "gravity: [0, -9.81]; body b { mass: 1, inertia: 1, com: [0, -1] } joint a = revolute(ground, b);";

#[test]
fn a_pendulum_that_hangs_is_moved_by_nothing() {
    planar(PENDULUM, |engine| {
        let state = State::new(engine);
        let diagnosis = diagnose(engine, &state);
        assert!(diagnosis.is_healthy());
        assert_eq!(
            diagnosis.to_string(),
            "`M` at t = 0: 1 freedom\n- nothing moves it: 1 freedom left, but all speeds are zero and the loads are in equilibrium; give \
             it an initial speed, a drive or a force, or start from another pose"
        );
        let mut pushed = state.clone();
        pushed.v[0] = 0.1;
        assemble(engine, &mut pushed).unwrap();
        assert!(diagnose(engine, &pushed).findings.is_empty());
    });
    // An input may move it, a force will.
    planar(&format!("{PENDULUM} input u; force m = torque(ground, b) {{ torque: u }};"), |engine| {
        assert_eq!(only(engine, &State::new(engine)), Finding::AtRest { freedoms: 1, inputs: 1 });
    });
    planar(&format!("{PENDULUM} force m = torque(ground, b) {{ torque: sin(t) }};"), |engine| {
        assert!(diagnose(engine, &State::new(engine)).findings.is_empty());
    });
}

#[test]
fn drives_that_do_not_move_lock_the_mechanism() {
    planar(&format!("{PENDULUM} drive d = a.angle == 0.3;"), |engine| {
        assert_eq!(
            messages(&diagnose(engine, &State::new(engine))),
            ["stationary: drive `d` decides every freedom and does not move; write the motion as a function of `t`"]
        );
    });
    // A drive that is at rest at first.
    planar(&format!("{PENDULUM} drive d = a.angle == 0.3 + t * t;"), |engine| {
        assert!(diagnose(engine, &State::new(engine)).findings.is_empty());
    });
}

#[test]
fn drives_may_leave_freedoms() {
    let arm = "body c { mass: 1, inertia: 1, com: [1, 0] } joint e = revolute(b at [0, -1], c);";
    planar(&format!("{PENDULUM} {arm} drive d = a.angle == t;"), |engine| {
        let diagnosis = diagnose(engine, &State::new(engine));
        assert_eq!((diagnosis.freedoms, diagnosis.undriven, diagnosis.is_healthy()), (2, 1, true));
        assert_eq!(
            messages(&diagnosis),
            [
                "under-driven: 1 drive leaves 1 freedom to loads; add a drive for each to prescribe the motion, or simulate it"
            ]
        );
    });
}

#[test]
fn a_mechanism_without_freedoms_cannot_move() {
    for joints in [
        "joint a = fixed(ground, b);",
        "joint a = revolute(ground, b); joint r = distance(ground at [1, 1], b at [1, 0]) { length: 1 };",
    ] {
        planar(&format!("body b {{ mass: 1, inertia: 1 }} {joints}"), |engine| {
            assert_eq!(only(engine, &State::new(engine)), Finding::Rigid);
        });
    }
}

/// A motion without mass, by a parameter in the engine and in a mechanism by hand.
#[test]
fn a_motion_without_mass_is_named() {
    let arm = "param m = 1; gravity: [0, -9.81]; body b { mass: 1, inertia: 1, com: [0, -1], angle: 1 } joint a = revolute(ground, b);
        body c { mass: m, inertia: 0.1 * m, com: [1, 0] } joint e = revolute(b at [0, -1], c); force w = torque(b, c) { torque: 1 };";
    planar(arm, |engine| {
        let mut engine = engine.clone();
        engine.set_parameters(&[0.0]).unwrap();
        let found = only(&engine, &State::new(&engine));
        let Finding::NoInertia { motions } = &found else { panic!("{found}") };
        assert!(motions.len() == 1 && ["c.angle", "e.angle"].contains(&motions[0].name.as_str()), "{found}");
    });
    let mut pendulum = double_pendulum();
    (pendulum.bodies[1].mass, pendulum.bodies[1].inertia) = (0.0, 0.0);
    let mut state = State::new(&pendulum);
    state.q[2] = 0.0;
    let found = only(&pendulum, &state);
    let Finding::NoInertia { motions } = &found else { panic!("{found}") };
    // The lower bar rotates about the elbow, and the upper one stays.
    assert!(motions.iter().all(|m| m.speed >= 3), "{found}");
    assert!(found.to_string().contains("give the bodies mass or inertia"), "{found}");
}

#[test]
fn hand_written_mechanisms_are_diagnosed_alike() {
    for mechanism in [four_bar(), slider_crank(), double_pendulum()] {
        let mut state = State::new(&mechanism);
        assemble(&mechanism, &mut state).unwrap();
        let diagnosis = diagnose(&mechanism, &state);
        assert!(diagnosis.findings.is_empty(), "{diagnosis}");
        assert_eq!(diagnosis.freedoms, if mechanism.bodies.len() == 2 { 2 } else { 1 });
    }
}

/// No coordinates, or coordinates without rows, bodies or names.
struct Bare(usize);

impl Mechanism for Bare {
    type Coordinates = Box<[f64]>;
    type Speeds = Box<[f64]>;
    type Multipliers = Box<[f64]>;
    type Auxiliary = Box<[f64]>;
    type Inputs = Box<[f64]>;
    type Scratch = Box<[f64]>;

    fn sizes(&self) -> Sizes {
        Sizes { n_q: self.0, n_v: self.0, ..Sizes::default() }
    }

    fn storage(&self) -> (Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>) {
        let zeros = |n: usize| vec![0.0; n].into_boxed_slice();
        (zeros(self.0), zeros(self.0), zeros(0), zeros(0), zeros(0), zeros(0))
    }

    fn guess(&self, _: &mut [f64], _: &mut [f64], _: &mut [f64]) {}

    /// A unit mass in a field of −1.
    fn accelerations(&self, _: StateView, a: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
        a.fill(-1.0);
        Ok(())
    }

    fn solve(&self, _: StateView, f: &[f64], _: &[f64], x: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
        x.copy_from_slice(f);
        Ok(())
    }

    fn position_residuals(&self, _: StateView, _: &mut [f64]) {}

    fn velocity_residuals(&self, _: StateView, _: &mut [f64]) {}
}

impl Describe for Bare {}

#[test]
fn an_empty_mechanism_is_healthy() {
    for n in [0, 1, 3] {
        let diagnosis = diagnose(&Bare(n), &State::new(&Bare(n)));
        assert!(diagnosis.findings.is_empty() && diagnosis.margin.is_none(), "{diagnosis}");
        assert_eq!((diagnosis.freedoms, diagnosis.rank), (n, 0));
        let s = if n == 1 { "" } else { "s" };
        assert_eq!(diagnosis.to_string(), format!("at t = 0: {n} freedom{s}, nothing wrong"));
    }
}
