//! Evaluation of spatial mechanisms.
//!
//! Recursions use world axes about the origin of each link, inertia tensors, and the user's speeds. The compiler's recursions use the axes of
//! the links and regrouped second moments of mass.

mod evaluate;
mod frame;
mod guided;
mod joint_reactions;
mod link;
mod motion;
mod natural;
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
use mbs_saddle::Metric;

use crate::constants::Constants;
use crate::inputs::Inputs;

use numbers::Numbers;
use plan::Plan;
use work::Work;

/// A spatial mechanism at some parameters.
#[derive(Clone, Debug)]
pub(crate) struct Spatial {
    pub plan: Arc<Plan>,
    pub numbers: Numbers,
    pub work: RefCell<Work>,
    metric: Metric,
    /// A typical diagonal entry of M.
    scale: f64,
}

impl Spatial {
    /// Evaluation of a model at `parameters`; `scale` is a typical diagonal entry of M.
    pub fn new(
        (model, tree): (&Model, &Tree),
        constants: Constants,
        parameters: &[f64],
        (metric, scale): (Metric, f64),
    ) -> Self {
        let plan = Plan::new(model, tree, &constants);
        let numbers = Numbers::new(model, &plan, constants, parameters);
        Spatial::from_numbers(Arc::new(plan), numbers, (metric, scale))
    }

    fn from_numbers(plan: Arc<Plan>, numbers: Numbers, (metric, scale): (Metric, f64)) -> Self {
        let work = RefCell::new(Work::new(&plan, &numbers, metric, scale));
        Spatial { plan, numbers, work, metric, scale }
    }

    /// The inputs that G depends on.
    pub(crate) fn jacobian_inputs<'a>(&self, at: StateView<'a>) -> Inputs<'a> {
        if self.plan.rows.reads_speeds { Inputs::for_velocities(at) } else { Inputs::for_positions(at) }
    }

    /// Moves the bodies to a state, then calls `evaluate`.
    pub(crate) fn evaluate_at<R>(&self, at: &Inputs<'_>, evaluate: impl FnOnce(&mut Work) -> R) -> R {
        let work = &mut *self.work.borrow_mut();
        work.move_bodies(&self.plan, &self.numbers, at);
        if self.plan.rows.reads_states {
            // Rows depend on auxiliary states and their rates.
            self.evaluate_rates(work, at);
        }
        evaluate(work)
    }

    /// Writes ż and z̈ into `work.rates`, from which the leaf z is evaluated; z̈ is correct where accelerations are given.
    fn evaluate_rates(&self, work: &mut Work, at: &Inputs<'_>) {
        let (plan, rates) = (&self.plan, &self.plan.tapes.rates);
        // z̈ depends on ż, which other rates may contain: one pass for each nesting.
        // Events need the rates of z, too.
        let nested = plan.tapes.outputs.nested() + usize::from(plan.tapes.first_event < plan.tapes.outputs.roots());
        let second = nested > 1 || plan.rows.reads_states;
        let orders = if rates.roots() == 0 { 0 } else { 1 + usize::from(second) };
        for order in 0..orders {
            work.evaluate(order + 1, rates, plan, &self.numbers, at);
            for k in 0..rates.roots() {
                work.rates[k][order] = work.values.coefficient(rates.root(k), order);
            }
        }
    }

    /// Whether open-tree recursions solve the equations of motion: there are no rows, and no motion is massless.
    fn is_open(&self) -> bool {
        self.plan.rows.plans.is_empty() && self.plan.n_v == self.plan.moved_v && self.metric == Metric::Mass
    }
}
