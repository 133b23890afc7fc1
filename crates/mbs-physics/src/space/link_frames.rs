//! Frames of links, chosen so that transformations between them cost few operations.
//!
//! A revolute link may have its frame anywhere along its axis, at any angle about it. With z along the axis and x along the common normal to the
//! axis of its first child, the transformation to that child is
//!
//! ```text
//! (1)  Tx(d) Rx(α) Tz(r) Rz(q + θ)
//! ```
//!
//! which costs half of a general constant rotation: Khalil, Kleinfinger (1986), *A new geometric notation for open and closed-loop
//! robots*. For further children it is T(p) Rz(γ) Rx(α) Rz(q + θ). Frames are moved if the geometry consists of literals; if it depends on
//! parameters, they stay where they are declared.

use mbs_expr::ExprId;
use mbs_model::Model;

use super::links::{Constant, Link, Mobilizer, Mount};

/// x_outer = R x_inner + p.
#[derive(Clone, Copy, Debug)]
struct Pose {
    r: [[f64; 3]; 3],
    p: [f64; 3],
}

const IDENTITY: Pose = Pose { r: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], p: [0.0; 3] };
/// An entry of a rotation, or a length in metres, below this is a rounding error.
const ROUNDING: f64 = 1e-14;

/// Moves the frames of revolute links, and changes constant poses and mounts accordingly.
pub fn choose_frames(model: &Model, links: &mut [Link], mounts: &mut [Mount]) {
    let poses: Vec<Option<Pose>> = links.iter().map(|link| literal_pose(model, link)).collect();
    // Pose of the new frame of each link in its old one.
    let mut moved: Vec<Option<Pose>> = vec![None; links.len()];
    for i in 0..links.len() {
        let parent = links[i].parent;
        let outer = parent.and_then(|p| moved[p]);
        let Some(pose) = poses[i] else {
            if let Some(outer) = outer {
                links[i].fixed_poses.insert(0, pose_constant(outer.inverse()));
            }
            continue;
        };
        let first_child = |parent: usize| {
            (0..poses.len()).find(|c| links[*c].parent == Some(parent)).and_then(|c| poses[c].map(|pose| (c, pose)))
        };
        let aligned = alignment(&links[i].mobilizer);
        let inner = aligned.inverse();
        let shift = match first_child(i) {
            Some((child, in_child_axes)) => {
                common_normal(&inner.compose(&in_child_axes).compose(&alignment(&links[child].mobilizer)))
            }
            None => IDENTITY,
        };
        let from_parent = outer.map_or(pose, |k| k.inverse().compose(&pose)).compose(&aligned);
        let is_first = parent.is_some_and(|p| moved[p].is_some() && first_child(p).is_some_and(|f| f.0 == i));
        let (parts, offset) = elementary_parts(&from_parent.compose(&shift), is_first);
        moved[i] = Some(aligned.compose(&shift));
        links[i].fixed_poses = parts;
        links[i].mobilizer = Mobilizer::Revolute { axis: 2, sign: 1.0, offset };
    }
    for mount in mounts {
        if let Some(moved) = mount.link.and_then(|l| moved[l]) {
            mount.poses.insert(0, pose_constant(moved.inverse()));
        }
    }
}

/// The constant pose of a revolute link in its parent, if it consists of literals.
fn literal_pose(model: &Model, link: &Link) -> Option<Pose> {
    let Mobilizer::Revolute { .. } = link.mobilizer else { return None };
    let vector = |v: [ExprId; 3]| -> Option<[f64; 3]> {
        let [x, y, z] = v.map(|e| model.exprs.value(e));
        Some([x?, y?, z?])
    };
    let marker = |m: mbs_expr::MarkerId| -> Option<Pose> {
        let declared = &model.markers[m.index()];
        let mut pose = Pose { p: vector(declared.point)?, ..IDENTITY };
        if let Some([x, y, z]) = declared.rotation {
            let axes = [vector(x)?, vector(y)?, vector(z)?];
            pose.r = [0, 1, 2].map(|i| axes.map(|axis| axis[i]));
        }
        Some(pose)
    };
    link.fixed_poses.iter().try_fold(IDENTITY, |pose, constant| {
        let next = match *constant {
            Constant::Marker(m) => marker(m)?,
            Constant::Inverse(m) => marker(m)?.inverse(),
            Constant::Align(axis) => aligned(vector(axis)?),
            Constant::Unalign(axis) => aligned(vector(axis)?).inverse(),
            Constant::FromCom(..) | Constant::Pose { .. } | Constant::AxisRotation { .. } => return None,
        };
        Some(pose.compose(&next))
    })
}

/// Rotation to axes whose z axis is the axis of a revolute mobilizer, so that this rotates by +q about z; the identity for others.
fn alignment(mobilizer: &Mobilizer) -> Pose {
    let Mobilizer::Revolute { axis, sign, .. } = *mobilizer else { return IDENTITY };
    let (z, x) = (axis, (axis + 1) % 3);
    let mut r = [[0.0; 3]; 3];
    r[z][2] = sign;
    r[x][0] = 1.0;
    // y = z × x.
    r[3 - z - x][1] = sign;
    Pose { r, p: [0.0; 3] }
}

/// Rotation to axes whose z axis is a given unit vector.
fn aligned(z: [f64; 3]) -> Pose {
    let sign = if z[2] < 0.0 { -1.0 } else { 1.0 };
    let a = -1.0 / (sign + z[2]);
    let b = z[0] * z[1] * a;
    let (x, y) = ([1.0 + sign * z[0] * z[0] * a, sign * b, -sign * z[0]], [b, sign + z[1] * z[1] * a, -z[1]]);
    Pose { r: [0, 1, 2].map(|i| [x[i], y[i], z[i]]), p: [0.0; 3] }
}

/// The displacement along z and the rotation about z that align x with the common normal of z and the axis of the next link.
fn common_normal(next: &Pose) -> Pose {
    let (z, o) = ([next.r[0][2], next.r[1][2], next.r[2][2]], next.p);
    // z₁ × z₂ with z₁ = (0, 0, 1).
    let normal = [-z[1], z[0]];
    let square = normal[0] * normal[0] + normal[1] * normal[1];
    if square.sqrt() > ROUNDING {
        // The foot of the normal on z: the intersection with the plane through the other axis and the normal.
        let shift = o[2] - z[2] * (o[0] * z[0] + o[1] * z[1]) / square;
        let foot = if shift.abs() < ROUNDING { 0.0 } else { shift };
        return screw_about_z(foot, normal[1].atan2(normal[0]));
    }
    let distance = o[0].hypot(o[1]);
    screw_about_z(0.0, if distance > ROUNDING { o[1].atan2(o[0]) } else { 0.0 })
}

/// Tz(shift) Rz(angle).
fn screw_about_z(shift: f64, angle: f64) -> Pose {
    let (sin, cos) = exact_sin_cos(angle);
    Pose { r: [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]], p: [0.0, 0.0, shift] }
}

/// Sine and cosine of an angle, exact for multiples of π/2.
pub fn exact_sin_cos(angle: f64) -> (f64, f64) {
    let (sin, cos) = angle.sin_cos();
    let clean = |x: f64| if (x - x.round()).abs() < ROUNDING { x.round() + 0.0 } else { x };
    (clean(sin), clean(cos))
}

/// A pose as elementary parts followed by a rotation about z: the parts, and the angle of that rotation. For the first child by (1).
fn elementary_parts(x: &Pose, is_first: bool) -> (Vec<Constant>, f64) {
    let r = &x.r;
    let clean = |v: f64| if v.abs() < ROUNDING { 0.0 } else { v };
    let mut parts = Vec::new();
    let shift = |parts: &mut Vec<Constant>, p: [f64; 3]| {
        let p = p.map(clean);
        if p != [0.0; 3] {
            parts.push(Constant::Pose { rotation: None, point: p });
        }
    };
    let rotate = |parts: &mut Vec<Constant>, axis: usize, (sin, cos): (f64, f64)| {
        if (sin, cos) != (0.0, 1.0) {
            parts.push(Constant::AxisRotation { axis, cos, sin });
        }
    };
    if is_first && r[0][2].abs() < 1e-12 {
        // (1)
        let (sin, cos) = exact_sin_cos((-r[1][2]).atan2(r[2][2]));
        shift(&mut parts, [x.p[0], 0.0, 0.0]);
        rotate(&mut parts, 0, (sin, cos));
        shift(&mut parts, [0.0, 0.0, cos * x.p[2] - sin * x.p[1]]);
        return (parts, (-r[0][1]).atan2(r[0][0]));
    }
    let flat = r[0][2].hypot(r[1][2]);
    let gamma = if flat > ROUNDING { r[0][2].atan2(-r[1][2]) } else { 0.0 };
    // γ + π with −α is the same rotation.
    let gamma = match gamma {
        g if g > std::f64::consts::FRAC_PI_2 + 1e-12 => g - std::f64::consts::PI,
        g if g <= -std::f64::consts::FRAC_PI_2 + 1e-12 => g + std::f64::consts::PI,
        g => g,
    };
    let rest = screw_about_z(0.0, gamma).inverse().compose(&Pose { p: [0.0; 3], ..*x });
    shift(&mut parts, x.p);
    rotate(&mut parts, 2, exact_sin_cos(gamma));
    rotate(&mut parts, 0, exact_sin_cos((-rest.r[1][2]).atan2(rest.r[2][2])));
    (parts, (-rest.r[0][1]).atan2(rest.r[0][0]))
}

/// A pose as a constant, without rounding errors in entries near 0 and ±1.
fn pose_constant(pose: Pose) -> Constant {
    let clean = |x: f64| if (x - x.round()).abs() < ROUNDING { x.round() + 0.0 } else { x };
    let rotation = pose.r.map(|row| row.map(clean));
    let parallel = rotation == IDENTITY.r;
    let point = pose.p.map(|x| if x.abs() < ROUNDING { 0.0 } else { x });
    Constant::Pose { rotation: (!parallel).then_some(rotation), point }
}

impl Pose {
    /// The composition of this pose with a pose in its inner frame.
    fn compose(&self, inner: &Pose) -> Pose {
        let (a, b) = (&self.r, &inner.r);
        let sum = |i: usize, f: &dyn Fn(usize) -> f64| (0..3).map(|k| a[i][k] * f(k)).sum::<f64>();
        Pose {
            r: [0, 1, 2].map(|i| [0, 1, 2].map(|j| sum(i, &|k| b[k][j]))),
            p: [0, 1, 2].map(|i| self.p[i] + sum(i, &|k| inner.p[k])),
        }
    }

    fn inverse(&self) -> Pose {
        let r = [0, 1, 2].map(|i| [0, 1, 2].map(|k: usize| self.r[k][i]));
        let p = [0, 1, 2].map(|i| -(0..3).map(|k| r[i][k] * self.p[k]).sum::<f64>());
        Pose { r, p }
    }
}
