//! Measured orders of every integrator against closed forms; exponents within 0.15 of the stated order.

use mbs_core::*;

use crate::models::bead::Bead;
use crate::models::differenced::Differenced;
use crate::models::double_pendulum::DoublePendulum;
use crate::models::gimbal::Gimbal;
use crate::models::oscillator::Oscillator;
use crate::models::skate::Skate;
use crate::models::top::Top;
use crate::models::{assert_order, error_after, set};

/// Asserts the orders with numbers of steps at which errors are well above round-off, and steps are short enough.
fn assert_orders<M: Mechanism>(m: &M, exact: &dyn Fn(f64) -> Vec<f64>, t_end: f64) {
    assert_order(m, || ExplicitEuler::new(m, 1.0), exact, (t_end, 2000));
    assert_order(m, || SemiImplicitEuler::new(m, 1.0), exact, (t_end, 2000));
    assert_order(m, || Rk2::new(m, 1.0), exact, (t_end, 200));
    assert_order(m, || Rk3::new(m, 1.0), exact, (t_end, 100));
    assert_order(m, || Rk4::new(m, 1.0), exact, (t_end, 60));
    assert_order(m, || DormandPrince::new(m), exact, (t_end, 40));
    assert_order(m, || ImplicitMidpoint::without_derivatives(m, 1.0), exact, (t_end, 100));
    assert_order(m, || GeneralizedAlpha::without_derivatives(m, 1.0, 0.8), exact, (t_end, 100));
    assert_order(m, || Gauss4::without_derivatives(m, 1.0), exact, (t_end, 10));
    assert_order(m, || Gauss6::without_derivatives(m, 1.0), exact, (t_end, 5));
}

/// Asserts the orders of the methods that are solved by Newton's method.
fn assert_orders_with_derivatives<M: Differentiable>(m: &M, exact: &dyn Fn(f64) -> Vec<f64>, t_end: f64) {
    assert_order(m, || ImplicitMidpoint::new(m, 1.0), exact, (t_end, 100));
    assert_order(m, || GeneralizedAlpha::new(m, 1.0, 0.8), exact, (t_end, 100));
    assert_order(m, || Gauss4::new(m, 1.0), exact, (t_end, 10));
    assert_order(m, || Gauss6::new(m, 1.0), exact, (t_end, 5));
}

#[test]
fn orders_of_methods_that_take_derivatives() {
    assert_orders_with_derivatives(&Oscillator, &Oscillator::exact, 2.5);
    let bead = Differenced(Bead { omega: 1.2 });
    assert_orders_with_derivatives(&bead, &|t| bead.0.exact(t), 1.5);
    assert_orders_with_derivatives(&Differenced(Skate), &Skate::exact, 2.0);
    assert_orders_with_derivatives(&Differenced(Top), &Top::exact, 2.0);
    let gimbal = Differenced(Gimbal { tilt: 0.7, guess: [1.0, 0.0, 0.0, 0.0] });
    assert_orders_with_derivatives(&gimbal, &|t| gimbal.0.exact(t), 2.0);
}

#[test]
fn orders_without_constraints() {
    assert_orders(&Oscillator, &Oscillator::exact, 2.5);
    assert_order(&Oscillator, || Zhong06::without_derivatives(&Oscillator, 1.0), &Oscillator::exact, (2.5, 100));
}

#[test]
fn orders_with_a_projected_rheonomic_row() {
    let bead = Bead { omega: 1.2 };
    assert_orders(&bead, &|t| bead.exact(t), 1.5);
    assert_order(&bead, || Zhong06::without_derivatives(&bead, 1.0), &|t| bead.exact(t), (1.5, 100));
    let make = || Zhong06::without_derivatives(&bead, 1.0).with_stabilization(Stabilization::Projection);
    assert_order(&bead, make, &|t| bead.exact(t), (1.5, 100));
}

#[test]
fn orders_with_a_velocity_row() {
    // The order of Dormand–Prince on circles is higher by one; its order with rows is measured on the wire.
    assert_order(&Skate, || SemiImplicitEuler::new(&Skate, 1.0), &Skate::exact, (2.0, 2000));
    assert_order(&Skate, || Rk2::new(&Skate, 1.0), &Skate::exact, (2.0, 200));
    assert_order(&Skate, || Rk3::new(&Skate, 1.0), &Skate::exact, (2.0, 100));
    assert_order(&Skate, || Rk4::new(&Skate, 1.0), &Skate::exact, (2.0, 60));
    assert_order(&Skate, || ImplicitMidpoint::without_derivatives(&Skate, 1.0), &Skate::exact, (2.0, 100));
    assert_order(&Skate, || GeneralizedAlpha::without_derivatives(&Skate, 1.0, 0.8), &Skate::exact, (2.0, 100));
    assert_order(&Skate, || Zhong06::without_derivatives(&Skate, 1.0), &Skate::exact, (2.0, 100));
    assert_order(&Skate, || Gauss4::without_derivatives(&Skate, 1.0), &Skate::exact, (2.0, 10));
    assert_order(&Skate, || Gauss6::without_derivatives(&Skate, 1.0), &Skate::exact, (2.0, 3));
}

#[test]
fn orders_on_quaternions() {
    assert_orders(&Top, &Top::exact, 2.0);
}

#[test]
fn orders_on_quaternions_with_a_projected_row() {
    let gimbal = Gimbal { tilt: 0.7, guess: [1.0, 0.0, 0.0, 0.0] };
    assert_orders(&gimbal, &|t| gimbal.exact(t), 2.0);
}

#[test]
fn orders_without_stabilization_and_with_baumgarte() {
    let bead = Bead { omega: 1.2 };
    let baumgarte = Stabilization::Baumgarte { alpha: 5.0, beta: 5.0 };
    for choice in [Stabilization::None, baumgarte] {
        assert_order(&bead, || Rk4::new(&bead, 1.0).with_stabilization(choice), &|t| bead.exact(t), (1.5, 80));
        let make = || DormandPrince::new(&bead).with_stabilization(choice);
        assert_order(&bead, make, &|t| bead.exact(t), (1.5, 40));
        let make = || ImplicitMidpoint::without_derivatives(&bead, 1.0).with_stabilization(choice);
        assert_order(&bead, make, &|t| bead.exact(t), (1.5, 100));
        let make = || Gauss4::without_derivatives(&bead, 1.0).with_stabilization(choice);
        assert_order(&bead, make, &|t| bead.exact(t), (1.5, 10));
    }
}

#[test]
fn orders_with_symmetric_projection() {
    let bead = Differenced(Bead { omega: 1.2 });
    let gimbal = Differenced(Gimbal { tilt: 0.7, guess: [1.0, 0.0, 0.0, 0.0] });
    let choice = Stabilization::SymmetricProjection;
    let (of_bead, of_gimbal) = (&|t| bead.0.exact(t), &|t| gimbal.0.exact(t));
    assert_order(&bead, || Gauss4::new(&bead, 1.0).with_stabilization(choice), of_bead, (1.5, 10));
    assert_order(&bead, || Gauss6::new(&bead, 1.0).with_stabilization(choice), of_bead, (1.5, 3));
    assert_order(&gimbal, || Gauss4::new(&gimbal, 1.0).with_stabilization(choice), of_gimbal, (2.0, 10));
    assert_order(&gimbal, || Gauss6::new(&gimbal, 1.0).with_stabilization(choice), of_gimbal, (2.0, 3));
    let make = || Gauss4::new(&Differenced(Skate), 1.0).with_stabilization(choice);
    assert_order(&Differenced(Skate), make, &Skate::exact, (2.0, 10));
}

#[test]
fn orders_where_the_mass_matrix_changes() {
    let m = DoublePendulum;
    let exact = |t: f64| {
        let mut state = State::new(&m);
        let mut stepper = DormandPrince::new(&m).with_tolerances(1e-12, 1e-13);
        stepper.advance_to(&m, &mut state, t, &mut zero_inputs).unwrap();
        [state.q, state.v].concat()
    };
    assert_order(&m, || Zhong06::without_derivatives(&m, 1.0), &exact, (1.5, 200));
}

/// A continuous extension of order 4 has a local error O(h⁵).
fn dense_error<M: Mechanism>(m: &M, exact: &dyn Fn(f64) -> Vec<f64>, h: f64) -> f64 {
    let (mut stepper, mut state) = (DormandPrince::new(m), State::new(m));
    set(&mut state, &exact(0.0));
    stepper.step(m, &mut state, &mut zero_inputs, h).unwrap();
    let mut worst = 0.0_f64;
    for i in 1..10 {
        let t = f64::from(i) / 10.0 * h;
        stepper.interpolate(m, t, &mut state).unwrap();
        assert_eq!(state.t, t);
        worst = worst.max(crate::models::distance(&state, &exact(t)));
    }
    worst
}

#[test]
fn dense_output_has_order_four() {
    let bead = Bead { omega: 1.2 };
    let order = (dense_error(&Top, &Top::exact, 0.2) / dense_error(&Top, &Top::exact, 0.1)).log2();
    println!("dense output, top: local order {order:.3}");
    assert!((order - 5.0).abs() < 0.15, "{order}");
    let exact = |t| bead.exact(t);
    let order = (dense_error(&bead, &exact, 0.2) / dense_error(&bead, &exact, 0.1)).log2();
    println!("dense output, bead: local order {order:.3}");
    assert!(order > 4.85, "{order}");
}

#[test]
fn dense_output_is_projected_and_meets_both_ends() {
    let bead = Bead { omega: 1.2 };
    let (mut stepper, mut state) = (DormandPrince::new(&bead), State::new(&bead));
    set(&mut state, &bead.exact(0.0));
    let start = state.clone();
    stepper.step(&bead, &mut state, &mut zero_inputs, 0.3).unwrap();
    let (end, mut inside) = (state.clone(), state.clone());
    assert_eq!(stepper.last_step(), (0.0, 0.3));
    stepper.interpolate(&bead, 0.0, &mut inside).unwrap();
    assert_eq!(inside, start);
    stepper.interpolate(&bead, 0.3, &mut inside).unwrap();
    assert_eq!(inside, end);
    for i in 1..30 {
        stepper.interpolate(&bead, f64::from(i) * 0.01, &mut inside).unwrap();
        let (phi, psi) = crate::models::violations(&bead, &inside);
        assert!(phi < 2e-15 && psi < 4e-15, "{phi:e} {psi:e}");
    }
}

#[test]
fn single_precision_works() {
    let (m, mut state) = (Oscillator, State::<Oscillator, f32>::new(&Oscillator));
    let mut stepper = Rk4::new(&m, 0.02_f32);
    stepper.advance_to(&m, &mut state, 2.0_f32, &mut zero_inputs).unwrap();
    // 100 steps, each rounding |q| ≤ 1 to 6e-8.
    assert!((f64::from(state.q[0]) - 2.0_f64.cos()).abs() < 3e-6);
    let mut adaptive = DormandPrince::new(&m).with_tolerances(1e-5_f32, 1e-6);
    let mut state = State::<Oscillator, f32>::new(&Oscillator);
    adaptive.advance_to(&m, &mut state, 2.0, &mut zero_inputs).unwrap();
    assert!((f64::from(state.q[0]) - 2.0_f64.cos()).abs() < 1e-4);
}

#[test]
fn the_energy_error_of_symplectic_euler_is_bounded() {
    let (m, mut state) = (Oscillator, State::<Oscillator>::new(&Oscillator));
    let mut stepper = SemiImplicitEuler::new(&m, 0.01);
    for i in 1..=100 {
        crate::models::advance(&m, &mut stepper, &mut state, f64::from(i));
        let energy = m.energy(state.view(&[0.0]));
        assert!((energy.kinetic + energy.potential - 0.5).abs() < 0.003);
    }
    let euler = error_after(&m, ExplicitEuler::new(&m, 1.0), &Oscillator::exact, (20.0, 2000));
    assert!(euler > 0.05, "explicit Euler gains energy: {euler}");
}
