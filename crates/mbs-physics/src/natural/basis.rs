//! Bodies of the plane as combinations of basic points and vectors: the coefficients (1) and (2) of `natural.rs`, and the integrals of (3).

use mbs_expr::Scalar;

use crate::FrameSum;

/// Coefficients of one body, (1).
#[derive(Clone, Debug)]
pub struct PlacedBasis<S> {
    pub(crate) terms: Vec<Term<S>>,
    /// Basic points by where they are in the body.
    pub(crate) points: Vec<([S; 2], usize)>,
}

/// A basic point or vector with its frame, and where it is in the body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Framed<S> {
    pub(crate) frame: usize,
    pub(crate) coordinates: Option<[usize; 2]>,
    pub(crate) at: [S; 2],
}

/// One basic with its components (α, β).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term<S> {
    pub(crate) frame: usize,
    /// Solver coordinates; none of what is fixed on ground, and of the world's axes.
    pub(crate) coordinates: Option<[usize; 2]>,
    /// At the origin of the body.
    pub(crate) constant: [S; 2],
    /// Along its x and y.
    pub(crate) derivatives: [[S; 2]; 2],
}

impl<S: Scalar> Term<S> {
    /// At a point of the body.
    fn at(&self, r: [S; 2]) -> [S; 2] {
        let along = self.along(r);
        [0, 1].map(|k| self.constant[k] + along[k])
    }

    /// Along a vector of the body.
    fn along(&self, u: [S; 2]) -> [S; 2] {
        [0, 1].map(|k| self.derivatives[0][k] * u[0] + self.derivatives[1][k] * u[1])
    }

    /// α or β as coefficients of (1, x, y).
    fn coefficients(&self, k: usize) -> [S; 3] {
        [self.constant[k], self.derivatives[0][k], self.derivatives[1][k]]
    }

    /// κ r + constant, with complex κ.
    fn linear(frame: usize, coordinates: Option<[usize; 2]>, constant: [S; 2], factor: [S; 2]) -> Self {
        Term { frame, coordinates, constant, derivatives: [factor, [-factor[1], factor[0]]] }
    }
}

/// (2) of basic points and vectors.
pub(crate) fn terms<S: Scalar>(points: &[Framed<S>], vectors: &[Framed<S>]) -> Vec<Term<S>> {
    let [zero, one] = [0.0, 1.0].map(S::number);
    let Framed { frame: first, coordinates: own, at } = points[0];
    let minus = |a: [S; 2]| [a[0] - at[0], a[1] - at[1]];
    let still = Term { frame: first, coordinates: own, constant: [one, zero], derivatives: [[zero; 2]; 2] };
    match (&points[1..], vectors) {
        // The world's axes carry what is off the point.
        ([], []) => vec![still, Term::linear(0, None, at.map(|x| -x), [one, zero])],
        ([], [vector]) => {
            let factor = inverse(vector.at);
            let constant = product(at.map(|x| -x), factor);
            vec![still, Term::linear(vector.frame, vector.coordinates, constant, factor)]
        }
        ([second], []) => {
            let factor = inverse(minus(second.at));
            let constant = product(at.map(|x| -x), factor);
            vec![
                Term::linear(first, own, [one - constant[0], -constant[1]], factor.map(|x| -x)),
                Term::linear(second.frame, second.coordinates, constant, factor),
            ]
        }
        (others, vectors) => {
            let directions: Vec<[S; 2]> =
                others.iter().map(|p| minus(p.at)).chain(vectors.iter().map(|v| v.at)).collect();
            let rows = inverse_of([directions[0], directions[1]]);
            let along = |basic: &Framed<S>, row: [S; 2]| {
                let constant = -(row[0] * at[0] + row[1] * at[1]);
                let derivatives = row.map(|x| [x, zero]);
                Term { frame: basic.frame, coordinates: basic.coordinates, constant: [constant, zero], derivatives }
            };
            let spanned: Vec<Term<S>> =
                others.iter().chain(vectors).zip(rows).map(|(basic, row)| along(basic, row)).collect();
            // α₁ = 1 − Σ αᵢ of the other points.
            let first = spanned.iter().take(others.len()).fold(still, |sum, term| Term {
                constant: [sum.constant[0] - term.constant[0], zero],
                derivatives: [0, 1].map(|k| [sum.derivatives[k][0] - term.derivatives[k][0], zero]),
                ..sum
            });
            std::iter::once(first).chain(spanned).collect()
        }
    }
}

/// Rows of [d₁ d₂]⁻¹.
fn inverse_of<S: Scalar>([u, v]: [[S; 2]; 2]) -> [[S; 2]; 2] {
    let determinant = u[0] * v[1] - u[1] * v[0];
    [[v[1] / determinant, -v[0] / determinant], [-u[1] / determinant, u[0] / determinant]]
}

impl<S: Scalar> PlacedBasis<S> {
    /// Whether axes of the body are sums of two directions, which may be skew off the rows; else they turn as one.
    pub fn is_spanned(&self) -> bool {
        self.terms.len() > 2
    }

    /// Where a point of the body is.
    pub fn point(&self, r: [S; 2]) -> FrameSum<S> {
        let is_there = |at: &[S; 2]| (0..2).all(|k| (r[k] - at[k]).is_zero());
        match self.points.iter().find(|(at, _)| is_there(at)) {
            Some((_, frame)) => FrameSum::zero().plus(*frame, [S::number(1.0), S::number(0.0)]),
            None => self.sum(|term| term.at(r)),
        }
    }

    /// Where a vector of the body points.
    pub fn direction(&self, u: [S; 2]) -> FrameSum<S> {
        self.sum(|term| term.along(u))
    }

    fn sum(&self, components: impl Fn(&Term<S>) -> [S; 2]) -> FrameSum<S> {
        let parts = self.terms.iter().map(|term| (term.frame, components(term)));
        let nonzero = parts.filter(|(_, u)| !u.iter().all(|x| x.is_zero()));
        nonzero.fold(FrameSum::zero(), |sum, (frame, u)| sum.plus(frame, u))
    }

    /// ∂(a vector u of the body)/∂(solver coordinates), world components.
    pub fn direction_columns(&self, u: [S; 2]) -> Vec<(usize, [S; 2])> {
        let columns = self.terms.iter().filter_map(|term| Some((term.coordinates?, term.along(u))));
        columns.flat_map(|([x, y], k)| [(x, k), (y, [-k[1], k[0]])]).collect()
    }
}

/// ∫ αᵢαⱼ + βᵢβⱼ dm and ∫ αᵢβⱼ − βᵢαⱼ dm.
pub(crate) fn blocks<S: Scalar>(moments: &[[S; 3]; 3], a: &Term<S>, b: &Term<S>) -> [S; 2] {
    let integral = |k: usize, l: usize| {
        let (of_a, of_b) = (a.coefficients(k), b.coefficients(l));
        let terms = (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
        terms.fold(S::number(0.0), |sum, (i, j)| sum + of_a[i] * moments[i][j] * of_b[j])
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
