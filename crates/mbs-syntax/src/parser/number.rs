//! Numbers: integers and floats are reals.

use mbs_definition::ExprKind;

use super::{Parse, Parser, units};

impl Parser<'_> {
    /// Reads the literal at the position.
    pub(super) fn number_literal(&mut self) -> Parse<ExprKind> {
        let token = self.token(self.position);
        let origin = token.origin;
        let Some((digits, suffix)) = number_parts(&token.text) else {
            return Err(self.expected("an expression"));
        };
        let suffix = suffix.to_owned();
        self.position += 1;
        let value = digits.parse::<f64>().ok().filter(|value| value.is_finite());
        if !suffix.is_empty() {
            let message = format!("the number `{digits}` has the suffix `{suffix}`");
            let help = units::unit_help(&digits, &suffix);
            let help = help.unwrap_or_else(|| format!("write `{digits}`; numbers are real and in SI units"));
            self.report("MBS001", origin, message, Some(&help));
        } else if value.is_none() {
            self.report("MBS001", origin, format!("`{digits}` is too large for a number"), None);
        } else if value.is_some_and(|value| loses_digits(value, &digits)) {
            let message = format!("`{digits}` is too small for a number, which loses its digits below 2.2e-308");
            self.report("MBS001", origin, message, Some("write `0`, or use other units"));
        }
        Ok(value.map_or(ExprKind::Broken, ExprKind::Number))
    }
}

/// Whether digits that are not zero became zero, or a number with fewer digits than others have.
fn loses_digits(value: f64, digits: &str) -> bool {
    let mantissa = digits.split(['e', 'E']).next().unwrap_or(digits);
    value.is_subnormal() || value == 0.0 && mantissa.contains(|c| matches!(c, '1'..='9'))
}

/// Digits without `_`, and the suffix; `None` if the text is no number.
fn number_parts(text: &str) -> Option<(String, &str)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let end = text.len() - digits.len() + number_length(digits);
    Some((text[..end].replace('_', ""), &text[end..]))
}

/// Number of bytes of `1_000.5e-3` before a suffix.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| {
        let rest = &text.as_bytes()[from..];
        rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'_').count()
    };
    let mut length = digits(0);
    if text[length..].starts_with('.') {
        length += 1;
        length += digits(length);
    }
    if text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        let exponent = digits(length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}
