//! Files that `mechanism! { … }` imports: where they lie, and how rustc is told to watch them.

use std::path::{Path, PathBuf};

use mbs_syntax::{Imported, from_folder};
use proc_macro2::TokenStream;
use quote::quote;

/// Where imports of a macro call are looked for: beside the source file, as `include_str!` does, then in the package.
pub struct Folders {
    source: Option<PathBuf>,
    package: Option<PathBuf>,
    watched: Vec<Watched>,
}

/// A file that was read, by the name it is imported under.
#[derive(PartialEq)]
enum Watched {
    BesideSource(String),
    InPackage(String),
}

impl Folders {
    pub fn of(source: Option<&Path>) -> Self {
        let source = source.and_then(Path::parent).map(Path::to_owned);
        let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        Folders { source, package, watched: Vec::new() }
    }

    /// Reads a file. Editors do not always know which file a macro call stands in: names relative to the package are known to all.
    pub fn load(&mut self, name: &str) -> Result<Imported, String> {
        let has = |folder: &Option<PathBuf>| folder.as_ref().filter(|folder| folder.join(name).is_file()).cloned();
        let (folder, watched) = match (has(&self.source), has(&self.package)) {
            (Some(folder), _) => (folder, Watched::BesideSource(name.to_owned())),
            (None, Some(folder)) => (folder, Watched::InPackage(name.to_owned())),
            // The reason why not.
            (None, None) => {
                let folder = self.source.as_ref().or(self.package.as_ref());
                return from_folder(folder.map_or(Path::new(""), PathBuf::as_path), name);
            }
        };
        let mut imported = from_folder(&folder, name)?;
        if watched == Watched::InPackage(name.to_owned()) {
            // Messages speak of it as the declaration does, not of where the package lies.
            name.clone_into(&mut imported.path);
        }
        if !self.watched.contains(&watched) {
            self.watched.push(watched);
        }
        Ok(imported)
    }

    /// Constants that nothing uses, made of the files, so that a change of one compiles the call again. No absolute path is in them.
    pub fn watches(&self) -> TokenStream {
        let one = |watched: &Watched| match watched {
            Watched::BesideSource(name) => quote!(
                const _: &[u8] = ::core::include_bytes!(#name);
            ),
            Watched::InPackage(name) => quote! {
                const _: &[u8] = ::core::include_bytes!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", #name));
            },
        };
        self.watched.iter().map(one).collect()
    }
}
