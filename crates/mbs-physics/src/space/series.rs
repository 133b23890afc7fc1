//! Motions as Taylor series: coordinates from speeds.

use mbs_expr::{Scalar, Series};
use mbs_model::Model;

use super::attitude::normalized;
use crate::{Mechanics, Tree, Variables};

impl<'m, const N: usize> Mechanics<'m, Series<N>> {
    /// In space, the motion with q(0) = `q` (n_q) and solver speeds `v` (τ) (n_v): the coefficients of q(τ) follow one by one from q̇ = N(q) v.
    pub fn spatial_motion(
        model: &'m Model,
        tree: &'m Tree,
        variables: Variables<Series<N>>,
        q: &[f64],
        v: &[Series<N>],
    ) -> Self {
        let a: Vec<Series<N>> = v.iter().map(|v| v.rate()).collect();
        let mut coordinates: Vec<Series<N>> = q.iter().map(|x| Series::constant(*x)).collect();
        let mut mechanics = Self::at_spatial_state(model, tree, variables, coordinates.clone(), [v, &a]);
        for k in 1..N {
            let interface = mechanics.spatial().state.interface_speeds(tree, v);
            let rates = mechanics.spatial().state.coordinate_rates(tree, &interface);
            for (x, rate) in coordinates.iter_mut().zip(rates) {
                x.0[k] = rate.0[k - 1] / k as f64;
            }
            mechanics = Self::at_spatial_state(model, tree, mechanics.variables, coordinates.clone(), [v, &a]);
        }
        mechanics
    }
}

impl<'m, S: Scalar> Mechanics<'m, S> {
    /// In space, the coordinates q(τ) with q(0) = `q` and the solver speeds, at interface speeds `v` (τ), up to the power `order` of τ.
    pub fn spatial_path(
        model: &'m Model,
        tree: &'m Tree,
        variables: &Variables<S>,
        q: &[S],
        v: &[S],
        order: usize,
    ) -> [Vec<S>; 2] {
        let rest = vec![S::number(0.0); tree.n()];
        let state = |q: &[S]| Self::at_spatial_state(model, tree, variables.clone(), q.to_vec(), [&rest, &rest]);
        let mut path = q.to_vec();
        let mut at_path = state(&path);
        for k in 1..=order {
            let rates = at_path.spatial().state.coordinate_rates(tree, v);
            path.iter_mut().zip(rates).for_each(|(x, rate)| *x = x.with_coefficient(k, rate));
            if k < order {
                at_path = state(&path);
            }
        }
        let speeds = at_path.spatial().state.solver_speeds(tree, v);
        [path, speeds]
    }
}

impl Mechanics<'_, Series<2>> {
    /// In space, coordinates q ⊕ δ after a displacement `delta` (n_v) in the directions of the solver's speeds, to first order, with quaternions
    /// normalised. Shape: n_q.
    pub fn displaced(&self, delta: &[f64]) -> Vec<f64> {
        let q = self.coordinates.iter().map(|x| x.value());
        let delta: Vec<Series<2>> = delta.iter().map(|d| Series::constant(*d)).collect();
        let interface = self.spatial().state.interface_speeds(self.tree, &delta);
        let rates = self.spatial().state.coordinate_rates(self.tree, &interface);
        let mut moved: Vec<f64> = q.zip(rates).map(|(q, rate)| q + rate.value()).collect();
        for link in &self.tree.links {
            let Some((attitude, first)) = link.attitude() else { continue };
            let range = first..first + attitude.count();
            let series: Vec<Series<2>> = moved[range.clone()].iter().map(|x| Series::constant(*x)).collect();
            let unit = normalized(attitude, &series);
            moved[range].iter_mut().zip(unit).for_each(|(x, y)| *x = y.value());
        }
        for &first in &self.tree.posed_quaternions {
            let quaternion = &mut moved[first..first + 4];
            let norm = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
            quaternion.iter_mut().for_each(|x| *x /= norm);
        }
        moved
    }
}
