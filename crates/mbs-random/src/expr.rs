//! Expressions a declaration may contain: observables, safe functions of them, and rates.
//!
//! Indices of bodies, joints and quantities are raw choices when a strategy makes them and become real ones when the mechanism is realized.

mod made;

use mbs_expr::{Function, Function2, Scalar};

pub use crate::world::{opaque, wave};
pub use made::Made;

use crate::number::Number;
use crate::world::{Attachment, S, constant};

/// A coordinate an expression can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinate {
    /// Joint, component.
    Joint(usize, usize),
    /// Algebraic coordinate.
    Algebraic(usize),
}

/// An expression, scalar.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number.
    Number(Number),
    /// `t`.
    Time,
    /// Flat component of the inputs.
    Input(usize),
    /// Flat component of the auxiliary states.
    State(usize),
    /// A joint coordinate or an algebraic one.
    Coordinate(Coordinate),
    /// Component of `position(attachment)`.
    Position(Attachment, usize),
    /// `angle(body)`, in the plane.
    Angle(usize),
    /// Component of `angular_velocity(body)`, in space.
    Spin(usize, usize),
    /// Component of an axis vector: (attachment, axis, component).
    Axis(Attachment, usize, usize),
    /// `distance(a, b)`.
    Distance(Attachment, Attachment),
    /// Component of `position(attachment) - position(body)` in the body's axes: (attachment, body, component).
    Within(Attachment, usize, usize),
    /// Time derivative.
    Rate(Box<Expr>),
    /// A function of one number.
    Call(Call, Box<Expr>),
    /// A function of one number, called through a `function` declared for it.
    Inlined(Call, Box<Expr>),
    /// `wave(x)`, a function written in Rust: see [`wave`].
    Opaque(Box<Expr>),
    /// A function that is made from data.
    Made(Made, Box<Expr>),
    /// Arithmetic.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `if a < b + 0.0137 { c } else { d }`.
    Choice(Box<[Expr; 4]>),
    /// `let l = …;` and `l`.
    Let(Box<Expr>),
}

/// Position of jumps and kinks, off the grid of all numbers: a quantity that a joint makes zero, or equal to another, must not be at a
/// jump, where rounding decides.
pub const JUMP: f64 = 0.0137;

/// Operators of two numbers; quotients are safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// a + b.
    Add,
    /// a − b.
    Sub,
    /// a b.
    Mul,
    /// a / (1 + b²).
    Div,
    /// `min(a, b + 0.0137)`.
    Min,
    /// `max(a, b + 0.0137)`.
    Max,
    /// `hypot(a, 1 + b²)`.
    Hypot,
    /// `atan2(a, 1 + b²)`.
    Atan2,
}

/// Functions of one number x, composed such that every x is in their domain and values stay small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// −x.
    Neg,
    /// sin x.
    Sin,
    /// cos x.
    Cos,
    /// tanh x.
    Tanh,
    /// atan x.
    Atan,
    /// x², by `powi`.
    Square,
    /// x³, by `powi`.
    Cube,
    /// √(0.5 + x²).
    Root,
    /// ln(1 + x²).
    Ln,
    /// exp(−x²).
    Bell,
    /// asin(0.9 sin x).
    Asin,
    /// acos(0.9 cos x + 0.05).
    Acos,
    /// tan(0.5 sin x).
    Tan,
    /// sinh(tanh x).
    Sinh,
    /// cosh(tanh x).
    Cosh,
    /// (1 + x²)⁻¹, by `powi`.
    Inverse,
    /// (0.5 + x²)^1.3, by `powf`.
    Power,
    /// |x + 0.0137|.
    Abs,
    /// signum (x + 0.0137).
    Signum,
    /// floor (x + 0.0137).
    Floor,
}

impl Call {
    /// All of them, simple ones first, kinks last.
    pub const ALL: [Call; 20] = [
        Call::Neg,
        Call::Sin,
        Call::Cos,
        Call::Square,
        Call::Tanh,
        Call::Atan,
        Call::Cube,
        Call::Root,
        Call::Ln,
        Call::Bell,
        Call::Asin,
        Call::Acos,
        Call::Tan,
        Call::Sinh,
        Call::Cosh,
        Call::Inverse,
        Call::Power,
        Call::Abs,
        Call::Signum,
        Call::Floor,
    ];

    /// Whether its derivative jumps.
    pub fn has_kink(self) -> bool {
        matches!(self, Call::Abs | Call::Signum | Call::Floor)
    }

    /// A unique name for it.
    pub fn variant(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// Name of the function it shows.
    pub fn name(self) -> &'static str {
        match self {
            Call::Neg => "neg",
            Call::Sin => "sin",
            Call::Cos => "cos",
            Call::Tanh => "tanh",
            Call::Atan => "atan",
            Call::Square | Call::Cube | Call::Inverse => "powi",
            Call::Root => "sqrt",
            Call::Ln => "ln",
            Call::Bell => "exp",
            Call::Asin => "asin",
            Call::Acos => "acos",
            Call::Tan => "tan",
            Call::Sinh => "sinh",
            Call::Cosh => "cosh",
            Call::Power => "powf",
            Call::Abs => "abs",
            Call::Signum => "signum",
            Call::Floor => "floor",
        }
    }

    /// The text for an operand that needs no parentheses.
    pub fn text(self, x: &str) -> String {
        match self {
            Call::Neg => format!("-{x}"),
            Call::Sin | Call::Cos | Call::Tanh | Call::Atan => format!("{}({x})", self.name()),
            Call::Abs | Call::Signum | Call::Floor => format!("{}({x} + {JUMP})", self.name()),
            Call::Square => format!("{x}.powi(2)"),
            Call::Cube => format!("{x}.powi(3)"),
            Call::Root => format!("sqrt(0.5 + {x} * {x})"),
            Call::Ln => format!("ln(1 + {x} * {x})"),
            Call::Bell => format!("exp(-({x} * {x}))"),
            Call::Asin => format!("asin(0.9 * sin({x}))"),
            Call::Acos => format!("acos(0.9 * cos({x}) + 0.05)"),
            Call::Tan => format!("tan(0.5 * sin({x}))"),
            Call::Sinh => format!("sinh(tanh({x}))"),
            Call::Cosh => format!("cosh(tanh({x}))"),
            Call::Inverse => format!("(1 + {x} * {x}).powi(-1)"),
            Call::Power => format!("powf(0.5 + {x} * {x}, 1.3)"),
        }
    }

    /// Value of the function.
    pub fn value(self, x: S) -> S {
        let f = |f: Function, x: S| x.unary(f);
        let n = constant;
        match self {
            Call::Neg => -x,
            Call::Sin => f(Function::Sin, x),
            Call::Cos => f(Function::Cos, x),
            Call::Tanh => f(Function::Tanh, x),
            Call::Atan => f(Function::Atan, x),
            Call::Square => x * x,
            Call::Cube => x * x * x,
            Call::Root => f(Function::Sqrt, n(0.5) + x * x),
            Call::Ln => f(Function::Ln, n(1.0) + x * x),
            Call::Bell => f(Function::Exp, -(x * x)),
            Call::Asin => f(Function::Asin, n(0.9) * f(Function::Sin, x)),
            Call::Acos => f(Function::Acos, n(0.9) * f(Function::Cos, x) + n(0.05)),
            Call::Tan => f(Function::Tan, n(0.5) * f(Function::Sin, x)),
            Call::Sinh => f(Function::Sinh, f(Function::Tanh, x)),
            Call::Cosh => f(Function::Cosh, f(Function::Tanh, x)),
            Call::Inverse => n(1.0) / (n(1.0) + x * x),
            Call::Power => (n(0.5) + x * x).binary(Function2::Powf, n(1.3)),
            Call::Abs => f(Function::Abs, x + n(JUMP)),
            Call::Signum => f(Function::Signum, x + n(JUMP)),
            Call::Floor => f(Function::Floor, x + n(JUMP)),
        }
    }
}

impl Binary {
    /// Value of the operation.
    pub fn value(self, a: S, b: S) -> S {
        let past_one = |b: S| constant(1.0) + b * b;
        match self {
            Binary::Add => a + b,
            Binary::Sub => a - b,
            Binary::Mul => a * b,
            Binary::Div => a / past_one(b),
            Binary::Min => a.binary(Function2::Min, b + constant(JUMP)),
            Binary::Max => a.binary(Function2::Max, b + constant(JUMP)),
            Binary::Hypot => (a * a + past_one(b) * past_one(b)).unary(Function::Sqrt),
            Binary::Atan2 => a.binary(Function2::Atan2, past_one(b)),
        }
    }
}

impl Expr {
    /// A number written as a literal.
    pub fn literal(x: f64) -> Self {
        Expr::Number(Number::literal(x))
    }

    /// The expressions it is made of.
    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            Expr::Rate(e)
            | Expr::Call(_, e)
            | Expr::Inlined(_, e)
            | Expr::Made(_, e)
            | Expr::Opaque(e)
            | Expr::Let(e) => {
                vec![e]
            }
            Expr::Binary(_, a, b) => vec![a, b],
            Expr::Choice(parts) => parts.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it depends on an observable in every branch. A choice between constants is made when compiling, and one branch remains.
    pub fn always_moves(&self) -> bool {
        match self {
            _ if self.vanishes() => false,
            Expr::Choice(parts) => {
                let [a, b, c, d] = &**parts;
                // One of two equal cases remains.
                let differ = match (c.constant(), d.constant()) {
                    (Some(c), Some(d)) => c.value() != d.value(),
                    _ => c != d,
                };
                (differ && (a.always_moves() || b.always_moves())) || (c.always_moves() && d.always_moves())
            }
            _ if self.parts().is_empty() => self.moves(),
            _ => self.parts().into_iter().any(Expr::always_moves),
        }
    }

    /// Whether it is the number zero, the difference of equal expressions, a product with one of these, or a choice between them.
    fn vanishes(&self) -> bool {
        match self {
            _ if self.constant().is_some_and(|x| x.value() == 0.0) => true,
            Expr::Rate(e) => e.vanishes(),
            Expr::Binary(Binary::Mul, a, b) => a.vanishes() || b.vanishes(),
            Expr::Binary(Binary::Sub, a, b) => a == b || a.vanishes() && b.vanishes(),
            Expr::Binary(Binary::Add, a, b) => a.vanishes() && b.vanishes(),
            Expr::Choice(parts) => parts[2].vanishes() && parts[3].vanishes(),
            Expr::Let(e) => e.vanishes(),
            _ => false,
        }
    }

    /// Its value, if it consists of numbers alone.
    fn constant(&self) -> Option<S> {
        Some(match self {
            Expr::Number(x) => constant(x.value),
            Expr::Rate(e) => e.constant()?.rate(),
            Expr::Call(call, x) | Expr::Inlined(call, x) => call.value(x.constant()?),
            Expr::Opaque(x) => opaque(x.constant()?),
            Expr::Made(made, x) => made.value(x.constant()?),
            Expr::Binary(op, a, b) => op.value(a.constant()?, b.constant()?),
            Expr::Let(e) => e.constant()?,
            _ => return None,
        })
    }

    /// Whether it contains an observable.
    pub fn moves(&self) -> bool {
        match self {
            Expr::Coordinate(_) | Expr::Angle(_) | Expr::Spin(..) => true,
            Expr::Position(attachment, _) | Expr::Axis(attachment, ..) => attachment.body.is_some(),
            Expr::Distance(a, b) => a.body.is_some() || b.body.is_some(),
            Expr::Within(..) => true,
            _ => self.parts().into_iter().any(Expr::moves),
        }
    }
}
