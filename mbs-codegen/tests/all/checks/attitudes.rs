//! Attitudes whose parameters are singular where a mechanism starts.

use expect_test::expect;
use mbs_model::Formulation;

use crate::checks::checked::{checked, messages_of_text, rendered_text, spatial};

fn body(arguments: &str) -> String {
    spatial(&format!("body b {{ mass: 1, inertia: [1, 2, 3], {arguments} }} joint f = free(ground, b);"))
}

#[test]
fn mbs061_shown_at_the_joint_with_the_attitude() {
    expect![[r#"
        body:
        error: [MBS061] body `b` starts where its attitude `euler(zxz)` is singular: where the second angle is zero or a half turn, as without rotation
         --> m.mbs:2:6
          |
        2 | body b { mass: 1, inertia: [1, 2, 3], attitude: euler(zxz) } joint f = free(ground, b);
          |      ^
          |
          = help: declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere
        joint:
        error: [MBS061] joint `f` starts where its attitude `euler(zxz)` is singular: where the second angle is zero or a half turn, as without rotation
         --> m.mbs:2:68
          |
        2 | body b { mass: 1, inertia: [1, 2, 3], attitude: euler(zxz) } joint f = free(ground, b);
          |                                                                    ^
          |
          = help: declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere"#]].assert_eq(&rendered_text(&body("attitude: euler(zxz)")));
}

#[test]
fn every_attitude_but_quaternions_has_a_singular_pose() {
    let mut all = String::new();
    for arguments in [
        "attitude: euler(xyx), rotation: axis_angle([1, 0, 0], 1)",
        "attitude: euler(zyz), rotation: axis_angle([1, 0, 0], PI)",
        "attitude: euler(zyx), rotation: axis_angle([0, 1, 0], PI / 2)",
        "attitude: euler(xyz), rotation: euler(xyz, [0.3, -PI / 2, 0.2])",
        "attitude: rodrigues, rotation: axis_angle([1, 2, 3], PI)",
        "attitude: rodrigues, rotation: axis_angle([1, 0, 0], PI)",
        "attitude: rodrigues, rotation: axis_angle([0, 0, 1], -PI)",
    ] {
        all.push_str(&format!("{arguments}\n{}\n", messages_of_text(&body(arguments))));
    }
    expect![[r#"
        attitude: euler(xyx), rotation: axis_angle([1, 0, 0], 1)
        body:
        [MBS061] body `b` starts where its attitude `euler(xyx)` is singular: where the second angle is zero or a half turn, as without rotation
        = help: declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere
        joint:
        [MBS061] joint `f` starts where its attitude `euler(xyx)` is singular: where the second angle is zero or a half turn, as without rotation
        = help: declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere
        attitude: euler(zyz), rotation: axis_angle([1, 0, 0], PI)
        body:
        [MBS061] body `b` starts where its attitude `euler(zyz)` is singular: where the second angle is zero or a half turn, as without rotation
        = help: declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere
        joint:
        [MBS061] joint `f` starts where its attitude `euler(zyz)` is singular: where the second angle is zero or a half turn, as without rotation
        = help: declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere
        attitude: euler(zyx), rotation: axis_angle([0, 1, 0], PI / 2)
        body:
        [MBS061] body `b` starts where its attitude `euler(zyx)` is singular: where the second angle is a quarter turn
        = help: declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere
        joint:
        [MBS061] joint `f` starts where its attitude `euler(zyx)` is singular: where the second angle is a quarter turn
        = help: declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere
        attitude: euler(xyz), rotation: euler(xyz, [0.3, -PI / 2, 0.2])
        body:
        [MBS061] body `b` starts where its attitude `euler(xyz)` is singular: where the second angle is a quarter turn
        = help: declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere
        joint:
        [MBS061] joint `f` starts where its attitude `euler(xyz)` is singular: where the second angle is a quarter turn
        = help: declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere
        attitude: rodrigues, rotation: axis_angle([1, 2, 3], PI)
        body:
        [MBS061] body `b` starts where its attitude `rodrigues` is singular: after a half turn
        = help: declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere
        joint:
        [MBS061] joint `f` starts where its attitude `rodrigues` is singular: after a half turn
        = help: declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere
        attitude: rodrigues, rotation: axis_angle([1, 0, 0], PI)
        body:
        [MBS061] body `b` starts where its attitude `rodrigues` is singular: after a half turn
        = help: declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere
        joint:
        [MBS061] joint `f` starts where its attitude `rodrigues` is singular: after a half turn
        = help: declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere
        attitude: rodrigues, rotation: axis_angle([0, 0, 1], -PI)
        body:
        [MBS061] body `b` starts where its attitude `rodrigues` is singular: after a half turn
        = help: declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere
        joint:
        [MBS061] joint `f` starts where its attitude `rodrigues` is singular: after a half turn
        = help: declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere
    "#]].assert_eq(&all);
    for arguments in [
        "rotation: axis_angle([1, 0, 0], PI)",
        "attitude: mrp, rotation: axis_angle([1, 0, 0], PI)",
        "attitude: vector, rotation: axis_angle([1, 2, 0], PI)",
        "attitude: rodrigues, rotation: axis_angle([1, 2, 0], PI - 1e-3)",
        "attitude: euler(zxz), rotation: axis_angle([1, 0, 0], 0.1)",
        "attitude: euler(zyx)",
    ] {
        for formulation in [Formulation::Joint, Formulation::Body] {
            assert!(checked(&body(arguments), formulation).is_ok(), "{arguments}");
        }
    }
}

/// The attitude among the coordinates is checked: that of the joint in the tree, that of the body in body coordinates.
#[test]
fn attitudes_are_those_of_the_formulation() {
    let text = spatial(
        "body a { mass: 1, inertia: [1, 1, 1], rotation: axis_angle([1, 0, 0], PI) }
        body b { mass: 1, inertia: [1, 1, 1], attitude: rodrigues, rotation: axis_angle([1, 0, 0], PI) }
        joint f = free(ground, a); joint ball = spherical(a, b at [0, 0, 1]);",
    );
    assert!(checked(&text, Formulation::Joint).is_ok());
    assert!(checked(&text, Formulation::Body).is_err());
    // A hinge has no attitude.
    let hinge = spatial("body b { mass: 1, inertia: [1, 1, 1], attitude: euler(zxz) } joint j = revolute(ground, b);");
    assert!(checked(&hinge, Formulation::Joint).is_ok());
    assert!(checked(&hinge, Formulation::Body).is_err());
}
