//! Mass matrix and generalised forces in space, by recursions in local frames.
//!
//! With m, h, S the moments about a link's origin, U = ω̃ω̃ + α̃ and a the acceleration of the origin less gravity:
//!
//! ```text
//! (1)  f = m a + U h        n = vee(U S − S Uᵀ) + h × a
//! (2)  Jᵀ f, from the outermost link inwards: add wrenches of children to those of their parents, project on the motion subspaces
//! (3)  columns of M: (1) for a unit acceleration of the link and everything outboard of it, propagated inwards as in (2)
//! ```
//!
//! Parts of a link's moments that the motion of its joint does not affect may be assigned to its parent: this regrouping saves operations.
//! Featherstone (2008), §5 and §6; Khalil, Dombre (2002), *Modeling, Identification and Control of Robots*, §9.4; the
//! form with second moments is that of pseudo-inertias.

use mbs_expr::{JointId, Scalar};
use mbs_math::{Each, Mat3, Vector};

use super::links::{Link, LinkOwner, Mobilizer};
use super::state::{Linear, SpaceState};
use super::transform::{Moments, Transform};
use super::twist::LinkWrench;
use super::vector::{Vector3, unit, zero};
use crate::{Tree, Wrench};

/// Axes of a load's components.
#[derive(Clone, Copy)]
pub(super) enum Axes {
    World,
    /// Axes of the body that the load acts on.
    Body,
}

impl<S: Scalar> SpaceState<S> {
    /// Whether the origin of a free link is the centre of mass of its body, with the velocity in world axes.
    fn is_centroidal(&self, link: usize) -> bool {
        matches!(self.links[link].velocity, Linear::World(_))
    }

    /// Wrench on a body's link, with the index of that link, of a force at a point of the body and a moment; `point` is in body axes. `None` for a
    /// body without a link.
    pub(super) fn wrench_at(
        &self,
        body: usize,
        point: Vector3<S>,
        axes: Axes,
        [force, moment]: [Vector3<S>; 2],
    ) -> Option<(usize, LinkWrench<S>)> {
        let (link, pose) = &self.bodies[body];
        let link = (*link)?;
        let rotation = &self.links[link].rotation;
        let in_link = |v: Vector3<S>| match axes {
            Axes::World => rotation.transpose_times(v),
            Axes::Body => pose.rotate(v),
        };
        let local = in_link(force);
        let moment = pose.point(point).cross(local) + in_link(moment);
        let force = match axes {
            _ if !self.is_centroidal(link) => local,
            Axes::World => force,
            Axes::Body => rotation * local,
        };
        Some((link, LinkWrench { moment, force }))
    }

    /// Force in world axes, and moment in body axes, about a point in link axes, of a wrench on a body's link.
    pub(super) fn force_and_moment_about(
        &self,
        body: usize,
        wrench: LinkWrench<S>,
        point: Vector3<S>,
    ) -> [Vector3<S>; 2] {
        let (link, pose) = &self.bodies[body];
        let to_body = |v: Vector3<S>| pose.rotation.as_ref().map_or(v, |r| r.transpose_times(v));
        let Some(link) = *link else { return [wrench.force, wrench.moment] };
        if self.is_centroidal(link) {
            // Its origin is the centre of mass.
            return [wrench.force, to_body(wrench.moment)];
        }
        let force = self.links[link].rotation * wrench.force;
        [force, to_body(wrench.moment - point.cross(wrench.force))]
    }

    /// Generalised forces along the solver's speeds of wrenches on links, by (2). Shape: n_v.
    pub fn project(&self, tree: &Tree, mut wrenches: Vec<LinkWrench<S>>) -> Vec<S> {
        let mut forces = vec![S::number(0.0); tree.n()];
        for (i, link) in tree.links.iter().enumerate().rev() {
            let projected = self.project_on_link(i, &link.mobilizer, wrenches[i]);
            forces[link.first_v..link.first_v + projected.len()].copy_from_slice(&projected);
            if let Some(parent) = link.parent {
                let LinkWrench { moment, force } = wrenches[i];
                let (moment, force) = self.links[i].transform.wrench_to_parent((moment, force));
                wrenches[parent] = wrenches[parent] + LinkWrench { moment, force };
            }
        }
        forces
    }

    /// Power, per unit rate of a prescribed coordinate (joint, index), of a wrench about a world position, world axes, on the joint's outboard body.
    pub fn prescribed_power(&self, tree: &Tree, coordinate: (JointId, u8), point: Vector3<S>, wrench: Wrench<S>) -> S {
        let has_coordinate = |link: &&Link| {
            matches!(link.owner, LinkOwner::Joint(j, first, _)
            if j == coordinate.0 && link.prescribed.iter().any(|p| first + p.0 == coordinate.1))
        };
        let Some(i) = tree.links.iter().position(|link| has_coordinate(&link)) else { return S::number(0.0) };
        let (link, state) = (&tree.links[i], &self.links[i]);
        let moment = wrench.torque + (point - state.origin).cross(wrench.force);
        let [moment, force] = [moment, wrench.force].each(|v| state.rotation.transpose_times(v));
        let wrench = LinkWrench { moment, force };
        let pose = state.variable.as_ref().and_then(|variable| variable.pose());
        match (pose, link.owner) {
            (Some(pose), LinkOwner::Joint(_, first, _)) => {
                let twist = pose.prescribed.iter().find(|p| first + p.0 == coordinate.1).map(|p| p.1);
                twist.map_or(S::number(0.0), |twist| twist.power(wrench))
            }
            _ => self.project_on_link(i, &link.mobilizer.unprescribed(), wrench)[0],
        }
    }

    /// Generalised force of a wrench on link i for each of its speeds: Sᵀ F.
    fn project_on_link(&self, i: usize, mobilizer: &Mobilizer, LinkWrench { moment, force }: LinkWrench<S>) -> Vec<S> {
        let signed = |sign: &f64, x: S| if *sign < 0.0 { -x } else { x };
        match mobilizer {
            Mobilizer::Revolute { axis, sign, .. } => vec![signed(sign, moment[*axis])],
            Mobilizer::Prismatic { .. } => vec![self.links[i].axis.dot(force)],
            Mobilizer::Screw { sign, .. } => vec![signed(sign, moment[2] + self.links[i].axis[2] * force[2])],
            Mobilizer::Translation => force.to_vec(),
            Mobilizer::Ball { .. } => moment.to_vec(),
            Mobilizer::Line { reversed: false, .. } => moment[..2].to_vec(),
            Mobilizer::Line { .. }
            | Mobilizer::Ellipsoid { .. }
            | Mobilizer::Orbit { .. }
            | Mobilizer::Posed { .. } => {
                let wrench = LinkWrench { moment, force };
                if let Some(pose) = self.links[i].variable.as_ref().and_then(|variable| variable.pose()) {
                    return pose.project(wrench);
                }
                self.links[i].variable_twists().iter().map(|twist| twist.power(wrench)).collect()
            }
            Mobilizer::Prescribed(_) => Vec::new(),
            Mobilizer::Free { .. } => force.0.into_iter().chain(moment.0).collect(),
        }
    }

    /// Inertial wrenches (1) of all links at their velocities and accelerations; `gravity` subtracts the weights. `moments` are the links' own,
    /// regrouped or not.
    pub fn inertial(&self, moments: &[Moments<S>], gravity: bool) -> Vec<LinkWrench<S>> {
        self.links
            .iter()
            .zip(moments)
            .map(|(link, masses)| {
                let u = &link.spin;
                let [xx, yy, zz] = link.omega.map(|x| x * x).0;
                let [s00, s11, s22, s01, s02, s12] = masses.second;
                let rotational = Vector([
                    u[2][0] * s01 - u[1][0] * s02 + (zz - yy) * s12 + u[2][1] * s11 - u[1][2] * s22,
                    u[0][1] * s12 - u[2][1] * s01 + (xx - zz) * s02 + u[0][2] * s22 - u[2][0] * s00,
                    u[1][2] * s02 - u[0][2] * s12 + (yy - xx) * s01 + u[1][0] * s00 - u[0][1] * s11,
                ]);
                match if gravity { link.proper } else { link.acceleration } {
                    Linear::World(a) => LinkWrench { moment: rotational, force: a * masses.mass },
                    Linear::Link(a) => {
                        let moment = rotational + masses.first.cross(a);
                        LinkWrench { moment, force: a * masses.mass + u * masses.first }
                    }
                }
            })
            .collect()
    }

    /// Angular momentum I ω \[kg m²/s\] of a body on a link about its centre of mass, world axes. `inertia` is the tensor in body axes: xx, yy, zz,
    /// xy, xz, yz. Zero for bodies without a link.
    pub fn rotational_momentum(&self, body: usize, inertia: [S; 6]) -> Vector3<S> {
        let (link, pose) = &self.bodies[body];
        let Some(link) = link.map(|l| &self.links[l]) else { return zero() };
        let omega = pose.rotation.as_ref().map_or(link.omega, |r| r.transpose_times(link.omega));
        link.rotation * pose.rotate(Mat3::symmetric(inertia) * omega)
    }

    /// I α + ω × I ω \[N m\] of a body about its centre of mass, world axes. `inertia` is the tensor in body axes: xx, yy, zz, xy, xz, yz.
    pub fn inertial_moment(&self, body: usize, inertia: [S; 6]) -> Vector3<S> {
        let tensor = Mat3::symmetric(inertia);
        if let Some(basis) = self.basis(body) {
            let axes = Mat3(self.natural_axes(basis));
            let [omega, alpha] = self.natural_angular_velocity(basis).map(|w| axes * w);
            let moment = tensor * alpha + omega.cross(tensor * omega);
            return axes.transpose() * moment;
        }
        let (link, pose) = &self.bodies[body];
        let Some(link) = link.map(|l| &self.links[l]) else { return zero() };
        let to_body = |v: Vector3<S>| pose.rotation.as_ref().map_or(v, |r| r.transpose_times(v));
        let (omega, alpha) = (to_body(link.omega), to_body(link.alpha));
        let moment = tensor * alpha + omega.cross(tensor * omega);
        link.rotation * pose.rotate(moment)
    }

    /// Moments of the links after regrouping: parts that a joint's motion does not affect are moved to the parent, or dropped on ground.
    pub fn regrouped(&self, tree: &Tree) -> Vec<Moments<S>> {
        let o = S::number(0.0);
        let mut moments: Vec<Moments<S>> = self.links.iter().map(|l| l.moments).collect();
        for (i, link) in tree.links.iter().enumerate().rev() {
            let source = &mut moments[i];
            let mut moved = Moments::zero();
            match link.mobilizer.unprescribed() {
                Mobilizer::Revolute { axis, .. } => {
                    moved.mass = std::mem::replace(&mut source.mass, o);
                    moved.first[axis] = std::mem::replace(&mut source.first[axis], o);
                    moved.second[axis] = std::mem::replace(&mut source.second[axis], o);
                }
                Mobilizer::Prismatic { .. } | Mobilizer::Translation | Mobilizer::Orbit { .. } => {
                    moved.second = std::mem::replace(&mut source.second, [o; 6]);
                }
                Mobilizer::Screw { .. } => moved.second[2] = std::mem::replace(&mut source.second[2], o),
                Mobilizer::Ball { .. } | Mobilizer::Line { .. } => moved.mass = std::mem::replace(&mut source.mass, o),
                Mobilizer::Ellipsoid { .. }
                | Mobilizer::Posed { .. }
                | Mobilizer::Prescribed(_)
                | Mobilizer::Free { .. } => {}
            }
            if let Some(parent) = link.parent {
                let parts = self.links[i].transform.parts[..self.links[i].fixed].to_vec();
                moments[parent] = moments[parent] + Transform { parts }.moments_to_parent(moved);
            }
        }
        moments
    }

    /// Mass matrix with respect to the links' speeds, by (3): nonzero entries (i, j, Mᵢⱼ), i ≥ j.
    pub fn mass_matrix(&self, tree: &Tree, moments: &[Moments<S>]) -> Vec<(usize, usize, S)> {
        let mut composite = moments.to_vec();
        for (i, link) in tree.links.iter().enumerate().rev() {
            if let Some(parent) = link.parent {
                composite[parent] = composite[parent] + self.links[i].transform.moments_to_parent(composite[i]);
            }
        }
        let mut entries = Vec::new();
        let mut add = |i: usize, j: usize, x: S| {
            if !x.is_zero() {
                entries.push((i, j, x));
            }
        };
        for (i, link) in tree.links.iter().enumerate() {
            for (k, wrench) in self.unit_wrenches(i, &link.mobilizer, &composite[i]).into_iter().enumerate() {
                let row = link.first_v + k;
                let forces = self.project_on_link(i, &link.mobilizer, wrench);
                (0..=k).for_each(|c| add(row, link.first_v + c, forces[c]));
                let (mut l, mut wrench) = (i, (wrench.moment, wrench.force));
                while let Some(parent) = tree.links[l].parent {
                    wrench = self.links[l].transform.wrench_to_parent(wrench);
                    l = parent;
                    let on_link = LinkWrench { moment: wrench.0, force: wrench.1 };
                    let projected = self.project_on_link(l, &tree.links[l].mobilizer, on_link);
                    projected.into_iter().enumerate().for_each(|(c, x)| add(row, tree.links[l].first_v + c, x));
                }
            }
        }
        entries
    }

    /// Wrenches that accelerate link i and everything outboard of it, with moments `masses`, at unit acceleration of each of the link's speeds.
    fn unit_wrenches(&self, i: usize, mobilizer: &Mobilizer, masses: &Moments<S>) -> Vec<LinkWrench<S>> {
        let centroidal = self.is_centroidal(i);
        let rotate = |a: Vector3<S>| {
            let force = if centroidal { zero() } else { a.cross(masses.first) };
            LinkWrench { moment: masses.inertia_times(a), force }
        };
        let translate = |a: Vector3<S>| {
            let moment = if centroidal { zero() } else { masses.first.cross(a) };
            LinkWrench { moment, force: a * masses.mass }
        };
        let signed = |sign: f64, a: Vector3<S>| if sign < 0.0 { zero() - a } else { a };
        match *mobilizer {
            Mobilizer::Revolute { axis, sign, .. } => vec![rotate(signed(sign, unit(axis)))],
            Mobilizer::Prismatic { .. } => vec![translate(self.links[i].axis)],
            Mobilizer::Screw { sign, .. } => {
                vec![rotate(signed(sign, unit(2))) + translate(signed(sign, self.links[i].axis))]
            }
            Mobilizer::Translation => (0..3).map(|k| translate(unit(k))).collect(),
            Mobilizer::Ball { .. } => (0..3).map(|k| rotate(unit(k))).collect(),
            Mobilizer::Line { reversed: false, .. } => (0..2).map(|k| rotate(unit(k))).collect(),
            Mobilizer::Line { .. }
            | Mobilizer::Ellipsoid { .. }
            | Mobilizer::Orbit { .. }
            | Mobilizer::Posed { .. } => {
                let twists = self.links[i].variable_twists().iter();
                twists.map(|twist| rotate(twist.angular) + translate(twist.linear)).collect()
            }
            Mobilizer::Prescribed(_) => Vec::new(),
            Mobilizer::Free { .. } => {
                (0..3).map(|k| translate(unit(k))).chain((0..3).map(|k| rotate(unit(k)))).collect()
            }
        }
    }
}
