//! Rows of accelerations, and rows that are not affine in speeds: compiler against engine, and motions against closed forms.

use mbs_random::laws::{self, Compared};
use mbs_random::oracle::Oracle;
use mbs_random::state::{Random, assembled, scattered};

use crate::every_side::{Sides, check_laws, run_on_every_side, sides};

const PLANE: &str = "
    gravity: [0.3, -9.81];
    input u;
    state lag = 0.4 { rate: u - lag };
    param k = 3;
    body cart { mass: 2, inertia: 0.3, com: [0.1, 0.05], position: [0.2, 0], angle: 0 }
    body arm { mass: 1, inertia: 0.2, com: [0.4, 0.1], position: [0.4, 0.1], angle: 0.5 }
    body kite { mass: 0.5, inertia: 0.1, com: [0.05, 0.1], position: [1.2, 0.9], angle: 0.3 }
    joint rail = prismatic(ground, cart) { axis: [1, 0] };
    joint shoulder = revolute(cart at [0.2, 0.1], arm);
    joint flight = free(ground, kite);
    force spring = spring_damper(arm at [0.8, 0], kite at [-0.1, 0.2]) { stiffness: 20, damping: 0.7, free_length: 0.4 };";

const SPACE: &str = "
    gravity: [0.3, 0.5, -9.81];
    input u;
    state lag = 0.4 { rate: u - lag };
    param k = 3;
    body cart { mass: 2, inertia: [0.3, 0.2, 0.4], com: [0.1, 0.05, 0.2], position: [0.2, 0, 0] }
    body arm { mass: 1, inertia: [[0.2, 0.02, 0], [0.02, 0.3, 0.01], [0, 0.01, 0.25]], com: [0.4, 0.1, 0.05], position: [0.4, 0.1, 0] }
    body kite { mass: 0.5, inertia: [0.1, 0.12, 0.15], com: [0.05, 0.1, -0.1], position: [1.2, 0.9, 0.3], attitude: mrp }
    joint rail = prismatic(ground, cart) { axis: [1, 0, 0] };
    joint shoulder = revolute(cart at [0.2, 0.1, 0], arm) { axis: [0, 0.6, 0.8] };
    joint flight = free(ground, kite);
    force spring = spring_damper(arm at [0.8, 0, 0.1], kite at [-0.1, 0.2, 0]) { stiffness: 20, damping: 0.7, free_length: 0.4 };";

/// Checks compiler against engine for a declaration with rows that are off in some states.
#[track_caller]
fn compare_sides(text: &str) {
    for Sides { label, compiled, engine } in &sides(text) {
        let start = assembled(compiled).unwrap_or_else(|error| panic!("{label}: {error}"));
        let states = scattered(compiled, &start, 6, &mut Random::new(1));
        let oracles = Oracle::all(compiled, &states);
        let agreed = laws::sides_agree(compiled, engine, Compared::new(compiled, true), &states);
        for result in [laws::equations_are_those_of_series(compiled, &oracles), agreed] {
            result.unwrap_or_else(|violation| panic!("{label}\n{violation}"));
        }
    }
}

fn everywhere(check: fn(&str), items: &str) {
    check(&format!("pub planar Levels {{ {PLANE} {items} }}"));
    check(&format!("pub spatial Levels {{ {SPACE} {items} }}"));
}

#[test]
fn rows_of_accelerations_are_alike_on_every_side() {
    everywhere(
        check_laws,
        "constraint pull = acceleration(kite).x == -k * position(kite).x + 0.2 * velocity(kite).y + 0.1 * u + lag;
        constraint turn = (2 + sin(rail.position)) * shoulder.acceleration == shoulder.rate.powi(2) + t * rail.acceleration;
        drive push = rail.position == 0.2 + 0.3 * sin(2 * t);
        output effort = load(pull); output on = reaction(turn, arm).force; output spin = shoulder.acceleration;",
    );
    everywhere(check_laws, "constraint slip = acceleration(arm at com).y == acceleration(kite).y * 0.5 - cos(t);");
}

#[test]
fn rows_of_accelerations_can_be_switched_off() {
    everywhere(
        compare_sides,
        "switch hold = on;
        constraint steady = acceleration(kite).x == -velocity(kite).x { enabled: hold };
        constraint blade = dot(velocity(kite), kite.y) == 0.3 * t;",
    );
}

#[test]
fn a_cart_that_accelerates_like_a_spring_swings_like_one() {
    // ẍ = −k x from x = 0.5, ẋ = 0.4, with m = 2 and a force of 3 N: the load is −λ = m ẍ − 3.
    let of = |space: &str, more: &str| {
        format!(
            "pub {space} Sprung {{ particle cart {{ mass: 2, position: [0.5, 0{more}] }} joint air = free(ground, cart);
            force push = point_force(cart) {{ force: [3, 0{more}] in ground }};
            constraint like_a_spring = acceleration(cart).x == -9 * position(cart).x;
            initial velocity(cart).x = 0.4; output load = load(like_a_spring); output x = position(cart).x; }}"
        )
    };
    for text in [of("planar", ""), of("spatial", ", 0")] {
        run_on_every_side(&text, 2.0, |sizes, t, outputs| {
            assert_eq!((sizes.n_position, sizes.n_velocity, sizes.n_c), (0, 0, 1));
            let x = 0.5 * (3.0 * t).cos() + 0.4 / 3.0 * (3.0 * t).sin();
            // Tolerances of 1e-10 per step, some fifty steps.
            assert!((outputs[1] - x).abs() < 1e-7, "{outputs:?} at {t}: x = {x}");
            assert!((outputs[0] - (-18.0 * x - 3.0)).abs() < 1e-6, "{outputs:?} at {t}: x = {x}");
        });
    }
}

#[test]
fn rows_that_are_nonlinear_in_speeds_are_alike_on_every_side() {
    everywhere(
        check_laws,
        "constraint steady = dot(velocity(kite), velocity(kite)) == (1.5 + 0.2 * sin(t)).powi(2);
        constraint geared = shoulder.rate + 0.3 * sin(shoulder.rate) * cos(rail.position) == 0.2 * rail.speed;
        initial velocity(kite).x ~ 1.2, velocity(kite).y ~ 0.4, rail.speed = 0.3;
        output effort = load(steady); output on = reaction(geared, arm).force;",
    );
}

#[test]
fn states_may_stand_in_rows_of_every_level() {
    everywhere(
        compare_sides,
        "state slow = 0.1 { rate: rail.speed - slow };
        constraint geared = shoulder.rate + 0.3 * sin(shoulder.rate + slow) == 0.2 * rail.speed + slow;
        constraint pull = (2 + slow) * acceleration(kite).x == slow * lag + u;",
    );
}

#[test]
fn accelerations_may_have_speeds_for_factors() {
    everywhere(
        check_laws,
        "constraint powered = velocity(kite).x * acceleration(kite).x + velocity(kite).y * acceleration(kite).y == 0.1 * u;
        constraint bent = (2 + sin(shoulder.rate)) * shoulder.acceleration == rate(rail.speed.powi(2));
        initial velocity(kite).x ~ 1.2, rail.speed ~ 0.3;
        output effort = load(powered); output on = reaction(bent, arm).torque;",
    );
}

#[test]
fn angular_speeds_may_be_constrained() {
    check_laws(&format!(
        "pub spatial Levels {{ {SPACE} constraint held = dot(angular_velocity(kite), angular_velocity(kite)) == 4;
        initial angular_velocity(kite).x ~ 2; output effort = load(held); output on = reaction(held, kite).torque; }}"
    ));
}

#[test]
fn a_particle_of_constant_speed_moves_on_a_catenary() {
    // With θ from the horizontal dθ/dt = −g cos θ / c: sin θ = −tanh(g t / c) from θ = 0. The load in the direction of the path is m g sin θ; the
    // row is |v|² = c², so that this load is −2 λ c.
    let (g, c, m) = (9.81_f64, 3.0, 0.7);
    let of = |space: &str, more: &str| {
        format!(
            "pub {space} Steady {{ gravity: [0, -9.81{more}]; particle p {{ mass: 0.7, velocity: [3, 0{more}] }}
            joint air = free(ground, p); constraint speed = dot(velocity(p), velocity(p)) == 9;
            output rise = velocity(p).y; output load = load(speed); output energy = kinetic_energy; }}"
        )
    };
    for text in [of("planar", ""), of("spatial", ", 0")] {
        run_on_every_side(&text, 1.0, |sizes, t, outputs| {
            assert_eq!((sizes.n_position, sizes.n_velocity, sizes.n_c), (0, 1, 1));
            let sine = -(g * t / c).tanh();
            assert!((outputs[0] - c * sine).abs() < 1e-8, "{outputs:?} at {t}: {}", c * sine);
            assert!((outputs[1] * 2.0 * c - m * g * sine).abs() < 1e-8, "{outputs:?} at {t}");
            assert!((outputs[2] - 0.5 * m * c * c).abs() < 1e-12, "{outputs:?} at {t}");
        });
    }
}

#[test]
fn the_constraint_of_appell_and_hamel_loses_no_energy() {
    // vₓ² + v_y² = a² v_z² is homogeneous in speeds: its reaction does no work. With v = (s, 0, s/a) and s the horizontal speed:
    // (m + m/a²) ṡ = −m g / a, a motion on a straight line.
    let text =
        "pub spatial Hamel { gravity: [0, 0, -9.81]; const a = 0.8; particle p { mass: 1.3, velocity: [0.8, 0, 1] }
        joint air = free(ground, p); let v = velocity(p);
        constraint cone = v.x * v.x + v.y * v.y == a * a * v.z * v.z;
        initial v.x = 0.8; initial v.y = 0; initial v.z ~ 1;
        output v = v; output energy = kinetic_energy + potential_energy; }";
    run_on_every_side(text, 0.1, |_, t, outputs| {
        let s = 0.8 - 9.81 / 0.8 / (1.0 + 1.0 / 0.64) * t;
        assert!((outputs[0] - s).abs() < 1e-9 && outputs[1].abs() < 1e-12, "{outputs:?} at {t}: {s}");
        assert!((outputs[2] - s / 0.8).abs() < 1e-9, "{outputs:?} at {t}: {s}");
        assert!((outputs[3] - 0.5 * 1.3 * 1.64).abs() < 1e-9, "{outputs:?} at {t}");
    });
}

/// The rate of an event whose value contains the rate of a state depends on the state's second rate.
#[test]
fn events_that_contain_rates_of_states_are_alike_on_every_side() {
    everywhere(
        compare_sides,
        "state way = 0.2 { rate: sin(way) + shoulder.angle };
        event turned = when rate(way.powi(2)) * t + 0.3 falls { way = 0.1; }",
    );
}
