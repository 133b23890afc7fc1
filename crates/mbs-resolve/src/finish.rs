//! Energies, the check for bodies without joints or forces, and the model.

pub(crate) mod data;
pub(crate) mod unused;

use std::collections::BTreeSet;

use mbs_definition::{Errors, Origin};
use mbs_expr::{BodyId, Expr as Formula, ExprId, Op};
use mbs_model::groups::{Coordinates, Curves, Energy, Header, Imported, Loads, Quantities, Settings, Start};
use mbs_model::{Alternative, Event, Force, Formulation, InitialCondition, Load, Model, Natural, Output};

use crate::mistakes;
use crate::resolvers::{ForceResolver, Resolves};
use crate::tables::Statements;
use crate::value::Value;
use crate::{Reported, Res, Resolver, State};

impl<'a> ForceResolver<'_, 'a> {
    /// Kinetic (0) or potential (1) energy \[J\]; resolved at the first call.
    pub(crate) fn energy(&mut self, which: usize, origin: Origin) -> Res<Value> {
        match &self.resolver.loads.energies[which] {
            State::Done(value) => return Ok(value.clone()),
            State::Bad => return Err(Reported),
            State::Busy => {
                return self.fail(origin, mistakes::bodies::circular_potential_energy());
            }
            State::Waiting => self.resolver.loads.energies[which] = State::Busy,
        }
        let value = if which == 0 { self.kinetic_energy(origin) } else { self.potential_energy(origin) };
        let value = value.map(Value::Number);
        self.resolver.loads.energies[which] = value.as_ref().map_or(State::Bad, |v| State::Done(v.clone()));
        value
    }

    /// T = Σ ½ m |v_com|² + ½ ω·I ω.
    fn kinetic_energy(&mut self, origin: Origin) -> Res<ExprId> {
        let mut terms = Vec::new();
        for b in 0..self.resolver.bodies.all.len() {
            terms.extend(self.body_resolver().body_kinetic_energy(BodyId(b as u32), origin)?);
        }
        Ok(self
            .resolver
            .exprs
            .write(|w| w.id(terms.into_iter().fold(Formula::from(0.0), |sum, term| sum + w.expr(term)))))
    }

    /// V = −Σ m g·p_com (zero at the world's origin) + potentials of forces.
    fn potential_energy(&mut self, origin: Origin) -> Res<ExprId> {
        let mut sum = self.resolver.exprs.constant(0.0);
        if let Some(gravity) = self.resolver.chosen.gravity {
            for b in 0..self.resolver.bodies.all.len() {
                let (mass, p, _) = self.body_resolver().com_motion(BodyId(b as u32), origin)?;
                sum = self.resolver.exprs.write(|w| w.id(w.expr(sum) - w.expr(mass) * w.dot(&gravity, &p)));
            }
        }
        for f in 0..self.resolver.loads.slots.len() {
            self.force(f, origin)?;
            if let Some(potential) = self.resolver.loads.forces[f].as_ref().and_then(|force| force.force.potential) {
                sum = self.resolver.exprs.write(|w| w.id(w.expr(sum) + w.expr(potential)));
            }
        }
        Ok(sum)
    }
}

/// Puts the model together.
#[derive(Debug)]
pub(crate) struct Finishing<'a> {
    pub resolver: Resolver<'a>,
    pub statements: Statements<'a>,
    /// Forces of the rotating frame.
    pub frame: Option<Force>,
    pub exclusive: Vec<Vec<Alternative>>,
    pub conditions: Vec<InitialCondition>,
    pub outputs: Vec<Output>,
    pub events: Vec<Event>,
}

impl<'a> Resolves<'a> for Finishing<'a> {
    fn resolver(&mut self) -> &mut Resolver<'a> {
        &mut self.resolver
    }
}

impl<'a> Finishing<'a> {
    /// Returns the model, or all mistakes in the order of the text.
    pub(crate) fn finish(mut self) -> Result<Model, Errors> {
        self.check_passed();
        let origin = self.resolver.definition.name.origin;
        let energies = [0, 1].map(|which| self.force_resolver().energy(which, origin));
        if self.resolver.mistakes.errors.is_empty() && !self.resolver.mistakes.broken {
            self.check_touched();
        }
        self.resolver.mistakes.errors.sort();
        if self.resolver.mistakes.broken || !self.resolver.mistakes.errors.is_empty() {
            return Err(self.resolver.mistakes.errors);
        }
        let [Ok(Value::Number(kinetic)), Ok(Value::Number(potential))] = energies else {
            unreachable!("energies fail only with a mistake reported");
        };
        let (solids, limits) = (self.solids(), self.limits());
        self.resolver.joints.contacts.sort_by_key(|cam| cam.joint.0);
        let outlines = self.outlines();
        let warnings = self.unused();
        let definition = self.resolver.definition;
        let chosen = self.resolver.chosen;
        let quantities = self.resolver.quantities;
        let forces = self.resolver.loads.forces.into_iter().flatten().map(|force| force.force);
        let mut model = Model {
            header: Header {
                name: definition.name.text.clone(),
                origin,
                docs: definition.docs.clone(),
                visibility: definition.visibility.clone(),
            },
            space: definition.space,
            exprs: self.resolver.exprs,
            functions: self.resolver.functions.called,
            quantities: Quantities {
                parameters: quantities.parameters,
                derived: quantities.derived,
                inputs: quantities.inputs,
                auxiliary: quantities.auxiliary,
                algebraic: quantities.algebraic,
                memories: Vec::new(),
                equation_reactions: self.resolver.equations.reactions,
            },
            bodies: self.resolver.bodies.all,
            markers: self.resolver.bodies.markers,
            joints: self.resolver.joints.all.into_iter().flatten().collect(),
            curves: Curves { outlines, cams: self.resolver.joints.contacts },
            coordinates: Coordinates {
                formulation: chosen.formulation.unwrap_or(Formulation::Joint),
                is_automatic: chosen.is_automatic,
                natural: Natural::default(),
                poses: self.resolver.joints.poses,
                measures: self.resolver.joints.measures,
            },
            equations: self.resolver.equations.all.into_iter().flatten().collect(),
            loads: Loads { forces: forces.chain(self.frame).collect(), gravity: chosen.gravity },
            start: Start {
                conditions: self.conditions,
                guesses: Vec::new(),
                guess_residuals: Vec::new(),
                remembered_conditions: Vec::new(),
                declared_memories: Vec::new(),
            },
            events: self.events,
            outputs: self.outputs,
            imported: Imported { solids, limits },
            energy: Energy { kinetic, potential },
            settings: Settings {
                inverse_origin: chosen.inverse_origin.unwrap_or(origin),
                momenta_origin: chosen.momenta_origin.unwrap_or(origin),
                freedoms: chosen.freedoms,
                kernels: chosen.kernels.unwrap_or_default(),
                budget: chosen.budget,
                redundant: chosen.redundant,
                exclusive: self.exclusive,
            },
            warnings: warnings.list().to_vec(),
        };
        mbs_physics::choose_basics(&mut model);
        Ok(model)
    }

    /// Reports mistakes in arguments of parts that nothing used.
    fn check_passed(&mut self) {
        for i in 0..self.resolver.names.passed.len() {
            if self.resolver.names.passed[i].is_word || !matches!(self.resolver.names.passed[i].state, State::Waiting) {
                continue;
            }
            let (expr, scope) = (self.resolver.names.passed[i].expr, self.resolver.names.passed[i].scope.clone());
            // Instances, functions and parts are names without values.
            let named = self.resolver.full_path(expr, &scope);
            let is_value = |full: &String| {
                self.resolver.names.full.get(full).is_some_and(|slot| !self.resolver.names.is_function_slot(*slot))
            };
            if matches!(&named, Ok(path) if path.as_ref().is_none_or(is_value)) {
                let _ = self.resolver.passed_value(i);
            }
        }
    }

    /// Checks that every body has a joint, a force other than gravity, or an equation.
    fn check_touched(&mut self) {
        let mut touched: BTreeSet<BodyId> = BTreeSet::new();
        let mut exprs: Vec<ExprId> = Vec::new();
        for joint in self.resolver.joints.all.iter().flatten() {
            touched.extend(joint.ends.iter().filter_map(|m| self.resolver.bodies.markers[m.index()].body));
        }
        exprs.extend(self.resolver.equations.all.iter().flatten().flat_map(|equation| equation.rows.iter().copied()));
        for load in self.resolver.loads.forces.iter().flatten().flat_map(|force| &force.force.loads) {
            match load {
                Load::Force { at: m, .. } | Load::Torque { on: m, .. } => {
                    touched.extend(self.resolver.bodies.markers[m.index()].body);
                }
                Load::Generalized { coordinate: x, .. } | Load::Potential(x) => exprs.push(*x),
            }
        }
        for x in exprs {
            for id in self.resolver.exprs.subexpressions(x) {
                match self.resolver.exprs.op(id) {
                    Op::Position(m, _) | Op::Direction(m, ..) | Op::Angle(m) | Op::AngularVelocity(m, _) => {
                        touched.extend(self.resolver.bodies.markers[m.index()].body);
                    }
                    _ => {}
                }
            }
        }
        for b in 0..self.resolver.bodies.all.len() {
            if !touched.contains(&BodyId(b as u32)) {
                let body = &self.resolver.bodies.all[b];
                self.report(body.origin, mistakes::bodies::body_untouched(&body.name));
            }
        }
    }
}
