//! Values of expressions: what is typed away when the model is done.

use std::rc::Rc;

use mbs_expr::{BodyId, ExprId, JointId, MarkerId};
use mbs_model::Rotation;

/// Axes a vector's components are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axes {
    /// Not stated: a bare literal, a plain list of numbers. Takes those of whatever it meets.
    Unstated,
    /// The world's, also those of particles.
    World,
    /// A body's.
    Body(BodyId),
    /// Those of a marker turned in its body.
    Marker(MarkerId),
}

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Number(ExprId),
    Vector(Vec<ExprId>, Axes),
    /// Row-major, with the number of columns.
    Matrix(Vec<ExprId>, usize),
    /// A rotation of space by its columns, with the axes it turns components into and those it turns them from. Without stated axes
    /// it turns vectors within whatever axes they are in.
    Rotation(Rotation, Option<[Axes; 2]>),
    /// 1 for true, 0 for false.
    Truth(ExprId),
    /// Which word a choice is at, 0, 1, …, and its slot.
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
    /// `load(force)`, to be asked for `.force` and `.torque`.
    Load(usize),
    /// `reaction(joint)`, to be asked for `.force` and `.torque`: index of [`Op::Reaction`](mbs_expr::Op::Reaction).
    Reaction(u32),
}

impl Value {
    /// For messages: "a vector of 2".
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

    /// Components of a number, vector or matrix.
    pub(crate) fn components(&self) -> Option<&[ExprId]> {
        match self {
            Value::Number(x) => Some(std::slice::from_ref(x)),
            Value::Vector(v, _) | Value::Matrix(v, _) => Some(v),
            _ => None,
        }
    }

    /// A rotation as the matrix that it is, where it meets another one: R J Rᵀ.
    pub(crate) fn into_matrix(self) -> Value {
        match self {
            Value::Rotation(r, _) => Value::Matrix(entries(r), 3),
            other => other,
        }
    }

    /// `[]`, `[n]`, `[m, n]`.
    pub(crate) fn shape(&self) -> Vec<usize> {
        match self {
            Value::Vector(v, _) => vec![v.len()],
            Value::Matrix(m, columns) => vec![m.len() / columns, *columns],
            _ => Vec::new(),
        }
    }

    /// The value of this shape with other components.
    pub(crate) fn with_components(&self, components: Vec<ExprId>) -> Value {
        match self {
            Value::Vector(_, axes) => Value::Vector(components, *axes),
            Value::Matrix(_, columns) => Value::Matrix(components, *columns),
            _ => Value::Number(components[0]),
        }
    }
}

/// For messages: "a number", "a vector of 3", "a 2 × 2 matrix".
pub(crate) fn describe_shape(shape: &[usize]) -> String {
    match shape {
        [] => "a number".into(),
        [n] => format!("a vector of {n}"),
        [m, n] => format!("a {m} × {n} matrix"),
        _ => "a table".into(),
    }
}

/// Entries row by row.
pub(crate) fn entries(r: Rotation) -> Vec<ExprId> {
    (0..3).flat_map(|i| r.map(|column| column[i])).collect()
}
