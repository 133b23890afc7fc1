//! Equations of implicit steps, x = g(x), and their solution.
//!
//! Unknowns are a pair (v, z) for each of S stages, such as speeds and auxiliary states there. With r = g(x) − x:
//!
//! 1. without derivatives x ← g(x), accelerated by [`Secants`];
//! 2. by Newton's method x ← x + (1 − ∂g/∂x)⁻¹ r. Where that gains less than a digit, because parts of g have unknown derivatives,
//!    such as laws of inputs, these corrections are the residuals of a fixed-point iteration that secants accelerate as well.

mod secants;

use super::Inputs;
use super::evaluation::continuous;
use crate::{Error, History, Mechanism, Real, State};
use mbs_math::{add_scaled, max_norm};
use secants::Secants;

/// Residuals below so many roundings are zero.
const ROUNDINGS: f64 = 64.0;
/// Iterations in a row that do not halve the residual: it is round-off if it is small, too.
const STALLS: usize = 3;
/// A correction of Newton's method that is no smaller than this fraction of the last one is accelerated.
const SLOW: f64 = 0.1;

/// The unknowns of a stage, or a difference of them.
pub struct Stage<M: Mechanism<T>, T: Real> {
    pub(crate) v: M::Speeds,
    pub(crate) z: M::Auxiliary,
}

impl<M: Mechanism<T>, T: Real> Stage<M, T> {
    pub(crate) fn new(mechanism: &M) -> Self {
        let (_, v, _, z, ..) = mechanism.storage();
        Stage { v, z }
    }

    pub(crate) fn copy_from(&mut self, v: &[T], z: &[T]) {
        self.v.as_mut().copy_from_slice(v);
        self.z.as_mut().copy_from_slice(z);
    }

    /// Reads (v, z) from one list, which does not contain memories.
    pub(crate) fn read(&mut self, list: &[T]) {
        let (v, z) = list.split_at(self.v.as_ref().len());
        self.v.as_mut().copy_from_slice(v);
        self.z.as_mut()[..z.len()].copy_from_slice(z);
    }

    /// Writes (v, z) to one list, which does not contain memories.
    pub(crate) fn write(&self, list: &mut [T]) {
        let (v, z) = list.split_at_mut(self.v.as_ref().len());
        v.copy_from_slice(self.v.as_ref());
        z.copy_from_slice(&self.z.as_ref()[..z.len()]);
    }

    pub(crate) fn add_scaled(&mut self, s: T, v: &[T], z: &[T]) {
        add_scaled(self.v.as_mut(), s, v);
        add_scaled(self.z.as_mut(), s, z);
    }
}

/// Unknowns of S stages.
pub(crate) fn stages<M: Mechanism<T>, T: Real, const S: usize>(mechanism: &M) -> [Stage<M, T>; S] {
    core::array::from_fn(|_| Stage::new(mechanism))
}

/// out ← a + s b.
fn combine<M: Mechanism<T>, T: Real>(out: &mut [Stage<M, T>], a: &[Stage<M, T>], s: T, b: &[Stage<M, T>]) {
    for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
        out.copy_from(a.v.as_ref(), a.z.as_ref());
        out.add_scaled(s, b.v.as_ref(), b.z.as_ref());
    }
}

/// The equations x = g(x) of the module header.
pub trait Equations<M: Mechanism<T>, T: Real, const S: usize> {
    /// Writes g(x) to `image`.
    fn image(
        &mut self,
        mechanism: &M,
        inputs: &mut Inputs<T>,
        unknowns: &[Stage<M, T>; S],
        image: &mut [Stage<M, T>; S],
    ) -> Result<(), Error<T>>;

    /// The largest residual relative to the size of its unknowns, and relative to a size that unknowns near zero may be compared with.
    fn measure(&self, mechanism: &M, image: &[Stage<M, T>; S], residual: &[Stage<M, T>; S]) -> [T; 2];

    /// Time of the stage, or of the last one.
    fn time(&self) -> T;
}

/// Derivatives of equations E, for Newton's method.
pub trait StageDerivatives<M: Mechanism<T>, T: Real, E, const S: usize> {
    /// Largest number of iterations, unless the integrator changes it.
    const ITERATIONS: usize;

    /// Overwrites the residual by the correction of Newton's method if possible. Returns which of the two it is afterwards.
    fn correct(
        &mut self,
        mechanism: &M,
        equations: &E,
        residual: &mut [Stage<M, T>; S],
    ) -> Result<Correction, Error<T>>;
}

/// Result of [`StageDerivatives::correct`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correction {
    /// The residual is unchanged.
    Residual,
    /// The residual was overwritten by the correction that Newton's method adds to the unknowns.
    Newton,
    /// The residual is unchanged, and already is the correction of Newton's method.
    Made,
}

/// Whether a mechanism corrected a stage itself, from the result of its method: false if it has no kernel for that, or a pivot vanishes in the
/// static order of the kernel.
pub(crate) fn is_corrected<T: Real>(outcome: Result<(), Error<T>>) -> Result<bool, Error<T>> {
    match outcome {
        Ok(()) => Ok(true),
        Err(Error::MissingKernel { .. } | Error::Singular { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// No derivatives: steps are solved by fixed-point iteration with secants, for any mechanism.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoDerivatives;

impl<M: Mechanism<T>, T: Real, E, const S: usize> StageDerivatives<M, T, E, S> for NoDerivatives {
    const ITERATIONS: usize = 60;

    fn correct(&mut self, _: &M, _: &E, _: &mut [Stage<M, T>; S]) -> Result<Correction, Error<T>> {
        Ok(Correction::Residual)
    }
}

/// Unknowns with the work space of their iteration.
pub(crate) struct Iteration<M: Mechanism<T>, T: Real, W, const S: usize> {
    pub(crate) unknowns: [Stage<M, T>; S],
    pub(crate) image: [Stage<M, T>; S],
    residual: [Stage<M, T>; S],
    secants: Secants<M, T, S>,
    derivatives: W,
}

impl<M: Mechanism<T>, T: Real, W, const S: usize> Iteration<M, T, W, S> {
    pub(crate) fn new(mechanism: &M, derivatives: W) -> Self {
        Iteration {
            unknowns: stages(mechanism),
            image: stages(mechanism),
            residual: stages(mechanism),
            secants: Secants::new(mechanism),
            derivatives,
        }
    }

    /// Solves x = g(x) from the present unknowns in at most `most` iterations; the equations are evaluated at the solution last.
    pub(crate) fn solve<E: Equations<M, T, S>>(
        &mut self,
        mechanism: &M,
        equations: &mut E,
        inputs: &mut Inputs<T>,
        most: usize,
    ) -> Result<(), Error<T>>
    where
        W: StageDerivatives<M, T, E, S>,
    {
        self.secants.clear();
        let (mut course, mut is_last, mut is_slow, mut previous) = (Course::new(), false, false, None);
        for _ in 0..most {
            let image = equations.image(mechanism, inputs, &self.unknowns, &mut self.image);
            course.judge(image, most, equations.time())?;
            if is_last {
                return Ok(());
            }
            combine(&mut self.residual, &self.image, -T::ONE, &self.unknowns);
            let mut sizes = equations.measure(mechanism, &self.image, &self.residual);
            course.judge(check(sizes, equations.time()), most, equations.time())?;
            if is_round_off(sizes) {
                return Ok(());
            }
            let correction = self.derivatives.correct(mechanism, equations, &mut self.residual)?;
            if correction == Correction::Newton {
                combine(&mut self.image, &self.unknowns, T::ONE, &self.residual);
                sizes = equations.measure(mechanism, &self.image, &self.residual);
                course.judge(check(sizes, equations.time()), most, equations.time())?;
            }
            if correction != Correction::Residual {
                is_slow |= previous.is_some_and(|previous| sizes[0] > T::from_f64(SLOW) * previous);
                previous = Some(sizes[0]);
                is_last = course.is_done(sizes);
            } else {
                if course.is_done(sizes) {
                    return Ok(());
                }
                is_slow = true;
            }
            self.secants.advance(&self.residual, &self.image, &mut self.unknowns, is_slow);
        }
        Err(course.failure(most, equations.time()))
    }
}

/// Checks that the second residual is finite. The first may be infinite, for speeds at rest.
fn check<T: Real>([_, residual]: [T; 2], t: T) -> Result<(), Error<T>> {
    if residual.is_finite() { Ok(()) } else { Err(Error::NotFinite { t }) }
}

fn is_round_off<T: Real>([relative, _]: [T; 2]) -> bool {
    relative <= T::from_f64(ROUNDINGS) * T::EPSILON
}

/// Residuals of an iteration, and its convergence.
struct Course<T: Real> {
    history: History<T>,
    best: Option<T>,
    stalls: usize,
}

impl<T: Real> Course<T> {
    fn new() -> Self {
        Course { history: History::new(), best: None, stalls: 0 }
    }

    /// Records a residual. Returns whether it is round-off, or small and no longer decreases.
    fn is_done(&mut self, sizes: [T; 2]) -> bool {
        let [_, residual] = sizes;
        self.history.push(residual);
        let halved = self.best.is_none_or(|best| residual + residual <= best);
        self.stalls = if halved { 0 } else { self.stalls + 1 };
        self.best = if halved { Some(residual) } else { self.best };
        is_round_off(sizes) || self.stalls >= STALLS && residual <= T::EPSILON.sqrt()
    }

    /// The result of an evaluation. Its failure becomes that of the iteration where residuals had become as large as their unknowns, or where the
    /// iterate cannot be projected.
    fn judge(&self, evaluation: Result<(), Error<T>>, most: usize, t: T) -> Result<(), Error<T>> {
        let last = self.history.residuals().last();
        let is_lost = matches!(evaluation, Err(Error::NotAssembled { .. }));
        let has_diverged = last.is_some_and(|residual| is_lost || *residual >= T::ONE);
        if evaluation.is_err() && has_diverged { Err(self.failure(most, t)) } else { evaluation }
    }

    fn failure(&self, iterations: usize, t: T) -> Error<T> {
        let residual = self.history.residuals().last().copied().unwrap_or(T::ZERO);
        Error::NotConverged { residual, iterations, history: self.history, t }
    }
}

/// Residuals (v, z) of stages relative to |v| and |z|, and relative to max(|v|, |q|/h) and |z|: slower speeds do not matter in the step.
pub(crate) fn relative_sizes<M: Mechanism<T>, T: Real, const S: usize>(
    mechanism: &M,
    start: &State<M, T>,
    h: T,
    image: &[Stage<M, T>; S],
    residual: &[Stage<M, T>; S],
) -> [T; 2] {
    let n_z = continuous(mechanism);
    let largest = |stages: &[Stage<M, T>; S]| {
        stages.iter().fold([T::ZERO; 2], |[v, z], stage| {
            [v.max(max_norm(stage.v.as_ref())), z.max(max_norm(&stage.z.as_ref()[..n_z]))]
        })
    };
    let ([image_v, image_z], [v, z]) = (largest(image), largest(residual));
    let speeds = max_norm(start.v.as_ref()).max(image_v);
    let others = ratio(z, max_norm(&start.z.as_ref()[..n_z]).max(image_z));
    let moving = speeds.max(max_norm(start.q.as_ref()) / h.abs());
    [ratio(v, speeds).max(others), ratio(v, moving).max(others)]
}

/// Repeats a contraction at time t, at most `most` times, until its relative change is round-off; `pass` makes one pass and returns its change.
pub(crate) fn repeated<T: Real>(most: usize, t: T, mut pass: impl FnMut() -> T) -> Result<(), Error<T>> {
    let (mut previous, mut history) = (None, History::new());
    for _ in 0..most {
        let gap = pass();
        if !gap.is_finite() {
            return Err(Error::NotFinite { t });
        }
        let stalled = previous.is_some_and(|previous| gap + gap > previous);
        if gap <= T::from_f64(2.0) * T::EPSILON || stalled && gap <= T::from_f64(1e4) * T::EPSILON {
            return Ok(());
        }
        history.push(gap);
        previous = Some(gap);
    }
    Err(Error::NotConverged { residual: previous.unwrap_or(T::ZERO), iterations: most, history, t })
}

/// The ratio a/b of sizes, 0 for a = 0 whatever b is; not finite where a is not.
pub(crate) fn ratio<T: Real>(a: T, b: T) -> T {
    if a.is_finite() && a <= T::ZERO { T::ZERO } else { a / b }
}
