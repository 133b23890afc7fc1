//! Static equilibria, and mechanisms without one.

use mbs::analysis::{NoEquilibrium, Statics};
use mbs::{Describe, Mechanism, State};

use crate::modes::mechanisms::{assert_near, for_each_formulation, nearest, output, refused, solved};

const PENDULUM: &str = "planar Pendulum { gravity: [0, -9.81];
    body rod { mass: 0.7, inertia: 0.013, com: [0, -0.3], angle: 2.2 }
    joint pin = revolute(ground, rod);
    output angle = pin.angle; }";

#[test]
fn a_stable_equilibrium_is_found_from_anywhere() {
    for_each_formulation(PENDULUM, |pendulum| {
        let found = solved(Statics::new(pendulum).stable());
        assert_near(output(pendulum, &found, "angle"), 0.0, 1e-12);
        assert!(found.residual < 1e-12 && found.iterations < 20, "{:?}", found.residuals);
        assert!(found.state.v.iter().all(|v| *v == 0.0));
    });
    // A start at the unstable equilibrium to the last bit is perturbed.
    let upright = PENDULUM.replace("2.2", "PI");
    for_each_formulation(&upright, |pendulum| {
        let turns = output(pendulum, &solved(Statics::new(pendulum).stable()), "angle") / std::f64::consts::TAU;
        assert_near(turns, turns.round(), 1e-12);
    });
}

#[test]
fn the_nearest_equilibrium_may_be_unstable() {
    let near_upright = PENDULUM.replace("2.2", "2.9");
    for_each_formulation(&near_upright, |pendulum| {
        let found = nearest(pendulum);
        assert_near(output(pendulum, &found, "angle"), std::f64::consts::PI, 1e-12);
    });
}

#[test]
fn a_load_and_a_spring_balance() {
    let text = "planar Beam { gravity: [0, -10];
        input load;
        body beam { mass: 1.5, inertia: 0.05, com: [0.4, 0], angle: 0.3 }
        joint pin = revolute(ground, beam);
        force spring = torsion_spring(ground, beam) { stiffness: 20, damping: 1 };
        force weight = point_force(beam at [1, 0]) { force: [0, -load] };
        output angle = pin.angle;
        output moment = 20 * pin.angle + (1.5 * 10 * 0.4 + load) * cos(pin.angle); }";
    for_each_formulation(text, |beam| {
        let found = solved(Statics::new(beam).inputs(&[3.0]));
        assert_near(output(beam, &found, "angle"), -0.410_5, 0.1);
        // The balance itself, in the outputs for this load.
        assert_near(output(beam, &found, "moment"), 0.0, 1e-12);
    });
}

#[test]
fn multipliers_are_loads_of_drives() {
    let text = "planar Held { gravity: [0, -10];
        body rod { mass: 2, inertia: 0.1, com: [0.5, 0], angle: 0.2 }
        joint pin = revolute(ground, rod);
        drive motor = pin.angle == 0.6 + sin(3 * t); }";
    for_each_formulation(text, |rod| {
        // Time is fixed: the rate of the drive is not used.
        let found = nearest(rod);
        let motor = (0..rod.sizes().n_c).find(|row| rod.name(mbs::Item::Row(*row)) == "motor").unwrap();
        assert_near(-found.multipliers[motor], 2.0 * 10.0 * 0.5 * 0.6_f64.cos(), 1e-12);
        // At another time the drive accelerates.
        let error = Statics::new(rod).time(0.4).solve().err().unwrap();
        let NoEquilibrium::Moving { row, acceleration, .. } = error else { panic!("{error}") };
        assert_eq!(row, "motor");
        assert_near(acceleration, -9.0 * 1.2_f64.sin(), 1e-12);
    });
}

#[test]
fn auxiliary_states_settle() {
    // A spring whose force is a state that follows the stretch s, ż = 4 (30 s − z).
    let text = "planar Leaky { gravity: [0, -9.81];
        body block { mass: 1.3, inertia: 0.1 }
        joint guide = prismatic(ground, block) { axis: [0, 1] };
        state pull = 0 { rate: 4 * (30 * guide.position - pull) };
        force spring = point_force(block) { force: [0, -pull] };
        output height = guide.position; }";
    for_each_formulation(text, |block| {
        for statics in [Statics::new(block), Statics::new(block).stable()] {
            let found = solved(statics);
            assert_near(output(block, &found, "height"), -1.3 * 9.81 / 30.0, 1e-12);
            assert_near(found.state.z[0], -1.3 * 9.81, 1e-12);
        }
    });
}

#[test]
fn a_falling_body_is_named() {
    let text = "planar Falling { gravity: [0, -9.81];
        body block { mass: 1.3, inertia: 0.1 }
        body rod { mass: 0.4, inertia: 0.01, com: [0, -0.2], angle: 0.1 }
        joint guide = prismatic(ground, block) { axis: [0.2, 1] };
        joint pin = revolute(block, rod); }";
    for_each_formulation(text, |block| {
        let error = refused(block);
        let NoEquilibrium::Unbalanced { name, .. } = &error else { panic!("{error}") };
        // In natural coordinates both bodies share the point of their pin.
        assert!(["block", "guide", "rod.y", "pin.y"].iter().any(|part| name.contains(part)), "{error}");
        assert_eq!(format!("{error:?}"), error.to_string());
    });
    let clock = "planar Clock { body wheel { inertia: 0.1 } joint pin = revolute(ground, wheel);
        force spring = torsion_spring(ground, wheel) { stiffness: 2 };
        state time = 0 { rate: 1 }; }";
    for_each_formulation(clock, |clock| {
        let error = refused(clock);
        let NoEquilibrium::Unbalanced { name, rate, .. } = &error else { panic!("{error}") };
        assert_eq!(name, "time");
        assert_near(*rate, 1.0, 1e-12);
    });
}

#[test]
fn neutral_freedoms_keep_their_coordinates() {
    // A balanced wheel on a sprung block.
    let text = "planar Balanced { gravity: [0, -9.81];
        body block { mass: 1, inertia: 0.1, position: [0, -0.4] }
        body wheel { mass: 2, inertia: 0.3, angle: 0.7, position: [0, -0.4] }
        joint guide = prismatic(ground, block) { axis: [0, 1] };
        joint axle = revolute(block, wheel);
        force spring = spring_damper(ground, block) { stiffness: 200, free_length: 0.3 };
        output angle = axle.angle;
        output height = guide.position; }";
    for_each_formulation(text, |wheel| {
        let found = nearest(wheel);
        assert_near(output(wheel, &found, "angle"), 0.7, 1e-13);
        assert_near(output(wheel, &found, "height"), -0.3 - 3.0 * 9.81 / 200.0, 1e-12);
    });
}

#[test]
fn a_guess_off_the_rows_is_brought_onto_them() {
    let text = "planar Swing { gravity: [0, -9.81];
        particle left  { mass: 1, position: [0.4, -0.6] }
        particle right { mass: 2, position: [0.9, -0.7] }
        joint a = distance(ground, left) { length: 0.7 };
        joint b = distance(left, right) { length: 0.5 };
        joint c = distance(right, ground at [1.3, 0]) { length: 0.8 };
        output sag = position(right).y; }";
    let mut sags = Vec::new();
    for_each_formulation(text, |swing| {
        let mut start = State::new(swing);
        start.q.iter_mut().zip([0.05, -0.04, 0.03, -0.06]).for_each(|(q, by)| *q += by);
        let found = solved(Statics::new(swing).initial(start));
        assert!(found.residual < 1e-10);
        let mut phi = vec![0.0; swing.sizes().n_position];
        swing.position_residuals(found.state.view(&[]), &mut phi);
        assert!(phi.iter().all(|phi| phi.abs() < 1e-13), "{phi:?}");
        sags.push(output(swing, &found, "sag"));
    });
    sags[1..].iter().for_each(|sag| assert_near(*sag, sags[0], 1e-12));
}

#[test]
fn errors_name_their_cause() {
    let text =
        "planar Falling { gravity: [0, -9.81]; body block { mass: 1, inertia: 1 } joint base = free(ground, block); }";
    for_each_formulation(text, |block| {
        let message = refused(block).to_string();
        assert!(message.starts_with("nothing keeps `") && message.contains("-9.810e0"), "{message}");
        assert!(Statics::new(block).inputs(&[1.0]).solve().is_err());
    });
}

#[test]
fn cables_support_loads_in_tension_only() {
    let text = "planar Hung { gravity: [0, -10];
        particle load { mass: 2, position: [0.1, 0.3] }
        force left  = cable(ground at [-1, 0], load) { stiffness: 500, free_length: 1.1 };
        force right = cable(ground at [1, 0], load) { stiffness: 500, free_length: 1.1 };
        force below = cable(ground at [0, -0.7], load) { stiffness: 500, free_length: 0.5 };
        output x = position(load).x;
        output y = position(load).y;
        output tension = norm(load(left).force);
        output slack = norm(load(below).force); }";
    for_each_formulation(text, |hung| {
        // The search starts above, where all cables but the lower one are slack.
        let found = solved(Statics::new(hung).stable());
        let [x, y, tension, slack] = ["x", "y", "tension", "slack"].map(|name| output(hung, &found, name));
        assert_near(x, 0.0, 1e-12);
        let length = 1.0_f64.hypot(y);
        assert_near(tension, 500.0 * (length - 1.1), 1e-10);
        assert_near(slack, 0.0, 0.0);
        assert_near(2.0 * tension * -y / length, 20.0, 1e-10);
    });
}
