//! Machine code of generated functions.

use object::{Object, ObjectSymbol};

/// Symbols of the running executable.
pub struct Executable {
    /// Mangled name and size of each.
    pub symbols: Vec<(String, u64)>,
}

impl Executable {
    /// The running executable; without symbols if they cannot be read.
    pub fn running() -> Executable {
        let bytes = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
        let symbols = object::File::parse(&*bytes).map_or_else(
            |_| Vec::new(),
            |file| file.symbols().filter_map(|s| Some((s.name().ok()?.to_owned(), s.size()))).collect(),
        );
        Executable { symbols }
    }

    /// Bytes of `accelerations` of a mechanism's kernels, its parts included; `None` if it was inlined.
    pub fn accelerations(&self, coordinates: &str, module: &str) -> Option<u64> {
        self.kernel(&[coordinates, module], "accelerations")
    }

    /// Bytes of a kernel of the mechanism at a path of modules, its parts included; `None` if it was inlined.
    pub fn kernel(&self, modules: &[&str], kernel: &str) -> Option<u64> {
        let path: String = modules.iter().chain(&["kernels"]).map(|p| format!("{}{p}", p.len())).collect();
        let part = format!("{kernel}_part_");
        let of_this = |name: &str| {
            let function = name.split_once(path.as_str()).and_then(|(_, rest)| identifier(rest));
            function.is_some_and(|f| f == kernel || f.starts_with(&part))
        };
        let sizes = self.symbols.iter().filter(|(name, _)| of_this(name)).map(|(_, size)| size);
        Some(sizes.sum()).filter(|bytes| *bytes > 0)
    }
}

/// The identifier at the start of a mangled path: its length in decimals, then its text.
fn identifier(mangled: &str) -> Option<&str> {
    let digits = mangled.len() - mangled.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (length, rest) = mangled.split_at(digits);
    rest.get(..length.parse().ok()?)
}
