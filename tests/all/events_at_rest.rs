//! Events of bodies that have come to rest, and of conditions that are true at the start: compiled and in the engine, in the plane and in space.

use mbs::simulation::Cause;
use mbs::{Engine, Error, FullMechanism, Recording, Simulation, State};

mbs::mechanism! {
    planar Ball {
        gravity: [0, -9.81];
        param restitution = 0;
        switch held = off;
        param holds = 0;
        particle ball { mass: 0.5, position: [0, 1] }
        joint air = free(ground, ball);
        constraint floor = position(ball).y == 0 { enabled: held };
        event touchdown = when position(ball).y falls {
            impulse(ground, ball) { direction: [0, 1], restitution };
            held = holds > 0;
        }
        output height = position(ball).y;
    }
}

const BALL: &str = "planar Ball {
    gravity: [0, -9.81];
    param restitution = 0;
    switch held = off;
    param holds = 0;
    particle ball { mass: 0.5, position: [0, 1] }
    joint air = free(ground, ball);
    constraint floor = position(ball).y == 0 { enabled: held };
    event touchdown = when position(ball).y falls {
        impulse(ground, ball) { direction: [0, 1], restitution };
        held = holds > 0;
    }
    output height = position(ball).y;
}";

const BALL_IN_SPACE: &str = "spatial Ball {
    gravity: [0, 0, -9.81];
    param restitution = 0;
    switch held = off;
    param holds = 0;
    particle ball { mass: 0.5, position: [0, 0, 1] }
    joint air = free(ground, ball);
    constraint floor = position(ball).z == 0 { enabled: held };
    event touchdown = when position(ball).z falls {
        impulse(ground, ball) { direction: [0, 0, 1], restitution };
        held = holds > 0;
    }
    output height = position(ball).z;
}";

fn check_ball<M: FullMechanism>(falls: &M, holds: &M, bounces: &M) {
    // No constraint supports the ball that the handler has stopped.
    let failure = Simulation::new(falls).run().unwrap_err();
    let Cause::Run(Error::Zeno { event: 0, t }) = failure.cause else { panic!("{failure:?}") };
    let landing = (2.0f64 / 9.81).sqrt();
    assert!(t >= landing && t < landing + 0.1, "{t}");
    assert!(failure.recording.output("height").unwrap().iter().all(|y| *y > -1e-9), "it falls through");
    assert!(failure.to_string().contains("`touchdown`"), "{failure}");
    let run = Simulation::new(holds).duration(2.0).run().unwrap_or_else(|failure| panic!("{failure}"));
    assert!(run.output("height").unwrap().iter().all(|y| *y > -1e-9), "it rests");
    assert_eq!(run.events().of("touchdown").unwrap().count(), 1);
    let run = Simulation::new(bounces).run().unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(run.events().of("touchdown").unwrap().count(), 1);
}

#[test]
fn a_ball_without_restitution_does_not_fall_through_the_floor_in_silence() {
    let ball = |restitution, holds| Ball::new(ball::Params { restitution, holds }).unwrap();
    check_ball(&ball(0.0, 0.0), &ball(0.0, 1.0), &ball(0.7, 0.0));
    for text in [BALL, BALL_IN_SPACE] {
        let ball = |restitution: f64, holds: f64| {
            let mut engine = Engine::text(text).unwrap();
            engine.set_parameter("restitution", restitution).unwrap();
            engine.set_parameter("holds", holds).unwrap();
            engine
        };
        check_ball(&ball(0.0, 0.0), &ball(0.0, 1.0), &ball(0.7, 0.0));
    }
}

/// A block of 1 kg that slides at 1 m/s against friction of 2 N with a force `pull` \[N\]; where it comes to rest a row fixes it, up to a grip of 3
/// N, until the condition `slips`.
fn block(pull: f64, slips: &str) -> String {
    format!(
        "planar Block {{
            body block {{ mass: 1, inertia: 1 }}
            joint rail = prismatic(ground, block) {{ axis: [1, 0] }};
            initial rail.speed = 1;
            switch stuck = off;
            force friction = point_force(block) {{ force: [-2 * signum(rail.speed), 0], enabled: !stuck }};
            force pull = point_force(block) {{ force: [if t < 0.3 {{ -6 }} else {{ {pull} }}, 0] }};
            constraint grip = rail.speed == 0 {{ enabled: stuck }};
            event stops = when rail.speed falls {{ enabled: !stuck; stuck = on; }}
            event slips = when {slips} {{ enabled: stuck; stuck = off; }}
            output speed = rail.speed;
        }}"
    )
}

fn stick_and_slip(text: &str) -> Recording {
    let engine = Engine::text(text).unwrap_or_else(|e| panic!("{e}"));
    Simulation::new(&engine).duration(1.0).run().unwrap_or_else(|failure| panic!("{failure}"))
}

/// Text of the block in space.
fn in_space(block: &str) -> String {
    let block = block.replace("planar", "spatial").replace("inertia: 1", "inertia: [1, 1, 1]");
    block
        .replace("axis: [1, 0]", "axis: [1, 0, 0]")
        .replace(", 0], ", ", 0, 0] in ground, ")
        .replace("}, 0] ", "}, 0, 0] in ground ")
}

mbs::mechanism! {
    planar Block {
        body block { mass: 1, inertia: 1 }
        joint rail = prismatic(ground, block) { axis: [1, 0] };
        initial rail.speed = 1;
        switch stuck = off;
        force pull = point_force(block) { force: [if stuck { -6 } else { -8 }, 0] };
        constraint grip = rail.speed == 0 { enabled: stuck };
        event stops = when rail.speed falls { enabled: !stuck; stuck = on; }
        event slips = when 3 - abs(load(grip)) falls { enabled: stuck; stuck = off; }
        output speed = rail.speed;
    }
}

#[test]
fn a_block_pulled_beyond_its_grip_slips_where_it_is_gripped() {
    // Deceleration 8 m/s²: it stops at 0.125 s, where 6 N pull beyond the grip.
    let run = stick_and_slip(&block(-6.0, "abs(load(grip)) > 3 holds"));
    let [stops, slips] = ["stops", "slips"].map(|name| run.events().of(name).unwrap().map(|e| e.t).collect::<Vec<_>>());
    assert!((stops[0] - 0.125).abs() < 1e-9 && (slips[0] - 0.125).abs() < 1e-9, "{stops:?} {slips:?}");
    // Then it moves backward with 6 − 2 N.
    let speed = run.output("speed").unwrap().last().unwrap();
    assert!((speed + 4.0 * 0.875).abs() < 1e-7, "{speed}");
    assert_eq!(run.events().missed().count(), 0);
}

/// A condition that is true already when it is enabled causes no event, which the recording lists.
#[test]
fn a_block_gripped_beyond_its_grip_without_holds_stays_and_is_listed() {
    let stays = |run: &Recording| {
        assert!(run.output("speed").unwrap().last().unwrap().abs() < 1e-9, "it stays");
        let missed: Vec<(&str, f64)> = run.events().missed().collect();
        assert!(matches!(missed[..], [("slips", t)] if (t - 0.125).abs() < 1e-9), "{missed:?}");
    };
    for slips in ["abs(load(grip)) > 3", "abs(load(grip)) - 3 rises", "3 - abs(load(grip)) falls"] {
        let block = block(-6.0, slips);
        stays(&stick_and_slip(&block));
        stays(&stick_and_slip(&in_space(&block)));
    }
    let compiled = Block::new(block::Params::default()).unwrap();
    stays(&Simulation::new(&compiled).duration(1.0).run().unwrap());
}

/// A grip that is closed and exceeded at the start stays closed without `holds`, which the recording lists; an event that occurs later, or whose
/// condition is false, is not listed.
#[test]
fn a_condition_that_is_true_at_the_start_is_listed() {
    let start = |slips: &str| {
        let block = block(-6.0, slips).replace("switch stuck = off", "switch stuck = on");
        block.replace("initial rail.speed = 1", "initial rail.speed = 0")
    };
    let missed = |text: &str| {
        let run = stick_and_slip(text);
        run.events().missed().map(|(name, t)| (name.to_owned(), t)).collect::<Vec<_>>()
    };
    let text = start("abs(load(grip)) > 3");
    let listed = vec![("slips".to_owned(), 0.0)];
    assert_eq!(missed(&text), listed);
    assert_eq!(missed(&in_space(&text)), listed);
    assert_eq!(missed(&start("abs(load(grip)) > 3 holds")), []);
    let swing = "planar Swing {
        gravity: [0, -9.81];
        body rod { mass: 1, inertia: 0.1, com: [0, -0.5] }
        joint pin = revolute(ground, rod);
        initial pin.angle = 0.3;
        event rights = when CONDITION {}
    }";
    for condition in ["pin.angle > 0", "pin.angle - 0.1 rises"] {
        let run = Simulation::new(&Engine::text(&swing.replace("CONDITION", condition)).unwrap()).duration(2.0).run();
        assert_eq!(run.unwrap().events().missed().count(), 0, "{condition}");
    }
    let run =
        Simulation::new(&Engine::text(&swing.replace("CONDITION", "pin.angle > -1")).unwrap()).duration(2.0).run();
    assert_eq!(run.unwrap().events().missed().collect::<Vec<_>>(), [("rights", 0.0)]);
    let compiled = Gripped::new(gripped::Params::default()).unwrap();
    let run = Simulation::new(&compiled).duration(1.0).run().unwrap();
    assert_eq!(run.events().missed().collect::<Vec<_>>(), [("slips", 0.0)]);
}

mbs::mechanism! {
    planar Gripped {
        body block { mass: 1, inertia: 1 }
        joint rail = prismatic(ground, block) { axis: [1, 0] };
        switch stuck = on;
        force pull = point_force(block) { force: [-5, 0] };
        constraint grip = rail.speed == 0 { enabled: stuck };
        event slips = when abs(load(grip)) > 3 { enabled: stuck; stuck = off; }
        output speed = rail.speed;
    }
}

/// A block that is pulled by less than the grip may slip later: nothing is listed.
#[test]
fn a_block_gripped_within_its_grip_is_not_listed() {
    for slips in ["abs(load(grip)) > 3", "3 - abs(load(grip)) falls"] {
        let block = block(-2.0, slips).replace("{ -6 }", "{ -2 }");
        for text in [in_space(&block), block] {
            assert_eq!(stick_and_slip(&text).events().missed().count(), 0, "{text}");
        }
    }
}

/// Runs of a ball without restitution that starts on the floor, and of one that is thrown up with 2 m/s.
fn check_on_floor<M: FullMechanism>(falls: &M, thrown: &M) {
    // It falls through the floor. The recording lists the missed event.
    let run = Simulation::new(falls).duration(0.5).run().unwrap();
    assert_eq!(run.events().missed().collect::<Vec<_>>(), [("touchdown", 0.0)]);
    assert_eq!(run.events().of("touchdown").unwrap().count(), 0);
    // A ball thrown up returns, which causes the event.
    let run = Simulation::new(thrown).duration(0.5).run().unwrap();
    assert_eq!((run.events().missed().count(), run.events().of("touchdown").unwrap().count()), (0, 1));
    // The ball has not returned yet.
    let run = Simulation::new(thrown).duration(0.3).run().unwrap();
    assert_eq!((run.events().missed().count(), run.events().of("touchdown").unwrap().count()), (0, 0));
}

/// Initial heights at the floor, exact and rounded.
#[test]
fn a_ball_that_starts_at_its_event_and_passes_it_is_listed() {
    for height in ["0", "-1e-17", "-3e-13"] {
        for (text, position) in [(BALL, "[0, 1]"), (BALL_IN_SPACE, "[0, 0, 1]")] {
            let at = format!("position: {}", position.replace('1', height));
            let on_floor = text.replace(&format!("position: {position}"), &at);
            let up = on_floor.replace(
                "joint air = free(ground, ball);",
                "joint air = free(ground, ball); initial air.velocity = UP;",
            );
            let up = up.replace("UP", &position.replace('1', "2")).replace("restitution = 0", "restitution = 0.8");
            check_on_floor(&Engine::text(&on_floor).unwrap(), &Engine::text(&up).unwrap());
        }
        let ball = |restitution| Ball::new(ball::Params { restitution, holds: 0.0 }).unwrap();
        let (falls, thrown) = (ball(0.0), ball(0.8));
        let start = |mechanism: &Ball, speed: f64| {
            let mut state = State::new(mechanism);
            let floor: f64 = height.parse().unwrap();
            state.q.as_mut().copy_from_slice(&[0.0, floor]);
            state.v.as_mut().copy_from_slice(&[0.0, speed]);
            state
        };
        let run = Simulation::new(&falls).initial(start(&falls, 0.0)).as_given().duration(0.5).run().unwrap();
        assert_eq!(run.events().missed().collect::<Vec<_>>(), [("touchdown", 0.0)]);
        let run = Simulation::new(&thrown).initial(start(&thrown, 2.0)).as_given().duration(0.5).run().unwrap();
        assert_eq!((run.events().missed().count(), run.events().of("touchdown").unwrap().count()), (0, 1));
    }
}

/// A ball that a row constrains to the floor does not leave it, with any rounding of its height.
#[test]
fn a_ball_constrained_at_its_event_is_not_listed() {
    for (text, position) in [(BALL, "[0, 1]"), (BALL_IN_SPACE, "[0, 0, 1]")] {
        for height in ["0", "-1e-17"] {
            let at = format!("position: {}", position.replace('1', height));
            let kept = text.replace(&format!("position: {position}"), &at).replace("held = off", "held = on");
            let engine = Engine::text(&kept).unwrap();
            let run = Simulation::new(&engine).duration(0.5).run().unwrap();
            assert_eq!(run.events().missed().count(), 0, "{kept}");
        }
    }
}
