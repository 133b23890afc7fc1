//! A and B against dual numbers, central differences and closed forms.

use mbs_core::rotation::axis_angle;
use mbs_core::*;

use crate::models::body::{Body, Kind};
use crate::models::dual::{Dual, Number};
use crate::models::pendulum::Pendulum;
use crate::models::random::Random;
use crate::models::set;
use crate::models::swing::Swing;

const KINDS: [Kind; 3] = [Kind::Quaternion, Kind::BodyVelocity, Kind::ModifiedRodrigues];

/// A body that translates and rotates, as (q, v), and its inputs.
fn moving_body(kind: Kind, random: &mut Random) -> (Body, Vec<f64>, Vec<f64>) {
    let q = axis_angle(random.unit(), 1.0 + random.vector::<1>(0.5)[0]);
    let attitude = match kind {
        Kind::ModifiedRodrigues => vec![q[1] / (1.0 + q[0]), q[2] / (1.0 + q[0]), q[3] / (1.0 + q[0])],
        _ => q.to_vec(),
    };
    let x = [random.vector::<3>(1.0).to_vec(), attitude, random.vector::<6>(1.5).to_vec()].concat();
    (Body::new(kind), x, random.vector::<6>(2.0).to_vec())
}

/// Calls with bodies of every kind, also with zeros among their coordinates, with swings, and with a pendulum that violates its row.
fn for_each(mut check: impl FnMut(&str, &dyn Case)) {
    let mut random = Random::new(20);
    for kind in KINDS {
        for trial in 0..4 {
            let (body, x, u) = moving_body(kind, &mut random);
            check(&format!("{kind:?} {trial}"), &Sample { m: body, x, u, t: 0.0 });
        }
        let (body, mut x, mut u) = moving_body(kind, &mut random);
        let place = if kind == Kind::ModifiedRodrigues { 3..5 } else { 4..6 };
        x[place].fill(0.0);
        let n = x.len();
        if kind != Kind::ModifiedRodrigues {
            x[3] = 0.8;
            x[6] = -0.6;
        }
        // A rotation about z alone: two components of the attitude remain 0.
        x[n - 3..n - 1].fill(0.0);
        u[3..5].fill(0.0);
        let top = Body { inertia: [[0.9, 0.0, 0.0], [0.0, 1.4, 0.0], [0.0, 0.0, 1.1]], ..body };
        check(&format!("{kind:?} about z"), &Sample { m: top, x, u, t: 0.0 });
    }
    for m in [Swing::DRIVEN, Swing::FREE] {
        let x = [0.8, -1.1, 0.4][..if m.filter { 3 } else { 2 }].to_vec();
        check("swing", &Sample { m, x, u: vec![0.5, -0.2], t: 0.3 });
    }
    check("pendulum", &Sample { m: Pendulum::default(), x: vec![1.2, -0.8, 0.5, 0.9], u: vec![], t: 0.0 });
}

/// A mechanism generic over the number type, and the state and step at which it is differentiated.
struct Sample<M> {
    m: M,
    x: Vec<f64>,
    u: Vec<f64>,
    t: f64,
}

/// Computations of the tests with a [`Sample`].
trait Case {
    fn sizes(&self) -> Sizes;
    /// A and B of a scheme, row by row.
    fn found(&self, scheme: Scheme, h: f64) -> (Vec<f64>, Vec<f64>);
    /// Column j of [A B] by dual numbers.
    fn exact(&self, scheme: Scheme, h: f64, j: usize) -> Vec<f64>;
    /// Column j of [A B] by central differences.
    fn difference(&self, scheme: Scheme, h: f64, j: usize) -> Vec<f64>;
    /// Continuous A and B, and d(A, B)/dh of a scheme at h = 0.
    fn rates(&self, scheme: Scheme) -> [Vec<f64>; 2];
}

impl<M: Differentiable + Differentiable<Dual<f64>>> Sample<M> {
    fn state(&self) -> State<M> {
        let mut state = State::new(&self.m);
        set(&mut state, &self.x);
        state.t = self.t;
        state
    }

    /// The state with zero derivatives.
    fn lifted(&self) -> State<M, Dual<f64>> {
        let (x, mut state) = (self.state(), State::<M, Dual<f64>>::new(&self.m));
        lift(state.q.as_mut(), x.q.as_ref());
        lift(state.v.as_mut(), x.v.as_ref());
        lift(state.z.as_mut(), x.z.as_ref());
        state.t = Dual::from_f64(self.t);
        state
    }
}

fn lift(lifted: &mut [Dual<f64>], values: &[f64]) {
    for (lifted, value) in lifted.iter_mut().zip(values) {
        *lifted = Dual::from_f64(*value);
    }
}

/// Zeros with the unit vector e_j as derivatives.
fn unit_derivatives(j: usize, n: usize) -> Vec<Dual<f64>> {
    (0..n).map(|i| Dual::new(0.0, f64::from(i == j))).collect()
}

impl<M> Case for Sample<M>
where
    M: Differentiable + Differentiable<Dual<f64>>,
{
    fn sizes(&self) -> Sizes {
        Mechanism::<f64>::sizes(&self.m)
    }

    fn found(&self, scheme: Scheme, h: f64) -> (Vec<f64>, Vec<f64>) {
        let (n_e, n_u) = (self.sizes().n_e(), self.sizes().n_u);
        let (mut a, mut b, mut next) = (vec![f64::NAN; n_e * n_e], vec![f64::NAN; n_e * n_u], self.state());
        let mut discrete = Discrete::new(&self.m, scheme, h);
        discrete.linearize(&self.m, &self.state(), &self.u, &mut next, &mut a, &mut b).unwrap();
        (a, b)
    }

    fn exact(&self, scheme: Scheme, h: f64, j: usize) -> Vec<f64> {
        let n_e = self.sizes().n_e();
        let width = n_e + self.sizes().n_u;
        let derivatives = unit_derivatives(j, width);
        let (mut x, h) = (self.lifted(), Dual::from_f64(h));
        x.displace(&self.m, &derivatives[..n_e]).unwrap();
        let u: Vec<_> =
            self.u.iter().zip(&derivatives[n_e..]).map(|(u, derivative)| Dual::from_f64(*u) + *derivative).collect();
        let mut next = x.clone();
        if scheme == Scheme::ImplicitMidpoint {
            midpoint_by_fixed_points(&self.m, &x, &u, h, &mut next);
        } else {
            Discrete::new(&self.m, scheme, h).step(&self.m, &x, &u, &mut next).unwrap();
        }
        let (mut value, mut delta) = (next.clone(), vec![Dual::ZERO; n_e]);
        for x in value.q.as_mut().iter_mut().chain(value.v.as_mut()).chain(value.z.as_mut()) {
            x.derivative = 0.0;
        }
        next.displacement(&self.m, &value, &mut delta).unwrap();
        delta.iter().map(|x| x.derivative).collect()
    }

    fn difference(&self, scheme: Scheme, h: f64, j: usize) -> Vec<f64> {
        let n_e = self.sizes().n_e();
        let step = 1e-5;
        let ends = [step, -step].map(|step| {
            let (mut x, mut u, mut delta) = (self.state(), self.u.clone(), vec![0.0; n_e]);
            if j < n_e {
                delta[j] = step;
            } else {
                u[j - n_e] += step;
            }
            x.displace(&self.m, &delta).unwrap();
            let mut next = x.clone();
            Discrete::new(&self.m, scheme, h).step(&self.m, &x, &u, &mut next).unwrap();
            next
        });
        let (mut middle, mut gap) = (self.state(), [vec![0.0; n_e], vec![0.0; n_e]]);
        Discrete::new(&self.m, scheme, h).step(&self.m, &self.state(), &self.u, &mut middle).unwrap();
        for (end, gap) in ends.iter().zip(&mut gap) {
            end.displacement(&self.m, &middle, gap).unwrap();
        }
        gap[0].iter().zip(&gap[1]).map(|(ahead, behind)| (ahead - behind) / (2.0 * step)).collect()
    }

    fn rates(&self, scheme: Scheme) -> [Vec<f64>; 2] {
        let (n_e, n_u) = (self.sizes().n_e(), self.sizes().n_u);
        let (mut a, mut b) = (vec![f64::NAN; n_e * n_e], vec![f64::NAN; n_e * n_u]);
        let mut work = Linearization::new(&self.m);
        error_jacobian(&self.m, self.state().view(&self.u), &mut work, &mut a, &mut b).unwrap();
        let found = [a, b].concat();

        let (mut a, mut b) = (vec![Dual::ZERO; n_e * n_e], vec![Dual::ZERO; n_e * n_u]);
        let (x, mut next, mut u) = (self.lifted(), self.lifted(), vec![Dual::ZERO; n_u]);
        lift(&mut u, &self.u);
        let mut discrete = Discrete::new(&self.m, scheme, Dual::new(0.0, 1.0));
        discrete.linearize(&self.m, &x, &u, &mut next, &mut a, &mut b).unwrap();
        [found, a.iter().chain(&b).map(|x| x.derivative).collect()]
    }
}

/// x⁺ = x ⊕ … by the equations of the rule, iterated 200 times, each of which gains a factor of 2 or more.
fn midpoint_by_fixed_points<T: Number, M: Mechanism<T>>(m: &M, x: &State<M, T>, u: &[T], h: T, next: &mut State<M, T>) {
    let half = T::from_f64(0.5) * h;
    let (mut middle, mut rates) = (x.clone(), x.clone());
    let (_, _, mut lambda, ..) = m.storage();
    middle.t = x.t + half;
    let moved = |to: &mut [T], from: &[T], s: T, rates: &[T]| {
        for ((to, from), rate) in to.iter_mut().zip(from).zip(rates) {
            *to = *from + s * *rate;
        }
    };
    for _ in 0..200 {
        let at = middle.view(u);
        m.accelerations(at, rates.v.as_mut(), lambda.as_mut()).unwrap();
        m.auxiliary_rates(at, rates.z.as_mut());
        // q = q_m ⊕ (−½h v_m): q_m ← q_m + (q − q_m ⊕ …), normalised.
        let mut end = middle.q.clone();
        let back: Vec<T> = middle.v.as_ref().iter().map(|v| -half * *v).collect();
        m.retract(middle.t, end.as_mut(), &back, rates.q.as_mut());
        for ((q, wanted), end) in middle.q.as_mut().iter_mut().zip(x.q.as_ref()).zip(end.as_ref()) {
            *q += *wanted - *end;
        }
        m.normalize(middle.q.as_mut());
        moved(middle.v.as_mut(), x.v.as_ref(), half, rates.v.as_ref());
        moved(middle.z.as_mut(), x.z.as_ref(), half, rates.z.as_ref());
    }
    let forward: Vec<T> = middle.v.as_ref().iter().map(|v| half * *v).collect();
    next.q.as_mut().copy_from_slice(middle.q.as_ref());
    m.retract(middle.t, next.q.as_mut(), &forward, rates.q.as_mut());
    moved(next.v.as_mut(), x.v.as_ref(), h, rates.v.as_ref());
    moved(next.z.as_mut(), x.z.as_ref(), h, rates.z.as_ref());
    next.t = x.t + h;
}

/// Largest difference of [A B] from columns that are computed one by one.
fn gap(case: &dyn Case, (a, b): &(Vec<f64>, Vec<f64>), column: impl Fn(usize) -> Vec<f64>) -> f64 {
    let (n_e, n_u) = (case.sizes().n_e(), case.sizes().n_u);
    let mut worst = 0.0_f64;
    for j in 0..n_e + n_u {
        for (i, expected) in column(j).into_iter().enumerate() {
            let found = if j < n_e { a[i * n_e + j] } else { b[i * n_u + j - n_e] };
            let gap = (found - expected).abs();
            worst = if gap.is_nan() { f64::INFINITY } else { worst.max(gap) };
        }
    }
    worst
}

#[test]
fn derivatives_are_exact() {
    for_each(|name, case| {
        for (scheme, h) in Scheme::ALL.into_iter().flat_map(|scheme| [(scheme, 0.05), (scheme, 0.4)]) {
            let gap = gap(case, &case.found(scheme, h), |j| case.exact(scheme, h, j));
            // Some hundred operations per column, entries up to 3.
            assert!(gap < 1e-13, "{name} {scheme:?} {h}: {gap:e}");
        }
    });
}

#[test]
fn derivatives_are_those_of_differences_on_the_manifold() {
    for_each(|name, case| {
        for scheme in Scheme::ALL {
            let gap = gap(case, &case.found(scheme, 0.1), |j| case.difference(scheme, 0.1, j));
            // Truncation 1e-10 times third derivatives below 10, round-off 4e-16/2e-5.
            assert!(gap < 1e-8, "{name} {scheme:?}: {gap:e}");
        }
    });
}

#[test]
fn continuous_derivatives_are_the_limit_of_short_steps() {
    for_each(|name, case| {
        for scheme in Scheme::ALL {
            let [found, expected] = case.rates(scheme);
            let gaps: Vec<f64> = found.iter().zip(&expected).map(|(a, b)| a - b).collect();
            // Some ten operations on values up to 9.
            assert!(max_norm(&gaps) < 1e-13, "{name} {scheme:?} {:e}", max_norm(&gaps));
        }
    });
}

fn cross_matrix(w: &[f64]) -> [[f64; 3]; 3] {
    [[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]]
}

#[test]
fn transitivity_is_that_of_rotating_axes() {
    let mut random = Random::new(21);
    for kind in KINDS {
        let (body, x, u) = moving_body(kind, &mut random);
        let n_q = x.len() - 6;
        let (q, v) = x.split_at(n_q);
        let at = StateView { t: 0.0, q, v, z: &[], u: &u };
        let mut found = [0.0; 36];
        body.transitivity(at, &mut found).unwrap();
        let (turning, sliding) = (cross_matrix(&v[3..]), cross_matrix(v));
        for i in 0..6 {
            for j in 0..6 {
                // δθ̇ = δω − ω × δθ; in body axes also δṙ = δv − ω × δr − v × δθ.
                let expected = match (i / 3, j / 3, kind) {
                    (1, 1, _) | (0, 0, Kind::BodyVelocity) => -turning[i % 3][j % 3],
                    (0, 1, Kind::BodyVelocity) => -sliding[i % 3][j % 3],
                    _ => 0.0,
                };
                assert!((found[6 * i + j] - expected).abs() < 1e-14, "{kind:?} {i} {j}");
            }
        }
        body.transitivity(StateView { v: &[0.0; 6], ..at }, &mut found).unwrap();
        assert_eq!(found, [0.0; 36]);
    }
}

#[test]
fn accelerations_have_equal_derivatives_with_respect_to_error_states() {
    let mut random = Random::new(22);
    for kind in KINDS {
        let (body, x, u) = moving_body(kind, &mut random);
        let (q, v) = x.split_at(x.len() - 6);
        let at = StateView { t: 0.0, q, v, z: &[], u: &u };
        let (mut a, mut b, mut work) = ([0.0; 144], [0.0; 72], Linearization::new(&body));
        error_jacobian(&body, at, &mut work, &mut a, &mut b).unwrap();
        let (mut acceleration, mut derivatives) = ([0.0; 6], [0.0; 6 * 18]);
        body.acceleration_jacobian(at, &mut acceleration, &mut [], &mut derivatives).unwrap();
        for (i, row) in derivatives.chunks_exact(18).enumerate() {
            for (j, expected) in row.iter().enumerate() {
                let found = if j < 12 { a[(6 + i) * 12 + j] } else { b[(6 + i) * 6 + j - 12] };
                assert!((found - expected).abs() < 1e-14, "{kind:?} {i} {j}");
            }
        }
    }
}

#[test]
fn accelerations_with_a_row_have_equal_derivatives() {
    let (m, x) = (Pendulum::default(), [1.2, -0.8, 0.5, 0.9]);
    let at = StateView { t: 0.0, q: &x[..2], v: &x[2..], z: &[], u: &[] };
    let (mut acceleration, mut lambda, mut derivatives, mut all) = ([0.0; 2], [0.0], [0.0; 12], [0.0; 16]);
    m.acceleration_jacobian(at, &mut acceleration, &mut lambda, &mut derivatives).unwrap();
    m.state_jacobian(at, &mut all).unwrap();
    for (found, expected) in all[8..].iter().zip(derivatives) {
        assert!((found - expected).abs() < 1e-14, "{derivatives:?} {all:?}");
    }
}

#[test]
fn the_implicit_midpoint_rule_is_symplectic() {
    for h in [0.05, 0.5, -0.7] {
        let case = Sample { m: Swing::FREE, x: vec![1.4, 2.5], u: vec![0.0, 0.0], t: 0.0 };
        let determinant = |scheme| {
            let (a, _) = case.found(scheme, h);
            a[0] * a[3] - a[1] * a[2]
        };
        // Aᵀ J A = det A J for two unknowns: entries up to 2, four roundings each.
        assert!((determinant(Scheme::ImplicitMidpoint) - 1.0).abs() < 4e-15, "{h}");
        assert!((determinant(Scheme::Rk4) - 1.0).abs() > 1e-9, "{h}");
    }
}

#[test]
fn a_reversed_step_has_the_inverse_derivative() {
    let mut random = Random::new(23);
    for kind in KINDS {
        let (m, x, u) = moving_body(kind, &mut random);
        let start = Sample { m, x, u, t: 0.0 };
        let mut end = start.state();
        Discrete::implicit_midpoint(&m, 0.3).step(&m, &start.state(), &start.u, &mut end).unwrap();
        let x = [end.q.as_slice(), &end.v].concat();
        let back = Sample { m, x, u: start.u.clone(), t: 0.3 };
        let (there, _) = start.found(Scheme::ImplicitMidpoint, 0.3);
        let (home, _) = back.found(Scheme::ImplicitMidpoint, -0.3);
        for i in 0..12 {
            for j in 0..12 {
                let entry: f64 = (0..12).map(|k| home[12 * i + k] * there[12 * k + j]).sum();
                // Midpoints have errors of 64 roundings.
                assert!((entry - f64::from(i == j)).abs() < 1e-13, "{kind:?} {i} {j} {entry}");
            }
        }
    }
}
