//! Loads that Rust closures apply to a mechanism at run time.
//!
//! With Q⁺ = Σ Jᵀ[F; τ + (p − o) × F] + generalised values, over the bodies' twist Jacobians J and origins o:
//!
//! 1. M a + Gᵀ λ = Q, G a = γ      (the mechanism's own accelerations)
//! 2. M x + Gᵀ μ = Q⁺, G x = 0     (the same factorisation)
//! 3. a ← a + x, λ ← λ + μ         (the sum solves M a + Gᵀ λ = Q + Q⁺, G a = γ)
//!
//! Reactions of joints that close loops follow from λ; those of pins that share a point in natural coordinates are not known. Reactions of joints
//! of the tree include the added wrenches of all outboard bodies, without the components in the directions of their degrees of freedom: these
//! cause accelerations.

mod contract;

use std::borrow::Borrow;
use std::cell::RefCell;

use super::watch::Watch;
use super::{Cause, Failure, Recording, UnknownName};
use mbs_core::{Describe, Item, Pose, Reaction, RowKind, Sizes, State, StateView};
use mbs_math::{Vec3, Vector};

/// A body of a mechanism, by index or by name; loads on `"ground"` have no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyName<'a> {
    /// Index, ground not counted.
    Index(usize),
    /// Name as declared.
    Name(&'a str),
}

impl From<usize> for BodyName<'_> {
    fn from(index: usize) -> Self {
        BodyName::Index(index)
    }
}

impl<'a> From<&'a str> for BodyName<'a> {
    fn from(name: &'a str) -> Self {
        BodyName::Name(name)
    }
}

/// A closure that applies loads, as [`Loaded`] takes it.
pub(crate) type Load<'m> = dyn Fn(StateView, &mut Loads) + 'm;

/// Accumulates the loads of one evaluation.
pub struct Loads<'a> {
    names: &'a [String],
    poses: &'a [Pose],
    jacobians: &'a [f64],
    forces: &'a mut [f64],
    wrenches: &'a mut [[f64; 6]],
    unknown: &'a mut Option<UnknownName>,
}

impl Loads<'_> {
    /// Adds a force \[N\] at a point \[m\] and a torque \[N m\] to a body, all in world axes.
    ///
    /// A name that no body has stops the simulation with [`Cause::Unknown`](super::Cause::Unknown).
    pub fn wrench<'n>(&mut self, body: impl Into<BodyName<'n>>, point: [f64; 3], force: [f64; 3], torque: [f64; 3]) {
        let Some(body) = self.find(body.into()) else { return };
        let origin = self.poses[body].position;
        let moment = (Vector(torque) + (Vector(point) - Vector(origin)).cross(Vector(force))).0;
        let sum = self.wrenches[body].iter_mut();
        sum.zip(force.iter().chain(&moment)).for_each(|(sum, component)| *sum += component);
        let n_v = self.forces.len();
        for (row, component) in force.iter().chain(&moment).enumerate() {
            let jacobian = &self.jacobians[(6 * body + row) * n_v..][..n_v];
            for (sum, j) in self.forces.iter_mut().zip(jacobian) {
                *sum += j * component;
            }
        }
    }

    /// Adds a value to the generalised force on speed i.
    ///
    /// # Panics
    /// If there is no such speed.
    pub fn generalized(&mut self, speed: usize, value: f64) {
        self.forces[speed] += value;
    }

    /// Pose of a body at this evaluation; `None` for ground and for unknown names.
    pub fn pose<'n>(&mut self, body: impl Into<BodyName<'n>>) -> Option<Pose> {
        self.find(body.into()).map(|body| self.poses[body])
    }

    /// World position \[m\] of a point `local` \[m\] from the origin of a body, in its axes; `local` itself for ground.
    pub fn point<'n>(&mut self, body: impl Into<BodyName<'n>>, local: [f64; 3]) -> [f64; 3] {
        let Some(pose) = self.pose(body) else { return local };
        (Vector(pose.position) + Vector(rotate(pose.attitude, local))).0
    }

    fn find(&mut self, body: BodyName) -> Option<usize> {
        match body {
            BodyName::Index(index) if index < self.poses.len() => return Some(index),
            BodyName::Index(index) => self.note_unknown(&index.to_string()),
            BodyName::Name("ground") => {}
            BodyName::Name(name) => {
                let found = self.names.iter().position(|known| known == name);
                if found.is_none() {
                    self.note_unknown(name);
                }
                return found;
            }
        }
        None
    }

    fn note_unknown(&mut self, name: &str) {
        let names = self.names.iter().map(String::as_str);
        self.unknown.get_or_insert_with(|| UnknownName::new("body", name, names));
    }
}

/// R(e) x = x + 2 e₀ (e × x) + 2 e × (e × x) for a unit quaternion (e₀, e).
pub(crate) fn rotate([e0, e1, e2, e3]: [f64; 4], x: [f64; 3]) -> [f64; 3] {
    let (e, x) = (Vector([e1, e2, e3]), Vector(x));
    let once = e.cross(x);
    (x + (once * e0 + e.cross(once)) * 2.0).0
}

/// A mechanism with additional loads, itself a mechanism: everything but Q, a and λ is delegated.
///
/// The closure is called at every evaluation of accelerations, and its loads must depend on its arguments alone. They are not included in the
/// energies, nor in declared values of events that are computed from accelerations or reactions. Evaluation allocates
/// nothing.
///
/// ```
/// # use mbs::{Describe, Loaded, Mechanism};
/// # fn load(mechanism: &impl Describe) {
/// let pulled = Loaded::new(mechanism, |_, loads| {
///     let tip = loads.point("crank", [0.1, 0.0, 0.0]);
///     loads.wrench("crank", tip, [0.0, -50.0, 0.0], [0.0; 3]);
/// });
/// # let _ = pulled.sizes();
/// # }
/// ```
pub struct Loaded<'m, M: ?Sized, F> {
    mechanism: &'m M,
    load: Option<F>,
    /// Events after those of the mechanism.
    watches: Vec<Watch<'m>>,
    names: Vec<String>,
    /// Whether some bodies have natural coordinates, with rows that keep them rigid.
    is_natural: bool,
    work: RefCell<Work>,
}

/// The mechanism without the loads, whose derivatives integrators use if it has any.
impl<M, F> Borrow<M> for Loaded<'_, M, F> {
    fn borrow(&self) -> &M {
        self.mechanism
    }
}

struct Work {
    poses: Vec<Pose>,
    jacobians: Vec<f64>,
    forces: Vec<f64>,
    /// Force and moment about the origin, by body.
    wrenches: Vec<[f64; 6]>,
    x: Vec<f64>,
    mu: Vec<f64>,
    no_rows: Vec<f64>,
    unknown: Option<UnknownName>,
    neighbour: Neighbour,
}

/// A state near the one that is evaluated, with its rates, and two values of each event.
#[derive(Default)]
struct Neighbour {
    state: [Vec<f64>; 3],
    rates: [Vec<f64>; 3],
    lambda: Vec<f64>,
    values: [Vec<f64>; 2],
}

impl<'m, M: Describe + ?Sized, F: Fn(StateView, &mut Loads)> Loaded<'m, M, F> {
    /// The mechanism with the loads of a closure.
    pub fn new(mechanism: &'m M, load: F) -> Self {
        Loaded::with_events(mechanism, Some(load), Vec::new())
    }

    /// The mechanism with the loads of a closure, if there is one, and with the events of closures.
    pub(crate) fn with_events(mechanism: &'m M, load: Option<F>, watches: Vec<Watch<'m>>) -> Self {
        let Sizes { n_q, n_v, n_c, n_bodies, n_events, .. } = mechanism.sizes();
        let n_stored = mechanism.storage().3.as_ref().len();
        let vectors = [n_q, n_v, n_stored].map(|n| vec![0.0; n]);
        let values = vec![0.0; n_events + watches.len()];
        let neighbour = Neighbour {
            state: vectors.clone(),
            rates: vectors,
            lambda: vec![0.0; n_c],
            values: [values.clone(), values],
        };
        let work = Work {
            poses: vec![Pose { position: [0.0; 3], attitude: [1.0, 0.0, 0.0, 0.0] }; n_bodies],
            jacobians: vec![0.0; 6 * n_v * n_bodies],
            forces: vec![0.0; n_v],
            wrenches: vec![[0.0; 6]; n_bodies],
            x: vec![0.0; n_v],
            mu: vec![0.0; n_c],
            no_rows: vec![0.0; n_c],
            unknown: None,
            neighbour,
        };
        let names = (0..n_bodies).map(|i| mechanism.name(Item::Body(i)).to_owned()).collect();
        let is_natural = (0..n_c).any(|row| matches!(mechanism.row_kind(row), RowKind::Body(_)));
        Loaded { mechanism, load, watches, names, is_natural, work: RefCell::new(work) }
    }

    /// The first body name in the loads that the mechanism does not have.
    pub fn unknown(&self) -> Option<UnknownName> {
        self.work.borrow().unknown.clone()
    }

    /// The outcome of a run, which is a failure if a load named a body that the mechanism does not have.
    pub(crate) fn judge(&self, outcome: Result<Recording, Failure>) -> Result<Recording, Failure> {
        let Some(unknown) = self.unknown() else { return outcome };
        let cause = Cause::Unknown(unknown);
        Err(match outcome {
            Ok(recording) => Failure::at_state(cause, Box::new(recording), &State::new(self)),
            Err(mut failure) => {
                failure.cause = cause;
                failure
            }
        })
    }

    /// Writes Q⁺ of the module header to `work.forces`, and the wrenches on bodies to `work.wrenches`.
    fn evaluate(&self, at: StateView, work: &mut Work) {
        self.mechanism.poses(at, &mut work.poses);
        self.mechanism.body_jacobians(at, &mut work.jacobians);
        work.forces.fill(0.0);
        work.wrenches.fill([0.0; 6]);
        let Some(load) = &self.load else { return };
        let mut loads = Loads {
            names: &self.names,
            poses: &work.poses,
            jacobians: &work.jacobians,
            forces: &mut work.forces,
            wrenches: &mut work.wrenches,
            unknown: &mut work.unknown,
        };
        load(at, &mut loads);
    }
}

impl<M: Describe + ?Sized, F> Loaded<'_, M, F> {
    /// Adds the added wrench on a body to the reactions of the joints of the tree between the body and ground, with opposite sign.
    fn add_to_reactions(&self, body: usize, work: &Work, reactions: &mut [Reaction]) {
        let [fx, fy, fz, mx, my, mz] = work.wrenches[body];
        let (force, about_origin) = (Vector([fx, fy, fz]), Vector([mx, my, mz]));
        let origin = Vector(work.poses[body].position);
        let mut next = Some(body);
        // At most as many joints as bodies, so that the loop ends also for placements that form a circle.
        for _ in 0..work.wrenches.len() {
            let Some((child, placed)) = next.and_then(|child| Some((child, self.mechanism.placement(child)?))) else {
                return;
            };
            let Some(reaction) = reactions.get_mut(placed.joint) else { return };
            let arm = origin - Vector(reaction.point);
            let (mut constrained, mut moment) = (force, about_origin + arm.cross(force));
            let n_v = work.forces.len();
            for speed in placed.first_speed..placed.first_speed + placed.speeds {
                let column = |row: usize| work.jacobians[(6 * child + row) * n_v + speed];
                let (velocity, spin) = (Vector([0, 1, 2].map(column)), Vector([3, 4, 5].map(column)));
                if spin.0 == [0.0; 3] {
                    constrained = remove_component(constrained, velocity);
                } else {
                    moment = remove_component(moment, spin);
                }
            }
            let sign = if placed.reversed { 1.0 } else { -1.0 };
            reaction.force = (Vector(reaction.force) + constrained * sign).0;
            reaction.torque = (Vector(reaction.torque) + moment * sign).0;
            next = placed.parent;
        }
    }
}

/// A vector minus its component in a direction.
fn remove_component(x: Vec3<f64>, direction: Vec3<f64>) -> Vec3<f64> {
    x - direction * (x.dot(direction) / direction.square().max(f64::MIN_POSITIVE))
}

fn add(sum: &mut [f64], terms: &[f64]) {
    for (sum, term) in sum.iter_mut().zip(terms) {
        *sum += term;
    }
}
