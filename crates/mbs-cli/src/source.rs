//! The argument of all commands: the file of the mechanism.

use std::io;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use mbs_codegen::{Style, compile_text_in, rendered_warnings};
use mbs_compiler::compile::{Compiled, Options};
use mbs_model::Formulation;
use mbs_syntax::Sources;

use crate::failure::Failure;
use crate::waiting::Waiting;

/// A `.mbs` or `.urdf` file and its coordinates.
#[derive(clap::Args)]
pub struct Source {
    /// A `.mbs` file with one mechanism or several, or a robot's `.urdf` file.
    pub file: PathBuf,
    /// Coordinates instead of the declared ones.
    #[arg(short, long, value_name = "CHOICE")]
    pub coordinates: Option<Coordinates>,
}

/// `--coordinates`.
#[derive(Clone, Copy, ValueEnum)]
pub enum Coordinates {
    /// x, y, θ of every body.
    Body,
    /// A tree of joint coordinates, loops closed by constraints.
    Joint,
    /// Basic points and vectors of every body.
    Natural,
    /// The cheapest of these.
    Auto,
}

impl Source {
    /// The formulation of `--coordinates`, none if the declared or the cheapest one is used.
    pub fn formulation(&self) -> Option<Formulation> {
        self.coordinates.and_then(|c| match c {
            Coordinates::Body => Some(Formulation::Body),
            Coordinates::Joint => Some(Formulation::Joint),
            Coordinates::Natural => Some(Formulation::Natural),
            Coordinates::Auto => None,
        })
    }

    pub fn options(&self) -> Options {
        Options { formulation: self.formulation(), is_automatic: self.is_automatic(), ..Options::default() }
    }

    /// Whether `--coordinates auto` is given.
    pub fn is_automatic(&self) -> bool {
        matches!(self.coordinates, Some(Coordinates::Auto))
    }

    pub fn read(&self) -> Result<String, Failure> {
        mbs_codegen::read_text(&self.file).map_err(|e| Failure::io(&self.file, e))
    }

    /// The file and the files that it imports, as far as they can be read.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = vec![self.file.clone()];
        if let Ok(text) = self.read() {
            let mut loader = |name: &str| {
                let imported = mbs_syntax::from_folder(self.folder(), name)?;
                files.push(PathBuf::from(&imported.path));
                Ok(imported)
            };
            mbs_syntax::parse_file_with(&self.path(), &text, &mut loader);
        }
        files
    }

    /// Name of the file in messages.
    pub fn path(&self) -> String {
        self.file.display().to_string()
    }

    /// Folder of the file, which imports are relative to.
    pub fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new(""))
    }

    /// The failure for a file of parts, which other files import.
    pub fn no_mechanism(&self) -> Failure {
        Failure::Usage(format!("{} contains parts but no mechanism", self.path()))
    }

    /// All mechanisms of the file.
    pub fn compile(&self) -> Result<Vec<Compiled>, Failure> {
        self.compile_with_warnings().map(|(compiled, _)| compiled)
    }

    /// All mechanisms of the file, and its warnings, rendered.
    pub fn compile_with_warnings(&self) -> Result<(Vec<Compiled>, String), Failure> {
        let compiled = self.compile_with_sources()?;
        let warnings = rendered_warnings(&compiled, style());
        Ok((compiled.into_iter().map(|(compiled, _)| compiled).collect(), warnings))
    }

    /// All mechanisms of the file, and the source locations of their items.
    pub fn compile_with_sources(&self) -> Result<Vec<(Compiled, Sources)>, Failure> {
        let path = self.path();
        let _waiting = Waiting::start(format!(
            "compiling {path}; this grows with the cube of freedoms that depend on each other, `mbs simulate` needs no compiling"
        ));
        let compiled = compile_text_in(style(), &path, &self.read()?, self.options())?;
        if compiled.is_empty() {
            return Err(self.no_mechanism());
        }
        Ok(compiled)
    }
}

/// The style of mistakes: with colours if the standard error is a terminal.
fn style() -> Style {
    Style::for_stream(&io::stderr())
}
