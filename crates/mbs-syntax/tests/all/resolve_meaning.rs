//! Mistakes that `resolve` finds: one snapshot per code, and important variants. Domains, equations, levels, bodies, sizes, and features of later
//! versions.

use expect_test::expect;

use crate::mistakes::{check, check_messages};

#[test]
fn mbs031_domain() {
    check(
        "body arm { mass: -1 }",
        &expect![[r#"
        error: [MBS031] `mass` of body `arm` is -1, it must not be negative
         --> m.mbs:1:29
          |
        1 | planar M { body arm { mass: -1 }
          |                             ^"#]],
    );
    check_messages(
        &[
            "joint j = distance(crank, bob) { length: 0 };",
            "force f = spring_damper(crank, bob) { stiffness: p - 2 };",
            "param k = -1; force f = torsion_spring(crank, rod) { stiffness: k };",
            "body arm { inertia: -1 }",
            "let w = position(arm at com); body arm { }",
            "output y = position(light at com); body light { }",
        ],
        &expect![[r#"
            joint j = distance(crank, bob) { length: 0 };
              MBS031 `length` of joint `j` is 0, it must be positive
            force f = spring_damper(crank, bob) { stiffness: p - 2 };
              MBS031 `stiffness` of force `f` is -1, it must not be negative
            param k = -1; force f = torsion_spring(crank, rod) { stiffness: k };
              MBS031 `stiffness` of force `f` is -1, it must not be negative
            body arm { inertia: -1 }
              MBS031 `inertia` of body `arm` is -1, it must not be negative
            let w = position(arm at com); body arm { }
              MBS037 body `arm` is touched by no joint, force or equation = help: write `joint base = free(ground, arm);` if it moves freely
            output y = position(light at com); body light { }
              MBS037 body `light` is touched by no joint, force or equation = help: write `joint base = free(ground, light);` if it moves freely"#]],
    );
}

#[test]
fn mbs032_settings() {
    check(
        "gravty: [0, -9.81];",
        &expect![[r#"
        error: [MBS032] unknown setting `gravty`
         --> m.mbs:1:12
          |
        1 | planar M { gravty: [0, -9.81];
          |            ^^^^^^
          |
          = help: did you mean `gravity`?"#]],
    );
    check_messages(
        &[
            "redundant: resolved;",
            "redundant: 1;",
            "redundant: resolve; redundant: resolve;",
            "redundant: param resolve;",
            "coordinates: joints;",
            "kernels: [forward, foo];",
            "coordinates: 3;",
            "coordinates: auto; body arm { coordinates: natural }",
            "body arm { coordinates: auto }",
        ],
        &expect![[r#"
            redundant: resolved;
              MBS032 `resolved` is not a treatment of redundant rows = help: did you mean `resolve`?
            redundant: 1;
              MBS032 a treatment of redundant rows is a word = help: one of `resolve`
            redundant: resolve; redundant: resolve;
              MBS019 setting `redundant` is given twice
            redundant: param resolve;
              MBS027 setting `redundant` cannot be tuned
            coordinates: joints;
              MBS032 `joints` is not a choice of coordinates = help: did you mean `joint`?
            kernels: [forward, foo];
              MBS032 `foo` is not a kernel = help: one of `forward`, `kinematics`, `energies`, `outputs`, `reactions`, `hessians`, `inverse`, `jacobians`, `linearization`, `momenta`, `operators`, `sensitivities`, `steps`
            coordinates: 3;
              MBS032 a choice of coordinates is a word = help: one of `body`, `joint`, `natural`, `auto`
            coordinates: auto; body arm { coordinates: natural }
              MBS032 `coordinates: auto` chooses the coordinates of all bodies = help: leave out those of the body, or choose those of the mechanism: `coordinates: joint;`
            body arm { coordinates: auto }
              MBS032 `auto` is not a choice of coordinates = help: one of `body`, `joint`, `natural`"#]],
    );
}

#[test]
fn mbs033_no_equation() {
    check(
        "drive d = pin.angle - t;",
        &expect![[r#"
        error: [MBS033] drive `d` is not an equation
         --> m.mbs:1:32
          |
        1 | planar M { drive d = pin.angle - t;
          |                                ^
          |
          = help: write `left == right`"#]],
    );
    check_messages(
        &["constraint c = position(rod);"],
        &expect![[r#"
            constraint c = position(rod);
              MBS033 constraint `c` is not an equation = help: write `left == right`"#]],
    );
}

#[test]
fn mbs034_circular_loads() {
    check(
        "drive d = pin.angle == t; force f = torque(crank) { torque: load(d) };",
        &expect![[r#"
        error: [MBS034] `torque` of force `f` depends on the load of a row: circular
         --> m.mbs:1:72
          |
        1 | planar M { drive d = pin.angle == t; force f = torque(crank) { torque: load(d) };
          |                                                                        ^^^^^^^
          |
          = help: accelerations, loads of rows and rates of states may stand in outputs"#]],
    );
    check_messages(
        &[
            "force f = torque(crank) { torque: pin.acceleration };",
            "drive d = pin.angle == t; constraint c = elbow.angle == load(d);",
            "potential v = pin.rate;",
            "state z = 0 { rate: rate(z) };",
            "initial pin.acceleration = 3;",
            "output y = rate(pin.acceleration);",
            "state z = 0 { rate: pin.rate }; output y = rate(rate(rate(z)));",
            "constraint c = [pin.angle, elbow.rate] == [0, 0];",
            "output y = rate(rate(rate(rate(rate(rate(rate(rate(rate(sin(t))))))))));",
        ],
        &expect![[r#"
            force f = torque(crank) { torque: pin.acceleration };
              MBS034 `torque` of force `f` depends on accelerations: circular = help: accelerations, loads of rows and rates of states may stand in outputs
            drive d = pin.angle == t; constraint c = elbow.angle == load(d);
              MBS034 `load(d)` inside a row is circular = help: loads may stand in outputs
            potential v = pin.rate;
              MBS034 potential `v` depends on velocities
            state z = 0 { rate: rate(z) };
              MBS034 the rate of state `z` depends on the rate of a state = help: accelerations, loads of rows and rates of states may stand in outputs
            initial pin.acceleration = 3;
              MBS034 `pin.acceleration` is neither a position nor a velocity
            output y = rate(pin.acceleration);
              MBS034 the rate of an acceleration or of a load of a row is not known
            state z = 0 { rate: pin.rate }; output y = rate(rate(rate(z)));
              MBS034 the third rate of a state is not known
            constraint c = [pin.angle, elbow.rate] == [0, 0];
              MBS034 the components of constraint `c` differ in level = help: write one equation per component
            output y = rate(rate(rate(rate(rate(rate(rate(rate(rate(sin(t))))))))));
              MBS034 more than 8 rates of one another = help: write the derivative out"#]],
    );
}

#[test]
fn mbs035_inputs_in_rows() {
    check(
        "drive d = pin.angle == u;",
        &expect![[r#"
            error: [MBS035] drive `d` depends on an input
             --> m.mbs:1:32
              |
            1 | planar M { drive d = pin.angle == u;
              |                                ^^
              |
              = help: rows are differentiated: use functions of time, a `state`, or a force"#]],
    );
    check_messages(
        &[
            "state z = 0 { rate: u }; drive d = pin.rate == z;",
            "output y = rate(u);",
            "output y = rate(rate(w) * z); state z = 0 { rate: 1 }; state w = 0 { rate: z + u };",
        ],
        &expect![[r#"
            state z = 0 { rate: u }; drive d = pin.rate == z;
              MBS035 `d` depends on state `z`, whose rate depends on an input = help: rows are differentiated, those of positions twice: put a `state` with its `rate:` in between
            output y = rate(u);
              MBS035 the rate of an input is not known = help: make it a `state` with its `rate:`
            output y = rate(rate(w) * z); state z = 0 { rate: 1 }; state w = 0 { rate: z + u };
              MBS035 the second rate of state `w` is not known: its rate contains an input = help: make the input a `state` with its `rate:`"#]],
    );
}

#[test]
fn mbs036_no_coordinate() {
    check(
        "constraint c = p == 1;",
        &expect![[r#"
        error: [MBS036] constraint `c` depends on no coordinate
         --> m.mbs:1:29
          |
        1 | planar M { constraint c = p == 1;
          |                             ^^"#]],
    );
    check_messages(
        &["initial p = 3;", "state z = 0 { rate: 1 }; initial z = 3;", "potential v = p;"],
        &expect![[r#"
            initial p = 3;
              MBS036 `p` depends on no coordinate
            state z = 0 { rate: 1 }; initial z = 3;
              MBS036 `z` depends on no coordinate = help: write its initial value as `state z = …`
            potential v = p;
              MBS036 potential `v` depends on no coordinate"#]],
    );
}

#[test]
fn mbs037_untouched_body() {
    check(
        "body lonely { mass: 1 }",
        &expect![[r#"
        error: [MBS037] body `lonely` is touched by no joint, force or equation
         --> m.mbs:1:17
          |
        1 | planar M { body lonely { mass: 1 }
          |                 ^^^^^^
          |
          = help: write `joint base = free(ground, lonely);` if it moves freely"#]],
    );
    check_messages(
        &["gravity: [0, -9.81]; particle ball { mass: 1 }"],
        &expect![[r#"
            gravity: [0, -9.81]; particle ball { mass: 1 }
              MBS037 body `ball` is touched by no joint, force or equation = help: write `joint base = free(ground, ball);` if it moves freely"#]],
    );
}

#[test]
fn mbs038_particle() {
    check(
        "joint j = fixed(rod, bob);",
        &expect![[r#"
        error: [MBS038] particle `bob` has no rotation
         --> m.mbs:1:33
          |
        1 | planar M { joint j = fixed(rod, bob);
          |                                 ^^^
          |
          = help: `fixed` needs one"#]],
    );
    check_messages(
        &[
            "output y = angle(bob);",
            "force f = torque(bob) { torque: 1 };",
            "output y = base.angle;",
            "joint j = revolute(rod, bob); output y = j.angle;",
        ],
        &expect![[r#"
            output y = angle(bob);
              MBS038 particle `bob` has no rotation = help: its axes stay parallel to the world's
            force f = torque(bob) { torque: 1 };
              MBS038 particle `bob` has no rotation = help: `torque` needs one
            output y = base.angle;
              MBS038 joint `base` has no `angle`: a particle has no rotation
            joint j = revolute(rod, bob); output y = j.angle;
              MBS038 joint `j` has no `angle`: a particle has no rotation"#]],
    );
}

#[test]
fn mbs039_too_large() {
    check(
        "for i in 0..200 { for j in 0..200 { param k[i * 200 + j] = 1; } }",
        &expect![[r#"
        error: [MBS039] the mechanism unrolls to more than 10000 items
         --> m.mbs:1:54
          |
        1 | planar M { for i in 0..200 { for j in 0..200 { param k[i * 200 + j] = 1; } }
          |                                                      ^"#]],
    );
    check_messages(
        &[
            "output y = sum(sum(sum(i + j * k for i in 0..999) for j in 0..999) for k in 0..999);",
            "input f: [100, 1000];",
        ],
        &expect![[r#"
            output y = sum(sum(sum(i + j * k for i in 0..999) for j in 0..999) for k in 0..999);
              MBS039 the mechanism unrolls to more than 500000 expressions
            input f: [100, 1000];
              MBS039 `f` has more than 10000 components"#]],
    );
}

#[test]
fn mbs040_fields() {
    check(
        "output y = pin.angel;",
        &expect![[r#"
        error: [MBS040] joint `pin` has no `angel`
         --> m.mbs:1:27
          |
        1 | planar M { output y = pin.angel;
          |                           ^^^^^
          |
          = help: did you mean `angle`?"#]],
    );
    check_messages(
        &[
            "output y = position(rod).z;",
            "output y = crank.z;",
            "output y = crank.angle;",
            "output y = crank.com;",
            "output y = p.x;",
            "force f = point_force(crank) { force: [1, 0] }; output y = load(f).x;",
            "joint j = fixed(ground, rod); output y = j.angle;",
            "output y = base.speed;",
        ],
        &expect![[r#"
            output y = position(rod).z;
              MBS040 a vector of 2 has no `.z` = help: it has `.x`, `.y`
            output y = crank.z;
              MBS040 a body has no field `z` = help: it has its axes `.x` and `.y`
            output y = crank.angle;
              MBS040 a body has no field `angle` = help: write `angle(…)`
            output y = crank.com;
              MBS040 a body has no field `com` = help: write `at com`
            output y = p.x;
              MBS040 a number has no field `x`
            force f = point_force(crank) { force: [1, 0] }; output y = load(f).x;
              MBS040 a load has no `.x` = help: it has `.force` and `.torque`
            joint j = fixed(ground, rod); output y = j.angle;
              MBS040 joint `j` has no `angle` = help: `fixed` has no coordinates
            output y = base.speed;
              MBS040 joint `base` has no `speed` = help: it has `.position`, `.velocity`, `.acceleration`, `.angle`, `.rate`, `.angular_acceleration`"#]],
    );
}

#[test]
fn misplaced_words_have_help() {
    check_messages(
        &[
            "contact touch = circle(0.1);",
            "impulse blow = 3;",
            "speed v = 3;",
            "frame tool = rod at [0, 1];",
            "stop late = 3;",
            "report: [p];",
            "stop: p > 1;",
            "output y = pairs(bodies);",
            "output y = 2 * impulse(rod, ground);",
        ],
        &expect![[r#"
            contact touch = circle(0.1);
              MBS012 unknown category `contact` = help: contacts are forces: `force name = ball_contact(…);`
            impulse blow = 3;
              MBS012 unknown category `impulse` = help: impulses stand in events: `event name = when a rises { impulse(b, c); }`
            speed v = 3;
              MBS012 unknown category `speed` = help: a `joint kind` declares its own speeds
            frame tool = rod at [0, 1];
              MBS012 unknown category `frame` = help: write `marker tool`
            stop late = 3;
              MBS012 unknown category `stop` = help: write `stop when a > b;`
            report: [p];
              MBS032 unknown setting `report` = help: write `report every 0.01;`, or `report on event;`
            stop: p > 1;
              MBS032 unknown setting `stop` = help: write `stop when a > b;`
            output y = pairs(bodies);
              MBS027 `pairs` has no value = help: pairs are looped over: `for (a, b) in pairs(bodies) { … }`
            output y = 2 * impulse(rod, ground);
              MBS027 `impulse` has no value = help: impulses stand in events: `event name = when a rises { impulse(b, c); }`"#]],
    );
}

#[test]
fn mbs090_later() {
    check(
        "scalars: [f64];",
        &expect![[r#"
        error: [MBS090] `scalars` is not available yet
         --> m.mbs:1:12
          |
        1 | planar M { scalars: [f64];
          |            ^^^^^^^"#]],
    );
    check_messages(
        &[
            "scalars: [f64];",
            "drive d = pin.angle == t { enabled: clutch };",
            "switch clutch = on; drive d = pin.angle == t { enabled: clutch };",
            "event e = when p falls { }",
            "discrete g = 1; output y = g + other;",
            "for (a, b) in pairs(bodies) { potential v = 1 / distance(a, b); }",
            "body arm { velocity: body }",
        ],
        &expect![[r#"
            scalars: [f64];
              MBS090 `scalars` is not available yet
            drive d = pin.angle == t { enabled: clutch };
              MBS010 unknown name `clutch`
            switch clutch = on; drive d = pin.angle == t { enabled: clutch };
            event e = when p falls { }
              MBS036 what sets an event off never changes = help: it would happen never, or at the start: write `at 0`
            discrete g = 1; output y = g + other;
              MBS010 unknown name `other`
            for (a, b) in pairs(bodies) { potential v = 1 / distance(a, b); }
            body arm { velocity: body }
              MBS090 `velocity: body` is not available yet"#]],
    );
}

#[test]
fn codes_are_in_order() {
    assert!(mbs_resolve::CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
}
