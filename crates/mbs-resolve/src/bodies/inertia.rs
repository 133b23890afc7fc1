//! Inertia of a body in space: principal moments or a tensor, about the centre of mass, in body axes.

use mbs_definition::{Argument, Origin};
use mbs_expr::{BodyId, ExprId};
use mbs_model::Domain;

use crate::mistakes;
use crate::resolvers::{BodyResolver, Resolves};
use crate::value::Value;
use crate::{Res, Scope};

/// Largest difference of entries that are taken for equal, and smallest moment that is taken for zero, relative to the largest
/// entry: tensors are sums and are rotated in floating point.
const ROUNDING: f64 = 1e-9;
impl<'a> BodyResolver<'_, 'a> {
    /// `inertia: [Ixx, Iyy, Izz]` or a 3 × 3 tensor: xx, yy, zz, xy, xz, yz.
    ///
    /// At the default parameters a tensor is symmetric and no principal moment is negative. A moment that exceeds the sum of the others,
    /// as of no distribution of mass, is legal: published cases have them, and the equations do not mind.
    pub(crate) fn inertia_tensor(
        &mut self,
        owner: &str,
        argument: &Argument,
        scope: &Scope,
        body: BodyId,
    ) -> Res<[ExprId; 6]> {
        let Argument { name, value, .. } = argument;
        let (what, origin) = (format!("`{}` of {owner}", name.text), value.origin);
        let zero = self.resolver.exprs.constant(0.0);
        match self.resolver.eval(value, scope)? {
            Value::Vector(v, axes) if v.len() == 3 => {
                let own = self.resolver.bodies.body_axes(Some(body));
                self.vectors().expect_axes(axes, own, origin, &what)?;
                for x in &v {
                    self.argument_resolver().parametric(*x, origin, &what)?;
                    self.argument_resolver().in_domain(*x, Domain::NonNegative, origin, &what)?;
                }
                let inertia = [v[0], v[1], v[2], zero, zero, zero];
                self.check_moments(inertia, origin, &what)?;
                Ok(inertia)
            }
            Value::Matrix(m, 3) if m.len() == 9 => {
                for x in &m {
                    self.argument_resolver().parametric(*x, origin, &what)?;
                    self.argument_resolver().finite_at_defaults(*x, origin, &what)?;
                }
                self.check_symmetric(&m, origin, &what)?;
                let inertia = [m[0], m[4], m[8], m[1], m[2], m[5]];
                self.check_moments(inertia, origin, &what)?;
                Ok(inertia)
            }
            other => {
                let code = mistakes::code_of_shape(matches!(other, Value::Vector(..) | Value::Matrix(..)));
                self.fail(origin, mistakes::bodies::not_an_inertia(code, &what, other.describe()))
            }
        }
    }

    fn check_symmetric(&mut self, m: &[ExprId], origin: Origin, what: &str) -> Res<()> {
        let Some(values) = m.iter().map(|x| self.resolver.at_defaults(*x)).collect::<Option<Vec<_>>>() else {
            return Ok(());
        };
        let largest = values.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        for (row, column) in [(0, 1), (0, 2), (1, 2)] {
            let [above, below] = [values[3 * row + column], values[3 * column + row]];
            if (above - below).abs() > ROUNDING * largest {
                return self.fail(origin, mistakes::bodies::inertia_not_symmetric(what, above, row, column, below));
            }
        }
        Ok(())
    }

    fn check_moments(&mut self, inertia: [ExprId; 6], origin: Origin, what: &str) -> Res<()> {
        let Some(values) = inertia.iter().map(|x| self.resolver.at_defaults(*x)).collect::<Option<Vec<_>>>() else {
            return Ok(());
        };
        let [small, _, large] = principal(&values);
        let zero = ROUNDING * large.abs().max(small.abs());
        if small < -zero {
            return self.fail(origin, mistakes::bodies::negative_principal_moment(what, shown(small)));
        }
        Ok(())
    }
}

/// A number with four digits.
fn shown(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}

/// Eigenvalues of a symmetric tensor xx, yy, zz, xy, xz, yz in ascending order, by Jacobi's rotations.
fn principal(values: &[f64]) -> [f64; 3] {
    let [xx, yy, zz, xy, xz, yz] = [0, 1, 2, 3, 4, 5].map(|i| values[i]);
    let mut a = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    // Convergence is quadratic: a handful of sweeps leaves nothing off the diagonal.
    for _ in 0..12 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
            let cos = 1.0 / t.hypot(1.0);
            let sin = t * cos;
            for row in &mut a {
                (row[p], row[q]) = (cos * row[p] - sin * row[q], sin * row[p] + cos * row[q]);
            }
            let [first, second] = [a[p], a[q]];
            a[p] = [0, 1, 2].map(|k| cos * first[k] - sin * second[k]);
            a[q] = [0, 1, 2].map(|k| sin * first[k] + cos * second[k]);
        }
    }
    let mut moments = [a[0][0], a[1][1], a[2][2]];
    moments.sort_by(f64::total_cmp);
    moments
}

#[cfg(test)]
mod tests {
    use super::principal;

    #[test]
    fn principal_moments_of_a_turned_tensor_are_those_of_the_tensor() {
        // diag(1, 2, 4) rotated by an angle with cos = 0.6 about z, then about x.
        let [c, s] = [0.6, 0.8];
        let r = [[c, -s, 0.0], [c * s, c * c, -s], [s * s, s * c, c]];
        let entry = |i: usize, k: usize| (0..3).map(|j| r[i][j] * [1.0, 2.0, 4.0][j] * r[k][j]).sum::<f64>();
        let values = [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)];
        // 1e-13: a few dozen rounded operations on numbers below 10.
        for (found, expected) in principal(&values).into_iter().zip([1.0, 2.0, 4.0]) {
            assert!((found - expected).abs() < 1e-13, "{found} is not {expected}");
        }
    }
}
