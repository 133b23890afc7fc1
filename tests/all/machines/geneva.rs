//! A Geneva drive with switched rows: the wheel against its closed form, no impact where the pin enters and leaves, and energy of a free crank.

use std::f64::consts::{PI, TAU};

use mbs::{FullMechanism, Integrator, Recording, Simulation};

use super::{FORMULATIONS, assert_near, by_engine, compiled};

const SPEED: f64 = 5.0;
const APART: f64 = 0.1;

/// A drive of n slots, whose crank is driven or free.
fn drive(slots: usize, motor: &str) -> String {
    format!(
        "pub planar Geneva {{
            const slots = {slots};
            const apart = {APART};
            const reach = apart * sin(PI / slots);
            const step = TAU / slots;
            body crank {{ mass: 0.3, inertia: 2e-3, com: [0.01, 0] }}
            body wheel {{ mass: 0.5, inertia: 6e-4 }}
            marker pin = crank at [reach, 0];
            joint shaft = revolute(ground, crank);
            joint axle  = revolute(ground at [apart, 0], wheel);
            {motor}
            freedoms: 1;
            switch engaged = off;
            discrete turned = 0;
            function slot(k) = PI + step / 2 + k * step;
            let along = cos(slot(turned)) * wheel.x + sin(slot(turned)) * wheel.y;
            let arm = position(pin) - position(wheel);
            constraint disc   = axle.angle == -step * turned {{ enabled: !engaged }};
            constraint flanks = cross(along, arm) == 0 {{ enabled: engaged }};
            exclusive: [disc, flanks];
            event enters = when norm(arm) - apart * cos(PI / slots) falls {{ enabled: arm.y < 0; engaged = on; }}
            event leaves = when norm(arm) - apart * cos(PI / slots) rises {{ enabled: arm.y > 0; engaged = off; turned = turned + 1; }}
            output crank_angle = shaft.angle;
            output angle = axle.angle;
            output rate = axle.rate;
            output acceleration = axle.acceleration;
            output count = turned;
            output energy = kinetic_energy;
        }}"
    )
}

const DRIVEN: &str = "drive motor = shaft.angle == 5 * t - 2.8;";

fn run<M: FullMechanism>(mechanism: &M, duration: f64) -> Recording {
    let tight = Integrator::DormandPrince { rtol: 1e-11, atol: 1e-12 };
    let simulation = Simulation::new(mechanism).integrator(tight).duration(duration).every(0.003).max_step(0.02);
    simulation.run().unwrap_or_else(|e| panic!("{e}"))
}

/// Runs in every formulation and by the engine, with their labels.
fn run_everywhere(text: &str, duration: f64) -> Vec<(String, Recording)> {
    let compiled = FORMULATIONS.map(|f| (format!("{f:?}"), run(&compiled(text, f), duration)));
    compiled.into_iter().chain([("engine".to_owned(), run(&by_engine(text, FORMULATIONS[0]), duration))]).collect()
}

/// β, β' and β'' by the crank's angle α from the line of axes: tan β = sin α/(μ − cos α), μ = 1/sin(π/n).
fn closed_form(slots: usize, alpha: f64) -> [f64; 3] {
    let mu = 1.0 / (PI / slots as f64).sin();
    let d = mu * mu - 2.0 * mu * alpha.cos() + 1.0;
    let first = (mu * alpha.cos() - 1.0) / d;
    [alpha.sin().atan2(mu - alpha.cos()), first, mu * (1.0 - mu * mu) * alpha.sin() / (d * d)]
}

/// With the pin in a slot the wheel follows the closed form; otherwise it is at rest. Angles and rates agree to 1e-9, accelerations of hundreds
/// to 1e-8: rows and integrator have tolerances of 1e-11.
#[test]
fn the_wheel_moves_by_the_closed_form() {
    for slots in [3, 4, 6] {
        let step = TAU / slots as f64;
        let half = PI / 2.0 - PI / slots as f64;
        for (case, recording) in run_everywhere(&drive(slots, DRIVEN), 2.7) {
            let case = format!("{slots} slots, {case}");
            let column = |name: &str| recording.output(name).expect("an output");
            let mut moving = 0;
            for (row, t) in recording.times().iter().enumerate() {
                let crank = SPEED * t - 2.8;
                let alpha = (crank + PI).rem_euclid(TAU) - PI;
                // Number of completed engagements.
                let passed = ((crank - half) / TAU).ceil();
                let [beta, first, second] = closed_form(slots, alpha);
                let is_engaged = alpha.abs() < half - 1e-6;
                let (angle, rate, acceleration) = match is_engaged {
                    true => (-step * (passed + 0.5) - beta, -first * SPEED, -second * SPEED * SPEED),
                    false => (-step * column("count")[row], 0.0, 0.0),
                };
                if !is_engaged && alpha.abs() < half + 1e-6 {
                    continue;
                }
                moving += usize::from(is_engaged);
                assert_near(&case, &format!("the angle at {t}"), column("angle")[row], angle, 1e-9);
                assert_near(&case, &format!("the rate at {t}"), column("rate")[row], rate, 1e-9);
                assert_near(&case, &format!("α at {t}"), column("acceleration")[row], acceleration, 1e-8);
            }
            assert!(moving > 100, "{case}: {moving}");
            let count = recording.len() - 1;
            assert_eq!(column("count")[count], 2.0, "{case}");
        }
    }
}

/// The pin enters and leaves along the slot without an impulse, at the times of these crank angles.
#[test]
fn pins_enter_and_leave_without_a_blow() {
    for (case, recording) in run_everywhere(&drive(4, DRIVEN), 2.7) {
        let events: Vec<_> = recording.events().iter().collect();
        assert_eq!(
            events.iter().map(|e| e.name).collect::<Vec<_>>(),
            ["enters", "leaves", "enters", "leaves"],
            "{case}"
        );
        for (event, (sign, turn)) in events.iter().zip([(-1.0, 0.0), (1.0, 0.0), (-1.0, 1.0), (1.0, 1.0)]) {
            let expected = (2.8 + sign * PI / 4.0 + turn * TAU) / SPEED;
            assert_near(&case, event.name, event.t, expected, 1e-10);
            // Roundings of the time on a wheel of 6e-4 kg m² at 150 rad/s².
            let blow = event.row_impulses.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            assert!(blow < 1e-9, "{case}: a blow of {blow}");
        }
    }
}

/// A free crank slows down in the slot and regains its speed after it: energy is conserved to 1e-9 with tolerances of 1e-11.
#[test]
fn free_cranks_keep_their_energy() {
    for (case, recording) in run_everywhere(&drive(4, "initial shaft.angle = -2.8, shaft.rate = 5;"), 2.7) {
        let energy = recording.output("energy").expect("an output");
        for x in energy {
            assert_near(&case, "relative energy", x / energy[0], 1.0, 1e-9);
        }
        assert_eq!(recording.output("count").expect("an output")[recording.len() - 1], 2.0, "{case}");
    }
}
