//! Files that `mechanism! { … }` imports: the folders in which they are searched, and the constants that make rustc watch them.

use std::path::{Path, PathBuf};

use mbs_syntax::{Imported, from_folder};
use proc_macro2::TokenStream;
use quote::quote;

/// Folders in which imports of a macro call are searched: that of the source file, as for `include_str!`, then the package.
pub struct Folders {
    source: Option<PathBuf>,
    package: Option<PathBuf>,
    watched: Vec<Watched>,
}

/// A file that was read, with the name under which it is imported.
#[derive(PartialEq)]
enum Watched {
    InSourceFolder(String),
    InPackage(String),
}

impl Folders {
    /// The folder of a source file, if it is known, and that of the package.
    pub fn new(source: Option<&Path>) -> Self {
        let source = source.and_then(Path::parent).map(Path::to_owned);
        let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        Folders { source, package, watched: Vec::new() }
    }

    /// Reads a file. Editors do not always know the source file of a macro call, but always the package.
    pub fn load(&mut self, name: &str) -> Result<Imported, String> {
        let containing =
            |folder: &Option<PathBuf>| folder.as_ref().filter(|folder| folder.join(name).is_file()).cloned();
        let (folder, watched) = match (containing(&self.source), containing(&self.package)) {
            (Some(folder), _) => (folder, Watched::InSourceFolder(name.to_owned())),
            (None, Some(folder)) => (folder, Watched::InPackage(name.to_owned())),
            // The file is missing: this returns the reason.
            (None, None) => {
                let folder = self.source.as_ref().or(self.package.as_ref());
                return from_folder(folder.map_or(Path::new(""), PathBuf::as_path), name);
            }
        };
        let mut imported = from_folder(&folder, name)?;
        if watched == Watched::InPackage(name.to_owned()) {
            // Messages contain the name as it is declared, without the folder of the package.
            name.clone_into(&mut imported.path);
        }
        if !self.watched.contains(&watched) {
            self.watched.push(watched);
        }
        Ok(imported)
    }

    /// Unused constants that include the files, so that a change of one recompiles the call. They contain no absolute path.
    pub fn include_constants(&self) -> TokenStream {
        let constant = |watched: &Watched| match watched {
            Watched::InSourceFolder(name) => quote!(
                const _: &[u8] = ::core::include_bytes!(#name);
            ),
            Watched::InPackage(name) => quote! {
                const _: &[u8] = ::core::include_bytes!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", #name));
            },
        };
        self.watched.iter().map(constant).collect()
    }
}
