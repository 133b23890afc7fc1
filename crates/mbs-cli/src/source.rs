//! The file every command takes.

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
}

impl Source {
    pub fn formulation(&self) -> Option<Formulation> {
        self.coordinates.map(|c| match c {
            Coordinates::Body => Formulation::Body,
            Coordinates::Joint => Formulation::Joint,
            Coordinates::Natural => Formulation::Natural,
        })
    }

    pub fn options(&self) -> Options {
        Options { formulation: self.formulation(), ..Options::default() }
    }

    pub fn read(&self) -> Result<String, Failure> {
        mbs_codegen::read_text(&self.file).map_err(|e| Failure::io(&self.file, e))
    }

    /// The file and all that it imports, as far as that can be read.
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

    /// A file of parts, which other files import.
    pub fn without_mechanism(&self) -> Failure {
        Failure::Usage(format!("{} holds parts but no mechanism", self.path()))
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

    /// All mechanisms of the file, and the places of their items.
    pub fn compile_with_sources(&self) -> Result<Vec<(Compiled, Sources)>, Failure> {
        let path = self.path();
        let _waiting = Waiting::on(format!(
            "compiling {path}; this grows with the cube of freedoms that depend on each other, `mbs simulate` needs no compiling"
        ));
        let compiled = compile_text_in(style(), &path, &self.read()?, self.options())?;
        if compiled.is_empty() {
            return Err(self.without_mechanism());
        }
        Ok(compiled)
    }
}

/// How mistakes are shown.
fn style() -> Style {
    Style::for_stream(&io::stderr())
}
