//! Joints whose declared kinds have speeds that are not rates, q̇ = N(q) u: indices of their coordinates and speeds, and in the plane, where the
//! solver's speeds are always rates, the conversions between both.

use mbs_expr::Scalar;
use mbs_model::{JointPose, Model};

use super::pose_evaluator::PoseEvaluator;
use super::{InterfaceCoordinate, InterfaceSpeed, Mechanics, Tree, Variables};

/// Coordinates and speeds of a joint with declared speeds.
#[derive(Clone, Copy, Debug)]
pub struct DeclaredSpeeds<'m> {
    /// The pose with N.
    pub pose: &'m JointPose,
    /// Index of its first interface coordinate.
    pub first_q: usize,
    /// Index of its first interface speed.
    pub first_v: usize,
}

impl Tree {
    /// Joints with declared speeds, in the order of `Coordinates::poses`.
    pub fn declared_speeds<'m>(&self, model: &'m Model) -> Vec<DeclaredSpeeds<'m>> {
        let speeds = |pose: &'m JointPose| {
            let (q, v) = (InterfaceCoordinate::Joint(pose.joint, 0), InterfaceSpeed::Joint(pose.joint, 0));
            let first_q = self.interface.iter().position(|c| *c == q)?;
            let first_v = self.speeds.iter().position(|s| *s == v)?;
            Some(DeclaredSpeeds { pose, first_q, first_v })
        };
        model.coordinates.poses.iter().filter(|pose| pose.rates.is_some()).filter_map(speeds).collect()
    }
}

impl<'m, S: Scalar> Mechanics<'m, S> {
    /// In the plane, interface coordinates q(τ) with q(0) = `q` at interface speeds `v` (τ), up to the power `order` of τ: the coefficients follow
    /// one by one from q̇ = N(q) v. Shapes: n_q.
    pub fn planar_path(
        model: &'m Model,
        tree: &'m Tree,
        variables: &Variables<S>,
        q: &[S],
        v: &[S],
        order: usize,
    ) -> Vec<S> {
        let mut path = q.to_vec();
        for k in 1..=order {
            let rates = Self::declared_rates(model, tree, variables.clone(), &path, v);
            path.iter_mut().zip(rates).for_each(|(x, rate)| *x = x.with_coefficient(k, rate));
        }
        path
    }

    /// In the plane, rates q̇ of the interface coordinates at coordinates `q` and speeds `v` of the interface: v, except N(q) v for joints with
    /// declared speeds. Shapes: n_q.
    pub fn declared_rates(model: &'m Model, tree: &'m Tree, variables: Variables<S>, q: &[S], v: &[S]) -> Vec<S> {
        let t = variables.t;
        let constants = Self::without_poses(model, tree, variables, q.to_vec());
        let constant = |e| constants.value(e);
        let mut rates = v.to_vec();
        for DeclaredSpeeds { pose, first_q, first_v } in tree.declared_speeds(model) {
            let posing = PoseEvaluator::new(model, pose, &constant, t);
            let declared = posing.declared_rates(&q[first_q..first_q + pose.n_q()], &v[first_v..first_v + pose.n_v()]);
            rates[first_q..first_q + declared.len()].copy_from_slice(&declared);
        }
        rates
    }

    /// In the plane, the interface speeds of the motion, from its rates. Shape: n_v.
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
