//! Functions and comparisons of numbers.

use super::{Comparison, Function, Function2};

impl Function {
    /// The value of the function at a number. It folds constants, and agrees with the runtime to the last digits.
    pub fn apply(self, x: f64) -> f64 {
        match self {
            Function::Neg => -x,
            Function::Sqrt => x.sqrt(),
            Function::Sin => x.sin(),
            Function::Cos => x.cos(),
            Function::Tan => x.tan(),
            Function::Asin => x.asin(),
            Function::Acos => x.acos(),
            Function::Atan => x.atan(),
            Function::Sinh => x.sinh(),
            Function::Cosh => x.cosh(),
            Function::Tanh => x.tanh(),
            Function::Exp => x.exp(),
            Function::Ln => x.ln(),
            Function::Abs => x.abs(),
            Function::Signum => {
                if x > 0.0 {
                    1.0
                } else if x < 0.0 {
                    -1.0
                } else {
                    0.0
                }
            }
            Function::Floor => x.floor(),
        }
    }
}

impl Function2 {
    /// The value of the function at two numbers.
    pub fn apply(self, x: f64, y: f64) -> f64 {
        match self {
            Function2::Add => x + y,
            Function2::Sub => x - y,
            Function2::Mul => x * y,
            Function2::Div => x / y,
            Function2::Atan2 => x.atan2(y),
            Function2::Min => {
                if y < x {
                    y
                } else {
                    x
                }
            }
            Function2::Max => {
                if y > x {
                    y
                } else {
                    x
                }
            }
            Function2::Powf => x.powf(y),
        }
    }
}

impl Comparison {
    /// Whether the comparison of two numbers is true.
    pub fn apply(self, x: f64, y: f64) -> bool {
        match self {
            Comparison::Less => x < y,
            Comparison::LessEqual => x <= y,
            Comparison::Equal => x == y,
        }
    }
}
