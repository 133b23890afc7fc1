//! Writers of the JSON that pages need.

use std::fmt::Write;

/// Appends the shortest decimal that is read as the same number; `special` are the texts of NaN, ∞ and −∞.
pub(super) fn push_number(out: &mut String, x: f64, special: [&str; 3]) {
    let size = x.abs();
    let written = if x.is_nan() {
        out.write_str(special[0])
    } else if x.is_infinite() {
        out.write_str(special[if x > 0.0 { 1 } else { 2 }])
    } else if size != 0.0 && !(1e-4..1e16).contains(&size) {
        write!(out, "{x:e}")
    } else {
        write!(out, "{x}")
    };
    written.expect("a string takes everything");
}

/// Appends `[x, …]`; numbers that are not finite become `null`.
pub(super) fn push_numbers(out: &mut String, values: impl IntoIterator<Item = f64>) {
    out.push('[');
    for (i, x) in values.into_iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        push_number(out, x, ["null"; 3]);
    }
    out.push(']');
}

/// Appends a string literal. `<`, `>` and `&` are escaped, so that no text ends the script element around it.
pub(super) fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => push_escape(out, c),
            c if c.is_control() => push_escape(out, c),
            c => out.push(c),
        }
    }
    out.push('"');
}

fn push_escape(out: &mut String, c: char) {
    write!(out, "\\u{:04x}", u32::from(c)).expect("a string takes everything");
}

/// Appends a list of items, each written by `push`.
pub(super) fn push_list<I>(out: &mut String, items: impl IntoIterator<Item = I>, mut push: impl FnMut(&mut String, I)) {
    out.push('[');
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        push(out, item);
    }
    out.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back() {
        for x in [0.0, -0.0, 0.1, 1.0 / 3.0, 1e-300, -2.5e17, f64::MIN_POSITIVE, f64::MAX, 5e-324, 123456.75] {
            let mut text = String::new();
            push_number(&mut text, x, [""; 3]);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), x.to_bits(), "{text}");
        }
    }

    #[test]
    fn strings_cannot_end_a_script() {
        let mut text = String::new();
        push_string(&mut text, "a\"b\\</script>\n");
        assert_eq!(text, "\"a\\\"b\\\\\\u003c/script\\u003e\\u000a\"");
    }
}
