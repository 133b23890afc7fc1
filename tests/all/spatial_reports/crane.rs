//! A slewing crane with a swinging load: a hinge about the vertical, a horizontal hinge, two spherical joints, a spring.
//!
//! The stay has no free length, so that it balances the boom approximately in every position.

use mbs::nalgebra::{Rotation3, UnitQuaternion, Vector3};

use crate::spatial_reports::bodies::{Bodies, Body, Joint, Point, Spring};

type V3 = Vector3<f64>;

const COLUMN: f64 = 1.0;
/// Height of the boom's hinge \[m\].
const HINGE: f64 = 0.45;
const BOOM: f64 = 1.1;
const ROPE: f64 = 0.45;
const TRAY: f64 = 0.22;
/// Elevation of the boom above the horizontal \[rad\].
const LUFF: f64 = 0.6;

/// A uniform bar along its x axis, between two points.
fn bar(name: &'static str, mass: f64, from: V3, to: V3) -> Body {
    let along = to - from;
    let attitude = UnitQuaternion::rotation_between(&V3::x(), &along).unwrap_or_else(UnitQuaternion::identity);
    let across = mass * along.norm_squared() / 12.0;
    let inertia = V3::new(0.02 * across, across, across);
    Body { name, mass, inertia, position: 0.5 * (from + to), attitude }
}

fn point_on(body: usize, x: f64, y: f64, z: f64) -> Point {
    Point { body: Some(body), at: V3::new(x, y, z) }
}

/// The crane, with an initial rate of 1.2 rad/s.
pub fn crane() -> Bodies {
    let ground = Point { body: None, at: V3::zeros() };
    let top = V3::new(0.0, 0.0, COLUMN);
    let pivot = V3::new(0.0, 0.0, HINGE);
    let tip = pivot + BOOM * V3::new(LUFF.cos(), 0.0, LUFF.sin());
    let hook = tip - ROPE * V3::new(0.0, 0.35_f64.sin(), 0.35_f64.cos());
    let column = bar("column", 6.0, V3::zeros(), top);
    let boom = bar("boom", 3.0, pivot, tip);
    let sling = hook - V3::new(0.0, 0.0, 0.12);
    let tray_inertia = V3::new(0.03, 0.03, 0.05);
    let tray =
        Body { name: "tray", mass: 2.0, inertia: tray_inertia, position: sling, attitude: UnitQuaternion::identity() };
    // The boom's y axis is horizontal, as `rotation_between` rotates about it.
    let upright = column.attitude.inverse();
    let hinge = (upright * V3::y(), [V3::x(), V3::z()]);
    Bodies {
        name: "Crane",
        joints: vec![
            Joint {
                name: "slewing",
                ends: [ground, point_on(0, -COLUMN / 2.0, 0.0, 0.0)],
                hinge: Some((V3::z(), [V3::y(), V3::z()])),
            },
            Joint {
                name: "luffing",
                ends: [point_on(0, HINGE - COLUMN / 2.0, 0.0, 0.0), point_on(1, -BOOM / 2.0, 0.0, 0.0)],
                hinge: Some(hinge),
            },
            Joint {
                name: "eye",
                ends: [point_on(1, BOOM / 2.0, 0.0, 0.0), point_on(2, -ROPE / 2.0, 0.0, 0.0)],
                hinge: None,
            },
            Joint { name: "hook", ends: [point_on(2, ROPE / 2.0, 0.0, 0.0), point_on(3, 0.0, 0.0, 0.12)], hinge: None },
        ],
        springs: vec![Spring {
            name: "stay",
            stiffness: 108.0,
            ends: [point_on(0, COLUMN / 2.0, 0.0, 0.0), point_on(1, 0.15, 0.0, 0.0)],
        }],
        markers: vec![
            ("corner[0]", point_on(3, TRAY, TRAY, -0.05)),
            ("corner[1]", point_on(3, -TRAY, TRAY, -0.05)),
            ("corner[2]", point_on(3, -TRAY, -TRAY, -0.05)),
            ("corner[3]", point_on(3, TRAY, -TRAY, -0.05)),
            ("load", point_on(3, 0.0, 0.0, -0.05)),
        ],
        bodies: vec![column, boom, bar("rope", 0.2, tip, hook), tray],
        spin: 1.2,
        names: Vec::new(),
    }
    .named()
}

/// A heavy top: a disc on a needle, which precesses.
pub fn top() -> Bodies {
    let lean = UnitQuaternion::from_rotation_matrix(&Rotation3::from_axis_angle(&V3::y_axis(), 0.5));
    let arm = 0.12;
    let inertia = V3::new(2.5e-3, 2.5e-3, 4e-3);
    let disc = Body { name: "disc", mass: 0.8, inertia, position: lean * V3::new(0.0, 0.0, arm), attitude: lean };
    Bodies {
        name: "Top",
        bodies: vec![disc],
        joints: vec![Joint {
            name: "tip",
            ends: [Point { body: None, at: V3::zeros() }, point_on(0, 0.0, 0.0, -arm)],
            hinge: None,
        }],
        springs: vec![],
        markers: vec![("crown", point_on(0, 0.0, 0.0, 0.05))],
        spin: 0.0,
        names: Vec::new(),
    }
    .named()
}
