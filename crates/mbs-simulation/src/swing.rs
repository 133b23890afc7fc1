//! A mode of vibration as a page shows it.

/// A mode with the numbers that a page shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Swing {
    /// Type of motion.
    pub kind: String,
    /// Frequency \[Hz\], damping ratio, real and imaginary part of λ \[1/s\].
    pub numbers: [f64; 4],
    /// Whether it grows.
    pub is_unstable: bool,
    /// First and last frame.
    pub frames: [usize; 2],
}
