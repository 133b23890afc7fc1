//! Help for numbers with units, which the language does not have.

/// Units with their factors, as the language writes them; the factor of SI units and radians is empty.
#[rustfmt::skip] // one unit per line says nothing
const UNITS: &[(&str, &str)] = &[
    ("deg", "PI / 180"), ("degree", "PI / 180"), ("degrees", "PI / 180"), ("rpm", "TAU / 60"), ("rev", "TAU"),
    ("mm", "1e-3"), ("cm", "1e-2"), ("km", "1e3"), ("inch", "0.0254"), ("ft", "0.3048"),
    ("g", "1e-3"), ("t", "1e3"), ("ms", "1e-3"), ("us", "1e-6"), ("min", "60"), ("kN", "1e3"), ("MPa", "1e6"), ("GPa", "1e9"), ("bar", "1e5"), ("kW", "1e3"),
    ("m", ""), ("kg", ""), ("s", ""), ("rad", ""), ("N", ""), ("Nm", ""), ("Pa", ""), ("J", ""), ("W", ""), ("Hz", ""),
];

/// Help with a number that has a unit; `None` for other words.
pub(super) fn unit_help(number: &str, unit: &str) -> Option<String> {
    let (_, factor) = UNITS.iter().find(|(known, _)| *known == unit)?;
    Some(match *factor {
        "" => format!("write `{number}`: numbers are in SI units and radians"),
        factor => format!("write `{number} * {factor}`: numbers are in SI units and radians"),
    })
}
