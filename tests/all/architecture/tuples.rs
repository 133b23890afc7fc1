//! Tuples among the parameters of functions, read from formatted text.

/// Parameters of all functions of a text that are tuples of different types: the function, and the types, separated by commas.
pub fn mixed_tuples(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("fn ") {
        let after = &text[at + 3..];
        let Some(opening) = after.find('(') else { continue };
        let name = after[..opening].split('<').next().unwrap_or_default();
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        for parameter in split(inside(&after[opening..])) {
            let Some((_, of)) = parameter.rsplit_once("): ").or_else(|| parameter.split_once(": ")) else { continue };
            let of = of.trim_start_matches(['&']).trim_start_matches("mut ");
            if !of.starts_with('(') || !of.ends_with(')') {
                continue;
            }
            let types = split(inside(of));
            if types.iter().any(|other| *other != types[0]) {
                found.push((name.to_owned(), types.join(", ")));
            }
        }
    }
    found
}

/// The text between the parenthesis that it begins with and the one that closes it.
fn inside(text: &str) -> &str {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        if depth == 0 {
            return &text[1..at];
        }
    }
    text
}

/// Parts between the commas outside of brackets, without white space around them.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut parts) = (0, 0, Vec::new());
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let closes_angle = c == '>' && before != '-';
        depth += i32::from("([{<".contains(c)) - i32::from(")]}".contains(c) || closes_angle);
        if c == ',' && depth == 0 {
            parts.push(text[begin..at].trim());
            begin = at + 1;
        }
        before = c;
    }
    parts.push(text[begin..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

#[test]
fn tuples_are_found() {
    let text = "
    fn pair<S: Scalar>(&self, (q, v): (&[S], &[S]), f: &dyn Fn(f64, u8) -> S) {}
    pub fn mixed(
        &mut self,
        (t, q): (T, &[T]),
        [a, b]: [f64; 2],
        table: &mut (Vec<(u8, u8)>, usize),
    ) {}
";
    let expected = [("mixed", "T, &[T]"), ("mixed", "Vec<(u8, u8)>, usize")];
    assert_eq!(mixed_tuples(text), expected.map(|(name, types)| (name.to_owned(), types.to_owned())));
}
