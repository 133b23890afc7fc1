//! Inertia of a body in space: principal moments or a tensor, about the centre of mass, in body axes.

use mbs_definition::{Argument, Origin};
use mbs_expr::{BodyId, ExprId};
use mbs_model::Domain;

use crate::mistakes;
use crate::resolvers::{BodyResolver, Resolves};
use crate::value::Value;
use crate::{Res, Scope};

/// Tolerance relative to the largest entry: entries that differ by less count as equal, and a smaller negative moment counts as zero. Tensors are
/// sums, and are rotated in floating point.
const ROUNDING: f64 = 1e-9;
impl<'a> BodyResolver<'_, 'a> {
    /// Evaluates `inertia: [Ixx, Iyy, Izz]` or a 3 × 3 tensor \[kg m²\]; returns xx, yy, zz, xy, xz, yz about the centre of mass, in body axes.
    ///
    /// At the default parameters a tensor must be symmetric and no principal moment negative. A moment may exceed the sum of the others, although no
    /// distribution of mass has such moments: published cases have them, and the equations of motion can be solved.
    pub(crate) fn inertia_tensor(
        &mut self,
        owner: &str,
        argument: &Argument,
        scope: &Scope,
        body: BodyId,
    ) -> Res<[ExprId; 6]> {
        let Argument { name, value, .. } = argument;
        let (subject, origin) = (format!("`{}` of {owner}", name.text), value.origin);
        let zero = self.resolver.exprs.constant(0.0);
        match self.resolver.eval(value, scope)? {
            Value::Vector(v, axes) if v.len() == 3 => {
                let body_axes = self.resolver.bodies.body_axes(Some(body));
                self.vectors().expect_axes(axes, body_axes, origin, &subject)?;
                for x in &v {
                    self.argument_resolver().parametric(*x, origin, &subject)?;
                    self.argument_resolver().in_domain(*x, Domain::NonNegative, origin, &subject)?;
                }
                let inertia = [v[0], v[1], v[2], zero, zero, zero];
                self.check_moments(inertia, origin, &subject)?;
                Ok(inertia)
            }
            Value::Matrix(m, 3) if m.len() == 9 => {
                for x in &m {
                    self.argument_resolver().parametric(*x, origin, &subject)?;
                    self.argument_resolver().finite_at_defaults(*x, origin, &subject)?;
                }
                self.check_symmetric(&m, origin, &subject)?;
                let inertia = [m[0], m[4], m[8], m[1], m[2], m[5]];
                self.check_moments(inertia, origin, &subject)?;
                Ok(inertia)
            }
            other => {
                let code = mistakes::code_of_shape(matches!(other, Value::Vector(..) | Value::Matrix(..)));
                self.fail(origin, mistakes::bodies::not_an_inertia(code, &subject, other.describe()))
            }
        }
    }

    fn check_symmetric(&mut self, m: &[ExprId], origin: Origin, subject: &str) -> Res<()> {
        let Some(values) = m.iter().map(|x| self.resolver.at_defaults(*x)).collect::<Option<Vec<_>>>() else {
            return Ok(());
        };
        let largest = values.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        for (row, column) in [(0, 1), (0, 2), (1, 2)] {
            let [above, below] = [values[3 * row + column], values[3 * column + row]];
            if (above - below).abs() > ROUNDING * largest {
                return self.fail(origin, mistakes::bodies::inertia_not_symmetric(subject, above, row, column, below));
            }
        }
        Ok(())
    }

    fn check_moments(&mut self, inertia: [ExprId; 6], origin: Origin, subject: &str) -> Res<()> {
        let mut values = [0.0; 6];
        for (value, x) in values.iter_mut().zip(inertia) {
            let Some(known) = self.resolver.at_defaults(x) else { return Ok(()) };
            *value = known;
        }
        let [small, _, large] = mbs_math::symmetric_eigenvalues(values);
        let zero = ROUNDING * large.abs().max(small.abs());
        if small < -zero {
            return self.fail(origin, mistakes::bodies::negative_principal_moment(subject, four_digits(small)));
        }
        Ok(())
    }
}

/// A number rounded to four significant digits.
fn four_digits(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}
