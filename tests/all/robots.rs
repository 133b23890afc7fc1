//! A robot file as a complete mechanism: generated code of the macro, and its solids.

use gripper::{Inputs, LIMITS, Params, limits};
use mbs::report::Solid;
use mbs::{Describe, Mechanism, Recording, Shape, Simulation, StateView};

mbs::urdf! {
    /// The robot on its post.
    pub Gripper = "../docs/urdf/gripper.urdf" {
        output reach = position(left).x;
    }
}

mbs::urdf! {
    pub Drifting = "../docs/urdf/gripper.urdf" { base: free; gravity: [0, 0, 0]; friction_speed: 0.01; }
    pub(crate) Frozen = "../docs/urdf/gripper.urdf" { kernels: [forward]; drive still = elbow.angle == 0.1 * t; }
}

mbs::mechanism! {
    /// Two such robots on a rail.
    pub spatial Pair {
        gravity: [0, 0, -9.81];
        input pull;
        body rail { mass: 3, inertia: [0.1, 0.1, 0.1] }
        joint slide = prismatic(ground, rail) { axis: [0, 1, 0] };
        import "../docs/urdf/gripper.urdf" as left;
        import "../docs/urdf/gripper.urdf" as right;
        joint left_stand = fixed(rail at [0, 0.3, 0], left.post);
        joint right_stand = fixed(rail at [0, -0.3, 0], right.post);
        force motor = mobility(left.elbow) { value: pull - left.elbow_damping * left.elbow.rate };
        output gap = distance(left.arm, right.arm);
        output center = position(left at com);
    }
}

fn fallen() -> Recording {
    let gripper = Gripper::new(Params::default()).unwrap();
    Simulation::new(&gripper).duration(0.2).every(0.02).run().unwrap()
}

#[test]
fn motors_move_joints_and_losses_resist_them() {
    let gripper = Gripper::new(Params::default()).unwrap();
    // The elbow rotates at 2 rad/s, fingers move together; q and v are elbow, open, other.
    assert_eq!(gripper.name(mbs::Item::Speed(0)), "elbow.rate");
    let acceleration = |effort: [f64; 2], rate: f64| {
        gripper.accelerations(0.0, &[0.0; 3], &[rate, 0.0, 0.0], &Inputs { effort }, &[]).unwrap().a
    };
    let (still, pulled) = (acceleration([0.0; 2], 0.0), acceleration([1.0, 0.0], 0.0));
    // Inertia of the elbow: the arm about its end, two fingers at 0.32 m, and their central moments.
    let inertia = 0.01 + 1.2 * 0.15 * 0.15 + 2.0 * (0.1 * 0.32 * 0.32 + 1e-4);
    // 1e-12 covers some ten operations; constraints are satisfied exactly.
    assert!((pulled[0] - still[0] - 1.0 / inertia).abs() < 1e-12 / inertia);
    // Damping 0.8 N m s: 1.6 N m against 2 rad/s; centrifugal forces go along the arm.
    let rotating = acceleration([1.6, 0.0], 2.0);
    assert!((rotating[0] - still[0]).abs() < 1e-11 / inertia, "{rotating:?} {still:?}");
    // Fingers of 0.1 kg each, with one force for both.
    let opened = acceleration([0.0, 0.4], 0.0);
    assert!((opened[1] - 2.0).abs() < 1e-11 && (opened[2] - 2.0).abs() < 1e-11, "{opened:?}");
}

#[test]
fn limits_are_constants_and_known_to_the_contract() {
    assert_eq!((limits::ELBOW.lower, limits::ELBOW.upper, limits::OTHER.velocity), (-1.5, 1.5, 0.2));
    assert_eq!(LIMITS.map(|limits| limits.effort), [40.0, 60.0]);
    assert_eq!(LIMITS[0].clamp_effort(-70.0), -40.0);
    assert_eq!(limits::OPEN.beyond(-0.01), -0.01);
    let gripper = Gripper::new(Params::default()).unwrap();
    let known: Vec<_> = (0..gripper.sizes().n_joints).map(|joint| gripper.limits(joint)).collect();
    assert_eq!(known, [Some(limits::ELBOW), Some(limits::OPEN), Some(limits::OTHER), None]);
}

#[test]
fn a_free_base_has_six_more_speeds_before_those_of_the_joints() {
    let robot = Drifting::new(drifting::Params::default()).unwrap();
    assert_eq!((drifting::NQ, drifting::NV, drifting::NU), (10, 9, 2));
    assert_eq!(drifting::speed::ELBOW_RATE, 6);
    // Without gravity accelerations are zero.
    let (mut q, v) = ([0.0; 10], [0.0; 9]);
    q[drifting::index::FLOAT_ATTITUDE.start] = 1.0;
    let motion = robot.accelerations(0.0, &q, &v, &drifting::Inputs::default(), &[]).unwrap();
    assert!(motion.a.iter().all(|a| a.abs() < 1e-12), "{:?}", motion.a);
    let frozen = Frozen::new(frozen::Params::default()).unwrap();
    assert_eq!(frozen.sizes().n_c, 2);
}

#[test]
fn bodies_have_the_solids_of_their_file() {
    let recording = fallen();
    let found: Vec<(&str, Shape, Option<[u8; 3]>)> =
        recording.solids().iter().map(|solid| (solid.body.as_str(), solid.shape, solid.color)).collect();
    let finger = Shape::Block { size: [0.02, 0.01, 0.08] };
    assert_eq!(
        found,
        [
            ("post", Shape::Cylinder { radius: 0.03, length: 0.4 }, Some([153, 166, 179])),
            ("arm", Shape::Block { size: [0.3, 0.04, 0.04] }, None),
            // Meshes are not read: the collision geometry replaces them.
            ("left", finger, None),
            ("right", finger, None),
        ]
    );
    assert_eq!(recording.solids()[0].pose.position, [0.0, 0.0, 0.2]);
}

#[test]
fn solids_of_the_page_replace_those_of_the_file_body_by_body() {
    let recording = fallen();
    let drawn = |html: &str| -> Vec<(u64, bool)> {
        let data = html
            .split("<script type=\"application/json\" id=\"data\">")
            .nth(1)
            .and_then(|x| x.split("</script>").next());
        let data: serde_json::Value = serde_json::from_str(data.expect("the page has data")).expect("JSON");
        let solids = data["solids"].as_array().expect("solids").iter();
        solids.map(|solid| (solid["body"].as_u64().expect("a body"), solid["own"] == true)).collect()
    };
    assert_eq!(drawn(&recording.page().to_html()), [(0, true), (1, true), (2, true), (3, true)]);
    let page = recording.page().solid(Solid::sphere("arm", 0.1)).unwrap();
    assert_eq!(drawn(&page.to_html()), [(0, true), (2, true), (3, true), (1, false)]);
}

#[test]
fn solids_are_kept_in_files() {
    let recording = fallen();
    let text = serde_json::to_string(&recording).unwrap();
    assert_eq!(serde_json::from_str::<Recording>(&text).unwrap().solids(), recording.solids());
}

#[test]
fn two_robots_of_one_file_are_independent() {
    let pair = Pair::new(pair::Params::default()).unwrap();
    assert_eq!((pair::NV, pair::limits::LEFT_ELBOW.effort, pair::LIMITS.len()), (7, 40.0, 4));
    let recording = Simulation::new(&pair).duration(0.1).every(0.1).run().unwrap();
    // Both fall alike, so that their distance is constant; the left one has damping, the right one has none.
    let gap = recording.output("gap").unwrap();
    assert!((gap[0] - 0.6).abs() < 1e-12);
    assert_eq!(recording.solids().len(), 8);
    assert_eq!(recording.solids()[4].body, "right.post");
    let (left, right) =
        (recording.coordinate("left.elbow.angle").unwrap(), recording.coordinate("right.elbow.angle").unwrap());
    assert!(right[1] > left[1] && left[1] > 0.0, "{left:?} {right:?}");
}

#[test]
fn the_engine_runs_the_file_with_equal_data() {
    let engine = mbs::Engine::options().file("../docs/urdf/gripper.urdf").unwrap();
    let gripper = Gripper::new(Params::default()).unwrap();
    let (q, v, u) = ([0.3, 0.02, 0.02], [1.0, 0.1, 0.1], [5.0, -2.0]);
    let at = StateView { t: 0.0, q: &q, v: &v, z: &[], u: &u };
    let (mut ours, mut theirs, mut lambda) = ([0.0; 3], [0.0; 3], [0.0; 1]);
    Mechanism::accelerations(&gripper, at, &mut ours, &mut lambda).unwrap();
    engine.accelerations(at, &mut theirs, &mut lambda).unwrap();
    for (a, b) in ours.iter().zip(theirs) {
        // 1e-11 covers a hundred operations with a condition number of 1e3.
        assert!((a - b).abs() < 1e-11 * (1.0 + a.abs()), "{ours:?} {theirs:?}");
    }
    for i in 0..5 {
        assert_eq!(engine.visual(i), gripper.visual(i));
        assert_eq!(engine.limits(i), gripper.limits(i));
    }
}
