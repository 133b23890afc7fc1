//! Elements and attributes, and the mistakes about them.

use std::ops::Range;

use mbs_definition::{Errors, Origin};
use mbs_math::nearest;
use roxmltree::{Attribute, Node};

use super::{Place, Placed, Read, Reported};

/// Mistakes recorded per file; further ones are noise.
const ERROR_LIMIT: usize = 100;

/// Input and mistakes of a reader: the text, its place in the sources, and the list of mistakes.
pub(super) struct Reader<'r> {
    pub(super) text: &'r str,
    place: Place<'r>,
    errors: &'r mut Errors,
    /// Number of mistakes that were in the list before.
    before: usize,
}

impl<'r> Reader<'r> {
    pub(super) fn new(text: &'r str, place: Place<'r>, errors: &'r mut Errors) -> Self {
        let before = errors.list().len();
        Reader { text, place, errors, before }
    }

    /// For what has been read already.
    pub(super) fn without_text(place: Place<'r>, errors: &'r mut Errors) -> Self {
        Self::new("", place, errors)
    }

    /// No mistakes yet.
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

    /// Reports a mistake at a place of the declaration.
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

    /// The front end's place of bytes.
    pub(super) fn origin(&mut self, bytes: &Range<usize>) -> Origin {
        (self.place)(bytes.clone())
    }

    /// Reports a name that nothing declares, with the nearest that something does.
    pub(super) fn unknown<'n>(
        &mut self,
        what: &str,
        name: &Placed<String>,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Read<()> {
        let help = nearest(&name.value, known).map(|near| format!("did you mean `{}`?", shown(near)));
        self.fail("MBS010", &name.bytes, format!("there is no {what} `{}`", shown(&name.value)), help.as_deref())
    }

    /// The element's start tag, without what it contains.
    pub(super) fn start(&self, node: Node) -> Range<usize> {
        let bytes = node.range();
        // `<` and the name as written, with its prefix.
        let name = self.text.get(bytes.start + 1..bytes.end).unwrap_or("");
        let length = name.find(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/').unwrap_or(name.len());
        bytes.start..bytes.start + 1 + length
    }

    /// An attribute's value as written between its quotes, escapes replaced.
    pub(super) fn attribute<'a>(&self, node: Node<'a, '_>, name: &str) -> Option<Placed<&'a str>> {
        let attribute = node.attribute_node(name)?;
        Some(Placed { value: attribute.value(), bytes: self.value_bytes(&attribute) })
    }

    /// Bytes between the quotes. The parser counts names and gaps in small integers: of attributes that exceed them, the whole.
    fn value_bytes(&self, attribute: &Attribute) -> Range<usize> {
        let (value, whole) = (attribute.range_value(), attribute.range());
        let quotes =
            ['"', '\''].map(|quote| self.text.get(..value.start).is_some_and(|before| before.ends_with(quote)));
        if quotes.contains(&true) && self.text.get(value.clone()).is_some() { value } else { whole }
    }

    /// An attribute that must be there.
    pub(super) fn required<'a>(&mut self, node: Node<'a, '_>, name: &str, of: &str) -> Read<Placed<&'a str>> {
        match self.attribute(node, name) {
            Some(value) => Ok(value),
            None => {
                let start = self.start(node);
                let help = format!("write `<{} {name}=\"…\" …>`", node.tag_name().name());
                self.fail("MBS018", &start, format!("{of} has no `{name}`"), Some(&help))
            }
        }
    }

    /// A name that must be there and say something.
    pub(super) fn name(&mut self, node: Node, attribute: &str, of: &str) -> Read<Placed<String>> {
        let name = self.required(node, attribute, of)?;
        let trimmed = name.value.trim();
        if trimmed.is_empty() {
            let message = format!("the `{attribute}` of {of} is empty");
            return self.fail("MBS018", &self.filled(&name.bytes), message, Some("give it a name"));
        }
        Ok(Placed { value: trimmed.to_owned(), bytes: name.bytes })
    }

    /// An empty range has nothing to underline: with the quotes around it.
    fn filled(&self, bytes: &Range<usize>) -> Range<usize> {
        let around = bytes.start.saturating_sub(1)..bytes.end + 1;
        if bytes.is_empty() && self.text.get(around.clone()).is_some() { around } else { bytes.clone() }
    }

    /// Attributes other than these are mistakes: a misspelt one would silently have its default.
    pub(super) fn only(&mut self, node: Node, known: &[&str]) {
        for attribute in node.attributes().filter(|a| a.namespace().is_none() && !known.contains(&a.name())) {
            let (element, name) = (node.tag_name().name(), attribute.name());
            let help = match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it has {}", listed(known)),
            };
            let bytes = attribute.range();
            let message = format!("`{element}` has no attribute `{}`", shown(name));
            let _: Read<()> = self.fail("MBS017", &bytes, message, Some(&help));
        }
    }

    /// The one child of this name, if there is one.
    pub(super) fn child<'a, 'x>(&mut self, node: Node<'a, 'x>, name: &str) -> Option<Node<'a, 'x>> {
        let mut children = children(node, name);
        let first = children.next();
        if let Some(second) = children.next() {
            let message = format!("`{name}` stands twice in this `{}`", node.tag_name().name());
            let start = self.start(second);
            let _: Read<()> = self.fail("MBS019", &start, message, Some("leave one of them out"));
        }
        first
    }

    /// Numbers separated by white space, exactly N.
    pub(super) fn numbers<const N: usize>(&mut self, text: &Placed<&str>, what: &str) -> Read<Placed<[f64; N]>> {
        let words: Vec<&str> = text.value.split_ascii_whitespace().take(N + 1).collect();
        if words.len() != N {
            let count = text.value.split_ascii_whitespace().count();
            let found = if count == 1 { "1 number".to_owned() } else { format!("{count} numbers") };
            let message = format!("{what} needs {N} numbers, this has {found}");
            return self.fail("MBS072", &self.filled(&text.bytes), message, Some(SPACES));
        }
        let mut numbers = [0.0; N];
        for (number, word) in numbers.iter_mut().zip(words) {
            *number = self.parse(word, text)?;
        }
        Ok(Placed { value: numbers, bytes: text.bytes.clone() })
    }

    /// One number.
    pub(super) fn number(&mut self, text: &Placed<&str>) -> Read<Placed<f64>> {
        let value = self.parse(text.value.trim(), text)?;
        Ok(Placed { value, bytes: text.bytes.clone() })
    }

    /// A number that may be absent.
    pub(super) fn optional(&mut self, node: Node, name: &str) -> Read<Option<Placed<f64>>> {
        match self.attribute(node, name) {
            Some(text) => self.number(&text).map(Some),
            None => Ok(None),
        }
    }

    /// A number that may be absent, and must not be negative.
    pub(super) fn magnitude(&mut self, node: Node, name: &str, of: &str, help: &str) -> Read<Option<Placed<f64>>> {
        let number = self.optional(node, name)?;
        match &number {
            Some(Placed { value, bytes }) if *value < 0.0 => {
                self.fail("MBS031", bytes, format!("the `{name}` of {of} is negative"), Some(help))
            }
            _ => Ok(number),
        }
    }

    /// A number that must be there, and not be negative.
    pub(super) fn size(&mut self, node: Node, name: &str, of: &str) -> Read<Placed<f64>> {
        let text = self.required(node, name, of)?;
        let number = self.number(&text)?;
        if number.value < 0.0 {
            let message = format!("the `{name}` of {of} is negative");
            return self.fail("MBS031", &number.bytes, message, Some(SIZES));
        }
        Ok(number)
    }

    fn parse(&mut self, word: &str, within: &Placed<&str>) -> Read<f64> {
        let bytes = self.filled(&within.bytes);
        match word.parse::<f64>() {
            // −0 is 0.
            Ok(number) if number.is_finite() => Ok(number + 0.0),
            Ok(_) => {
                let message = format!("`{}` is not a finite number", shown(word));
                self.fail("MBS030", &bytes, message, Some("leave out what has no bound, or write a number"))
            }
            Err(_) if word.is_empty() => self.fail("MBS072", &bytes, "a number is missing", Some(NUMBERS)),
            Err(_) => {
                let help = match word {
                    _ if word.contains(['$', '{']) => XACRO,
                    _ if word.contains([',', ';']) => SPACES,
                    _ => NUMBERS,
                };
                self.fail("MBS072", &bytes, format!("`{}` is not a number", shown(word)), Some(help))
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

/// Children of this name in the namespace of their parent, or in none.
pub(super) fn children<'a, 'x>(node: Node<'a, 'x>, name: &str) -> impl Iterator<Item = Node<'a, 'x>> {
    let namespace = node.tag_name().namespace();
    node.children().filter(move |child| {
        let tag = child.tag_name();
        child.is_element() && tag.name() == name && (tag.namespace() == namespace || tag.namespace().is_none())
    })
}

/// `a`, `b` and `c`.
pub(super) fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// A name of the file as messages and docs may show it: one short line of visible characters, nothing that a terminal or a
/// page of documentation would take for more than text.
pub(super) fn shown(name: &str) -> String {
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
        assert_eq!(shown("left arm-2"), "left arm-2");
        assert_eq!(shown("a\u{202e}b\n`<c>"), "a\u{fffd}b\u{fffd}\u{fffd}\u{fffd}c\u{fffd}");
        assert_eq!(shown(&"x".repeat(100)).chars().count(), 61);
    }

    #[test]
    fn lists_end_with_and() {
        assert_eq!(listed(&["a"]), "`a`");
        assert_eq!(listed(&["a", "b", "c"]), "`a`, `b` and `c`");
    }
}
