//! Modes with constraint rows: loops, velocity rows, drives.

use mbs::analysis::{ModeKind, Modes, NoEquilibrium, Statics};

use crate::modes::mechanisms::{assert_all_near, assert_near, damped, for_each_formulation, nearest, solved, undamped};

#[test]
fn formulations_agree_on_a_loop() {
    // A sprung and damped four-bar that hangs at rest.
    let text = "planar FourBar { gravity: [0, -9.81];
        body crank   { mass: 0.4, inertia: 0.002, com: [0, -0.1], angle: 0.3 }
        body coupler { mass: 0.9, inertia: 0.02, com: [0.2, 0.03], position: [0.06, -0.19], angle: 0.05 }
        body rocker  { mass: 0.6, inertia: 0.01, com: [0, -0.15], position: [0.35, 0], angle: 0.1 }
        joint a = revolute(ground, crank);
        joint b = revolute(crank at [0, -0.2], coupler);
        joint c = revolute(coupler at [0.4, 0], rocker at [0, -0.3]);
        joint d = revolute(ground at [0.35, 0], rocker);
        force spring = spring_damper(ground at [-0.4, -0.1], coupler at [0.2, 0.03]) { stiffness: 40, damping: 0.6, free_length: 0.5 };
        force felt = torsion_damper(crank, coupler) { damping: 0.01 };
        freedoms: 1; }";
    let (mut plain, mut full) = (Vec::new(), Vec::new());
    for_each_formulation(text, |linkage| {
        let equilibrium = solved(Statics::new(linkage).stable());
        plain.push(Modes::undamped(linkage, &equilibrium).unwrap()[0].frequency());
        let modes = Modes::damped(linkage, &equilibrium).unwrap();
        assert_eq!((modes.len(), modes.is_stable()), (1, true));
        full.push(modes[0].eigenvalue);
    });
    for k in 1..3 {
        assert_near(plain[0], plain[k], 1e-10);
        assert_near((full[0] - full[k]).norm(), 0.0, 1e-9);
    }
    assert!(full[0].re < -0.1 && plain[0] > 3.0, "{full:?}");
}

#[test]
fn a_drive_removes_its_freedom() {
    let text = "planar Arm { gravity: [0, -9.81];
        body upper { mass: 1, inertia: 0.02, com: [0, -0.2] }
        particle bob { mass: 0.5, position: [0, -1] }
        joint shoulder = revolute(ground, upper);
        joint rope = distance(upper at [0, -0.4], bob) { length: 0.6 };
        drive motor = shoulder.angle == 0.5 * t; }";
    for_each_formulation(text, |arm| {
        let expected = [(9.81_f64 / 0.6).sqrt()];
        assert_all_near(&undamped(arm).frequencies(), &expected, 1e-12);
        assert_all_near(&damped(arm).frequencies(), &expected, 1e-12);
    });
}

#[test]
fn a_skate_slides_rotates_and_stays_sideways() {
    // Without stiffness the skate moves along its blade and rotates; sideways it keeps its position.
    let text = "planar Skate {
        body skate { mass: 1.3, inertia: 0.08, com: [0.15, 0.02], angle: 0.3 }
        joint base = free(ground, skate);
        constraint edge = dot(velocity(skate), skate.y) == 0; }";
    for_each_formulation(text, |skate| {
        for modes in [undamped(skate), damped(skate)] {
            let kinds: Vec<ModeKind> = modes.iter().map(|mode| mode.kind).collect();
            let count = |kind| kinds.iter().filter(|k| **k == kind).count();
            assert_eq!((count(ModeKind::Drifting), count(ModeKind::Resting), kinds.len()), (2, 1, 3), "{kinds:?}");
        }
    });
}

#[test]
fn a_sprung_skate_swings_along_its_blade() {
    let text = "planar Skate {
        body skate { mass: 1.3, inertia: 0.08, angle: 0.3 }
        joint base = free(ground, skate);
        constraint edge = dot(velocity(skate), skate.y) == 0;
        force spring = spring_damper(ground, skate) { stiffness: 52 };
        force felt = torsion_spring(ground, skate) { stiffness: 2, free_angle: 0.3 }; }";
    for_each_formulation(text, |skate| {
        // At the origin the spring is relaxed along both axes; sideways, the edge balances its force.
        assert_all_near(&undamped(skate).frequencies(), &[5.0, (52.0_f64 / 1.3).sqrt()], 1e-9);
    });
}

#[test]
fn a_row_that_runs_with_a_displacement_is_a_first_order_mode() {
    // The speed of the cart is proportional to its displacement: ẋ = −0.7 x, for any mass.
    let text = "planar Cart {
        body cart { mass: 3, inertia: 1, position: [0.4, 0] }
        joint rail = prismatic(ground, cart) { axis: [1, 0] };
        constraint servo = rail.speed == -0.7 * rail.position;
        output place = rail.position; }";
    for_each_formulation(text, |cart| {
        let equilibrium = nearest(cart);
        assert!(crate::modes::mechanisms::speeds(cart) > 0);
        for found in [&equilibrium, &solved(Statics::new(cart).stable())] {
            assert_near(crate::modes::mechanisms::output(cart, found, "place"), 0.0, 1e-12);
        }
        let modes = Modes::damped(cart, &equilibrium).unwrap();
        assert_eq!(modes.len(), 1);
        assert_near((modes[0].eigenvalue + 0.7).norm(), 0.0, 1e-12);
    });
}

#[test]
fn a_rope_whose_length_is_a_state_swings_and_settles() {
    let text = "planar Winch { gravity: [0, -9.81];
        state length = 0.7 { rate: 2 * (1.2 - length) };
        particle load { mass: 3, position: [0.1, -0.6] }
        constraint rope = distance(ground, load) == length;
        output depth = -position(load).y; }";
    for_each_formulation(text, |winch| {
        let equilibrium = solved(Statics::new(winch).stable());
        assert_near(crate::modes::mechanisms::output(winch, &equilibrium, "depth"), 1.2, 1e-12);
        assert_near(crate::modes::mechanisms::output(winch, &nearest(winch), "depth"), 1.2, 1e-12);
        let modes = Modes::damped(winch, &equilibrium).unwrap();
        assert_eq!(modes.len(), 2);
        assert_near((modes[0].eigenvalue + 2.0).norm(), 0.0, 1e-11);
        assert_near(modes[1].eigenvalue.re, 0.0, 1e-11);
        assert_near(modes[1].frequency(), (9.81_f64 / 1.2).sqrt(), 1e-11);
        // The first mode moves the load: it is deeper by the change of the rope's length.
        let deeper = modes[0].shape.iter().map(|x| x.norm()).fold(0.0, f64::max);
        assert_near(deeper, modes[0].auxiliary[0].norm(), 1e-10);
    });
}

#[test]
fn a_speed_that_follows_a_state_is_a_mode_of_both() {
    // ẋ = s, ṡ = −3 s − 2 x: λ = −1 and −2.
    let text = "planar Servo {
        state speed = 0.3 { rate: -3 * speed - 2 * rail.position };
        body cart { mass: 3, inertia: 1, position: [0.4, 0] }
        joint rail = prismatic(ground, cart) { axis: [1, 0] };
        constraint servo = rail.speed == speed; }";
    for_each_formulation(text, |cart| {
        let modes = damped(cart);
        let rates: Vec<f64> = modes.iter().map(|mode| mode.eigenvalue.re).collect();
        assert_all_near(&rates, &[-1.0, -2.0], 1e-11);
    });
}

#[test]
fn a_row_that_prescribes_a_speed_prevents_rest() {
    let text = "planar Belt {
        body cart { mass: 3, inertia: 1, position: [0.4, 0] }
        joint rail = prismatic(ground, cart) { axis: [1, 0] };
        force spring = spring_damper(ground at [-1, 0], cart) { stiffness: 10, free_length: 1 };
        constraint belt = rail.speed == 0.5; }";
    for_each_formulation(text, |cart| {
        for statics in [Statics::new(cart), Statics::new(cart).stable()] {
            let NoEquilibrium::Running { row, speed, .. } = statics.solve().err().unwrap() else { panic!() };
            assert_eq!(row, "belt");
            assert_near(speed, 0.5, 1e-12);
        }
    });
}

#[test]
fn a_sprung_cart_that_follows_a_row_and_a_separate_swing_settle_together() {
    let text = "planar Both { gravity: [0, -9.81];
        body cart { mass: 3, inertia: 1, position: [0.4, 0] }
        body bob { mass: 1, com: [0, -0.5], position: [0.4, 0], angle: 0.7 }
        joint rail = prismatic(ground, cart) { axis: [1, 0] };
        joint pin = revolute(cart, bob);
        constraint servo = rail.speed == 2 * (0.1 - rail.position);
        output x = rail.position;
        output lean = angle(bob); }";
    for_each_formulation(text, |both| {
        let found = solved(Statics::new(both).stable());
        assert_near(crate::modes::mechanisms::output(both, &found, "x"), 0.1, 1e-12);
        assert_near(crate::modes::mechanisms::output(both, &found, "lean"), 0.0, 1e-12);
    });
}
