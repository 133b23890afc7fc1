//! Arithmetic by operators. The location of an operation is that of its operator's expression.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use std::panic::Location;

use mbs_definition::{BinaryOp, UnaryOp};

use super::{Matrix, Number, Numbers, Scalar, Vector};

impl<'m, N: Into<Number<'m>>> Add<N> for Scalar<'m> {
    type Output = Scalar<'m>;

    #[track_caller]
    fn add(self, right: N) -> Scalar<'m> {
        Scalar(self.0.binary(BinaryOp::Add, right.into(), Location::caller()))
    }
}

impl<'m, N: Into<Number<'m>>> Sub<N> for Scalar<'m> {
    type Output = Scalar<'m>;

    #[track_caller]
    fn sub(self, right: N) -> Scalar<'m> {
        Scalar(self.0.binary(BinaryOp::Sub, right.into(), Location::caller()))
    }
}

impl<'m, N: Into<Number<'m>>> Mul<N> for Scalar<'m> {
    type Output = Scalar<'m>;

    #[track_caller]
    fn mul(self, right: N) -> Scalar<'m> {
        Scalar(self.0.binary(BinaryOp::Mul, right.into(), Location::caller()))
    }
}

impl<'m, N: Into<Number<'m>>> Div<N> for Scalar<'m> {
    type Output = Scalar<'m>;

    #[track_caller]
    fn div(self, right: N) -> Scalar<'m> {
        Scalar(self.0.binary(BinaryOp::Div, right.into(), Location::caller()))
    }
}

impl<'m, N: Into<Number<'m>>> AddAssign<N> for Scalar<'m> {
    #[track_caller]
    fn add_assign(&mut self, right: N) {
        *self = *self + right;
    }
}

impl<'m, N: Into<Number<'m>>> SubAssign<N> for Scalar<'m> {
    #[track_caller]
    fn sub_assign(&mut self, right: N) {
        *self = *self - right;
    }
}

impl<'m> Neg for Scalar<'m> {
    type Output = Scalar<'m>;

    #[track_caller]
    fn neg(self) -> Scalar<'m> {
        Scalar(self.0.unary(UnaryOp::Neg, Location::caller()))
    }
}

impl<'m> Add<Scalar<'m>> for f64 {
    type Output = Scalar<'m>;

    #[track_caller]
    fn add(self, right: Scalar<'m>) -> Scalar<'m> {
        Scalar(right.0.binary_after(BinaryOp::Add, self, Location::caller()))
    }
}

impl<'m> Sub<Scalar<'m>> for f64 {
    type Output = Scalar<'m>;

    #[track_caller]
    fn sub(self, right: Scalar<'m>) -> Scalar<'m> {
        Scalar(right.0.binary_after(BinaryOp::Sub, self, Location::caller()))
    }
}

impl<'m> Mul<Scalar<'m>> for f64 {
    type Output = Scalar<'m>;

    #[track_caller]
    fn mul(self, right: Scalar<'m>) -> Scalar<'m> {
        Scalar(right.0.binary_after(BinaryOp::Mul, self, Location::caller()))
    }
}

impl<'m> Div<Scalar<'m>> for f64 {
    type Output = Scalar<'m>;

    #[track_caller]
    fn div(self, right: Scalar<'m>) -> Scalar<'m> {
        Scalar(right.0.binary_after(BinaryOp::Div, self, Location::caller()))
    }
}

impl<'m, N: Into<Numbers<'m>>> Add<N> for Vector<'m> {
    type Output = Vector<'m>;

    #[track_caller]
    fn add(self, right: N) -> Vector<'m> {
        Vector(self.0.binary(BinaryOp::Add, right.into(), Location::caller()))
    }
}

impl<'m, N: Into<Numbers<'m>>> Sub<N> for Vector<'m> {
    type Output = Vector<'m>;

    #[track_caller]
    fn sub(self, right: N) -> Vector<'m> {
        Vector(self.0.binary(BinaryOp::Sub, right.into(), Location::caller()))
    }
}

impl<'m, N: Into<Numbers<'m>>> AddAssign<N> for Vector<'m> {
    #[track_caller]
    fn add_assign(&mut self, right: N) {
        *self = *self + right;
    }
}

impl<'m, N: Into<Numbers<'m>>> SubAssign<N> for Vector<'m> {
    #[track_caller]
    fn sub_assign(&mut self, right: N) {
        *self = *self - right;
    }
}

impl<'m, N: Into<Number<'m>>> Mul<N> for Vector<'m> {
    type Output = Vector<'m>;

    #[track_caller]
    fn mul(self, right: N) -> Vector<'m> {
        Vector(self.0.binary(BinaryOp::Mul, right.into(), Location::caller()))
    }
}

impl<'m, N: Into<Number<'m>>> Div<N> for Vector<'m> {
    type Output = Vector<'m>;

    #[track_caller]
    fn div(self, right: N) -> Vector<'m> {
        Vector(self.0.binary(BinaryOp::Div, right.into(), Location::caller()))
    }
}

impl<'m> Neg for Vector<'m> {
    type Output = Vector<'m>;

    #[track_caller]
    fn neg(self) -> Vector<'m> {
        Vector(self.0.unary(UnaryOp::Neg, Location::caller()))
    }
}

impl<'m> Mul<Vector<'m>> for Scalar<'m> {
    type Output = Vector<'m>;

    #[track_caller]
    fn mul(self, right: Vector<'m>) -> Vector<'m> {
        Vector(self.0.binary(BinaryOp::Mul, right, Location::caller()))
    }
}

impl<'m> Mul<Vector<'m>> for f64 {
    type Output = Vector<'m>;

    #[track_caller]
    fn mul(self, right: Vector<'m>) -> Vector<'m> {
        Vector(right.0.binary_after(BinaryOp::Mul, self, Location::caller()))
    }
}

impl<'m> Add for Matrix<'m> {
    type Output = Matrix<'m>;

    #[track_caller]
    fn add(self, right: Matrix<'m>) -> Matrix<'m> {
        Matrix(self.0.binary(BinaryOp::Add, right, Location::caller()))
    }
}

impl<'m> Sub for Matrix<'m> {
    type Output = Matrix<'m>;

    #[track_caller]
    fn sub(self, right: Matrix<'m>) -> Matrix<'m> {
        Matrix(self.0.binary(BinaryOp::Sub, right, Location::caller()))
    }
}

impl<'m> Neg for Matrix<'m> {
    type Output = Matrix<'m>;

    #[track_caller]
    fn neg(self) -> Matrix<'m> {
        Matrix(self.0.unary(UnaryOp::Neg, Location::caller()))
    }
}

impl<'m> Mul for Matrix<'m> {
    type Output = Matrix<'m>;

    #[track_caller]
    fn mul(self, right: Matrix<'m>) -> Matrix<'m> {
        Matrix(self.0.binary(BinaryOp::Mul, right, Location::caller()))
    }
}

impl<'m> Mul<Vector<'m>> for Matrix<'m> {
    type Output = Vector<'m>;

    #[track_caller]
    fn mul(self, right: Vector<'m>) -> Vector<'m> {
        Vector(self.0.binary(BinaryOp::Mul, right, Location::caller()))
    }
}

impl<'m, N: Into<Number<'m>>> Mul<N> for Matrix<'m> {
    type Output = Matrix<'m>;

    #[track_caller]
    fn mul(self, right: N) -> Matrix<'m> {
        Matrix(self.0.binary(BinaryOp::Mul, right.into(), Location::caller()))
    }
}

impl<'m, N: Into<Number<'m>>> Div<N> for Matrix<'m> {
    type Output = Matrix<'m>;

    #[track_caller]
    fn div(self, right: N) -> Matrix<'m> {
        Matrix(self.0.binary(BinaryOp::Div, right.into(), Location::caller()))
    }
}

impl<'m> Mul<Matrix<'m>> for Scalar<'m> {
    type Output = Matrix<'m>;

    #[track_caller]
    fn mul(self, right: Matrix<'m>) -> Matrix<'m> {
        Matrix(self.0.binary(BinaryOp::Mul, right, Location::caller()))
    }
}

impl<'m> Mul<Matrix<'m>> for f64 {
    type Output = Matrix<'m>;

    #[track_caller]
    fn mul(self, right: Matrix<'m>) -> Matrix<'m> {
        Matrix(right.0.binary_after(BinaryOp::Mul, self, Location::caller()))
    }
}
