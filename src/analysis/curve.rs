//! A recorded column between its rows: piecewise Hermite polynomials.
//!
//! With recorded rates pieces are cubic, with recorded second rates too of degree five. Where rates are not recorded they are
//! those of the polynomial through up to five rows around.

use super::AnalysisError;

/// Rows that a rate is taken from where none is recorded.
const STENCIL: usize = 5;

/// One column over time.
pub(super) struct Curve {
    /// Strictly increasing.
    pub times: Vec<f64>,
    pub values: Vec<f64>,
    rates: Vec<f64>,
    second: Option<Vec<f64>>,
}

impl Curve {
    /// Of a column with what is recorded of its rates: rows at the time of the one before are left out.
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
        let rates = rates.unwrap_or_else(|| slopes(&times, &values, STENCIL));
        Ok(Curve { times, values, rates, second })
    }

    /// Of a smooth column at few, close rows: rates and second rates from all of them.
    pub fn smooth(name: &str, times: &[f64], values: &[f64]) -> Result<Curve, AnalysisError> {
        let curve = Curve::new(name, times, [Some(values), None, None])?;
        let rates = slopes(&curve.times, &curve.values, curve.times.len());
        let second = slopes(&curve.times, &rates, curve.times.len());
        Ok(Curve { rates, second: Some(second), ..curve })
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
        match &self.second {
            None => [y0, d0, 3.0 * rise - 2.0 * d0 - d1, d0 + d1 - 2.0 * rise, 0.0, 0.0],
            Some(second) => {
                let (c0, c1) = (h * h * second[i], h * h * second[i + 1]);
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

    /// Piece and place s in it of a time, which is brought into the recorded range.
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

    /// The rate at a place of a piece.
    pub fn rate(&self, piece: usize, s: f64) -> f64 {
        slope(&self.piece(piece), s) / self.step(piece)
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
pub(super) fn slope(c: &[f64; 6], s: f64) -> f64 {
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

/// Rates at all rows, each of the polynomial through the `count` rows nearest in order.
///
/// # Source
/// Berrut & Trefethen (2004), Barycentric Lagrange interpolation, §9.3.
fn slopes(times: &[f64], values: &[f64], count: usize) -> Vec<f64> {
    let n = times.len();
    let count = count.min(n);
    let rate = |k: usize| {
        let first = k.saturating_sub(count / 2).min(n - count);
        let nodes = &times[first..first + count];
        let weight = |j: usize| {
            let others = nodes.iter().enumerate().filter(|(i, _)| *i != j);
            others.map(|(_, t)| 1.0 / (nodes[j] - t)).product::<f64>()
        };
        let own = k - first;
        let own_weight = weight(own);
        let terms = (0..count)
            .filter(|j| *j != own)
            .map(|j| weight(j) / own_weight / (nodes[own] - nodes[j]) * (values[first + j] - values[k]));
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
        let quartic = Curve::new("y", &times, [Some(&column(4, 1.0)), None, None]).unwrap();
        assert!(times.iter().zip(&quartic.rates).all(|(t, rate)| (rate - 4.0 * t.powi(3)).abs() < 1e-12));
        let quintic = [column(5, 1.0), column(4, 5.0), column(3, 20.0)];
        let [y, dy, ddy] = quintic.each_ref().map(|column| Some(column.as_slice()));
        let cubic = [column(3, 1.0), column(2, 3.0)];
        for (curve, degree) in [
            (Curve::new("y", &times, [y, dy, ddy]).unwrap(), 5),
            (Curve::new("y", &times, [Some(&cubic[0]), Some(&cubic[1]), None]).unwrap(), 3),
        ] {
            for t in [0.0, 0.1, 0.5, 1.2, 1.99, 2.0] {
                assert!((curve.value(t) - t.powi(degree)).abs() < 1e-13, "degree {degree} at {t}");
                let (piece, s) = curve.locate(t);
                assert!((curve.rate(piece, s) - f64::from(degree) * t.powi(degree - 1)).abs() < 1e-12);
            }
        }
    }
}
