//! Checks that names are unique, that links of joints exist and form one tree, and that mimics follow joints that exist.

use std::collections::BTreeMap;

use super::Read;
use super::element::{Reader, printable_name};
use super::robot::{Joint, Robot, Spanned};

const CLOSE: &str = "a robot's links form a tree; close loops with joints of the declaration";

/// Reports mistakes in the relations between links and joints.
pub(super) fn check(robot: &Robot, reader: &mut Reader) {
    check_unique("link", robot.links.iter().map(|link| &link.name), reader);
    check_unique("joint", robot.joints.iter().map(|joint| &joint.name), reader);
    check_ends(robot, reader);
    if reader.is_sound() {
        check_parents(robot, reader);
    }
    if reader.is_sound() {
        check_mimics(robot, reader);
    }
}

/// Checks that names are unique.
fn check_unique<'n>(category: &str, names: impl Iterator<Item = &'n Spanned<String>>, reader: &mut Reader) {
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        if !seen.insert(&name.value) {
            let message = format!("there are two {category}s `{}`", printable_name(&name.value));
            let _: Read<()> = reader.fail("MBS011", &name.bytes, message, Some("give one of them another name"));
        }
    }
}

/// Checks that links of joints exist.
fn check_ends(robot: &Robot, reader: &mut Reader) {
    let known: std::collections::BTreeSet<&str> = robot.links.iter().map(|link| link.name.value.as_str()).collect();
    for joint in &robot.joints {
        for end in [&joint.parent, &joint.child] {
            if !known.contains(end.value.as_str()) {
                let _: Read<()> = reader.report_unknown("link", end, known.iter().copied());
            }
        }
    }
}

/// Checks that every link but one is the child of one joint, and that no link is its own ancestor.
fn check_parents(robot: &Robot, reader: &mut Reader) {
    let mut parent_of: BTreeMap<&str, &Joint> = BTreeMap::new();
    for joint in &robot.joints {
        let (parent, child) = (&joint.parent.value, &joint.child.value);
        if parent == child {
            let message = format!(
                "the joint `{}` joins `{}` to itself",
                printable_name(&joint.name.value),
                printable_name(child)
            );
            let _: Read<()> = reader.fail("MBS073", &joint.child.bytes, message, Some("a joint joins two links"));
        } else if let Some(other) = parent_of.insert(child, joint) {
            let [first, second] = [other, joint].map(|joint| printable_name(&joint.name.value));
            let message =
                format!("the link `{}` is the child of two joints, `{first}` and `{second}`", printable_name(child));
            let _: Read<()> = reader.fail("MBS073", &joint.child.bytes, message, Some(CLOSE));
        }
    }
    if !reader.is_sound() {
        return;
    }
    let mut roots = robot.links.iter().filter(|link| !parent_of.contains_key(link.name.value.as_str()));
    let first = roots.next();
    if let (Some(first), Some(second)) = (first, roots.next()) {
        let [first, other] = [first, second].map(|link| printable_name(&link.name.value));
        let message = format!("the link `{other}` is no joint's child, nor is `{first}`: the robot has two roots");
        let _: Read<()> = reader.fail("MBS073", &second.name.bytes, message, Some("join it to the others"));
    }
    let next = |link: &str| parent_of.get(link).map(|joint| joint.parent.value.as_str());
    for link in find_cycles(robot.links.iter().map(|link| link.name.value.as_str()), next) {
        let Some(joint) = parent_of.get(link) else { continue };
        let message = format!("the links from `{0}` on lead back to `{0}`", printable_name(link));
        let _: Read<()> = reader.fail("MBS073", &joint.child.bytes, message, Some(CLOSE));
    }
}

/// One member of every cycle of the relation `next`, starting from `names`.
fn find_cycles<'n>(names: impl Iterator<Item = &'n str>, next: impl Fn(&str) -> Option<&'n str>) -> Vec<&'n str> {
    // The number of the walk that first visited each name; a walk that comes to a name of its own has found a cycle.
    let mut visited: BTreeMap<&str, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for (walk, start) in names.enumerate() {
        let mut current = Some(start);
        while let Some(name) = current {
            match visited.get(name) {
                Some(earlier) if *earlier == walk => {
                    found.push(name);
                    break;
                }
                Some(_) => break,
                None => visited.insert(name, walk),
            };
            current = next(name);
        }
    }
    found
}

/// Checks that mimics follow other joints with one coordinate, and do not form cycles.
fn check_mimics(robot: &Robot, reader: &mut Reader) {
    let by_name: BTreeMap<&str, &Joint> = robot.joints.iter().map(|joint| (joint.name.value.as_str(), joint)).collect();
    for joint in &robot.joints {
        let Some(mimic) = &joint.mimic else { continue };
        let Some(other) = by_name.get(mimic.joint.value.as_str()) else {
            let _: Read<()> = reader.report_unknown("joint", &mimic.joint, by_name.keys().copied());
            continue;
        };
        for end in [joint, other] {
            if end.kind.value.coordinate().is_none() {
                let (name, kind) = (printable_name(&end.name.value), end.kind.value.name());
                let message = format!("the joint `{name}` is {kind} and can neither follow nor be followed");
                let help = "revolute, continuous and prismatic joints can, which have one coordinate";
                let _: Read<()> = reader.fail("MBS040", &mimic.joint.bytes, message, Some(help));
                break;
            }
        }
    }
    if !reader.is_sound() {
        return;
    }
    let next = |name: &str| Some(by_name.get(name)?.mimic.as_ref()?.joint.value.as_str());
    for name in find_cycles(robot.joints.iter().map(|joint| joint.name.value.as_str()), next) {
        let Some(mimic) = by_name.get(name).and_then(|joint| joint.mimic.as_ref()) else { continue };
        let message = match mimic.joint.value == name {
            true => format!("the joint `{}` follows itself", printable_name(name)),
            false => format!("the joints that `{}` follows lead back to it", printable_name(name)),
        };
        let help = "let one of them follow a joint that follows none";
        let _: Read<()> = reader.fail("MBS029", &mimic.joint.bytes, message, Some(help));
    }
}
