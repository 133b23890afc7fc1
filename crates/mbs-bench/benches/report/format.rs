//! Numbers in tables.

/// Nanoseconds, at least two digits.
pub fn ns(nanoseconds: f64) -> String {
    if nanoseconds < 10.0 { format!("{nanoseconds:.1}") } else { format!("{nanoseconds:.0}") }
}

/// Size of a function that has not been inlined.
pub fn bytes(size: Option<u64>) -> String {
    size.map_or_else(|| "inlined".to_owned(), |bytes| bytes.to_string())
}

/// Geometric mean, smallest and largest of some ratios.
pub fn mean_and_range(ratios: &[f64]) -> String {
    let mean = (ratios.iter().map(|x| x.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let smallest = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = ratios.iter().copied().fold(0.0, f64::max);
    format!("{mean:.1} times (geometric mean; {smallest:.1} to {largest:.1})")
}
