//! Results of the checks do not depend on units or on rounding near tolerances, and the checks are fast.

use std::time::{Duration, Instant};

use crate::checks::checked::{FORMULATIONS, check_model, checked, planar};

/// A four-bar with units of `length` and `mass`, and additional items.
fn four_bar(length: f64, mass: f64, added: &str) -> String {
    planar(&format!(
        "const l = {length:e}; const m = {mass:e};
        body a {{ mass: m, inertia: m * l * l / 12, com: [l / 2, 0], angle: 1 }}
        body b {{ mass: 2 * m, inertia: m * l * l, com: [l, 0], angle: 0.3 }}
        body c {{ mass: m, inertia: m * l * l / 3, com: [0.8 * l, 0.1 * l], angle: 1.5 }}
        joint p = revolute(ground, a); joint q = revolute(a at [l, 0], b);
        joint r = revolute(b at [3 * l, 0], c at [2 * l, 0]); joint s = revolute(ground at [3 * l, 0], c); {added}"
    ))
}

/// Two slides: a mechanism of translations alone.
fn slides(length: f64, mass: f64, added: &str) -> String {
    planar(&format!(
        "const l = {length:e}; const m = {mass:e};
        body a {{ mass: m, inertia: m * l * l, position: [l, 0] }} body b {{ mass: m, inertia: m * l * l }}
        joint p = prismatic(ground at [0, l], a) {{ axis: [1, 0] }}; joint q = prismatic(a, b at [0, l]) {{ axis: [1, 2] }}; {added}"
    ))
}

/// The result of the checks in each formulation: counts, or the first line of the message.
fn results(text: &str) -> Vec<String> {
    let results = FORMULATIONS.map(|f| match checked(text, f) {
        Ok(c) => format!("freedoms {} {} solvable {}", c.freedoms, c.undriven, c.solvable),
        Err(shown) => shown.lines().next().unwrap_or_default().to_owned(),
    });
    results.to_vec()
}

#[test]
fn units_do_not_matter() {
    // Units of a watch, of a crane, and others up to micrometres in metres and metres in micrometres.
    let units = [(1e-3, 1e-6), (100.0, 1e6), (1e-6, 1e-12), (1e6, 1e-6), (1e-3, 1e6)];
    for added in [
        "freedoms: 1;",
        "drive d = p.angle == 1 + t;",
        "drive d = p.angle == 1 + t; drive e = s.angle == 1.5 + t;",
        "constraint k = position(b at [1.5 * l, 0]).y == 1.2 * l; freedoms: 0;",
        "joint x = point_on_line(ground, a at [l, 0]) { axis: [0, 1] };",
        "joint x = distance(ground, b at [3 * l, 0]) { length: 3.6 * l };",
        "joint x = revolute(ground, a);",
        "body d { } joint x = revolute(c, d at [l, 0]);",
        "body d { mass: m } joint x = revolute(c at [l, 0], d at [l, 0]);",
        "body d { mass: m } joint x = revolute(c at [l, 0], d);",
        "particle d { mass: 1e-6 * m } joint x = free(ground, d);",
        "particle d { mass: 1e6 * m } joint x = free(ground, d);",
    ] {
        let reference = results(&four_bar(1.0, 1.0, added));
        for (length, mass) in units {
            assert_eq!(results(&four_bar(length, mass, added)), reference, "{length} m, {mass} kg: {added}");
        }
    }
    for added in [
        "freedoms: 2;",
        "joint x = prismatic(ground at [0, l], a) { axis: [1, 0] };",
        "joint x = prismatic(ground at [0, 2 * l], a at [0, l]) { axis: [1, 0] };",
        "joint x = point_on_line(ground, b) { axis: [0, 1] }; drive d = q.position == l; freedoms: 1;",
        "constraint k = distance(ground, b) == 2 * l;",
    ] {
        let reference = results(&slides(1.0, 1.0, added));
        for (length, mass) in units {
            assert_eq!(results(&slides(length, mass, added)), reference, "{length} m, {mass} kg: {added}");
        }
    }
}

#[test]
fn results_do_not_depend_on_rounding_near_tolerances() {
    // A crank almost in line with its coupler is regular down to rounding, and singular in line, in both formulations.
    let crank = |angle: f64| {
        planar(&format!(
            "body c {{ mass: 1, inertia: 1, angle: {angle:e} }} body r {{ mass: 1, inertia: 1, angle: 0 }} body s {{ mass: 1, inertia: 1 }}
            joint a = revolute(ground, c); joint p = revolute(c at [1, 0], r); joint w = revolute(r at [3, 0], s);
            joint g = prismatic(ground, s) {{ axis: [1, 0] }}; initial a.angle = {angle:e};
            drive d = g.position == {:e};",
            angle.cos() + (9.0 - angle.sin().powi(2)).sqrt()
        ))
    };
    for angle in [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
        let found = results(&crank(angle));
        assert_eq!(found, ["freedoms 1 0 solvable true"; 2], "{angle}");
    }
    let found = results(&crank(0.0));
    assert!(found[0].contains("MBS061") && found[0] == found[1], "{found:?}");

    // Lengths that are equal up to rounding are equal: a third crank is redundant, not in contradiction.
    let parallelogram = |excess: f64| {
        planar(&format!(
            "for i in 0..3 {{ body c[i] {{ mass: 1, inertia: 1, angle: 1 }} joint a[i] = revolute(ground at [1.5 * i, 0], c[i]); }}
            body k {{ mass: 1, inertia: 1, angle: 0 }} joint p = revolute(c[0] at [1, 0], k); joint q = revolute(c[1] at [1, 0], k at [1.5, 0]);
            joint r = revolute(c[2] at [1 + {excess:e}, 0], k at [3, 0]);"
        ))
    };
    for excess in [0.0, 1e-16, -4e-16] {
        let found = results(&parallelogram(excess));
        assert!(found[0].contains("`y` of joint `r` is redundant") && found[0] == found[1], "{excess}: {found:?}");
    }
}

#[test]
fn masses_of_all_sizes_in_one_mechanism() {
    for mass in [1e-12, 1e-6, 1.0, 1e6, 1e12] {
        for (text, expected) in [
            (format!("body a {{ mass: {mass:e}, com: [1, 0] }} body b {{ mass: 1, inertia: 1 }} joint p = revolute(ground, a);
                joint q = revolute(a at [1, 0], b);"), "freedoms 2 2 solvable true"),
            (format!("body a {{ mass: 1, inertia: 1 }} body b {{ mass: {mass:e}, inertia: {mass:e} }} joint p = revolute(ground, a);
                joint q = prismatic(a, b) {{ axis: [1, 0] }};"), "freedoms 2 2 solvable true"),
        ] {
            assert_eq!(results(&planar(&text)), [expected; 2], "{mass}");
        }
    }
}

/// A row of N four-bars, each of which shares a rocker with the previous one: 6 N + 3 coordinates in body formulation.
fn ladder(count: usize, added: &str) -> String {
    planar(&format!(
        "gravity: [0, -9.81]; const N = {count};
        for i in 0..N + 1 {{ body rocker[i] {{ mass: 1, inertia: 1 / 12, com: [0.5, 0], angle: 1.2 }}
            joint base[i] = revolute(ground at [i, 0], rocker[i]); }}
        for i in 0..N {{ body coupler[i] {{ mass: 1, inertia: 1 / 12, com: [0.5, 0], angle: 0.1 }}
            joint left[i] = revolute(rocker[i] at [1, 0], coupler[i]);
            joint right[i] = revolute(coupler[i] at [1, 0], rocker[i + 1] at [1, 0]); }} {added}"
    ))
}

#[test]
fn long_chains_are_checked_fast() {
    // 243 coordinates in body formulation. Measured in a debug build: 0.3 to 0.7 s for sound mechanisms, 2 s for redundant rows; poses that
    // do not assemble take longer. The bounds allow for a loaded machine.
    for (count, added, expected) in [
        (40, "freedoms: 1;", ""),
        (40, "freedoms: 2;", "MBS062"),
        (40, "body d { } joint extra = revolute(rocker[N], d);", "MBS064"),
        (40, "joint extra = revolute(ground at [N, 0], rocker[N]);", "MBS060"),
        (15, "drive a = base[0].angle == 1.2 + t; drive b = base[N].angle == 1.2 + t;", "MBS060"),
        (15, "joint extra = distance(ground, rocker[N] at [1, 0]) { length: 1.5 * N };", "MBS063"),
        (15, "joint extra = revolute(ground, rocker[N]);", "MBS063"),
    ] {
        for formulation in FORMULATIONS {
            let parsed = mbs_syntax::parse_text("m.mbs", &ladder(count, added));
            let mut model = mbs_resolve::resolve(&parsed.definitions[0]).expect("it resolves");
            model.coordinates.formulation = formulation;
            let start = Instant::now();
            let found = check_model(&model).err().map_or("", |e| e.list()[0].code);
            let time = start.elapsed();
            println!("{formulation:?} {time:?} {added}");
            assert_eq!(found, expected, "{added}");
            assert!(time < Duration::from_secs(10), "{time:?} {formulation:?} {added}");
        }
    }
}
