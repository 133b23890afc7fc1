//! The residual of the equations of motion, and its derivatives.

use std::cell::OnceCell;

use super::{Columns, Context, Directions};
use crate::derive::{Derivatives, Matrix};
use crate::graph::{NodeId, Symbol};

/// Form in which the residual of the equations of motion is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ResidualForm {
    /// Loads and rows alone, with the derivatives of inertial forces with respect to the state, where the model provides those.
    Derivatives,
    /// Inverse dynamics.
    Inverse,
    /// M̂ â − Q̂.
    MassMatrix,
}

/// Residuals R and S of equation (1) for the solver's speeds, in interface symbols except for â and λ, which remain symbols.
pub struct ResidualEquations<'c> {
    /// Context of the mechanism.
    pub context: &'c Context<'c>,
    /// R, or R without inertial forces if `inertial` has their derivatives, then S.
    nodes: Vec<NodeId>,
    /// Derivatives of inertial forces with respect to displacements and to speeds of the solver.
    inertial: Option<[Matrix; 2]>,
    /// a as function of the symbols â.
    pub accelerations: Vec<NodeId>,
    /// Rows of H of equation (3).
    pub interface_derivatives: Vec<Derivatives>,
    /// Derivatives of R and S by family, computed on request.
    columns: [OnceCell<Columns>; Directions::COUNT],
    /// Derivatives of a at fixed â by family, computed on request.
    explicit: [OnceCell<Columns>; Directions::COUNT],
    interface: OnceCell<InterfaceTerms>,
}

/// Further quantities for derivatives at fixed a instead of fixed â, in interface symbols.
struct InterfaceTerms {
    /// M̂.
    mass: Matrix,
    /// Ĝ.
    jacobian: Matrix,
    /// R with inertial forces.
    motion: Vec<NodeId>,
}

impl<'c> ResidualEquations<'c> {
    /// Creates the residual in one form.
    pub fn new(context: &'c Context<'c>, form: ResidualForm) -> Self {
        let (graph, e) = (context.graph, context.equations);
        let by_derivatives = form == ResidualForm::Derivatives && !context.unit_metric;
        let inertial = e.inertial.as_ref().filter(|_| by_derivatives);
        let mut nodes = match inertial {
            Some(inertial) => inertial.loads.iter().map(|q| graph.neg(*q)).collect(),
            None if context.unit_metric => context.metric_residual(&context.unit_mass()),
            None if form == ResidualForm::MassMatrix => context.metric_residual(&e.mass),
            None => context.solver_inverse_dynamics(),
        };
        nodes.extend(e.rows.gamma.iter().map(|gamma| graph.neg(*gamma)));
        for ((r, i), g) in &e.rows.jacobian {
            let lambda = graph.symbol(Symbol::Multiplier(*r as u32));
            let a = graph.symbol(Symbol::SolverAcceleration(*i as u32));
            nodes[*i] = graph.add(nodes[*i], graph.mul(*g, lambda));
            nodes[e.n + r] = graph.add(nodes[e.n + r], graph.mul(*g, a));
        }
        let in_interface_state = |nodes: &[NodeId]| context.state_to_interface(nodes);
        let matrix = |matrix: &Matrix| -> Matrix {
            let nodes = in_interface_state(&matrix.values().copied().collect::<Vec<_>>());
            matrix.keys().copied().zip(nodes).collect()
        };
        let inertial = inertial.map(|i| [matrix(&i.q_derivatives), matrix(&i.v_derivatives)]);
        let row = |derivatives: &Derivatives| {
            let nodes = context.to_interface(&derivatives.iter().map(|(_, s)| *s).collect::<Vec<_>>());
            derivatives.iter().map(|(i, _)| *i).zip(nodes).collect()
        };
        ResidualEquations {
            context,
            nodes: in_interface_state(&nodes),
            inertial,
            accelerations: in_interface_state(&e.interface.accelerations),
            interface_derivatives: e.interface.derivatives.iter().map(row).collect(),
            columns: Default::default(),
            explicit: Default::default(),
            interface: OnceCell::new(),
        }
    }

    /// Whether the residual has the derivatives of inertial forces instead of these forces.
    pub fn has_inertial_derivatives(&self) -> bool {
        self.inertial.is_some()
    }

    /// Derivatives of a at fixed â: a column for each direction, n_v entries each.
    pub fn explicit_columns(&self, directions: Directions) -> &Columns {
        self.explicit[directions as usize].get_or_init(|| self.context.columns(&self.accelerations, directions))
    }

    /// Whether the solver's accelerations are those of the interface, also with regard to these families.
    pub fn is_in_interface_speeds(&self, families: &[(Directions, char)]) -> bool {
        let zero = self.context.graph.constant(0.0);
        let vanish = |columns: &Columns| columns.iter().flatten().all(|x| *x == zero);
        self.context.has_interface_speeds()
            && families.iter().all(|(directions, _)| vanish(self.explicit_columns(*directions)))
    }

    /// Derivatives of R and S at fixed â and λ: a column for each direction, n_v + n_c entries each.
    pub fn columns(&self, directions: Directions) -> &Columns {
        self.columns[directions as usize].get_or_init(|| self.derive_columns(directions))
    }

    fn derive_columns(&self, directions: Directions) -> Columns {
        let context = self.context;
        let (graph, e) = (context.graph, context.equations);
        let mut columns = context.columns(&self.nodes, directions);
        let Some([by_position, by_speed]) = &self.inertial else { return columns };
        // Directional derivatives of the solver's speeds and displacements.
        let speeds = context.columns(&e.solver.speeds, directions);
        for (j, (column, speeds)) in columns.iter_mut().zip(speeds).enumerate() {
            let mut add = |matrix: &Matrix, change: &dyn Fn(usize) -> NodeId| {
                for ((i, k), derivative) in matrix {
                    column[*i] = graph.add(column[*i], graph.mul(*derivative, change(*k)));
                }
            };
            add(by_speed, &|k| speeds[k]);
            if directions == Directions::Displacement {
                let part = |k: usize| e.solver.derivatives[k].iter().find(|(i, _)| *i == j).map(|(_, w)| *w);
                add(by_position, &|k| part(k).unwrap_or_else(|| graph.constant(0.0)));
            }
        }
        columns
    }

    /// Derivatives of Wᵀ R and S at fixed a and λ, with â = W a + ẇ: a column for each direction, in interface symbols.
    pub fn interface_columns(&self, directions: Directions) -> Columns {
        let context = self.context;
        let (graph, e) = (context.graph, context.equations);
        let weights: Vec<NodeId> = e.solver.derivatives.iter().flatten().map(|(_, w)| *w).collect();
        let accelerations = context.columns(&e.solver.accelerations, directions);
        let changes = accelerations.into_iter().zip(context.columns(&weights, directions));
        let InterfaceTerms { mass, jacobian, motion } = self.interface.get_or_init(|| self.interface_terms());
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
            let mut interface = context.project_to_interface(&e.solver.derivatives, &column);
            let entries = e
                .solver
                .derivatives
                .iter()
                .zip(motion)
                .flat_map(|(row, motion)| row.iter().map(|(i, _)| (*i, *motion)));
            for ((i, motion), change) in entries.zip(weights) {
                interface[i] = graph.add(interface[i], graph.mul(change, motion));
            }
            interface.extend(rows);
            interface
        };
        self.columns(directions).iter().zip(changes).map(column).collect()
    }

    fn interface_terms(&self) -> InterfaceTerms {
        let context = self.context;
        let matrix = |matrix: &Matrix| -> Matrix {
            let nodes = context.to_interface(&matrix.values().copied().collect::<Vec<_>>());
            matrix.keys().copied().zip(nodes).collect()
        };
        let (graph, e) = (context.graph, context.equations);
        let (mass, jacobian) = (matrix(&e.mass), matrix(&e.rows.jacobian));
        let mut motion = context.to_interface(&context.solver_inverse_dynamics());
        for ((r, i), g) in &jacobian {
            let lambda = graph.symbol(Symbol::Multiplier(*r as u32));
            motion[*i] = graph.add(motion[*i], graph.mul(*g, lambda));
        }
        InterfaceTerms { mass, jacobian, motion }
    }
}
