//! Joints, equations, forces.

use super::Printer;
use crate::declared::kinds;
use crate::description::Under;
use crate::expr::Expr;
use crate::number::digits;
use crate::plan::{Cam, Coordinate, ForceKind, Form, JointKind};
use crate::spatial::{Slide, Spatial};
use crate::world::Place;

impl Printer<'_> {
    /// The bodies of the `for` loop.
    pub(super) fn family_bodies(&mut self) -> Vec<String> {
        let plan = self.plan;
        let Some(f) = &plan.family else { return Vec::new() };
        self.features.add("for");
        self.quantities.push(format!("const N = {};", f.count));
        let (mass, inertia, com) = (self.number(f.mass), self.number(f.inertia), self.tuple(f.com));
        let [first, step] = f.angles.map(|x| self.operand_number(x));
        let (inertia, angle) = match plan.is_spatial() {
            false => (inertia, format!("angle: {first} + i * {step}")),
            true => {
                let rotation = super::rotation(crate::world::Z, &format!("{first} + i * {step}"));
                (format!("[{inertia}, {inertia}, {inertia}]"), format!("rotation: {rotation}"))
            }
        };
        vec![
            "for i in 0..N {".to_owned(),
            format!("    body link[i] {{ mass: {mass}, inertia: {inertia}, com: {com}, {angle} }}"),
            "}".to_owned(),
        ]
    }

    /// The joints between them, and their torsion springs.
    pub(super) fn family_joints(&mut self) -> Vec<String> {
        let plan = self.plan;
        let Some(f) = &plan.family else { return Vec::new() };
        let (root, length) = (self.place(&plan.joints[0].ends[0]), self.operand_number(f.length));
        let up = if plan.is_spatial() { ", 0" } else { "" };
        let mut lines = vec![
            format!("joint hook = revolute({root}, link[0]);"),
            "for i in 0..N - 1 {".to_owned(),
            format!("    joint pin[i] = revolute(link[i] at [{length}, 0{up}], link[i + 1]);"),
        ];
        if let Some(k) = f.stiffness {
            let values = vec![digits(k); f.count - 1].join(", ");
            self.quantities.push(format!("param coils: [{}] = [{values}];", f.count - 1));
            lines.push(
                "    force coil[i] = torsion_spring(link[i], link[i + 1]) { stiffness: coils[i], damping: 0.02 };"
                    .into(),
            );
            self.features.add("force torsion_spring");
        }
        lines.push("}".to_owned());
        lines
    }

    /// Kinds of joints that are used, each once.
    pub(super) fn joint_kinds(&self) -> Vec<String> {
        let used = |k: &usize| {
            let declared = self.plan.joints.iter().filter_map(|j| match j.kind {
                JointKind::Declared(declared) => Some(declared.kind),
                _ => None,
            });
            declared.into_iter().any(|kind| kind == *k)
        };
        let kinds = kinds(self.plan.space);
        let line = |k: usize| format!("joint kind {}(a, b, g) {{ {} }}", kinds[k].name, kinds[k].text);
        (0..kinds.len()).filter(used).map(line).collect()
    }

    pub(super) fn joint(&mut self, j: usize) -> String {
        let joint = &self.plan.joints[j];
        let (kind, mut arguments) = match joint.kind {
            JointKind::Revolute => ("revolute", Vec::new()),
            JointKind::Prismatic { axis } => ("prismatic", vec![format!("axis: {}", self.tuple(axis))]),
            JointKind::Fixed { angle } if angle.value == 0.0 => ("fixed", Vec::new()),
            JointKind::Fixed { angle } => ("fixed", vec![format!("angle: {}", self.number(angle))]),
            JointKind::Free => ("free", Vec::new()),
            JointKind::PointOnLine { axis } => ("point_on_line", vec![format!("axis: {}", self.tuple(axis))]),
            JointKind::Distance { length } => ("distance", vec![format!("length: {}", self.number(length))]),
            JointKind::Cam(cam) => {
                let starts = ["first", "second"].iter().zip(cam.starts);
                ("cam", starts.map(|(name, at)| format!("{name}: {}", digits(at))).collect())
            }
            JointKind::Spatial(spatial) => (spatial.kind().name, self.spatial_arguments(&spatial)),
            JointKind::Declared(declared) => {
                (declared.kind().name, vec![format!("g: {}", self.number(declared.number))])
            }
            JointKind::Gear { ratio, offset, .. } => {
                ("gear", vec![format!("ratio: {}", self.number(ratio)), format!("offset: {}", self.number(offset))])
            }
        };
        self.features.add(format!("joint {kind}"));
        let ends = match joint.kind {
            JointKind::Gear { of, .. } => of.map(|c| match c {
                crate::plan::Coordinate::Joint(j, _) => self.plan.joints[j].name.clone(),
                crate::plan::Coordinate::Algebraic(i) => format!("s{i}"),
            }),
            _ => {
                let bodies = [0, 1].map(|e| joint.ends[e].body);
                if bodies[1].is_none() || (bodies[0].is_some() && bodies[0] > bodies[1]) {
                    self.features.add("joint, child first");
                }
                [0, 1].map(|e| self.place(&joint.ends[e]))
            }
        };
        let (curves, ends) = match joint.kind {
            JointKind::Cam(cam) => self.curves(&joint.name, &cam, ends),
            _ => (String::new(), ends),
        };
        if joint.cut {
            self.features.add("joint, cut");
            arguments.push("cut: true".to_owned());
        }
        arguments.extend(self.enabled("joint", joint.enabled.as_ref()));
        let arguments = if arguments.is_empty() { String::new() } else { format!(" {{ {} }}", arguments.join(", ")) };
        format!("{curves}joint {} = {kind}({}, {}){arguments};", joint.name, ends[0], ends[1])
    }

    /// The curves of a cam on its ends, and their names: the first circle by its form, the second written out.
    fn curves(&mut self, joint: &str, cam: &Cam, [a, b]: [String; 2]) -> (String, [String; 2]) {
        let [r, s] = cam.radii.map(|r| self.operand_number(r));
        let first = match cam.line {
            Some(_) => "line([1, 0])".to_owned(),
            None => format!("circle({r})"),
        };
        self.features.add(if cam.line.is_some() { "cam, line" } else { "cam, circles" });
        let second = format!("{s} * [cos(r), sin(r)] {{ closed: TAU }}");
        let names = ["a", "b"].map(|side| format!("{joint}{side}"));
        (format!("curve {} on {a} = {first};\n    curve {}(r) on {b} = {second};\n    ", names[0], names[1]), names)
    }

    /// Axes, except the default ones of the kind, and its number.
    fn spatial_arguments(&mut self, spatial: &Spatial) -> Vec<String> {
        let kind = spatial.kind();
        let mut arguments = Vec::new();
        for ((name, default), axis) in kind.arguments.iter().zip(spatial.axes) {
            let literal = axis.iter().zip(default).all(|(x, d)| *x == crate::number::Number::literal(*d));
            if literal && kind.number != "angle" {
                self.features.add("axis left out");
            } else {
                arguments.push(format!("{name}: {}", self.tuple(axis)));
            }
        }
        if kind.slide == Slide::Ellipsoid {
            arguments.push(format!("{}: {}", kind.number, self.tuple(spatial.radii)));
        } else if !kind.number.is_empty() {
            arguments.push(format!("{}: {}", kind.number, self.number(spatial.number)));
        }
        arguments
    }

    pub(super) fn equation(&mut self, e: usize) -> String {
        let equation = &self.plan.equations[e];
        let text = self.form(&equation.form);
        let enabled = self.enabled("equation", equation.enabled.as_ref());
        let switched = enabled.map_or(String::new(), |enabled| format!(" {{ {enabled} }}"));
        let word = match &equation.form {
            // The keyword is `prescribe` for every other drive of a joint's coordinate, unless it is switched, or another drives the same.
            Form::Drive { of, .. }
                if matches!(of, Coordinate::Joint(..))
                    && e.is_multiple_of(2)
                    && switched.is_empty()
                    && !self.is_driven_by_another(e, of) =>
            {
                self.features.add("equation prescribed");
                "prescribe"
            }
            _ => equation.category,
        };
        format!("{word} {} = {text}{switched};", equation.name)
    }

    fn is_driven_by_another(&self, e: usize, coordinate: &Coordinate) -> bool {
        let mut equations = self.plan.equations.iter().enumerate();
        equations.any(|(i, other)| i != e && matches!(&other.form, Form::Drive { of, .. } if of == coordinate))
    }

    fn form(&mut self, form: &Form) -> String {
        let (feature, text) = match form {
            Form::Square { ends: [a, b], half_square } => {
                let (a, b) = (self.place(a), self.place(b));
                let name = self.name("r");
                self.lets.push(format!("let {name} = position({b}) - position({a});"));
                ("square", format!("dot({name}, {name}) / 2 == {}", self.number(*half_square)))
            }
            Form::Offset { ends: [a, b], frame, offset } => {
                let (a, b) = (self.place(a), self.place(b));
                let (offset, frame) = (self.tuple(*offset), frame.map(|b| self.plan.bodies[b].name.clone()));
                match frame {
                    None => ("offset", format!("position({a}) - position({b}) == {offset}")),
                    Some(f) => ("offset in a body", format!("position({a}) - position({b}) == {offset} in {f}")),
                }
            }
            Form::Curve { at, bend, height } => {
                let at = self.place(at);
                let (bend, height) = (self.operand_number(*bend), self.number(*height));
                ("curve", format!("position({at}).y == {bend} * position({at}).x.powi(2) + {height}"))
            }
            Form::Direction { of: [a, b], value } => {
                let [a, b] = [a, b].map(|place| self.axes_owner(place));
                ("direction", format!("dot({a}.x, {b}.y) == {}", self.number(*value)))
            }
            Form::General { left, right, signal } => {
                let (left, right) = (self.expression(left), self.number(*right));
                match signal {
                    None => ("general", format!("{left} == {right}")),
                    Some(s) => ("rheonomic", format!("{left} == {right} + {}", self.signal(s))),
                }
            }
            Form::Coupling { of, ratio, wave, offset } => {
                let [a, b] = of.map(|c| self.coordinate(c, 0));
                let (r, w, o) = (self.operand_number(*ratio), self.operand_number(*wave), self.number(*offset));
                ("coupling", format!("{a} == {r} * {b} + {w} * sin({b}) + {o}"))
            }
            Form::Drive { of, start, signal } => {
                let (of, start) = (self.coordinate(*of, 0), self.number(*start));
                ("drive", format!("{of} == {start} + {}", self.signal(signal)))
            }
            Form::Wire { at, algebraic, wave, offset } => {
                let at = self.place(at);
                let w = self.operand_number(*wave);
                let [x, y] = [0, 1].map(|k| self.number(offset[k]));
                let z = if self.plan.is_spatial() { self.number(offset[2]) } else { String::new() };
                let s = format!("s{algebraic}");
                let up = if self.plan.is_spatial() { format!(", 0.5 * {s} + {z}") } else { String::new() };
                ("wire", format!("position({at}) == [{s} + {x}, {w} * sin(2 * {s}) + {y}{up}]"))
            }
            Form::Lift { algebraic, of, offset } => {
                let (of, offset) = (self.expression(of), self.number(*offset));
                ("lift", format!("s{algebraic} == {of} + {offset}"))
            }
            Form::Knife { at } => {
                let owner = self.axes_owner(at);
                let at = self.place(at);
                ("knife edge", format!("dot(velocity({at}), {owner}.y) == 0"))
            }
            Form::Speeds { terms, bend, right } => {
                let sum = self.rates(terms, 1);
                let right = self.operand_number(*right);
                match bend {
                    None => ("speeds", format!("{sum} == {right} * cos(2 * t)")),
                    Some(bend) => {
                        let bend = self.operand_number(*bend);
                        ("bent speeds", format!("{sum} + {bend} * sin({sum}) == {right} * cos(2 * t)"))
                    }
                }
            }
            Form::Accelerations { terms, bend, right } => {
                let (sum, right) = (self.rates(terms, 2), self.expression(right));
                match bend {
                    None => ("accelerations", format!("{sum} == {right}")),
                    Some(bend) => {
                        let (bend, speeds) = (self.operand_number(*bend), self.rates(terms, 1));
                        ("bent accelerations", format!("(1 + {bend} * sin({speeds})) * ({sum}) == {right}"))
                    }
                }
            }
            Form::Together { ends: [a, b] } => {
                let (a, b) = (self.place(a), self.place(b));
                ("together", format!("velocity({a}) == velocity({b})"))
            }
            Form::Spin { of, frame, rate } => {
                let frame = frame.map_or("ground".to_owned(), |b| self.plan.bodies[b].name.clone());
                let name = &self.plan.bodies[*of].name;
                ("spin", format!("angular_velocity({name}) == {} in {frame}", self.tuple(*rate)))
            }
        };
        self.features.add(format!("equation {feature}"));
        text
    }

    /// Σ coefficient * rate(of), of rates of some order.
    fn rates(&mut self, terms: &[(Expr, Expr)], order: usize) -> String {
        let term = |(c, x): &(Expr, Expr)| {
            let rate = (0..order).fold(x.clone(), |x, _| Expr::Rate(Box::new(x)));
            let rate = self.expression(&rate);
            format!("({}) * {rate}", self.expression(c))
        };
        terms.iter().map(term).collect::<Vec<_>>().join(" + ")
    }

    /// A place whose axes are used.
    fn axes_owner(&mut self, place: &Place) -> String {
        let text = self.place(place);
        if text.contains(' ') { format!("({text})") } else { text }
    }

    pub(super) fn force(&mut self, f: usize) -> String {
        let force = &self.plan.forces[f];
        if let ForceKind::Potential(e) = &force.kind {
            self.features.add("force potential");
            let (potential, enabled) = (self.expression(e), self.enabled("potential", force.enabled.as_ref()));
            let switched = enabled.map_or(String::new(), |enabled| format!(" {{ {enabled} }}"));
            return format!("potential {} = {potential}{switched};", force.name);
        }
        let (kind, mut ends, mut arguments) = self.force_parts(&force.kind);
        self.features.add(format!("force {kind}"));
        let mut around = String::new();
        if let ForceKind::Contact { under, .. } = &force.kind {
            around = self.around(&force.name, *under, &mut ends, &mut arguments);
        }
        let mut arguments: Vec<String> =
            arguments.into_iter().filter_map(|(name, text)| Some(format!("{name}: {}", text?))).collect();
        arguments.extend(self.enabled("force", force.enabled.as_ref()));
        format!("{around}force {} = {kind}({}) {{ {} }};", force.name, ends.join(", "), arguments.join(", "))
    }

    /// The function of a hill, which becomes an argument, and the curves of circles, which become the ends in place of the radii.
    fn around(
        &mut self,
        name: &str,
        under: Under,
        ends: &mut [String],
        arguments: &mut Vec<(&'static str, Option<String>)>,
    ) -> String {
        match under {
            Under::Ball | Under::Plane => String::new(),
            Under::Circle => {
                let mut radius = |which: &str| {
                    let at = arguments.iter().position(|(name, _)| *name == which).expect("circles have radii");
                    arguments.remove(at).1.unwrap_or_default()
                };
                let [r, s] = ["first", "second"].map(&mut radius);
                let [a, b] = [0, 1].map(|i: usize| ends[i].clone());
                ends.iter_mut().zip(["a", "b"]).for_each(|(end, side)| *end = format!("{name}{side}"));
                let written = format!("[({s}) * cos(s), ({s}) * sin(s)]");
                format!("curve {name}a on {a} = circle({r}); curve {name}b(s) on {b} = {written} {{ closed: TAU }}; ")
            }
            Under::Hill(hill) => {
                let (hill, of) = (self.operand_number(hill), format!("hill_{name}"));
                arguments.push(("height", Some(of.clone())));
                match self.plan.is_spatial() {
                    false => format!("function {of}(x) = 0.02 * sin(x) - {hill} * x * x; "),
                    true => format!("function {of}(x, y) = 0.02 * sin(x - 2 * y) - {hill} * (x * x + 0.5 * y * y); "),
                }
            }
        }
    }

    #[allow(clippy::type_complexity)] // kind, ends, arguments by name, those left out as `None`
    fn force_parts(&mut self, kind: &ForceKind) -> (&'static str, Vec<String>, Vec<(&'static str, Option<String>)>) {
        let mut places = |ends: &[Place]| -> Vec<String> { ends.iter().map(|e| self.place(e)).collect() };
        match kind {
            ForceKind::SpringDamper { ends, stiffness, damping, free_length } => {
                let ends = places(ends);
                if free_length.is_none() {
                    self.features.add("spring of free length zero");
                }
                let free = free_length.map_or("0".to_owned(), |x| self.number(x));
                let damping = damping.map(|x| self.number(x));
                let stiffness = self.number(*stiffness);
                let arguments = vec![("stiffness", Some(stiffness)), ("damping", damping), ("free_length", Some(free))];
                ("spring_damper", ends, arguments)
            }
            ForceKind::Cable { ends, stiffness, damping, free_length } => {
                let is_taut = ends[0].distance(&ends[1], &self.plan.world()) > free_length.value;
                let ends = ends.map(|end| self.place(&end)).to_vec();
                self.features.add(if is_taut { "cable, taut" } else { "cable, slack" });
                let [stiffness, free] = [*stiffness, *free_length].map(|x| Some(self.number(x)));
                let damping = damping.map(|x| self.number(x));
                ("cable", ends, vec![("stiffness", stiffness), ("damping", damping), ("free_length", free)])
            }
            ForceKind::Contact { ends, under, radii, stiffness, losses, friction } => {
                let kind = match under {
                    Under::Hill(_) => "terrain_contact",
                    Under::Plane => "plane_contact",
                    Under::Ball => "ball_contact",
                    Under::Circle => "curve_contact",
                };
                self.features.add(kind);
                let ends = ends.map(|end| self.place(&end)).to_vec();
                let names = if radii[0].is_none() { ["first", "radius"] } else { ["first", "second"] };
                let radii = names.into_iter().zip(radii.map(|x| x.map(|x| self.number(x))));
                let losses = ["dissipation", "damping"].into_iter().zip(losses.map(|x| x.map(|x| self.number(x))));
                let creep = friction.map(|_| "0.5".to_owned());
                let friction = friction.map(|x| self.number(x));
                let mut arguments = vec![("stiffness", Some(self.number(*stiffness)))];
                arguments.extend(radii.chain(losses).chain([("friction", friction), ("creep", creep)]));
                (kind, ends, arguments)
            }
            ForceKind::TorsionSpring { ends, axis, stiffness, damping, free_angle } => {
                let ends = places(ends);
                let axis = self.plan.is_spatial().then(|| self.tuple(*axis));
                let stiffness = self.number(*stiffness);
                let [damping, free] = [damping, free_angle].map(|x| x.map(|x| self.number(x)));
                let mut arguments = vec![("stiffness", Some(stiffness)), ("damping", damping), ("free_angle", free)];
                arguments.push(("axis", axis));
                ("torsion_spring", ends, arguments)
            }
            ForceKind::TorsionDamper { ends, axis, damping } => {
                let ends = places(ends);
                let axis = self.plan.is_spatial().then(|| self.tuple(*axis));
                ("torsion_damper", ends, vec![("damping", Some(self.number(*damping))), ("axis", axis)])
            }
            ForceKind::Bushing { ends, stiffness, damping } => {
                let ends = places(ends);
                let [k, kappa] = stiffness.map(|x| Some(self.tuple(x)));
                let [c, chi] = damping.map(|x| x.map(|x| self.tuple(x)));
                let names = ["stiffness", "torsional_stiffness", "damping", "torsional_damping"];
                ("bushing", ends, names.into_iter().zip([k, kappa, c, chi]).collect())
            }
            ForceKind::Torque { ends, torque } => {
                let ends = places(ends);
                ("torque", ends, vec![("torque", Some(self.moment(torque)))])
            }
            ForceKind::PointForce { ends, force } => {
                let ends = places(ends);
                ("point_force", ends, vec![("force", Some(self.vector(force)))])
            }
            ForceKind::Wrench { ends, force, moment } => {
                let ends = places(ends);
                let (force, moment) = (self.vector(force), self.moment(moment));
                ("wrench", ends, vec![("force", Some(force)), ("moment", Some(moment))])
            }
            ForceKind::Mobility { of, value } => {
                let of = self.coordinate(*of, 0);
                ("mobility", vec![of], vec![("value", Some(self.expression(value)))])
            }
            ForceKind::Potential(_) => unreachable!("potentials have no kind"),
        }
    }
}
