//! Signs of recorded attitudes along the steps of a run.
//!
//! A quaternion and its negative are one rotation, and a mechanism that reads attitudes from directions has either. The sign of a body goes on from
//! the beginning of a step to its end along its [`StepPath`], as [memories](Mechanism::remember) of outputs do.

use mbs_core::{Followed, Mechanism, Pose, State, StateView, StepPath};

/// Attitudes of bodies with the signs that they have along the steps so far.
pub(crate) struct Signs<M: Mechanism> {
    /// The state last reached, where there is one.
    last: Option<State<M>>,
    path: StepPath<M, f64>,
    attitudes: Attitudes,
}

struct Attitudes {
    /// Those reached, with their signs.
    signed: Vec<[f64; 4]>,
    poses: [Vec<Pose>; 2],
}

impl<M: Mechanism> Signs<M> {
    pub(crate) fn new(mechanism: &M) -> Self {
        let pose = Pose { position: [0.0; 3], attitude: [1.0, 0.0, 0.0, 0.0] };
        let poses = vec![pose; mechanism.sizes().n_bodies];
        let attitudes = Attitudes { signed: Vec::new(), poses: [poses.clone(), poses] };
        Signs { last: None, path: StepPath::new(mechanism), attitudes }
    }

    /// Goes on to a state: the end of a step or a part of it, or where a handler has put it at the same time.
    pub(crate) fn follow(&mut self, mechanism: &M, to: &State<M>) {
        let moved = |from: &State<M>| from.q.as_ref() != to.q.as_ref() || from.t != to.t;
        match &mut self.last {
            None => {
                self.attitudes.go_on(mechanism, to.view(&[]));
                self.last = Some(to.clone());
            }
            Some(from) if moved(from) => {
                if to.t != from.t {
                    self.path.follow(mechanism, from, to, &mut self.attitudes);
                }
                self.attitudes.go_on(mechanism, to.view(&[]));
                from.copy_from(to);
            }
            Some(_) => {}
        }
    }

    /// The attitude of a body with its sign, and the attitude that the next row goes on from.
    pub(crate) fn row(&mut self, body: usize, attitude: [f64; 4]) -> [f64; 4] {
        let signed = &mut self.attitudes.signed;
        match signed.get_mut(body) {
            Some(last) => *last = along(last, attitude),
            None => signed.push(attitude),
        }
        signed[body]
    }
}

impl Attitudes {
    /// Takes the signs of the attitudes of a state that are nearest to those before; those of the first state as they are.
    fn go_on<M: Mechanism>(&mut self, mechanism: &M, at: StateView<'_>) {
        mechanism.poses(at, &mut self.poses[0]);
        let attitudes = self.poses[0].iter().map(|pose| pose.attitude);
        if self.signed.is_empty() {
            self.signed.extend(attitudes);
        } else {
            self.signed.iter_mut().zip(attitudes).for_each(|(last, attitude)| *last = along(last, attitude));
        }
    }
}

impl<M: Mechanism> Followed<M, f64> for Attitudes {
    fn distance(&mut self, mechanism: &M, state: &State<M>, t: f64, q: &[f64]) -> f64 {
        mechanism.poses(state.view(&[]), &mut self.poses[0]);
        mechanism.poses(StateView { t, q, ..state.view(&[]) }, &mut self.poses[1]);
        let [here, there] = &self.poses;
        let differences = here.iter().zip(there).map(|(here, there)| {
            let there = along(&here.attitude, there.attitude);
            here.attitude.iter().zip(there).fold(0.0_f64, |far, (a, b)| far.max((b - a).abs()))
        });
        differences.fold(0.0_f64, f64::max)
    }

    fn pass(&mut self, mechanism: &M, to: &State<M>, t: f64, q: &[f64]) {
        self.go_on(mechanism, StateView { t, q, ..to.view(&[]) });
    }
}

/// A quaternion or its negative, whichever is nearer to another.
fn along(last: &[f64; 4], attitude: [f64; 4]) -> [f64; 4] {
    let product: f64 = last.iter().zip(attitude).map(|(a, b)| a * b).sum();
    if product < 0.0 { attitude.map(|x| -x) } else { attitude }
}
