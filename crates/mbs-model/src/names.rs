//! Names of items as names in Rust.

/// A name in Rust: `link[0]` is `link_0`, `front_left.knee` is `front_left_knee`. Characters that identifiers cannot have become `_`.
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
