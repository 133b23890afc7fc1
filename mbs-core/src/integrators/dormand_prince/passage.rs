//! Steps across singular poses.
//!
//! Where position rows become dependent at an isolated pose, such as the change point of a parallelogram, the motion is smooth, but three
//! kinds of rates that a step uses are not:
//!
//! 1. Rates of stages, which violate the constraints by O(h²) and more. With residuals c of the rows, branches that cross become hyperbolas,
//!    and accelerations at a distance δ from the singular pose have the error v² c/δ³. Stages are therefore projected.
//! 2. Rates of projected stages, where c is round-off. This error is in the direction of the motion x that rows hardly oppose, M-orthogonal to all
//!    motions that rows admit. Projection removes it from the result, and it is removed from the estimate of the error.
//! 3. Rates at the singular pose itself. Stages of the method are at 0, 0.2, 0.3, 0.8, 8/9 and 1: a step is aligned so that the singular
//!    pose is in the gap between stages, at 0.55.
//!
//! A singular pose is searched for only where a step has been rejected: on the parabola of the motion, where the motion x changes its sense. With
//! tight tolerances, error 2 rejects steps at a larger distance, however short they are. Errors that decrease by less than the square of the length
//! are attributed to it, and assessed without their part in the direction of x as well.

use super::DormandPrince;
use super::error::estimate;
use crate::integrators::runge_kutta::combine;
use crate::{Mechanism, Real, Stabilization};
use mbs_math::add_scaled;

/// Fraction of a step at which the singular pose is to be: in the middle between stages 3 and 4.
const ALIGNMENT: f64 = 0.55;
/// Distances ahead of the beginning of a rejected step, and behind it, at which a singular pose is searched for, in steps.
const AHEAD: f64 = 1.5;
const BEHIND: f64 = 0.5;
/// A pose ahead within this fraction of the step counts as passed: the second stage is well beyond it.
const NEGLIGIBLE: f64 = 0.05;
/// Accuracy of the time of a singular pose, as a fraction of the step.
const ACCURACY: f64 = 0.02;
/// Largest number of iterations that locate it.
const ITERATIONS: usize = 6;

/// A singular pose near the beginning of a step.
pub(super) struct Passage<T> {
    /// Time to it from the beginning of the step, in the direction of the motion \[s\]; negative where it has been passed.
    distance: T,
    /// Length of the step \[s\] that the error allows, positive.
    pub(super) natural: T,
}

impl<T: Real> Passage<T> {
    /// Length of the next step: across the pose, which is then in the gap between stages, or to a state from which such a step can begin.
    pub(super) fn step(&self) -> T {
        if self.distance <= T::from_f64(NEGLIGIBLE) * self.natural {
            return self.natural;
        }
        let alignment = T::from_f64(ALIGNMENT);
        let across = self.distance / alignment;
        // A step slightly longer than the error allows is preferred to a short one before the pose.
        if across <= T::from_f64(1.1) * self.natural {
            return across;
        }
        self.natural.min(self.distance - alignment * self.natural)
    }
}

impl<M: Mechanism<T>, T: Real> DormandPrince<M, T> {
    /// Whether steps end on the constraints.
    pub(super) fn projects(&self) -> bool {
        matches!(self.evaluation.stabilization, Stabilization::Projection | Stabilization::SymmetricProjection)
    }

    /// A singular pose near a rejected step of length h from `start`, if there is one. Overwrites `trial`.
    pub(super) fn passage(&mut self, mechanism: &M, h: T) -> Option<Passage<T>> {
        if mechanism.sizes().n_position == 0 || !self.projects() {
            return None;
        }
        let start = self.probe.begin(mechanism, self.start.view(&[])).ok()?;
        let natural = h.abs();
        let distance = self
            .crossing(mechanism, h, start, T::from_f64(AHEAD))
            .or_else(|| self.crossing(mechanism, h, start, -T::from_f64(BEHIND)))?;
        Some(Passage { distance: distance * natural, natural })
    }

    /// The time between 0 and `end`, in steps of h, at which the motion that rows hardly oppose changes its sense; `start` is its measure at 0.
    fn crossing(&mut self, mechanism: &M, h: T, start: T, end: T) -> Option<T> {
        let (mut before, mut after, mut at) = ((T::ZERO, start), None, end);
        for _ in 0..ITERATIONS {
            combine(&mut self.trial, &self.start, at * h, &[1.0], &self.stages.rates);
            let curvature = T::from_f64(0.5) * at * h * at * h;
            if self.trial.q.as_ref().len() == self.trial.v.as_ref().len() {
                add_scaled(self.trial.q.as_mut(), curvature, self.stages.rates[0].v.as_ref());
            }
            mechanism.normalize(self.trial.q.as_mut());
            self.trial.t = self.start.t + at * h;
            // This is exactly the singular pose.
            let Ok(measure) = self.probe.measure(mechanism, self.trial.view(&[])) else { return Some(at) };
            if measure > T::ZERO {
                before = (at, measure);
            } else {
                after = Some((at, measure));
            }
            let (far, beyond) = after?;
            let root = before.0 + (far - before.0) * before.1 / (before.1 - beyond);
            if (root - at).abs() <= T::from_f64(ACCURACY) {
                return Some(root);
            }
            at = root;
        }
        Some(at)
    }

    /// The error of a step across a singular pose, without the part of velocities that rows oppose, which projection has removed.
    pub(super) fn admissible_error(&mut self, mechanism: &M, h: T) -> T {
        let (probe, rates) = (&mut self.probe, &self.stages.rates);
        let at = self.trial.view(&[]);
        let error_of_v = |k: usize| h * estimate(|i| rates[i].v.as_ref()[k]);
        let error_of_q = |k: usize| h * estimate(|i| rates[i].q.as_ref()[k]);
        let projection = probe.tangential(mechanism, at, error_of_v);
        let ends = [self.start.v.as_ref(), self.trial.v.as_ref()];
        let mut sum = match projection {
            Ok(()) => self.squares(ends, |k| self.probe.speeds()[k]),
            Err(_) => self.squares(ends, error_of_v),
        };
        let ends = [self.start.q.as_ref(), self.trial.q.as_ref()];
        // Where speeds are rates of coordinates, rows oppose changes of coordinates as they oppose speeds.
        let has_rates = ends[0].len() == self.start.v.as_ref().len();
        sum += if has_rates && self.probe.tangential(mechanism, self.trial.view(&[]), error_of_q).is_ok() {
            self.squares(ends, |k| self.probe.speeds()[k])
        } else {
            self.squares(ends, error_of_q)
        };
        sum += self.squares_of_auxiliary(mechanism, h);
        self.mean(mechanism, sum)
    }
}
