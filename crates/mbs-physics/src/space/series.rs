//! Motions as Taylor series: coordinates that follow from speeds.

use mbs_expr::{Scalar, Series};
use mbs_model::Model;

use super::attitude::normalized;
use crate::{Mechanics, Tree, Variables};

impl<'m, const N: usize> Mechanics<'m, Series<N>> {
    /// In space, at coordinates q, while the solver's speeds are v(τ): q(τ) follows from q̇ = N(q) v, coefficient by coefficient.
    pub fn moving_in_space(
        model: &'m Model,
        tree: &'m Tree,
        variables: Variables<Series<N>>,
        q: &[f64],
        v: &[Series<N>],
    ) -> Self {
        let a: Vec<Series<N>> = v.iter().map(|v| v.rate()).collect();
        let mut coordinates: Vec<Series<N>> = q.iter().map(|x| Series::constant(*x)).collect();
        let mut mechanics = Self::in_space(model, tree, variables, coordinates.clone(), [v, &a]);
        for k in 1..N {
            let interface = mechanics.space.interface_speeds(tree, v);
            let rates = mechanics.space.coordinate_rates(tree, &interface);
            for (x, rate) in coordinates.iter_mut().zip(rates) {
                x.0[k] = rate.0[k - 1] / k as f64;
            }
            mechanics = Self::in_space(model, tree, mechanics.variables, coordinates.clone(), [v, &a]);
        }
        mechanics
    }
}

impl<'m, S: Scalar> Mechanics<'m, S> {
    /// In space, the coordinates from q on and the solver's speeds while the speeds of the interface are v(τ), up to a power of τ.
    pub fn path_in_space(
        model: &'m Model,
        tree: &'m Tree,
        variables: &Variables<S>,
        (q, v): (&[S], &[S]),
        order: usize,
    ) -> [Vec<S>; 2] {
        let rest = vec![S::number(0.0); tree.n()];
        let place = |q: &[S]| Self::in_space(model, tree, variables.clone(), q.to_vec(), [&rest, &rest]);
        let mut path = q.to_vec();
        let mut placed = place(&path);
        for k in 1..=order {
            let rates = placed.space.coordinate_rates(tree, v);
            path.iter_mut().zip(rates).for_each(|(x, rate)| *x = x.with_coefficient(k, rate));
            if k < order {
                placed = place(&path);
            }
        }
        let speeds = placed.space.solver_speeds(tree, v);
        [path, speeds]
    }
}

impl Mechanics<'_, Series<1>> {
    /// In space, coordinates moved by a displacement along the solver's speeds: q ⊕ δ.
    pub fn displaced(&self, delta: &[f64]) -> Vec<f64> {
        let q = self.coordinates.iter().map(|x| x.value());
        let delta: Vec<Series<1>> = delta.iter().map(|d| Series::constant(*d)).collect();
        let interface = self.space.interface_speeds(self.tree, &delta);
        let rates = self.space.coordinate_rates(self.tree, &interface);
        let mut moved: Vec<f64> = q.zip(rates).map(|(q, rate)| q + rate.value()).collect();
        for link in &self.tree.links {
            let Some((attitude, first)) = link.attitude() else { continue };
            let own = first..first + attitude.count();
            let series: Vec<Series<1>> = moved[own.clone()].iter().map(|x| Series::constant(*x)).collect();
            let unit = normalized(attitude, &series);
            moved[own].iter_mut().zip(unit).for_each(|(x, y)| *x = y.value());
        }
        for &first in &self.tree.posed_quaternions {
            let own = &mut moved[first..first + 4];
            let norm = own.iter().map(|x| x * x).sum::<f64>().sqrt();
            own.iter_mut().for_each(|x| *x /= norm);
        }
        moved
    }
}
