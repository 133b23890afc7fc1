//! A ball that bounces on a plane.

use super::{as_number, case, run_everywhere};

/// The ball of a case in the plane and in space.
fn texts(p: &serde_json::Value) -> [String; 2] {
    let [mass, radius, k, c, y] =
        ["mass", "radius", "K", "hunt_crossley_c", "drop_height_bottom"].map(|name| as_number(&p[name]));
    let law = format!("{{ radius: {radius}, stiffness: {k:e}, dissipation: {c} }}");
    let y = y + radius;
    [
        format!(
            "planar Ball {{
                gravity: [0, -9.81];
                body ball {{ mass: {mass}, inertia: 0.01, position: [0.3, {y}], velocity: [0, 0] }}
                force touch = plane_contact(ground, ball) {law};
                output height = position(ball).y - {radius};
                output depth = touch.depth;
                output press = touch.normal_force;
            }}"
        ),
        format!(
            "spatial Ball {{
                gravity: [0, 0, -9.81];
                particle ball {{ mass: {mass}, position: [0.3, -0.2, {y}], velocity: [0, 0, 0] }}
                force touch = plane_contact(ground, ball) {law};
                output height = position(ball).z - {radius};
                output depth = touch.depth;
                output press = touch.normal_force;
            }}"
        ),
    ]
}

/// Asserts times of touching and leaving within 2e-9 s, speeds within 1e-8 m/s, greatest depths within 1e-9 m and greatest heights within 3e-9 m:
/// errors of 1e-12 per step grow to these in four stiff bounces. The case's greatest force is that at the greatest depth, where damping exerts
/// none: within 1e-7 of it.
fn assert_bounces(name: &str) {
    let case = case(name);
    let bounces = case["reference"]["bounces"].as_array().expect("bounces");
    let instants = bounces.iter().flat_map(|b| [as_number(&b["max_penetration_time"]), as_number(&b["apex_time"])]);
    let times: Vec<f64> = std::iter::once(0.0).chain(instants).collect();
    for text in texts(&case["parameters"]) {
        for (label, recording) in run_everywhere(&text, &times) {
            let column = |name: &str| recording.output(name).expect("it is declared");
            for (k, bounce) in bounces.iter().enumerate() {
                let (depth, height) = (column("depth")[2 * k + 1], column("height")[2 * k + 2]);
                let (deepest, apex) =
                    (as_number(&bounce["max_penetration"]), as_number(&bounce["apex_height_above_contact"]));
                println!("{name}, {label}: {:.1e} m, {:.1e} m", depth - deepest, height - apex);
                assert!((depth - deepest).abs() < 1e-9, "{name}, {label}: {depth}, not {deepest} m");
                assert!((height - apex).abs() < 3e-9, "{name}, {label}: {height}, not {apex} m");
                let (press, most) = (column("press")[2 * k + 1], as_number(&bounce["max_force"]));
                assert!((press / most - 1.0).abs() < 1e-7, "{name}, {label}: {press}, not {most} N");
            }
            let touches: Vec<(f64, f64)> = recording
                .events()
                .of("touch")
                .expect("it is an event")
                .map(|o| (o.t, o.before.v.iter().fold(0.0_f64, |most, v| most.max(v.abs()))))
                .collect();
            assert_eq!(touches.len(), 2 * bounces.len(), "{name}, {label}: {touches:?}");
            for (pair, bounce) in touches.chunks(2).zip(bounces) {
                let longer = pair[1].0 - pair[0].0 - as_number(&bounce["contact_duration"]);
                assert!(longer.abs() < 2e-9, "{name}, {label}: in touch for {longer:e} s more");
                for ((t, v), [time, speed]) in
                    pair.iter().zip([["impact_time", "impact_speed"], ["release_time", "release_speed"]])
                {
                    let (dt, dv) = (t - as_number(&bounce[time]), v - as_number(&bounce[speed]));
                    println!("{name}, {label}: {dt:.1e} s, {dv:.1e} m/s");
                    assert!(dt.abs() < 2e-9 && dv.abs() < 1e-8, "{name}, {label}, {time}: {dt:e} s, {dv:e} m/s");
                }
            }
        }
    }
}

#[test]
fn hertz() {
    assert_bounces("contact_hertz_bounce");
    assert_bounces("contact_hertz_bounce_stiff");
}

#[test]
fn hunt_and_crossley() {
    assert_bounces("contact_hunt_crossley_bounce");
}
