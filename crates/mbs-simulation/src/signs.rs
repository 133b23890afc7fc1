//! Signs of recorded attitudes along the steps of a run.
//!
//! A quaternion and its negative are one rotation, and a mechanism that reads attitudes from directions has either. The sign of a body goes on from
//! the beginning of a step to its end along the cubic through both, as [memories](Mechanism::remember) of outputs do,
//!
//! 1. q(θ) = q₀ + θ (d + (1 − θ) ((1 − θ)(h q̇₀ − d) − θ (h q̇₁ − d))), d = q₁ − q₀,
//!
//! in n parts so short that no attitude goes further than [`PART`] in one. How fast they go is measured at both ends by differences.

use mbs_core::{Mechanism, Pose, State, StateView};

/// How far a quaternion, which goes half as far as its body rotates, changes in one part of a step.
const PART: f64 = 0.5;
/// Parts of one step.
const MOST: f64 = 65536.0;
/// Time over which rates of attitudes are differenced, as a part of the step.
const LITTLE: f64 = 1.5e-8;

/// Attitudes of bodies with the signs that they have along the steps so far.
pub(crate) struct Signs<M: Mechanism> {
    /// The state last reached, where there is one, and the attitudes there.
    last: Option<State<M>>,
    attitudes: Vec<[f64; 4]>,
    q: M::Coordinates,
    rates: [M::Coordinates; 2],
    poses: [Vec<Pose>; 2],
}

impl<M: Mechanism> Signs<M> {
    pub(crate) fn new(mechanism: &M) -> Self {
        let (q, ..) = mechanism.storage();
        let pose = Pose { position: [0.0; 3], attitude: [1.0, 0.0, 0.0, 0.0] };
        let poses = vec![pose; mechanism.sizes().n_bodies];
        let rates = [q.clone(), q.clone()];
        Signs { last: None, attitudes: Vec::new(), q, rates, poses: [poses.clone(), poses] }
    }

    /// Goes on to a state: the end of a step or a part of it, or where a handler has put it at the same time.
    pub(crate) fn follow(&mut self, mechanism: &M, to: &State<M>) {
        let Some(mut from) = self.last.take() else {
            self.begin(mechanism, to);
            return;
        };
        if from.q.as_ref() != to.q.as_ref() || from.t != to.t {
            self.follow_parts(mechanism, &from, to);
            from.copy_from(to);
        }
        self.last = Some(from);
    }

    fn begin(&mut self, mechanism: &M, at: &State<M>) {
        mechanism.poses(at.view(&[]), &mut self.poses[0]);
        let attitudes = self.poses[0].iter().map(|pose| pose.attitude);
        if self.attitudes.is_empty() {
            self.attitudes.extend(attitudes);
        } else {
            self.attitudes.iter_mut().zip(attitudes).for_each(|(last, attitude)| *last = along(last, attitude));
        }
        self.last = Some(at.clone());
    }

    fn follow_parts(&mut self, mechanism: &M, from: &State<M>, to: &State<M>) {
        let h = to.t - from.t;
        let far = if h == 0.0 { 0.0 } else { self.way(mechanism, 0, from, h).max(self.way(mechanism, 1, to, h)) };
        let parts = if far.is_finite() { (far / PART).ceil().clamp(1.0, MOST) } else { 1.0 };
        let mut part = 1.0;
        while part < parts {
            let theta = part / parts;
            self.place(theta, h, [from.q.as_ref(), to.q.as_ref()]);
            mechanism.normalize(self.q.as_mut());
            self.pose(mechanism, 0, from.t + theta * h, to);
            self.sign();
            part += 1.0;
        }
        mechanism.poses(to.view(&[]), &mut self.poses[0]);
        self.sign();
    }

    /// How far quaternions go in a time h at the rates of a state, one end of the step.
    fn way(&mut self, mechanism: &M, end: usize, state: &State<M>, h: f64) -> f64 {
        let rates = self.rates[end].as_mut();
        mechanism.coordinate_rates(state.t, state.q.as_ref(), state.v.as_ref(), rates);
        for ((q, at), rate) in self.q.as_mut().iter_mut().zip(state.q.as_ref()).zip(rates) {
            *q = *at + LITTLE * h * *rate;
        }
        mechanism.poses(state.view(&[]), &mut self.poses[0]);
        self.pose(mechanism, 1, state.t + LITTLE * h, state);
        let [here, there] = &self.poses;
        let differences = here.iter().zip(there).map(|(here, there)| {
            let there = along(&here.attitude, there.attitude);
            here.attitude.iter().zip(there).fold(0.0_f64, |far, (a, b)| far.max((b - a).abs()))
        });
        differences.fold(0.0_f64, f64::max) / LITTLE
    }

    /// Poses at the coordinates in `q`, with all else as in a state.
    fn pose(&mut self, mechanism: &M, which: usize, t: f64, state: &State<M>) {
        let at = StateView { t, q: self.q.as_ref(), ..state.view(&[]) };
        mechanism.poses(at, &mut self.poses[which]);
    }

    /// Takes the signs of the first poses that are nearest to those before.
    fn sign(&mut self) {
        for (last, pose) in self.attitudes.iter_mut().zip(&self.poses[0]) {
            *last = along(last, pose.attitude);
        }
    }

    /// The attitude of a body with its sign, and the attitude that the next row goes on from.
    pub(crate) fn row(&mut self, body: usize, attitude: [f64; 4]) -> [f64; 4] {
        match self.attitudes.get_mut(body) {
            Some(last) => {
                *last = along(last, attitude);
                *last
            }
            None => {
                self.attitudes.push(attitude);
                attitude
            }
        }
    }

    /// (1).
    fn place(&mut self, theta: f64, h: f64, [from, to]: [&[f64]; 2]) {
        let rest = 1.0 - theta;
        let [first, last] = &self.rates;
        let ends = from.iter().zip(to).zip(first.as_ref().iter().zip(last.as_ref()));
        for (q, ((from, to), (first, last))) in self.q.as_mut().iter_mut().zip(ends) {
            let d = to - from;
            *q = from + theta * (d + rest * (rest * (h * first - d) - theta * (h * last - d)));
        }
    }
}

/// A quaternion or its negative, whichever is nearer to another.
fn along(last: &[f64; 4], attitude: [f64; 4]) -> [f64; 4] {
    let product: f64 = last.iter().zip(attitude).map(|(a, b)| a * b).sum();
    if product < 0.0 { attitude.map(|x| -x) } else { attitude }
}
