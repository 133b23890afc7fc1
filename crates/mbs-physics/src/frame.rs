//! Frames of the plane, and vectors in them.

use mbs_expr::Scalar;

/// A vector as a sum Σ R_f u_f over frames f with components u_f in their axes. Frame 0 is the world.
#[derive(Clone, Debug)]
pub struct FrameSum<S> {
    /// (frame, components in it), frames ascending and different.
    pub parts: Vec<(usize, [S; 2])>,
}

impl<S: Scalar> FrameSum<S> {
    /// Zero.
    pub fn zero() -> Self {
        FrameSum { parts: Vec::new() }
    }

    /// This vector plus the vector with components `u` in `frame`.
    pub fn plus(mut self, frame: usize, u: [S; 2]) -> Self {
        match self.parts.binary_search_by_key(&frame, |p| p.0) {
            Ok(i) => {
                let [x, y] = self.parts[i].1;
                self.parts[i].1 = [x + u[0], y + u[1]];
            }
            Err(i) => self.parts.insert(i, (frame, u)),
        }
        self
    }

    /// This vector minus the vector with components `u` in `frame`.
    pub fn minus(self, frame: usize, u: [S; 2]) -> Self {
        self.plus(frame, [-u[0], -u[1]])
    }

    /// The summand of one frame, in its axes; zero if there is none.
    pub fn part(&self, frame: usize) -> [S; 2] {
        let zero = [S::number(0.0); 2];
        self.parts.iter().find(|p| p.0 == frame).map_or(zero, |p| p.1)
    }
}

/// A rotating frame. Bodies that do not rotate relative to each other share one. The `cos` and `sin` of a basic point or vector are its
/// coordinates, and its `angle` is not used.
#[derive(Clone, Copy, Debug)]
pub struct Frame<S> {
    /// Angle from the world \[rad\].
    pub angle: S,
    /// Its cosine.
    pub cos: S,
    /// Its sine.
    pub sin: S,
    /// Motion that rotates it; `None` for the world and in natural coordinates.
    pub coordinate: Option<usize>,
}

/// R(angle) u, with u itself where the angle is structurally zero.
pub fn rotate<S: Scalar>(angle: S, u: [S; 2]) -> [S; 2] {
    if angle.is_zero() {
        return u;
    }
    let (s, c) = angle.sin_cos();
    [c * u[0] - s * u[1], s * u[0] + c * u[1]]
}
