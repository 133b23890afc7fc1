//! A recorded column as a function of time: piecewise polynomials of degree five.
//!
//! Their first and second derivatives at the rows are the recorded ones, or else those of the polynomial through up to seven neighbouring rows.
//! Where that polynomial does not describe the column, because it jumps or because rows are far apart, derivatives are the harmonic means of
//! the difference quotients on both sides, which never overshoot, and pieces are cubic.
//!
//! # Sources
//! Rates of polynomials: Berrut & Trefethen (2004), Barycentric Lagrange interpolation, §9.3. Harmonic means: Fritsch & Butland (1984),
//! A method for constructing local monotone piecewise cubic interpolants.

use super::AnalysisError;

/// Number of rows from which a rate is computed where none is recorded.
const STENCIL: usize = 7;
/// Difference of the rates from seven rows and from three, relative to the largest difference quotient of neighbouring rows, above which a column is
/// rough.
const ROUGH: f64 = 0.1;

/// One column as a function of time.
pub(super) struct Curve {
    /// Strictly increasing.
    pub times: Vec<f64>,
    pub values: Vec<f64>,
    rates: Vec<f64>,
    /// `None` where the column is rough.
    second: Vec<Option<f64>>,
}

impl Curve {
    /// Curve through a column, with its recorded first and second derivatives if there are any. Rows that repeat a time are omitted.
    pub fn new(name: &str, times: &[f64], columns: [Option<&[f64]>; 3]) -> Result<Curve, AnalysisError> {
        let mut rows: Vec<usize> = Vec::with_capacity(times.len());
        for (i, t) in times.iter().enumerate() {
            if rows.last().is_none_or(|last| times[*last] < *t) {
                rows.push(i);
            }
        }
        if rows.len() < 2 {
            return Err(AnalysisError::TooFewRows { needed: 2, found: rows.len() });
        }
        let [values, rates, second] =
            columns.map(|column| column.map(|column| rows.iter().map(|i| column[*i]).collect::<Vec<f64>>()));
        let values = values.expect("a curve has values");
        if values.iter().chain(rates.iter().flatten()).chain(second.iter().flatten()).any(|x| !x.is_finite()) {
            return Err(AnalysisError::NotFinite { column: name.into() });
        }
        let times: Vec<f64> = rows.iter().map(|i| times[*i]).collect();
        let is_rough = match rates {
            Some(_) => vec![false; times.len()],
            None => rough_rows(&times, &values),
        };
        let mut rates = rates.unwrap_or_else(|| derivatives(&times, &values, STENCIL));
        for row in (0..times.len()).filter(|row| is_rough[*row]) {
            rates[row] = monotone_rate(&times, &values, row);
        }
        let second = second.unwrap_or_else(|| derivatives(&times, &rates, STENCIL));
        let second = second.into_iter().zip(is_rough).map(|(second, is_rough)| (!is_rough).then_some(second)).collect();
        Ok(Curve { times, values, rates, second })
    }

    /// Curve through a smooth column at few, close rows; its first and second derivatives are computed from all of them.
    pub fn smooth(name: &str, times: &[f64], values: &[f64]) -> Result<Curve, AnalysisError> {
        let curve = Curve::new(name, times, [Some(values), None, None])?;
        let rates = derivatives(&curve.times, &curve.values, curve.times.len());
        let second = derivatives(&curve.times, &rates, curve.times.len()).into_iter().map(Some).collect();
        Ok(Curve { rates, second, ..curve })
    }

    pub fn start(&self) -> f64 {
        self.times[0]
    }

    pub fn end(&self) -> f64 {
        self.times[self.times.len() - 1]
    }

    /// Number of pieces.
    pub fn len(&self) -> usize {
        self.times.len() - 1
    }

    /// Length of a piece \[s\].
    pub fn step(&self, piece: usize) -> f64 {
        self.times[piece + 1] - self.times[piece]
    }

    /// Coefficients of a piece in powers of s = (t − t_i)/h.
    pub fn piece(&self, i: usize) -> [f64; 6] {
        let h = self.step(i);
        let (y0, y1) = (self.values[i], self.values[i + 1]);
        let (d0, d1) = (h * self.rates[i], h * self.rates[i + 1]);
        let rise = y1 - y0;
        match self.second[i].zip(self.second[i + 1]) {
            None => [y0, d0, 3.0 * rise - 2.0 * d0 - d1, d0 + d1 - 2.0 * rise, 0.0, 0.0],
            Some((c0, c1)) => {
                let (c0, c1) = (h * h * c0, h * h * c1);
                [
                    y0,
                    d0,
                    0.5 * c0,
                    10.0 * rise - 6.0 * d0 - 4.0 * d1 - 1.5 * c0 + 0.5 * c1,
                    -15.0 * rise + 8.0 * d0 + 7.0 * d1 + 1.5 * c0 - c1,
                    6.0 * rise - 3.0 * (d0 + d1) - 0.5 * c0 + 0.5 * c1,
                ]
            }
        }
    }

    /// Index of the piece that contains a time, and s in it; times outside the recorded range are clamped to it.
    pub fn locate(&self, t: f64) -> (usize, f64) {
        let after = self.times.partition_point(|time| *time <= t);
        let piece = after.saturating_sub(1).min(self.len() - 1);
        (piece, ((t - self.times[piece]) / self.step(piece)).clamp(0.0, 1.0))
    }

    /// The value at a time.
    pub fn value(&self, t: f64) -> f64 {
        let (piece, s) = self.locate(t);
        value(&self.piece(piece), s)
    }

    /// The rate at s of a piece.
    pub fn rate(&self, piece: usize, s: f64) -> f64 {
        derivative(&self.piece(piece), s) / self.step(piece)
    }

    /// Least and largest of the recorded values.
    pub fn range(&self) -> (f64, f64) {
        let fold = |(low, high): (f64, f64), y: &f64| (low.min(*y), high.max(*y));
        self.values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), fold)
    }
}

/// Value of a polynomial at s.
pub(super) fn value(c: &[f64; 6], s: f64) -> f64 {
    c.iter().rev().fold(0.0, |sum, c| sum * s + c)
}

/// Derivative of a polynomial at s.
pub(super) fn derivative(c: &[f64; 6], s: f64) -> f64 {
    (1..6).rev().fold(0.0, |sum, k| sum * s + k as f64 * c[k])
}

/// A zero of f in [low, high], at whose ends f has different signs: bisection to the last bit.
pub(super) fn bisect(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let falls = f(low) > 0.0;
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if (f(middle) > 0.0) == falls {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// Whether, for each row, the polynomials of seven rows and of three differ, at it or next to it.
fn rough_rows(times: &[f64], values: &[f64]) -> Vec<bool> {
    let n = times.len();
    let [fine, coarse] = [STENCIL, 3].map(|count| derivatives(times, values, count));
    let steepness = |i: usize| ((values[i + 1] - values[i]) / (times[i + 1] - times[i])).abs();
    let steepest = |row: usize| {
        let around = row.saturating_sub(STENCIL / 2)..(row + STENCIL / 2).min(n - 1);
        around.map(steepness).fold(0.0, f64::max)
    };
    let differs: Vec<bool> = (0..n).map(|row| (fine[row] - coarse[row]).abs() > ROUGH * steepest(row)).collect();
    // A jump shows at the rows next to it, and affects all rows whose polynomials contain it.
    (0..n).map(|row| differs[row.saturating_sub(2)..(row + 3).min(n)].contains(&true)).collect()
}

/// The harmonic mean of the difference quotients on both sides of a row, 0 where they differ in sign and at the ends.
fn monotone_rate(times: &[f64], values: &[f64], row: usize) -> f64 {
    if row == 0 || row + 1 == times.len() {
        return 0.0;
    }
    let side = |i: usize| (values[i + 1] - values[i]) / (times[i + 1] - times[i]);
    let (before, after) = (side(row - 1), side(row));
    if before * after > 0.0 { 2.0 * before * after / (before + after) } else { 0.0 }
}

/// Rates at all rows, each from the polynomial through `count` consecutive rows around it.
fn derivatives(times: &[f64], values: &[f64], count: usize) -> Vec<f64> {
    let n = times.len();
    let count = count.min(n);
    let rate = |k: usize| {
        let first = k.saturating_sub(count / 2).min(n - count);
        let nodes = &times[first..first + count];
        let weight = |j: usize| {
            let others = nodes.iter().enumerate().filter(|(i, _)| *i != j);
            others.map(|(_, t)| 1.0 / (nodes[j] - t)).product::<f64>()
        };
        let node = k - first;
        let node_weight = weight(node);
        let terms = (0..count)
            .filter(|j| *j != node)
            .map(|j| weight(j) / node_weight / (nodes[node] - nodes[j]) * (values[first + j] - values[k]));
        terms.sum()
    };
    (0..n).map(rate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_reproduce_polynomials() {
        let times = [0.0, 0.3, 0.7, 1.5, 1.6, 2.0];
        let power = |n: i32| move |t: &f64| t.powi(n);
        let column = |n, factor: f64| -> Vec<f64> { times.iter().map(power(n)).map(|x| factor * x).collect() };
        let quintic = [column(5, 1.0), column(4, 5.0), column(3, 20.0)];
        let [y, dy, ddy] = quintic.each_ref().map(|column| Some(column.as_slice()));
        let cubic = [column(3, 1.0), column(2, 3.0)];
        let quartic = column(4, 1.0);
        for (curve, degree) in [
            (Curve::new("y", &times, [y, dy, ddy]).unwrap(), 5),
            (Curve::new("y", &times, [Some(&cubic[0]), Some(&cubic[1]), None]).unwrap(), 3),
            (Curve::smooth("y", &times, &quartic).unwrap(), 4),
        ] {
            for t in [0.0, 0.1, 0.5, 1.2, 1.99, 2.0] {
                assert!((curve.value(t) - t.powi(degree)).abs() < 1e-13, "degree {degree} at {t}");
                let (piece, s) = curve.locate(t);
                assert!((curve.rate(piece, s) - f64::from(degree) * t.powi(degree - 1)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn jumps_do_not_overshoot() {
        let times: Vec<f64> = (0..40).map(|i| 0.1 * f64::from(i)).collect();
        let values: Vec<f64> = times.iter().map(|t| if *t < 2.05 { 0.0 } else { 3.0 }).collect();
        let curve = Curve::new("y", &times, [Some(&values), None, None]).unwrap();
        assert!((0..=390).map(|i| curve.value(0.01 * f64::from(i))).all(|y| (0.0..=3.0).contains(&y)));
    }
}
