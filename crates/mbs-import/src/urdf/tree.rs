//! How links and joints fit together: names once, ends that exist, one tree, mimics that lead somewhere.

use std::collections::BTreeMap;

use super::Read;
use super::element::{Reader, shown};
use super::robot::{Joint, Placed, Robot};

const CLOSE: &str = "a robot's links form a tree; close loops with joints of the declaration";

/// Reports mistakes by which the robot is not a tree.
pub(super) fn check(robot: &Robot, reader: &mut Reader) {
    once("link", robot.links.iter().map(|link| &link.name), reader);
    once("joint", robot.joints.iter().map(|joint| &joint.name), reader);
    ends(robot, reader);
    if reader.is_sound() {
        parents(robot, reader);
    }
    if reader.is_sound() {
        mimics(robot, reader);
    }
}

/// Names are unique.
fn once<'n>(what: &str, names: impl Iterator<Item = &'n Placed<String>>, reader: &mut Reader) {
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        if !seen.insert(&name.value) {
            let message = format!("there are two {what}s `{}`", shown(&name.value));
            let _: Read<()> = reader.fail("MBS011", &name.bytes, message, Some("give one of them another name"));
        }
    }
}

/// Links that joints name exist.
fn ends(robot: &Robot, reader: &mut Reader) {
    let known: std::collections::BTreeSet<&str> = robot.links.iter().map(|link| link.name.value.as_str()).collect();
    for joint in &robot.joints {
        for end in [&joint.parent, &joint.child] {
            if !known.contains(end.value.as_str()) {
                let _: Read<()> = reader.unknown("link", end, known.iter().copied());
            }
        }
    }
}

/// Every link but one is the child of one joint, and no link is its own ancestor.
fn parents(robot: &Robot, reader: &mut Reader) {
    let mut parent_of: BTreeMap<&str, &Joint> = BTreeMap::new();
    for joint in &robot.joints {
        let (parent, child) = (&joint.parent.value, &joint.child.value);
        if parent == child {
            let message = format!("the joint `{}` joins `{}` to itself", shown(&joint.name.value), shown(child));
            let _: Read<()> = reader.fail("MBS073", &joint.child.bytes, message, Some("a joint joins two links"));
        } else if let Some(other) = parent_of.insert(child, joint) {
            let [first, second] = [other, joint].map(|joint| shown(&joint.name.value));
            let message = format!("the link `{}` is the child of two joints, `{first}` and `{second}`", shown(child));
            let _: Read<()> = reader.fail("MBS073", &joint.child.bytes, message, Some(CLOSE));
        }
    }
    if !reader.is_sound() {
        return;
    }
    let mut roots = robot.links.iter().filter(|link| !parent_of.contains_key(link.name.value.as_str()));
    let first = roots.next();
    if let (Some(first), Some(second)) = (first, roots.next()) {
        let [first, other] = [first, second].map(|link| shown(&link.name.value));
        let message = format!("the link `{other}` is no joint's child, nor is `{first}`: the robot has two roots");
        let _: Read<()> = reader.fail("MBS073", &second.name.bytes, message, Some("join it to the others"));
    }
    let next = |link: &str| parent_of.get(link).map(|joint| joint.parent.value.as_str());
    for link in circles(robot.links.iter().map(|link| link.name.value.as_str()), next) {
        let Some(joint) = parent_of.get(link) else { continue };
        let message = format!("the links from `{0}` on lead back to `{0}`", shown(link));
        let _: Read<()> = reader.fail("MBS073", &joint.child.bytes, message, Some(CLOSE));
    }
}

/// One member of every circle that following `next` from `names` leads into.
fn circles<'n>(names: impl Iterator<Item = &'n str>, next: impl Fn(&str) -> Option<&'n str>) -> Vec<&'n str> {
    // The walk that visited a name first; a walk that meets itself has found a circle.
    let mut visited: BTreeMap<&str, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for (walk, start) in names.enumerate() {
        let mut at = Some(start);
        while let Some(name) = at {
            match visited.get(name) {
                Some(earlier) if *earlier == walk => {
                    found.push(name);
                    break;
                }
                Some(_) => break,
                None => visited.insert(name, walk),
            };
            at = next(name);
        }
    }
    found
}

/// Mimics follow other joints with one coordinate, and not themselves.
fn mimics(robot: &Robot, reader: &mut Reader) {
    let by_name: BTreeMap<&str, &Joint> = robot.joints.iter().map(|joint| (joint.name.value.as_str(), joint)).collect();
    for joint in &robot.joints {
        let Some(mimic) = &joint.mimic else { continue };
        let Some(other) = by_name.get(mimic.joint.value.as_str()) else {
            let _: Read<()> = reader.unknown("joint", &mimic.joint, by_name.keys().copied());
            continue;
        };
        for end in [joint, other] {
            if end.kind.value.coordinate().is_none() {
                let (name, kind) = (shown(&end.name.value), end.kind.value.name());
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
    for name in circles(robot.joints.iter().map(|joint| joint.name.value.as_str()), next) {
        let Some(mimic) = by_name.get(name).and_then(|joint| joint.mimic.as_ref()) else { continue };
        let message = match mimic.joint.value == name {
            true => format!("the joint `{}` follows itself", shown(name)),
            false => format!("the joints that `{}` follows lead back to it", shown(name)),
        };
        let help = "let one of them follow a joint that follows none";
        let _: Read<()> = reader.fail("MBS029", &mimic.joint.bytes, message, Some(help));
    }
}
