//! Names of items as names in Rust.

/// The name of an item as a Rust identifier: `link[0]` becomes `link_0`, `front_left.knee` becomes `front_left_knee`. Characters that identifiers
/// cannot contain become `_`.
pub fn flat_name(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            ']' => {}
            c if c.is_alphanumeric() || c == '_' => text.push(c),
            _ => text.push('_'),
        }
    }
    text
}
