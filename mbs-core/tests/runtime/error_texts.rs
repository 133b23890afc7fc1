//! `Debug` of errors has the text of `Display`, since `main` and `unwrap` show it.

use std::fmt::{Debug, Display};

use mbs_core::rotation::Sequence;
use mbs_core::{BicubicSpline, CubicSpline, Error, check_derivatives};

fn check<E: Debug + Display>(error: E, expected: &str) {
    assert_eq!(format!("{error:?}"), error.to_string());
    assert!(error.to_string().contains(expected), "{error}");
}

#[test]
fn debug_has_the_text_of_display() {
    check(Error::<f64>::Size { expected: 1, found: 2 }, "expected 1 values, found 2");
    check(CubicSpline::new([0.0, 1.0, 1.0, 2.0], [1.0, 2.0, 3.0, 4.0]).unwrap_err(), "right of");
    let grid = BicubicSpline::new([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 1.0, 2.0], [[0.0; 4]; 4]);
    check(grid.unwrap_err(), "along ");
    check("zzy".parse::<Sequence>().unwrap_err(), "two rotations in a row about `z`");
    let wrong = check_derivatives([2, 3, 1], &[1.0, 2.0], &mut |x, f| f.copy_from_slice(&[x[0] * x[1], x[1], 5.0]));
    check(wrong.unwrap_err(), "result 2 of value 0 is no derivative along the second argument: at 2.0000e0 it is 5");
}
