//! Names of the file as identifiers of the language.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use mbs_definition::{KEYWORDS, MEANINGS};

use super::Read;
use super::element::{Reader, shown};
use super::robot::{Joint, Placed, Robot};

/// Names of links and joints in the declaration.
pub(super) struct Names<'r> {
    /// Before every name: `arm.`, or nothing.
    prefix: String,
    links: BTreeMap<&'r str, String>,
    joints: BTreeMap<&'r str, String>,
    taken: BTreeSet<String>,
}

impl<'r> Names<'r> {
    /// Names that are identifiers stay, those of links before those of joints; then the others become some, if these are free.
    pub(super) fn of(robot: &'r Robot, prefix: Option<&str>, reader: &mut Reader) -> Self {
        let prefix = prefix.map_or_else(String::new, |prefix| format!("{prefix}."));
        let mut names = Names { prefix, links: BTreeMap::new(), joints: BTreeMap::new(), taken: BTreeSet::new() };
        let mut links: Vec<&Placed<String>> = robot.links.iter().map(|link| &link.name).collect();
        if let Some(root) = robot.root().filter(|_| robot.stands_on_ground()) {
            // It has no entry: a link that is no body is ground.
            links.retain(|name| name.value != root.name.value);
        }
        let joints: Vec<&Placed<String>> = robot.joints.iter().map(|joint| &joint.name).collect();
        links.retain(|name| !names.keeps(name, Of::Link));
        let mut others: Vec<(Of, &Placed<String>)> = links.into_iter().map(|name| (Of::Link, name)).collect();
        others.extend(joints.into_iter().filter(|name| !names.keeps(name, Of::Joint)).map(|name| (Of::Joint, name)));
        for (of, name) in others {
            let _: Read<()> = names.rename(name, of, reader);
        }
        names
    }

    /// The body of a link, or ground.
    pub(super) fn link(&self, name: &str) -> String {
        self.links.get(name).map_or_else(|| "ground".to_owned(), |own| self.full(own))
    }

    /// The body of a link without the prefix, unless it is ground.
    pub(super) fn body(&self, name: &str) -> Option<&str> {
        self.links.get(name).map(String::as_str)
    }

    /// The joint of a joint.
    pub(super) fn joint(&self, name: &str) -> String {
        self.joints.get(name).map_or_else(String::new, |own| self.full(own))
    }

    fn full(&self, own: &str) -> String {
        format!("{}{own}", self.prefix)
    }

    /// Something that belongs to a joint: `hip_lower`, or `hip_joint_lower` where that is taken.
    pub(super) fn belonging(&mut self, joint: &Joint, what: &str, reader: &mut Reader) -> Read<String> {
        let name = self.joints.get(joint.name.value.as_str()).map_or("", String::as_str);
        let candidates = [format!("{name}_{what}"), format!("{name}_joint_{what}")];
        let needs = format!("the joint `{}` needs", shown(&joint.name.value));
        self.free(&candidates, &needs, &joint.name.bytes, reader)
    }

    /// Something that belongs to the robot: the first of the names that is free.
    pub(super) fn of_robot(&mut self, robot: &Robot, candidates: &[String], reader: &mut Reader) -> Read<String> {
        self.free(candidates, "the robot needs", &robot.name.bytes, reader)
    }

    fn free(&mut self, candidates: &[String], needs: &str, bytes: &Range<usize>, reader: &mut Reader) -> Read<String> {
        match self.claim(candidates) {
            Some(own) => Ok(self.full(&own)),
            None => {
                let message = format!("{needs} the name `{}`, which is taken", candidates[0]);
                reader.fail("MBS028", bytes, message, Some("rename one of them in the file"))
            }
        }
    }

    /// Takes the name as it is, if it is a free identifier.
    fn keeps(&mut self, name: &'r Placed<String>, of: Of) -> bool {
        let text = name.value.as_str();
        let kept = identifier(text).as_deref() == Some(text) && self.taken.insert(text.to_owned());
        if kept {
            self.map(of).insert(text, text.to_owned());
        }
        kept
    }

    fn rename(&mut self, name: &'r Placed<String>, of: Of, reader: &mut Reader) -> Read<()> {
        let shown = shown(&name.value);
        let what = of.what();
        let Some(plain) = identifier(&name.value) else {
            let message = format!("the {what} `{shown}` has a name that cannot become an identifier");
            return reader.fail("MBS028", &name.bytes, message, Some("use letters, digits and `_` of ASCII"));
        };
        let mut candidates = vec![plain.clone()];
        if of == Of::Joint {
            candidates.push(format!("{plain}_joint"));
        }
        match self.claim(&candidates) {
            Some(free) => {
                self.map(of).insert(&name.value, free);
                Ok(())
            }
            None => {
                let message = format!("the {what} `{shown}` would be called `{plain}`, which is taken");
                reader.fail("MBS028", &name.bytes, message, Some("rename one of them in the file"))
            }
        }
    }

    /// The first of the names that is free.
    fn claim(&mut self, candidates: &[String]) -> Option<String> {
        let free = candidates.iter().find(|name| !self.taken.contains(*name))?.clone();
        self.taken.insert(free.clone());
        Some(free)
    }

    fn map(&mut self, of: Of) -> &mut BTreeMap<&'r str, String> {
        match of {
            Of::Link => &mut self.links,
            Of::Joint => &mut self.joints,
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Of {
    Link,
    Joint,
}

impl Of {
    fn what(self) -> &'static str {
        match self {
            Of::Link => "link",
            Of::Joint => "joint",
        }
    }
}

/// Longest identifier made of a name.
const MOST_CHARACTERS: usize = 128;

/// The identifier a name becomes: itself, if it is one. Nothing for names without an ASCII letter or digit, or too long.
pub(super) fn identifier(name: &str) -> Option<String> {
    if name.len() > MOST_CHARACTERS || !name.contains(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    let mut text: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        text.insert(0, '_');
    }
    if KEYWORDS.contains(&text.as_str()) || MEANINGS.contains(&text.as_str()) {
        text.push('_');
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers() {
        let cases = [
            ("FL_hip", "FL_hip"),
            ("left arm-2.x", "left_arm_2_x"),
            ("3rd", "_3rd"),
            ("type", "type_"),
            ("t", "t_"),
            ("ground", "ground_"),
            ("bras_équipé", "bras__quip_"),
            ("a;} fn main() {", "a___fn_main____"),
        ];
        for (name, expected) in cases {
            assert_eq!(identifier(name).as_deref(), Some(expected), "{name}");
        }
        assert_eq!(identifier("---"), None);
        assert_eq!(identifier("左腕"), None);
        assert_eq!(identifier(&"x".repeat(129)), None);
    }
}
