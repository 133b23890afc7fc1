//! Coefficients of formulas: exact where the declaration's numbers are, so that terms that cancel on paper cancel here.
//!
//! A literal is interpreted in the form in which it was probably written: as a short decimal, a fraction, a multiple of π, a square root, the
//! sine or cosine of a short angle. 0.1 + 0.2 − 0.3 is then zero, and the squares of a unit vector's components sum to one. Other literals
//! remain `f64`.

/// Largest denominator that is recognised in a literal.
const MOST_DENOMINATOR: i128 = 100_000;
/// Largest radicand that is recognised: √2, √3 and the like; √109 is a decimal.
const MOST_ROOT: i128 = 10;
/// Decimals of at most this many digits are exact.
const SHORT: usize = 12;
/// Two ulp: a literal that was folded from shorter ones has one or two rounding errors.
const ROUNDING: f64 = 4.5e-16;

/// A coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// n / d in lowest terms, d > 0.
    Ratio(i128, i128),
    /// The bits of an `f64` that is not a recognisable fraction.
    Float(u64),
}

/// The form in which a literal was probably written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    Plain(Number),
    /// A multiple of π.
    PiMultiple(Number),
    /// A multiple of √n.
    RootMultiple(Number, i128),
    /// ± the sine of a number or of a multiple of π, in (0, π/2).
    Sine(Sign, Number, Unit),
    /// ± the cosine of such an angle.
    Cosine(Sign, Number, Unit),
}

/// Sign of a sine or cosine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Plus,
    Minus,
}

/// Unit of an angle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Radian,
    Pi,
}

impl Number {
    pub const ZERO: Number = Number::Ratio(0, 1);
    pub const ONE: Number = Number::Ratio(1, 1);

    pub fn integer(n: i128) -> Number {
        Number::Ratio(n, 1)
    }

    fn ratio(n: i128, d: i128) -> Number {
        let (n, d) = if d < 0 { (-n, -d) } else { (n, d) };
        let common = gcd(n.abs(), d).max(1);
        Number::Ratio(n / common, d / common)
    }

    /// A number without π or roots: a fraction if one is within two ulp.
    pub fn from_f64(x: f64) -> Number {
        decimal(x, SHORT).or_else(|| fraction(x, MOST_DENOMINATOR)).unwrap_or(Number::Float(x.to_bits()))
    }

    pub fn to_f64(self) -> f64 {
        match self {
            Number::Ratio(n, d) => n as f64 / d as f64,
            Number::Float(bits) => f64::from_bits(bits),
        }
    }

    pub fn is_zero(self) -> bool {
        self == Number::ZERO
    }

    pub fn is_negative(self) -> bool {
        self.to_f64() < 0.0
    }

    pub fn neg(self) -> Number {
        match self {
            Number::Ratio(n, d) => Number::Ratio(-n, d),
            Number::Float(bits) => Number::Float((-f64::from_bits(bits)).to_bits()),
        }
    }

    pub fn abs(self) -> Number {
        if self.is_negative() { self.neg() } else { self }
    }

    pub fn inv(self) -> Number {
        match self {
            Number::Ratio(n, d) if n != 0 => Number::ratio(d, n),
            _ => Number::from_f64(1.0 / self.to_f64()),
        }
    }

    pub fn mul(self, other: Number) -> Number {
        let exact = || {
            let (Number::Ratio(a, b), Number::Ratio(c, d)) = (self, other) else { return None };
            Some(Number::ratio(a.checked_mul(c)?, b.checked_mul(d)?))
        };
        exact().filter(|x| x.is_small()).unwrap_or_else(|| Number::from_f64(self.to_f64() * other.to_f64()))
    }

    pub fn add(self, other: Number) -> Number {
        let exact = || {
            let (Number::Ratio(a, b), Number::Ratio(c, d)) = (self, other) else { return None };
            let sum = a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?;
            Some(Number::ratio(sum, b.checked_mul(d)?))
        };
        if let Some(sum) = exact().filter(|x| x.is_small()) {
            return sum;
        }
        let (x, y) = (self.to_f64(), other.to_f64());
        // A remainder of this size after cancellation is round-off.
        if (x + y).abs() <= 2.0 * ROUNDING * x.abs().max(y.abs()) { Number::ZERO } else { Number::from_f64(x + y) }
    }

    /// Whether the number is far from overflow and exact as an `f64`.
    fn is_small(&self) -> bool {
        let Number::Ratio(n, d) = *self else { return false };
        n.abs() < 1 << 53 && d < 1 << 53
    }
}

impl Literal {
    /// The form of a number.
    pub fn from_f64(x: f64) -> Literal {
        if let Some(number) = decimal(x, SHORT).or_else(|| fraction(x, MOST_DENOMINATOR)) {
            return Literal::Plain(number);
        }
        let pi_multiple = multiple_of_pi(x).map(Literal::PiMultiple);
        pi_multiple
            .or_else(|| root(x))
            .or_else(|| sine_or_cosine(x))
            .unwrap_or(Literal::Plain(Number::Float(x.to_bits())))
    }
}

/// n / d of a multiple n π / d, if it is an integer number of degrees.
fn multiple_of_pi(x: f64) -> Option<Number> {
    let Some(number @ Number::Ratio(n, d)) = fraction(x / std::f64::consts::PI, 360) else { return None };
    (360 % d == 0 && n.abs() <= 1000 * d).then_some(number)
}

/// ± sin a or ± cos a, if a was written with few digits or in degrees.
fn sine_or_cosine(x: f64) -> Option<Literal> {
    let sign = if x < 0.0 { Sign::Minus } else { Sign::Plus };
    let size = x.abs();
    for (angle, f) in [(size.asin(), f64::sin as fn(f64) -> f64), (size.acos(), f64::cos)] {
        let rounded: f64 = format!("{angle:.3e}").parse().ok()?;
        let matches = |angle: f64| (f(angle) - size).abs() <= 2.0 * ROUNDING * size;
        let is_sine = f(0.0) == 0.0;
        let literal = if is_sine { Literal::Sine } else { Literal::Cosine };
        if let Some(number) = decimal(rounded, SHORT).filter(|_| matches(rounded)) {
            return Some(literal(sign, number, Unit::Radian));
        }
        let degrees = (angle * 180.0 / std::f64::consts::PI).round();
        if matches(degrees * std::f64::consts::PI / 180.0) {
            return Some(literal(sign, Number::from_f64(degrees / 180.0), Unit::Pi));
        }
    }
    None
}

/// A decimal of few digits.
fn decimal(x: f64, digits_at_most: usize) -> Option<Number> {
    let text = format!("{x:e}");
    let (mantissa, exponent) = text.split_once('e')?;
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    let digits_only = digits.trim_start_matches('-');
    let exponent: i32 = exponent.parse().ok()?;
    if digits_only.len() > digits_at_most || exponent.abs() > 15 {
        return None;
    }
    let n: i128 = digits.parse().ok()?;
    let shift = exponent - (digits_only.len() as i32 - 1);
    let power = 10_i128.pow(shift.unsigned_abs());
    Some(if shift >= 0 { Number::integer(n * power) } else { Number::ratio(n, power) })
}

/// The simplest fraction within two ulp, by continued fractions.
fn fraction(x: f64, most: i128) -> Option<Number> {
    if !x.is_finite() || x.abs() > 1e9 || (x != 0.0 && x.abs() < 1e-9) {
        return None;
    }
    let (mut before, mut now) = ((0, 1), (1, 0));
    let mut rest = x;
    loop {
        let integer = rest.floor() as i128;
        (before, now) = (now, (integer * now.0 + before.0, integer * now.1 + before.1));
        if now.1 > most {
            return None;
        }
        if (now.0 as f64 / now.1 as f64 - x).abs() <= ROUNDING * x.abs() {
            return Some(Number::ratio(now.0, now.1));
        }
        rest = 1.0 / (rest - rest.floor());
        if !rest.is_finite() || rest > 1e9 {
            return None;
        }
    }
}

/// (k / d) √m with small k, d, m: x² is the fraction k² m / d².
fn root(x: f64) -> Option<Literal> {
    let Some(Number::Ratio(n, d)) = fraction(x * x, 10_000) else { return None };
    let (mut square, mut root) = (1_i128, n.checked_mul(d)?);
    let mut factor = 2;
    while factor * factor <= root && factor < 10_000 {
        while root % (factor * factor) == 0 {
            root /= factor * factor;
            square *= factor;
        }
        factor += 1;
    }
    let sign = if x < 0.0 { -1 } else { 1 };
    (1 < root && root <= MOST_ROOT).then(|| Literal::RootMultiple(Number::ratio(sign * square, d), root))
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(n: i128, d: i128) -> Number {
        Number::Ratio(n, d)
    }

    #[test]
    fn literals_have_the_form_in_which_they_were_written() {
        assert_eq!(Number::from_f64(0.1), ratio(1, 10));
        assert_eq!(Number::from_f64(-9.81), ratio(-981, 100));
        assert_eq!(Number::from_f64(0.01 / 12.0), ratio(1, 1200));
        assert_eq!(Number::from_f64(0.1 + 0.2), ratio(3, 10));
        assert_eq!(Number::from_f64(5e-4), ratio(1, 2000));
        assert_eq!(Number::from_f64(120.0), ratio(120, 1));
        assert!(matches!(Number::from_f64(0.06171389001427645), Number::Float(_)));
    }

    #[test]
    fn multiples_of_pi_and_roots_are_recognised() {
        assert_eq!(Literal::from_f64(-std::f64::consts::FRAC_PI_2), Literal::PiMultiple(ratio(-1, 2)));
        // Components of the unit vector in the direction [1, 2].
        assert_eq!(Literal::from_f64(1.0 / 5.0_f64.sqrt()), Literal::RootMultiple(ratio(1, 5), 5));
        assert_eq!(Literal::from_f64(0.5_f64.sqrt()), Literal::RootMultiple(ratio(1, 2), 2));
        assert!(matches!(Literal::from_f64(1.2345678901234567), Literal::Plain(Number::Float(_))));
    }

    #[test]
    fn sines_of_short_angles_are_recognised() {
        assert_eq!(Literal::from_f64(0.2_f64.cos()), Literal::Cosine(Sign::Plus, ratio(1, 5), Unit::Radian));
        assert_eq!(Literal::from_f64(-(0.7_f64.sin())), Literal::Sine(Sign::Minus, ratio(7, 10), Unit::Radian));
        let twenty = 20.0 * std::f64::consts::PI / 180.0;
        assert_eq!(Literal::from_f64(twenty.sin()), Literal::Sine(Sign::Plus, ratio(1, 9), Unit::Pi));
    }

    #[test]
    fn sums_of_decimals_cancel() {
        let sum = [0.1, 0.2, -0.3].map(Number::from_f64).into_iter().fold(Number::ZERO, Number::add);
        assert!(sum.is_zero());
        let (s, c) = 0.2_f64.sin_cos();
        let square = |x: f64| Number::from_f64(x).mul(Number::from_f64(x));
        assert_eq!(square(s).add(square(c)), Number::ONE);
    }
}
