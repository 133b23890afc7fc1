//! Joints.

use super::Printer;
use crate::catalogued::Catalogued;
use crate::declared::kinds;
use crate::number::{Number, digits};
use crate::plan::{Cam, JointKind};

impl Printer<'_> {
    /// The bodies of the `for` loop.
    pub(super) fn family_bodies(&mut self) -> Vec<String> {
        let plan = self.plan;
        let Some(f) = &plan.family else { return Vec::new() };
        self.features.add("for");
        self.quantities.push(format!("const N = {};", f.count));
        let (mass, inertia, com) = (self.number_text(f.mass), self.number_text(f.inertia), self.tuple(f.com));
        let [first, step] = f.angles.map(|x| self.operand_number_text(x));
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
        let (root, length) = (self.attachment_text(&plan.joints[0].ends[0]), self.operand_number_text(f.length));
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
            JointKind::Cam(cam) => {
                let starts = ["first", "second"].iter().zip(cam.starts);
                ("cam", starts.map(|(name, at)| format!("{name}: {}", digits(at))).collect())
            }
            JointKind::Catalogued(catalogued) => (catalogued.kind().name(), self.catalogued_arguments(&catalogued)),
            JointKind::Declared(declared) => {
                (declared.kind().name, vec![format!("g: {}", self.number_text(declared.number))])
            }
            JointKind::Gear { ratio, offset, .. } => (
                "gear",
                vec![format!("ratio: {}", self.number_text(ratio)), format!("offset: {}", self.number_text(offset))],
            ),
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
                [0, 1].map(|e| self.attachment_text(&joint.ends[e]))
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

    /// The curves of a cam on its ends, and their names: the first circle uses the form `circle`, the second its equations.
    fn curves(&mut self, joint: &str, cam: &Cam, [a, b]: [String; 2]) -> (String, [String; 2]) {
        let [r, s] = cam.radii.map(|r| self.operand_number_text(r));
        let first = match cam.line {
            Some(_) => "line([1, 0])".to_owned(),
            None => format!("circle({r})"),
        };
        self.features.add(if cam.line.is_some() { "cam, line" } else { "cam, circles" });
        let second = format!("{s} * [cos(r), sin(r)] {{ closed: TAU }}");
        let names = ["a", "b"].map(|side| format!("{joint}{side}"));
        (format!("curve {} on {a} = {first};\n    curve {}(r) on {b} = {second};\n    ", names[0], names[1]), names)
    }

    /// Axes and the number, except the default ones of the kind, and radii.
    fn catalogued_arguments(&mut self, joint: &Catalogued) -> Vec<String> {
        let kind = joint.kind();
        let mut arguments = Vec::new();
        for ((name, default), axis) in kind.axes.iter().zip(joint.axes) {
            let is_default = |d: &[f64; 3]| axis.iter().zip(d).all(|(x, d)| *x == Number::literal(*d));
            if default.as_ref().is_some_and(is_default) {
                self.features.add("axis left out");
            } else {
                arguments.push(format!("{name}: {}", self.tuple(axis)));
            }
        }
        if let Some(name) = kind.radii {
            arguments.push(format!("{name}: {}", self.tuple(joint.radii)));
        }
        if let Some((name, default)) = kind.number
            && default != Some(joint.number.value)
        {
            arguments.push(format!("{name}: {}", self.number_text(joint.number)));
        }
        arguments
    }
}
