//! Messages about discrete variables, switches, events and reports.

use crate::mistakes::{check, check_messages};
use expect_test::expect;

#[test]
fn periods_by_which_time_does_not_advance() {
    check_messages(
        &[
            "event e = every 1e-20 { n = n + 1; } discrete n = 0;",
            "param tiny = 1e-17; report every 2 * tiny;",
            "event e = every 0;",
            "event e = every 1e-15;",
        ],
        &expect![[r#"
            event e = every 1e-20 { n = n + 1; } discrete n = 0;
              MBS031 event `e` happens every 1e-20 s, by which time does not advance = help: a second from their origin, times are 2.2e-16 s apart
            param tiny = 1e-17; report every 2 * tiny;
              MBS031 `report every` happens every 2e-17 s, by which time does not advance = help: a second from their origin, times are 2.2e-16 s apart
            event e = every 0;
              MBS031 event `e` happens every 0 s, which must be positive
            event e = every 1e-15;"#]],
    );
}

#[test]
fn mbs045_what_events_cannot_change() {
    check(
        "event e = when pin.angle falls { p = 2; }",
        &expect![[r#"
        error: [MBS045] `p` cannot be assigned
         --> m.mbs:1:45
          |
        1 | planar M { event e = when pin.angle falls { p = 2; }
          |                                             ^
          |
          = help: declare it `discrete p = …;`: parameters stay as they are during a run"#]],
    );
    check_messages(
        &[
            "event e = when pin.angle falls { u = 1; }",
            "event e = when pin.angle falls { half = 1; } const half = 0.5;",
            "event e = when pin.angle falls { angle(rod) + 1 = 1; }",
            "event e = when pin.angle falls { 3 = 1; }",
            "event e = when pin.angle falls { pin.acceleration = 1; }",
            "event e = when pin.angle falls { t = 1; }",
            "event e = when pin.angle falls { rod = 1; }",
            "event e = when pin.angle falls { missing = 1; }",
            "event e = when pin.angle falls { n = [1, 2]; } discrete n = 0;",
            "event e = when pin.angle falls { n = on; } discrete n = 0;",
            "event e = when pin.angle falls { s = 1; } switch s = on;",
            "event e = when pin.angle falls { gear = third; } discrete gear: enum { low, high } = low;",
            "event e = when pin.angle falls { gear = hihg; } discrete gear: enum { low, high } = low;",
            "event e = when pin.angle falls { gear = 1; } discrete gear: enum { low, high } = low;",
        ],
        &expect![[r#"
            event e = when pin.angle falls { u = 1; }
              MBS045 `u` cannot be assigned = help: handlers assign `discrete` variables, `switch`es, states and motions, none of its category, `input`
            event e = when pin.angle falls { half = 1; } const half = 0.5;
              MBS045 `half` cannot be assigned = help: handlers assign `discrete` variables, `switch`es, states and motions, none of its category, `const`
            event e = when pin.angle falls { angle(rod) + 1 = 1; }
            event e = when pin.angle falls { 3 = 1; }
              MBS045 `3` cannot be assigned = help: handlers assign `discrete` variables, `switch`es, states, positions and velocities
            event e = when pin.angle falls { pin.acceleration = 1; }
              MBS045 `pin.acceleration` cannot be assigned = help: handlers assign `discrete` variables, `switch`es, states, positions and velocities
            event e = when pin.angle falls { t = 1; }
              MBS045 `t` cannot be assigned = help: handlers assign `discrete` variables, `switch`es, states, positions and velocities
            event e = when pin.angle falls { rod = 1; }
              MBS020 numbers and vectors are assigned, not a body
            event e = when pin.angle falls { missing = 1; }
              MBS010 unknown name `missing`
            event e = when pin.angle falls { n = [1, 2]; } discrete n = 0;
              MBS021 `n` is a number, its value is a vector of 2
            event e = when pin.angle falls { n = on; } discrete n = 0;
              MBS010 unknown name `on`
            event e = when pin.angle falls { s = 1; } switch s = on;
              MBS020 a truth value is expected, not a number = help: compare with `<`, `>`, `==`
            event e = when pin.angle falls { gear = third; } discrete gear: enum { low, high } = low;
              MBS010 `third` is none of its words = help: it is one of `low`, `high`
            event e = when pin.angle falls { gear = hihg; } discrete gear: enum { low, high } = low;
              MBS010 `hihg` is none of its words = help: did you mean `high`?
            event e = when pin.angle falls { gear = 1; } discrete gear: enum { low, high } = low;
              MBS020 a choice is one of its words = help: it is one of `low`, `high`"#]],
    );
}

#[test]
fn mistakes_in_discrete_variables() {
    check_messages(
        &[
            "discrete n;",
            "discrete n = pin.angle;",
            "discrete n = 1 { rate: 2 };",
            "discrete gear: enum { low, high } = middle;",
            "discrete gear: enum { low, low } = low;",
            "discrete gear: enum { low, high };",
            "switch s;",
            "switch s = 1;",
            "switch s = maybe;",
            "switch s = on; output y = s;",
            "switch s = on; output y = if s { 1 } else { 0 };",
            "discrete gear: enum { low, high } = low; output y = gear;",
            "discrete gear: enum { low, high } = low; output y = if gear == third { 1 } else { 0 };",
            "discrete gear: enum { low, high } = low; output y = if gear < high { 1 } else { 0 };",
            "discrete n = 1; output y = rate(n);",
        ],
        &expect![[r#"
            discrete n;
              MBS018 `n` needs a value to start with = help: write `n = 0`
            discrete n = pin.angle;
              MBS024 the default of `n` is made of constants and parameters only
            discrete n = 1 { rate: 2 };
              MBS017 discrete `n` has no argument `rate` = help: it takes none
            discrete gear: enum { low, high } = middle;
              MBS010 `middle` is none of its words = help: it is one of `low`, `high`
            discrete gear: enum { low, low } = low;
              MBS011 `low` is twice among the words of `gear`
            discrete gear: enum { low, high };
              MBS018 `gear` needs a word to start with = help: write `= low`
            switch s;
              MBS018 switch `s` needs a value to start with = help: write `switch s = on;`
            switch s = 1;
              MBS020 a truth value is expected, not a number = help: compare with `<`, `>`, `==`
            switch s = maybe;
              MBS010 unknown name `maybe`
            switch s = on; output y = s;
              MBS020 output `y` is a number, vector, matrix or rotation, not a truth value
            switch s = on; output y = if s { 1 } else { 0 };
            discrete gear: enum { low, high } = low; output y = gear;
              MBS020 output `y` is a number, vector, matrix or rotation, not a choice
            discrete gear: enum { low, high } = low; output y = if gear == third { 1 } else { 0 };
              MBS010 `third` is none of its words = help: it is one of `low`, `high`
            discrete gear: enum { low, high } = low; output y = if gear < high { 1 } else { 0 };
              MBS010 unknown name `high`
            discrete n = 1; output y = rate(n);"#]],
    );
}

#[test]
fn mistakes_in_events() {
    check_messages(
        &[
            "event e = when pin.angle { }",
            "event e = when position(rod) falls { }",
            "event e = when pin.angle == 2 { }",
            "event e = when t > 1 falls { }",
            "event e = every 0 { }",
            "event e = every -1 { }",
            "event e = every pin.angle { }",
            "event e = at [] { }",
            "event e = at pin { }",
            "event e = when pin.angle falls { enabled: 1; }",
            "switch s = on; event e = when pin.angle falls { enabled: s; enabled: s; }",
            "event e = when pin.angle falls { impulse(ground, rod) { }; }",
            "event e = when pin.angle falls { impulse(rod) { direction: [1, 0] }; }",
            "marker m = rod { normal: [0, 1], restitution: 0.2 }; marker n = ground { restitution: 0.3 }; event e = when pin.angle falls { impulse(m, n); }",
            "event e = when pin.angle falls { impulse(ground, pin) { direction: [1, 0] }; }",
            "event e = when pin.angle falls { impulse(ground, rod) { direction: [0, 0] }; }",
            "event e = when pin.angle falls { impulse(ground, rod) { direction: 1 }; }",
            "event e = when pin.angle falls { impulse(ground, rod) { direction: [1, 0], restitution: -1 }; }",
            "event e = when pin.angle falls { impulse(ground, rod) { direction: [1, 0], bounce: 1 }; }",
            "event e = when pin.angle falls { n = 1; n = 2; } discrete n = 0;",
            "event e = when pin.angle falls { n = 1 } discrete n = 0;",
            "event e = when pin.angle falls { } event e = when pin.angle rises { }",
            "event e = when pin.angle falls { stop }",
            "report every 0;",
            "report on missing;",
            "event near = when pin.angle falls { } report on naer;",
            "stop when pin.angle;",
        ],
        &expect![[r#"
            event e = when pin.angle { }
              MBS020 expected a condition, found a number = help: write `x > 1`, or `x falls` for a value that passes through zero
            event e = when position(rod) falls { }
              MBS020 what passes through zero is a number, not a vector of 2
            event e = when pin.angle == 2 { }
              MBS027 numbers that go on are equal for no time = help: write `pin.angle - 2 crosses`
            event e = when t > 1 falls { }
              MBS020 what passes through zero is a number, not a truth value = help: leave the last word out: it happens when the condition becomes true
            event e = every 0 { }
              MBS031 event `e` happens every 0 s, which must be positive
            event e = every -1 { }
              MBS031 event `e` happens every -1 s, which must be positive
            event e = every pin.angle { }
            event e = at [] { }
              MBS021 a vector without components
            event e = at pin { }
              MBS020 times are numbers, not a joint
            event e = when pin.angle falls { enabled: 1; }
              MBS020 a truth value is expected, not a number = help: compare with `<`, `>`, `==`
            switch s = on; event e = when pin.angle falls { enabled: s; enabled: s; }
              MBS019 argument `enabled` is given twice
            event e = when pin.angle falls { impulse(ground, rod) { }; }
              MBS018 `impulse` needs its `direction` = help: write `{ direction: [0, 1] }`, from the first end to the second, or give an end a `normal`
            event e = when pin.angle falls { impulse(rod) { direction: [1, 0] }; }
              MBS014 `impulse` acts between two ends, not 1 = help: write `impulse(ground, ball) { direction: … }`
            marker m = rod { normal: [0, 1], restitution: 0.2 }; marker n = ground { restitution: 0.3 }; event e = when pin.angle falls { impulse(m, n); }
              MBS019 both ends of `impulse` state a `restitution` = help: write `{ restitution: … }`: what both together have
            event e = when pin.angle falls { impulse(ground, pin) { direction: [1, 0] }; }
              MBS020 a body or marker is expected, not a joint = help: write `body` or `body at [x, y]`
            event e = when pin.angle falls { impulse(ground, rod) { direction: [0, 0] }; }
              MBS023 the axis has length zero = help: write `[1, 0]`
            event e = when pin.angle falls { impulse(ground, rod) { direction: 1 }; }
              MBS021 a direction is a vector of 2, not a number
            event e = when pin.angle falls { impulse(ground, rod) { direction: [1, 0], restitution: -1 }; }
              MBS031 the restitution is -1, it must not be negative
            event e = when pin.angle falls { impulse(ground, rod) { direction: [1, 0], bounce: 1 }; }
              MBS017 `impulse` has no argument `bounce` = help: it takes `direction`, `restitution`
            event e = when pin.angle falls { n = 1; n = 2; } discrete n = 0;
              MBS045 `n` is assigned twice
            event e = when pin.angle falls { n = 1 } discrete n = 0;
            event e = when pin.angle falls { } event e = when pin.angle rises { }
              MBS011 two events are called `e` = help: give one of them another name
            event e = when pin.angle falls { stop }
            report every 0;
              MBS031 `report every` happens every 0 s, which must be positive
            report on missing;
              MBS010 there is no event `missing`
            event near = when pin.angle falls { } report on naer;
              MBS010 there is no event `naer` = help: did you mean `near`?
            stop when pin.angle;
              MBS020 expected a condition, found a number = help: write `x > 1`, or `x falls` for a value that passes through zero"#]],
    );
}
