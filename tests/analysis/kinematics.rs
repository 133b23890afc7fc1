//! Kinematics of driven mechanisms against closed forms.

use std::f64::consts::TAU;

use mbs::Kinematics;

use crate::mechanisms::{FourBar, in_both, wrapped};

#[test]
fn four_bar_follows_the_closed_form() {
    let linkage = FourBar::CRANK_ROCKER;
    in_both(&linkage.text(), |engine| {
        let turn = Kinematics::new(engine).grid(0.0, 1.0, 361).run().unwrap_or_else(|e| panic!("{e}"));
        println!("{:?}", turn.statistics());
        assert_eq!(turn.len(), 361);
        let column = |name: &str| turn.output(name).unwrap();
        for (i, t) in turn.times().iter().enumerate() {
            let pose = linkage.pose(linkage.start + TAU * t);
            // Positions to Newton's round-off; rates are divided by sines of transmission angles down to 0.6.
            assert!(wrapped(column("coupler_angle")[i] - pose.coupler[0]).abs() < 1e-12);
            assert!(wrapped(column("rocker_angle")[i] - pose.rocker[0]).abs() < 1e-12);
            assert!((column("rocker_rate")[i] - pose.rocker[1]).abs() < 1e-11);
            assert!((column("rocker_acceleration")[i] - pose.rocker[2]).abs() < 1e-9);
        }
    });
}
