//! Signs of recorded attitudes in the steps of a run.
//!
//! A quaternion and its negative are the same rotation, and a mechanism that computes attitudes from directions may give either. The sign of a body
//! is followed from the beginning of a step to its end on the [`StepPath`], like the [memories](Mechanism::remember) of outputs.

use mbs_core::{Followed, Mechanism, Pose, State, StateView, StepPath};

/// Attitudes of bodies with continuous signs.
pub(crate) struct Signs<M: Mechanism> {
    /// The last state, if there is one.
    last: Option<State<M>>,
    path: StepPath<M, f64>,
    attitudes: Attitudes,
}

struct Attitudes {
    /// Attitudes at the last state, with their signs.
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

    /// Follows the signs to a state: the end of a step or of a part of it, or the state after a handler at the same time.
    pub(crate) fn follow(&mut self, mechanism: &M, to: &State<M>) {
        let moved = |from: &State<M>| from.q.as_ref() != to.q.as_ref() || from.t != to.t;
        match &mut self.last {
            None => {
                self.attitudes.advance(mechanism, to.view(&[]));
                self.last = Some(to.clone());
            }
            Some(from) if moved(from) => {
                if to.t != from.t {
                    self.path.follow(mechanism, from, to, &mut self.attitudes);
                }
                self.attitudes.advance(mechanism, to.view(&[]));
                from.copy_from(to);
            }
            Some(_) => {}
        }
    }

    /// The attitude of a body with its sign. The next row is compared with it.
    pub(crate) fn signed_attitude(&mut self, body: usize, attitude: [f64; 4]) -> [f64; 4] {
        let signed = &mut self.attitudes.signed;
        match signed.get_mut(body) {
            Some(last) => *last = nearer(last, attitude),
            None => signed.push(attitude),
        }
        signed[body]
    }
}

impl Attitudes {
    /// Advances to a state, with the signs that are nearer to the attitudes before. Attitudes of the first state keep their signs.
    fn advance<M: Mechanism>(&mut self, mechanism: &M, at: StateView<'_>) {
        mechanism.poses(at, &mut self.poses[0]);
        let attitudes = self.poses[0].iter().map(|pose| pose.attitude);
        if self.signed.is_empty() {
            self.signed.extend(attitudes);
        } else {
            self.signed.iter_mut().zip(attitudes).for_each(|(last, attitude)| *last = nearer(last, attitude));
        }
    }
}

impl<M: Mechanism> Followed<M, f64> for Attitudes {
    fn distance(&mut self, mechanism: &M, state: &State<M>, t: f64, q: &[f64]) -> f64 {
        mechanism.poses(state.view(&[]), &mut self.poses[0]);
        mechanism.poses(StateView { t, q, ..state.view(&[]) }, &mut self.poses[1]);
        let [here, there] = &self.poses;
        let differences = here.iter().zip(there).map(|(here, there)| {
            let there = nearer(&here.attitude, there.attitude);
            here.attitude.iter().zip(there).fold(0.0_f64, |far, (a, b)| far.max((b - a).abs()))
        });
        differences.fold(0.0_f64, f64::max)
    }

    fn pass(&mut self, mechanism: &M, to: &State<M>, t: f64, q: &[f64]) {
        self.advance(mechanism, StateView { t, q, ..to.view(&[]) });
    }
}

/// A quaternion or its negative, whichever is nearer to another.
fn nearer(last: &[f64; 4], attitude: [f64; 4]) -> [f64; 4] {
    let product: f64 = last.iter().zip(attitude).map(|(a, b)| a * b).sum();
    if product < 0.0 { attitude.map(|x| -x) } else { attitude }
}
