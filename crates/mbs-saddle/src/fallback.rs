//! The dense, rank-revealing solve of generated code, used when a pivot of the static order vanishes.

use mbs_core::{Error, SaddleWorkspace, solve_saddle};

use super::Pattern;

/// Largest number of unknowns that are solved densely, as in generated code.
const DENSE_LIMIT: usize = 64;

/// Dense matrices and work space.
#[derive(Clone, Debug)]
pub(super) struct Fallback {
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    matrix: Vec<f64>,
    right: Vec<f64>,
    scale: Vec<f64>,
    solution: Vec<f64>,
    order: Vec<usize>,
}

impl Fallback {
    /// Allocates the work space; `None` for more than [`DENSE_LIMIT`] unknowns.
    pub fn new(n_v: usize, n_c: usize) -> Option<Fallback> {
        let n = n_v + n_c;
        let zeros = |len| vec![0.0; len];
        (n <= DENSE_LIMIT).then(|| Fallback {
            mass: zeros(n_v * n_v),
            jacobian: zeros(n_c * n_v),
            matrix: zeros(n * n),
            right: zeros(n),
            scale: zeros(n),
            solution: zeros(n),
            order: vec![0; n],
        })
    }

    /// Sets M and G from their entries.
    pub fn assemble(&mut self, pattern: &Pattern, mass: &[f64], jacobian: &[f64]) {
        let n_v = pattern.n_v;
        self.mass.fill(0.0);
        self.jacobian.fill(0.0);
        for ((i, j), m) in pattern.mass.iter().zip(mass) {
            self.mass[i * n_v + j] += m;
            if i != j {
                self.mass[j * n_v + i] += m;
            }
        }
        for ((row, column), g) in pattern.jacobian.iter().zip(jacobian) {
            self.jacobian[row * n_v + column] += g;
        }
    }

    /// Solves [M Gᵀ; G 0][x; μ] = [f; g] in place: `x` contains f and becomes x, `mu` contains g and becomes μ.
    pub fn solve(&mut self, t: f64, switched: &[usize], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let workspace = SaddleWorkspace {
            matrix: &mut self.matrix,
            right: &mut self.right,
            scale: &mut self.scale,
            solution: &mut self.solution,
            order: &mut self.order,
        };
        solve_saddle(t, &self.mass, &self.jacobian, switched, x, mu, workspace)
    }
}
