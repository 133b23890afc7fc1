//! Mass matrices of one body, with numbers of reference case `natural_planar_and_counts`: García de Jalón & Bayo (1994), ch. 4. Its bar has two
//! points, its body a point and two vectors, and consists of point masses, so that its second moments are not those of one number. 1e-15: sums
//! of nine products.

use mbs_expr::Series;

use super::*;

type Number = Series<1>;

fn basic_frame(frame: usize, x: [f64; 2]) -> BasicFrame<Number> {
    BasicFrame { frame, coordinates: Some([2 * frame, 2 * frame + 1]), components: x.map(Number::constant) }
}

/// ∫ (1, x, y) (1, x, y)ᵀ dm of point masses.
fn moments(masses: &[(f64, [f64; 2])]) -> [[Number; 3]; 3] {
    let sum = |i: usize, j: usize| {
        let terms = masses.iter().map(|(m, [x, y])| m * [1.0, *x, *y][i] * [1.0, *x, *y][j]);
        Number::constant(terms.sum())
    };
    std::array::from_fn(|i| std::array::from_fn(|j| sum(i, j)))
}

/// M, by rows.
fn mass_matrix(terms: &[Term<Number>], moments: &[[Number; 3]; 3]) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; 2 * terms.len()]; 2 * terms.len()];
    for (i, a) in terms.iter().enumerate() {
        for (j, b) in terms.iter().enumerate() {
            let [dot, cross] = mass_block(moments, a, b).map(|x| x.value());
            matrix[2 * i][2 * j] = dot;
            matrix[2 * i + 1][2 * j + 1] = dot;
            matrix[2 * i][2 * j + 1] = -cross;
            matrix[2 * i + 1][2 * j] = cross;
        }
    }
    matrix
}

fn assert_close(found: &[Vec<f64>], expected: &[&[f64]]) {
    for (row, wanted) in found.iter().zip(expected) {
        let near = row.iter().zip(*wanted).all(|(a, b)| (a - b).abs() <= 1e-15);
        assert!(near && row.len() == wanted.len(), "{found:?}");
    }
}

#[test]
fn a_bar_of_two_points_has_the_textbook_mass_matrix() {
    let (m, l) = (1.3, 0.9);
    // ∫ x² dm of a uniform bar is m l²/3.
    let masses = [(m / 6.0, [0.0, 0.0]), (m / 1.5, [l / 2.0, 0.0]), (m / 6.0, [l, 0.0])];
    let terms = basis_terms(&[basic_frame(0, [0.0, 0.0]), basic_frame(1, [l, 0.0])], &[]);
    let [a, b] = [0.433_333_333_333_333_35, 0.216_666_666_666_666_67];
    let expected: [&[f64]; 4] = [&[a, 0.0, b, 0.0], &[0.0, a, 0.0, b], &[b, 0.0, a, 0.0], &[0.0, b, 0.0, a]];
    assert_close(&mass_matrix(&terms, &moments(&masses)), &expected);
}

#[test]
fn a_body_of_a_point_and_two_vectors_has_the_textbook_mass_matrix() {
    let masses = [(0.6, [0.0, 0.1]), (0.9, [0.4, 0.0]), (0.5, [0.1, 0.5])];
    let terms = basis_terms(&[basic_frame(0, [0.0, 0.0])], &[basic_frame(1, [0.5, 0.0]), basic_frame(2, [0.1, 0.4])]);
    let expected: [&[f64]; 6] = [
        &[2.0, 0.0, 0.665, 0.0, 0.775, 0.0],
        &[0.0, 2.0, 0.0, 0.665, 0.0, 0.775],
        &[0.665, 0.0, 0.578_750_000_000_000_1, 0.0, -0.03875, 0.0],
        &[0.0, 0.665, 0.0, 0.578_750_000_000_000_1, 0.0, -0.03875],
        &[0.775, 0.0, -0.03875, 0.0, 0.81875, 0.0],
        &[0.0, 0.775, 0.0, -0.03875, 0.0, 0.81875],
    ];
    assert_close(&mass_matrix(&terms, &moments(&masses)), &expected);
}

/// If the basics have the positions of one pose of the body, every basis gives all points and axes of that pose.
#[test]
fn every_basis_places_points() {
    let (shift, [c, s]) = ([0.3, -1.2], [0.6, 0.8]);
    let rotate = |u: [f64; 2]| [c * u[0] - s * u[1], s * u[0] + c * u[1]];
    let position = |r: [f64; 2]| [0, 1].map(|k| shift[k] + rotate(r)[k]);
    let (points, vectors) = ([[0.1, 0.2], [0.7, -0.3], [-0.4, 0.5]], [[0.5, 0.25], [-0.2, 2.0]]);
    for [p, v] in [[1, 1], [2, 0], [1, 2], [2, 1], [3, 0]] {
        let basic_points: Vec<_> = (0..p).map(|i| basic_frame(i, points[i])).collect();
        let basic_vectors: Vec<_> = (0..v).map(|i| basic_frame(p + i, vectors[i])).collect();
        let terms = basis_terms(&basic_points, &basic_vectors);
        let (points_now, vectors_now) = ((0..p).map(|i| position(points[i])), (0..v).map(|i| rotate(vectors[i])));
        let world: Vec<[f64; 2]> = points_now.chain(vectors_now).collect();
        let sum = |components: &dyn Fn(&Term<Number>) -> [Number; 2]| {
            terms.iter().fold([0.0; 2], |sum, term| {
                let [alpha, beta] = components(term).map(|x| x.value());
                let [x, y] = world[term.frame];
                [sum[0] + (alpha * x - beta * y), sum[1] + (alpha * y + beta * x)]
            })
        };
        for r in [[0.0, 0.0], [1.1, -0.9], points[2]] {
            let moved = [
                (sum(&|t| t.point_coefficients(r.map(Number::constant))), position(r)),
                (sum(&|t| t.vector_coefficients(r.map(Number::constant))), rotate(r)),
            ];
            for (found, expected) in moved {
                let distance = (found[0] - expected[0]).hypot(found[1] - expected[1]);
                assert!(distance <= 1e-14, "{p} points, {v} vectors: {found:?}, not {expected:?}");
            }
        }
    }
}
