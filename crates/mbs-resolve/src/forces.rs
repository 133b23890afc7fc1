//! Resolves forces, whose loads the catalogue makes, and potentials.

pub(crate) mod heights;
pub(crate) mod loads;
pub(crate) mod rotating;

use mbs_definition::{Expr, Origin};
use mbs_expr::{ExprId, MarkerId, Op};
use mbs_model::catalog::{Action, Arguments, Build, ContactSurface, Contour, Ends};
use mbs_model::{Force, Load};

use crate::mistakes;
use crate::resolvers::{ForceResolver, Resolves};
use crate::value::Value;
use crate::{Category, Declared, Reported, Res, ResolvedForce, State};

impl<'a> ForceResolver<'_, 'a> {
    /// After this pass: forces have loads.
    pub(crate) fn resolve_forces(&mut self) {
        self.resolver.loads.forces.resize_with(self.resolver.loads.slots.len(), || None);
        for f in 0..self.resolver.loads.slots.len() {
            let origin = self.resolver.names.slots[self.resolver.loads.slots[f]].declared.origin();
            let _ = self.force(f, origin);
        }
    }

    /// Resolves a force unless that has been done.
    pub(crate) fn force(&mut self, f: usize, origin: Origin) -> Res<()> {
        self.resolver.loads.forces.resize_with(self.resolver.loads.slots.len(), || None);
        let slot = self.resolver.loads.slots[f];
        match &self.resolver.names.slots[slot].state {
            State::Done(_) => return Ok(()),
            State::Bad => return Err(Reported),
            State::Busy => {
                return self
                    .fail(origin, mistakes::forces::force_depends_on_itself(&self.resolver.names.slots[slot].name));
            }
            State::Waiting => self.resolver.names.slots[slot].state = State::Busy,
        }
        let (scope, is_potential) = (
            self.resolver.names.slots[slot].scope.clone(),
            self.resolver.names.slots[slot].category == Category::Potential,
        );
        let force = self.in_scope(&scope, |r| if is_potential { r.potential(slot) } else { r.kind_force(slot) });
        let done = force.map(|force| self.resolver.loads.forces[f] = Some(force));
        self.resolver.names.slots[slot].state = if done.is_ok() { State::Done(Value::Force(f)) } else { State::Bad };
        done
    }

    fn kind_force(&mut self, slot: usize) -> Res<ResolvedForce> {
        let s = &self.resolver.names.slots[slot];
        let (scope, name) = (s.scope.clone(), s.name.clone());
        let (Declared::Item(d), Some((kind, ends))) = (s.declared, s.kind) else { return Err(Reported) };
        let counted = self.joint_resolver().check_count(kind.into(), d, &name, ends);
        let values = self.joint_resolver().ends(kind.into(), ends, &name, &scope);
        let values = counted.and(values);
        let markers = match (kind.build, &values) {
            (Build::Force(_) | Build::Load(_) | Build::Torsion(_), Ok(values)) => {
                self.joint_resolver().end_markers(kind.into(), values, ends)
            }
            _ => Err(Reported),
        };
        let contours = match (kind.ends, &values) {
            (Ends::TwoCurves, Ok(values)) => self.contours(kind.name, values, ends, &name),
            _ => Err(Reported),
        };
        let markers = match &contours {
            Ok(contours) => Ok(contours.each_ref().map(|contour| contour.marker).to_vec()),
            Err(Reported) => markers,
        };
        let known = markers.as_deref().unwrap_or_default();
        let first = (known.len() == 2).then(|| known[0]);
        if let ([a, b], Some(_)) = (known, kind.contact_surface()) {
            self.joint_resolver().check_different_bodies([*a, *b], &format!("force `{name}`"), ends[1].origin)?;
        }
        let (arguments, common) = self.joint_resolver().kind_arguments(kind, d, &name, known, &scope);
        let (values, enabled) = (values?, common?.enabled);
        let mut loads = Vec::new();
        let (mut action, mut value) = (Action::default(), None);
        let mut drawn_ends = None;
        if kind.ends == Ends::Coordinate {
            let coordinate = self.mobility_end(&values[0], &ends[0])?;
            let exerted = self.zero_when_off(enabled, arguments?[0][0]);
            value = Some(exerted);
            loads.push(Load::Generalized { coordinate, value: exerted });
        } else {
            let (markers, arguments) = (markers?, arguments?);
            let last = *markers.last().expect("counted");
            if let (Some(first), Some(surface)) = (first, kind.contact_surface()) {
                self.check_surface_axes(surface, first, ends[0].origin)?;
            }
            action = match (kind.build, first) {
                (Build::Curves(build), _) => {
                    let contours = contours?;
                    self.vectors().write(|g| build(g, contours.each_ref(), &Arguments::new(g, kind, &arguments)).ids(g))
                }
                (Build::Load(build), _) => self.vectors().write(|g| build(&Arguments::new(g, kind, &arguments)).ids(g)),
                (Build::Force(build), Some(first)) => {
                    self.vectors().write(|g| build(g, [first, last], &Arguments::new(g, kind, &arguments)).ids(g))
                }
                (Build::Torsion(build), Some(first)) => {
                    let theta = self.joint_resolver().torsion_angle(&name, d, [first, last], arguments[0]);
                    self.vectors().write(|g| {
                        let arguments = Arguments::new(g, kind, &arguments);
                        build(g, [first, last], g.expr(theta), &arguments).ids(g)
                    })
                }
                _ => unreachable!("`{}` is a force between markers", kind.name),
            };
            action = action.map(|x| self.zero_when_off(enabled, x));
            self.add_loads(&mut loads, last, &action);
            if matches!(kind.name, "spring_damper" | "cable") {
                drawn_ends = Some([
                    self.field_resolver().marker_to_draw(markers[0]),
                    self.field_resolver().marker_to_draw(last),
                ]);
            }
            if let Some(first) = first {
                let opposite = self.vectors().write(|g| action.opposite(g));
                self.add_loads(&mut loads, first, &opposite);
            }
        }
        let (origin, docs, potential) = (d.name.ident.origin, d.docs.clone(), action.potential);
        let force = Force { name, origin, docs, loads, ends: drawn_ends, is_cable: kind.name == "cable", potential };
        Ok(ResolvedForce { force, action, value, enabled })
    }

    /// Refuses a particle, which has no axes, as the first end of a contact whose surface has a direction.
    fn check_surface_axes(&mut self, surface: ContactSurface, first: MarkerId, origin: Origin) -> Res<()> {
        match surface {
            ContactSurface::Plane => self.vectors().check_can_rotate(first, origin, "a plane needs one"),
            ContactSurface::Terrain => self.vectors().check_can_rotate(first, origin, "terrain needs one"),
            ContactSurface::Ball | ContactSurface::Curve => Ok(()),
        }
    }

    /// The two curves of a contact force.
    fn contours(&mut self, kind: &str, values: &[Value], ends: &[Expr], name: &str) -> Res<[Contour; 2]> {
        let found = [0, 1].map(|i| -> Res<Contour> {
            let slot = self.curve_resolver().as_curve(&values[i], &ends[i], kind)?;
            let contour = self.curve_resolver().contour(slot, ends[i].origin)?;
            self.vectors().check_can_rotate(contour.marker, ends[i].origin, &format!("`{kind}` needs one"))?;
            Ok(contour)
        });
        let [one, other] = found;
        let contours = [one?, other?];
        if contours.iter().all(|contour| contour.range.is_none()) {
            return self.fail(ends[1].origin, mistakes::forces::contact_without_range(name));
        }
        Ok(contours)
    }

    /// x, or zero where a switch is off.
    fn zero_when_off(&mut self, enabled: Option<ExprId>, x: ExprId) -> ExprId {
        let zero = self.resolver.exprs.constant(0.0);
        enabled.map_or(x, |enabled| self.resolver.exprs.choose(enabled, x, zero))
    }

    /// Adds loads on a marker; loads on ground are left out.
    fn add_loads(&self, loads: &mut Vec<Load>, marker: MarkerId, action: &Action) {
        if self.resolver.bodies.markers[marker.index()].body.is_none() {
            return;
        }
        loads.extend(action.force.map(|force| Load::Force { at: marker, force: force.0 }));
        loads.extend(action.torque.map(|torque| Load::Torque { on: marker, torque: torque.0 }));
    }

    fn mobility_end(&mut self, value: &Value, end: &Expr) -> Res<ExprId> {
        match value {
            Value::Number(x) if matches!(self.resolver.exprs.op(*x), Op::JointCoordinate(..) | Op::Algebraic(_)) => {
                if let Op::JointCoordinate(j, k) = self.resolver.exprs.op(*x)
                    && usize::from(k) >= self.resolver.first_of_attitude(j)
                {
                    return self.fail(end.origin, mistakes::forces::mobility_along_attitude());
                }
                Ok(*x)
            }
            Value::Joint(j) => match self.field_resolver().coordinate_count(*j, end.origin)? {
                1 => Ok(self.resolver.exprs.push(Op::JointCoordinate(*j, 0))),
                n => {
                    let slot = &self.resolver.names.slots[self.resolver.joints.slots[j.index()]];
                    let joint = self.resolver.joints.all[j.index()].as_ref();
                    let first = joint.and_then(|joint| joint.coordinates.first()).map_or("", |(name, _)| name);
                    let coordinate = match (self.resolver.is_planar(), n) {
                        (false, _) => first,
                        (true, 2) => "position.x",
                        (true, _) => "angle",
                    };
                    let help = if n > 0 && self.resolver.first_of_attitude(*j) == 0 {
                        Some("write `torque(…)` between its ends".to_string())
                    } else {
                        (n > 0).then(|| format!("write `mobility({}.{coordinate})`", slot.name))
                    };
                    self.fail(end.origin, mistakes::forces::mobility_along_several(&slot.name, n).help_if(help))
                }
            },
            other => self.fail(end.origin, mistakes::forces::mobility_along_no_coordinate(other.describe())),
        }
    }

    fn potential(&mut self, slot: usize) -> Res<ResolvedForce> {
        let s = &self.resolver.names.slots[slot];
        let (scope, name) = (s.scope.clone(), s.name.clone());
        let Declared::Item(d) = s.declared else { return Err(Reported) };
        let subject = format!("potential `{name}`");
        let given = self.argument_resolver().arguments(&subject, &d.arguments, &["enabled"]);
        let enabled = self.argument_resolver().switch_of_force(given.found[0], &subject, &scope);
        let Some(e) = &d.value else {
            return self.fail(d.name.ident.origin, mistakes::forces::expression_missing(&subject, &name));
        };
        let energy = self.resolver.evaluate_number(e, &scope, &subject)?;
        let energy = self.zero_when_off(enabled?, energy);
        self.argument_resolver().without_accelerations(energy, e.origin, &subject)?;
        match self.resolver.exprs.order(energy) {
            Some(0) => {}
            None => return self.fail(e.origin, mistakes::equations::depends_on_no_coordinate(&subject)),
            Some(_) => return self.fail(e.origin, mistakes::forces::potential_of_velocities(&subject)),
        }
        let force = Force {
            name,
            origin: d.name.ident.origin,
            docs: d.docs.clone(),
            loads: vec![Load::Potential(energy)],
            ends: None,
            is_cable: false,
            potential: Some(energy),
        };
        Ok(ResolvedForce { force, action: Action::default(), value: None, enabled: None })
    }
}
