//! Messages about curves and cams.

use crate::mistakes::{check, check_messages, check_spatial_messages};
use expect_test::expect;

#[test]
fn mistakes_in_curves() {
    check(
        "curve lobe(s) on crank = [cos(s), u * sin(s)];",
        &expect![[r#"
        error: [MBS024] curve `lobe` is made of constants, parameters and its own parameter
         --> m.mbs:1:37
          |
        1 | planar M { curve lobe(s) on crank = [cos(s), u * sin(s)];
          |                                     ^^^^^^^^^^^^^^^^^^^^
          |
          = help: what moves it is the body it is on"#]],
    );
    check_messages(
        &[
            "curve lobe on crank = [1, 0];",
            "curve lobe on crank = circel(0.1);",
            "curve lobe on crank = circle(0.1, 0.2);",
            "curve lobe on crank = circle(-p);",
            "curve lobe on crank = line([0, 0]);",
            "curve lobe on crank = polynomial(3);",
            "curve lobe(s) on pin = [s, 0];",
            "curve lobe(s) on crank = s;",
            "curve lobe(s) on crank = [s, 0] in rod;",
            "curve lobe(s) on crank = [s, t];",
            "curve lobe(s) on crank = [s, pin.angle];",
            "curve lobe(s) on crank = [s, s] { closed: 1 };",
            "curve lobe(s) on crank = [cos(s), p * sin(s)] { closed: TAU };",
            "curve lobe(s) on crank = [s, 0] { open: 1 };",
            "curve lobe(s) on crank = [s, 0] { range: [-p, p] };",
            "curve lobe(s) on crank = [s, 0] { range: 3 };",
            "curve lobe(s) on crank = [s, 0] { range: [0, 1, 2] };",
            "curve lobe(s) on crank = [s, 0] { range: [p, 0] };",
            "curve lobe(s) on crank = [s, 0] { range: [0, pin.angle] };",
            "curve lobe(s) on crank = [cos(s), sin(s)] { closed: TAU, range: [0, 1] };",
            "curve lobe(s) on crank;",
            "curve lobe(s) on crank = [s, 0]; output o = lobe.derivative(1);",
            "curve lobe(s) on crank = [s, 0]; output o = lobe.point();",
            "curve lobe(s) on crank = [s, 0]; output o = lobe;",
            "curve lobe(s) on crank = [s, s * s]; output o = [lobe.curvature(p), norm(lobe.point(2))];",
        ],
        &expect![[r#"
            curve lobe on crank = [1, 0];
              MBS018 a curve needs its parameter = help: write `curve name(s) on body = [x, y];`, or a form such as `circle(0.1)`
            curve lobe on crank = circel(0.1);
              MBS013 `circel` is no form of a curve = help: did you mean `circle`?
            curve lobe on crank = circle(0.1, 0.2);
              MBS026 `circle` takes 1, 2 given
            curve lobe on crank = circle(-p);
              MBS031 a radius of `circle` is -1, it must be positive
            curve lobe on crank = line([0, 0]);
              MBS023 the axis has length zero = help: write `[1, 0]`
            curve lobe on crank = polynomial(3);
              MBS020 `polynomial` takes a list of coefficients, not a number = help: write `polynomial([0, 1, 0.5])`
            curve lobe(s) on pin = [s, 0];
              MBS020 a body or marker is expected, not a joint = help: write `body` or `body at [x, y]`
            curve lobe(s) on crank = s;
              MBS020 a curve is a vector of 2, not a number = help: write `[x, y]`
            curve lobe(s) on crank = [s, 0] in rod;
              MBS022 a curve is in the axes of `crank`, not of `rod` = help: leave out `in`
            curve lobe(s) on crank = [s, t];
              MBS024 curve `lobe` is made of constants, parameters and its own parameter = help: what moves it is the body it is on
            curve lobe(s) on crank = [s, pin.angle];
              MBS024 curve `lobe` is made of constants, parameters and its own parameter = help: what moves it is the body it is on
            curve lobe(s) on crank = [s, s] { closed: 1 };
              MBS031 curve `lobe` is not closed: after 1 it is 1.414 m from where it began = help: `closed` is the period of its parameter
            curve lobe(s) on crank = [cos(s), p * sin(s)] { closed: TAU };
            curve lobe(s) on crank = [s, 0] { open: 1 };
              MBS017 curve `lobe` has no argument `open` = help: it takes `closed`, `range`
            curve lobe(s) on crank = [s, 0] { range: [-p, p] };
            curve lobe(s) on crank = [s, 0] { range: 3 };
              MBS020 the range of curve `lobe` is two numbers, not a number = help: write `range: [0, 1]`
            curve lobe(s) on crank = [s, 0] { range: [0, 1, 2] };
              MBS021 the range of curve `lobe` is two numbers, not a vector of 3 = help: write `range: [0, 1]`
            curve lobe(s) on crank = [s, 0] { range: [p, 0] };
              MBS031 the range of curve `lobe` is empty = help: the larger end comes last
            curve lobe(s) on crank = [s, 0] { range: [0, pin.angle] };
              MBS024 the range of curve `lobe` is made of constants and parameters only
            curve lobe(s) on crank = [cos(s), sin(s)] { closed: TAU, range: [0, 1] };
              MBS017 curve `lobe` is closed: its `range` is its period = help: leave out `range`
            curve lobe(s) on crank;
              MBS018 curve `lobe` needs a value = help: write `curve lobe(s) on body = [x, y];`
            curve lobe(s) on crank = [s, 0]; output o = lobe.derivative(1);
              MBS040 a curve has no `derivative` = help: it has `.point(s)`, `.tangent(s)`, `.normal(s)`, `.curvature(s)`
            curve lobe(s) on crank = [s, 0]; output o = lobe.point();
              MBS026 `point` of a curve takes its parameter, 0 given = help: write `.point(s)`
            curve lobe(s) on crank = [s, 0]; output o = lobe;
              MBS020 output `o` is a number, vector, matrix or rotation, not a curve
            curve lobe(s) on crank = [s, s * s]; output o = [lobe.curvature(p), norm(lobe.point(2))];"#]],
    );
    check_spatial_messages(
        &["curve lobe(s) on crank = [s, 0, 0];"],
        &expect![[r#"
        curve lobe(s) on crank = [s, 0, 0];
          MBS090 `curve` is not available yet"#]],
    );
}

#[test]
fn mbs001_curves_stand_on_something() {
    for (text, found) in [
        ("curve lobe(s) = [s, 0];", "expected `on` and the body or marker of the curve, found `=`"),
        ("curve lobe(s, r) on crank = [s, r];", "expected `)`: a curve has one parameter, found `,`"),
        ("curve lobe() on crank = [s, r];", "expected a name, found `)`"),
    ] {
        let parsed = mbs_syntax::parse_text("m.mbs", &format!("planar M {{ {text} body crank {{ mass: 1 }} }}"));
        let shown = parsed.sources.render(parsed.errors.list());
        assert!(shown.contains(found) && shown.matches("[MBS").count() == 1, "{shown}");
        assert_eq!(parsed.definitions[0].items.len(), 2, "{shown}");
    }
}

#[test]
fn mistakes_in_cams() {
    let curves =
        "curve lobe on crank = circle(0.1); curve rim on rod = circle(0.2); curve other on crank = circle(0.3);";
    let with: Vec<String> = [
        "joint c = cam(lobe, rim) { first: 0.1, second: p };",
        "joint c = cam(lobe);",
        "joint c = cam(lobe, rod);",
        "joint c = cam(lobe, other);",
        "joint c = cam(lobe, rim) { first: u };",
        "joint c = cam(lobe, rim) { enabled: t > 1 };",
        "joint c = cam(lobe, rim) { third: 1 };",
        "joint c = cam(lobe, rim); output o = c.angle;",
        "joint c = cam(lobe, rim); output o = c.first + rate(c.second);",
        "joint c = cam(lobe, rim); output o = [c.radius, c.relative_curvature, c.pressure_angle, c.force];",
        "joint c = cam(lobe, rim); output o = c.pressure;",
        "joint c = cam(lobe, rim); force f = torque(ground, crank) { torque: c.force };",
    ]
    .iter()
    .map(|joint| format!("{curves} {joint}"))
    .collect();
    check_messages(
        &with.iter().map(String::as_str).collect::<Vec<_>>(),
        &expect![[r#"
            curve lobe on crank = circle(0.1); curve rim on rod = circle(0.2); curve other on crank = circle(0.3); joint c = cam(lobe, rim) { first: 0.1, second: p };
            curve lobe on crank = circle(0.1); curve rim on rod = circle(0.2); curve other on crank = circle(0.3); joint c = cam(lobe);
              MBS014 joint `c` has 1 end, `cam` joins 2 = help: write `cam(curve, curve)`
            curve lobe on crank = circle(0.1); curve rim on rod = circle(0.2); curve other on crank = circle(0.3); joint c = cam(lobe, rod);
              MBS015 an end of `cam` is a curve, not a body = help: declare `curve lobe(s) on body = …;`
            curve lobe on crank = circle(0.1); curve rim on rod = circle(0.2); curve other on crank = circle(0.3); joint c = cam(lobe, other);
              MBS016 both ends of joint `c` are on `crank` = help: join two bodies
            curve lobe on crank = circle(0.1); curve rim on rod = circle(0.2); curve other on crank = circle(0.3); joint c = cam(lobe, rim) { first: u };
              MBS024 `first` is made of constants and parameters only
            curve lobe on crank = circle(0.1); curve rim on rod = circle(0.2); curve other on crank = circle(0.3); joint c = cam(lobe, rim) { enabled: t > 1 };
              MBS017 joint `c` has no argument `enabled` = help: it takes `first`, `second`
            curve lobe on crank = circle(0.1); curve rim on rod = circle(0.2); curve other on crank = circle(0.3); joint c = cam(lobe, rim) { third: 1 };
              MBS017 joint `c` has no argument `third` = help: it takes `first`, `second`
            curve lobe on crank = circle(0.1); curve rim on rod = circle(0.2); curve other on crank = circle(0.3); joint c = cam(lobe, rim); output o = c.angle;
              MBS040 joint `c` has no `angle` = help: it has `.first`, `.second`, `.pressure_angle`, `.radius`, `.relative_curvature`, `.force`
            curve lobe on crank = circle(0.1); curve rim on rod = circle(0.2); curve other on crank = circle(0.3); joint c = cam(lobe, rim); output o = c.first + rate(c.second);
            curve lobe on crank = circle(0.1); curve rim on rod = circle(0.2); curve other on crank = circle(0.3); joint c = cam(lobe, rim); output o = [c.radius, c.relative_curvature, c.pressure_angle, c.force];
            curve lobe on crank = circle(0.1); curve rim on rod = circle(0.2); curve other on crank = circle(0.3); joint c = cam(lobe, rim); output o = c.pressure;
              MBS040 joint `c` has no `pressure` = help: it has `.first`, `.second`, `.pressure_angle`, `.radius`, `.relative_curvature`, `.force`
            curve lobe on crank = circle(0.1); curve rim on rod = circle(0.2); curve other on crank = circle(0.3); joint c = cam(lobe, rim); force f = torque(ground, crank) { torque: c.force };
              MBS034 `torque` of force `f` depends on the load of a row: circular = help: accelerations, loads of rows and rates of states may stand in outputs"#]],
    );
}
