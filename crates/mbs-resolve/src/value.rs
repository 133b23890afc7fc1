//! Typed values of expressions during resolution; the model has scalars only.

use std::rc::Rc;

use mbs_expr::{BodyId, ExprId, JointId, MarkerId};
use mbs_model::Rotation;

/// Axes in which a vector's components are expressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axes {
    /// Not stated, as of a literal or a list of numbers. In an operation with another vector the other's axes are assumed.
    Unstated,
    /// World axes, which are also those of particles.
    World,
    /// Axes of a body.
    Body(BodyId),
    /// Axes of a marker that is rotated in its body.
    Marker(MarkerId),
}

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Number(ExprId),
    Vector(Vec<ExprId>, Axes),
    /// Row-major, with the number of columns.
    Matrix(Vec<ExprId>, usize),
    /// A rotation R_AB of space by its columns, with the axes [A, B] of its results and its operands. Without stated axes it rotates vectors in the
    /// axes in which they are expressed.
    Rotation(Rotation, Option<[Axes; 2]>),
    /// 1 for true, 0 for false.
    Truth(ExprId),
    /// The index 0, 1, … of the word that a choice has, and the slot of the choice.
    Choice(ExprId, usize),
    /// `None` is ground.
    Body(Option<BodyId>),
    Marker(MarkerId),
    /// Slot of a curve.
    Curve(usize),
    Joint(JointId),
    /// Index into the forces.
    Force(usize),
    /// Index into the equations.
    Equation(usize),
    /// `bodies`, `link`, `bodies at com`.
    Set(Rc<Vec<(BodyId, MarkerId)>>),
    /// `load(force)`, with the fields `.force` and `.torque`.
    Load(usize),
    /// `reaction(joint)`, with the fields `.force` and `.torque`: index of [`Op::Reaction`](mbs_expr::Op::Reaction).
    Reaction(u32),
}

impl Value {
    /// Description for messages: "a vector of 2".
    pub(crate) fn describe(&self) -> String {
        match self {
            Value::Number(_) => "a number".into(),
            Value::Vector(v, _) => format!("a vector of {}", v.len()),
            Value::Matrix(m, columns) => format!("a {} × {columns} matrix", m.len() / columns),
            Value::Rotation(..) => "a rotation".into(),
            Value::Truth(_) => "a truth value".into(),
            Value::Choice(..) => "a choice".into(),
            Value::Body(None) => "ground".into(),
            Value::Body(Some(_)) => "a body".into(),
            Value::Marker(_) => "a marker".into(),
            Value::Curve(_) => "a curve".into(),
            Value::Joint(_) => "a joint".into(),
            Value::Force(_) => "a force".into(),
            Value::Equation(_) => "an equation".into(),
            Value::Set(_) => "a set of bodies".into(),
            Value::Load(_) => "a load with `.force` and `.torque`".into(),
            Value::Reaction(_) => "a reaction with `.force` and `.torque`".into(),
        }
    }

    /// Components of a number, vector or matrix, row by row; `None` for other values.
    pub(crate) fn components(&self) -> Option<&[ExprId]> {
        match self {
            Value::Number(x) => Some(std::slice::from_ref(x)),
            Value::Vector(v, _) | Value::Matrix(v, _) => Some(v),
            _ => None,
        }
    }

    /// Converts a rotation to a matrix, for products with matrices such as R J Rᵀ; other values stay.
    pub(crate) fn into_matrix(self) -> Value {
        match self {
            Value::Rotation(r, _) => Value::Matrix(entries(r), 3),
            other => other,
        }
    }

    /// Sizes: `[]` of a number, `[n]` of a vector, `[m, n]` of a matrix with m rows.
    pub(crate) fn shape(&self) -> Vec<usize> {
        match self {
            Value::Vector(v, _) => vec![v.len()],
            Value::Matrix(m, columns) => vec![m.len() / columns, *columns],
            _ => Vec::new(),
        }
    }

    /// A value of equal shape and axes with other components.
    pub(crate) fn with_components(&self, components: Vec<ExprId>) -> Value {
        match self {
            Value::Vector(_, axes) => Value::Vector(components, *axes),
            Value::Matrix(_, columns) => Value::Matrix(components, *columns),
            _ => Value::Number(components[0]),
        }
    }
}

/// Description of a shape for messages: "a number", "a vector of 3", "a 2 × 2 matrix".
pub(crate) fn describe_shape(shape: &[usize]) -> String {
    match shape {
        [] => "a number".into(),
        [n] => format!("a vector of {n}"),
        [m, n] => format!("a {m} × {n} matrix"),
        _ => "a table".into(),
    }
}

/// Entries of a rotation matrix, row by row.
pub(crate) fn entries(r: Rotation) -> Vec<ExprId> {
    (0..3).flat_map(|i| r.map(|column| column[i])).collect()
}
