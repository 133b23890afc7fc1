//! Discrete variables, switches, events and functions of data in parts: each instance has its own.

use expect_test::{Expect, expect};

use super::{assert_means, mistakes, mistakes_with, model, model_with};

#[test]
fn events_and_discrete_variables_can_be_in_parts() {
    assert_means(
        "planar M {
            part unit(base, first, limit = 3) {
                discrete count = limit - 3;
                discrete gear: enum { low, high } = first;
                switch brake = on;
                state z = 0.5 { rate: count };
                body rod { mass: 1, inertia: 1 }
                joint pin = revolute(base, rod);
                force push = mobility(pin) { value: if brake && gear == low { z } else { count } };
                event strike = when pin.angle falls {
                    enabled: brake;
                    impulse(base, rod at [1, 0]) { direction: [0, 1], restitution: 0.1 * limit };
                    count = count + 1;
                    gear = if count > limit { first } else { high };
                    z = 0;
                }
                for i in 0..2 { event tick[i] = at 1 + i { brake = i == 1; } }
                event full = when count > limit { stop; report; }
                report on strike, tick[1];
            }
            part left = unit(ground, low);
            part right = unit(ground at [1, 0], high) { limit: 5 };
            report on left.full, right.tick[0];
        }",
        "planar M {
            discrete left_count = 0; discrete left_gear: enum { low, high } = low; switch left_brake = on;
            state left_z = 0.5 { rate: left_count };
            body left_rod { mass: 1, inertia: 1 } joint left_pin = revolute(ground, left_rod);
            force left_push = mobility(left_pin) { value: if left_brake && left_gear == low { left_z } else { left_count } };
            event left_strike = when left_pin.angle falls {
                enabled: left_brake;
                impulse(ground, left_rod at [1, 0]) { direction: [0, 1], restitution: 0.1 * 3 };
                left_count = left_count + 1;
                left_gear = if left_count > 3 { low } else { high };
                left_z = 0;
                report;
            }
            event left_tick_0 = at 1 { left_brake = 0 == 1; }
            event left_tick_1 = at 1 + 1 { left_brake = 1 == 1; report; }
            event left_full = when left_count > 3 { stop; report; }
            discrete right_count = 2; discrete right_gear: enum { low, high } = high; switch right_brake = on;
            state right_z = 0.5 { rate: right_count };
            body right_rod { mass: 1, inertia: 1 } joint right_pin = revolute(ground at [1, 0], right_rod);
            force right_push = mobility(right_pin) { value: if right_brake && right_gear == low { right_z } else { right_count } };
            event right_strike = when right_pin.angle falls {
                enabled: right_brake;
                impulse(ground at [1, 0], right_rod at [1, 0]) { direction: [0, 1], restitution: 0.1 * 5 };
                right_count = right_count + 1;
                right_gear = if right_count > 5 { high } else { high };
                right_z = 0;
                report;
            }
            event right_tick_0 = at 1 { right_brake = 0 == 1; report; }
            event right_tick_1 = at 1 + 1 { right_brake = 1 == 1; report; }
            event right_full = when right_count > 5 { stop; report; }
        }",
    );
}

#[test]
fn functions_of_data_can_be_in_parts() {
    let with_parts = "planar M {
        const top = 0.3;
        part unit(base, bend, share) {
            const far = 2;
            function lift = spline([0, 1, far], [0, bend, top]) { ends: clamped(bend, 0) };
            function table = spline(\"lift.csv\");
            function ramp = linear([share, 1], bend);
            function law(x, y): [far] opaque(1);
            function road: CubicSpline<far + 1> = spline([0, 1, 2], [0, bend, 0]);
            function twice(x) = 2 * lift(x);
            body rod { mass: 1, inertia: 1 }
            joint pin = revolute(base, rod);
            force push = mobility(pin) { value: twice(pin.angle) + ramp(t, table(t)) * law(t, pin.rate)[1] + road(t) };
        }
        param p = 4;
        part left = unit(ground, 0.5, p);
        part right = unit(ground at [1, 0], 0.7, 1 - p);
        output both = left.lift(t) + right.lift(t);
    }";
    let m = model_with(with_parts, &[("lift.csv", "0, 0\n1, 2\n2, 3\n")]);
    let names: Vec<&str> = m.functions.iter().map(|f| &*f.name).collect();
    let own = ["lift", "table", "law", "road"];
    let all: Vec<String> = ["left", "right"].iter().flat_map(|i| own.map(|f| format!("{i}.{f}"))).collect();
    assert_eq!(names, all);
    let values = |i: usize| m.functions[i].spline().expect("a spline").pieces.clone();
    assert_ne!(values(0), values(4), "each instance has its data");
    assert_eq!(values(1), values(5), "both read the file");
    assert_eq!((m.functions[2].shape, m.functions[2].arguments), (Some(2), 2));
}

#[test]
fn events_and_choices_are_called_as_their_instance_calls_them() {
    let m = model(
        "planar M {
            part unit(base) {
                discrete gear: enum { low, high } = low;
                body rod { mass: 1, inertia: 1 } joint pin = revolute(base, rod);
                event strike = when pin.angle falls { pin.rate = 0; gear = high; }
                event again = every 0.5 { gear = low; }
                report every 0.1;
                stop when pin.angle > 1;
                stop when pin.angle < -1;
            }
            for i in 0..2 { part row[i] = unit(ground at [i, 0]); }
            stop when row[0].gear == high;
        }",
    );
    let names: Vec<&str> = m.events.iter().map(|e| &*e.name).collect();
    let own = ["strike", "again", "report", "stop", "stop_1"];
    let rows = [0, 1].map(|i| own.map(|name| format!("row[{i}].{name}"))).concat();
    assert_eq!(names[..10], rows);
    assert_eq!(names[10], "stop");
    let held: Vec<&str> = m.imposed_conditions().map(|c| &*c.name).collect();
    assert_eq!(held, ["row[0].strike.pin.rate", "row[1].strike.pin.rate"]);
    assert_eq!(m.quantities.auxiliary[1].quantity.name, "row[1].gear");
}

/// Handlers assign arguments of a part, and events of instances are separate from others with their name.
#[test]
fn a_part_may_assign_its_arguments() {
    assert_means(
        "planar M {
            discrete mode: enum { wait, run } = wait;
            switch lamp = off;
            event go = at 2 { report; }
            part timer(when_it, choice, word, light) {
                event go = at when_it { choice = word; light = choice == wait; }
                report on go;
            }
            part first = timer(1, mode, run, lamp);
            body rod { mass: 1, inertia: 1 } joint pin = revolute(ground, rod);
        }",
        "planar M {
            discrete mode: enum { wait, run } = wait;
            switch lamp = off;
            event go = at 2 { report; }
            event first_go = at 1 { mode = run; lamp = mode == wait; report; }
            body rod { mass: 1, inertia: 1 } joint pin = revolute(ground, rod);
        }",
    );
}

fn check(items: &str, expected: &Expect) {
    let pin = "body rod { mass: 1, inertia: 1 } joint pin = revolute(ground, rod);";
    expected.assert_eq(&mistakes(&format!("planar M {{ {pin}\n{items}\n}}")));
}

#[test]
fn mistakes_in_events_of_parts() {
    check(
        "part unit(of, limit) {
    param gain = 1;
    discrete gear: enum { low, high } = low;
    event strike = when of.angel falls { gain = 2; }
    event late = at [limit, pin] { gear = hihg; stop; }
    event on_time = every limit { gain = 2; }
    event on_time = every 1;
    event quick = when of.rate > 1 { gear = limit; }
}
part left = unit(pin, -1);
part right = unit(pin, -2);",
        &expect![[r#"
            error: [MBS040] joint `pin` has no `angel`, in `left`
             --> m.mbs:5:28
              |
            5 |     event strike = when of.angel falls { gain = 2; }
              |                            ^^^^^
              |
              = help: did you mean `angle`?

            error: [MBS020] a component is a number, not a joint, in `left`
             --> m.mbs:6:29
              |
            6 |     event late = at [limit, pin] { gear = hihg; stop; }
              |                             ^^^

            error: [MBS031] event `left.on_time` happens every -1 s, which must be positive
             --> m.mbs:7:27
              |
            7 |     event on_time = every limit { gain = 2; }
              |                           ^^^^^
              |
              = help: `limit` is given as `-1`

            error: [MBS020] a choice is one of its words, not `-1`, in `left`
             --> m.mbs:9:45
              |
            9 |     event quick = when of.rate > 1 { gear = limit; }
              |                                             ^^^^^
              |
              = help: it is one of `low`, `high`"#]],
    );
    check(
        "part unit() { event strike = at 1 { stop; } report on stirke, strike[2]; }
part left = unit();
report on left.strke, right.strike, strike;",
        &expect![[r#"
            error: [MBS010] there is no event `stirke`, in `left`
             --> m.mbs:2:55
              |
            2 | part unit() { event strike = at 1 { stop; } report on stirke, strike[2]; }
              |                                                       ^^^^^^
              |
              = help: did you mean `strike`?

            error: [MBS010] there is no event `strike`
             --> m.mbs:4:37
              |
            4 | report on left.strke, right.strike, strike;
              |                                     ^^^^^^
              |
              = help: did you mean `left.strike`?

            error: [MBS010] there is no event `strike[2]`, in `left`
             --> m.mbs:2:63
              |
            2 | part unit() { event strike = at 1 { stop; } report on stirke, strike[2]; }
              |                                                               ^^^^^^^^^

            error: [MBS010] there is no event `left.strke`
             --> m.mbs:4:11
              |
            4 | report on left.strke, right.strike, strike;
              |           ^^^^^^^^^^
              |
              = help: did you mean `left.strike`?

            error: [MBS010] there is no event `right.strike`
             --> m.mbs:4:23
              |
            4 | report on left.strke, right.strike, strike;
              |                       ^^^^^^^^^^^^
              |
              = help: did you mean `left.strike`?"#]],
    );
}

#[test]
fn mistakes_in_words_given_to_parts() {
    check(
        "part unit(first, lamp = of) { discrete gear: enum { low, high } = first; switch light = lamp;
    let gain = if gear == high { 1 } else { 2 }; }
part good = unit(low, on);
part left = unit(lwo, off);
part right = unit(high);
part other = unit(3, 4);",
        &expect![[r#"
            error: [MBS010] unknown name `of`, in `right`
             --> m.mbs:2:25
              |
            2 | part unit(first, lamp = of) { discrete gear: enum { low, high } = first; switch light = lamp;
              |                         ^^

            error: [MBS010] `lwo` is none of its words, in `left`
             --> m.mbs:2:67
              |
            2 | part unit(first, lamp = of) { discrete gear: enum { low, high } = first; switch light = lamp;
              |                                                                   ^^^^^
              |
              = help: did you mean `low`?

            error: [MBS020] a choice is one of its words, not `3`, in `other`
             --> m.mbs:2:67
              |
            2 | part unit(first, lamp = of) { discrete gear: enum { low, high } = first; switch light = lamp;
              |                                                                   ^^^^^
              |
              = help: it is one of `low`, `high`

            error: [MBS020] a truth value is expected, not a number, in `other`
             --> m.mbs:2:89
              |
            2 | part unit(first, lamp = of) { discrete gear: enum { low, high } = first; switch light = lamp;
              |                                                                                         ^^^^
              |
              = help: `lamp` is given as `4`"#]],
    );
}

#[test]
fn mistakes_in_functions_of_parts() {
    check(
        "part unit(bend, share) {
    function lift = spline([0, 2, 1], [0, bend, 1]);
    function ramp = linear([share], [1]);
    function law: opaque(9);
    function road: CubicSpline<share>;
    let up = lift(t) + ramp(t) + law(t) + road(t);
}
param p = 1;
part left = unit(0, p);
part right = unit(p, 2);",
        &expect![[r#"
            error: [MBS043] the points of spline `lift` do not increase: 1 follows 2, in `left`
             --> m.mbs:3:35
              |
            3 |     function lift = spline([0, 2, 1], [0, bend, 1]);
              |                                   ^
              |
              = help: sort them, each once

            error: [MBS026] `linear` is made of something else, in `left`
             --> m.mbs:4:21
              |
            4 |     function ramp = linear([share], [1]);
              |                     ^^^^^^
              |
              = help: write `linear([a, b], c)`

            error: [MBS025] function `law` cannot give 9 derivatives, in `left`
             --> m.mbs:5:26
              |
            5 |     function law: opaque(9);
              |                          ^
              |
              = help: write how many derivatives it gives: `opaque(2)`, at most 4

            error: [MBS024] a number of points is a whole-number constant, in `left`
             --> m.mbs:6:32
              |
            6 |     function road: CubicSpline<share>;
              |                                ^^^^^
              |
              = help: `share` is given as `p`

            error: [MBS024] spline `lift` is made of constants only, in `right`
             --> m.mbs:3:39
              |
            3 |     function lift = spline([0, 2, 1], [0, bend, 1]);
              |                                       ^^^^^^^^^^^^
              |
              = help: write `const`; what is set at run time is `function lift: CubicSpline<n>;`"#]],
    );
    let files = [("points.csv", "0, 0\n1, x\n")];
    let text = "planar M { part unit(base) { function lift = spline(\"points.csv\"); } part a = unit(ground); }";
    expect![[r#"
        error: [MBS072] `x` is not a number
         --> points.csv:2:4
          |
        2 | 1, x
          |    ^"#]]
    .assert_eq(&mistakes_with(text, &files));
}
