//! Joints whose kinds a text declares with speeds of their own, q̇ = N(q) u: where these stand, and in the plane, where the solver's speeds
//! are rates all the same, how the two are had from each other.

use mbs_expr::Scalar;
use mbs_model::{JointPose, Model};

use super::posed::Posing;
use super::{InterfaceCoordinate, InterfaceSpeed, Mechanics, Tree, Variables};

/// Coordinates and speeds of such a joint.
#[derive(Clone, Copy, Debug)]
pub struct DeclaredSpeeds<'m> {
    /// The pose with N.
    pub pose: &'m JointPose,
    /// First of its interface coordinates.
    pub first_q: usize,
    /// First of its interface speeds.
    pub first_v: usize,
}

impl Tree {
    /// Joints with speeds of their own.
    pub fn declared_speeds<'m>(&self, model: &'m Model) -> Vec<DeclaredSpeeds<'m>> {
        let placed = |pose: &'m JointPose| {
            let (q, v) = (InterfaceCoordinate::Joint(pose.joint, 0), InterfaceSpeed::Joint(pose.joint, 0));
            let first_q = self.interface.iter().position(|c| *c == q)?;
            let first_v = self.speeds.iter().position(|s| *s == v)?;
            Some(DeclaredSpeeds { pose, first_q, first_v })
        };
        model.poses.iter().filter(|pose| pose.rates.is_some()).filter_map(placed).collect()
    }
}

impl<'m, S: Scalar> Mechanics<'m, S> {
    /// In the plane, the interface's coordinates from q on while its speeds are v(τ), up to a power of τ: q(τ) follows from q̇ = N(q) v,
    /// coefficient by coefficient.
    pub fn path_in_plane(
        model: &'m Model,
        tree: &'m Tree,
        variables: &Variables<S>,
        (q, v): (&[S], &[S]),
        order: usize,
    ) -> Vec<S> {
        let mut path = q.to_vec();
        for k in 1..=order {
            let rates = Self::declared_rates(model, tree, variables.clone(), &path, v);
            path.iter_mut().zip(rates).for_each(|(x, rate)| *x = x.with_coefficient(k, rate));
        }
        path
    }

    /// In the plane, q̇ of the interface at coordinates and speeds of the interface: v but for such joints.
    pub fn declared_rates(model: &'m Model, tree: &'m Tree, variables: Variables<S>, q: &[S], v: &[S]) -> Vec<S> {
        let t = variables.t;
        let constants = Self::unplaced(model, tree, variables, q.to_vec());
        let constant = |e| constants.value(e);
        let mut rates = v.to_vec();
        for DeclaredSpeeds { pose, first_q, first_v } in tree.declared_speeds(model) {
            let posing = Posing { model, pose, constant: &constant, t };
            let own = posing.declared_rates(&q[first_q..first_q + pose.n_q()], &v[first_v..first_v + pose.n_v()]);
            rates[first_q..first_q + own.len()].copy_from_slice(&own);
        }
        rates
    }

    /// In the plane, the interface's speeds along the motion.
    pub fn declared_speeds(&self) -> Vec<S> {
        let mut speeds: Vec<S> = self.interface_coordinates().into_iter().map(|q| q.rate()).collect();
        for DeclaredSpeeds { pose, first_v, .. } in self.tree.declared_speeds(self.model) {
            for (speed, measured) in speeds[first_v..].iter_mut().zip(&pose.measured) {
                *speed = self.value(*measured);
            }
        }
        speeds
    }
}
