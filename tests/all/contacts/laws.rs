//! Contact laws at prescribed depths and slips: normal forces and friction of every kind of contact with the ground, and identical bits at equal
//! states.

use mbs::{Mechanism, State, StateView};

use super::{Engine, FORMULATIONS, compiled, run_everywhere};

const STIFFNESS: f64 = 1e4;
const RADIUS: f64 = 0.3;

/// A ball or a disc whose centre is moved by two slides: `aside` and `up` are functions of time \[m\].
fn moved(contact: &str, law: &str, [aside, up]: [&str; 2]) -> String {
    let space = if contact.starts_with("spatial") { "spatial" } else { "planar" };
    let contact = contact.trim_start_matches("spatial ");
    let (flat, x, z, curves) = match space {
        "planar" => (
            "flat(x) = 0",
            "[1, 0]",
            "[0, 1]",
            "curve road on ground = line([1, 0]); curve rim on wheel = circle(radius);",
        ),
        _ => ("flat(x, y) = 0", "[1, 0, 0]", "[0, 0, 1]", ""),
    };
    let radius = if contact.starts_with("curve") { "" } else { "radius," };
    let height = if contact.starts_with("terrain") { "height: flat," } else { "" };
    let push = if space == "planar" { "y" } else { "z" };
    format!(
        "{space} Rig {{
            const radius = {RADIUS};
            body cart {{ mass: 1, inertia: 1 }}
            body wheel {{ mass: 1, inertia: 1 }}
            joint rail = prismatic(ground, cart) {{ axis: {x} }};
            joint lift = prismatic(cart, wheel) {{ axis: {z} }};
            prescribe travel = rail.position == {aside};
            prescribe height = lift.position == {up};
            function {flat};
            {curves}
            force tyre = {contact} {{ {height} {radius} stiffness: {STIFFNESS}, {law} }};
            output push = load(tyre).force.{push};
            output rub = load(tyre).force.x;
        }}"
    )
    .replace("inertia: 1 }", if space == "planar" { "inertia: 1 }" } else { "inertia: [1, 1, 1] }" })
}

const KINDS: [&str; 5] = [
    "plane_contact(ground, wheel)",
    "terrain_contact(ground, wheel)",
    "curve_contact(road, rim)",
    "spatial plane_contact(ground, wheel)",
    "spatial terrain_contact(ground, wheel)",
];

/// μ = μ_d + (μ_s − μ_d) exp(−(u/v_s)²) times tanh(u/v₀), at slips from −1 to 1 m/s.
#[test]
fn friction_falls_by_stribecks_law() {
    let (dynamic, more, creep, scale, depth) = (0.4, 0.3, 0.02, 0.15, 0.01);
    let law = format!("exponent: 1, friction: {dynamic}, creep: {creep}, stiction: {more}, stribeck: {scale}");
    let times: Vec<f64> = (0..=40).map(|k| f64::from(k) / 40.0).collect();
    for kind in KINDS {
        let text = moved(kind, &law, ["t * t - t", &format!("{RADIUS} - {depth}")]);
        for (label, run) in run_everywhere(&text, &times) {
            let [push, rub] = ["push", "rub"].map(|name| run.output(name).expect("it is declared"));
            for ((t, push), rub) in times.iter().zip(push).zip(rub) {
                let slip: f64 = 2.0 * t - 1.0;
                let coefficient = dynamic + more * (-(slip / scale).powi(2)).exp();
                let expected = -STIFFNESS * depth * coefficient * (slip / creep).tanh();
                assert!((push - STIFFNESS * depth).abs() < 1e-9, "{kind}, {label}: {push} N");
                // Slips are sums of terms of 1 m/s, whose roundings tanh magnifies fifty times.
                assert!((rub - expected).abs() < 1e-9, "{kind}, {label} at {slip} m/s: {rub} instead of {expected} N");
            }
        }
    }
}

/// N = max(K δᵉ (1 + 1.5 c δ̇) + d δ̇, 0), in and out again, fast enough to be zero before the end.
#[test]
fn damping_pushes_by_the_rate_and_never_pulls() {
    let times: Vec<f64> = (0..=50).map(|k| f64::from(k) / 50.0 * std::f64::consts::PI / 20.0).collect();
    for (exponent, dissipation, damping) in [(1.0, 0.0, 80.0), (1.5, 0.4, 0.0), (2.0, 0.2, 30.0)] {
        let law = format!("exponent: {exponent}, dissipation: {dissipation}, damping: {damping}");
        for kind in KINDS {
            let text = moved(kind, &law, ["0", &format!("{RADIUS} - 0.02 * sin(20 * t)")]);
            for (label, run) in run_everywhere(&text, &times) {
                let push = run.output("push").expect("it is declared");
                let mut pulls = 0;
                for (t, push) in times.iter().zip(push) {
                    let (depth, rate) = (0.02 * (20.0 * t).sin(), 0.4 * (20.0 * t).cos());
                    let force = STIFFNESS * depth.max(0.0).powf(exponent) * (1.0 + 1.5 * dissipation * rate);
                    // At the ends the depth is zero, and there is no contact.
                    let expected = if depth > 1e-9 { (force + damping * rate).max(0.0) } else { *push };
                    pulls += usize::from(force + damping * rate < 0.0 && depth > 1e-9);
                    assert!((push - expected).abs() < 1e-9, "{kind}, {label} at {t} s: {push}, not {expected} N");
                }
                assert!(damping == 0.0 || pulls > 0, "{kind}: it never would");
            }
        }
    }
}

/// Contacts found by an iterative search do not depend on earlier states, as no search state is stored, compiled and by the engine.
#[test]
fn the_same_state_has_the_same_bits() {
    fn alike<M: Mechanism>(label: &str, mechanism: &M) {
        let start = State::new(mechanism);
        let sizes = mechanism.sizes();
        let (q, v) = (start.q.as_ref().to_vec(), start.v.as_ref().to_vec());
        let mut found = Vec::new();
        for k in [0, 7, 3, 7, 1, 7] {
            let displaced: Vec<f64> = q.iter().zip(1..).map(|(q, i)| q + 2e-4 * f64::from(k * i)).collect();
            let v: Vec<f64> = v.iter().zip(1..).map(|(v, i)| v + 0.1 * f64::from(k * i)).collect();
            let (mut a, mut lambda) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
            mechanism.accelerations(StateView::new(0.0, &displaced, &v), &mut a, &mut lambda).expect("it is regular");
            assert!(a.iter().any(|a| a.abs() > 20.0), "{label}: nothing touches in {a:?}");
            if k == 7 {
                found.push(a.into_iter().map(f64::to_bits).collect::<Vec<u64>>());
            }
        }
        assert!(found[1..].iter().all(|bits| *bits == found[0]), "{label}");
    }
    let law = "stiffness: 1e5, damping: 20, friction: 0.4";
    let free = "gravity: [0, -9.81]; body egg { mass: 1, inertia: 0.01, position: [0.2, 0.12], angle: 0.3, velocity: [1, 0], rate: 2 }";
    let planar = [
        format!(
            "planar Egg {{ {free} curve shell on egg = ellipse(0.2, 0.15);
                curve road(s) on ground = [s, 0.02 * sin(3 * s)] {{ range: [-1, 1] }};
                force blow = curve_contact(road, shell) {{ {law} }}; }}"
        ),
        format!(
            "planar Egg {{ {free} function hill(x) = 0.02 * sin(3 * x);
                force blow = terrain_contact(ground, egg) {{ height: hill, radius: 0.2, {law} }}; }}"
        ),
    ];
    for text in &planar {
        FORMULATIONS.into_iter().for_each(|f| alike(&format!("{f:?} {text}"), &compiled(text, f)));
        alike(text, &Engine::text(text).expect("it is right"));
    }
    let text = format!(
        "spatial Egg {{ gravity: [0, 0, -9.81];
            body egg {{ mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.2, 0.1, 0.12], velocity: [1, 0, 0] }}
            function hill(x, y) = 0.02 * sin(3 * x) * cos(2 * y);
            force blow = terrain_contact(ground, egg) {{ height: hill, radius: 0.2, {law} }}; }}"
    );
    FORMULATIONS.into_iter().for_each(|f| alike(&format!("{f:?} {text}"), &compiled(&text, f)));
    alike(&text, &Engine::text(&text).expect("it is right"));
}
