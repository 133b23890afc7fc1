//! Derives the equations of spatial mechanisms.

use mbs_expr::{BodyId, ExprId};
use mbs_math::Vector;
use mbs_model::{BodyKind, InitialCondition, Model, RowLevel};
use mbs_physics::{AttitudeCoordinates, Mechanics, Tree};

use super::memories::declare_memories;
use super::{
    Bodies, BodyWrench, Condition, Conditions, Derivatives, Energies, Equations, Forces, Inertial, InterfaceMap,
    LinkWrenches, Matrix, OperatorTerms, Outputs, Rows, SolverMap, States, rate_if_known, symbols, variables,
};
use crate::evaluate::{hidden_zeros, irrational_value};
use crate::graph::{Graph, NodeId, Sym, Symbol, sparse_derivatives, without_acceleration};
use crate::reactions::{Reactions, expression_derivatives, reactions};

/// Derives the equations of a spatial mechanism.
pub fn derive(graph: &Graph, model: &Model, tree: &Tree) -> Equations {
    Derivation::new(graph, model, tree).equations()
}

struct Derivation<'g, 'm> {
    graph: &'g Graph,
    model: &'m Model,
    tree: &'m Tree,
    /// Mechanics with symbols for coordinates, speeds and accelerations.
    moving: Mechanics<'m, Sym<'g>>,
    /// Mechanics without accelerations.
    coasting: Mechanics<'m, Sym<'g>>,
}

impl<'g, 'm> Derivation<'g, 'm> {
    fn new(graph: &'g Graph, model: &'m Model, tree: &'m Tree) -> Self {
        graph.declare_functions(&model.functions);
        let n = tree.n();
        let q = || symbols(graph, tree.n_q(), Symbol::SolverCoordinate);
        let v = symbols(graph, n, Symbol::SolverSpeed);
        let a = symbols(graph, n, Symbol::SolverAcceleration);
        let rest = vec![Sym::Literal(0.0); n];
        let known = || variables(graph, model, tree);
        let moving = Mechanics::at_spatial_state(model, tree, known(), q(), [&v, &a]);
        let coasting = Mechanics::at_spatial_state(model, tree, known(), q(), [&v, &rest]);
        let derivation = Derivation { graph, model, tree, moving, coasting };
        derivation.declare_rates(&v);
        derivation
    }

    fn declare_rates(&self, v: &[Sym<'g>]) {
        let (graph, space) = (self.graph, self.coasting.spatial().state);
        let rates = space.coordinate_rates(self.tree, &space.interface_speeds(self.tree, v));
        for (i, rate) in (0..).zip(rates) {
            let rate = graph.expand(&[rate.id(graph)])[0];
            graph.set_rate(Symbol::SolverCoordinate(i), rate);
        }
        for i in 0..self.tree.n() as u32 {
            graph.set_rate(Symbol::SolverSpeed(i), graph.symbol(Symbol::SolverAcceleration(i)));
        }
        for (i, rate) in self.model.quantities.auxiliary.iter().flat_map(|a| &a.rates).enumerate() {
            graph.set_rate(Symbol::Auxiliary(i as u32), self.node(*rate));
        }
        declare_memories(graph, self.model);
    }

    fn node(&self, e: ExprId) -> NodeId {
        self.moving.value(e).id(self.graph)
    }

    fn ids(&self, values: &[Sym<'g>]) -> Vec<NodeId> {
        values.iter().map(|s| s.id(self.graph)).collect()
    }

    /// Final nodes: defined symbols are replaced by their expressions.
    fn expand(&self, nodes: &[NodeId]) -> Vec<NodeId> {
        self.graph.expand(nodes)
    }

    fn derivatives(&self) -> impl Fn(ExprId, RowLevel) -> Vec<(mbs_expr::Op, Sym<'g>)> {
        |e, level| expression_derivatives(self.graph, &self.moving, e, level)
    }

    /// Nonzero derivatives of an expression's rate with respect to the solver's speeds, by speed: a row of Ĝ.
    fn gradient(&self, e: ExprId, level: RowLevel) -> Derivatives {
        let entries = self.moving.spatial().speed_gradient(e, level, &self.derivatives());
        let (columns, nodes): (Vec<usize>, Vec<NodeId>) =
            entries.into_iter().map(|(i, derivative)| (i, derivative.id(self.graph))).unzip();
        let zero = self.graph.constant(0.0);
        columns.into_iter().zip(self.expand(&nodes)).filter(|(_, derivative)| *derivative != zero).collect()
    }

    fn equations(&self) -> Equations {
        let (graph, model, tree) = (self.graph, self.model, self.tree);
        let mass = self.coasting.mass_matrix();
        let entries: Vec<NodeId> = self.expand(&mass.iter().map(|m| m.2.id(graph)).collect::<Vec<_>>());
        let mass: Matrix = mass.iter().zip(entries).map(|((i, j, _), m)| ((*i, *j), m)).collect();
        let derivatives = self.derivatives();
        let forces = self.ids(&self.moving.spatial().spatial_forces(self.coasting.spatial(), &derivatives));
        let inverse = self.ids(&self.moving.spatial().spatial_forces(self.moving.spatial(), &derivatives));
        let inverse: Vec<NodeId> = self.expand(&inverse).into_iter().map(|q| graph.neg(q)).collect();
        let velocity_forces = self.ids(&self.coasting.spatial().spatial_velocity_terms());
        let found = reactions(graph, &self.moving);
        let outputs: Vec<NodeId> = model.outputs.iter().flat_map(|o| &o.values).map(|e| self.node(*e)).collect();
        let output_rates = outputs.iter().map(|o| Some(self.expand(&[rate_if_known(graph, *o)?])[0]));
        let output_rates = output_rates.collect();
        let conditions = |exact: bool| {
            let list = model.start.conditions.iter().filter(|c| c.exact == exact);
            list.map(|c| self.condition(c)).collect::<Vec<_>>()
        };
        let mut rows = self.rows();
        let (solver, rates) = self.solver_map();
        let v = symbols(graph, tree.n(), Symbol::SolverSpeed);
        let interface_speeds = self.ids(&self.moving.spatial().state.interface_speeds(tree, &v));
        let value = |e: ExprId| self.expand(&[self.node(e)])[0];
        let memories: Vec<NodeId> = model.quantities.memories.iter().map(|m| self.node(m.value)).collect();
        let declared_memories: Vec<NodeId> = model.start.declared_memories.iter().map(|e| self.node(*e)).collect();
        let auxiliary: Vec<NodeId> =
            model.quantities.auxiliary.iter().flat_map(|a| &a.rates).map(|e| self.node(*e)).collect();
        super::suggest_names(graph, &self.coasting);
        let interface = InterfaceMap {
            accelerations: self.expand(&graph.rate(&interface_speeds)),
            derivatives: sparse_derivatives(graph, &self.expand(&interface_speeds), Symbol::SolverSpeed),
            coordinate_rates: Some(rates),
        };
        let states = States {
            rates: self.expand(&auxiliary),
            memories: self.expand(&memories),
            declared_memories: self.expand(&declared_memories),
        };
        let kinetic = value(model.energy.kinetic);
        let potential = value(model.energy.potential);
        let bodies = self.bodies();
        let exact = conditions(true);
        let guesses = conditions(false);
        let events =
            super::events::events(graph, model, &|e| self.expand(&found.substitute_into(graph, &[self.node(e)]))[0]);
        let event_conditions =
            model.event_conditions().chain(&model.start.guesses).map(|c| self.condition(c)).collect();
        rows.enabled = tree.rows.iter().map(|row| row.enabled.map(|e| self.node(e))).collect();
        let forces = self.expand(&forces);
        let link_wrenches = self.link_wrenches();
        let inertial =
            (model.settings.kernels.jacobians || model.settings.kernels.linearization).then(|| self.inertial());
        let wrenches = if model.settings.kernels.jacobians { self.wrenches() } else { Vec::new() };
        let loads = model.settings.kernels.momenta.then(|| self.loads());
        let operators = model.settings.kernels.operators.then(|| self.operators());
        let velocity_forces = self.expand(&velocity_forces);
        let outputs = self.expand(&found.substitute_into(graph, &outputs));
        let reactions = self.joint_reactions(&found);
        let force_potentials = model.loads.forces.iter().map(|f| f.potential.map(value)).collect();
        let force_powers = model.loads.forces.iter().map(|f| self.power(&f.loads)).collect();
        Equations {
            n: tree.n(),
            mass,
            rows,
            forces: Forces { total: forces, velocity: velocity_forces, loads, link_wrenches, body_wrenches: wrenches },
            inverse: Some(inverse),
            inertial,
            reactions,
            interface,
            solver,
            states,
            outputs: Outputs { values: outputs, rates: output_rates },
            energy: Energies { kinetic, potential, force_potentials, force_powers },
            bodies,
            operators,
            conditions: Conditions { exact, guesses, imposed: event_conditions },
            events,
        }
    }

    /// Power of the loads of a force.
    fn power(&self, loads: &[mbs_model::Load]) -> NodeId {
        let forces = self.moving.spatial().load_forces(loads, &self.derivatives());
        self.expand(&[super::power::power(self.graph, &self.moving, loads, &forces)])[0]
    }

    /// Wrenches on links from which Q̂ is projected, where no rows exist and all speeds are speeds of links.
    fn link_wrenches(&self) -> Option<LinkWrenches> {
        let moved: usize = self.tree.links.iter().map(|l| l.mobilizer.speeds()).sum();
        if !self.tree.rows.is_empty() || moved < self.tree.n() {
            return None;
        }
        let link_wrenches = self.moving.spatial().spatial_loads(self.coasting.spatial(), &self.derivatives());
        let flat: Vec<Sym<'g>> =
            link_wrenches.wrenches.iter().flat_map(|w| w.moment.into_iter().chain(w.force)).collect();
        let flat = self.expand(&self.ids(&flat));
        let wrenches = flat.chunks_exact(6).map(|w| [[w[0], w[1], w[2]], [w[3], w[4], w[5]]]).collect();
        Some(LinkWrenches { wrenches, direct: self.expand(&self.ids(&link_wrenches.direct)) })
    }

    /// Inertial forces at rest: minus the generalised weight.
    fn inertial_forces_at_rest(&self) -> Vec<NodeId> {
        let tree = self.tree;
        let rest = vec![Sym::Literal(0.0); tree.n()];
        let q = symbols(self.graph, tree.n_q(), Symbol::SolverCoordinate);
        let mechanics = Mechanics::at_frozen_spatial_state(
            self.model,
            tree,
            variables(self.graph, self.model, tree),
            q,
            [&rest, &rest],
        );
        self.expand(&self.ids(&mechanics.spatial().spatial_inertial_forces(true)))
    }

    /// Generalised forces of all forces and of gravity.
    fn loads(&self) -> Vec<NodeId> {
        let loads: Vec<mbs_model::Load> = self.model.loads.forces.iter().flat_map(|f| &f.loads).cloned().collect();
        let forces = self.expand(&self.ids(&self.moving.spatial().load_forces(&loads, &self.derivatives())));
        let at_rest = self.inertial_forces_at_rest();
        forces.into_iter().zip(at_rest).map(|(load, inertial)| self.graph.sub(load, inertial)).collect()
    }

    fn operators(&self) -> OperatorTerms {
        let jacobians = super::operators::spatial_jacobians(self.graph, &self.coasting);
        let rows = |rows: &Vec<Vec<NodeId>>| rows.iter().map(|row| self.expand(row)).collect::<Vec<_>>();
        OperatorTerms {
            marker_jacobians: jacobians.marker_jacobians.iter().map(rows).collect(),
            center: self.expand(&jacobians.center),
            center_jacobian: rows(&jacobians.center_jacobian),
            weights: self.inertial_forces_at_rest().into_iter().map(|x| self.graph.neg(x)).collect(),
            mass_product: super::inertia::spatial_mass_product(self.graph, self.model, self.tree),
        }
    }

    /// Wrenches of the loads, without weight, on floating bodies.
    fn wrenches(&self) -> Vec<BodyWrench> {
        let (tree, derivatives) = (self.tree, self.derivatives());
        let loads: Vec<mbs_model::Load> = self.model.loads.forces.iter().flat_map(|f| &f.loads).cloned().collect();
        let wrench_on_link = |i: usize, link: &mbs_physics::Link| -> Option<BodyWrench> {
            let AttitudeCoordinates { attitude, first_q, first_v, floats: Some(_) } = link.attitude_coordinates()?
            else {
                return None;
            };
            let b = tree.mounts.iter().position(|mount| mount.link == Some(i))?;
            let wrench = self.moving.spatial().wrench_on_body(&loads, b, &derivatives)?;
            let wrench = self.expand(&self.ids(&wrench));
            Some(BodyWrench { body: BodyId(b as u32), first_q, attitude: attitude.count(), first_v, wrench })
        };
        tree.links.iter().enumerate().filter_map(|(i, link)| wrench_on_link(i, link)).collect()
    }

    fn inertial(&self) -> Inertial {
        let (tree, derivatives) = (self.tree, self.derivatives());
        let loads: Vec<mbs_model::Load> = self.model.loads.forces.iter().flat_map(|f| &f.loads).cloned().collect();
        let moments = self.coasting.spatial().state.regrouped(tree);
        let matrix = |entries: Vec<(usize, usize, Sym<'g>)>| -> Matrix {
            let nodes = self.expand(&entries.iter().map(|e| e.2.id(self.graph)).collect::<Vec<_>>());
            entries.iter().zip(nodes).map(|((i, j, _), x)| ((*i, *j), x)).collect()
        };
        Inertial {
            loads: self.expand(&self.ids(&self.moving.spatial().load_forces(&loads, &derivatives))),
            at_rest: self.inertial_forces_at_rest(),
            q_derivatives: matrix(self.moving.spatial().inertial_derivatives(&moments).along_q),
            v_derivatives: matrix(self.coasting.spatial().inertial_derivatives(&moments).along_v),
        }
    }

    fn joint_reactions(&self, found: &Reactions) -> Vec<Vec<NodeId>> {
        found.joints.iter().map(|r| self.expand(r)).collect()
    }

    fn condition(&self, c: &InitialCondition) -> Condition {
        let residual = self.moving.condition_residual(c).id(self.graph);
        Condition {
            residual: self.expand(&[residual])[0],
            level: c.level,
            derivatives: self.gradient(c.target, c.level),
        }
    }

    /// Φ, ψ, Ĝ and γ̂ of the rows that remain; entries of Ĝ that vanish in every pose are omitted.
    fn rows(&self) -> Rows {
        let graph = self.graph;
        let mut rows = Rows::default();
        for (r, row) in self.tree.rows.iter().enumerate() {
            let residual = self.node(row.residual);
            let psi = match row.level {
                RowLevel::Position => {
                    rows.phi.extend(self.expand(&[residual]));
                    graph.rate(&[residual])[0]
                }
                _ => residual,
            };
            for (i, entry) in self.without_hidden_zeros(self.gradient(row.residual, row.level)) {
                graph.suggest(entry, format!("g_{r}_{i}"));
                rows.jacobian.insert((r, i), entry);
            }
            let gamma = match row.level {
                RowLevel::Acceleration => residual,
                _ => graph.rate(&[psi])[0],
            };
            rows.gamma.push(graph.neg(without_acceleration(graph, self.expand(&[gamma])[0])));
            if row.level <= RowLevel::Velocity {
                rows.psi.extend(self.expand(&[psi]));
            }
        }
        rows
    }

    /// Removes entries that cancel identically, such as those of motions common to both bodies of a joint. They are found by values at
    /// three irrational states, relative to the other entries of the row.
    fn without_hidden_zeros(&self, row: Derivatives) -> Derivatives {
        let nodes: Vec<NodeId> = row.iter().map(|(_, g)| *g).collect();
        let hidden = hidden_zeros(self.graph, &nodes, &irrational_value);
        row.into_iter().zip(hidden).filter(|(_, hidden)| !hidden).map(|(entry, _)| entry).collect()
    }

    /// Solver accelerations â = W a + ẇ in interface symbols; `bias` is ẇ.
    fn with_accelerations(&self, bias: &[NodeId], derivatives: &[Derivatives]) -> Vec<NodeId> {
        let graph = self.graph;
        let acceleration = |(bias, row): (&NodeId, &Derivatives)| {
            let term = |(i, w): &(usize, NodeId)| graph.mul(*w, graph.symbol(Symbol::Acceleration(*i as u32)));
            row.iter().fold(*bias, |sum, entry| graph.add(sum, term(entry)))
        };
        bias.iter().zip(derivatives).map(acceleration).collect()
    }

    /// The map from the interface to the solver, and the coordinate rates q̇; declares the rates of interface symbols.
    fn solver_map(&self) -> (SolverMap, Vec<NodeId>) {
        let (graph, tree) = (self.graph, self.tree);
        let n = tree.n();
        let q = symbols(graph, tree.n_q(), Symbol::Coordinate);
        let v = symbols(graph, n, Symbol::Speed);
        let rest = vec![Sym::Literal(0.0); n];
        let known = variables(graph, self.model, tree);
        let coordinates = self.ids(&q);
        let mechanics = Mechanics::at_spatial_state(self.model, tree, known, q, [&rest, &rest]);
        let rates = self.expand(&self.ids(&mechanics.spatial().state.coordinate_rates(tree, &v)));
        for (i, rate) in (0..).zip(&rates) {
            graph.set_rate(Symbol::Coordinate(i), *rate);
        }
        for i in 0..n as u32 {
            graph.set_rate(Symbol::Speed(i), graph.symbol(Symbol::Acceleration(i)));
        }
        let speeds = self.ids(&mechanics.spatial().state.solver_speeds(tree, &v));
        let bias = self.expand(&graph.rate(&speeds));
        let bias: Vec<NodeId> = bias.into_iter().map(|b| without_acceleration(graph, b)).collect();
        let speeds = self.expand(&speeds);
        let derivatives = sparse_derivatives(graph, &speeds, Symbol::Speed);
        let accelerations = self.with_accelerations(&bias, &derivatives);
        (SolverMap { coordinates, speeds, accelerations, derivatives, bias }, rates)
    }

    fn bodies(&self) -> Bodies {
        let momentum = self.momentum();
        let poses = self.poses();
        let markers = self.markers();
        Bodies { momentum, poses, markers, jacobians: self.body_jacobians() }
    }

    /// Linear momentum and angular momentum about the world origin, three components of each.
    fn momentum(&self) -> Vec<NodeId> {
        let (graph, mechanics) = (self.graph, &self.coasting);
        let mut sum = vec![graph.constant(0.0); 6];
        let mut add = |k: usize, x: NodeId| sum[k] = graph.add(sum[k], x);
        for (b, body) in self.model.bodies.iter().enumerate() {
            let m = mechanics.value(body.mass);
            let r = mechanics.marker_point(body.com_marker);
            let v = r.map(|x| Sym::Node(graph, graph.rate(&[x.id(graph)])[0]));
            let moment = r.cross(v);
            for k in 0..3 {
                add(k, (m * v[k]).id(graph));
                add(3 + k, (m * moment[k]).id(graph));
            }
            if let Some(moments) = self.model.coordinates.natural.angular_momenta.get(&BodyId(b as u32)) {
                (0..3).for_each(|k| add(3 + k, mechanics.value(moments[k]).id(graph)));
            } else if body.kind == BodyKind::Rigid {
                let inertia = body.inertia.map(|e| mechanics.value(e));
                for (k, x) in mechanics.spatial().state.rotational_momentum(b, inertia).into_iter().enumerate() {
                    add(3 + k, x.id(graph));
                }
            }
        }
        self.expand(&sum)
    }

    /// World position of each body's origin and the rows of R_WB.
    fn poses(&self) -> Vec<Vec<NodeId>> {
        let mechanics = &self.coasting;
        let pose = |b: usize| {
            let marker = mechanics.model.bodies[b].origin_marker;
            let origin = mechanics.marker_point(marker);
            let axes = [0, 1, 2].map(|k| mechanics.marker_axis(marker, k));
            let rows = (0..3).flat_map(|i| axes.map(|axis| axis[i]));
            self.expand(&self.ids(&origin.into_iter().chain(rows).collect::<Vec<_>>()))
        };
        (0..self.model.bodies.len()).map(pose).collect()
    }

    fn markers(&self) -> Vec<(mbs_expr::MarkerId, Vec<NodeId>)> {
        let all = super::bodies::markers(self.graph, &self.coasting);
        all.into_iter().map(|(m, p)| (m, self.expand(&p))).collect()
    }

    /// Twist Jacobian of each body: rows v_x, v_y, v_z of the frame's origin and ω_x, ω_y, ω_z in world axes.
    fn body_jacobians(&self) -> Vec<Vec<Vec<NodeId>>> {
        let (graph, mechanics) = (self.graph, &self.coasting);
        let jacobian = |b: usize| {
            let mut rows = vec![vec![graph.constant(0.0); self.tree.n()]; 6];
            let point = Vector([Sym::Literal(0.0); 3]);
            for column in mechanics.spatial().state.columns(self.tree, BodyId(b as u32).index(), point) {
                for k in 0..3 {
                    rows[k][column.speed] = column.linear[k].id(graph);
                    rows[3 + k][column.speed] = column.angular[k].id(graph);
                }
            }
            rows.iter().map(|row| self.expand(row)).collect()
        };
        (0..self.model.bodies.len()).map(jacobian).collect()
    }
}
