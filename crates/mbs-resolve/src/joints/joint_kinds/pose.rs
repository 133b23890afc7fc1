//! The pose of a declared kind: its coordinates, speeds and kinematics, how it shifts and turns.

use mbs_definition::{Argument, Expr, Origin};
use mbs_expr::{ExprId, Op};
use mbs_model::{JointPose, PoseRotation, Rotation};

use super::{Coordinates, MOST_COORDINATES, Making};
use crate::Res;
use crate::mistakes;
use crate::resolvers::{JointResolver, Resolves};
use crate::scope::{Bound, Scope};
use crate::text::plural;
use crate::value::{Axes, Value};
use crate::values::arguments::Given;

impl<'a> JointResolver<'_, 'a> {
    /// The pose of a joint, and names of its coordinates.
    pub(crate) fn joint_pose(&mut self, making: &mut Making<'_>) -> Res<(JointPose, Vec<String>)> {
        let outside = making.scope.clone();
        let Coordinates { names, starts, angles, quaternions } = self.kind_coordinates(making)?;
        let rates = match &making.kind.kinematics {
            Some(kinematics) => Some(self.kinematics(making, &outside, kinematics, names.len(), quaternions.len())?),
            None => None,
        };
        if let (None, Some(first)) = (&rates, quaternions.first()) {
            let coordinate = &names[usize::from(*first)];
            return self.fail(
                making.kind.name.origin,
                mistakes::joints::quaternion_without_speeds(coordinate.trim_end_matches("[0]")),
            );
        }
        let given = making.kind.pose.as_ref().expect("it is made of a pose");
        let owner = format!("the pose of joint kind `{}`", making.kind.name.text);
        let Given { found, .. } =
            self.argument_resolver().arguments(&owner, &given.arguments, &["rotation", "axes", "translation"]);
        let (scope, first) = (making.scope.clone(), making.ends[0]);
        let translation = match found[2] {
            Some(argument) => {
                let what = format!("`translation` of {owner}");
                let (v, axes) = self.resolver.vector(&argument.value, &scope, &what)?;
                let own = self.resolver.marker_axes(first);
                self.vectors().expect_axes(axes, own, argument.value.origin, &what)?;
                v
            }
            None => [self.resolver.exprs.constant(0.0); 3],
        };
        let turning = self.pose_turning(found[0], found[1], &owner, &scope)?;
        let speeds = self.kind_speed_names(making)?;
        let measured = rates.as_ref().map_or_else(Vec::new, |rates| self.measured_speeds(making.joint, rates));
        let joint = making.joint;
        let pose =
            JointPose { joint, translation, rotation: turning, starts, angles, quaternions, rates, speeds, measured };
        self.check_pose(&pose, given.word.origin, &owner)?;
        Ok((pose, names))
    }

    fn size_of(&mut self, shape: &[Expr], scope: &Scope) -> Res<Option<usize>> {
        let Some(size) = shape.first() else { return Ok(None) };
        match self.resolver.whole(size, scope, "a size")? {
            n if (1..=MOST_COORDINATES as i64).contains(&n) => Ok(Some(n as usize)),
            n => self.fail(size.origin, mistakes::joints::wrong_number_of_coordinates(n, MOST_COORDINATES)),
        }
    }

    /// Coordinates, bound in the scope.
    fn kind_coordinates(&mut self, making: &mut Making<'_>) -> Res<Coordinates> {
        let scope = making.scope.clone();
        let mut all = Coordinates::default();
        for coordinate in &making.kind.coordinates {
            let name = &coordinate.name;
            let mut size = self.size_of(&coordinate.shape, &scope)?;
            let nature = coordinate.nature.as_ref().map(|word| (word.text.as_str(), word.origin));
            match nature {
                None | Some(("angle", _)) => {}
                Some(("quaternion", _)) if !self.resolver.planar() => {
                    all.quaternions.push(all.names.len() as u8);
                    size = Some(4);
                }
                Some((word, origin)) => {
                    let help = if self.resolver.planar() {
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
                    mistakes::joints::too_many_coordinates(&making.kind.name.text, MOST_COORDINATES),
                );
            }
            let is_quaternion = nature.is_some_and(|(word, _)| word == "quaternion");
            all.starts.extend(self.start(coordinate.start.as_ref(), count, size.is_some(), is_quaternion, &scope)?);
            all.angles.extend(vec![nature.is_some_and(|(word, _)| word == "angle"); count]);
            all.names.extend((0..count).map(|k| match size {
                Some(_) => format!("{}[{k}]", name.text),
                None => name.text.clone(),
            }));
            let mut own =
                (first..first + count).map(|k| self.resolver.exprs.push(Op::JointCoordinate(making.joint, k as u8)));
            let value = match size {
                Some(_) => Value::Vector(own.collect(), Axes::Unstated),
                None => Value::Number(own.next().expect("it has one")),
            };
            making.scope = making.scope.bind(&name.text, Bound::Argument(value));
        }
        Ok(all)
    }

    /// Where motion starts: zeros, or no turn.
    fn start(
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
                let wanted = if is_vector { format!("a vector of {count}") } else { "a number".into() };
                return self.fail(
                    given.origin,
                    mistakes::joints::coordinate_starts_at_another_shape(&wanted, other.describe()),
                );
            }
        };
        for x in &values {
            self.argument_resolver().parametric(*x, given.origin, "where a coordinate starts")?;
            self.argument_resolver().finite_at_defaults(*x, given.origin, "where a coordinate starts")?;
        }
        Ok(values)
    }

    fn kind_speed_names(&mut self, making: &Making<'_>) -> Res<Vec<String>> {
        let mut names = Vec::new();
        for speed in &making.kind.speeds {
            match self.size_of(&speed.shape, &making.scope)? {
                Some(n) => names.extend((0..n).map(|k| format!("{}[{k}]", speed.name.text))),
                None => names.push(speed.name.text.clone()),
            }
        }
        Ok(names)
    }

    /// N of q̇ = N(q) u, column by column: `kinematics` with one speed at 1 and the others at 0.
    fn kinematics(
        &mut self,
        making: &Making<'_>,
        outside: &Scope,
        given: &Expr,
        n_q: usize,
        quaternions: usize,
    ) -> Res<Vec<Vec<ExprId>>> {
        let n_v = self.kind_speed_names(making)?.len();
        if n_q != n_v + quaternions {
            return self.fail(
                given.origin,
                mistakes::joints::coordinates_and_speeds_differ(
                    &making.kind.name.text,
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
            columns.push(self.rates_at(making, &making.scope, given, n_q, &one)?);
        }
        // Somewhere, with all speeds: what is linear is the sum of its columns.
        let somewhere = self.somewhere(making, outside)?;
        let still = self.rates_at(making, &somewhere, given, n_q, &zeros)?;
        let speeds: Vec<f64> = (0..n_v).map(|k| 0.7 + 0.9 * k as f64).collect();
        let whole = self.rates_at(making, &somewhere, given, n_q, &speeds)?;
        let mut sums = vec![Some(0.0); n_q];
        for (k, u) in speeds.iter().enumerate() {
            let mut one = zeros.clone();
            one[k] = 1.0;
            let column = self.rates_at(making, &somewhere, given, n_q, &one)?;
            for (sum, x) in sums.iter_mut().zip(column) {
                *sum = sum.zip(self.resolver.at_defaults(x)).map(|(sum, x)| sum + u * x);
            }
        }
        let whole: Vec<Option<f64>> = whole.into_iter().map(|x| self.resolver.at_defaults(x)).collect();
        let differs = |(a, b): (&Option<f64>, &Option<f64>)| matches!((a, b), (Some(a), Some(b)) if (a - b).abs() > 1e-9 * (1.0 + b.abs()));
        let moves = |x: &ExprId| self.resolver.at_defaults(*x).is_some_and(|x| x.abs() > 1e-12);
        if still.iter().any(moves) || sums.iter().zip(&whole).any(differs) {
            return self.fail(given.origin, mistakes::joints::kinematics_not_linear(&making.kind.name.text));
        }
        Ok(columns)
    }

    /// The scope of the kind with numbers for its coordinates.
    fn somewhere(&mut self, making: &Making<'_>, outside: &Scope) -> Res<Scope> {
        let mut scope = outside.clone();
        let mut next = 0;
        for coordinate in &making.kind.coordinates {
            let size = match coordinate.nature.as_ref().map(|word| word.text.as_str()) {
                Some("quaternion") => Some(4),
                _ => self.size_of(&coordinate.shape, outside)?,
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

    /// `kinematics` at numbers for the speeds.
    fn rates_at(
        &mut self,
        making: &Making<'_>,
        scope: &Scope,
        given: &Expr,
        n_q: usize,
        speeds: &[f64],
    ) -> Res<Vec<ExprId>> {
        let mut scope = scope.clone();
        let mut next = speeds.iter();
        for speed in &making.kind.speeds {
            let mut number = || self.resolver.exprs.constant(*next.next().expect("speeds are counted"));
            let value = match speed.shape.is_empty() {
                true => Value::Number(number()),
                false => {
                    let n = self.size_of(&speed.shape, &making.scope)?.unwrap_or(1);
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

    /// `rotation: [a, b, c]`, angles about the axes of the frame in turn, or any rotation; in the plane an angle.
    fn pose_turning(
        &mut self,
        rotation: Option<&Argument>,
        axes: Option<&Argument>,
        owner: &str,
        scope: &Scope,
    ) -> Res<PoseRotation> {
        let what = format!("`rotation` of {owner}");
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
            Value::Number(angle) if self.resolver.planar() => Ok(PoseRotation::Successive(vec![(about[2], angle)])),
            Value::Vector(angles, _) if !self.resolver.planar() && angles.len() == 3 => {
                let is_zero = |r: &Self, x: ExprId| r.resolver.exprs.value(x) == Some(0.0);
                let turns = about.into_iter().zip(angles).filter(|(_, angle)| !is_zero(self, *angle)).collect();
                Ok(PoseRotation::Successive(turns))
            }
            Value::Rotation(matrix, _) if axes.is_none() => Ok(PoseRotation::Matrix(matrix)),
            other => {
                let wanted = match self.resolver.planar() {
                    true => "an angle",
                    false if axes.is_some() => "three angles about `axes`",
                    false => "three angles about x, y, z in turn, or a rotation",
                };
                self.fail(
                    rotation.value.origin,
                    mistakes::joints::pose_of_another_shape(&what, wanted, other.describe()),
                )
            }
        }
    }

    /// `axes: [u, v, w]`, which the angles of a rotation turn about.
    fn pose_axes(&mut self, given: &Argument, owner: &str, scope: &Scope) -> Res<Rotation> {
        let what = format!("`axes` of {owner}");
        let value = self.resolver.eval(&given.value, scope)?.into_matrix();
        let Value::Matrix(entries, 3) = &value else {
            return self.fail(given.value.origin, mistakes::joints::axes_are_no_vectors(&what, value.describe()));
        };
        if entries.len() != 9 {
            return self.fail(given.value.origin, mistakes::joints::not_three_axes(&what));
        }
        let mut axes = [[entries[0]; 3]; 3];
        for (axis, row) in axes.iter_mut().zip(entries.chunks(3)) {
            let row = [row[0], row[1], row[2]];
            for x in row {
                self.argument_resolver().parametric(x, given.value.origin, &what)?;
            }
            self.body_resolver().check_axis(row, given.value.origin)?;
            *axis = self.body_resolver().unit(row);
        }
        Ok(axes)
    }

    /// Poses are made of the coordinates of their joint, constants and parameters.
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
