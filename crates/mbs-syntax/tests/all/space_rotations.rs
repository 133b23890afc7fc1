//! Rotations of space as values, against matrices multiplied here and closed forms of quaternions.

use crate::oracle::{Oracle, assert_close, spatial_items};
use mbs_model::Model;

type Matrix = [[f64; 3]; 3];

fn product(a: Matrix, b: Matrix) -> Matrix {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

/// Rotation matrix about axis 0 = x, 1 = y, 2 = z.
fn rotation_matrix(axis: usize, angle: f64) -> Matrix {
    let (s, c) = angle.sin_cos();
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut m = [[0.0; 3]; 3];
    m[axis][axis] = 1.0;
    (m[i][i], m[i][j], m[j][i], m[j][j]) = (c, -s, s, c);
    m
}

/// The matrix of an expression, row by row.
fn matrix(model: &Model) -> Vec<f64> {
    let oracle = Oracle::new(model);
    let columns = ["x", "y", "z"].map(|name| oracle.output(name));
    (0..9).map(|i| columns[i % 3][i / 3]).collect()
}

/// The matrix of the rotation `text` among `items`.
fn rotation_among(items: &str, text: &str) -> Vec<f64> {
    matrix(&spatial_items(&format!("{items} let r = {text}; output x = r.x; output y = r.y; output z = r.z;")))
}

fn rotation(text: &str) -> Vec<f64> {
    rotation_among("", text)
}

fn value(items: &str, text: &str) -> Vec<f64> {
    let model = spatial_items(&format!("{items} output value = {text};"));
    Oracle::new(&model).output("value")
}

/// Bodies of which the first two are rotated about all axes.
const BODIES: &str = "body a { mass: 1, inertia: [1, 1, 1] } body b { mass: 1, inertia: [1, 1, 1] }
joint fa = free(ground, a); joint fb = free(ground, b);";

#[test]
fn euler_angles_rotate_about_axes_of_the_rotated_frame() {
    let angles = [0.7, -0.4, 1.9];
    for (i, first) in "xyz".chars().enumerate() {
        for (j, second) in "xyz".chars().enumerate().filter(|(j, _)| *j != i) {
            for (k, third) in "xyz".chars().enumerate().filter(|(k, _)| *k != j) {
                let expected = product(
                    product(rotation_matrix(i, angles[0]), rotation_matrix(j, angles[1])),
                    rotation_matrix(k, angles[2]),
                );
                let found = rotation(&format!("euler({first}{second}{third}, [0.7, -0.4, 1.9])"));
                assert_close(&found, expected.as_flattened());
            }
        }
    }
}

#[test]
fn an_axis_and_an_angle_rotate_by_the_right_hand_rule() {
    for (axis, text) in ["[3, 0, 0]", "[0, 0.1, 0]", "[0, 0, 1]"].into_iter().enumerate() {
        assert_close(&rotation(&format!("axis_angle({text}, 0.7)")), rotation_matrix(axis, 0.7).as_flattened());
    }
    // The axis is fixed, and normal vectors rotate: with û = (1, 2, 2)/3 and v ⊥ û, R v = cos φ v + sin φ û × v.
    assert_close(&value("", "axis_angle([1, 2, 2], 0.7) * [1, 2, 2]"), &[1.0, 2.0, 2.0]);
    let (s, c) = 0.7_f64.sin_cos();
    // û × (2, −1, 0) = (2, 4, −5)/3.
    let expected = [2.0 * c + 2.0 / 3.0 * s, -c + 4.0 / 3.0 * s, -5.0 / 3.0 * s];
    assert_close(&value("", "axis_angle([1, 2, 2], 0.7) * [2, -1, 0]"), &expected);
}

#[test]
fn right_angles_have_no_rounding_in_them() {
    assert_eq!(rotation("euler(xyz, [PI / 2, 0, 0])"), [1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0]);
    assert_eq!(rotation("axis_angle([0, 0, 1], -PI)"), [-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn a_quaternion_is_normalised() {
    let (s, c) = 0.35_f64.sin_cos();
    let q = format!("quaternion([{}, {}, {}, {}])", 5.0 * c, 5.0 * s / 3.0, 10.0 * s / 3.0, 10.0 * s / 3.0);
    assert_close(&rotation(&q), &rotation("axis_angle([1, 2, 2], 0.7)"));
    assert_close(&rotation("quaternion([1, 0, 0, 0])"), &rotation("axis_angle([1, 0, 0], 0)"));
}

#[test]
fn a_quaternion_reads_a_rotation_back_with_its_scalar_part_not_negative() {
    // In these samples each component is the largest once, and the scalar part has both signs.
    for axis in [[1.0, 0.2, -0.1], [-0.2, 1.0, 0.3], [0.1, 0.2, -1.0], [1.0, 1.0, 1.0]] {
        for angle in [-3.1, -2.0, -0.3, 0.0, 0.4, 1.7, 2.9, 3.5, 5.0] {
            let norm = axis.iter().map(|x: &f64| x * x).sum::<f64>().sqrt();
            let (s, c) = (0.5_f64 * angle).sin_cos();
            let sign = c.signum();
            let expected = [sign * c, sign * s * axis[0] / norm, sign * s * axis[1] / norm, sign * s * axis[2] / norm];
            let [x, y, z] = axis;
            assert_close(&value("", &format!("quaternion(axis_angle([{x}, {y}, {z}], {angle}))")), &expected);
        }
    }
    // A rotation that is not folded has equal values.
    let found = value(BODIES, "quaternion(rotation(a))");
    let [q0, q1, q2, q3] = [found[0], found[1], found[2], found[3]];
    assert!(q0 > 0.0);
    let back = rotation_among(BODIES, &format!("quaternion([{q0}, {q1}, {q2}, {q3}])"));
    assert_close(&back, &rotation_among(BODIES, "rotation(a)"));
}

#[test]
fn products_and_transposes_are_those_of_matrices() {
    let expected = product(rotation_matrix(2, 0.3), rotation_matrix(0, 0.9));
    assert_close(&rotation("axis_angle([0, 0, 1], 0.3) * axis_angle([1, 0, 0], 0.9)"), expected.as_flattened());
    assert_close(&rotation("transpose(axis_angle([1, 2, 3], 0.3))"), &rotation("axis_angle([1, 2, 3], -0.3)"));
    // In products with matrices a rotation is a matrix.
    let turned =
        value("", "(axis_angle([0, 0, 1], PI / 2) * diag([1, 2, 3]) * transpose(axis_angle([0, 0, 1], PI / 2)))[0]");
    assert_eq!(turned, [2.0, 0.0, 0.0]);
}

#[test]
fn the_rotation_of_a_marker_maps_its_components_to_world_components() {
    let turned = value(BODIES, "rotation(a) * [1, 2, 3] - ([1, 2, 3] in a in ground)");
    assert_close(&turned, &[0.0; 3]);
    // The product maps components in b to components in a.
    let both = value(BODIES, "transpose(rotation(a)) * rotation(b) * ([1, 2, 3] in b) - ([1, 2, 3] in b in a)");
    assert_close(&both, &[0.0; 3]);
    let columns = value(BODIES, "rotation(a).y - a.y");
    assert_close(&columns, &[0.0; 3]);
}

#[test]
fn parameters_functions_and_constants_may_be_rotations() {
    let items = "param angle = 0.4; const R = euler(zyx, [0.1, 0.2, 0.3]);
        function about_z(a) = axis_angle([0, 0, 1], a); function spun(v, a) = about_z(a) * v;";
    assert_close(&rotation_among(items, "about_z(angle)"), rotation_matrix(2, 0.4).as_flattened());
    assert_close(&value(items, "spun([1, 0, 0], angle)"), &[0.4_f64.cos(), 0.4_f64.sin(), 0.0]);
    let expected = product(product(rotation_matrix(2, 0.1), rotation_matrix(1, 0.2)), rotation_matrix(0, 0.3));
    assert_close(&rotation_among(items, "R"), expected.as_flattened());
}
