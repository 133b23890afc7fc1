//! Frames of links chosen so that they are cheap to pass.
//!
//! A link that turns about an axis may have its frame anywhere along the axis, at any angle about it. With z along the axis and x along the
//! common normal to the axis of the first link it carries, the way to that link is
//!
//! ```text
//! (1)  Tx(d) Rx(α) Tz(r) Rz(q + θ)
//! ```
//!
//! which costs half of a general constant rotation: Khalil, Kleinfinger (1986), *A new geometric notation for open and closed-loop
//! robots*. To links carried beside the first one it is T(p) Rz(γ) Rx(α) Rz(q + θ). Done where the geometry is made of
//! literals; with parameters the frames stay where the declaration puts them.

use mbs_expr::ExprId;
use mbs_model::Model;

use super::links::{Constant, Freedom, Link, Stand};

/// x_outer = R x_inner + p.
#[derive(Clone, Copy, Debug)]
struct Pose {
    r: [[f64; 3]; 3],
    p: [f64; 3],
}

const IDENTITY: Pose = Pose { r: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], p: [0.0; 3] };
/// Below this an entry of a rotation, or a length in metres, is zero but for rounding.
const ROUNDING: f64 = 1e-14;

/// Moves the frames of turning links.
pub fn choose_frames(model: &Model, links: &mut [Link], stands: &mut [Stand]) {
    let ways: Vec<Option<Pose>> = links.iter().map(|link| way(model, link)).collect();
    // Old frame → new frame of each link.
    let mut moved: Vec<Option<Pose>> = vec![None; links.len()];
    for i in 0..links.len() {
        let parent = links[i].parent;
        let outer = parent.and_then(|p| moved[p]);
        let Some(way) = ways[i] else {
            if let Some(outer) = outer {
                links[i].before.insert(0, given(outer.inverse()));
            }
            continue;
        };
        let first = |of: usize| {
            (0..ways.len()).find(|c| links[*c].parent == Some(of)).and_then(|c| ways[c].map(|way| (c, way)))
        };
        let aligned = alignment(&links[i].freedom);
        let inner = aligned.inverse();
        let gauge = match first(i) {
            Some((child, to_child)) => toward(&inner.then(&to_child).then(&alignment(&links[child].freedom))),
            None => IDENTITY,
        };
        let from = outer.map_or(way, |k| k.inverse().then(&way)).then(&aligned);
        let is_first = parent.is_some_and(|p| moved[p].is_some() && first(p).is_some_and(|f| f.0 == i));
        let (parts, offset) = split(&from.then(&gauge), is_first);
        moved[i] = Some(aligned.then(&gauge));
        links[i].before = parts;
        links[i].freedom = Freedom::Turn { axis: 2, sign: 1.0, offset };
    }
    for stand in stands {
        if let Some(moved) = stand.link.and_then(|l| moved[l]) {
            stand.poses.insert(0, given(moved.inverse()));
        }
    }
}

/// The constant way to a turning link, if it is made of literals.
fn way(model: &Model, link: &Link) -> Option<Pose> {
    let Freedom::Turn { .. } = link.freedom else { return None };
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
    link.before.iter().try_fold(IDENTITY, |pose, constant| {
        let next = match *constant {
            Constant::Marker(m) => marker(m)?,
            Constant::Inverse(m) => marker(m)?.inverse(),
            Constant::Align(axis) => aligned(vector(axis)?),
            Constant::Unalign(axis) => aligned(vector(axis)?).inverse(),
            Constant::FromCom(..) | Constant::Given { .. } | Constant::Turn { .. } => return None,
        };
        Some(pose.then(&next))
    })
}

/// Axes whose z is that of a turn, so that the turn is by +q about z.
fn alignment(freedom: &Freedom) -> Pose {
    let Freedom::Turn { axis, sign, .. } = *freedom else { return IDENTITY };
    let (z, x) = (axis, (axis + 1) % 3);
    let mut r = [[0.0; 3]; 3];
    r[z][2] = sign;
    r[x][0] = 1.0;
    // y = z × x.
    r[3 - z - x][1] = sign;
    Pose { r, p: [0.0; 3] }
}

/// Axes whose z is a unit vector.
fn aligned(z: [f64; 3]) -> Pose {
    let sign = if z[2] < 0.0 { -1.0 } else { 1.0 };
    let a = -1.0 / (sign + z[2]);
    let b = z[0] * z[1] * a;
    let (x, y) = ([1.0 + sign * z[0] * z[0] * a, sign * b, -sign * z[0]], [b, sign + z[1] * z[1] * a, -z[1]]);
    Pose { r: [0, 1, 2].map(|i| [x[i], y[i], z[i]]), p: [0.0; 3] }
}

/// The shift along z and the turn about it that put x on the common normal of z and the axis of the next link.
fn toward(next: &Pose) -> Pose {
    let (z, o) = ([next.r[0][2], next.r[1][2], next.r[2][2]], next.p);
    // z₁ × z₂ with z₁ = (0, 0, 1).
    let normal = [-z[1], z[0]];
    let square = normal[0] * normal[0] + normal[1] * normal[1];
    if square.sqrt() > ROUNDING {
        // The foot on z: where the plane through the other axis along the normal meets it.
        let shift = o[2] - z[2] * (o[0] * z[0] + o[1] * z[1]) / square;
        let foot = if shift.abs() < ROUNDING { 0.0 } else { shift };
        return along_z(foot, normal[1].atan2(normal[0]));
    }
    let distance = o[0].hypot(o[1]);
    along_z(0.0, if distance > ROUNDING { o[1].atan2(o[0]) } else { 0.0 })
}

/// Tz(shift) Rz(angle).
fn along_z(shift: f64, angle: f64) -> Pose {
    let (sin, cos) = exact(angle);
    Pose { r: [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]], p: [0.0, 0.0, shift] }
}

/// Sine and cosine; of quarter turns without rounding.
pub fn exact(angle: f64) -> (f64, f64) {
    let (sin, cos) = angle.sin_cos();
    let clean = |x: f64| if (x - x.round()).abs() < ROUNDING { x.round() + 0.0 } else { x };
    (clean(sin), clean(cos))
}

/// A way as elementary parts up to the turn, and the offset of its angle.
fn split(x: &Pose, is_first: bool) -> (Vec<Constant>, f64) {
    let r = &x.r;
    let clean = |v: f64| if v.abs() < ROUNDING { 0.0 } else { v };
    let mut parts = Vec::new();
    let shift = |parts: &mut Vec<Constant>, p: [f64; 3]| {
        let p = p.map(clean);
        if p != [0.0; 3] {
            parts.push(Constant::Given { rotation: None, point: p });
        }
    };
    let turn = |parts: &mut Vec<Constant>, axis: usize, (sin, cos): (f64, f64)| {
        if (sin, cos) != (0.0, 1.0) {
            parts.push(Constant::Turn { axis, cos, sin });
        }
    };
    if is_first && r[0][2].abs() < 1e-12 {
        // (1)
        let (sin, cos) = exact((-r[1][2]).atan2(r[2][2]));
        shift(&mut parts, [x.p[0], 0.0, 0.0]);
        turn(&mut parts, 0, (sin, cos));
        shift(&mut parts, [0.0, 0.0, cos * x.p[2] - sin * x.p[1]]);
        return (parts, (-r[0][1]).atan2(r[0][0]));
    }
    let flat = r[0][2].hypot(r[1][2]);
    let gamma = if flat > ROUNDING { r[0][2].atan2(-r[1][2]) } else { 0.0 };
    // A turn by γ + π with −α is the same.
    let gamma = match gamma {
        g if g > std::f64::consts::FRAC_PI_2 + 1e-12 => g - std::f64::consts::PI,
        g if g <= -std::f64::consts::FRAC_PI_2 + 1e-12 => g + std::f64::consts::PI,
        g => g,
    };
    let back = along_z(0.0, gamma).inverse().then(&Pose { p: [0.0; 3], ..*x });
    shift(&mut parts, x.p);
    turn(&mut parts, 2, exact(gamma));
    turn(&mut parts, 0, exact((-back.r[1][2]).atan2(back.r[2][2])));
    (parts, (-back.r[0][1]).atan2(back.r[0][0]))
}

fn given(pose: Pose) -> Constant {
    let clean = |x: f64| if (x - x.round()).abs() < ROUNDING { x.round() + 0.0 } else { x };
    let rotation = pose.r.map(|row| row.map(clean));
    let parallel = rotation == IDENTITY.r;
    let point = pose.p.map(|x| if x.abs() < ROUNDING { 0.0 } else { x });
    Constant::Given { rotation: (!parallel).then_some(rotation), point }
}

impl Pose {
    fn then(&self, inner: &Pose) -> Pose {
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
