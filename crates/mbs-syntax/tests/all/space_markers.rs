//! Markers of space: their axes, and markers on markers.

use crate::oracle::{Oracle, assert_close, spatial_items};
use mbs_model::{Model, Rotation};

const BODY: &str = "param p = 0.3; body a { mass: 1, inertia: [1, 1, 1] } joint fa = free(ground, a);";

fn with(items: &str) -> Model {
    spatial_items(&format!("{BODY} {items}"))
}

/// Axes of the marker `m` in its body, as rows x, y, z.
fn axes(items: &str) -> [[f64; 3]; 3] {
    let model = with(items);
    let marker = model.markers.iter().find(|m| m.name == "m").expect("it is declared");
    let oracle = Oracle::new(&model);
    let Some(rotation): Option<Rotation> = marker.rotation else {
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    };
    rotation.map(|axis| axis.map(|x| oracle.value(x)))
}

fn assert_right_handed(axes: [[f64; 3]; 3]) {
    let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let [x, y, z] = axes;
    assert_close(&[dot(x, x), dot(y, y), dot(z, z), dot(x, y), dot(y, z), dot(z, x)], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    let cross = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
    assert_close(&cross, &z);
}

#[test]
fn one_axis_is_completed_by_an_axis_of_the_body() {
    let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let minus = |v: [f64; 3]| v.map(|c| 0.0 - c);
    assert_eq!(axes("marker m = a { z: [0, 0, 2] };"), [x, y, z]);
    assert_eq!(axes("marker m = a { x: [1, 0, 0] };"), [x, y, z]);
    assert_eq!(axes("marker m = a { y: [0, 1, 0] };"), [x, y, z]);
    // If z is y of the base, x is kept.
    assert_eq!(axes("marker m = a { z: [0, 1, 0] };"), [x, minus(z), y]);
    // If z is x of the base, x cannot be kept, and y replaces it.
    assert_eq!(axes("marker m = a { normal: [1, 0, 0] };"), [y, z, x]);
    assert_eq!(axes("marker m = a { x: [0, 0, 1] };"), [z, x, y]);
    for text in ["z: [1, 2, p]", "normal: [-1, 0.1, p]", "x: [1, 2, p]", "y: [0.1, -p, 5]"] {
        assert_right_handed(axes(&format!("marker m = a {{ {text} }};")));
    }
}

#[test]
fn of_two_axes_z_is_kept_and_the_other_made_perpendicular() {
    let found = axes("marker m = a { z: [0, 0, 3], x: [1, 1, 5] };");
    let half = 0.5_f64.sqrt();
    assert_close(found.as_flattened(), &[half, half, 0.0, -half, half, 0.0, 0.0, 0.0, 1.0]);
    let found = axes("marker m = a { y: [1, 0, 7], normal: [0, 0, 1] };");
    assert_close(found.as_flattened(), &[0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    // Without z, x is kept.
    let found = axes("marker m = a { y: [9, 2, 0], x: [4, 0, 0] };");
    assert_close(found.as_flattened(), &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn a_rotation_gives_all_axes() {
    let (s, c) = 0.3_f64.sin_cos();
    let found = axes("marker m = a at [1, 2, 3] { rotation: axis_angle([0, 0, 1], p) };");
    assert_close(found.as_flattened(), &[c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0]);
    // None at all leaves the axes of the body.
    let model =
        with("marker m = a at [1, 2, 3] { rotation: axis_angle([0, 0, 1], 0) }; output v = [1, 0, 0] in m in a;");
    assert!(model.markers.iter().all(|m| m.rotation.is_none()));
    assert_eq!(model.exprs.value(model.outputs[0].values[0]), Some(1.0));
}

#[test]
fn markers_on_markers_use_their_axes() {
    let model = with(
        "marker base = a at [1, 2, 3] { z: [1, 0, 0] };
        marker m = base at [0.1, 0.2, 0.3] { rotation: axis_angle([0, 0, 1], PI / 2) };
        output p = position(m) - position(a) in a; output x = m.x in a; output tip = [1, 0, 0] in m in a;",
    );
    let oracle = Oracle::new(&model);
    // Axes of base: x = e_y, y = e_z, z = e_x.
    assert_close(&oracle.output("p"), &[1.3, 2.1, 3.2]);
    // x of m is y of base.
    assert_close(&oracle.output("x"), &[0.0, 0.0, 1.0]);
    // Between axes of one body nothing depends on its pose.
    let tip = model.outputs.iter().find(|o| o.name == "tip").expect("it is declared");
    assert_eq!(tip.values.iter().map(|x| model.exprs.value(*x)).collect::<Vec<_>>(), [Some(0.0), Some(0.0), Some(1.0)]);
}

#[test]
fn markers_on_ground_may_move_and_rotate_with_time() {
    let model = with(
        "marker m = ground at [t * t, 0, 1] { rotation: axis_angle([0, 0, 1], 2 * t) * axis_angle([1, 0, 0], 3 * t) };
        output v = velocity(m); output w = angular_velocity(m); output e = angular_acceleration(m);",
    );
    let oracle = Oracle::new(&model);
    assert_close(&oracle.output("v"), &[0.5, 0.0, 0.0]);
    // ω = 2 e_z + 3 (cos 2t, sin 2t, 0) at t = 0.25, and its rate.
    let (s, c) = 0.5_f64.sin_cos();
    assert_close(&oracle.output("w"), &[3.0 * c, 3.0 * s, 2.0]);
    assert_close(&oracle.output("e"), &[-6.0 * s, 6.0 * c, 0.0]);
}
