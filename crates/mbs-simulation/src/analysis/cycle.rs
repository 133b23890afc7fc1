//! One revolution of the crank as a table.

#[cfg(feature = "harmonics")]
mod harmonics;
mod render;

use std::f64::consts::TAU;

use super::curve::{Curve, bisect, derivative, value};
use super::trace::GAUSS;
use super::{AnalysisError, extremes};
use crate::Recording;

/// A revolution of an angle in a recording, or [several](Cycle::revolutions), for [tables](Cycle::table) and
/// [harmonics](Cycle::harmonics): [`Recording::cycle`].
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
    /// The angle at the beginning \[rad\].
    start: f64,
    /// The change of the angle over the cycle \[rad\]: ±2π for each revolution.
    span: f64,
    revolutions: usize,
    angles: Vec<f64>,
}

/// Chosen columns over a cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct CycleTable {
    /// Name of the angle.
    pub angle: String,
    /// Angles of the rows \[rad\], as chosen.
    pub angles: Vec<f64>,
    /// Times \[s\] within the cycle at which the angle is that of the row, up to full revolutions.
    pub times: Vec<f64>,
    /// The columns.
    pub columns: Vec<CycleColumn>,
}

/// One column over a cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct CycleColumn {
    /// Name, as given.
    pub name: String,
    /// One value per angle.
    pub values: Vec<f64>,
    /// Least value of the cycle, also between the rows of the table.
    pub minimum: f64,
    /// Largest value of the cycle, also between the rows of the table.
    pub maximum: f64,
    /// Mean over the angle, (1/Δφ) ∫ y dφ: of a torque, its work per radian.
    pub mean: f64,
    /// Root of the mean square over the angle.
    pub rms: f64,
}

impl Recording {
    /// The first full revolution of an angle, such as the coordinate of a crank's bearing. Tables have 36 steps of 10° unless
    /// [`Cycle::steps`] or [`Cycle::at_degrees`] is called.
    ///
    /// # Errors
    /// [`AnalysisError::Unknown`]; [`AnalysisError::NoRevolution`] if less than 360° are recorded; [`AnalysisError::Reverses`].
    pub fn cycle(&self, angle: &str) -> Result<Cycle<'_>, AnalysisError> {
        let curve = self.curve(angle)?;
        let (start, span) = (curve.values[0], full_revolutions(angle, &curve, 1)?);
        let cycle =
            Cycle { recording: self, angle: angle.into(), start, span, revolutions: 1, angles: Vec::new() }.steps(36);
        cycle.check_direction(&curve)
    }
}

impl Cycle<'_> {
    /// Chooses this number of full revolutions, the first ones, such as two for a four-stroke engine. Choose the last ones and rows
    /// afterwards. Zero counts as one.
    ///
    /// # Errors
    /// [`AnalysisError::NoRevolution`] if less is recorded; [`AnalysisError::Reverses`].
    pub fn revolutions(mut self, revolutions: usize) -> Result<Self, AnalysisError> {
        let curve = self.recording.curve(&self.angle)?;
        self.revolutions = revolutions.max(1);
        self.start = curve.values[0];
        self.span = full_revolutions(&self.angle, &curve, self.revolutions)?;
        self.steps(36).check_direction(&curve)
    }

    /// Chooses the last full revolutions instead of the first: of a forward run, the steady state.
    ///
    /// # Errors
    /// [`AnalysisError::Reverses`].
    pub fn last(mut self) -> Result<Self, AnalysisError> {
        let curve = self.recording.curve(&self.angle)?;
        self.start = curve.values[curve.values.len() - 1] - self.span;
        self.check_direction(&curve)
    }

    /// Chooses rows at 0° and after every 360°/`steps` of every revolution, both ends included.
    #[must_use]
    pub fn steps(self, steps: usize) -> Self {
        let angles: Vec<f64> = (0..=self.revolutions * steps).map(|k| 360.0 * k as f64 / steps.max(1) as f64).collect();
        self.at_degrees(&angles)
    }

    /// Chooses rows at these angles \[°\].
    #[must_use]
    pub fn at_degrees(mut self, angles: &[f64]) -> Self {
        self.angles = angles.iter().map(|angle| angle.to_radians()).collect();
        self
    }

    /// The table of some columns, named as in [`Recording::column`]. Values between recorded rows are those of
    /// [`Recording::extremes`]; angles that the cycle does not contain are shifted by full revolutions.
    ///
    /// # Errors
    /// [`AnalysisError::Unknown`] with the nearest column, [`AnalysisError::NotFinite`].
    pub fn table(&self, columns: &[&str]) -> Result<CycleTable, AnalysisError> {
        let angle = self.recording.curve(&self.angle)?;
        let range = [time_of(&angle, self.start, self.span), time_of(&angle, self.start + self.span, self.span)];
        let times: Vec<f64> = self.angles.iter().map(|phi| time_of(&angle, self.wrap(*phi), self.span)).collect();
        let column = |name: &&str| -> Result<CycleColumn, AnalysisError> {
            let curve = self.recording.curve(name)?;
            let extremes = extremes::curve_extremes(&curve, range[0], range[1]);
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

    /// The angle in the cycle that equals an angle up to full revolutions. At the border, the first angle of the table is at the beginning, and one
    /// a cycle later at the end.
    fn wrap(&self, angle: f64) -> f64 {
        let period = self.span.abs();
        let rest = ((angle - self.start) * self.span.signum()).rem_euclid(period);
        let is_border = !(1e-9..=period - 1e-9).contains(&rest);
        let is_later = self.angles.first().is_some_and(|first| angle - first > 0.5 * period);
        let rest = if is_border { if is_later { period } else { 0.0 } } else { rest };
        self.start + rest * self.span.signum()
    }

    /// Checks that the angle is monotonic over the cycle.
    ///
    /// # Errors
    /// [`AnalysisError::Reverses`].
    fn check_direction(self, curve: &Curve) -> Result<Self, AnalysisError> {
        let range = [self.start, self.start + self.span].map(|angle| time_of(curve, angle, self.span));
        let extremes = extremes::curve_extremes(curve, range[0], range[1]).turning;
        match extremes.first() {
            Some(extreme) => Err(AnalysisError::Reverses { column: self.angle, time: extreme.time }),
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

/// The change of an angle over a number of full revolutions in its direction of rotation: ±2π each.
///
/// # Errors
/// [`AnalysisError::NoRevolution`] if less is recorded.
fn full_revolutions(name: &str, curve: &Curve, revolutions: usize) -> Result<f64, AnalysisError> {
    let rise = curve.values[curve.values.len() - 1] - curve.values[0];
    let needed = TAU * revolutions as f64;
    // A revolution that ends within round-off is complete.
    if rise.abs() < needed * (1.0 - 1e-9) {
        return Err(AnalysisError::NoRevolution { column: name.into(), needed, covered: rise.abs() });
    }
    Ok(needed.copysign(rise))
}

/// The first time at which a monotonic angle, in the direction of the sign of `span`, has a value.
fn time_of(curve: &Curve, angle: f64, span: f64) -> f64 {
    let behind = |value: f64| (value - angle) * span.signum();
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
