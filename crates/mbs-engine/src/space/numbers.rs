//! Numbers that a mechanism in space computes when parameters are set: poses, inertias, constants.

use mbs_expr::{BodyId, ExprId, MarkerId};
use mbs_math::{Mat3, Vec3, Vector};
use mbs_model::{Model, Rotation};

use super::link::{Kind, Shape};
use super::motion::{Link, Tree};
use super::plan::Plan;
use super::recursion::{Inertia, Mass};
use super::tree::{Geometry, Part};
use super::vector::{Fixed, IDENTITY, ZERO};
use crate::constants::Constants;

/// Numbers that depend on parameters alone.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    pub constants: Constants,
    /// Poses of markers in their bodies (on ground in the world).
    pub markers: Vec<Fixed>,
    /// By link: pose of its base in its parent.
    pub bases: Vec<Fixed>,
    /// By link.
    pub shapes: Vec<Shape>,
    /// By body: pose in its link.
    pub stands: Vec<Fixed>,
    /// By body.
    pub masses: Vec<Mass>,
    /// By link: inertia about its origin in its axes.
    pub inertias: Vec<Inertia>,
    /// By link: in its axes, the point whose velocity the solver's metric takes.
    pub centres: Vec<Vec3<f64>>,
    /// World axes.
    pub gravity: Vec3<f64>,
    /// Whether some motion may have no mass of its own, so that rows have to hold it.
    pub massless: bool,
}

impl Numbers {
    /// At flat parameters.
    pub fn new((model, plan): (&Model, &Plan), mut constants: Constants, parameters: &[f64]) -> Self {
        constants.evaluate(model, parameters);
        let of_axes = |axes: Rotation| Mat3::of_columns(axes.map(|a| constants.list(a)));
        let rotation = |r: Option<Rotation>| r.map_or(IDENTITY, of_axes);
        let markers: Vec<Fixed> = model
            .markers
            .iter()
            .map(|m| Fixed { rotation: rotation(m.rotation), point: constants.list(m.point) })
            .collect();
        let chain = |list: &[Part]| {
            list.iter().fold(Fixed::NONE, |pose, part| {
                pose.then(&match part {
                    Part::Marker(m) => markers[m.index()],
                    Part::Inverse(m) => markers[m.index()].inverse(),
                })
            })
        };
        let bases: Vec<Fixed> = plan.geometry.iter().map(|l| chain(&l.before)).collect();
        let stands: Vec<Fixed> = plan.stands.iter().map(|s| chain(s)).collect();
        let masses: Vec<Mass> = model
            .bodies
            .iter()
            .map(|b| Mass {
                mass: constants.value(b.mass),
                com: constants.list(b.com),
                tensor: symmetric(constants.list(b.inertia)),
            })
            .collect();
        let mut inertias = vec![Inertia::ZERO; plan.links.len()];
        for (body, link) in plan.link_of.iter().enumerate() {
            if let Some(link) = link {
                inertias[*link] += Inertia::of(&masses[body], &stands[body]);
            }
        }
        let light = |b: usize| {
            plan.link_of[b].is_some() && (masses[b].mass == 0.0 || (plan.turns[b] && !is_definite(masses[b].tensor)))
        };
        let still = |l: &Link| matches!(l.kind, Kind::Posed { moves: false, .. });
        let massless = plan.n_v > plan.moved_v || plan.links.iter().any(still) || (0..masses.len()).any(light);
        let centre = |body: &Option<BodyId>| {
            body.map_or(ZERO, |b| stands[b.index()].point(constants.list(model.bodies[b.index()].com)))
        };
        Numbers {
            shapes: plan.geometry.iter().map(|l| shape(l, &constants)).collect(),
            centres: plan.centred.iter().map(centre).collect(),
            gravity: model.gravity.map_or(ZERO, |g| constants.list(g)),
            markers,
            bases,
            stands,
            masses,
            inertias,
            massless,
            constants,
        }
    }

    /// Whether geometry and inertias are.
    pub fn is_finite(&self) -> bool {
        let entries = |m: Mat3<f64>| m.0.into_iter().flat_map(|row| row.0);
        let poses = self.markers.iter().chain(&self.bases).chain(&self.stands);
        let of_poses = poses.flat_map(|p| entries(p.rotation).chain(p.point.0));
        let of_masses = self.masses.iter().flat_map(|m| entries(m.tensor).chain(m.com.0).chain([m.mass]));
        let of_shapes = self.shapes.iter().flat_map(|s| s.axis.0.into_iter().chain(s.radii.0).chain([s.advance]));
        of_poses.chain(of_masses).chain(of_shapes).chain(self.gravity.0).all(f64::is_finite)
    }

    /// The tree with the numbers that a motion needs.
    pub fn tree<'a>(&'a self, plan: &'a Plan) -> Tree<'a> {
        Tree {
            links: &plan.links,
            link_of: &plan.link_of,
            bases: &self.bases,
            shapes: &self.shapes,
            stands: &self.stands,
            poses: &plan.poses,
            constants: &self.constants,
        }
    }

    /// Axis k of a marker in its body's axes.
    pub fn axis(&self, marker: MarkerId, k: u8) -> Vec3<f64> {
        self.markers[marker.index()].rotation.column(usize::from(k))
    }
}

fn shape(of: &Geometry, constants: &Constants) -> Shape {
    // The axis of a screw has the sign of the joint's direction already.
    let way = if of.axis.is_some() { 1.0 } else { of.way };
    Shape {
        axis: of.axis.map_or(ZERO, |axis| constants.list(axis) * of.way),
        advance: of.advance.map_or(0.0, |advance| way * constants.value(advance)),
        radii: of.radii.map_or(ZERO, |radii| constants.list(radii)),
    }
}

/// From xx, yy, zz, xy, xz, yz.
fn symmetric(Vector([xx, yy, zz, xy, xz, yz]): Vector<f64, 6>) -> Mat3<f64> {
    Mat3([Vector([xx, xy, xz]), Vector([xy, yy, yz]), Vector([xz, yz, zz])])
}

/// Whether a symmetric matrix is positive definite by more than rounding: pivots of its factorisation.
fn is_definite(m: Mat3<f64>) -> bool {
    let small = 1e-12 * (m[0][0].abs() + m[1][1].abs() + m[2][2].abs());
    let first = m[0][0];
    if first <= small {
        return false;
    }
    let (a, b) = (m[1][0] / first, m[2][0] / first);
    let (second, mixed) = (m[1][1] - a * m[1][0], m[2][1] - a * m[2][0]);
    second > small && m[2][2] - b * m[2][0] - mixed * mixed / second > small
}

impl Constants {
    /// Several values.
    pub fn list<const N: usize>(&self, ids: [ExprId; N]) -> Vector<f64, N> {
        Vector(ids.map(|e| self.value(e)))
    }
}
