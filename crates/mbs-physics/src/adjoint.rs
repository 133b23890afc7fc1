//! Derivatives of expressions with respect to the solver coordinates, over numbers, by reverse accumulation: one sweep from an expression
//! down to the observables that it contains.
//!
//! The k-th rate of y is linear in the k-th rates of its observables, with the derivatives of y itself as coefficients, so that one sweep
//! serves coordinates, speeds and accelerations:
//!
//! ```text
//! (1)  y = f(x₁, …):      ∂y⁽ᵏ⁾/∂xᵢ⁽ᵏ⁾ = ∂f/∂xᵢ
//! (2)  y = ẋ:             ∂y⁽ᵏ⁾/∂x⁽ᵏ⁺¹⁾ = 1
//! (3)  x observed:        ∂x⁽ᵏ⁾/∂q⁽ᵏ⁾ = ∂x/∂q
//! ```
//!
//! An adjoint belongs to a node and an order k. The root has order 0, and (2) adds one. An adjoint at an observable (3) counts if its order is
//! the requested one; lower orders concern lower derivatives alone.

use std::collections::BTreeMap;
use std::ops::{Add, Mul};

use mbs_expr::{BodyId, CalledFunction, ExprId, MarkerId, Op, Scalar, Series};
use mbs_math::Each;
use mbs_model::{Model, RowLevel, plane};

use crate::linear::SparseRow;
use crate::{Frame, FrameSum, Mechanics, Motion, PlanarMechanics, Poses, SolverCoordinate, SpatialMechanics};

/// ∂e/∂x, ∂ė/∂ẋ … of an expression e with respect to every observable x that it contains, largest node first: with respect to positions,
/// directions, angles and coordinates at position level, to their rates at velocity level, to their second rates at acceleration level.
/// Other leaves (time, inputs, …) are listed, too.
///
/// `partials` returns ∂f/∂xᵢ of an operation with these operands; `one` is 1. The derivatives may be numbers or symbols.
pub fn observable_derivatives<A: Copy + Add<Output = A> + Mul<Output = A>>(
    model: &Model,
    e: ExprId,
    level: RowLevel,
    one: A,
    partials: &dyn Fn(Op, [Option<ExprId>; 4]) -> [A; 4],
) -> Vec<(Op, A)> {
    let (level, exprs) = (level as u8, &model.exprs);
    let is_relevant =
        |e: ExprId, k: u8| k <= level && exprs.order(e).is_some_and(|order| order.saturating_add(k) >= level);
    let mut found = Vec::new();
    let mut adjoints: BTreeMap<(ExprId, u8), A> = BTreeMap::new();
    if is_relevant(e, 0) {
        adjoints.insert((e, 0), one);
    }
    // Children have smaller ids: the adjoint of the largest is complete. An expression that has a substitute passes its adjoint to it;
    // contributions add, also to a node that has been visited.
    while let Some(((id, k), adjoint)) = adjoints.pop_last() {
        let substitute = model.coordinates.natural.substitute(id);
        if substitute != id {
            adjoints.entry((substitute, k)).and_modify(|sum| *sum = *sum + adjoint).or_insert(adjoint);
            continue;
        }
        let op = exprs.op(id);
        let k = k + u8::from(matches!(op, Op::Rate(_)));
        let children = exprs.children(op);
        if children[0].is_none() {
            found.push((op, adjoint));
            continue;
        }
        for (child, derivative) in children.into_iter().zip(partials(op, children)) {
            if let Some(child) = child.filter(|c| is_relevant(*c, k)) {
                let term = adjoint * derivative;
                adjoints.entry((child, k)).and_modify(|sum| *sum = *sum + term).or_insert(term);
            }
        }
    }
    found
}

impl<const N: usize> Mechanics<'_, Series<N>> {
    /// ∂e/∂q̂, ∂e/∂v̂ or ∂e/∂â of an expression e as a sparse row over the solver coordinates: with respect to these at position level, to
    /// their rates at velocity level, to their second rates at acceleration level. `level` is that of the highest derivative in e; terms with
    /// lower derivatives alone do not count.
    ///
    /// Coordinates that e cannot depend on are omitted, as are those whose terms cancel exactly; entries that vanish at this state alone are
    /// stored as zeros. At kinks and branches the derivatives are those of [`Series`]. Rates in factors need a series of more than that many
    /// coefficients. Costs one visit of each node below e.
    pub fn gradient(&self, e: ExprId, level: RowLevel) -> SparseRow {
        let mut sum = Sum::default();
        if let Poses::Spatial(_) = &self.poses {
            let derivatives = |e, level| self.derivatives(e, level);
            let gradient = self.spatial().speed_gradient(e, level, &derivatives);
            gradient.into_iter().for_each(|(i, derivative)| sum.add(i, derivative.value()));
            return sum.row();
        }
        let derivatives = |op, operands: [Option<ExprId>; 4]| {
            partials(&self.model.functions, op, operands.map(|c| c.map_or(0.0, |c| self.value(c).value())))
        };
        for (observable, derivative) in observable_derivatives(self.model, e, level, 1.0, &derivatives) {
            self.planar().add_observable(observable, derivative, &mut sum);
        }
        sum.row()
    }

    /// Derivatives of an expression with respect to its observables, as constant series: [`observable_derivatives`].
    pub fn derivatives(&self, e: ExprId, level: RowLevel) -> Vec<(Op, Series<N>)> {
        let derivatives = |op, operands: [Option<ExprId>; 4]| {
            partials(&self.model.functions, op, operands.map(|c| c.map_or(0.0, |c| self.value(c).value())))
        };
        let found = observable_derivatives(self.model, e, level, 1.0, &derivatives);
        found.into_iter().map(|(op, derivative)| (op, Series::constant(derivative))).collect()
    }

    /// ∂x/∂q̂ of an observable x, as a sparse row. In the plane x is a position, a direction, an angle or a coordinate. In space x is a position,
    /// differentiated along displacements in the directions of the solver's speeds, or an angular velocity, differentiated with respect to these
    /// speeds. Empty for every other operation.
    pub fn observable_gradient(&self, x: Op) -> SparseRow {
        let mut sum = Sum::default();
        match &self.poses {
            Poses::Spatial(_) => self.spatial().add_twist(x, &mut sum),
            Poses::Planar(_) => self.planar().add_observable(x, 1.0, &mut sum),
        }
        sum.row()
    }
}

impl<const N: usize> SpatialMechanics<'_, '_, Series<N>> {
    /// In space, adds the derivatives of a component of a point's velocity, or of a body's angular velocity, with respect to the solver's speeds.
    fn add_twist(&self, x: Op, sum: &mut Sum) {
        let (Op::Position(m, c) | Op::AngularVelocity(m, c)) = x else { return };
        let marker = &self.model.markers[m.index()];
        let Some(body) = marker.body else { return };
        let point = self.vector(marker.point);
        for column in self.state.columns(self.tree, body.index(), point) {
            let twist = if matches!(x, Op::Position(..)) { column.linear } else { column.angular };
            sum.add(column.speed, twist[usize::from(c)].value());
        }
    }
}

impl<const N: usize> PlanarMechanics<'_, '_, Series<N>> {
    /// Adds adjoint · ∂x/∂q̂.
    fn add_observable(&self, x: Op, adjoint: f64, sum: &mut Sum) {
        match x {
            Op::Position(marker, component) => self.add_position(marker, component.into(), adjoint, sum),
            // x̂ = (cos, sin), ŷ = (−sin, cos).
            Op::Direction(marker, axis, component) => {
                if let Some(columns) = self.natural_axis(marker, axis) {
                    let derivatives = columns.into_iter().map(|(i, d)| (i, d[usize::from(component)]));
                    derivatives.filter(|(_, d)| !d.is_zero()).for_each(|(i, d)| sum.add(i, adjoint * d.value()));
                    return;
                }
                for (i, derivative) in self.marker_angle_derivatives(marker) {
                    let (sin, cos) = self.marker_angle(marker).value().sin_cos();
                    let by_angle = [[-sin, cos], [-cos, -sin]][usize::from(axis)][usize::from(component)];
                    sum.add(i, adjoint * by_angle * derivative);
                }
            }
            Op::Angle(marker) => {
                for (i, derivative) in self.marker_angle_derivatives(marker) {
                    sum.add(i, adjoint * derivative);
                }
            }
            Op::Basic(basic, component) => {
                if let Some(i) = self.tree.solver_index(SolverCoordinate::Basic(basic, component)) {
                    sum.add(i, adjoint);
                }
            }
            Op::JointCoordinate(joint, k) => match self.joint_solver_index(joint, k) {
                Some(i) => sum.add(i, adjoint),
                None if self.tree.prescribed(joint, k).is_some() => {}
                None => {
                    let measured = self.model.joint(joint).coordinates[usize::from(k)].1;
                    for (i, derivative) in self.gradient(measured, RowLevel::Position) {
                        sum.add(i, adjoint * derivative);
                    }
                }
            },
            Op::Algebraic(a) => {
                if let Some(i) = self.tree.solver_index(SolverCoordinate::Algebraic(a)) {
                    sum.add(i, adjoint);
                }
            }
            _ => {}
        }
    }

    /// Adds adjoint · ∂p/∂q̂ of one world component of a marker's origin p.
    fn add_position(&self, marker: MarkerId, component: usize, adjoint: f64, sum: &mut Sum) {
        let declared = &self.model.markers[marker.index()];
        let Some(body) = declared.body else { return };
        let state = self.kinematics.body(body);
        let point = state.point(plane(declared.point).each(|e| self.value(e)));
        for &i in &state.support {
            if self.can_move(&point, component, i) {
                let column = self.point_column(&point, i)[component].value();
                for (k, derivative) in self.kinematics.driven_motion(i).derivatives {
                    sum.add(k, adjoint * column * derivative.value());
                }
            }
        }
    }

    /// Whether coordinate i, which is in a point's support, moves a world component of the point in any configuration. A rotation about the point
    /// itself moves none, and a translation along a world axis moves one.
    fn can_move(&self, point: &FrameSum<Series<N>>, component: usize, i: usize) -> bool {
        match self.kinematics.motions[i] {
            Motion::Rotation { frame } => !point.part(frame).iter().all(|u| u.is_zero()),
            Motion::Translation { frame: 0, axis } => !axis[component].is_zero(),
            Motion::Translation { .. } => true,
            Motion::Basic { frame, component: moved } => {
                let part = point.part(frame);
                !part[usize::from(usize::from(moved) != component)].is_zero()
            }
            Motion::Algebraic => false,
        }
    }

    /// ∂θ/∂q̂ of a marker's angle: (coordinate, derivative), without those that are zero.
    fn marker_angle_derivatives(&self, marker: MarkerId) -> Vec<(usize, f64)> {
        let body = self.model.markers[marker.index()].body;
        if let Some(state) = body.map(|b| self.kinematics.body(b)).filter(|state| state.basis.is_some()) {
            let counted = body.and_then(|b| self.tree.solver_index(SolverCoordinate::ContinuousAngle(b)));
            if let Some(i) = counted {
                return vec![(i, 1.0)];
            }
            let Frame { cos, sin, .. } = self.kinematics.frames[state.frame];
            let square = cos.value().powi(2) + sin.value().powi(2);
            let derivatives = body.map_or_else(Vec::new, |b| self.angle_derivatives(b));
            return derivatives.into_iter().map(|(i, derivative)| (i, derivative.value() / square)).collect();
        }
        let derivatives = body.map_or_else(Vec::new, |body: BodyId| self.angle_derivatives(body));
        derivatives.into_iter().map(|(i, derivative)| (i, derivative.value())).collect()
    }
}

/// Sums of terms, by coordinate.
#[derive(Default)]
struct Sum {
    /// Their sum, and whether one of them is not zero.
    entries: BTreeMap<usize, (f64, bool)>,
}

impl Sum {
    fn add(&mut self, i: usize, term: f64) {
        let entry = self.entries.entry(i).or_insert((0.0, false));
        *entry = (entry.0 + term, entry.1 || term != 0.0);
    }

    /// The sums; those that cancel exactly are omitted, such as that of a rotation that moves both ends of a distance alike.
    fn row(self) -> SparseRow {
        let kept = self.entries.into_iter().filter(|(_, (sum, any))| *sum != 0.0 || !any);
        kept.map(|(i, (sum, _))| (i, sum)).collect()
    }
}

/// ∂f/∂xᵢ of an operation y = f(x₁, …) at the values of its operands; zero where there is no operand. A rate has the derivative 1 with
/// respect to the rate of its operand. `functions` are the model's.
///
/// At kinks the derivatives are those of [`Series`], which computes them; a selection has the derivative of the branch that it takes, and zero
/// with respect to the compared operands.
pub fn partials(functions: &[CalledFunction], op: Op, x: [f64; 4]) -> [f64; 4] {
    // The derivative of a power of zero needs the third coefficient.
    let (still, moving) = (x.map(Series::<3>::constant), x.map(|x| Series::<3>::linear(x, 1.0)));
    let derivative = |y: Series<3>| y.derivative(1);
    match op {
        Op::Rate(_) => [1.0, 0.0, 0.0, 0.0],
        Op::Unary(f, _) => [derivative(moving[0].unary(f)), 0.0, 0.0, 0.0],
        Op::Binary(f, ..) => {
            [derivative(moving[0].binary(f, still[1])), derivative(still[0].binary(f, moving[1])), 0.0, 0.0]
        }
        Op::Select(test, _) => {
            let taken = if test.apply(x[0], x[1]) { 2 } else { 3 };
            std::array::from_fn(|i| f64::from(u8::from(i == taken)))
        }
        Op::Called { function, partial, .. } => {
            let n = usize::from(partial.arguments);
            functions[function.index()].with_results(&x[..n], |results| {
                std::array::from_fn(|i| if i < n { results.partial(partial.differentiated(i)) } else { 0.0 })
            })
        }
        _ => [0.0; 4],
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use mbs_definition::Origin;
    use mbs_expr::{Comparison, Function, Function2, FunctionId, FunctionSource, Partial};

    const E: ExprId = ExprId(0);
    /// h = 1e-5: truncation 2e-11 times third derivatives of at most 300, rounding 1e-11.
    const TOLERANCE: f64 = 1e-8;

    fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
        (f(x + 1e-5) - f(x - 1e-5)) / 2e-5
    }

    #[test]
    fn derivatives_of_functions_are_those_of_differences() {
        use Function::*;
        let all = [Neg, Sqrt, Sin, Cos, Tan, Asin, Acos, Atan, Sinh, Cosh, Tanh, Exp, Ln, Abs, Signum, Floor];
        for f in all {
            for x in [0.3, 0.7] {
                let [derivative, ..] = partials(&[], Op::Unary(f, E), [x, 0.0, 0.0, 0.0]);
                let expected = difference(|x| f.apply(x), x);
                assert!((derivative - expected).abs() <= TOLERANCE, "{f:?}({x}): {derivative}, not {expected}");
            }
        }
    }

    #[test]
    fn derivatives_of_two_arguments_are_those_of_differences() {
        use Function2::*;
        for f in [Add, Sub, Mul, Div, Atan2, Min, Max, Powf] {
            for [x, y] in [[0.3, 0.7], [1.4, 0.6]] {
                let [by_x, by_y, ..] = partials(&[], Op::Binary(f, E, E), [x, y, 0.0, 0.0]);
                let expected = [difference(|x| f.apply(x, y), x), difference(|y| f.apply(x, y), y)];
                for (derivative, expected) in [by_x, by_y].into_iter().zip(expected) {
                    assert!(
                        (derivative - expected).abs() <= TOLERANCE,
                        "{f:?}({x}, {y}): {derivative}, not {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn derivatives_at_kinks_are_the_documented_ones() {
        let unary = |f| partials(&[], Op::Unary(f, E), [0.0; 4])[0];
        assert_eq!([Function::Sqrt, Function::Abs, Function::Signum, Function::Floor].map(unary), [0.0; 4]);
        let tie = |f| partials(&[], Op::Binary(f, E, E), [1.0, 1.0, 0.0, 0.0]);
        assert_eq!([Function2::Min, Function2::Max].map(tie), [[1.0, 0.0, 0.0, 0.0]; 2]);
        let power = |y: f64| partials(&[], Op::Binary(Function2::Powf, E, E), [0.0, y, 0.0, 0.0])[0];
        assert_eq!([1.0, 2.0, 3.0].map(power), [1.0, 0.0, 0.0]);
        let choice = |x: [f64; 4]| partials(&[], Op::Select(Comparison::LessEqual, [E; 4]), x);
        assert_eq!(choice([1.0, 1.0, 5.0, 7.0]), [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(choice([2.0, 1.0, 5.0, 7.0]), [0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn functions_written_in_rust_give_their_own_derivatives() {
        let mut cube = CalledFunction::rust("cube".to_owned(), Origin::NONE, String::new(), 1, None, 2);
        cube.bind(Arc::new(|x, values| values.copy_from_slice(&[x[0].powi(3), 3.0 * x[0] * x[0], 6.0 * x[0]])));
        let derivative = |derivative| {
            let (source, partial) = (FunctionSource::Rust, Partial::derivative(derivative));
            let op = Op::Called { function: FunctionId(0), source, partial, arguments: [E; 4] };
            partials(&[cube.clone()], op, [2.0, 0.0, 0.0, 0.0])[0]
        };
        assert_eq!([derivative(0), derivative(1)], [12.0, 12.0]);
        assert!(derivative(2).is_nan(), "a third derivative is not given");
    }
}
