//! Reads elements and attributes, and reports their mistakes.

use std::ops::Range;

use mbs_definition::{Errors, Origin};
use mbs_math::nearest;
use roxmltree::{Attribute, Node};

use super::{MakeOrigin, Read, Reported, Spanned};

/// Largest number of mistakes recorded per file.
const ERROR_LIMIT: usize = 100;

/// Input and mistakes of a reader: the text, the function that makes origins, and the list of mistakes.
pub(super) struct Reader<'r> {
    pub(super) text: &'r str,
    make_origin: MakeOrigin<'r>,
    errors: &'r mut Errors,
    /// Number of mistakes in the list at the start.
    before: usize,
}

impl<'r> Reader<'r> {
    pub(super) fn new(text: &'r str, make_origin: MakeOrigin<'r>, errors: &'r mut Errors) -> Self {
        let before = errors.list().len();
        Reader { text, make_origin, errors, before }
    }

    /// A reader for a robot that has been read already.
    pub(super) fn without_text(make_origin: MakeOrigin<'r>, errors: &'r mut Errors) -> Self {
        Self::new("", make_origin, errors)
    }

    /// Whether no mistakes have been reported.
    pub(super) fn is_sound(&self) -> bool {
        self.errors.list().len() == self.before
    }

    /// Reports a mistake.
    pub(super) fn fail<T>(
        &mut self,
        code: &'static str,
        bytes: &Range<usize>,
        message: impl Into<String>,
        help: Option<&str>,
    ) -> Read<T> {
        let origin = self.origin(bytes);
        self.fail_at(code, origin, message, help)
    }

    /// Reports a mistake at an origin of the declaration.
    pub(super) fn fail_at<T>(
        &mut self,
        code: &'static str,
        origin: Origin,
        message: impl Into<String>,
        help: Option<&str>,
    ) -> Read<T> {
        if self.errors.list().len() < self.before + ERROR_LIMIT {
            self.errors.push(code, origin, message, help.map(str::to_owned));
        }
        Err(Reported)
    }

    /// The origin of a range of bytes.
    pub(super) fn origin(&mut self, bytes: &Range<usize>) -> Origin {
        (self.make_origin)(bytes.clone())
    }

    /// Reports a name that is not declared, with the nearest declared name as help.
    pub(super) fn report_unknown<'n>(
        &mut self,
        subject: &str,
        name: &Spanned<String>,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Read<()> {
        let help =
            nearest(&name.value, known).map(|nearest_name| format!("did you mean `{}`?", printable_name(nearest_name)));
        self.fail(
            "MBS010",
            &name.bytes,
            format!("there is no {subject} `{}`", printable_name(&name.value)),
            help.as_deref(),
        )
    }

    /// The bytes of the element's start tag.
    pub(super) fn start_tag(&self, node: Node) -> Range<usize> {
        let bytes = node.range();
        // `<` and the name as written, with its prefix.
        let name = self.text.get(bytes.start + 1..bytes.end).unwrap_or("");
        let length = name.find(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/').unwrap_or(name.len());
        bytes.start..bytes.start + 1 + length
    }

    /// The value of an attribute, with escapes replaced; `None` if it is absent.
    pub(super) fn attribute<'a>(&self, node: Node<'a, '_>, name: &str) -> Option<Spanned<&'a str>> {
        let attribute = node.attribute_node(name)?;
        Some(Spanned { value: attribute.value(), bytes: self.value_bytes(&attribute) })
    }

    /// The bytes between the quotes. The parser has small integers for lengths of names and gaps; where they overflow, the bytes of the attribute.
    fn value_bytes(&self, attribute: &Attribute) -> Range<usize> {
        let (value, range) = (attribute.range_value(), attribute.range());
        let quotes =
            ['"', '\''].map(|quote| self.text.get(..value.start).is_some_and(|before| before.ends_with(quote)));
        if quotes.contains(&true) && self.text.get(value.clone()).is_some() { value } else { range }
    }

    /// The value of an attribute, which must be present.
    pub(super) fn required_attribute<'a>(
        &mut self,
        node: Node<'a, '_>,
        name: &str,
        owner: &str,
    ) -> Read<Spanned<&'a str>> {
        match self.attribute(node, name) {
            Some(value) => Ok(value),
            None => {
                let start = self.start_tag(node);
                let help = format!("write `<{} {name}=\"…\" …>`", node.tag_name().name());
                self.fail("MBS018", &start, format!("{owner} has no `{name}`"), Some(&help))
            }
        }
    }

    /// A name, which must be present and not empty.
    pub(super) fn required_name(&mut self, node: Node, attribute: &str, owner: &str) -> Read<Spanned<String>> {
        let name = self.required_attribute(node, attribute, owner)?;
        let trimmed = name.value.trim();
        if trimmed.is_empty() {
            let message = format!("the `{attribute}` of {owner} is empty");
            return self.fail("MBS018", &self.nonempty(&name.bytes), message, Some("give it a name"));
        }
        Ok(Spanned { value: trimmed.to_owned(), bytes: name.bytes })
    }

    /// A range to underline: an empty one is extended by its quotes.
    fn nonempty(&self, bytes: &Range<usize>) -> Range<usize> {
        let around = bytes.start.saturating_sub(1)..bytes.end + 1;
        if bytes.is_empty() && self.text.get(around.clone()).is_some() { around } else { bytes.clone() }
    }

    /// Reports attributes other than the known ones: a misspelt attribute would silently have its default.
    pub(super) fn refuse_other_attributes(&mut self, node: Node, known: &[&str]) {
        for attribute in node.attributes().filter(|a| a.namespace().is_none() && !known.contains(&a.name())) {
            let (element, name) = (node.tag_name().name(), attribute.name());
            let help = match nearest(name, known.iter().copied()) {
                Some(nearest_name) => format!("did you mean `{nearest_name}`?"),
                None => format!("it has {}", listed(known)),
            };
            let bytes = attribute.range();
            let message = format!("`{element}` has no attribute `{}`", printable_name(name));
            let _: Read<()> = self.fail("MBS017", &bytes, message, Some(&help));
        }
    }

    /// The child of a name, if there is one; reports further ones.
    pub(super) fn child<'a, 'x>(&mut self, node: Node<'a, 'x>, name: &str) -> Option<Node<'a, 'x>> {
        let mut children = children(node, name);
        let first = children.next();
        if let Some(second) = children.next() {
            let message = format!("`{name}` occurs twice in this `{}`", node.tag_name().name());
            let start = self.start_tag(second);
            let _: Read<()> = self.fail("MBS019", &start, message, Some("leave one of them out"));
        }
        first
    }

    /// Parses exactly N numbers separated by white space.
    pub(super) fn parse_numbers<const N: usize>(
        &mut self,
        text: &Spanned<&str>,
        subject: &str,
    ) -> Read<Spanned<[f64; N]>> {
        let words: Vec<&str> = text.value.split_ascii_whitespace().take(N + 1).collect();
        if words.len() != N {
            let count = text.value.split_ascii_whitespace().count();
            let found = if count == 1 { "1 number".to_owned() } else { format!("{count} numbers") };
            let message = format!("{subject} needs {N} numbers, this has {found}");
            return self.fail("MBS072", &self.nonempty(&text.bytes), message, Some(SPACES));
        }
        let mut numbers = [0.0; N];
        for (number, word) in numbers.iter_mut().zip(words) {
            *number = self.parse_word(word, text)?;
        }
        Ok(Spanned { value: numbers, bytes: text.bytes.clone() })
    }

    /// Parses one number.
    pub(super) fn parse_number(&mut self, text: &Spanned<&str>) -> Read<Spanned<f64>> {
        let value = self.parse_word(text.value.trim(), text)?;
        Ok(Spanned { value, bytes: text.bytes.clone() })
    }

    /// A number that may be absent.
    pub(super) fn optional_number(&mut self, node: Node, name: &str) -> Read<Option<Spanned<f64>>> {
        match self.attribute(node, name) {
            Some(text) => self.parse_number(&text).map(Some),
            None => Ok(None),
        }
    }

    /// A number that may be absent, but not negative.
    pub(super) fn optional_magnitude(
        &mut self,
        node: Node,
        name: &str,
        owner: &str,
        help: &str,
    ) -> Read<Option<Spanned<f64>>> {
        let number = self.optional_number(node, name)?;
        match &number {
            Some(Spanned { value, bytes }) if *value < 0.0 => {
                self.fail("MBS031", bytes, format!("the `{name}` of {owner} is negative"), Some(help))
            }
            _ => Ok(number),
        }
    }

    /// A number that must be present and not negative.
    pub(super) fn required_magnitude(&mut self, node: Node, name: &str, owner: &str) -> Read<Spanned<f64>> {
        let text = self.required_attribute(node, name, owner)?;
        let number = self.parse_number(&text)?;
        if number.value < 0.0 {
            let message = format!("the `{name}` of {owner} is negative");
            return self.fail("MBS031", &number.bytes, message, Some(SIZES));
        }
        Ok(number)
    }

    fn parse_word(&mut self, word: &str, within: &Spanned<&str>) -> Read<f64> {
        let bytes = self.nonempty(&within.bytes);
        match word.parse::<f64>() {
            // −0 becomes 0.
            Ok(number) if number.is_finite() => Ok(number + 0.0),
            Ok(_) => {
                let message = format!("`{}` is not a finite number", printable_name(word));
                self.fail("MBS030", &bytes, message, Some("leave out what has no bound, or write a number"))
            }
            Err(_) if word.is_empty() => self.fail("MBS072", &bytes, "a number is missing", Some(NUMBERS)),
            Err(_) => {
                let help = match word {
                    _ if word.contains(['$', '{']) => XACRO,
                    _ if word.contains([',', ';']) => SPACES,
                    _ => NUMBERS,
                };
                self.fail("MBS072", &bytes, format!("`{}` is not a number", printable_name(word)), Some(help))
            }
        }
    }
}

const SPACES: &str = "numbers are separated by spaces, as in `0 0 1.5`";

const NUMBERS: &str = "numbers are written `1`, `-0.5` or `2e-3`";

/// Help for lengths.
pub(super) const SIZES: &str = "lengths are zero or more";

/// Help for macros of xacro.
pub(super) const XACRO: &str = "this is a xacro file; import what `xacro file.urdf.xacro > file.urdf` makes of it";

/// Children of a name, in the namespace of their parent or without one.
pub(super) fn children<'a, 'x>(node: Node<'a, 'x>, name: &str) -> impl Iterator<Item = Node<'a, 'x>> {
    let namespace = node.tag_name().namespace();
    node.children().filter(move |child| {
        let tag = child.tag_name();
        child.is_element() && tag.name() == name && (tag.namespace() == namespace || tag.namespace().is_none())
    })
}

/// Names as text: "`a`, `b` and `c`".
pub(super) fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// A name of the file for messages and docs: one short line of visible characters, without anything that a terminal or a page of documentation would
/// interpret.
pub(super) fn printable_name(name: &str) -> String {
    const MOST: usize = 60;
    let plain = |c: char| if c.is_alphanumeric() || " _-+./:,;()[]{}$%#@!?*=~^|".contains(c) { c } else { '\u{fffd}' };
    let mut text: String = name.chars().take(MOST).map(plain).collect();
    if name.chars().nth(MOST).is_some() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_as_one_short_line_of_plain_text() {
        assert_eq!(printable_name("left arm-2"), "left arm-2");
        assert_eq!(printable_name("a\u{202e}b\n`<c>"), "a\u{fffd}b\u{fffd}\u{fffd}\u{fffd}c\u{fffd}");
        assert_eq!(printable_name(&"x".repeat(100)).chars().count(), 61);
    }

    #[test]
    fn lists_end_with_and() {
        assert_eq!(listed(&["a"]), "`a`");
        assert_eq!(listed(&["a", "b", "c"]), "`a`, `b` and `c`");
    }
}
