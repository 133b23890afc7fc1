//! One turn of the crank as a table.

#[cfg(feature = "harmonics")]
mod harmonics;
mod render;

use std::f64::consts::TAU;

use super::curve::{Curve, bisect, derivative, value};
use super::trace::GAUSS;
use super::{AnalysisError, extremes};
use crate::Recording;

/// A turn of an angle in a recording, or [several](Cycle::turns), of which [tables](Cycle::table) and
/// [harmonics](Cycle::harmonics) are made: [`Recording::cycle`].
///
/// ```
/// # fn table(recording: &mbs::Recording) -> Result<(), Box<dyn std::error::Error>> {
/// let cycle = recording.cycle("main_bearing.angle")?.steps(24);
/// let table = cycle.table(&["stroke", "drive.motor", "reaction.crank_pin.magnitude"])?;
/// println!("{table}");
/// println!("mean torque {} N m", table.column("drive.motor")?.mean);
/// table.write_csv("target/cycle.csv")?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Cycle<'r> {
    recording: &'r Recording,
    angle: String,
    /// The angle at the beginning of the turn, and ±2π for each.
    start: f64,
    turn: f64,
    turns: usize,
    angles: Vec<f64>,
}

/// Chosen columns over one turn.
#[derive(Clone, Debug, PartialEq)]
pub struct CycleTable {
    /// Name of the angle.
    pub angle: String,
    /// Angles \[rad\], as asked for.
    pub angles: Vec<f64>,
    /// Times \[s\] within the turn at which the angle is, up to full turns, what the row says.
    pub times: Vec<f64>,
    /// The columns.
    pub columns: Vec<CycleColumn>,
}

/// One column over a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct CycleColumn {
    /// Name, as asked for.
    pub name: String,
    /// One value per angle.
    pub values: Vec<f64>,
    /// Least value of the whole turn, also between the rows of the table.
    pub minimum: f64,
    /// Largest value of the whole turn.
    pub maximum: f64,
    /// Mean over the angle, (1/2π) ∮ y dφ: of a torque, its work per radian.
    pub mean: f64,
    /// Root of the mean square over the angle.
    pub rms: f64,
}

impl Recording {
    /// The first full turn of an angle, such as the coordinate of a crank's bearing. Tables have 36 steps of 10° unless asked
    /// otherwise.
    ///
    /// # Errors
    /// [`AnalysisError::Unknown`]; [`AnalysisError::NoTurn`] if less than 360° are recorded; [`AnalysisError::Reverses`].
    pub fn cycle(&self, angle: &str) -> Result<Cycle<'_>, AnalysisError> {
        let curve = self.curve(angle)?;
        let (start, turn) = (curve.values[0], whole_turns(angle, &curve, 1)?);
        let cycle = Cycle { recording: self, angle: angle.into(), start, turn, turns: 1, angles: Vec::new() }.steps(36);
        cycle.checked(&curve)
    }
}

impl Cycle<'_> {
    /// The first so many full turns instead, such as two of a four-stroke engine; ask for the last ones and for rows
    /// afterwards. None counts as one.
    ///
    /// # Errors
    /// [`AnalysisError::NoTurn`] if less is recorded; [`AnalysisError::Reverses`].
    pub fn turns(mut self, turns: usize) -> Result<Self, AnalysisError> {
        let curve = self.recording.curve(&self.angle)?;
        self.turns = turns.max(1);
        self.start = curve.values[0];
        self.turn = whole_turns(&self.angle, &curve, self.turns)?;
        self.steps(36).checked(&curve)
    }

    /// The last full turn instead: of a forward run, what it has settled to.
    ///
    /// # Errors
    /// [`AnalysisError::Reverses`].
    pub fn last(mut self) -> Result<Self, AnalysisError> {
        let curve = self.recording.curve(&self.angle)?;
        self.start = curve.values[curve.values.len() - 1] - self.turn;
        self.checked(&curve)
    }

    /// Rows at 0° and after every 360°/`steps` of every turn, both ends included.
    #[must_use]
    pub fn steps(self, steps: usize) -> Self {
        let angles: Vec<f64> = (0..=self.turns * steps).map(|k| 360.0 * k as f64 / steps.max(1) as f64).collect();
        self.at_degrees(&angles)
    }

    /// Rows at these angles \[°\].
    #[must_use]
    pub fn at_degrees(mut self, angles: &[f64]) -> Self {
        self.angles = angles.iter().map(|angle| angle.to_radians()).collect();
        self
    }

    /// The table of some columns: names as [`Recording::column`] takes them. Values between rows are those of
    /// [`Recording::extremes`]; angles that the turn does not contain are taken a full turn later or earlier.
    ///
    /// # Errors
    /// [`AnalysisError::Unknown`] with the nearest column, [`AnalysisError::NotFinite`].
    pub fn table(&self, columns: &[&str]) -> Result<CycleTable, AnalysisError> {
        let angle = self.recording.curve(&self.angle)?;
        let range = [time_of(&angle, self.start, self.turn), time_of(&angle, self.start + self.turn, self.turn)];
        let times: Vec<f64> = self.angles.iter().map(|phi| time_of(&angle, self.within(*phi), self.turn)).collect();
        let column = |name: &&str| -> Result<CycleColumn, AnalysisError> {
            let curve = self.recording.curve(name)?;
            let extremes = extremes::of_curve(&curve, range[0], range[1]);
            let [mean, square] = means(&angle, &curve, range);
            Ok(CycleColumn {
                name: (*name).into(),
                values: times.iter().map(|t| curve.value(*t)).collect(),
                minimum: extremes.minimum.value,
                maximum: extremes.maximum.value,
                mean,
                rms: square.max(0.0).sqrt(),
            })
        };
        let columns = columns.iter().map(column).collect::<Result<_, _>>()?;
        Ok(CycleTable { angle: self.angle.clone(), angles: self.angles.clone(), times, columns })
    }

    /// The angle in the turn that an angle is, up to full turns: the first of the table is rather at its beginning, one that
    /// comes a turn later at its end.
    fn within(&self, angle: f64) -> f64 {
        let period = self.turn.abs();
        let rest = ((angle - self.start) * self.turn.signum()).rem_euclid(period);
        let is_border = !(1e-9..=period - 1e-9).contains(&rest);
        let is_later = self.angles.first().is_some_and(|first| angle - first > 0.5 * period);
        let rest = if is_border { if is_later { period } else { 0.0 } } else { rest };
        self.start + rest * self.turn.signum()
    }

    /// Whether the angle turns one way throughout the turn.
    fn checked(self, curve: &Curve) -> Result<Self, AnalysisError> {
        let range = [self.start, self.start + self.turn].map(|angle| time_of(curve, angle, self.turn));
        let turning = extremes::of_curve(curve, range[0], range[1]).turning;
        match turning.first() {
            Some(turn) => Err(AnalysisError::Reverses { column: self.angle, time: turn.time }),
            None => Ok(self),
        }
    }
}

impl CycleTable {
    /// A column by name.
    ///
    /// # Errors
    /// [`UnknownName`](crate::UnknownName) with the nearest name.
    pub fn column(&self, name: &str) -> Result<&CycleColumn, crate::UnknownName> {
        let names = self.columns.iter().map(|column| column.name.as_str());
        let found = self.columns.iter().find(|column| column.name == name);
        found.ok_or_else(|| crate::UnknownName::new("column", name, names))
    }
}

/// So many full turns of an angle in the direction in which it turns: ±2π each.
fn whole_turns(name: &str, curve: &Curve, turns: usize) -> Result<f64, AnalysisError> {
    let rise = curve.values[curve.values.len() - 1] - curve.values[0];
    let needed = TAU * turns as f64;
    // A turn within the round-off of its end is a whole one.
    if rise.abs() < needed * (1.0 - 1e-9) {
        return Err(AnalysisError::NoTurn { column: name.into(), needed, covered: rise.abs() });
    }
    Ok(needed.copysign(rise))
}

/// The first time at which an angle that turns in the direction of `turn` reaches a value.
fn time_of(curve: &Curve, angle: f64, turn: f64) -> f64 {
    let behind = |value: f64| (value - angle) * turn.signum();
    let after = curve.values.iter().position(|value| behind(*value) >= 0.0);
    match after {
        Some(0) => curve.start(),
        None => curve.end(),
        Some(after) => bisect(curve.times[after - 1], curve.times[after], |t| behind(curve.value(t))),
    }
}

/// (1/Δφ) ∫ y dφ and (1/Δφ) ∫ y² dφ over a range of time.
fn means(angle: &Curve, curve: &Curve, [start, end]: [f64; 2]) -> [f64; 2] {
    let mut sums = [0.0; 3];
    for piece in 0..angle.len() {
        let (origin, h) = (angle.times[piece], angle.step(piece));
        let low = ((start - origin) / h).clamp(0.0, 1.0);
        let high = ((end - origin) / h).clamp(0.0, 1.0);
        let (phi, y) = (angle.piece(piece), curve.piece(piece));
        for (node, weight) in GAUSS {
            let s = low + node * (high - low);
            let d_phi = weight * (high - low) * derivative(&phi, s);
            let y = value(&y, s);
            sums[0] += d_phi;
            sums[1] += y * d_phi;
            sums[2] += y * y * d_phi;
        }
    }
    [sums[1] / sums[0], sums[2] / sums[0]]
}
