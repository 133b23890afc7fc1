//! Makes a plan of a description: raw choices become names, attachments and lengths that are compatible with one true pose.
//!
//! The pose of each body is determined by the joint that connects it to an earlier one. Elements that are added later (closing joints, gears,
//! equations) have lengths, offsets and angles that follow from the poses. For a careful description, redundant elements are dropped, and
//! mass is restored where the mechanism needs it.

mod cams;
mod choices;
mod conditions;
mod declared;
mod elements;
mod equations;
mod events;
mod expressions;
mod forces;
mod links;
mod links_in_space;
mod sets;

use conditions::Element;

use crate::catalogued::Catalogued;
use crate::description::{Description, Member};
use crate::judge::{self, CAREFUL_MASS, CAREFUL_ROW, Expectation};
use crate::number::Number;
use crate::plan::{Body, Condition, Family, Input, Joint, JointKind, KernelSet, Plan, Report};
use crate::world::{Attachment, Z};

/// A plan, with the outcome that it must have.
#[derive(Clone, Debug)]
pub struct Realized {
    /// The mechanism.
    pub plan: Plan,
    /// Outcome that its declaration must have.
    pub expectation: Expectation,
    /// Whether the declared poses are the true ones, so that assembly has nothing to do.
    pub exact: bool,
}

/// Makes a mechanism of a description.
pub fn realize(description: &Description) -> Realized {
    let Description { space, kernels, gravity, coordinates, .. } = *description;
    let plan = Plan { kernels, gravity, coordinates, ..Plan::empty(space) };
    let plan = Plan { switches: description.switches.clone(), discretes: description.discretes.clone(), ..plan };
    let mut builder =
        Builder { careful: !description.careless, plan, exact: true, closed: false, conditions: Vec::new() };
    builder.chain(description);
    for member in &description.bodies {
        builder.member(member);
    }
    for closing in &description.closings {
        let added = Element::Joint(builder.plan.joints.len());
        builder.closing(closing);
        builder.request_condition(added, closing.enabled.as_ref());
    }
    builder.exact &= !builder.starts_anywhere();
    for gear in &description.gears {
        builder.gear(gear);
    }
    for input in &description.inputs {
        let frame = input.frame.map(|b| b % builder.plan.bodies.len()).filter(|_| input.vector);
        builder.plan.inputs.push(Input { vector: input.vector, frame });
    }
    for (form, enabled) in &description.equations {
        let added = Element::Equation(builder.plan.equations.len());
        builder.equation(form);
        builder.request_condition(added, enabled.as_ref());
    }
    builder.settle_attitudes();
    builder.settle_masses(description);
    builder.settle_conditions();
    builder.states(&description.states);
    builder.forces(&description.forces);
    description.sets.iter().for_each(|set| builder.set(set));
    builder.add_free_joints();
    description.events.iter().for_each(|event| builder.event(event));
    builder.conditions(&description.initial);
    builder.reports(&description.outputs);
    builder.motions();
    if description.freedoms {
        builder.freedoms();
    }
    let Builder { plan, exact, .. } = builder;
    Realized { expectation: judge::expectation(&plan, exact), plan, exact }
}

/// A plan in the making.
struct Builder {
    careful: bool,
    plan: Plan,
    exact: bool,
    /// Whether joints were added that close loops.
    closed: bool,
    /// Conditions of elements, not yet applied.
    conditions: Vec<(Element, Condition)>,
}

impl Builder {
    /// Bodies and joints of the `for` loop.
    fn chain(&mut self, description: &Description) {
        let Some(chain) = &description.chain else { return };
        let (length, [first, step]) = (chain.length, chain.angles);
        let root = self.settled(Attachment { body: None, motion: [None; 4], about: Z, ..chain.root }, None);
        let mut at = root.position(&self.plan.world()).map(|x| x.value());
        for i in 0..chain.count {
            let angle = first.value + i as f64 * step.value;
            self.plan.bodies.push(Body {
                name: format!("link[{i}]"),
                particle: false,
                mass: Some(chain.mass),
                inertia: Some(chain.inertia),
                tensor: None,
                com: chain.com,
                position: at,
                about: Z,
                angle,
                declared: [false, true],
                velocity: None,
                attitude: None,
                body_velocity: None,
                coordinates: None,
            });
            at = [at[0] + length.value * angle.cos(), at[1] + length.value * angle.sin(), at[2]];
        }
        let kind = JointKind::Catalogued(Catalogued::plain(self.plan.space, "revolute"));
        let mut join = |name: String, first: Attachment, second: usize| {
            let ends = [first, Attachment::origin(Some(second))];
            self.plan.joints.push(Joint { name, kind, ends, cut: false, rank: 0, enabled: None });
        };
        let zero = Number::literal(0.0);
        join("hook".to_owned(), root, 0);
        for i in 1..chain.count {
            join(format!("pin[{}]", i - 1), Attachment::plain(Some(i - 1), [length, zero, zero]), i);
        }
        self.plan.family = Some(Family {
            count: chain.count,
            length,
            mass: chain.mass,
            inertia: chain.inertia,
            com: chain.com,
            angles: chain.angles,
            stiffness: chain.stiffness,
        });
    }

    /// A body with its link.
    fn member(&mut self, member: &Member) {
        let b = self.plan.bodies.len();
        let count = self.plan.bodies.iter().filter(|b| !b.name.starts_with("link")).count();
        let zero = [Number::literal(0.0); 3];
        let spatial = self.plan.is_spatial();
        let tensor = member.tensor.map(|x| x.with_value(x.value * member.inertia.value));
        self.plan.bodies.push(Body {
            name: format!("{}{count}", if member.particle { "p" } else { "b" }),
            particle: member.particle,
            mass: Some(member.mass),
            inertia: (!member.particle).then_some(member.inertia),
            tensor: (spatial && !member.particle).then_some(tensor),
            com: if member.particle { zero } else { member.com },
            position: [0.0; 3],
            about: Z,
            angle: 0.0,
            declared: [0, 1].map(|k| !member.undeclared[k]),
            velocity: member.velocity.filter(|_| !spatial || member.particle || member.attitude.1.is_none()),
            attitude: member.attitude.0.filter(|_| spatial && !member.particle),
            body_velocity: member.attitude.1.filter(|_| spatial && !member.particle),
            coordinates: member.coordinates,
        });
        let parent = match member.parent % (b + 1) {
            0 => None,
            k => Some(k - 1),
        };
        match &member.link {
            Some(link) if spatial => self.link_in_space(link, parent, b),
            Some(link) => self.link(link, parent, b),
            None => self.position_free_body(b),
        }
        let missing = |k: usize| member.undeclared[k] && !(k == 1 && member.particle);
        self.exact &= !missing(0) && !missing(1);
    }

    /// Positions a body without a joint next to the others.
    fn position_free_body(&mut self, b: usize) {
        let height = if self.plan.is_spatial() { 0.2 } else { 0.0 };
        let body = &mut self.plan.bodies[b];
        body.position = [0.4 * b as f64 - 0.3, 0.5, height];
        body.angle = if body.particle { 0.0 } else { 0.3 };
    }

    /// Leaves out mass and inertia as described, while the mechanism stays solvable.
    fn settle_masses(&mut self, description: &Description) {
        let first = self.plan.bodies.len() - description.bodies.len();
        let mut wanted: Vec<(usize, usize)> = Vec::new();
        for (b, member) in description.bodies.iter().enumerate() {
            wanted.extend((0..2).filter(|k| member.without[*k]).map(|k| (first + b, k)));
        }
        for (b, k) in wanted {
            let body = &mut self.plan.bodies[b];
            let of = if k == 0 { &mut body.mass } else { &mut body.inertia };
            let kept = of.take();
            if self.careful
                && self.plan.kernels != KernelSet::Kinematics
                && judge::mass_margin(&self.plan) < CAREFUL_MASS
            {
                let body = &mut self.plan.bodies[b];
                *(if k == 0 { &mut body.mass } else { &mut body.inertia }) = kept;
            }
        }
    }

    /// Whether the rows are independent enough to keep the element added last.
    fn acceptable(&self) -> bool {
        !self.careful || judge::margin(&judge::rows(&self.plan, true)) >= CAREFUL_ROW
    }

    /// Adds a `free` joint for every body that no other element refers to.
    fn add_free_joints(&mut self) {
        let touched = |b: usize| {
            let on = |attachment: &Attachment| attachment.body == Some(b);
            let joints =
                self.plan.joints.iter().any(|j| !matches!(j.kind, JointKind::Gear { .. }) && j.ends.iter().any(on));
            joints || self.plan.forces.iter().any(|f| forces::ends(&f.kind).iter().any(on))
        };
        let alone: Vec<usize> = (0..self.plan.bodies.len()).filter(|b| !touched(*b)).collect();
        for b in alone {
            let ends = [Attachment::origin(None), Attachment::origin(Some(b))];
            let name = format!("j{}", self.plan.joints.len());
            let kind = JointKind::Catalogued(Catalogued::plain(self.plan.space, "free"));
            self.plan.joints.push(Joint { name, kind, ends, cut: false, rank: 0, enabled: None });
        }
    }

    /// In space, adds the accelerations of every body as outputs, by which formulations are compared.
    fn motions(&mut self) {
        if self.plan.is_spatial() {
            self.plan.outputs.extend((0..self.plan.bodies.len()).map(Report::Motion));
        }
    }

    /// Declares the number of speeds that all rows except drives leave free.
    fn freedoms(&mut self) {
        let rows = judge::rows(&self.plan, false);
        if judge::margin(&rows) >= CAREFUL_ROW {
            self.plan.freedoms = Some(self.plan.columns() - rows.len());
        }
    }
}
