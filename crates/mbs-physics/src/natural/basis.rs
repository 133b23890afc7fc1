//! Bodies of the plane as combinations of basic points and vectors: the coefficients (1) and (2) of `natural.rs`, and the integrals of (3).

use mbs_expr::Scalar;
use mbs_math::Each;

use crate::FrameSum;

/// A body as a combination of its basics: the coefficients in (1).
#[derive(Clone, Debug)]
pub struct PlacedBasis<S> {
    pub(crate) terms: Vec<Term<S>>,
    /// Basic points: their components in body axes, and their frames.
    pub(crate) points: Vec<([S; 2], usize)>,
}

/// A basic point or vector of a body.
#[derive(Clone, Copy, Debug)]
pub struct BasicFrame<S> {
    /// Index of its frame.
    pub frame: usize,
    /// Indices of its solver coordinates; `None` if it is fixed on ground.
    pub coordinates: Option<[usize; 2]>,
    /// Components in body axes.
    pub components: [S; 2],
}

/// One basic with its coefficients (α, β), which are affine in the point (x, y) of the body.
#[derive(Clone, Copy, Debug)]
pub struct Term<S> {
    /// Index of its frame.
    pub frame: usize,
    /// Indices of its solver coordinates; `None` if it is fixed on ground, and for the world's axes.
    pub coordinates: Option<[usize; 2]>,
    /// (α, β) at the origin of the body.
    pub constant: [S; 2],
    /// ∂(α, β)/∂x and ∂(α, β)/∂y.
    pub derivatives: [[S; 2]; 2],
}

impl<S: Scalar> Term<S> {
    /// (α, β) of the point r of the body.
    fn point_coefficients(&self, r: [S; 2]) -> [S; 2] {
        let linear = self.vector_coefficients(r);
        [0, 1].each(|k| self.constant[k] + linear[k])
    }

    /// (α, β) of the vector u of the body.
    fn vector_coefficients(&self, u: [S; 2]) -> [S; 2] {
        [0, 1].each(|k| self.derivatives[0][k] * u[0] + self.derivatives[1][k] * u[1])
    }

    /// Coefficients of (1, x, y) in α (k = 0) or β (k = 1).
    fn polynomial(&self, k: usize) -> [S; 3] {
        [self.constant[k], self.derivatives[0][k], self.derivatives[1][k]]
    }

    /// The term with α + i β = factor (x + i y) + constant, as complex numbers.
    fn complex_linear(frame: usize, coordinates: Option<[usize; 2]>, constant: [S; 2], factor: [S; 2]) -> Self {
        Term { frame, coordinates, constant, derivatives: [factor, [-factor[1], factor[0]]] }
    }
}

/// The terms (2) of a body with these basic points and vectors: points first, then vectors, and for a particle the world's axes.
pub fn basis_terms<S: Scalar>(points: &[BasicFrame<S>], vectors: &[BasicFrame<S>]) -> Vec<Term<S>> {
    let [zero, one] = [0.0, 1.0].each(S::number);
    let BasicFrame { frame: first, coordinates, components: origin } = points[0];
    let difference = |a: [S; 2]| [a[0] - origin[0], a[1] - origin[1]];
    let constant_term = Term { frame: first, coordinates, constant: [one, zero], derivatives: [[zero; 2]; 2] };
    match (&points[1..], vectors) {
        // Offsets from a particle's point are constant in the world's axes.
        ([], []) => vec![constant_term, Term::complex_linear(0, None, origin.each(|x| -x), [one, zero])],
        ([], [vector]) => {
            let factor = inverse(vector.components);
            let constant = product(origin.each(|x| -x), factor);
            vec![constant_term, Term::complex_linear(vector.frame, vector.coordinates, constant, factor)]
        }
        ([second], []) => {
            let factor = inverse(difference(second.components));
            let constant = product(origin.each(|x| -x), factor);
            vec![
                Term::complex_linear(first, coordinates, [one - constant[0], -constant[1]], factor.each(|x| -x)),
                Term::complex_linear(second.frame, second.coordinates, constant, factor),
            ]
        }
        (others, vectors) => {
            let directions: Vec<[S; 2]> =
                others.iter().map(|p| difference(p.components)).chain(vectors.iter().map(|v| v.components)).collect();
            let rows = inverse_rows([directions[0], directions[1]]);
            let term = |basic: &BasicFrame<S>, row: [S; 2]| {
                let constant = -(row[0] * origin[0] + row[1] * origin[1]);
                let derivatives = row.each(|x| [x, zero]);
                Term { frame: basic.frame, coordinates: basic.coordinates, constant: [constant, zero], derivatives }
            };
            let spanned: Vec<Term<S>> =
                others.iter().chain(vectors).zip(rows).map(|(basic, row)| term(basic, row)).collect();
            // α₁ = 1 − Σ αᵢ of the other points.
            let first = spanned.iter().take(others.len()).fold(constant_term, |sum, term| Term {
                constant: [sum.constant[0] - term.constant[0], zero],
                derivatives: [0, 1].each(|k| [sum.derivatives[k][0] - term.derivatives[k][0], zero]),
                ..sum
            });
            std::iter::once(first).chain(spanned).collect()
        }
    }
}

/// Rows of [d₁ d₂]⁻¹.
fn inverse_rows<S: Scalar>([u, v]: [[S; 2]; 2]) -> [[S; 2]; 2] {
    let determinant = u[0] * v[1] - u[1] * v[0];
    [[v[1] / determinant, -v[0] / determinant], [-u[1] / determinant, u[0] / determinant]]
}

impl<S: Scalar> PlacedBasis<S> {
    /// Whether the body has two directions, which may be skew where its rows are violated. With one, its axes rotate together.
    pub fn is_spanned(&self) -> bool {
        self.terms.len() > 2
    }

    /// World position of the point `r` of the body.
    pub fn point(&self, r: [S; 2]) -> FrameSum<S> {
        let is_equal = |point: &[S; 2]| (0..2).all(|k| (r[k] - point[k]).is_zero());
        match self.points.iter().find(|(point, _)| is_equal(point)) {
            Some((_, frame)) => FrameSum::zero().plus(*frame, [S::number(1.0), S::number(0.0)]),
            None => self.sum(|term| term.point_coefficients(r)),
        }
    }

    /// The vector of the body with components `u` in its axes.
    pub fn direction(&self, u: [S; 2]) -> FrameSum<S> {
        self.sum(|term| term.vector_coefficients(u))
    }

    fn sum(&self, components: impl Fn(&Term<S>) -> [S; 2]) -> FrameSum<S> {
        let parts = self.terms.iter().map(|term| (term.frame, components(term)));
        let nonzero = parts.filter(|(_, u)| !u.iter().all(|x| x.is_zero()));
        nonzero.fold(FrameSum::zero(), |sum, (frame, u)| sum.plus(frame, u))
    }

    /// Derivatives of the vector `u` of the body with respect to the solver coordinates, world components.
    pub fn direction_columns(&self, u: [S; 2]) -> Vec<(usize, [S; 2])> {
        let mut columns = Vec::new();
        for term in &self.terms {
            if let Some([x, y]) = term.coordinates {
                let k = term.vector_coefficients(u);
                columns.extend([(x, k), (y, [-k[1], k[0]])]);
            }
        }
        columns
    }
}

/// ∫ αᵢαⱼ + βᵢβⱼ dm and ∫ αᵢβⱼ − βᵢαⱼ dm of the terms i = `a` and j = `b`, from `moments` = ∫ (1, x, y) (1, x, y)ᵀ dm.
pub fn mass_block<S: Scalar>(moments: &[[S; 3]; 3], a: &Term<S>, b: &Term<S>) -> [S; 2] {
    let integral = |k: usize, l: usize| {
        let (row, column) = (a.polynomial(k), b.polynomial(l));
        let mut sum = S::number(0.0);
        for (x, moments) in row.into_iter().zip(moments) {
            for (moment, y) in moments.iter().zip(column) {
                sum = sum + x * *moment * y;
            }
        }
        sum
    };
    [integral(0, 0) + integral(1, 1), integral(0, 1) - integral(1, 0)]
}

/// a b of complex numbers.
fn product<S: Scalar>(a: [S; 2], b: [S; 2]) -> [S; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// 1/a of a complex number.
fn inverse<S: Scalar>(a: [S; 2]) -> [S; 2] {
    if a[1].is_zero() {
        return [S::number(1.0) / a[0], S::number(0.0)];
    }
    let square = a[0] * a[0] + a[1] * a[1];
    [a[0] / square, -a[1] / square]
}

#[cfg(test)]
mod tests;
