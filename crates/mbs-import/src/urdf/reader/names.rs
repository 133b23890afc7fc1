//! Converts names of the file to identifiers of the language.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use mbs_definition::{KEYWORDS, MEANINGS};

use super::Read;
use super::element::{Reader, printable_name};
use super::robot::{Joint, Robot, Spanned};

/// Names of links and joints in the declaration.
pub(super) struct Names<'r> {
    /// Prefix of every name: `arm.`, or empty.
    prefix: String,
    links: BTreeMap<&'r str, String>,
    joints: BTreeMap<&'r str, String>,
    used: BTreeSet<String>,
}

impl<'r> Names<'r> {
    /// Names that are identifiers stay, first those of links, then those of joints; then the other names become identifiers that are not in use.
    pub(super) fn new(robot: &'r Robot, prefix: Option<&str>, reader: &mut Reader) -> Self {
        let prefix = prefix.map_or_else(String::new, |prefix| format!("{prefix}."));
        let mut names = Names { prefix, links: BTreeMap::new(), joints: BTreeMap::new(), used: BTreeSet::new() };
        let mut links: Vec<&Spanned<String>> = robot.links.iter().map(|link| &link.name).collect();
        if let Some(root) = robot.root().filter(|_| robot.is_root_ground()) {
            // The link has no entry, since it is ground and not a body.
            links.retain(|name| name.value != root.name.value);
        }
        let joints: Vec<&Spanned<String>> = robot.joints.iter().map(|joint| &joint.name).collect();
        links.retain(|name| !names.keep_name(name, Element::Link));
        let mut others: Vec<(Element, &Spanned<String>)> =
            links.into_iter().map(|name| (Element::Link, name)).collect();
        others.extend(
            joints.into_iter().filter(|name| !names.keep_name(name, Element::Joint)).map(|name| (Element::Joint, name)),
        );
        for (element, name) in others {
            let _: Read<()> = names.rename(name, element, reader);
        }
        names
    }

    /// Full name of the body of a link, or `ground`.
    pub(super) fn link(&self, name: &str) -> String {
        self.links.get(name).map_or_else(|| "ground".to_owned(), |name| self.with_prefix(name))
    }

    /// Name of the body of a link without the prefix; `None` if it is ground.
    pub(super) fn body(&self, name: &str) -> Option<&str> {
        self.links.get(name).map(String::as_str)
    }

    /// Full name of a joint.
    pub(super) fn joint(&self, name: &str) -> String {
        self.joints.get(name).map_or_else(String::new, |name| self.with_prefix(name))
    }

    fn with_prefix(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Name of an item that belongs to a joint: `hip_lower`, or `hip_joint_lower` if that is in use.
    pub(super) fn joint_item_name(&mut self, joint: &Joint, word: &str, reader: &mut Reader) -> Read<String> {
        let name = self.joints.get(joint.name.value.as_str()).map_or("", String::as_str);
        let candidates = [format!("{name}_{word}"), format!("{name}_joint_{word}")];
        let needs = format!("the joint `{}` needs", printable_name(&joint.name.value));
        self.free_name(&candidates, &needs, &joint.name.bytes, reader)
    }

    /// Name of an item that belongs to the robot: the first of the candidates that is not in use.
    pub(super) fn robot_item_name(
        &mut self,
        robot: &Robot,
        candidates: &[String],
        reader: &mut Reader,
    ) -> Read<String> {
        self.free_name(candidates, "the robot needs", &robot.name.bytes, reader)
    }

    fn free_name(
        &mut self,
        candidates: &[String],
        needs: &str,
        bytes: &Range<usize>,
        reader: &mut Reader,
    ) -> Read<String> {
        match self.claim(candidates) {
            Some(name) => Ok(self.with_prefix(&name)),
            None => {
                let message = format!("{needs} the name `{}`, which is taken", candidates[0]);
                reader.fail("MBS028", bytes, message, Some("rename one of them in the file"))
            }
        }
    }

    /// Uses the name unchanged if it is an identifier that is not in use; returns whether it is.
    fn keep_name(&mut self, name: &'r Spanned<String>, element: Element) -> bool {
        let text = name.value.as_str();
        let kept = identifier(text).as_deref() == Some(text) && self.used.insert(text.to_owned());
        if kept {
            self.names_of(element).insert(text, text.to_owned());
        }
        kept
    }

    fn rename(&mut self, name: &'r Spanned<String>, element: Element, reader: &mut Reader) -> Read<()> {
        let shown = printable_name(&name.value);
        let word = element.word();
        let Some(plain) = identifier(&name.value) else {
            let message = format!("the {word} `{shown}` has a name that cannot become an identifier");
            return reader.fail("MBS028", &name.bytes, message, Some("use letters, digits and `_` of ASCII"));
        };
        let mut candidates = vec![plain.clone()];
        if element == Element::Joint {
            candidates.push(format!("{plain}_joint"));
        }
        match self.claim(&candidates) {
            Some(free) => {
                self.names_of(element).insert(&name.value, free);
                Ok(())
            }
            None => {
                let message = format!("the {word} `{shown}` would be called `{plain}`, which is taken");
                reader.fail("MBS028", &name.bytes, message, Some("rename one of them in the file"))
            }
        }
    }

    /// Reserves the first of the candidates that is not in use.
    fn claim(&mut self, candidates: &[String]) -> Option<String> {
        let free = candidates.iter().find(|name| !self.used.contains(*name))?.clone();
        self.used.insert(free.clone());
        Some(free)
    }

    fn names_of(&mut self, element: Element) -> &mut BTreeMap<&'r str, String> {
        match element {
            Element::Link => &mut self.links,
            Element::Joint => &mut self.joints,
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Element {
    Link,
    Joint,
}

impl Element {
    fn word(self) -> &'static str {
        match self {
            Element::Link => "link",
            Element::Joint => "joint",
        }
    }
}

/// Largest number of characters of an identifier made of a name.
const MOST_CHARACTERS: usize = 128;

/// The identifier made of a name; an identifier is unchanged. `None` for names that are too long or have no ASCII letter or digit.
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
