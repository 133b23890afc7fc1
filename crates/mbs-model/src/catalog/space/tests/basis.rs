use mbs_expr::ExprId;

use super::scene::{Random, Scene, cross, dot};
use crate::Attitude;
use crate::catalog::space::basis::normal_directions;

fn values(scene: &Scene, v: [ExprId; 3]) -> [f64; 3] {
    v.map(|x| scene.constant_value(x))
}

#[test]
fn the_basis_of_a_coordinate_axis_is_literal_coordinate_axes() {
    let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for (u, n, b) in [(z, x, y), (x, y, z), (y, z, x)] {
        let mut scene = Scene::new(Attitude::Quaternion);
        let u = u.map(|x| scene.exprs.constant(x));
        let found = scene.write(|g| normal_directions(g.vector(u)).map(|d| g.ids(d)));
        assert_eq!(found.map(|v| v.map(|x| scene.exprs.value(x).expect("literal"))), [n, b]);
    }
}

#[test]
fn the_basis_of_an_axis_is_right_handed_and_orthonormal() {
    let mut random = Random::new(1);
    // Round-off of a few operations on numbers below 1.
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-14, "{a} is not {b}");
    for round in 0..200 {
        let mut u = random.direction();
        match round % 5 {
            0 => u = super::scene::unit([u[0], u[1], 0.0]),
            1 => u = super::scene::unit([1e-9 * u[0], 1e-9 * u[1], -1.0]),
            2 => u = [0.0, 0.0, -1.0],
            _ => {}
        }
        let mut scene = Scene::new(Attitude::Quaternion);
        // A literal zero is zero by structure, a parameter of value zero is not.
        let axis = u.map(|x| scene.value(x, round % 2 == 0 || (round % 5 == 0 && x == 0.0)));
        let [n, b] = scene.write(|g| normal_directions(g.vector(axis)).map(|d| g.ids(d))).map(|v| values(&scene, v));
        for (a, expected) in cross(n, b).into_iter().zip(u) {
            close(a, expected);
        }
        close(dot(n, n), 1.0);
        close(dot(n, b), 0.0);
    }
}
