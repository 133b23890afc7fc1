//! Residual of the equations of motion, and its derivatives.

use std::cell::OnceCell;

use super::{Along, Columns, Context};
use crate::derive::{Derivatives, Matrix};
use crate::graph::{NodeId, Symbol};

/// Form in which the residual of the equations of motion is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Residual {
    /// Inertial forces by their derivatives with respect to the state, where the model provides them.
    Derivatives,
    /// Inverse dynamics.
    Inverse,
    /// M̂ â − Q̂.
    Anywhere,
}

/// R and S of equation (1) in the solver's speeds, in interface symbols except for â and λ, which have their own symbols.
pub struct LeftOver<'c> {
    /// Context of the mechanism.
    pub context: &'c Context<'c>,
    /// R, or its part without inertial forces, then S.
    nodes: Vec<NodeId>,
    /// Derivatives of inertial forces with respect to displacements and to speeds of the solver.
    inertial: Option<[Matrix; 2]>,
    /// a with â as symbols.
    pub accelerations: Vec<NodeId>,
    /// H of equation (3), row by row.
    pub interface_derivatives: Vec<Derivatives>,
    /// Derivatives of R and S by family, computed on request.
    columns: [OnceCell<Columns>; Along::COUNT],
    /// Derivatives of a at fixed â by family, computed on request.
    direct: [OnceCell<Columns>; Along::COUNT],
    interface: OnceCell<InInterface>,
}

/// Further quantities for derivatives at fixed a instead of fixed â, in interface symbols.
struct InInterface {
    mass: Matrix,
    jacobian: Matrix,
    /// R.
    whole: Vec<NodeId>,
}

impl<'c> LeftOver<'c> {
    /// Creates the residual in one form.
    pub fn new(context: &'c Context<'c>, residual: Residual) -> Self {
        let (graph, e) = (context.graph, context.equations);
        let wanted = residual == Residual::Derivatives && !context.unit_metric;
        let inertial = e.inertial.as_ref().filter(|_| wanted);
        let mut nodes = match inertial {
            Some(inertial) => inertial.loads.iter().map(|q| graph.neg(*q)).collect(),
            None if context.unit_metric => context.less_forces(&context.unit_mass()),
            None if residual == Residual::Anywhere => context.less_forces(&e.mass),
            None => context.solver_inverse(),
        };
        nodes.extend(e.gamma.iter().map(|gamma| graph.neg(*gamma)));
        for ((r, i), g) in &e.jacobian {
            let lambda = graph.symbol(Symbol::Multiplier(*r as u32));
            let a = graph.symbol(Symbol::SolverAcceleration(*i as u32));
            nodes[*i] = graph.add(nodes[*i], graph.mul(*g, lambda));
            nodes[e.n + r] = graph.add(nodes[e.n + r], graph.mul(*g, a));
        }
        let placed = |nodes: &[NodeId]| context.with_accelerations_kept(nodes);
        let matrix = |matrix: &Matrix| -> Matrix {
            let nodes = placed(&matrix.values().copied().collect::<Vec<_>>());
            matrix.keys().copied().zip(nodes).collect()
        };
        let inertial = inertial.map(|i| [matrix(&i.along_q), matrix(&i.along_v)]);
        let row = |derivatives: &Derivatives| {
            let nodes = context.to_interface(&derivatives.iter().map(|(_, s)| *s).collect::<Vec<_>>());
            derivatives.iter().map(|(i, _)| *i).zip(nodes).collect()
        };
        LeftOver {
            context,
            nodes: placed(&nodes),
            inertial,
            accelerations: placed(&e.interface_accelerations),
            interface_derivatives: e.interface_derivatives.iter().map(row).collect(),
            columns: Default::default(),
            direct: Default::default(),
            interface: OnceCell::new(),
        }
    }

    /// Whether derivatives represent the inertial forces.
    pub fn has_derivatives(&self) -> bool {
        self.inertial.is_some()
    }

    /// Derivatives of a at fixed â: column by column.
    pub fn direct(&self, along: Along) -> &Columns {
        self.direct[along as usize].get_or_init(|| self.context.columns(&self.accelerations, along))
    }

    /// Derivatives of R and S at fixed â and λ: column by column.
    pub fn columns(&self, along: Along) -> &Columns {
        self.columns[along as usize].get_or_init(|| self.new_columns(along))
    }

    fn new_columns(&self, along: Along) -> Columns {
        let context = self.context;
        let (graph, e) = (context.graph, context.equations);
        let mut columns = context.columns(&self.nodes, along);
        let Some([by_position, by_speed]) = &self.inertial else { return columns };
        // Changes of the solver's speeds and displacements along each direction.
        let speeds = context.columns(&e.solver_speeds, along);
        for (j, (column, speeds)) in columns.iter_mut().zip(speeds).enumerate() {
            let mut add = |matrix: &Matrix, along: &dyn Fn(usize) -> NodeId| {
                for ((i, k), derivative) in matrix {
                    column[*i] = graph.add(column[*i], graph.mul(*derivative, along(*k)));
                }
            };
            add(by_speed, &|k| speeds[k]);
            if along == Along::Displacement {
                let part = |k: usize| e.solver_derivatives[k].iter().find(|(i, _)| *i == j).map(|(_, w)| *w);
                add(by_position, &|k| part(k).unwrap_or_else(|| graph.number(0.0)));
            }
        }
        columns
    }

    /// Derivatives of Wᵀ R and S at fixed a and λ, with â = W a + ẇ: column by column, in interface symbols.
    pub fn interface_columns(&self, along: Along) -> Columns {
        let context = self.context;
        let (graph, e) = (context.graph, context.equations);
        let weights: Vec<NodeId> = e.solver_derivatives.iter().flatten().map(|(_, w)| *w).collect();
        let changes = context.columns(&e.solver_accelerations, along).into_iter().zip(context.columns(&weights, along));
        let InInterface { mass, jacobian, whole } = self.interface.get_or_init(|| self.in_interface());
        let column = |(column, (accelerations, weights)): (&Vec<NodeId>, (Vec<NodeId>, Vec<NodeId>))| {
            let mut column = context.to_interface(column);
            let mut add = |i: usize, x: NodeId, k: usize| {
                column[i] = graph.add(column[i], graph.mul(x, accelerations[k]));
            };
            for ((i, k), m) in mass {
                add(*i, *m, *k);
                if i != k {
                    add(*k, *m, *i);
                }
            }
            jacobian.iter().for_each(|((r, k), g)| add(e.n + r, *g, *k));
            let rows = column.split_off(e.n);
            let mut interface = context.along_interface(&e.solver_derivatives, &column);
            let entries =
                e.solver_derivatives.iter().zip(whole).flat_map(|(row, whole)| row.iter().map(|(i, _)| (*i, *whole)));
            for ((i, whole), change) in entries.zip(weights) {
                interface[i] = graph.add(interface[i], graph.mul(change, whole));
            }
            interface.extend(rows);
            interface
        };
        self.columns(along).iter().zip(changes).map(column).collect()
    }

    fn in_interface(&self) -> InInterface {
        let context = self.context;
        let matrix = |matrix: &Matrix| -> Matrix {
            let nodes = context.to_interface(&matrix.values().copied().collect::<Vec<_>>());
            matrix.keys().copied().zip(nodes).collect()
        };
        let (graph, e) = (context.graph, context.equations);
        let (mass, jacobian) = (matrix(&e.mass), matrix(&e.jacobian));
        let mut whole = context.to_interface(&context.solver_inverse());
        for ((r, i), g) in &jacobian {
            let lambda = graph.symbol(Symbol::Multiplier(*r as u32));
            whole[*i] = graph.add(whole[*i], graph.mul(*g, lambda));
        }
        InInterface { mass, jacobian, whole }
    }
}
