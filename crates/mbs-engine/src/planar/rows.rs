//! Constraint rows: G and γ of the basic equations are written by hand, those of all other rows come from tapes.
//!
//! The basic equations of markers P on A and Q on B, with r = p_P − p_Q; residuals are in the catalogue of mbs-model, here are
//! their derivatives, tested against time series:
//!
//! ```text
//! coincident   φ = r                 φ̇ = ṙ                    φ̈ = r̈
//! parallel     φ = θ_P + α − θ_Q     φ̇ = ω_P − ω_Q            φ̈ = α_P − α_Q
//! off line     φ = r·n, n fixed in P φ̇ = ṙ·n + ω_P r·(ẑ×n)    φ̈ = r̈·n + 2 ω_P ṙ·(ẑ×n) + α_P r·(ẑ×n) − ω_P² r·n
//! distance     φ = r·r/2ℓ − ℓ/2      φ̇ = r·ṙ/ℓ                φ̈ = (ṙ·ṙ + r·r̈)/ℓ
//! ```

use mbs_expr::MarkerId;
use mbs_math::Vec2;
use mbs_model::{BasicEquation, Model, Row};

use crate::planar::plane::{PointMotion, Wrench, perpendicular, unit};
use crate::tape::Sweep;

/// Message where a basic equation of spatial mechanisms occurs in the plane, which the resolver excludes.
pub(crate) const SPATIAL_ROW: &str = "joints of the plane have no rows of space";

/// A basic equation between two markers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Basic {
    pub ends: [MarkerId; 2],
    pub equation: BasicEquation,
}

impl Basic {
    /// The basic equation of a row; `None` for another row, and if an end is on a body in natural coordinates.
    pub fn from_row(model: &Model, row: &Row) -> Option<Basic> {
        let basic = Basic { ends: model.joint(row.joint()?).ends, equation: row.basic? };
        basic.ends.iter().all(|m| !model.is_marker_natural(*m)).then_some(basic)
    }
}

/// One row of G and γ.
#[derive(Clone, Debug)]
pub(crate) struct RowPlan {
    /// `None` for a general row.
    pub basic: Option<Basic>,
    /// Root in the tape of general rows, which are all rows but basic equations.
    pub general: usize,
    /// 0 position, 1 velocity, 2 acceleration.
    pub level: usize,
    /// Sweep of a general row.
    pub sweep: Option<Sweep>,
    /// Steps whose bodies the row depends on, with the slots in G of the coordinates that move them.
    pub chains: Vec<(usize, Vec<usize>)>,
    /// Bodies in natural coordinates that the row depends on, with the slots in G of their coordinates.
    pub natural: Vec<(usize, Vec<usize>)>,
    /// Coordinates that the row contains explicitly, with their slots in G.
    pub direct: Vec<(usize, usize)>,
}

/// A marker as an end of a basic equation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub point: PointMotion,
    pub turning: Turning,
}

/// Rotation of the axes that a marker on a step or on ground has a constant angle to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turning {
    /// (cos, sin) of their angle.
    pub rotation: [f64; 2],
    pub rate: f64,
    pub angular_acceleration: f64,
}

/// The derivative of a basic equation with respect to the twists of its ends' bodies at their origins.
pub(crate) fn gradient(equation: BasicEquation, [p, q]: &[End; 2], data: Vec2<f64>) -> [Wrench; 2] {
    let r = p.point.point - q.point.point;
    match equation {
        BasicEquation::Coincident(c) => {
            let axis = unit(usize::from(c));
            [Wrench::from_force(p.point.arm, axis), Wrench::from_force(q.point.arm, -axis)]
        }
        BasicEquation::Parallel { .. } => [Wrench::torque(1.0), Wrench::torque(-1.0)],
        BasicEquation::OffLine { .. } => {
            let n = data.rotated(p.turning.rotation);
            let mut first = Wrench::from_force(p.point.arm, n);
            first.torque -= r.cross(n);
            [first, Wrench::from_force(q.point.arm, -n)]
        }
        BasicEquation::Distance { .. } => {
            let u = r * (1.0 / data[0]);
            [Wrench::from_force(p.point.arm, u), Wrench::from_force(q.point.arm, -u)]
        }
        BasicEquation::CommonAxis { .. } | BasicEquation::ParallelAxes(_) => unreachable!("{SPATIAL_ROW}"),
    }
}

/// φ̈ of a basic equation; with the accelerations at q̈ = 0 this is −γ.
pub(crate) fn second_rate(equation: BasicEquation, [p, q]: &[End; 2], data: Vec2<f64>) -> f64 {
    let r = p.point.point - q.point.point;
    let r_dot = p.point.velocity - q.point.velocity;
    let r_ddot = p.point.acceleration - q.point.acceleration;
    match equation {
        BasicEquation::Coincident(c) => r_ddot[usize::from(c)],
        BasicEquation::Parallel { .. } => p.turning.angular_acceleration - q.turning.angular_acceleration,
        BasicEquation::OffLine { .. } => {
            let Turning { rotation, rate, angular_acceleration } = p.turning;
            let n = data.rotated(rotation);
            let tangent = perpendicular(n);
            r_ddot.dot(n) + 2.0 * rate * r_dot.dot(tangent) + angular_acceleration * r.dot(tangent)
                - rate * rate * r.dot(n)
        }
        BasicEquation::Distance { .. } => (r_dot.square() + r.dot(r_ddot)) / data[0],
        BasicEquation::CommonAxis { .. } | BasicEquation::ParallelAxes(_) => unreachable!("{SPATIAL_ROW}"),
    }
}
