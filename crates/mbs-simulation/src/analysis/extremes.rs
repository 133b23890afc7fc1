//! Extreme values of columns, and dead points.

use super::curve::{Curve, bisect, derivative};
use super::{AnalysisError, Kinematics};
use crate::{Quantity, Recording};
use mbs_core::{Describe, Eventful, State};

/// Number of parts of a piece, at whose ends the sign of the rate is evaluated.
const PARTS: usize = 4;
/// Changes of a column, relative to its range, that count as noise.
const NOISE: f64 = 1e-10;
/// Number of rows around an extreme when it is refined, and the fraction of the interval that they cover.
const ROWS: usize = 9;
const COVERED: f64 = 0.25;

/// Kind of an extreme value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtremeKind {
    /// Smaller than neighbouring values.
    Minimum,
    /// Larger than neighbouring values.
    Maximum,
}

/// An extreme value of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// Time \[s\].
    pub time: f64,
    /// The value, in the unit of the column.
    pub value: f64,
    /// Minimum or maximum.
    pub kind: ExtremeKind,
}

/// The extreme values of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Extremes {
    /// The least value, at an end of the recording if it is there.
    pub minimum: Extreme,
    /// The largest value, at an end of the recording if it is there.
    pub maximum: Extreme,
    /// All local extremes between the ends, in order of time.
    pub turning: Vec<Extreme>,
}

impl Recording {
    /// Extreme values of a column ([`Recording::column`]), also between recorded times.
    ///
    /// Between rows, columns are polynomials of degree five, with the rates that are recorded (v and a of coordinates, a of speeds)
    /// or else with rates from seven rows; where a column jumps, with rates that do not overshoot. With 1° of crank per row the
    /// times of extremes are accurate to 1e-9 of a revolution; [`refine`] computes them to round-off. Changes below 1e-10 of the column's range
    /// count as noise.
    ///
    /// # Errors
    /// [`AnalysisError::Unknown`], [`AnalysisError::NotFinite`], [`AnalysisError::TooFewRows`] below 2.
    pub fn extremes(&self, column: &str) -> Result<Extremes, AnalysisError> {
        let curve = self.curve(column)?;
        Ok(curve_extremes(&curve, curve.start(), curve.end()))
    }

    /// Dead points of a follower: extremes of its coordinate, or of any other column, where it reverses its motion.
    ///
    /// # Errors
    /// Those of [`Recording::extremes`].
    pub fn dead_points(&self, column: &str) -> Result<Vec<Extreme>, AnalysisError> {
        Ok(self.extremes(column)?.turning)
    }
}

/// Extremes within a range of time, whose ends count for the least and the largest value.
pub(super) fn curve_extremes(curve: &Curve, start: f64, end: f64) -> Extremes {
    let turning = local_extremes(curve, start, end);
    let at = |time: f64, kind| Extreme { time, value: curve.value(time), kind };
    let ends = |kind| [at(start, kind), at(end, kind)];
    let all = |kind| ends(kind).into_iter().chain(turning.iter().copied().filter(move |e| e.kind == kind));
    let minimum = all(ExtremeKind::Minimum).min_by(|a, b| a.value.total_cmp(&b.value));
    let maximum = all(ExtremeKind::Maximum).max_by(|a, b| a.value.total_cmp(&b.value));
    let first = ends(ExtremeKind::Minimum)[0];
    Extremes { minimum: minimum.unwrap_or(first), maximum: maximum.unwrap_or(first), turning }
}

/// Local extremes, where the rate changes sign, without noise.
fn local_extremes(curve: &Curve, start: f64, end: f64) -> Vec<Extreme> {
    let (low, high) = curve.range();
    let noise = (NOISE * (high - low)).max(64.0 * f64::EPSILON * low.abs().max(high.abs()));
    let mut found: Vec<Extreme> = Vec::new();
    // The last time with a nonzero rate, and its sign.
    let mut last: Option<(f64, f64)> = None;
    let mut reached = curve.value(start);
    for piece in 0..curve.len() {
        let (polynomial, h, origin) = (curve.piece(piece), curve.step(piece), curve.times[piece]);
        for part in 0..=PARTS {
            let s = part as f64 / PARTS as f64;
            let (t, rate) = (origin + s * h, derivative(&polynomial, s));
            if rate == 0.0 || t < start || t > end {
                continue;
            }
            if let Some((before, sign)) = last.filter(|(_, sign)| sign * rate < 0.0) {
                let time = root(curve, before.max(start), t, sign);
                let kind = if sign > 0.0 { ExtremeKind::Maximum } else { ExtremeKind::Minimum };
                let extreme = Extreme { time, value: curve.value(time), kind };
                if (extreme.value - reached).abs() > noise {
                    found.push(extreme);
                    reached = extreme.value;
                } else if found.last().is_some_and(|previous| previous.kind != kind) {
                    // A ripple: this extreme cancels the one before it.
                    found.pop();
                    reached = found.last().map_or(curve.value(start), |previous| previous.value);
                }
            }
            last = Some((t, rate.signum()));
        }
    }
    found
}

/// The time between two at which the rate loses its sign.
fn root(curve: &Curve, before: f64, after: f64, sign: f64) -> f64 {
    bisect(before, after, |t| {
        let (piece, s) = curve.locate(t);
        sign * curve.rate(piece, s)
    })
}

/// Refines an extreme of a kinematic recording by solving the motion at times close to it: its time is then accurate to about 1e-12 of the
/// interval between rows.
///
/// `recording` is one of [`Kinematics`] or [`InverseDynamics`](super::InverseDynamics) of this mechanism without inputs or additional
/// loads, and `extreme` is from its [`Recording::extremes`] or [`Recording::dead_points`].
///
/// # Errors
/// Those of [`Recording::extremes`], and [`AnalysisError::Run`].
pub fn refine<M: Describe + Eventful>(
    mechanism: &M,
    recording: &Recording,
    column: &str,
    extreme: &Extreme,
) -> Result<Extreme, AnalysisError> {
    let times = recording.times();
    if times.len() < 2 {
        return Err(AnalysisError::TooFewRows { needed: 2, found: times.len() });
    }
    let after = times.partition_point(|t| *t <= extreme.time).clamp(1, times.len() - 1);
    let half = 0.5 * COVERED * (times[after] - times[after - 1]);
    let first = (extreme.time - half).max(times[0]);
    let row = times.partition_point(|t| *t <= first).max(1) - 1;
    let mut state = State::new(mechanism);
    state.t = times[row];
    let columns = |quantity: Quantity| recording.table(quantity).columns().iter().map(|column| column[row]);
    for (values, quantity) in [
        (state.q.as_mut(), Quantity::Coordinates),
        (state.v.as_mut(), Quantity::Speeds),
        (state.z.as_mut(), Quantity::Auxiliary),
    ] {
        values.iter_mut().zip(columns(quantity)).for_each(|(value, recorded)| *value = recorded);
    }
    let recorded = recording.memories.chunks_exact((recording.memories.len() / times.len()).max(1)).nth(row);
    let memories = state.z.as_mut().iter_mut().skip(mechanism.sizes().n_z);
    memories.zip(recorded.unwrap_or_default()).for_each(|(memory, recorded)| *memory = *recorded);
    let near: Vec<f64> = (0..ROWS).map(|k| first + 2.0 * half * k as f64 / (ROWS - 1) as f64).collect();
    let again = Kinematics::new(mechanism).initial(state).at(&near).run()?;
    let curve = Curve::smooth(column, &near, &again.column(column)?)?;
    let found = local_extremes(&curve, curve.start(), curve.end()).into_iter().find(|found| found.kind == extreme.kind);
    Ok(found.unwrap_or(*extreme))
}
