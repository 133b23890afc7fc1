//! Mass matrix and generalised forces in space, by recursions in local frames.
//!
//! With m, h, S the moments about a link's origin, U = ω̃ω̃ + α̃ and a the acceleration of the origin less gravity:
//!
//! ```text
//! (1)  f = m a + U h        n = vee(U S − S Uᵀ) + h × a
//! (2)  Jᵀ f, from the outermost link inwards: wrenches of children are added at their parents, parts along freedoms read off
//! (3)  columns of M: (1) for a unit acceleration of the link and all it carries, handed inwards
//! ```
//!
//! Parts of a link's moments that the motion of its joint does not affect may be assigned to its parent: regrouping inertias costs nothing
//! and saves operations. Featherstone (2008), §5 and §6; Khalil, Dombre (2002), *Modeling, Identification and Control of Robots*, §9.4; the
//! form with second moments is that of pseudo-inertias.

use mbs_expr::{JointId, Scalar};
use mbs_math::{Mat3, Vector};

use super::links::{Freedom, Link, LinkOwner};
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
    /// Whether a link moves by the centre of mass of the body on it.
    fn is_centred(&self, link: usize) -> bool {
        matches!(self.links[link].velocity, Linear::World(_))
    }

    /// Force at a point of a body and moment as a wrench on its link.
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
            Axes::Body => pose.up(v),
        };
        let local = in_link(force);
        let moment = pose.point(point).cross(local) + in_link(moment);
        let force = match axes {
            _ if !self.is_centred(link) => local,
            Axes::World => force,
            Axes::Body => rotation * local,
        };
        Some((link, LinkWrench { moment, force }))
    }

    /// Force in world axes, and moment about a point of its link in body axes, of a wrench on a body's link.
    pub(super) fn about(&self, body: usize, wrench: LinkWrench<S>, point: Vector3<S>) -> [Vector3<S>; 2] {
        let (link, pose) = &self.bodies[body];
        let down = |v: Vector3<S>| pose.rotation.as_ref().map_or(v, |r| r.transpose_times(v));
        let Some(link) = *link else { return [wrench.force, wrench.moment] };
        if self.is_centred(link) {
            // Its origin is the centre of mass.
            return [wrench.force, down(wrench.moment)];
        }
        let force = self.links[link].rotation * wrench.force;
        [force, down(wrench.moment - point.cross(wrench.force))]
    }

    /// (2)
    pub fn project(&self, tree: &Tree, mut wrenches: Vec<LinkWrench<S>>) -> Vec<S> {
        let mut forces = vec![S::number(0.0); tree.n()];
        for (i, link) in tree.links.iter().enumerate().rev() {
            let along = self.along(i, &link.freedom, wrenches[i]);
            forces[link.first_v..link.first_v + along.len()].copy_from_slice(&along);
            if let Some(parent) = link.parent {
                let LinkWrench { moment, force } = wrenches[i];
                let (moment, force) = self.links[i].transform.wrench_up((moment, force));
                wrenches[parent] = wrenches[parent] + LinkWrench { moment, force };
            }
        }
        forces
    }

    /// Power per unit rate of a joint's coordinate that is given, of a wrench about a point, world axes, on what the joint carries.
    pub fn along_given(&self, tree: &Tree, joint: (JointId, u8), at: Vector3<S>, wrench: Wrench<S>) -> S {
        let mine = |link: &&Link| {
            matches!(link.owner, LinkOwner::Joint(j, first, _)
            if j == joint.0 && link.given.iter().any(|g| first + g.0 == joint.1))
        };
        let Some(i) = tree.links.iter().position(|link| mine(&link)) else { return S::number(0.0) };
        let (link, state) = (&tree.links[i], &self.links[i]);
        let moment = wrench.torque + (at - state.origin).cross(wrench.force);
        let [moment, force] = [moment, wrench.force].map(|v| state.rotation.transpose_times(v));
        let wrench = LinkWrench { moment, force };
        let pose = state.guided.as_ref().and_then(|guided| guided.pose());
        match (pose, link.owner) {
            (Some(pose), LinkOwner::Joint(_, first, _)) => {
                let twist = pose.given.iter().find(|g| first + g.0 == joint.1).map(|g| g.1);
                twist.map_or(S::number(0.0), |twist| twist.power(wrench))
            }
            _ => self.along(i, &link.freedom.moved(), wrench)[0],
        }
    }

    /// Parts of a wrench along a link's freedoms.
    fn along(&self, i: usize, freedom: &Freedom, LinkWrench { moment, force }: LinkWrench<S>) -> Vec<S> {
        let signed = |sign: &f64, x: S| if *sign < 0.0 { -x } else { x };
        match freedom {
            Freedom::Turn { axis, sign, .. } => vec![signed(sign, moment[*axis])],
            Freedom::Slide { .. } => vec![self.links[i].axis.dot(force)],
            Freedom::Screw { sign, .. } => vec![signed(sign, moment[2] + self.links[i].axis[2] * force[2])],
            Freedom::Shift => force.to_vec(),
            Freedom::Ball { .. } => moment.to_vec(),
            Freedom::Line { reversed: false, .. } => moment[..2].to_vec(),
            Freedom::Line { .. } | Freedom::Ellipsoid { .. } | Freedom::Orbit { .. } | Freedom::Posed { .. } => {
                let wrench = LinkWrench { moment, force };
                if let Some(pose) = self.links[i].guided.as_ref().and_then(|guided| guided.pose()) {
                    return pose.along(wrench);
                }
                self.links[i].guided_twists().iter().map(|twist| twist.power(wrench)).collect()
            }
            Freedom::Given(_) => Vec::new(),
            Freedom::Float { .. } => force.0.into_iter().chain(moment.0).collect(),
        }
    }

    /// (1) for every link, at its angular acceleration and its acceleration, with or without gravity.
    pub fn inertial(&self, moments: &[Moments<S>], gravity: bool) -> Vec<LinkWrench<S>> {
        self.links
            .iter()
            .zip(moments)
            .map(|(link, of)| {
                let u = &link.spin;
                let [xx, yy, zz] = link.omega.map(|x| x * x).0;
                let [s00, s11, s22, s01, s02, s12] = of.second;
                let turning = Vector([
                    u[2][0] * s01 - u[1][0] * s02 + (zz - yy) * s12 + u[2][1] * s11 - u[1][2] * s22,
                    u[0][1] * s12 - u[2][1] * s01 + (xx - zz) * s02 + u[0][2] * s22 - u[2][0] * s00,
                    u[1][2] * s02 - u[0][2] * s12 + (yy - xx) * s01 + u[1][0] * s00 - u[0][1] * s11,
                ]);
                match if gravity { link.proper } else { link.acceleration } {
                    Linear::World(a) => LinkWrench { moment: turning, force: a * of.mass },
                    Linear::Own(a) => {
                        LinkWrench { moment: turning + of.first.cross(a), force: a * of.mass + u * of.first }
                    }
                }
            })
            .collect()
    }

    /// I ω of a body that stands on a link, about its centre of mass, world axes, with the tensor in body axes.
    pub fn spin(&self, body: usize, inertia: [S; 6]) -> Vector3<S> {
        let (link, pose) = &self.bodies[body];
        let Some(link) = link.map(|l| &self.links[l]) else { return zero() };
        let omega = pose.rotation.as_ref().map_or(link.omega, |r| r.transpose_times(link.omega));
        link.rotation * pose.up(Mat3::symmetric(inertia) * omega)
    }

    /// I α + ω × I ω of a body about its centre of mass, world axes, with the tensor in body axes.
    pub fn inertial_moment(&self, body: usize, inertia: [S; 6]) -> Vector3<S> {
        let tensor = Mat3::symmetric(inertia);
        if let Some(basis) = self.basis(body) {
            let axes = Mat3(self.natural_axes(basis));
            let [omega, alpha] = self.natural_spin(basis).map(|w| axes * w);
            let moment = tensor * alpha + omega.cross(tensor * omega);
            return axes.transpose() * moment;
        }
        let (link, pose) = &self.bodies[body];
        let Some(link) = link.map(|l| &self.links[l]) else { return zero() };
        let down = |v: Vector3<S>| pose.rotation.as_ref().map_or(v, |r| r.transpose_times(v));
        let (omega, alpha) = (down(link.omega), down(link.alpha));
        let moment = tensor * alpha + omega.cross(tensor * omega);
        link.rotation * pose.up(moment)
    }

    /// Moments of the links with what a joint's motion leaves alone moved to the parent, or dropped on ground.
    pub fn regrouped(&self, tree: &Tree) -> Vec<Moments<S>> {
        let o = S::number(0.0);
        let mut moments: Vec<Moments<S>> = self.links.iter().map(|l| l.moments).collect();
        for (i, link) in tree.links.iter().enumerate().rev() {
            let own = &mut moments[i];
            let mut moved = Moments::zero();
            match link.freedom.moved() {
                Freedom::Turn { axis, .. } => {
                    moved.mass = std::mem::replace(&mut own.mass, o);
                    moved.first[axis] = std::mem::replace(&mut own.first[axis], o);
                    moved.second[axis] = std::mem::replace(&mut own.second[axis], o);
                }
                Freedom::Slide { .. } | Freedom::Shift | Freedom::Orbit { .. } => {
                    moved.second = std::mem::replace(&mut own.second, [o; 6]);
                }
                Freedom::Screw { .. } => moved.second[2] = std::mem::replace(&mut own.second[2], o),
                Freedom::Ball { .. } | Freedom::Line { .. } => moved.mass = std::mem::replace(&mut own.mass, o),
                Freedom::Ellipsoid { .. } | Freedom::Posed { .. } | Freedom::Given(_) | Freedom::Float { .. } => {}
            }
            if let Some(parent) = link.parent {
                let parts = self.links[i].transform.parts[..self.links[i].fixed].to_vec();
                moments[parent] = moments[parent] + Transform { parts }.moments_up(moved);
            }
        }
        moments
    }

    /// (3): nonzero entries (i, j, Mᵢⱼ), i ≥ j.
    pub fn mass_matrix(&self, tree: &Tree, moments: &[Moments<S>]) -> Vec<(usize, usize, S)> {
        let mut composite = moments.to_vec();
        for (i, link) in tree.links.iter().enumerate().rev() {
            if let Some(parent) = link.parent {
                composite[parent] = composite[parent] + self.links[i].transform.moments_up(composite[i]);
            }
        }
        let mut entries = Vec::new();
        let mut add = |i: usize, j: usize, x: S| {
            if !x.is_zero() {
                entries.push((i, j, x));
            }
        };
        for (i, link) in tree.links.iter().enumerate() {
            for (k, wrench) in self.columns_of(i, &link.freedom, &composite[i]).into_iter().enumerate() {
                let row = link.first_v + k;
                let own = self.along(i, &link.freedom, wrench);
                (0..=k).for_each(|c| add(row, link.first_v + c, own[c]));
                let (mut at, mut wrench) = (i, (wrench.moment, wrench.force));
                while let Some(parent) = tree.links[at].parent {
                    wrench = self.links[at].transform.wrench_up(wrench);
                    at = parent;
                    let on = LinkWrench { moment: wrench.0, force: wrench.1 };
                    let along = self.along(at, &tree.links[at].freedom, on);
                    along.into_iter().enumerate().for_each(|(c, x)| add(row, tree.links[at].first_v + c, x));
                }
            }
        }
        entries
    }

    /// Wrench that gives a link and all it carries a unit acceleration along each of its speeds.
    fn columns_of(&self, i: usize, freedom: &Freedom, of: &Moments<S>) -> Vec<LinkWrench<S>> {
        let centred = self.is_centred(i);
        let turn = |a: Vector3<S>| {
            let force = if centred { zero() } else { a.cross(of.first) };
            LinkWrench { moment: of.turning(a), force }
        };
        let shift = |a: Vector3<S>| {
            let moment = if centred { zero() } else { of.first.cross(a) };
            LinkWrench { moment, force: a * of.mass }
        };
        let signed = |sign: f64, a: Vector3<S>| if sign < 0.0 { zero() - a } else { a };
        match *freedom {
            Freedom::Turn { axis, sign, .. } => vec![turn(signed(sign, unit(axis)))],
            Freedom::Slide { .. } => vec![shift(self.links[i].axis)],
            Freedom::Screw { sign, .. } => {
                vec![turn(signed(sign, unit(2))) + shift(signed(sign, self.links[i].axis))]
            }
            Freedom::Shift => (0..3).map(|k| shift(unit(k))).collect(),
            Freedom::Ball { .. } => (0..3).map(|k| turn(unit(k))).collect(),
            Freedom::Line { reversed: false, .. } => (0..2).map(|k| turn(unit(k))).collect(),
            Freedom::Line { .. } | Freedom::Ellipsoid { .. } | Freedom::Orbit { .. } | Freedom::Posed { .. } => {
                let twists = self.links[i].guided_twists().iter();
                twists.map(|twist| turn(twist.angular) + shift(twist.linear)).collect()
            }
            Freedom::Given(_) => Vec::new(),
            Freedom::Float { .. } => (0..3).map(|k| shift(unit(k))).chain((0..3).map(|k| turn(unit(k)))).collect(),
        }
    }
}
