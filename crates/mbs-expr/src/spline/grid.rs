//! Bicubic splines in a declaration, of any number of points. They correspond to [`BicubicSpline`](mbs_core::BicubicSpline) of the runtime, and
//! are evaluated by the same code.

use mbs_core::spline::{Cell, Grid, Orders, continuation, fit_cells};
use mbs_core::{Beyond, Ends, GridError};

/// A bicubic spline.
#[derive(Clone, Debug, PartialEq)]
pub struct GridSpline {
    /// Knots x₀ … and y₀ ….
    pub knots: [Vec<f64>; 2],
    /// The polynomials to the right of each pair of knots, those of x₀ first.
    pub cells: Vec<Cell>,
    /// Periods in x and y, or 0 if it is not periodic.
    pub periods: [f64; 2],
    /// Whether it is straight to the left of the first knots, in x and y.
    pub straight: [bool; 2],
}

impl GridSpline {
    /// Fits a spline through z: `z[i][j]` is the value at (xᵢ, yⱼ). The end conditions and continuations are those in x, and those in y.
    ///
    /// # Errors
    /// [`GridError`].
    pub fn fit(
        [x, y]: [Vec<f64>; 2],
        z: &[Vec<f64>],
        ends: [Ends; 2],
        beyond: [Beyond; 2],
    ) -> Result<GridSpline, GridError> {
        let mut cells = vec![Cell::default(); x.len() * y.len()];
        let (mut along_x, mut along_y) = (vec![0.0; x.len()], vec![0.0; 4 * y.len()]);
        fit_cells([&x, &y], |i, j| z[i][j], ends, beyond, &mut cells, (&mut along_x, &mut along_y))?;
        let [(a, b), (c, d)] = [continuation(&x, ends[0], beyond[0]), continuation(&y, ends[1], beyond[1])];
        Ok(GridSpline { knots: [x, y], cells, periods: [a, c], straight: [b, d] })
    }

    /// s and its derivatives at (x, y), in the order of [`Partial::index`](crate::Partial::index).
    pub fn evaluate(&self, x: f64, y: f64) -> Orders {
        let [over_x, over_y] = &self.knots;
        let grid = Grid { knots: [over_x, over_y], cells: &self.cells, periods: self.periods, straight: self.straight };
        grid.evaluate(x, y)
    }
}
