//! Reactions take up loads that are added at run time as they take up declared ones.

use mbs::engine::Formulation;
use mbs::{Describe, Engine, Item, Loaded, Mechanism, Reaction, State, assemble};

const TREE: &str = "
    gravity: [0, -9.81];
    body boom { mass: 2, inertia: 0.1, com: [0.5, 0], angle: 0.4 }
    body trolley { mass: 1, inertia: 0.05, com: [0, -0.1] }
    body mast { mass: 0.5, inertia: 0.02, com: [0, 0.2] }
    body lamp { mass: 0.3, inertia: 0.01, com: [0.1, 0] }
    particle bulb { mass: 0.1 }
    joint hinge = revolute(ground, boom);
    joint rail = prismatic(trolley, boom at [0.1, 0]) { axis: [1, 0] };
    joint weld = fixed(trolley at [0, 0.1], mast) { angle: 0.3 };
    joint neck = revolute(lamp, mast at [0, 0.4]);
    joint socket = revolute(lamp at [0.2, 0], bulb);
    initial hinge.rate = 1.5, rail.speed = 0.3;
";
const DECLARED: &str = "
    force gust = wrench(lamp at [0.15, 0.05]) { force: [3, -2], moment: 0.7 };
    force tug = point_force(bulb) { force: [0.5, 1] };
    force twist = torque(trolley) { torque: -0.2 };
";

fn engine(items: &str, formulation: Formulation) -> Engine {
    let text = format!("planar Crane {{ {TREE} {items} }}");
    Engine::options().formulation(formulation).text(&text).unwrap()
}

fn reactions<M: Mechanism>(mechanism: &M) -> Vec<Reaction> {
    let mut state = State::new(mechanism);
    assemble(mechanism, &mut state).unwrap();
    let s = mechanism.sizes();
    let (mut a, mut lambda) = (vec![0.0; s.n_v], vec![0.0; s.n_c]);
    mechanism.accelerations(state.view(&[]), &mut a, &mut lambda).unwrap();
    let mut reactions = vec![Reaction::default(); s.n_joints];
    mechanism.reactions(state.view(&[]), &a, &lambda, &mut reactions);
    reactions
}

#[test]
fn reactions_take_up_loads_that_are_added_at_run_time() {
    for formulation in [Formulation::Body, Formulation::Joint] {
        let declared = engine(DECLARED, formulation);
        let bare = engine("", formulation);
        let loaded = Loaded::new(&bare, |_, loads| {
            let at = loads.point("lamp", [0.15, 0.05, 0.0]);
            loads.wrench("lamp", at, [3.0, -2.0, 0.0], [0.0, 0.0, 0.7]);
            let at = loads.point("bulb", [0.0; 3]);
            loads.wrench("bulb", at, [0.5, 1.0, 0.0], [0.0; 3]);
            loads.wrench("trolley", [0.0; 3], [0.0; 3], [0.0, 0.0, -0.2]);
        });
        let before = reactions(&bare);
        for (j, (got, expected)) in reactions(&loaded).iter().zip(reactions(&declared)).enumerate() {
            let name = declared.name(Item::Joint(j)).to_owned();
            let difference = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max);
            // Rounding of forces of tens of newtons.
            assert!(difference(got.force, expected.force) < 1e-11, "{formulation:?} {name}: {got:?}, not {expected:?}");
            assert!(
                difference(got.torque, expected.torque) < 1e-11,
                "{formulation:?} {name}: {got:?}, not {expected:?}"
            );
            assert!(difference(got.force, before[j].force) > 0.1, "{formulation:?} {name} feels the loads");
        }
    }
}
