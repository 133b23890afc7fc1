//! Messages about spatial mechanisms, where they differ from those about planar ones.

use crate::mistakes::{check_messages, check_spatial, check_spatial_messages};
use expect_test::expect;

#[test]
fn mbs022_a_force_in_space_states_its_axes() {
    check_spatial(
        "force push = point_force(rod) { force: [0, 0, 1] };",
        &expect![[r#"
        error: [MBS022] `force` of force `push` does not state its axes
         --> m.mbs:1:52
          |
        1 | spatial M { force push = point_force(rod) { force: [0, 0, 1] };
          |                                                    ^^^^^^^^^
          |
          = help: write `[…] in body`, or `[…] in ground` for world axes"#]],
    );
    check_spatial_messages(
        &[
            "force push = wrench(rod) { force: [0, 0, 1] in rod, moment: [1, 0, 0] };",
            "output y = position(rod) + ([1, 0, 0] in rod);",
            "output y = rotation(rod) * position(crank);",
            "output y = rotation(rod) * rotation(crank);",
            "output y = axis_angle([0, 0, 1] in rod, 1) * position(crank);",
            "body arm { mass: 1, com: [1, 0, 0] in rod } joint j = free(ground, arm);",
            "marker m = rod { rotation: axis_angle([0, 0, 1] in ground, 1) };",
            "output y = euler(zyx, [1, 2, 3] in rod) * [1, 0, 0];",
        ],
        &expect![[r#"
            force push = wrench(rod) { force: [0, 0, 1] in rod, moment: [1, 0, 0] };
              MBS022 `moment` of force `push` does not state its axes = help: write `[…] in body`, or `[…] in ground` for world axes
            output y = position(rod) + ([1, 0, 0] in rod);
              MBS022 vectors in the axes of `ground` and of `rod` = help: re-express one of them: `v in ground`
            output y = rotation(rod) * position(crank);
              MBS022 the rotation rotates components in the axes of `rod`, not of `ground` = help: re-express what it rotates: `v in rod`
            output y = rotation(rod) * rotation(crank);
              MBS022 the rotation rotates components in the axes of `rod`, not of `ground` = help: re-express what it rotates: `v in rod`
            output y = axis_angle([0, 0, 1] in rod, 1) * position(crank);
              MBS022 the rotation rotates components in the axes of `rod`, not of `ground` = help: re-express what it rotates: `v in rod`
            body arm { mass: 1, com: [1, 0, 0] in rod } joint j = free(ground, arm);
              MBS022 `com` of body `arm` is in the axes of `arm`, not of `rod` = help: leave out `in`
            marker m = rod { rotation: axis_angle([0, 0, 1] in ground, 1) };
              MBS022 `rotation` of marker `m` is in the axes of `rod`, not of `ground` = help: leave out `in`
            output y = euler(zyx, [1, 2, 3] in rod) * [1, 0, 0];
              MBS022 angles are numbers, without axes"#]],
    );
}

#[test]
fn kinds_of_the_other_space() {
    check_spatial_messages(
        &["joint j = revolut(ground, rod);", "force f = torsion_sprin(crank, rod);"],
        &expect![[r#"
            joint j = revolut(ground, rod);
              MBS013 unknown kind of joint `revolut` = help: did you mean `revolute`?
            force f = torsion_sprin(crank, rod);
              MBS013 unknown kind of force `torsion_sprin` = help: did you mean `torsion_spring`?"#]],
    );
    check_messages(
        &["joint j = spherical(ground, rod);"],
        &expect![[r#"
        joint j = spherical(ground, rod);
          MBS013 unknown kind of joint `spherical` = help: `spherical` is a joint of space, this mechanism is `planar`"#]],
    );
}

#[test]
fn functions_and_arguments_of_the_other_space() {
    check_spatial_messages(
        &[
            "output y = angle(rod);",
            "output y = rate(rod);",
            "output y = rate(rotation(rod));",
            "output y = rotaton(rod).x;",
            "body arm { mass: 1, angle: 1 } joint j = free(ground, arm);",
            "marker m = rod { angle: 1 };",
            "output y = cross([1, 2], [3, 4]);",
            "output y = rod.w;",
            "output y = pin.q.y;",
        ],
        &expect![[r#"
            output y = angle(rod);
              MBS026 `angle` is a function of the plane = help: in space a marker has a `rotation(m)`, and joints have angles
            output y = rate(rod);
              MBS020 in space `rate` takes numbers or vectors, not a body = help: write `angular_velocity(m)`
            output y = rate(rotation(rod));
              MBS020 in space `rate` takes numbers or vectors, not a rotation = help: write `angular_velocity(m)`
            output y = rotaton(rod).x;
              MBS026 unknown function `rotaton` = help: did you mean `rotation`?
            body arm { mass: 1, angle: 1 } joint j = free(ground, arm);
              MBS017 body `arm` has no argument `angle` = help: `angle` is of the plane: write `rotation: axis_angle([0, 0, 1], angle)`
            marker m = rod { angle: 1 };
              MBS017 marker `m` has no argument `angle` = help: `angle` is of the plane: write `rotation: axis_angle([0, 0, 1], angle)`
            output y = cross([1, 2], [3, 4]);
              MBS021 `cross` of a vector of 2 and a vector of 2 = help: in space `cross` takes two vectors of 3
            output y = rod.w;
              MBS040 a body has no field `w` = help: it has its axes `.x`, `.y`, `.z`
            output y = pin.q.y;
              MBS040 a vector of 1 has no `.y` = help: it has `.x`"#]],
    );
    check_messages(
        &[
            "output y = rotation(rod).x;",
            "marker m = rod { z: [0, 1] };",
            "body arm { mass: 1, rotation: 1 } joint j = free(ground, arm);",
            "body arm { mass: 1, velocity: body } joint j = free(ground, arm);",
        ],
        &expect![[r#"
            output y = rotation(rod).x;
              MBS026 `rotation` is a function of space = help: in the plane a rotation is the number `angle(m)`
            marker m = rod { z: [0, 1] };
              MBS017 marker `m` has no argument `z` = help: it takes `friction`, `restitution`, `angle`, `x`, `y`, `normal`
            body arm { mass: 1, rotation: 1 } joint j = free(ground, arm);
              MBS017 body `arm` has no argument `rotation` = help: did you mean `position`?
            body arm { mass: 1, velocity: body } joint j = free(ground, arm);
              MBS090 `velocity: body` is not available yet"#]],
    );
}

#[test]
fn vectors_have_three_components() {
    check_spatial_messages(
        &[
            "marker m = rod at [1, 2];",
            "output y = position(rod at 3);",
            "body arm { mass: 1, com: [1, 0] } joint j = free(ground, arm);",
            "gravity: [0, -9.81];",
            "gravity: param [0, -9.81];",
            "input f: [2] in rod;",
            "output y = u in rod;",
            "force f = torque(rod) { torque: 3 };",
            "output y = position(pin);",
            "joint j = revolute(p, rod);",
            "joint j = prismatic(ground, rod) { axis: [0, 0, 0] };",
        ],
        &expect![[r#"
            marker m = rod at [1, 2];
              MBS021 `at` takes a vector of 3, not a vector of 2 = help: write `at [x, y, z]` or `at com`
            output y = position(rod at 3);
              MBS020 `at` takes a vector of 3, not a number = help: write `at [x, y, z]` or `at com`
            body arm { mass: 1, com: [1, 0] } joint j = free(ground, arm);
              MBS021 `com` of body `arm` is a vector of 3, not a vector of 2 = help: write `[x, y, z]`
            gravity: [0, -9.81];
              MBS021 gravity is a vector of 3, not a vector of 2 = help: write `[x, y, z]`
            gravity: param [0, -9.81];
              MBS021 gravity is a vector of 3, not a vector of 2 = help: write `[0, 0, -9.81]`
            input f: [2] in rod;
              MBS021 `f` is a vector of 2, only a vector of 3 has axes
            output y = u in rod;
              MBS020 `in` gives axes to a vector of 3, not to a number
            force f = torque(rod) { torque: 3 };
              MBS020 `torque` of force `f` is a vector of 3, not a number = help: write `[x, y, z]`
            output y = position(pin);
              MBS020 a body or marker is expected, not a joint = help: write `body` or `body at [x, y, z]`
            joint j = revolute(p, rod);
              MBS015 an end of `revolute` is a body or a marker, not a number = help: write `body`, `body at [x, y, z]` or a marker's name
            joint j = prismatic(ground, rod) { axis: [0, 0, 0] };
              MBS023 the axis has length zero = help: write `[1, 0, 0]`"#]],
    );
}

#[test]
fn rotations_are_made_of_axes_angles_and_quaternions() {
    check_spatial_messages(
        &[
            "let r = euler(zyz, [1, 2]);",
            "let r = euler(zzx, [1, 2, 3]);",
            "let r = euler(xy, [1, 2, 3]);",
            "let r = euler([1, 2, 3], [1, 2, 3]);",
            "let r = euler(zyx);",
            "let r = axis_angle([0, 0, 0], 1);",
            "let r = axis_angle(1, [0, 0, 1]);",
            "let r = axis_angle([0, 0, 1], [1]);",
            "let r = quaternion([0, 0, 0, 0]);",
            "let r = quaternion([1, 0, 0]);",
            "let r = quaternion([1e200, 0, 0, 1]);",
            "let r = axis_angle([1e200, 0, 0], 1);",
            "let r = quaternion(rod);",
            "let r = rotation(bob);",
            "output r = rod;",
            "let r = rotation(rod) + rotation(crank);",
            "let r = rotation(rod) * 2;",
            "let r = rotation(rod) * [1, 2];",
            "let r = rotation(rod)[0];",
            "let r = rotation(rod).w;",
            "let r = rotation(rod) in crank;",
            "const r = axis_angle([0, 0, 1], p);",
            "constraint c = rotation(rod) == rotation(crank);",
            "marker m = rod { rotation: 3 };",
            "function f(x) = euler(abc, x); output y = f([1, 2, 3]).x;",
        ],
        &expect![[r#"
            let r = euler(zyz, [1, 2]);
              MBS021 the list of angles of `euler` is a vector of 3, not a vector of 2 = help: write `[x, y, z]`
            let r = euler(zzx, [1, 2, 3]);
              MBS032 `zzx` is not a sequence of axes = help: three of `x`, `y`, `z`, neighbours different: `zyx`, `zxz`
            let r = euler(xy, [1, 2, 3]);
              MBS032 `xy` is not a sequence of axes = help: three of `x`, `y`, `z`, neighbours different: `zyx`, `zxz`
            let r = euler([1, 2, 3], [1, 2, 3]);
              MBS032 a sequence of axes is a word = help: three of `x`, `y`, `z`, neighbours different: `zyx`, `zxz`
            let r = euler(zyx);
              MBS026 `euler` takes 2 arguments, not 1
            let r = axis_angle([0, 0, 0], 1);
              MBS023 the axis has length zero = help: write `[1, 0, 0]`
            let r = axis_angle(1, [0, 0, 1]);
              MBS020 `axis_angle` takes an axis and an angle, not a number = help: write `axis_angle([x, y, z], angle)`
            let r = axis_angle([0, 0, 1], [1]);
              MBS020 `axis_angle` takes numbers, not a vector of 1
            let r = quaternion([0, 0, 0, 0]);
              MBS031 a quaternion of zeros is no rotation
            let r = quaternion([1, 0, 0]);
              MBS021 `quaternion` takes a vector of 4 or a rotation, not a vector of 3 = help: write `quaternion([w, x, y, z])`
            let r = quaternion([1e200, 0, 0, 1]);
              MBS030 the length of the quaternion is not a number to divide by
            let r = axis_angle([1e200, 0, 0], 1);
              MBS030 the length of the axis is not a number to divide by
            let r = quaternion(rod);
              MBS020 `quaternion` takes a vector of 4 or a rotation, not a body = help: write `quaternion(rotation(m))`
            let r = rotation(bob);
              MBS038 particle `bob` has no rotation = help: its axes stay parallel to the world's
            output r = rod;
              MBS020 output `r` is a number, vector, matrix or rotation, not a body
            let r = rotation(rod) + rotation(crank);
              MBS020 cannot add a rotation to a rotation
            let r = rotation(rod) * 2;
              MBS020 cannot multiply a rotation by a number
            let r = rotation(rod) * [1, 2];
              MBS020 cannot multiply a rotation by a vector of 2
            let r = rotation(rod)[0];
              MBS020 a rotation has no elements
            let r = rotation(rod).w;
              MBS040 a rotation has no field `w` = help: it has its columns `.x`, `.y`, `.z`
            let r = rotation(rod) in crank;
              MBS020 `in` gives axes to a vector of 3, not to a rotation
            const r = axis_angle([0, 0, 1], p);
              MBS024 `p` is not known here = help: defaults and sizes may use constants and earlier parameters
            constraint c = rotation(rod) == rotation(crank);
              MBS020 an equation is between numbers or vectors
            marker m = rod { rotation: 3 };
              MBS020 `rotation` of marker `m` is a rotation, not a number = help: write `axis_angle(…)`, `euler(zyx, […])` or `quaternion([…])`
            function f(x) = euler(abc, x); output y = f([1, 2, 3]).x;
              MBS032 `abc` is not a sequence of axes = help: three of `x`, `y`, `z`, neighbours different: `zyx`, `zxz`"#]],
    );
}

#[test]
fn mbs031_inertia_of_a_body_in_space() {
    check_spatial(
        "body arm { mass: 1, inertia: 3 } joint j = free(ground, arm);",
        &expect![[r#"
        error: [MBS020] `inertia` of body `arm` is a vector of 3 or a 3 × 3 matrix, not a number
         --> m.mbs:1:42
          |
        1 | spatial M { body arm { mass: 1, inertia: 3 } joint j = free(ground, arm);
          |                                          ^
          |
          = help: write `[Ixx, Iyy, Izz]`, or the tensor with its rows"#]],
    );
    let inertia = [
        "[1, 2]",
        "[-1, 2, 3]",
        "[[1, 0], [0, 1]]",
        "[[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]]",
        "[[1, 2, 0], [2, 1, 0], [0, 0, 1]]",
        "[t, 1, 1]",
        "[1, 1, 1] in ground",
    ];
    let items = inertia.map(|text| format!("body arm {{ inertia: {text} }} joint j = free(ground, arm);"));
    check_spatial_messages(
        &items.each_ref().map(String::as_str),
        &expect![[r#"
        body arm { inertia: [1, 2] } joint j = free(ground, arm);
          MBS021 `inertia` of body `arm` is a vector of 3 or a 3 × 3 matrix, not a vector of 2 = help: write `[Ixx, Iyy, Izz]`, or the tensor with its rows
        body arm { inertia: [-1, 2, 3] } joint j = free(ground, arm);
          MBS031 `inertia` of body `arm` is -1, it must not be negative
        body arm { inertia: [[1, 0], [0, 1]] } joint j = free(ground, arm);
          MBS021 `inertia` of body `arm` is a vector of 3 or a 3 × 3 matrix, not a 2 × 2 matrix = help: write `[Ixx, Iyy, Izz]`, or the tensor with its rows
        body arm { inertia: [[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]] } joint j = free(ground, arm);
          MBS031 `inertia` of body `arm` is not symmetric: 0.1 in row 0, column 1, 0.2 in row 1, column 0
        body arm { inertia: [[1, 2, 0], [2, 1, 0], [0, 0, 1]] } joint j = free(ground, arm);
          MBS031 `inertia` of body `arm` has the principal moment -1, it must not be negative = help: off-diagonals are entries of the tensor
        body arm { inertia: [t, 1, 1] } joint j = free(ground, arm);
          MBS024 `inertia` of body `arm` is made of constants and parameters only
        body arm { inertia: [1, 1, 1] in ground } joint j = free(ground, arm);
          MBS022 `inertia` of body `arm` is in the axes of `arm`, not of `ground` = help: leave out `in`"#]],
    );
}

#[test]
fn arguments_of_bodies_and_particles_in_space() {
    let arguments = [
        "body arm { attitude: quat }",
        "body arm { attitude: euler(xxy) }",
        "body arm { attitude: 3 }",
        "body arm { rotation: [1, 0, 0] }",
        "body arm { rotation: rotation(rod) }",
        "body arm { rotation: axis_angle([0, 0, 1], t) }",
        "body arm { velocity: bdy }",
        "particle arm { velocity: body }",
        "particle arm { attitude: mrp }",
        "particle arm { inertia: [1, 1, 1] }",
        "particle arm { angular_velocity: [1, 1, 1] }",
        "body arm { angular_velocity: 2 }",
        "body arm { angular_velocity: [1, 0, 0] in arm }",
        "body arm { angular_velocity: [u, 0, 0] }",
        "body arm { rate: 2 }",
    ];
    let items = arguments.map(|text| format!("{text} joint j = free(ground, arm);"));
    check_spatial_messages(
        &items.each_ref().map(String::as_str),
        &expect![[r#"
            body arm { attitude: quat } joint j = free(ground, arm);
              MBS032 `quat` is not an attitude = help: one of `quaternion`, `mrp`, `rodrigues`, `vector`, `euler(zyx)`
            body arm { attitude: euler(xxy) } joint j = free(ground, arm);
              MBS032 `xxy` is not a sequence of axes = help: three of `x`, `y`, `z`, neighbours different: `zyx`, `zxz`
            body arm { attitude: 3 } joint j = free(ground, arm);
              MBS032 an attitude is a word = help: one of `quaternion`, `mrp`, `rodrigues`, `vector`, `euler(zyx)`
            body arm { rotation: [1, 0, 0] } joint j = free(ground, arm);
              MBS020 `rotation` of body `arm` is a rotation, not a vector of 3 = help: write `axis_angle(…)`, `euler(zyx, […])` or `quaternion([…])`
            body arm { rotation: rotation(rod) } joint j = free(ground, arm);
              MBS024 `rotation` of body `arm` is made of constants and parameters only
            body arm { rotation: axis_angle([0, 0, 1], t) } joint j = free(ground, arm);
              MBS024 `rotation` of body `arm` is made of constants and parameters only
            body arm { velocity: bdy } joint j = free(ground, arm);
              MBS010 unknown name `bdy`
            particle arm { velocity: body } joint j = free(ground, arm);
              MBS038 particle `arm` has no rotation, so no axes of its own = help: leave it out, or write `velocity: world`
            particle arm { attitude: mrp } joint j = free(ground, arm);
              MBS017 particle `arm` has no argument `attitude` = help: it takes `mass`, `coordinates`, `position`, `velocity`
            particle arm { inertia: [1, 1, 1] } joint j = free(ground, arm);
              MBS017 particle `arm` has no argument `inertia` = help: it takes `mass`, `coordinates`, `position`, `velocity`
            particle arm { angular_velocity: [1, 1, 1] } joint j = free(ground, arm);
              MBS017 particle `arm` has no argument `angular_velocity` = help: it takes `mass`, `coordinates`, `position`, `velocity`
            body arm { angular_velocity: 2 } joint j = free(ground, arm);
              MBS020 `angular_velocity` of body `arm` is a vector of 3, not a number = help: write `[x, y, z]`
            body arm { angular_velocity: [1, 0, 0] in arm } joint j = free(ground, arm);
              MBS022 `angular_velocity` of body `arm` is in the axes of `ground`, not of `arm` = help: leave out `in`
            body arm { angular_velocity: [u, 0, 0] } joint j = free(ground, arm);
              MBS024 `angular_velocity` of body `arm` is made of constants and parameters only
            body arm { rate: 2 } joint j = free(ground, arm);
              MBS017 body `arm` has no argument `rate` = help: it takes `mass`, `coordinates`, `position`, `velocity`, `inertia`, `com`, `rotation`, `angular_velocity`, `attitude`"#]],
    );
}

#[test]
fn axes_of_markers() {
    check_spatial_messages(
        &[
            "marker m = rod { z: [0, 0, 0] };",
            "marker m = rod { z: [0, 0, 1], x: [0, 0, 2] };",
            "marker m = rod { z: [0, 0, 1], normal: [0, 0, 2] };",
            "marker m = rod { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };",
            "marker m = rod { rotation: euler(xyz, [1, 2, 3]), z: [0, 0, 1] };",
            "marker m = rod { z: [0, t, 1] };",
            "marker m = rod { rotation: rotation(crank) };",
            "marker m = rod { zz: [0, 0, 1] };",
        ],
        &expect![[r#"
            marker m = rod { z: [0, 0, 0] };
              MBS023 the axis has length zero = help: write `[1, 0, 0]`
            marker m = rod { z: [0, 0, 1], x: [0, 0, 2] };
              MBS023 the axes of marker `m` are parallel
            marker m = rod { z: [0, 0, 1], normal: [0, 0, 2] };
              MBS019 the axes of marker `m` are given twice = help: `normal` is another word for `z`
            marker m = rod { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };
              MBS019 the axes of marker `m` are given twice = help: give one or two axes
            marker m = rod { rotation: euler(xyz, [1, 2, 3]), z: [0, 0, 1] };
              MBS019 the axes of marker `m` are given twice = help: give `rotation`, or one or two axes
            marker m = rod { z: [0, t, 1] };
              MBS024 a location on a body is made of constants and parameters
            marker m = rod { rotation: rotation(crank) };
              MBS022 `rotation` of marker `m` is in the axes of `rod`, not of `ground` = help: leave out `in`
            marker m = rod { zz: [0, 0, 1] };
              MBS017 marker `m` has no argument `zz` = help: it takes `friction`, `restitution`, `rotation`, `x`, `y`, `z`, `normal`"#]],
    );
}

#[test]
fn fields_of_joints_in_space() {
    check_spatial_messages(
        &[
            "output y = elbow.angle;",
            "output y = base.q;",
            "output y = base.u;",
            "output y = pin.speed;",
            "output y = reaction(pin).moment;",
            "output y = elbow.u + angular_velocity(rod);",
            "force f = mobility(elbow) { value: 1 };",
            "force f = mobility(elbow.q[1]) { value: 1 };",
            "force f = mobility(base) { value: 1 };",
            "joint g = gear(pin, elbow) { ratio: 2 };",
            "initial elbow.q = [1, 0, 0];",
        ],
        &expect![[r#"
            output y = elbow.angle;
              MBS040 joint `elbow` has no `angle` = help: it has `.q`, `.u`, `.angular_acceleration`
            output y = base.q;
              MBS038 joint `base` has no `q`: a particle has no rotation
            output y = base.u;
              MBS038 joint `base` has no `u`: a particle has no rotation
            output y = pin.speed;
              MBS040 joint `pin` has no `speed` = help: it has `.angle`, `.rate`, `.acceleration`
            output y = reaction(pin).moment;
              MBS040 a reaction has no `.moment` = help: it has `.force` and `.torque`
            output y = elbow.u + angular_velocity(rod);
              MBS022 vectors in the axes of `rod` and of `ground` = help: re-express one of them: `v in rod`
            force f = mobility(elbow) { value: 1 };
              MBS015 joint `elbow` has 4 coordinates, `mobility` acts along one = help: write `torque(…)` between its ends
            force f = mobility(elbow.q[1]) { value: 1 };
              MBS015 `mobility` does not act along a parameter of an attitude = help: write `torque(…)` between its ends
            force f = mobility(base) { value: 1 };
              MBS015 joint `base` has 3 coordinates, `mobility` acts along one = help: write `mobility(base.position[0])`
            joint g = gear(pin, elbow) { ratio: 2 };
              MBS015 joint `elbow` has no angle to gear = help: write a `coupling` of its coordinates
            initial elbow.q = [1, 0, 0];
              MBS021 `elbow.q` is a vector of 4, its value is a vector of 3"#]],
    );
}
