//! Sequences of Euler angles.

use core::fmt;
use core::str::FromStr;

/// An axis of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// The first.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

/// Three axes about which a body rotates one after the other, where each axis has been rotated by the rotations before (intrinsic): for `zyx`
/// and the angles (a, b, c), R_WB = Rz(a) Ry(b) Rx(c).
///
/// There are twelve sequences, since rotations about two equal neighbours would be one rotation: six *proper* ones, whose first and last axis
/// are equal, and six *Tait–Bryan* ones of three different axes. For axes fixed in space (extrinsic), the same rotation has the sequence and the
/// angles in reverse order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sequence {
    axes: [Axis; 3],
}

impl Sequence {
    /// Tait–Bryan x, y, z.
    pub const XYZ: Self = Sequence { axes: [Axis::X, Axis::Y, Axis::Z] };
    /// Tait–Bryan x, z, y.
    pub const XZY: Self = Sequence { axes: [Axis::X, Axis::Z, Axis::Y] };
    /// Tait–Bryan y, x, z.
    pub const YXZ: Self = Sequence { axes: [Axis::Y, Axis::X, Axis::Z] };
    /// Tait–Bryan y, z, x.
    pub const YZX: Self = Sequence { axes: [Axis::Y, Axis::Z, Axis::X] };
    /// Tait–Bryan z, x, y.
    pub const ZXY: Self = Sequence { axes: [Axis::Z, Axis::X, Axis::Y] };
    /// Tait–Bryan z, y, x: yaw, pitch, roll.
    pub const ZYX: Self = Sequence { axes: [Axis::Z, Axis::Y, Axis::X] };
    /// Proper x, y, x.
    pub const XYX: Self = Sequence { axes: [Axis::X, Axis::Y, Axis::X] };
    /// Proper x, z, x.
    pub const XZX: Self = Sequence { axes: [Axis::X, Axis::Z, Axis::X] };
    /// Proper y, x, y.
    pub const YXY: Self = Sequence { axes: [Axis::Y, Axis::X, Axis::Y] };
    /// Proper y, z, y.
    pub const YZY: Self = Sequence { axes: [Axis::Y, Axis::Z, Axis::Y] };
    /// Proper z, x, z: precession, nutation, spin.
    pub const ZXZ: Self = Sequence { axes: [Axis::Z, Axis::X, Axis::Z] };
    /// Proper z, y, z.
    pub const ZYZ: Self = Sequence { axes: [Axis::Z, Axis::Y, Axis::Z] };

    /// All twelve sequences.
    pub const ALL: [Self; 12] = [
        Self::XYZ,
        Self::XZY,
        Self::YXZ,
        Self::YZX,
        Self::ZXY,
        Self::ZYX,
        Self::XYX,
        Self::XZX,
        Self::YXY,
        Self::YZY,
        Self::ZXZ,
        Self::ZYZ,
    ];

    /// The sequence of three axes, in the order of the rotations.
    ///
    /// # Errors
    /// [`InvalidSequence::Repeated`] if two neighbours are equal.
    pub fn new(axes: [Axis; 3]) -> Result<Self, InvalidSequence> {
        for (first, pair) in axes.windows(2).enumerate() {
            if pair[0] == pair[1] {
                return Err(InvalidSequence::Repeated { axis: pair[0], first });
            }
        }
        Ok(Sequence { axes })
    }

    /// The axes, in the order of the rotations.
    pub fn axes(self) -> [Axis; 3] {
        self.axes
    }

    /// Whether the first and the last axis are equal. Proper sequences are singular where the second angle is 0 or π, for example at the
    /// identity; Tait–Bryan ones where it is ±π/2.
    pub fn is_proper(self) -> bool {
        self.axes[0] == self.axes[2]
    }
}

/// Reason why a text, or three axes, are not a sequence of Euler angles.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum InvalidSequence {
    /// The text does not have three letters.
    Length {
        /// Number of letters.
        found: usize,
    },
    /// A letter is not `x`, `y` or `z`.
    Letter {
        /// The letter.
        found: char,
    },
    /// Two consecutive rotations are about the same axis.
    Repeated {
        /// That axis.
        axis: Axis,
        /// Index of the first of the two: 0 or 1.
        first: usize,
    },
}

impl FromStr for Sequence {
    type Err = InvalidSequence;

    /// Reads three letters, such as `zyx`.
    fn from_str(text: &str) -> Result<Self, InvalidSequence> {
        let found = text.chars().count();
        if found != 3 {
            return Err(InvalidSequence::Length { found });
        }
        let mut axes = [Axis::X; 3];
        for (axis, letter) in axes.iter_mut().zip(text.chars()) {
            *axis = match letter {
                'x' => Axis::X,
                'y' => Axis::Y,
                'z' => Axis::Z,
                found => return Err(InvalidSequence::Letter { found }),
            };
        }
        Sequence::new(axes)
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Axis::X => "x",
            Axis::Y => "y",
            Axis::Z => "z",
        })
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.axes.iter().try_for_each(|axis| axis.fmt(f))
    }
}

/// Writes the text of `Display`, so that a `main` that returns the error shows it.
impl fmt::Debug for InvalidSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for InvalidSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidSequence::Length { found } => {
                write!(f, "a sequence of Euler angles has 3 axes, such as `zyx`, not {found}")
            }
            InvalidSequence::Letter { found } => {
                write!(
                    f,
                    "`{found}` is no axis: a sequence of Euler angles is written with `x`, `y` and `z`, such as `zyx`"
                )
            }
            InvalidSequence::Repeated { axis, .. } => {
                write!(
                    f,
                    "two rotations in a row about `{axis}` are one rotation: neighbours in a sequence of Euler angles differ"
                )
            }
        }
    }
}

impl core::error::Error for InvalidSequence {}
