//! Solvers for the steps of implicit methods: without derivatives, or Newton's method.

use std::borrow::Borrow;
use std::marker::PhantomData;

use mbs_core::{Differentiable, Gauss4, Gauss6, GeneralizedAlpha, ImplicitMidpoint, Mechanism, Stabilization, Stepper};

/// Implicit methods for a mechanism, with steps of at most h \[s\] and a stabilisation of constraints.
pub(super) trait Solver<M: Mechanism> {
    fn midpoint(m: &M, h: f64, stabilization: Stabilization) -> impl Stepper<M>;

    fn gauss4(m: &M, h: f64, stabilization: Stabilization) -> impl Stepper<M>;

    fn gauss6(m: &M, h: f64, stabilization: Stabilization) -> impl Stepper<M>;

    /// The generalized-α method; `settings` are h and the spectral radius.
    fn alpha(m: &M, settings: (f64, f64), stabilization: Stabilization) -> impl Stepper<M>;
}

/// Solver without derivatives, for any mechanism.
pub(super) struct Secants;

/// Newton's method with the derivatives of `D`, for `D` and wrappers of `D` that add loads and events.
pub(super) struct Newton<D>(PhantomData<D>);

impl<M: Mechanism> Solver<M> for Secants {
    fn midpoint(m: &M, h: f64, stabilization: Stabilization) -> impl Stepper<M> {
        ImplicitMidpoint::without_derivatives(m, h).with_stabilization(stabilization)
    }

    fn gauss4(m: &M, h: f64, stabilization: Stabilization) -> impl Stepper<M> {
        Gauss4::without_derivatives(m, h).with_stabilization(stabilization)
    }

    fn gauss6(m: &M, h: f64, stabilization: Stabilization) -> impl Stepper<M> {
        Gauss6::without_derivatives(m, h).with_stabilization(stabilization)
    }

    fn alpha(m: &M, (h, spectral_radius): (f64, f64), stabilization: Stabilization) -> impl Stepper<M> {
        GeneralizedAlpha::without_derivatives(m, h, spectral_radius).with_stabilization(stabilization)
    }
}

impl<M: Mechanism + Borrow<D>, D: Differentiable> Solver<M> for Newton<D> {
    fn midpoint(m: &M, h: f64, stabilization: Stabilization) -> impl Stepper<M> {
        ImplicitMidpoint::with_derivatives_of(m, h).with_stabilization(stabilization)
    }

    fn gauss4(m: &M, h: f64, stabilization: Stabilization) -> impl Stepper<M> {
        Gauss4::with_derivatives_of(m, h).with_stabilization(stabilization)
    }

    fn gauss6(m: &M, h: f64, stabilization: Stabilization) -> impl Stepper<M> {
        Gauss6::with_derivatives_of(m, h).with_stabilization(stabilization)
    }

    fn alpha(m: &M, (h, spectral_radius): (f64, f64), stabilization: Stabilization) -> impl Stepper<M> {
        GeneralizedAlpha::with_derivatives_of(m, h, spectral_radius).with_stabilization(stabilization)
    }
}
