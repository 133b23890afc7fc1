//! Modes of vibration around an equilibrium: frequencies, damping, shapes.

mod eigen;
mod neutral;
mod states;
mod swings;

use std::f64::consts::TAU;
use std::fmt;

use nalgebra::{Complex, DMatrix, DVector, SymmetricEigen};

use super::derivatives::Derivatives;
use super::equilibrium::Equilibrium;
use mbs_core::{Describe, Differentiable, Error, History, Linearization};
use neutral::Neutral;
use states::States;
pub use swings::Swings;

/// Stiffness is symmetric where its asymmetric part is below this fraction of it.
const SYMMETRIC: f64 = 1e-9;
/// Real parts up to this fraction of the largest eigenvalue are round-off.
const GROWING: f64 = 1e-9;

/// The modes of a mechanism around an equilibrium, each a solution x e^{λ t} of the linearised motion that the rows admit.
///
/// ```
/// # use mbs::{Differentiable, FullMechanism, analysis::{Modes, Statics}};
/// # fn ring(mechanism: &(impl Differentiable + FullMechanism)) -> Result<(), Box<dyn std::error::Error>> {
/// let equilibrium = Statics::new(mechanism).solve()?;
/// let modes = Modes::damped(mechanism, &equilibrium)?;
/// println!("{modes}");                                // a table
/// for mode in modes.iter().filter(|mode| mode.damping_ratio() < 0.05) {
///     println!("{:.3} Hz rings", mode.hertz());
/// }
/// # Ok(())
/// # }
/// ```
///
/// - [`Modes::undamped`]: (K − ω² M) x = 0, without terms proportional to speeds, and with constant auxiliary states.
///   [`Modes::damped`]: the first-order system in displacements, speeds and auxiliary states.
/// - Displacements obey position rows; speeds obey velocity rows too. Modes are the same in every choice of coordinates.
/// - There is one mode for each eigenvalue λ with Im λ ≥ 0; the conjugate is the same motion. Neutral modes are first, the others are sorted by |λ|.
/// - Shapes x are in the space of speeds, normalised to xᴴ M x = 1, with the largest entry positive.
///
/// # Source
/// Modes on a null space of rows: García de Jalón & Bayo (1994), §5.2; the basis without mass matrix is derived in
/// `admissible.rs`, neutral modes in `modes/neutral.rs`. Normalisation: Géradin & Rixen (2015), Mechanical Vibrations, §2.3.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    list: Vec<Mode>,
}

/// A mode x e^{λ t}.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Mode {
    /// λ \[1/s\], with Im λ ≥ 0.
    pub eigenvalue: Complex<f64>,
    /// Type of motion.
    pub kind: ModeKind,
    /// Displacements x, n_v: Re(x e^{λ t}) N in coordinates.
    pub shape: Vec<Complex<f64>>,
    /// Auxiliary states of the mode, n_z − n_discrete: discrete variables do not change.
    pub auxiliary: Vec<Complex<f64>>,
    /// Whether it grows by more than round-off.
    pub is_unstable: bool,
}

/// Type of motion of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModeKind {
    /// λ = 0 at constant speed: a degree of freedom without stiffness and damping, such as those of a floating body.
    Drifting,
    /// λ = 0 of a constant displacement whose speed vanishes: damped, or excluded by a velocity row.
    Resting,
    /// An oscillation, constant, growing or decaying: Im λ > 0.
    Oscillating,
    /// Growth or decay without oscillation: λ is real.
    Aperiodic,
}

impl Modes {
    /// Modes of M and K alone.
    ///
    /// # Errors
    /// Those of [`Differentiable::state_jacobian`] and [`Mechanism::solve`](mbs_core::Mechanism::solve); [`Error::NotConverged`] if the
    /// eigenvalues are not found.
    pub fn undamped<M: Differentiable + Describe>(mechanism: &M, equilibrium: &Equilibrium<M>) -> Result<Modes, Error> {
        let derivatives = derivatives(mechanism, equilibrium)?;
        let list = match symmetric(&derivatives) {
            Some(list) => list,
            None => {
                general(&derivatives, States::without_damping(&derivatives)).ok_or_else(|| not_found(equilibrium))?
            }
        };
        Ok(Modes::sorted(list))
    }

    /// Modes of the full linearised motion.
    ///
    /// # Errors
    /// As [`Modes::undamped`].
    pub fn damped<M: Differentiable + Describe>(mechanism: &M, equilibrium: &Equilibrium<M>) -> Result<Modes, Error> {
        let derivatives = derivatives(mechanism, equilibrium)?;
        let states = States::new(&derivatives, mechanism, equilibrium)?;
        Ok(Modes::sorted(general(&derivatives, states).ok_or_else(|| not_found(equilibrium))?))
    }

    /// All modes, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Mode> {
        self.list.iter()
    }

    /// Number of modes.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are no modes, since no motion is possible.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Modes that are not neutral.
    pub fn moving(&self) -> impl Iterator<Item = &Mode> {
        self.iter().filter(|mode| !mode.is_neutral())
    }

    /// Circular frequencies |Im λ| \[rad/s\] of oscillating modes.
    pub fn frequencies(&self) -> Vec<f64> {
        self.iter().filter(|mode| mode.kind == ModeKind::Oscillating).map(Mode::frequency).collect()
    }

    /// Whether no mode grows. Neutral modes do not count as growing, though drifting ones move far.
    pub fn is_stable(&self) -> bool {
        self.iter().all(|mode| !mode.is_unstable)
    }

    fn sorted(mut list: Vec<Mode>) -> Modes {
        let key = |mode: &Mode| (!mode.is_neutral(), mode.eigenvalue.norm(), -mode.eigenvalue.re);
        list.sort_by(|a, b| {
            let (a, b) = (key(a), key(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2))
        });
        Modes { list }
    }
}

impl<'a> IntoIterator for &'a Modes {
    type Item = &'a Mode;
    type IntoIter = std::slice::Iter<'a, Mode>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl std::ops::Index<usize> for Modes {
    type Output = Mode;

    fn index(&self, index: usize) -> &Mode {
        &self.list[index]
    }
}

impl Mode {
    /// Circular frequency Im λ \[rad/s\]; 0 without oscillation.
    pub fn frequency(&self) -> f64 {
        self.eigenvalue.im
    }

    /// Frequency Im λ / 2π \[Hz\]; 0 without oscillation.
    pub fn hertz(&self) -> f64 {
        self.eigenvalue.im / TAU
    }

    /// |λ| \[rad/s\]: the circular frequency without damping, if damping is proportional to mass and stiffness.
    pub fn natural_frequency(&self) -> f64 {
        self.eigenvalue.norm()
    }

    /// −Re λ / |λ|: 0 without damping, 1 for a decay without oscillation, negative for growth; 0 for neutral modes.
    pub fn damping_ratio(&self) -> f64 {
        let size = self.eigenvalue.norm();
        if size > 0.0 { 0.0 - self.eigenvalue.re / size } else { 0.0 }
    }

    /// Whether λ = 0.
    pub fn is_neutral(&self) -> bool {
        matches!(self.kind, ModeKind::Drifting | ModeKind::Resting)
    }
}

impl fmt::Display for Modes {
    /// A table: number, frequency, damping ratio, type of motion.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "mode   frequency [Hz]   λ [1/s]                      damping ratio")?;
        for (k, mode) in self.iter().enumerate() {
            let Complex { re, im } = mode.eigenvalue;
            write!(f, "{k:4}   {:14.6}   {re:12.5e} {im:+12.5e} i   {:13.6}", mode.hertz(), mode.damping_ratio())?;
            writeln!(f, "   {}{}", mode.kind, if mode.is_unstable { ", unstable" } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for ModeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ModeKind::Drifting => "drifting",
            ModeKind::Resting => "resting",
            ModeKind::Oscillating => "oscillating",
            ModeKind::Aperiodic => "aperiodic",
        })
    }
}

fn derivatives<M: Differentiable + Describe>(
    mechanism: &M,
    equilibrium: &Equilibrium<M>,
) -> Result<Derivatives, Error> {
    equilibrium.state.check_size(mechanism)?;
    let at = equilibrium.state.view(&equilibrium.inputs);
    Derivatives::new(mechanism, at, &mut Linearization::new(mechanism))
}

fn not_found<M: Differentiable>(equilibrium: &Equilibrium<M>) -> Error {
    let history = History::new();
    Error::NotConverged { residual: f64::NAN, iterations: eigen::ITERATIONS, t: equilibrium.state.t, history }
}

/// Undamped modes where K is symmetric and displacements are those of speeds, which is exact to round-off; `None` otherwise.
fn symmetric(derivatives: &Derivatives) -> Option<Vec<Mode>> {
    let y = &derivatives.admissible.speeds;
    let stiffening = derivatives.stiffening();
    let largest = stiffening.amax();
    let skew = |s: &DMatrix<f64>| (s - s.transpose()).amax();
    if !stiffening.is_square() || skew(&stiffening) > SYMMETRIC * derivatives.negligible(largest).max(largest) {
        return None;
    }
    if stiffening.is_empty() {
        return Some(Vec::new());
    }
    let stiffness = (&stiffening + stiffening.transpose()) * -0.5;
    let eigen = SymmetricEigen::try_new(stiffness, f64::EPSILON, eigen::ITERATIONS)?;
    let negligible = derivatives.negligible(eigen.eigenvalues.amax());
    let mut list = Vec::new();
    for (square, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
        let shape = (y * vector).map(Complex::from);
        let size = square.abs().sqrt();
        let mut push = |re: f64, im: f64, kind| {
            let auxiliary = vec![Complex::ZERO; derivatives.n_z()];
            list.push(Mode::new((Complex::new(re, im), kind), shape.clone(), auxiliary, derivatives, size));
        };
        if square.abs() <= negligible {
            push(0.0, 0.0, ModeKind::Drifting);
        } else if *square > 0.0 {
            push(0.0, size, ModeKind::Oscillating);
        } else {
            push(size, 0.0, ModeKind::Aperiodic);
            push(-size, 0.0, ModeKind::Aperiodic);
        }
    }
    Some(list)
}

/// Modes of the first-order system; `None` if its eigenvalues are not found.
fn general(derivatives: &Derivatives, states: States) -> Option<Vec<Mode>> {
    let neutral = Neutral::split(&states.matrix, states.negligible)?;
    let pairs = eigen::eigen(&neutral.rest)?;
    let largest = pairs.iter().map(|(lambda, _)| lambda.norm()).fold(0.0, f64::max);
    let constant = [(&neutral.drifting, ModeKind::Drifting), (&neutral.resting, ModeKind::Resting)];
    let constant = constant.into_iter().flat_map(|(vectors, kind)| {
        vectors.column_iter().map(move |x| (Complex::ZERO, kind, x.map(Complex::from))).collect::<Vec<_>>()
    });
    let moving = pairs.iter().filter(|(lambda, _)| lambda.im >= 0.0).map(|(lambda, x)| {
        let kind = if lambda.im > 0.0 { ModeKind::Oscillating } else { ModeKind::Aperiodic };
        (*lambda, kind, neutral.extend(*lambda, x.clone()))
    });
    let mode = |(lambda, kind, x): (Complex<f64>, ModeKind, DVector<Complex<f64>>)| {
        let (shape, auxiliary) = states.shape(x);
        Mode::new((lambda, kind), shape, auxiliary, derivatives, largest)
    };
    Some(constant.chain(moving).map(mode).collect())
}

impl Mode {
    /// A mode whose complex phase makes the largest entry of the shape, in units of motion, positive; if all vanish, the largest auxiliary state.
    fn new(
        (eigenvalue, kind): (Complex<f64>, ModeKind),
        shape: DVector<Complex<f64>>,
        auxiliary: Vec<Complex<f64>>,
        derivatives: &Derivatives,
        largest: f64,
    ) -> Mode {
        let moves = shape.iter().zip(&derivatives.admissible.units).map(|(x, unit)| x / *unit);
        let leading = largest_entry(moves).or_else(|| largest_entry(auxiliary.iter().copied()));
        let phase = leading.map_or(Complex::ONE, |lead| lead.conj() / lead.norm());
        Mode {
            eigenvalue,
            kind,
            shape: shape.iter().map(|x| x * phase).collect(),
            auxiliary: auxiliary.into_iter().map(|z| z * phase).collect(),
            is_unstable: eigenvalue.re > GROWING * largest,
        }
    }
}

/// The entry of largest modulus, the first of equal ones; `None` if all vanish.
fn largest_entry(values: impl Iterator<Item = Complex<f64>>) -> Option<Complex<f64>> {
    let values: Vec<Complex<f64>> = values.collect();
    let most = values.iter().map(|x| x.norm()).fold(0.0, f64::max);
    values.into_iter().find(|x| most > 0.0 && x.norm() >= (1.0 - 1e-6) * most)
}
