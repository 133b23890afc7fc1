//! Prints numbers in their usual form.

use super::number::Number;

/// A positive number as it is printed, and its divisor: 9.81; 1 over 12; 2.
pub fn number_parts(x: Number) -> (String, Option<String>) {
    match x {
        Number::Ratio(n, 1) => (n.to_string(), None),
        Number::Ratio(n, d) if is_fraction(n, d) => (n.to_string(), Some(d.to_string())),
        _ => (decimal(x.to_f64()), None),
    }
}

/// Halves, quarters and thirds are fractions; tenths are decimals.
fn is_fraction(n: i128, d: i128) -> bool {
    let is_eighth = matches!(d, 2 | 4 | 8) && n < 16;
    is_eighth || !is_decimal(d) && (n == 1 && d <= 10_000 || n < 100 && d < 100)
}

/// Whether 1/d has at most nine decimals.
fn is_decimal(d: i128) -> bool {
    1_000_000_000 % d == 0
}

/// Whether a number is printed with fewer digits than it has.
pub fn is_rounded(x: Number) -> bool {
    !matches!(x, Number::Ratio(n, d) if is_fraction(n, d)) && round_to_six_digits(x.to_f64()) != x.to_f64()
}

/// Rounds to six digits.
fn round_to_six_digits(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}

/// Six digits; powers of ten are printed as such.
fn decimal(x: f64) -> String {
    let rounded = round_to_six_digits(x);
    if rounded.is_infinite() {
        return "\\infty".to_owned();
    }
    if rounded == 0.0 || (1e-4..1e7).contains(&rounded.abs()) {
        return format!("{rounded}");
    }
    let text = format!("{rounded:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let power = format!("10^{{{exponent}}}");
    if mantissa == "1" { power } else { format!("{mantissa} \\cdot {power}") }
}
