//! The pose of a declared kind: its coordinates, speeds, kinematics, translation and rotation.

use mbs_definition::{Argument, Expr, Origin};
use mbs_expr::{ExprId, Op};
use mbs_model::{JointPose, PoseRotation, Rotation};

use super::{Coordinates, MOST_COORDINATES, PendingJoint};
use crate::Res;
use crate::mistakes;
use crate::resolvers::{JointResolver, Resolves};
use crate::scope::{Bound, Scope};
use crate::text::plural;
use crate::value::{Axes, Value};
use crate::values::arguments::Given;

impl<'a> JointResolver<'_, 'a> {
    /// The pose of a joint, and names of its coordinates.
    pub(crate) fn joint_pose(&mut self, pending: &mut PendingJoint<'_>) -> Res<(JointPose, Vec<String>)> {
        let outside = pending.scope.clone();
        let Coordinates { names, starts, angles, quaternions } = self.kind_coordinates(pending)?;
        let rates = match &pending.kind.kinematics {
            Some(kinematics) => Some(self.kinematics(pending, &outside, kinematics, names.len(), quaternions.len())?),
            None => None,
        };
        if let (None, Some(first)) = (&rates, quaternions.first()) {
            let coordinate = &names[usize::from(*first)];
            return self.fail(
                pending.kind.name.origin,
                mistakes::joints::quaternion_without_speeds(coordinate.trim_end_matches("[0]")),
            );
        }
        let given = pending.kind.pose.as_ref().expect("it is made of a pose");
        let owner = format!("the pose of joint kind `{}`", pending.kind.name.text);
        let Given { found, .. } =
            self.argument_resolver().arguments(&owner, &given.arguments, &["rotation", "axes", "translation"]);
        let (scope, first) = (pending.scope.clone(), pending.ends[0]);
        let translation = match found[2] {
            Some(argument) => {
                let subject = format!("`translation` of {owner}");
                let (v, axes) = self.resolver.evaluate_vector(&argument.value, &scope, &subject)?;
                let first_axes = self.resolver.marker_axes(first);
                self.vectors().expect_axes(axes, first_axes, argument.value.origin, &subject)?;
                v
            }
            None => [self.resolver.exprs.constant(0.0); 3],
        };
        let rotation = self.pose_turning(found[0], found[1], &owner, &scope)?;
        let speeds = self.kind_speed_names(pending)?;
        let measured = rates.as_ref().map_or_else(Vec::new, |rates| self.measured_speeds(pending.joint, rates));
        let joint = pending.joint;
        let pose = JointPose { joint, translation, rotation, starts, angles, quaternions, rates, speeds, measured };
        self.check_pose(&pose, given.word.origin, &owner)?;
        Ok((pose, names))
    }

    fn component_count(&mut self, shape: &[Expr], scope: &Scope) -> Res<Option<usize>> {
        let Some(size) = shape.first() else { return Ok(None) };
        match self.resolver.evaluate_integer(size, scope, "a size")? {
            n if (1..=MOST_COORDINATES as i64).contains(&n) => Ok(Some(n as usize)),
            n => self.fail(size.origin, mistakes::joints::wrong_number_of_coordinates(n, MOST_COORDINATES)),
        }
    }

    /// Resolves the coordinates and binds them in the scope.
    fn kind_coordinates(&mut self, pending: &mut PendingJoint<'_>) -> Res<Coordinates> {
        let scope = pending.scope.clone();
        let mut all = Coordinates::default();
        for coordinate in &pending.kind.coordinates {
            let name = &coordinate.name;
            let mut size = self.component_count(&coordinate.shape, &scope)?;
            let nature = coordinate.nature.as_ref().map(|word| (word.text.as_str(), word.origin));
            match nature {
                None | Some(("angle", _)) => {}
                Some(("quaternion", _)) if !self.resolver.is_planar() => {
                    all.quaternions.push(all.names.len() as u8);
                    size = Some(4);
                }
                Some((word, origin)) => {
                    let help = if self.resolver.is_planar() {
                        "write `angle`, or leave it out"
                    } else {
                        "write `angle` or `quaternion`"
                    };
                    return self.fail(
                        origin,
                        mistakes::joints::coordinate_not_a_value(&name.text, word).help_if(Some(help.into())),
                    );
                }
            }
            let first = all.names.len();
            let count = size.unwrap_or(1);
            if first + count > MOST_COORDINATES {
                return self.fail(
                    name.origin,
                    mistakes::joints::too_many_coordinates(&pending.kind.name.text, MOST_COORDINATES),
                );
            }
            let is_quaternion = nature.is_some_and(|(word, _)| word == "quaternion");
            all.starts.extend(self.start_values(
                coordinate.start.as_ref(),
                count,
                size.is_some(),
                is_quaternion,
                &scope,
            )?);
            all.angles.extend(vec![nature.is_some_and(|(word, _)| word == "angle"); count]);
            all.names.extend((0..count).map(|k| match size {
                Some(_) => format!("{}[{k}]", name.text),
                None => name.text.clone(),
            }));
            let mut components =
                (first..first + count).map(|k| self.resolver.exprs.push(Op::JointCoordinate(pending.joint, k as u8)));
            let value = match size {
                Some(_) => Value::Vector(components.collect(), Axes::Unstated),
                None => Value::Number(components.next().expect("it has one")),
            };
            pending.scope = pending.scope.bind(&name.text, Bound::Argument(value));
        }
        Ok(all)
    }

    /// Start values of a coordinate: as given, or else zeros, or the quaternion of no rotation.
    fn start_values(
        &mut self,
        given: Option<&Expr>,
        count: usize,
        is_vector: bool,
        is_quaternion: bool,
        scope: &Scope,
    ) -> Res<Vec<ExprId>> {
        let Some(given) = given else {
            return Ok((0..count)
                .map(|k| self.resolver.exprs.constant(f64::from(u8::from(is_quaternion && k == 0))))
                .collect());
        };
        let value = self.resolver.eval(given, scope)?;
        let values = match &value {
            Value::Number(x) if !is_vector => vec![*x],
            Value::Vector(v, _) if is_vector && v.len() == count => v.clone(),
            other => {
                let expected = if is_vector { format!("a vector of {count}") } else { "a number".into() };
                return self.fail(
                    given.origin,
                    mistakes::joints::coordinate_starts_at_another_shape(&expected, other.describe()),
                );
            }
        };
        for x in &values {
            self.argument_resolver().parametric(*x, given.origin, "where a coordinate starts")?;
            self.argument_resolver().finite_at_defaults(*x, given.origin, "where a coordinate starts")?;
        }
        Ok(values)
    }

    fn kind_speed_names(&mut self, pending: &PendingJoint<'_>) -> Res<Vec<String>> {
        let mut names = Vec::new();
        for speed in &pending.kind.speeds {
            match self.component_count(&speed.shape, &pending.scope)? {
                Some(n) => names.extend((0..n).map(|k| format!("{}[{k}]", speed.name.text))),
                None => names.push(speed.name.text.clone()),
            }
        }
        Ok(names)
    }

    /// The columns of N in q̇ = N(q) u: `kinematics` with one speed at 1 and the others at 0. Refuses kinematics that are not linear in speeds.
    fn kinematics(
        &mut self,
        pending: &PendingJoint<'_>,
        outside: &Scope,
        given: &Expr,
        n_q: usize,
        quaternions: usize,
    ) -> Res<Vec<Vec<ExprId>>> {
        let n_v = self.kind_speed_names(pending)?.len();
        if n_q != n_v + quaternions {
            return self.fail(
                given.origin,
                mistakes::joints::coordinates_and_speeds_differ(
                    &pending.kind.name.text,
                    n_q,
                    plural(n_q),
                    n_v,
                    plural(n_v),
                ),
            );
        }
        let zeros = vec![0.0; n_v];
        let mut columns = Vec::new();
        for k in 0..n_v {
            let mut one = zeros.clone();
            one[k] = 1.0;
            columns.push(self.coordinate_rates(pending, &pending.scope, given, n_q, &one)?);
        }
        // At generic coordinates and speeds, linear kinematics are the sum of their columns.
        let somewhere = self.generic_scope(pending, outside)?;
        let still = self.coordinate_rates(pending, &somewhere, given, n_q, &zeros)?;
        let speeds: Vec<f64> = (0..n_v).map(|k| 0.7 + 0.9 * k as f64).collect();
        let total = self.coordinate_rates(pending, &somewhere, given, n_q, &speeds)?;
        let mut sums = vec![Some(0.0); n_q];
        for (k, u) in speeds.iter().enumerate() {
            let mut one = zeros.clone();
            one[k] = 1.0;
            let column = self.coordinate_rates(pending, &somewhere, given, n_q, &one)?;
            for (sum, x) in sums.iter_mut().zip(column) {
                *sum = sum.zip(self.resolver.at_defaults(x)).map(|(sum, x)| sum + u * x);
            }
        }
        let total: Vec<Option<f64>> = total.into_iter().map(|x| self.resolver.at_defaults(x)).collect();
        let differs = |(a, b): (&Option<f64>, &Option<f64>)| matches!((a, b), (Some(a), Some(b)) if (a - b).abs() > 1e-9 * (1.0 + b.abs()));
        let moves = |x: &ExprId| self.resolver.at_defaults(*x).is_some_and(|x| x.abs() > 1e-12);
        if still.iter().any(moves) || sums.iter().zip(&total).any(differs) {
            return self.fail(given.origin, mistakes::joints::kinematics_not_linear(&pending.kind.name.text));
        }
        Ok(columns)
    }

    /// The scope of the kind with generic numbers for its coordinates.
    fn generic_scope(&mut self, pending: &PendingJoint<'_>, outside: &Scope) -> Res<Scope> {
        let mut scope = outside.clone();
        let mut next = 0;
        for coordinate in &pending.kind.coordinates {
            let size = match coordinate.nature.as_ref().map(|word| word.text.as_str()) {
                Some("quaternion") => Some(4),
                _ => self.component_count(&coordinate.shape, outside)?,
            };
            let mut number = || {
                next += 1;
                self.resolver.exprs.constant(0.31 + 0.23 * f64::from(next))
            };
            let value = match size {
                Some(n) => Value::Vector((0..n).map(|_| number()).collect(), Axes::Unstated),
                None => Value::Number(number()),
            };
            scope = scope.bind(&coordinate.name.text, Bound::Argument(value));
        }
        Ok(scope)
    }

    /// Evaluates `kinematics` at given numbers for the speeds: q̇.
    fn coordinate_rates(
        &mut self,
        pending: &PendingJoint<'_>,
        scope: &Scope,
        given: &Expr,
        n_q: usize,
        speeds: &[f64],
    ) -> Res<Vec<ExprId>> {
        let mut scope = scope.clone();
        let mut next = speeds.iter();
        for speed in &pending.kind.speeds {
            let mut number = || self.resolver.exprs.constant(*next.next().expect("speeds are counted"));
            let value = match speed.shape.is_empty() {
                true => Value::Number(number()),
                false => {
                    let n = self.component_count(&speed.shape, &pending.scope)?.unwrap_or(1);
                    let mut number = || self.resolver.exprs.constant(*next.next().expect("speeds are counted"));
                    Value::Vector((0..n).map(|_| number()).collect(), Axes::Unstated)
                }
            };
            scope = scope.bind(&speed.name.text, Bound::Argument(value));
        }
        let rates = match self.resolver.eval(given, &scope)? {
            Value::Number(x) => vec![x],
            Value::Vector(v, _) => v,
            other => {
                return self.fail(given.origin, mistakes::joints::kinematics_of_wrong_size(n_q, other.describe()));
            }
        };
        if rates.len() != n_q {
            return self.fail(
                given.origin,
                mistakes::joints::kinematics_of_wrong_count(rates.len(), plural(rates.len()), n_q, plural(n_q)),
            );
        }
        Ok(rates)
    }

    /// Resolves `rotation:`: in space three angles about successive axes of the frame, or any rotation value; in the plane an angle.
    fn pose_turning(
        &mut self,
        rotation: Option<&Argument>,
        axes: Option<&Argument>,
        owner: &str,
        scope: &Scope,
    ) -> Res<PoseRotation> {
        let subject = format!("`rotation` of {owner}");
        let [zero, one] = [0.0, 1.0].map(|x| self.resolver.exprs.constant(x));
        let mut about = [[one, zero, zero], [zero, one, zero], [zero, zero, one]];
        let Some(rotation) = rotation else {
            if let Some(axes) = axes {
                return self.fail(axes.name.origin, mistakes::joints::axes_without_rotation(owner));
            }
            return Ok(PoseRotation::Successive(Vec::new()));
        };
        let value = self.resolver.eval(&rotation.value, scope)?;
        if let Some(axes) = axes {
            about = self.pose_axes(axes, owner, scope)?;
        }
        match value {
            Value::Number(angle) if self.resolver.is_planar() => Ok(PoseRotation::Successive(vec![(about[2], angle)])),
            Value::Vector(angles, _) if !self.resolver.is_planar() && angles.len() == 3 => {
                let is_zero = |r: &Self, x: ExprId| r.resolver.exprs.value(x) == Some(0.0);
                let rotations = about.into_iter().zip(angles).filter(|(_, angle)| !is_zero(self, *angle)).collect();
                Ok(PoseRotation::Successive(rotations))
            }
            Value::Rotation(matrix, _) if axes.is_none() => Ok(PoseRotation::Matrix(matrix)),
            other => {
                let expected = match self.resolver.is_planar() {
                    true => "an angle",
                    false if axes.is_some() => "three angles about `axes`",
                    false => "three angles about x, y, z in turn, or a rotation",
                };
                self.fail(
                    rotation.value.origin,
                    mistakes::joints::pose_of_another_shape(&subject, expected, other.describe()),
                )
            }
        }
    }

    /// Resolves `axes: [u, v, w]`, the axes of the three angles of a rotation.
    fn pose_axes(&mut self, given: &Argument, owner: &str, scope: &Scope) -> Res<Rotation> {
        let subject = format!("`axes` of {owner}");
        let value = self.resolver.eval(&given.value, scope)?.into_matrix();
        let Value::Matrix(entries, 3) = &value else {
            return self.fail(given.value.origin, mistakes::joints::axes_are_no_vectors(&subject, value.describe()));
        };
        if entries.len() != 9 {
            return self.fail(given.value.origin, mistakes::joints::not_three_axes(&subject));
        }
        let mut axes = [[entries[0]; 3]; 3];
        for (axis, row) in axes.iter_mut().zip(entries.chunks(3)) {
            let row = [row[0], row[1], row[2]];
            for x in row {
                self.argument_resolver().parametric(x, given.value.origin, &subject)?;
            }
            self.body_resolver().check_axis(row, given.value.origin)?;
            *axis = self.body_resolver().unit_vector(row);
        }
        Ok(axes)
    }

    /// Checks that a pose depends on the coordinates of its joint, constants and parameters only.
    fn check_pose(&mut self, pose: &JointPose, origin: Origin, owner: &str) -> Res<()> {
        for x in pose.expressions() {
            let strange = |op: Op| match op {
                Op::JointCoordinate(j, _) => j != pose.joint,
                Op::Number(_) | Op::Parameter(_) | Op::Called { .. } => false,
                Op::Unary(..) | Op::Binary(..) | Op::Select(..) => false,
                _ => true,
            };
            if self.resolver.exprs.any(x, &strange) {
                return self.fail(origin, mistakes::joints::pose_depends_on_more(owner));
            }
        }
        Ok(())
    }
}
