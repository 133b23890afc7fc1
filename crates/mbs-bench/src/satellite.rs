//! The satellite of `mechanisms/satellite.mbs` by hand, and its Jacobian by jets, for comparison with the generated one.

use std::array::from_fn;
use std::hint::black_box;

use mbs::{Differentiable, StateView};

use crate::candidate::{Candidate, Method};
use crate::generated::Satellite;
use crate::generated::satellite::Params;
use crate::jet::{Jet, Number};

/// Number of entries of the state: position of the origin (3), attitude (4), velocity of the origin (3), angular velocity (3).
pub const STATES: usize = 13;

/// Number of states and of inputs, force and moment.
pub const VARIABLES: usize = 19;

/// Jacobian ∂ẋ/∂(x, f, τ), row-major as `state_jacobian` writes it.
pub type Jacobian = [f64; STATES * VARIABLES];

/// A rigid body under a force and a moment at its centre of mass, both in body axes.
#[derive(Clone, Copy, Debug)]
pub struct ByHand {
    /// Mass \[kg\].
    pub mass: f64,
    /// J about the centre of mass, body axes \[kg m²\].
    pub inertia: [[f64; 3]; 3],
    /// J⁻¹.
    pub inverse: [[f64; 3]; 3],
    /// c, the centre of mass from the origin, body axes \[m\].
    pub com: [f64; 3],
}

impl ByHand {
    /// Creates the body with the default parameters of the file.
    pub fn new() -> ByHand {
        let p = Params::default();
        let ([xx, yy, zz], [xy, xz, yz]) = (p.moments, p.products);
        let inertia = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
        ByHand { mass: p.mass, inertia, inverse: inverse(&inertia), com: [0.02, -0.01, 0.03] }
    }

    /// ẋ of x = (p, e, v, ω) with inputs f, τ behind it; p and v of the origin in world axes, e scalar first, ω in body axes:
    ///
    /// ```text
    /// ṗ = v        ė = ½ e ∘ ω        J ω̇ = τ − ω × J ω        v̇ = R(e) (f / m − ω̇ × c − ω × (ω × c))
    /// ```
    pub fn rates<T: Number>(&self, x: &[T; VARIABLES]) -> [T; STATES] {
        let part = |first: usize| -> [T; 3] { from_fn(|k| x[first + k]) };
        let (scalar, vector, omega, force, moment) = (x[3], part(4), part(10), part(13), part(16));
        let spin = times(&self.inverse, minus(moment, cross(omega, times(&self.inertia, omega))));
        let inward = cross(omega, cross_constant(omega, self.com));
        let acceleration = minus(minus(scaled(force, 1.0 / self.mass), cross_constant(spin, self.com)), inward);
        let [a, b, c] = rotated(scalar, vector, acceleration);
        let twice_vector_rate = plus(omega.map(|w| scalar * w), cross(vector, omega));
        let scalar_rate = dot(vector, omega) * -0.5;
        let [d, e, f] = scaled(twice_vector_rate, 0.5);
        [x[7], x[8], x[9], scalar_rate, d, e, f, a, b, c, spin[0], spin[1], spin[2]]
    }

    /// ∂ẋ/∂(x, f, τ) by jets.
    pub fn jacobian(&self, x: &[f64; VARIABLES], jacobian: &mut Jacobian) {
        let rates = self.rates(&Jet::variables(*x));
        for (row, rate) in jacobian.chunks_exact_mut(VARIABLES).zip(&rates) {
            row.copy_from_slice(&rate.derivatives);
        }
    }
}

impl Default for ByHand {
    fn default() -> Self {
        ByHand::new()
    }
}

/// The generated Jacobian and the one by jets, at one state.
pub fn candidates() -> Vec<Candidate> {
    let (satellite, by_hand, x) = (generated(), ByHand::new(), state());
    let [mut found, mut expected]: [Jacobian; 2] = [[0.0; STATES * VARIABLES]; 2];
    let call = move || {
        let _ = black_box(satellite.state_jacobian(view(black_box(&x)), black_box(&mut found)));
    };
    let by_jets = move || {
        by_hand.jacobian(black_box(&x), black_box(&mut expected));
        black_box(&expected);
    };
    vec![Candidate::new(Method::Generated, call), Candidate::new(Method::Jets, by_jets)]
}

/// The compiled mechanism.
pub fn generated() -> Satellite {
    Satellite::new(Default::default()).expect("defaults are valid")
}

/// A state with inputs, whose quaternion has unit length to 1e-10.
pub fn state() -> [f64; VARIABLES] {
    let (p, e) =
        ([1.0, -2.0, 0.5], [0.9732169326035078, 0.10033164253644411, -0.050165821268222055, 0.20066328507288822]);
    let (v, omega, force, moment) = ([0.3, 0.1, -0.7], [0.4, -0.6, 0.3], [1.5, -0.8, 0.6], [0.2, 0.1, -0.3]);
    let mut numbers = [&p[..], &e, &v, &omega, &force, &moment].concat().into_iter();
    from_fn(|_| numbers.next().expect("nineteen numbers"))
}

/// The view of state and inputs for the compiled mechanism.
pub fn view(x: &[f64; VARIABLES]) -> StateView<'_> {
    StateView { t: 0.0, q: &x[..7], v: &x[7..STATES], z: &[], u: &x[STATES..] }
}

/// R(e) x = x + s e0 e × x + s e × (e × x), s = 2/|e|²: the rotation of e/|e|.
fn rotated<T: Number>(e0: T, e: [T; 3], x: [T; 3]) -> [T; 3] {
    let s = (e0 * e0 + dot(e, e)).reciprocal() * 2.0;
    let across = cross(e, x).map(|c| c * s);
    let twice = cross(e, across);
    from_fn(|k| x[k] + e0 * across[k] + twice[k])
}

fn dot<T: Number>(a: [T; 3], b: [T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross<T: Number>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a × c for constants c.
fn cross_constant<T: Number>(a: [T; 3], c: [f64; 3]) -> [T; 3] {
    [a[1] * c[2] - a[2] * c[1], a[2] * c[0] - a[0] * c[2], a[0] * c[1] - a[1] * c[0]]
}

fn times<T: Number>(matrix: &[[f64; 3]; 3], x: [T; 3]) -> [T; 3] {
    from_fn(|k| x[0] * matrix[k][0] + x[1] * matrix[k][1] + x[2] * matrix[k][2])
}

fn plus<T: Number>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    from_fn(|k| a[k] + b[k])
}

fn minus<T: Number>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    from_fn(|k| a[k] - b[k])
}

fn scaled<T: Number>(a: [T; 3], factor: f64) -> [T; 3] {
    a.map(|x| x * factor)
}

/// Inverse of a symmetric matrix: its adjugate, whose rows are cross products of its rows, divided by its determinant.
fn inverse(matrix: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let [a, b, c] = *matrix;
    let determinant = dot(a, cross(b, c));
    [cross(b, c), cross(c, a), cross(a, b)].map(|row| scaled(row, 1.0 / determinant))
}
