//! Numbers in tables.

/// Formats nanoseconds with at least two digits.
pub fn ns(nanoseconds: f64) -> String {
    if nanoseconds < 10.0 { format!("{nanoseconds:.1}") } else { format!("{nanoseconds:.0}") }
}

/// Formats the size of a function; `None` for an inlined one.
pub fn bytes(size: Option<u64>) -> String {
    size.map_or_else(|| "inlined".to_owned(), |bytes| bytes.to_string())
}

/// Formats the geometric mean, the smallest and the largest of some ratios.
pub fn mean_and_range(ratios: &[f64]) -> String {
    let mean = (ratios.iter().map(|x| x.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let smallest = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = ratios.iter().copied().fold(0.0, f64::max);
    format!("{mean:.1} times (geometric mean; {smallest:.1} to {largest:.1})")
}
