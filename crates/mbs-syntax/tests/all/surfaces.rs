//! Properties of the surface at a marker: normal, friction, restitution.

use expect_test::expect;
use mbs_expr::Op;

use crate::mistakes::{check_messages, check_spatial_messages};
use crate::oracle::{Oracle, items, spatial_items};

const SURFACES: &str = "param p = 0.3; body a { mass: 1, INERTIA } joint fa = free(ground, a);
    marker dry = a at ZERO { friction: p, normal: UP }; marker wet = a at ZERO { friction: p / 2 };
    marker bare = a at ZERO; marker hard = ground { restitution: 0.5, normal: DOWN };
    output frictions = [dry.friction, wet.friction, hard.restitution];
    output up = dry.normal - (3 * a.FIRST + 4 * a.LAST) / 5; output down = hard.normal;";

/// Markers at one point have separate surfaces.
#[test]
fn markers_declare_properties_of_their_surface() {
    let written = |inertia: &str, zero: &str, up: &str, down: &str, [first, last]: [&str; 2]| {
        let of = SURFACES.replace("INERTIA", inertia).replace("ZERO", zero).replace("FIRST", first);
        of.replace("UP", up).replace("DOWN", down).replace("LAST", last)
    };
    let planar = items(&written("inertia: 1", "[0, 0]", "[3, 4]", "[0, -1]", ["x", "y"]));
    let spatial = written("inertia: [1, 1, 1]", "[0, 0, 0]", "[0, 3, 4]", "[0, 0, -2]", ["y", "z"]);
    for model in [&planar, &spatial_items(&spatial)] {
        let oracle = Oracle::new(model);
        assert_eq!(oracle.output("frictions"), [0.3, 0.15, 0.5]);
        assert!(oracle.output("up").iter().all(|x| x.abs() < 1e-15), "{:?}", oracle.output("up"));
        let down = oracle.output("down");
        let ahead = down.iter().rev().enumerate().map(|(i, x)| (x + f64::from(u8::from(i == 0))).abs());
        assert!(ahead.fold(0.0, f64::max) < 1e-15, "{down:?}");
        let marker = |name: &str| model.markers.iter().position(|m| m.name == name).expect("it is there");
        assert_ne!(marker("dry"), marker("wet"));
        assert!(model.markers.iter().filter(|m| m.surface.is_stated()).count() == 3);
    }
}

/// An impact with the normal and the restitution of its ends is equal to one with explicit arguments.
#[test]
fn impacts_use_properties_declared_by_their_ends() {
    let with = |impulse: &str| {
        items(&format!(
            "param e = 0.4; body a {{ mass: 1, inertia: 1, position: [0.2, 0.3], angle: 0.3, velocity: [1, -2], rate: 3 }} joint fa = free(ground, a);
            marker floor = ground {{ normal: [0, 1] }}; marker heel = a at [0.1, 0] {{ normal: [0.6, -0.8], restitution: e }};
            marker toe = a at [0.1, 0]; event touch = when position(heel).y falls {{ {impulse} }}"
        ))
    };
    let impulse_of = |impulse: &str| -> (f64, f64) {
        let model = with(impulse);
        let (oracle, event) = (Oracle::new(&model), &model.events[0]);
        (oracle.value(event.conditions[0].target), oracle.value(event.targets[0]))
    };
    for (stated, written) in [
        ("impulse(floor, heel);", "impulse(floor, heel) { direction: [0, 1], restitution: e };"),
        ("impulse(ground, heel);", "impulse(ground, heel) { direction: [-0.6, 0.8] in a, restitution: e };"),
        ("impulse(heel, ground);", "impulse(heel, ground) { direction: [0.6, -0.8] in a, restitution: e };"),
        ("impulse(floor, toe);", "impulse(floor, toe) { direction: [0, 1], restitution: 0 };"),
        ("impulse(floor, heel) { restitution: 1 };", "impulse(floor, heel) { direction: [0, 1], restitution: 1 };"),
    ] {
        let (a, b) = (impulse_of(stated), impulse_of(written));
        assert!((a.0 - b.0).abs() < 1e-15 && (a.1 - b.1).abs() < 1e-15, "{stated}: {a:?}, not {b:?}");
        assert!(a.0.abs() > 1e-3, "{stated}: {a:?}");
    }
    assert!(
        with("impulse(floor, heel);")
            .exprs
            .any(with("impulse(floor, heel);").events[0].targets[0], &|op| matches!(op, Op::Parameter(_)))
    );
}

#[test]
fn mistakes_in_surfaces() {
    check_messages(
        &[
            "marker m = rod { friction: -0.1 };",
            "marker m = rod { friction: [1, 2] };",
            "marker m = rod { restitution: u };",
            "marker m = rod { restitution: pin.angle };",
            "marker m = rod { normal: [0, 0] };",
            "marker m = rod { normal: [0, 1], y: [0, 1] };",
            "marker m = rod; output o = m.normal;",
            "marker m = rod { normal: [0, 1] }; output o = m.friction;",
            "output o = rod.friction;",
            "marker m = rod { frction: 1 };",
        ],
        &expect![[r#"
            marker m = rod { friction: -0.1 };
              MBS031 `friction` is -0.1, it must not be negative
            marker m = rod { friction: [1, 2] };
              MBS020 `friction` is a number, not a vector of 2
            marker m = rod { restitution: u };
              MBS024 `restitution` is made of constants and parameters only
            marker m = rod { restitution: pin.angle };
              MBS024 `restitution` is made of constants and parameters only
            marker m = rod { normal: [0, 0] };
              MBS023 the axis has length zero = help: write `[1, 0]`
            marker m = rod { normal: [0, 1], y: [0, 1] };
              MBS019 the axes of marker `m` are given twice = help: give one of `angle`, `x`, `y`, `normal`
            marker m = rod; output o = m.normal;
              MBS040 marker `m` states no `normal` = help: write `{ normal: [x, y] }` where it is declared
            marker m = rod { normal: [0, 1] }; output o = m.friction;
              MBS040 marker `m` states no `friction` = help: write `{ friction: 0.3 }` where it is declared
            output o = rod.friction;
              MBS040 a body has no field `friction` = help: it has its axes `.x` and `.y`
            marker m = rod { frction: 1 };
              MBS017 marker `m` has no argument `frction` = help: did you mean `friction`?"#]],
    );
    check_spatial_messages(
        &["marker m = rod { z: [0, 0, 1] }; output o = m.normal;", "marker m = rod; output o = m.restitution;"],
        &expect![[r#"
            marker m = rod { z: [0, 0, 1] }; output o = m.normal;
              MBS040 marker `m` states no `normal` = help: write `{ normal: [x, y, z] }` where it is declared
            marker m = rod; output o = m.restitution;
              MBS040 marker `m` states no `restitution` = help: write `{ restitution: 0.3 }` where it is declared"#]],
    );
}
