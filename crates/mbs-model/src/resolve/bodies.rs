//! Bodies, particles and declared markers.

use super::frames::Place;
use super::value::{Axes, Value};
use super::{Category, Declared, Reported, Res, Resolver, Scope, State};
use crate::definition::{Argument, Expr, ExprKind};
use crate::{Attitude, Body, BodyId, BodyKind, Domain, ExprId, Function, Function2, MarkerId, Origin, VelocityAxes};

const RIGID: &[&str] = &["mass", "coordinates", "position", "velocity", "inertia", "com", "angle"];
const PARTICLE: &[&str] = &["mass", "coordinates", "position", "velocity"];

impl Resolver<'_> {
    /// A place for a body, with its origin marker; its numbers come later.
    pub(super) fn add_body(&mut self, name: &str, particle: bool, declared: Declared<'_>) -> usize {
        let index = self.bodies.len();
        let zero = self.exprs.number(0.0);
        let body = BodyId(index as u32);
        let origin_marker =
            self.marker(name.to_string(), Some(body), Place { point: [zero; 3], angle: zero, rotation: None });
        let (origin, docs) = match declared {
            Declared::Item(d) => (d.name.ident.origin, d.docs.clone()),
            _ => (declared.origin(), String::new()),
        };
        self.bodies.push(Body {
            name: name.to_string(),
            origin,
            docs,
            kind: if particle { BodyKind::Particle } else { BodyKind::Rigid },
            mass: zero,
            inertia: [zero; 6],
            com: [zero; 3],
            position: None,
            angle: None,
            rotation: None,
            velocity: None,
            attitude: Attitude::default(),
            velocity_axes: VelocityAxes::default(),
            formulation: None,
            origin_marker,
            com_marker: origin_marker,
        });
        self.coms.push(State::Waiting);
        index
    }

    /// After this pass: bodies and declared markers are complete.
    pub(super) fn resolve_bodies(&mut self) {
        for b in 0..self.bodies.len() {
            let origin = self.bodies[b].origin;
            let _: Res<()> = self.body(BodyId(b as u32), origin);
        }
        for slot in 0..self.slots.len() {
            if self.slots[slot].category == Category::Marker {
                let origin = self.slots[slot].declared.origin();
                let _ = self.resolve_slot(slot, origin);
            }
        }
    }

    /// Mass, centre of mass and the rest of a body, now if not yet.
    fn body(&mut self, b: BodyId, origin: Origin) -> Res<()> {
        match &self.coms[b.index()] {
            State::Done(_) => return Ok(()),
            State::Bad => return Err(Reported),
            State::Busy => {
                let message = format!("body `{}` is defined by itself", self.bodies[b.index()].name);
                return self.fail("MBS029", origin, message, Some("break the circle".into()));
            }
            State::Waiting => self.coms[b.index()] = State::Busy,
        }
        let done = self.body_arguments(b);
        self.coms[b.index()] = if done.is_ok() { State::Done(Value::Body(Some(b))) } else { State::Bad };
        done
    }

    fn body_arguments(&mut self, b: BodyId) -> Res<()> {
        let slot = &self.slots[self.body_slots[b.index()]];
        let (scope, name) = (slot.scope.clone(), slot.name.clone());
        let Declared::Item(d) = slot.declared else { return Err(Reported) };
        let particle = self.bodies[b.index()].kind == BodyKind::Particle;
        let owner = format!("{} `{name}`", d.category.text);
        if let Some(value) = &d.value {
            let help = Some(format!("write `{} {name} {{ mass: 1 }}`", d.category.text));
            return self.fail("MBS027", value.origin, format!("{owner} takes arguments, not a value"), help);
        }
        let known = if particle { PARTICLE } else { RIGID };
        let mut given = self.arguments(&owner, &d.arguments, known).found;
        given.resize(RIGID.len(), None);
        let mut of = |i: usize| given[i].take();
        let (mass, coordinates, position, velocity) = (of(0), of(1), of(2), of(3));
        let (inertia, com, angle) = (of(4), of(5), of(6));

        let mass = self.body_number(&owner, mass, &scope, Domain::NonNegative);
        let inertia = self.body_number(&owner, inertia, &scope, Domain::NonNegative);
        let com = self.body_vector(&owner, com, &scope, self.body_axes(Some(b)));
        let position = self.body_vector(&owner, position, &scope, Axes::World);
        let velocity = match velocity {
            Some(Argument { value: Expr { kind: ExprKind::Name(word), origin }, .. })
                if word == "body" || word == "world" =>
            {
                self.later(*origin, &format!("velocity: {word}"))
            }
            _ => self.body_vector(&owner, velocity, &scope, Axes::World),
        };
        let angle = self.body_number(&owner, angle, &scope, Domain::Finite);
        let formulation = coordinates.map(|argument| self.formulation(&argument.value)).transpose();

        let zero = self.exprs.number(0.0);
        let (mass, inertia, com) = (mass?.unwrap_or(zero), inertia?.unwrap_or(zero), com?.unwrap_or([zero; 3]));
        let com_marker = self.marker(format!("{name}.com"), Some(b), Place { point: com, angle: zero, rotation: None });
        self.drawn(com_marker);
        let body = &mut self.bodies[b.index()];
        (body.mass, body.inertia[2], body.com, body.com_marker) = (mass, inertia, com, com_marker);
        (body.position, body.velocity, body.angle, body.formulation) = (position?, velocity?, angle?, formulation?);
        Ok(())
    }

    fn body_number(
        &mut self,
        owner: &str,
        argument: Option<&Argument>,
        scope: &Scope,
        domain: Domain,
    ) -> Res<Option<ExprId>> {
        let Some(Argument { name, value }) = argument else { return Ok(None) };
        let what = format!("`{}` of {owner}", name.text);
        let x = self.number(value, scope, &what)?;
        self.parametric(x, value.origin, &what)?;
        self.in_domain(x, domain, value.origin, &what)?;
        Ok(Some(x))
    }

    fn body_vector(
        &mut self,
        owner: &str,
        argument: Option<&Argument>,
        scope: &Scope,
        own: Axes,
    ) -> Res<Option<[ExprId; 3]>> {
        let Some(Argument { name, value }) = argument else { return Ok(None) };
        let what = format!("`{}` of {owner}", name.text);
        let (v, axes) = self.vector(value, scope, &what)?;
        self.expect_axes(axes, own, value.origin, &what)?;
        for x in v {
            self.parametric(x, value.origin, &what)?;
            self.in_domain(x, Domain::Finite, value.origin, &what)?;
        }
        Ok(Some(v))
    }

    /// Marker at a body's centre of mass.
    pub(super) fn com_marker(&mut self, b: BodyId, origin: Origin) -> Res<MarkerId> {
        self.body(b, origin)?;
        Ok(self.bodies[b.index()].com_marker)
    }

    /// Mass of a body.
    pub(super) fn known_mass(&mut self, b: BodyId) -> Res<ExprId> {
        let origin = self.bodies[b.index()].origin;
        self.body(b, origin)?;
        Ok(self.bodies[b.index()].mass)
    }

    /// `marker m = rod at [x, y] { angle: … }`, or its axes by `x:` or `y:`.
    pub(super) fn declared_marker(&mut self, slot: usize) -> Res<Value> {
        let s = &self.slots[slot];
        let (scope, name) = (s.scope.clone(), s.name.clone());
        let Declared::Item(d) = s.declared else { return Err(Reported) };
        let given = self.arguments(&format!("marker `{name}`"), &d.arguments, &["angle", "x", "y"]).found;
        let Some(value) = &d.value else {
            let help = Some(format!("write `marker {name} = body at [x, y];`"));
            return self.fail("MBS018", d.name.ident.origin, format!("marker `{name}` needs a place"), help);
        };
        let base = match &value.kind {
            ExprKind::At(inner, place) => self.eval_at(inner, place, &scope, Some(&name))?,
            _ => self.eval(value, &scope)?,
        };
        let base = self.as_marker(&base, value.origin)?;
        let mut axes = given.iter().flatten();
        let turn = match (axes.next(), axes.next()) {
            (None, _) => None,
            (Some(argument), None) => Some(self.marker_turn(argument, base, &scope)?),
            (Some(_), Some(second)) => {
                let help = Some("give one of `angle`, `x`, `y`".into());
                return self.fail(
                    "MBS019",
                    second.name.origin,
                    format!("the axes of marker `{name}` are given twice"),
                    help,
                );
            }
        };
        let marker = &self.markers[base.index()];
        let (body, place) = (marker.body, marker.place());
        let m = match turn {
            None if marker.name == name => base,
            None => self.new_marker(name, body, place),
            Some(turn) => {
                let angle = self.exprs.add(place.angle, turn);
                self.new_marker(name, body, Place { angle, ..place })
            }
        };
        Ok(Value::Marker(self.drawn(m)))
    }

    /// Angle by which a marker's axes are turned from those of the marker it stands on.
    fn marker_turn(&mut self, argument: &Argument, base: MarkerId, scope: &Scope) -> Res<ExprId> {
        let Argument { name, value } = argument;
        let body = self.markers[base.index()].body;
        if name.text == "angle" {
            let angle = self.number(value, scope, "`angle`")?;
            self.fixed_point(angle, body, value.origin)?;
            return Ok(angle);
        }
        let ([x, y, zero], axes) = self.vector(value, scope, &format!("`{}`", name.text))?;
        let own = self.marker_axes(base);
        self.expect_axes(axes, own, value.origin, &format!("`{}`", name.text))?;
        for c in [x, y] {
            self.fixed_point(c, body, value.origin)?;
        }
        self.check_axis([x, y, zero], value.origin)?;
        // The x axis of a marker with the y axis (a, b) is (b, −a).
        let [x, y] = if name.text == "x" { [x, y] } else { [y, self.exprs.neg(x)] };
        Ok(self.exprs.binary(Function2::Atan2, y, x))
    }

    /// An axis has a length, at the default parameters.
    pub(super) fn check_axis(&mut self, v: [ExprId; 3], origin: Origin) -> Res<()> {
        let [Some(x), Some(y), Some(z)] = v.map(|x| self.at_defaults(x)) else { return Ok(()) };
        let length = x.hypot(y).hypot(z);
        if length == 0.0 {
            return self.fail("MBS023", origin, "the axis has length zero", Some("write `[1, 0]`".into()));
        }
        if !length.is_finite() {
            return self.fail("MBS030", origin, "the axis is not finite", None);
        }
        Ok(())
    }

    /// A unit vector, a number where the axis is one.
    pub(super) fn unit(&mut self, v: [ExprId; 3]) -> [ExprId; 3] {
        let square = self.exprs.dot(&v, &v);
        if self.exprs.value(square) == Some(1.0) {
            return v;
        }
        let norm = self.exprs.unary(Function::Sqrt, square);
        v.map(|x| self.exprs.div(x, norm))
    }
}
