//! Frames with numeric components, relative to another frame.

use mbs_core::rotation::{self, Sequence, log, quaternion_of};
use mbs_model::Attitude;

use crate::world::{Attachment, S, World, Z, constant, rotated_axes};

/// Origin and axes of a frame, in components of another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Origin.
    pub position: [f64; 3],
    /// x, y and z axis.
    pub axes: [[f64; 3]; 3],
}

/// Σ aₖ bₖ.
pub fn inner(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
pub fn outer(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a + s b.
pub fn plus(a: [f64; 3], s: f64, b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] + s * b[k])
}

impl Frame {
    /// The frame of an attachment in the world.
    pub fn from_attachment(attachment: &Attachment, world: &World) -> Self {
        Frame {
            position: attachment.position(world).map(value),
            axes: attachment.axes(world).map(|axis| axis.map(value)),
        }
    }

    /// The frame that results from a translation and then a rotation about an axis.
    pub fn rotated(position: [f64; 3], about: [f64; 3], angle: f64) -> Self {
        Frame { position, axes: rotated_axes(about, constant(angle)).map(|axis| axis.map(value)) }
    }

    /// Components in the other frame of a vector given in this one.
    pub fn outward(&self, v: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|c| (0..3).map(|k| v[k] * self.axes[k][c]).sum())
    }

    /// Components in this frame of a vector given in the other one.
    pub fn inward(&self, v: [f64; 3]) -> [f64; 3] {
        self.axes.map(|axis| inner(axis, v))
    }

    /// The frame `next`, which is given in this frame, in the other frame.
    pub fn then(&self, next: &Frame) -> Frame {
        Frame {
            position: plus(self.position, 1.0, self.outward(next.position)),
            axes: next.axes.map(|axis| self.outward(axis)),
        }
    }

    /// Pose of the other frame in this one.
    pub fn inverse(&self) -> Frame {
        let axes = [0, 1, 2].map(|k| self.axes.map(|axis| axis[k]));
        Frame { position: self.inward(self.position).map(|x| -x), axes }
    }

    /// Axis and angle \[rad\] of the rotation from the other frame's axes to this one's.
    pub fn axis_angle(&self) -> ([f64; 3], f64) {
        let vector = log(self.quaternion());
        let angle = inner(vector, vector).sqrt();
        if angle < 1e-9 { (Z, 0.0) } else { (vector.map(|x| x / angle), angle) }
    }

    /// The attitude as a quaternion, scalar first.
    pub fn quaternion(&self) -> [f64; 4] {
        quaternion_of([0, 1, 2].map(|c| self.axes.map(|axis| axis[c])))
    }

    /// Middle angle and the outer ones of R = R_i(a) R_j(b) R_k(c), i, j, k different: the cosine of b, and (a, b, c).
    pub fn angles(&self, [i, j, k]: [usize; 3]) -> (f64, [f64; 3]) {
        let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
        let r = |row: usize, column: usize| self.axes[column][row];
        let (cos, sin) = (r(i, i).hypot(r(i, j)), sign * r(i, k));
        (cos, [(-sign * r(j, k)).atan2(r(k, k)), sin.atan2(cos), (-sign * r(i, j)).atan2(r(i, i))])
    }
}

/// Parameters of an attitude, given as a quaternion.
pub fn attitude_parameters(attitude: Attitude, quaternion: [f64; 4]) -> [f64; 4] {
    use rotation::Axis::{X, Y, Z};
    let named = match attitude {
        Attitude::Quaternion => rotation::Attitude::Quaternion,
        Attitude::ModifiedRodrigues => rotation::Attitude::ModifiedRodrigues,
        Attitude::Rodrigues => rotation::Attitude::Rodrigues,
        Attitude::RotationVector => rotation::Attitude::RotationVector,
        Attitude::Euler(axes) => {
            let sequence = Sequence::new(axes.map(|k| [X, Y, Z][usize::from(k)]));
            rotation::Attitude::Euler(sequence.expect("the model holds none whose neighbours are the same"))
        }
    };
    let mut q = [0.0; 4];
    named.write_parameters(quaternion, &mut q);
    q
}

fn value(x: S) -> f64 {
    x.value()
}
