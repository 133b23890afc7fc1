//! Derives the equations of one mechanism symbolically: Φ, G, ν, γ, M, Q and everything reported.
//!
//! In the plane, rows are differentiated in the solver's coordinates. In space (`space`), which has more coordinates than speeds, rows are
//! projected on the model's Jacobians, and rates follow from those of positions and directions.
//! After this point, quantities are nodes in *solver* symbols or, where a field's documentation names them, in *interface* symbols.

mod bodies;
mod events;
mod inertia;
mod memories;
mod places;
mod power;
mod space;
mod switched;

pub use events::Event;
pub use switched::while_on;

use std::collections::BTreeMap;

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, MarkerId};
use mbs_model::{BodyKind, InitialCondition, Load, Model, RowLevel};
use mbs_physics::{InterfaceCoordinate, Mechanics, SolverCoordinate, Tree, Variables};

use crate::graph::{Graph, NodeId, Sym, Symbol, dependencies, partial, sparse_slopes, without_acceleration};
use crate::reactions::reactions;

use bodies::{body_jacobians, markers, poses};
use memories::declare_memories;

/// A sparse matrix of nodes, ordered by (row, column).
pub type Matrix = BTreeMap<(usize, usize), NodeId>;

/// Nonzero entries of a row, by column.
pub type Slopes = Vec<(usize, NodeId)>;

/// Derived equations. `n` speeds, `n_c` rows.
pub struct Equations {
    /// Number of speeds.
    pub n: usize,
    /// M̂, lower triangle.
    pub mass: Matrix,
    /// Ĝ = ∂ψ/∂v̂, all rows.
    pub jacobian: Matrix,
    /// Φ of the position rows.
    pub phi: Vec<NodeId>,
    /// ψ = Ĝ v̂ − ν of the position and velocity rows.
    pub psi: Vec<NodeId>,
    /// γ̂ of all rows: Ĝ â = γ̂.
    pub gamma: Vec<NodeId>,
    /// 1 or 0 for rows that can be switched off.
    pub enabled: Vec<Option<NodeId>>,
    /// Q̂.
    pub forces: Vec<NodeId>,
    /// Wrenches from which Q̂ is projected: for spatial mechanisms without rows whose speeds are all speeds of links.
    pub gathered: Option<Gathered>,
    /// M̂ â − Q̂ at any accelerations, if the model provides it directly: for spatial mechanisms.
    pub inverse: Option<Vec<NodeId>>,
    /// Derivatives of M̂ â less velocity terms and gravity, for spatial mechanisms whose kernels need them.
    pub inertial: Option<Inertial>,
    /// Q̂ without any load.
    pub velocity_forces: Vec<NodeId>,
    /// Reaction of each joint: point x, y, force x, y, moment; in space three of each.
    pub reactions: Vec<Vec<NodeId>>,
    /// H, rows of interface speeds: v = H v̂ + h, in solver symbols.
    pub interface_slopes: Vec<Slopes>,
    /// a in solver symbols, its accelerations included.
    pub interface_accelerations: Vec<NodeId>,
    /// q̂ = w(q), in interface symbols.
    pub solver: Vec<NodeId>,
    /// v̂, in interface symbols.
    pub solver_speeds: Vec<NodeId>,
    /// â, in interface symbols.
    pub solver_accelerations: Vec<NodeId>,
    /// W, rows of solver speeds: v̂ = W v + w, in interface symbols.
    pub solver_slopes: Vec<Slopes>,
    /// â at a = 0, in interface symbols.
    pub solver_bias: Vec<NodeId>,
    /// q̇ = N(q) v in interface symbols, where q̇ may differ from v.
    pub coordinate_rates: Option<Vec<NodeId>>,
    /// ż.
    pub auxiliary_rates: Vec<NodeId>,
    /// New values of the memories.
    pub memories: Vec<NodeId>,
    /// The memories at the start of a run: [`Model::declared_memories`].
    pub declared_memories: Vec<NodeId>,
    /// Output values, flat.
    pub outputs: Vec<NodeId>,
    /// Rates of outputs, `None` where they would need the rate of an input or multiplier.
    pub output_rates: Vec<Option<NodeId>>,
    /// Kinetic energy, potential energy, then the potential of each force that has one (`None` else).
    pub kinetic: NodeId,
    /// Potential energy.
    pub potential: NodeId,
    /// Potential of each force.
    pub force_potentials: Vec<Option<NodeId>>,
    /// Power of each force, including those without potential.
    pub force_powers: Vec<NodeId>,
    /// Linear momentum x, y and angular momentum about the world origin; in space three of each.
    pub momentum: Vec<NodeId>,
    /// x, y, θ of each body; in space x, y, z and the rows of its rotation matrix.
    pub poses: Vec<Vec<NodeId>>,
    /// World positions of drawn markers.
    pub markers: Vec<(MarkerId, Vec<NodeId>)>,
    /// Twist Jacobians of bodies in solver speeds: rows v_x, v_y, ω; in space three of each.
    pub body_jacobians: Vec<Vec<Vec<NodeId>>>,
    /// Q̂ of loads and gravity alone, if momenta are requested.
    pub loads: Option<Vec<NodeId>>,
    /// Quantities that only operators need, if these are requested.
    pub places: Option<Places>,
    /// Applied loads of floating bodies, if their derivatives are requested.
    pub wrenches: Vec<BodyWrench>,
    /// Exact `initial` conditions.
    pub conditions: Vec<Condition>,
    /// Guessed conditions.
    pub guesses: Vec<Condition>,
    /// Events, in declaration order.
    pub events: Vec<Event>,
    /// Conditions that the event handlers impose, in order of the events.
    pub held: Vec<Condition>,
}

/// Q̂ before projection: the wrenches that act on links, and the loads that act along speeds directly.
pub struct Gathered {
    /// Moment and force about each link's origin in its axes, or the force in world axes for links that move by their centre of mass.
    pub wrenches: Vec<[[NodeId; 3]; 2]>,
    /// Direct load of each speed.
    pub direct: Vec<NodeId>,
}

/// Inertial forces with their derivatives, and the loads, along the solver's speeds and in its symbols.
pub struct Inertial {
    /// Q̂ of loads alone.
    pub loads: Vec<NodeId>,
    /// Inertial forces at rest: −weight.
    pub still: Vec<NodeId>,
    /// Derivatives with respect to displacements in the directions of the speeds, at fixed speeds and accelerations.
    pub along_q: Matrix,
    /// Derivatives with respect to speeds.
    pub along_v: Matrix,
}

/// Jacobians of points in solver speeds, row by row, and the generalised forces of weight.
pub struct Places {
    /// Jacobian of each drawn marker: a row for each component of its velocity.
    pub marker_jacobians: Vec<Vec<Vec<NodeId>>>,
    /// World position of the centre of mass, if there is mass.
    pub center: Vec<NodeId>,
    /// Jacobian of the centre of mass: a row for each component of its velocity.
    pub center_jacobian: Vec<Vec<NodeId>>,
    /// Generalised forces of weight.
    pub weights: Vec<NodeId>,
    /// M̂ â by recursion.
    pub inertia_times: Vec<NodeId>,
}

/// Applied loads on a floating body, without weight: force in world axes, moment about its centre of mass in body axes.
pub struct BodyWrench {
    /// The body.
    pub body: BodyId,
    /// First of its coordinates: displacement, attitude.
    pub first_q: usize,
    /// Number of coordinates of its attitude.
    pub attitude: usize,
    /// First of its speeds.
    pub first_v: usize,
    /// Force and moment.
    pub wrench: Vec<NodeId>,
}

/// An `initial` condition.
pub struct Condition {
    /// Observable − value.
    pub residual: NodeId,
    /// Whether it constrains coordinates or speeds.
    pub level: RowLevel,
    /// Its derivatives with respect to the solver's coordinates or speeds.
    pub slopes: Slopes,
}

/// Names parameters, and values that depend on parameters alone and are arguments of a joint or force.
fn suggest_names<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>) {
    for parameter in &mechanics.model.parameters {
        for i in 0..parameter.size() {
            let name =
                if parameter.shape.is_empty() { parameter.name.clone() } else { format!("{}.{i}", parameter.name) };
            graph.suggest(graph.symbol(Symbol::Parameter((parameter.offset + i) as u32)), name);
        }
    }
    for (named, name) in mechanics.model.exprs.names() {
        graph.suggest(mechanics.value(named).id(graph), name);
    }
}

/// Derives the equations of a model in a formulation.
pub fn derive<'g>(graph: &'g Graph, model: &Model, tree: &Tree) -> Equations {
    let n = tree.n();
    if model.space == Space::Spatial {
        return space::derive(graph, model, tree);
    }
    graph.declare_functions(&model.functions);
    declare_rates(graph, model, tree);
    let mechanics = solver_mechanics(graph, model, tree);
    let node = |s: Sym<'g>| s.id(graph);
    let value = |e: ExprId| node(mechanics.value(e));

    let auxiliary_rates: Vec<NodeId> = model.auxiliary.iter().flat_map(|a| &a.rates).map(|e| value(*e)).collect();
    for (i, rate) in auxiliary_rates.iter().enumerate() {
        graph.set_rate(Symbol::Auxiliary(i as u32), *rate);
    }
    declare_memories(graph, model);

    for side in model.cams.iter().flat_map(|cam| &cam.sides) {
        let place = InterfaceCoordinate::Algebraic(side.unknown);
        let interface = tree.interface.iter().position(|c| *c == place).map(|i| Symbol::Coordinate(i as u32));
        let solver = tree.index_of(SolverCoordinate::Algebraic(side.unknown));
        let solver = solver.map(|i| Symbol::SolverCoordinate(i as u32));
        interface.into_iter().chain(solver).for_each(|symbol| graph.follow(symbol));
    }

    let mass: Matrix = mechanics.mass_matrix().into_iter().map(|(i, j, m)| ((i, j), node(m))).collect();
    let rows = derive_rows(graph, tree, &value);
    let gradient = |e: ExprId| -> Vec<Sym<'g>> {
        let root = value(e);
        (0..n).map(|i| Sym::Node(graph, partial(graph, root, Symbol::SolverCoordinate(i as u32)))).collect()
    };
    let forces: Vec<NodeId> = mechanics.generalized_forces(&gradient).into_iter().map(node).collect();
    let interface_speeds: Vec<NodeId> = mechanics.declared_speeds().into_iter().map(node).collect();
    let solver = solver_of_interface(graph, model, tree);
    let solver_speeds = graph.rate(&solver);
    let solver_accelerations = graph.rate(&solver_speeds);
    let bias = solver_accelerations.iter().map(|a| without_acceleration(graph, *a)).collect();

    let velocity_forces = mechanics.velocity_terms().into_iter().map(node).collect();
    let reactions = reactions(graph, &mechanics);
    let outputs: Vec<NodeId> = model.outputs.iter().flat_map(|o| &o.values).map(|e| value(*e)).collect();
    let output_rates = outputs.iter().map(|o| rate_if_known(graph, *o)).collect();
    let force_potentials = model.forces.iter().map(|f| f.potential.map(value)).collect();
    let along = |loads: &[Load]| {
        let mut forces = vec![Sym::Literal(0.0); n];
        loads.iter().for_each(|load| mechanics.add_load(load, &gradient, &mut forces));
        forces
    };
    let force_powers =
        model.forces.iter().map(|f| power::power(graph, &mechanics, &f.loads, &along(&f.loads))).collect();
    let condition = |c: &InitialCondition| {
        let residual = mechanics.missed(c).id(graph);
        let symbol = match c.level {
            RowLevel::Position => Symbol::SolverCoordinate,
            _ => Symbol::SolverSpeed,
        };
        let slopes = sparse_slopes(graph, &[residual], symbol).remove(0);
        Condition { residual, level: c.level, slopes }
    };
    let conditions = |exact: bool| {
        let list = model.conditions.iter().filter(|c| c.exact == exact);
        list.map(condition).collect::<Vec<_>>()
    };
    let observed = |e: ExprId| reactions.put_into(graph, &[value(e)])[0];

    suggest_names(graph, &mechanics);
    Equations {
        n,
        interface_slopes: sparse_slopes(graph, &interface_speeds, Symbol::SolverSpeed),
        interface_accelerations: graph.rate(&interface_speeds),
        solver_slopes: sparse_slopes(graph, &solver_speeds, Symbol::Speed),
        solver,
        solver_speeds,
        solver_accelerations,
        solver_bias: bias,
        coordinate_rates: (!tree.declared_speeds(model).is_empty()).then(|| {
            let q: Vec<NodeId> = (0..n as u32).map(|i| graph.symbol(Symbol::Coordinate(i))).collect();
            graph.rate(&q)
        }),
        gathered: None,
        inverse: None,
        inertial: None,
        wrenches: Vec::new(),
        loads: model.kernels.momenta.then(|| mechanics.all_loads(&gradient).into_iter().map(node).collect()),
        places: model.kernels.operators.then(|| places::in_the_plane(graph, &mechanics)),
        auxiliary_rates,
        memories: model.memories.iter().map(|m| value(m.value)).collect(),
        declared_memories: model.declared_memories.iter().map(|e| value(*e)).collect(),
        kinetic: value(model.kinetic_energy),
        potential: value(model.potential_energy),
        momentum: momentum(graph, &mechanics),
        poses: poses(graph, &mechanics),
        markers: markers(graph, &mechanics),
        body_jacobians: body_jacobians(graph, &mechanics),
        conditions: conditions(true),
        guesses: conditions(false),
        events: events::events(graph, model, &observed),
        held: model.event_conditions().chain(&model.guesses).map(condition).collect(),
        mass,
        jacobian: rows.jacobian,
        phi: rows.phi,
        psi: rows.psi,
        gamma: rows.gamma,
        enabled: tree.rows.iter().map(|row| row.enabled.map(value)).collect(),
        forces,
        velocity_forces,
        outputs: reactions.put_into(graph, &outputs),
        reactions: reactions.joints,
        output_rates,
        force_potentials,
        force_powers,
    }
}

/// The model's mechanics in solver symbols.
pub fn solver_mechanics<'g, 'm>(graph: &'g Graph, model: &'m Model, tree: &'m Tree) -> Mechanics<'m, Sym<'g>> {
    Mechanics::at_solver(model, tree, variables(graph, model, tree), solver_symbols(graph, tree.n()))
}

fn declare_rates(graph: &Graph, model: &Model, tree: &Tree) {
    let n = tree.n();
    for i in 0..n as u32 {
        graph.set_rate(Symbol::SolverCoordinate(i), graph.symbol(Symbol::SolverSpeed(i)));
        graph.set_rate(Symbol::SolverSpeed(i), graph.symbol(Symbol::SolverAcceleration(i)));
        graph.set_rate(Symbol::Speed(i), graph.symbol(Symbol::Acceleration(i)));
    }
    let [q, v] = [Symbol::Coordinate, Symbol::Speed].map(|symbol| symbols(graph, n, symbol));
    for (i, rate) in (0..).zip(Mechanics::declared_rates(model, tree, variables(graph, model, tree), &q, &v)) {
        graph.set_rate(Symbol::Coordinate(i), rate.id(graph));
    }
}

/// All symbols of a family.
pub fn symbols<'g>(graph: &'g Graph, count: usize, symbol: impl Fn(u32) -> Symbol) -> Vec<Sym<'g>> {
    (0..count as u32).map(|i| Sym::Node(graph, graph.symbol(symbol(i)))).collect()
}

fn solver_symbols(graph: &Graph, n: usize) -> Vec<Sym<'_>> {
    symbols(graph, n, Symbol::SolverCoordinate)
}

/// Symbols for the quantities other than coordinates that expressions may contain.
pub fn variables<'g>(graph: &'g Graph, model: &Model, tree: &Tree) -> Variables<Sym<'g>> {
    Variables {
        t: Sym::Node(graph, graph.symbol(Symbol::Time)),
        parameters: symbols(graph, Model::flat_size(&model.parameters), Symbol::Parameter),
        inputs: symbols(graph, Model::flat_size(&model.inputs), Symbol::Input),
        auxiliary: symbols(graph, model.n_stored(), Symbol::Auxiliary),
        multipliers: symbols(graph, tree.rows.len(), Symbol::Multiplier),
        prescribed: symbols(graph, tree.prescribed.len(), Symbol::PrescribedLoad),
        reactions: {
            let components = if model.space == Space::Planar { 3 } else { 6 };
            let all = symbols(graph, components * model.reaction_count(), Symbol::Reaction);
            all.chunks_exact(components).map(<[_]>::to_vec).collect()
        },
    }
}

/// w(q): solver coordinates as functions of the interface coordinates.
fn solver_of_interface(graph: &Graph, model: &Model, tree: &Tree) -> Vec<NodeId> {
    let q = symbols(graph, tree.n(), Symbol::Coordinate);
    let mechanics = Mechanics::at_interface(model, tree, variables(graph, model, tree), &q);
    mechanics.coordinates.iter().map(|s| s.id(graph)).collect()
}

struct Rows {
    jacobian: Matrix,
    phi: Vec<NodeId>,
    psi: Vec<NodeId>,
    gamma: Vec<NodeId>,
}

/// Φ, ψ, G, γ of the rows that remain: ψ = Φ̇ (or Ψ), G = ∂ψ/∂v̂, γ = −ψ̇ at â = 0.
fn derive_rows(graph: &Graph, tree: &Tree, value: &dyn Fn(ExprId) -> NodeId) -> Rows {
    let mut rows = Rows { jacobian: Matrix::new(), phi: Vec::new(), psi: Vec::new(), gamma: Vec::new() };
    let zero = graph.number(0.0);
    for (r, row) in tree.rows.iter().enumerate() {
        let residual = value(row.residual);
        let psi = match row.level {
            RowLevel::Position => {
                rows.phi.push(residual);
                graph.rate(&[residual])[0]
            }
            _ => residual,
        };
        let by = |symbol: fn(u32) -> Symbol, of: NodeId| -> Vec<(usize, NodeId)> {
            let depends = dependencies(graph, of);
            let columns = (0..tree.n()).filter(|i| depends.contains(&symbol(*i as u32)));
            columns.map(|i| (i, partial(graph, of, symbol(i as u32)))).collect()
        };
        let entries = match row.level {
            RowLevel::Position => by(Symbol::SolverCoordinate, residual),
            RowLevel::Velocity => by(Symbol::SolverSpeed, psi),
            RowLevel::Acceleration => by(Symbol::SolverAcceleration, psi),
        };
        for (i, entry) in entries {
            if entry != zero {
                graph.suggest(entry, format!("g_{r}_{i}"));
                rows.jacobian.insert((r, i), entry);
            }
        }
        let gamma = match row.level {
            RowLevel::Acceleration => graph.neg(without_acceleration(graph, residual)),
            _ => graph.neg(without_acceleration(graph, graph.rate(&[psi])[0])),
        };
        rows.gamma.push(gamma);
        if row.level <= RowLevel::Velocity {
            rows.psi.push(psi);
        }
    }
    rows
}

fn rate_if_known(graph: &Graph, output: NodeId) -> Option<NodeId> {
    let unknown = dependencies(graph, output).into_iter().any(|s| {
        matches!(
            s,
            Symbol::Input(_)
                | Symbol::Multiplier(_)
                | Symbol::Reaction(_)
                | Symbol::PrescribedLoad(_)
                | Symbol::SolverAcceleration(_)
                | Symbol::Acceleration(_)
        )
    });
    (!unknown).then(|| graph.rate(&[output])[0])
}

fn momentum<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>) -> Vec<NodeId> {
    let mut sum = vec![graph.number(0.0); 3];
    for (b, body) in (0..).zip(&mechanics.model.bodies) {
        let m = mechanics.value(body.mass).id(graph);
        let r = mechanics.marker_point(body.com_marker).map(|s| s.id(graph));
        let v = [0, 1].map(|k| graph.rate(&[r[k]])[0]);
        for k in 0..2 {
            sum[k] = graph.add(sum[k], graph.mul(m, v[k]));
        }
        let moment = graph.sub(graph.mul(r[0], v[1]), graph.mul(r[1], v[0]));
        sum[2] = graph.add(sum[2], graph.mul(m, moment));
        if let Some(own) = mechanics.model.natural.own_momenta.get(&BodyId(b)) {
            sum[2] = graph.add(sum[2], mechanics.value(own[2]).id(graph));
        } else if body.kind == BodyKind::Rigid {
            let spin = mechanics.turning_rate(BodyId(b)).id(graph);
            sum[2] = graph.add(sum[2], graph.mul(mechanics.value(body.inertia[2]).id(graph), spin));
        }
    }
    sum
}
