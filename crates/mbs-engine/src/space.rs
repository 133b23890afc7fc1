//! Mechanisms of space.
//!
//! The compiler goes along the tree in the links' own axes, with second moments that it regroups; here everything is in world axes about
//! each link's origin, with inertia tensors, and in the user's speeds throughout.

mod evaluate;
mod exerted;
mod guided;
mod link;
mod motion;
mod numbers;
mod observe;
mod plan;
mod posed;
mod products;
mod reactions;
mod recursion;
mod tree;
mod vector;
mod work;

use std::cell::RefCell;
use std::sync::Arc;

use mbs_core::StateView;
use mbs_model::Model;
use mbs_physics::Tree;

use crate::constants::Constants;
use crate::inputs::Inputs;
use crate::linear::Metric;

use numbers::Numbers;
use plan::Plan;
use work::Work;

/// A mechanism of space at some parameters.
#[derive(Clone, Debug)]
pub(crate) struct Spatial {
    pub plan: Arc<Plan>,
    pub numbers: Numbers,
    pub work: RefCell<Work>,
    metric: Metric,
    /// A typical diagonal of M.
    scale: f64,
}

impl Spatial {
    /// Evaluation of a model at `parameters`; `scale` is a typical diagonal of M.
    pub fn new(
        (model, tree): (&Model, &Tree),
        constants: Constants,
        parameters: &[f64],
        (metric, scale): (Metric, f64),
    ) -> Self {
        let plan = Plan::new(model, tree, &constants);
        let numbers = Numbers::new((model, &plan), constants, parameters);
        Spatial::at(Arc::new(plan), numbers, (metric, scale))
    }

    fn at(plan: Arc<Plan>, numbers: Numbers, (metric, scale): (Metric, f64)) -> Self {
        let work = RefCell::new(Work::new(&plan, &numbers, metric, scale));
        Spatial { plan, numbers, work, metric, scale }
    }

    /// Values that G depends on.
    pub(crate) fn of_rows<'a>(&self, at: StateView<'a>) -> Inputs<'a> {
        if self.plan.reads_speeds { Inputs::of_velocity(at) } else { Inputs::of_position(at) }
    }

    /// Evaluates with the bodies moved to a state.
    pub(crate) fn moved<R>(&self, at: &Inputs<'_>, evaluate: impl FnOnce(&mut Work) -> R) -> R {
        let work = &mut *self.work.borrow_mut();
        work.move_bodies(&self.plan, &self.numbers, at);
        if self.plan.states_place {
            // Rows see states with their rates.
            self.evaluate_rates(work, at);
        }
        evaluate(work)
    }

    /// ż and z̈ into `work.rates`, which the observables of z need; z̈ is right where accelerations are given.
    fn evaluate_rates(&self, work: &mut Work, at: &Inputs<'_>) {
        let (plan, rates) = (&self.plan, &self.plan.rates);
        // z̈ takes ż, which other rates may contain: once for each.
        // Events need their rates as well.
        let nested = plan.outputs.nested() + usize::from(plan.first_event < plan.outputs.roots());
        let second = nested > 1 || plan.states_place;
        let orders = if rates.roots() == 0 { 0 } else { 1 + usize::from(second) };
        for order in 0..orders {
            work.evaluate(order + 1, rates, plan, &self.numbers, at);
            for k in 0..rates.roots() {
                work.rates[k][order] = work.values.coefficient(rates.root(k), order);
            }
        }
    }

    /// Whether open-tree recursions solve it: no rows, and mass in every motion.
    fn is_open(&self) -> bool {
        self.plan.rows.is_empty() && self.plan.n_v == self.plan.moved_v && self.metric == Metric::Mass
    }
}
