//! Bodies and particles.

pub(crate) mod bases;
pub(crate) mod inertia;
pub(crate) mod markers;
pub(crate) mod momentum;

use mbs_definition::{Argument, Expr, ExprKind, Origin};
use mbs_expr::{BodyId, ExprId, MarkerId};
use mbs_model::{Attitude, Body, BodyKind, Domain, Rotation, VelocityAxes};

use crate::mistakes;
use crate::resolvers::{BodyResolver, Resolves};
use crate::tables::MarkerLocation;
use crate::value::{Axes, Value};
use crate::{Category, Declared, Reported, Res, Scope, State};

const RIGID: &[&str] = &["mass", "coordinates", "position", "velocity", "inertia", "com", "angle", "rate"];
const SPATIAL: &[&str] =
    &["mass", "coordinates", "position", "velocity", "inertia", "com", "rotation", "angular_velocity", "attitude"];
const PARTICLE: &[&str] = &["mass", "coordinates", "position", "velocity"];

impl<'a> BodyResolver<'_, 'a> {
    /// Adds a body with its origin marker; its arguments are resolved later. Returns its index.
    pub(crate) fn add_body(&mut self, name: &str, particle: bool, declared: Declared<'_>) -> usize {
        let index = self.resolver.bodies.all.len();
        let zero = self.resolver.exprs.constant(0.0);
        let body = BodyId(index as u32);
        let origin_marker = self.vectors().find_or_add_marker(
            name.to_string(),
            Some(body),
            MarkerLocation { point: [zero; 3], angle: zero, rotation: None },
        );
        let (origin, docs) = match declared {
            Declared::Item(d) => (d.name.ident.origin, d.docs.clone()),
            _ => (declared.origin(), String::new()),
        };
        self.resolver.bodies.all.push(Body {
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
            angular_velocity: None,
            attitude: Attitude::default(),
            velocity_axes: VelocityAxes::default(),
            formulation: None,
            basis: None,
            origin_marker,
            com_marker: origin_marker,
        });
        self.resolver.bodies.coms.push(State::Waiting);
        index
    }

    /// After this pass: bodies and declared markers are complete.
    pub(crate) fn resolve_bodies(&mut self) {
        for b in 0..self.resolver.bodies.all.len() {
            let origin = self.resolver.bodies.all[b].origin;
            let _: Res<()> = self.body(BodyId(b as u32), origin);
        }
        for slot in 0..self.resolver.names.slots.len() {
            if self.resolver.names.slots[slot].category == Category::Marker {
                let origin = self.resolver.names.slots[slot].declared.origin();
                let _ = self.resolver.resolve_slot(slot, origin);
            }
        }
    }

    /// Resolves mass, centre of mass and the other arguments of a body unless that has been done.
    fn body(&mut self, b: BodyId, origin: Origin) -> Res<()> {
        match &self.resolver.bodies.coms[b.index()] {
            State::Done(_) => return Ok(()),
            State::Bad => return Err(Reported),
            State::Busy => {
                return self
                    .fail(origin, mistakes::bodies::body_defined_by_itself(&self.resolver.bodies.all[b.index()].name));
            }
            State::Waiting => self.resolver.bodies.coms[b.index()] = State::Busy,
        }
        let scope = self.resolver.names.slots[self.resolver.bodies.slots[b.index()]].scope.clone();
        let done = self.in_scope(&scope, |r| r.body_arguments(b));
        self.resolver.bodies.coms[b.index()] =
            if done.is_ok() { State::Done(Value::Body(Some(b))) } else { State::Bad };
        done
    }

    fn body_arguments(&mut self, b: BodyId) -> Res<()> {
        let slot = &self.resolver.names.slots[self.resolver.bodies.slots[b.index()]];
        let (scope, name) = (slot.scope.clone(), slot.name.clone());
        let Declared::Item(d) = slot.declared else { return Err(Reported) };
        let particle = self.resolver.bodies.all[b.index()].kind == BodyKind::Particle;
        let owner = format!("{} `{name}`", d.category.text);
        if let Some(value) = &d.value {
            return self.fail(value.origin, mistakes::bodies::body_takes_arguments(&owner, &d.category.text, &name));
        }
        let planar = self.resolver.is_planar();
        let known = if particle {
            PARTICLE
        } else if planar {
            RIGID
        } else {
            SPATIAL
        };
        let mut given = self.argument_resolver().arguments(&owner, &d.arguments, known).found;
        given.resize(SPATIAL.len(), None);
        let mut argument = |i: usize| given[i].take();
        let (mass, coordinates, position, velocity) = (argument(0), argument(1), argument(2), argument(3));
        let (inertia, com, rotation, angular_velocity, attitude) =
            (argument(4), argument(5), argument(6), argument(7), argument(8));
        let (angle, rotation) = if planar { (rotation, None) } else { (None, rotation) };
        let mass = self.body_number(&owner, mass, &scope, Domain::NonNegative);
        let inertia = match inertia {
            Some(argument) if !planar => self.inertia_tensor(&owner, argument, &scope, b),
            _ => self.body_number(&owner, inertia, &scope, Domain::NonNegative).map(|zz| {
                let mut inertia = [self.resolver.exprs.constant(0.0); 6];
                inertia[2] = zz.unwrap_or(inertia[2]);
                inertia
            }),
        };
        let com_origin = com.map(|argument| argument.value.origin);
        let com = self.body_vector(&owner, com, &scope, self.resolver.bodies.body_axes(Some(b)));
        let position = self.body_vector(&owner, position, &scope, Axes::World);
        let velocity = self.body_velocity(&owner, velocity, &scope, b);
        let angular_velocity = self.body_angular_velocity(&owner, angular_velocity, &scope);
        let rotation = self.body_rotation(&owner, rotation, &scope);
        let attitude = attitude.map(|argument| self.attitude(&argument.value)).transpose();
        let angle = self.body_number(&owner, angle, &scope, Domain::Finite);
        let formulation = coordinates.map(|argument| self.resolver.body_formulation(&argument.value)).transpose();
        let zero = self.resolver.exprs.constant(0.0);
        let (mass, inertia, com) = (mass?.unwrap_or(zero), inertia?, com?.unwrap_or([zero; 3]));
        self.check_moment(mass, com, com_origin)?;
        let com_marker = self.vectors().find_or_add_marker(
            format!("{name}.com"),
            Some(b),
            MarkerLocation { point: com, angle: zero, rotation: None },
        );
        self.field_resolver().marker_to_draw(com_marker);
        let (velocity, velocity_axes) = velocity?;
        let angular_velocity = angular_velocity?;
        let body = &mut self.resolver.bodies.all[b.index()];
        body.angular_velocity = angular_velocity;
        (body.mass, body.inertia, body.com, body.com_marker) = (mass, inertia, com, com_marker);
        (body.position, body.velocity, body.angle, body.formulation) = (position?, velocity, angle?, formulation?);
        (body.rotation, body.attitude, body.velocity_axes) = (rotation?, attitude?.unwrap_or_default(), velocity_axes);
        Ok(())
    }

    /// Evaluates `velocity:`, a guess in world axes \[m/s\]; in space it may also be the word that names the axes of the linear speeds.
    fn body_velocity(
        &mut self,
        owner: &str,
        argument: Option<&Argument>,
        scope: &Scope,
        b: BodyId,
    ) -> Res<(Option<[ExprId; 3]>, VelocityAxes)> {
        let word = match argument {
            Some(Argument { value: Expr { kind: ExprKind::Name(word), origin }, .. })
                if word == "body" || word == "world" =>
            {
                Some((word, *origin))
            }
            _ => None,
        };
        match word {
            None => Ok((self.body_vector(owner, argument, scope, Axes::World)?, VelocityAxes::World)),
            Some((word, origin)) if self.resolver.is_planar() => {
                self.fail_unsupported(origin, &format!("velocity: {word}"))
            }
            Some((word, _)) if word == "world" => Ok((None, VelocityAxes::World)),
            Some((_, origin)) if self.resolver.bodies.all[b.index()].kind == BodyKind::Particle => {
                self.fail(origin, mistakes::bodies::body_without_rotation(owner))
            }
            Some(_) => Ok((None, VelocityAxes::Body)),
        }
    }

    /// Evaluates the guess of the angular velocity \[rad/s\]: `rate:` in the plane, `angular_velocity:` in space.
    fn body_angular_velocity(
        &mut self,
        owner: &str,
        argument: Option<&Argument>,
        scope: &Scope,
    ) -> Res<Option<[ExprId; 3]>> {
        if !self.resolver.is_planar() {
            return self.body_vector(owner, argument, scope, Axes::World);
        }
        let rate = self.body_number(owner, argument, scope, Domain::Finite)?;
        let zero = self.resolver.exprs.constant(0.0);
        Ok(rate.map(|rate| [zero, zero, rate]))
    }

    fn body_rotation(&mut self, owner: &str, argument: Option<&Argument>, scope: &Scope) -> Res<Option<Rotation>> {
        let Some(Argument { name, value, .. }) = argument else { return Ok(None) };
        let subject = format!("`{}` of {owner}", name.text);
        let rotation = self.rotation(value, scope, &subject, Axes::World)?;
        for x in rotation.concat() {
            self.argument_resolver().parametric(x, value.origin, &subject)?;
            self.argument_resolver().in_domain(x, Domain::Finite, value.origin, &subject)?;
        }
        Ok(Some(rotation))
    }

    /// Reads an attitude: `quaternion`, `mrp`, `rodrigues`, `vector` or `euler(zyx)`.
    fn attitude(&mut self, value: &Expr) -> Res<Attitude> {
        if let ExprKind::Call(word, arguments) = &value.kind
            && word.text == "euler"
            && let [sequence] = &arguments[..]
        {
            return Ok(Attitude::Euler(self.vectors().sequence(sequence)?));
        }
        const KNOWN: &[&str] = &["quaternion", "mrp", "rodrigues", "vector", "euler(zyx)"];
        match self.resolver.expect_word(value, "an attitude", KNOWN)? {
            "mrp" => Ok(Attitude::ModifiedRodrigues),
            "rodrigues" => Ok(Attitude::Rodrigues),
            "vector" => Ok(Attitude::RotationVector),
            _ => Ok(Attitude::Quaternion),
        }
    }

    fn body_number(
        &mut self,
        owner: &str,
        argument: Option<&Argument>,
        scope: &Scope,
        domain: Domain,
    ) -> Res<Option<ExprId>> {
        let Some(Argument { name, value, .. }) = argument else { return Ok(None) };
        let subject = format!("`{}` of {owner}", name.text);
        let x = self.resolver.evaluate_number(value, scope, &subject)?;
        self.argument_resolver().parametric(x, value.origin, &subject)?;
        self.argument_resolver().in_domain(x, domain, value.origin, &subject)?;
        Ok(Some(x))
    }

    fn body_vector(
        &mut self,
        owner: &str,
        argument: Option<&Argument>,
        scope: &Scope,
        expected: Axes,
    ) -> Res<Option<[ExprId; 3]>> {
        let Some(Argument { name, value, .. }) = argument else { return Ok(None) };
        let subject = format!("`{}` of {owner}", name.text);
        let (v, axes) = self.resolver.evaluate_vector(value, scope, &subject)?;
        self.vectors().expect_axes(axes, expected, value.origin, &subject)?;
        for x in v {
            self.argument_resolver().parametric(x, value.origin, &subject)?;
            self.argument_resolver().in_domain(x, Domain::Finite, value.origin, &subject)?;
        }
        Ok(Some(v))
    }

    /// Checks that m |c|², a term of moments of inertia, is finite at the default parameters.
    fn check_moment(&mut self, mass: ExprId, com: [ExprId; 3], origin: Option<Origin>) -> Res<()> {
        let Some(origin) = origin else { return Ok(()) };
        let [Some(x), Some(y), Some(z)] = com.map(|e| self.resolver.at_defaults(e)) else { return Ok(()) };
        match self.resolver.at_defaults(mass).map(|mass| mass * (x * x + y * y + z * z)) {
            Some(moment) if !moment.is_finite() => self.fail(origin, mistakes::bodies::mass_moment_not_finite()),
            _ => Ok(()),
        }
    }

    /// Marker at a body's centre of mass.
    pub(crate) fn com_marker(&mut self, b: BodyId, origin: Origin) -> Res<MarkerId> {
        self.body(b, origin)?;
        Ok(self.resolver.bodies.all[b.index()].com_marker)
    }

    /// Mass of a body.
    pub(crate) fn known_mass(&mut self, b: BodyId) -> Res<ExprId> {
        let origin = self.resolver.bodies.all[b.index()].origin;
        self.body(b, origin)?;
        Ok(self.resolver.bodies.all[b.index()].mass)
    }
}
