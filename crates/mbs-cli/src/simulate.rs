//! `mbs simulate`: runs a mechanism in the generic engine.

mod expression;
mod interrupt;
mod laws;
mod progress;
mod series;
mod settings;
mod summary;
mod values;

use std::cell::LazyCell;
use std::io::{self, Write};
use std::path::PathBuf;

use mbs::simulation::Cause;
use mbs::{Engine, Recording, Simulation};
use mbs_model::Formulation;

use crate::failure::Failure;
use crate::source::Source;
use crate::targets::Target;
use crate::waiting::Waiting;
use crate::{Outcome, output};

use interrupt::Interrupt;
use laws::Law;
use progress::Progress;
use settings::Settings;

/// Arguments of `simulate`.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Which mechanism of a file with several.
    #[arg(short, long, value_name = "NAME")]
    mechanism: Option<String>,
    #[command(flatten)]
    settings: Settings,
    /// A parameter: `length=0.5`, `angle=PI/3`, `gains=[1, 2]`, `gains[1]=2`. May be given several times.
    #[arg(short, long = "param", value_name = "NAME=VALUE")]
    parameters: Vec<String>,
    /// Parameters from a file with lines `name = value`, or a JSON object; `--param` overrides it.
    #[arg(long = "params-file", value_name = "FILE")]
    parameters_file: Option<PathBuf>,
    /// An input: `torque=0.2`, or a law of time, `torque=0.2*sin(3*t)`. May be given several times.
    #[arg(short, long = "input", value_name = "NAME=VALUE")]
    inputs: Vec<String>,
    /// Inputs over time from a CSV file with a column `t`, linear between its times; `--input` overrides it.
    #[arg(long, value_name = "FILE")]
    inputs_file: Option<PathBuf>,
    /// Write everything recorded as comma-separated values; `-` is the standard output.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write an HTML page on which the mechanism moves.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// Print no summary and no progress.
    #[arg(short, long)]
    quiet: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let mut engine = engine(arguments)?;
    let given = values::read_parameters(&arguments.parameters, arguments.parameters_file.as_deref())?;
    let followed = values::set_parameters(&mut engine, &given)?;
    let law = Law::new(engine.model(), &arguments.inputs, arguments.inputs_file.as_deref())?;
    let settings = arguments.settings.choose()?;
    // Targets are opened before the run, so that no result is lost because it cannot be written.
    let csv = arguments.csv.as_deref().map(Target::open).transpose()?;
    let page = arguments.page.as_deref().map(Target::open).transpose()?;
    Target::check_distinct([csv.as_ref(), page.as_ref()], ["--csv", "--page"])?;
    let read = LazyCell::new(|| {
        let given = [&arguments.parameters_file, &arguments.inputs_file];
        arguments.source.files().into_iter().chain(given.into_iter().flatten().cloned()).collect::<Vec<_>>()
    });
    for (target, option) in [(&csv, "--csv"), (&page, "--page")] {
        target.iter().try_for_each(|target| target.check_not_read(option, &read))?;
    }

    let interrupt = Interrupt::listen();
    let progress = Progress::new(arguments.quiet, arguments.settings.duration);
    let simulation = Simulation::new(&engine)
        .inputs(|state, u| law.write(state.t, u))
        .progress(|t| progress.show(t))
        .interrupt(|| interrupt.is_requested());
    let outcome = settings.apply(simulation).run();
    progress.finish();

    let (recording, failure) = match outcome {
        Ok(recording) => (recording, None),
        Err(failure) => {
            let explained = explain(&failure);
            (*failure.recording, Some(explained))
        }
    };
    let to_standard = [&csv, &page].iter().any(|target| target.as_ref().is_some_and(Target::is_standard));
    let (written, lost) = write_results(&recording, csv, page);
    match failure {
        Some(Failure::Run(message)) => Err(Failure::Run(message + &list_results(&recording, &written, &lost))),
        Some(Failure::Interrupted(message)) => {
            Err(Failure::Interrupted(message + &list_results(&recording, &written, &lost)))
        }
        Some(failure) => Err(failure),
        None => {
            if !arguments.quiet {
                let text = summary::text(&engine, &recording, &followed, &written);
                // If a result goes to the standard output, the summary goes to the standard error.
                if to_standard {
                    output::ignore_closed_pipe(io::stderr().write_all(text.as_bytes()))?;
                } else {
                    output::print(&text)?;
                }
            }
            lost.into_iter().next().map_or(Ok(()), Err)
        }
    }
}

/// Writes the recording, unless it is empty. Returns the names of the files that were written, and the failures of the others: a result is
/// written even if another cannot be.
fn write_results(recording: &Recording, csv: Option<Target>, page: Option<Target>) -> (Vec<String>, Vec<Failure>) {
    if recording.is_empty() {
        return Default::default();
    }
    let csv = csv.map(|csv| csv.write(|out| recording.to_csv(out)));
    let page = page.map(|page| page.write(|out| out.write_all(recording.page().to_html().as_bytes())));
    let (mut written, mut lost) = (Vec::new(), Vec::new());
    for result in csv.into_iter().chain(page) {
        match result {
            Ok(name) => written.extend(name),
            Err(failure) => lost.push(failure),
        }
    }
    (written, lost)
}

/// Builds the engine of the run; another engine would change only this function.
fn engine(arguments: &Arguments) -> Result<Engine, Failure> {
    let source = &arguments.source;
    let text = source.read()?;
    let build = |formulation: Option<Formulation>| {
        let mut options = Engine::options().path(&source.path()).folder(source.folder());
        if let Some(formulation) = formulation {
            options = options.formulation(formulation);
        }
        if let Some(name) = &arguments.mechanism {
            options = options.mechanism(name);
        }
        let _waiting = Waiting::start(format!("checking {}", source.path()));
        options.text(&text)
    };
    let engine = match source.is_automatic() {
        true => Err(mbs::engine::Failure::AutomaticCoordinates),
        false => build(source.formulation()),
    };
    match engine {
        Err(mbs::engine::Failure::AutomaticCoordinates) => build(Some(chosen_formulation(arguments)?)),
        engine => engine,
    }
    .map_err(|failure| explain_refusal(failure, source))
}

/// The formulation that the compiler chooses.
fn chosen_formulation(arguments: &Arguments) -> Result<Formulation, Failure> {
    let compiled = arguments.source.compile()?;
    let is_wanted = |name: &str| arguments.mechanism.as_ref().is_none_or(|wanted| wanted == name);
    let model = compiled.iter().map(|compiled| &compiled.model).find(|model| is_wanted(&model.header.name));
    // Whatever is wrong with the name, the engine says.
    Ok(model.map_or(Formulation::Joint, |model| model.coordinates.formulation))
}

/// The failure of the engine in the words of the command line.
fn explain_refusal(failure: mbs::engine::Failure, source: &Source) -> Failure {
    use mbs::engine::Failure as Engine;
    let listed = |names: &[String]| names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    match failure {
        Engine::Mistakes(text) => Failure::Compile(mbs_codegen::Failure::Mistakes(text)),
        Engine::Io(path, error) => Failure::io(&path, error),
        Engine::Mechanism { wanted: Some(name), found } => crate::failure::unknown("mechanism", &name, &found),
        Engine::Mechanism { wanted: None, found } if found.is_empty() => source.no_mechanism(),
        Engine::Mechanism { wanted: None, found } => Failure::Usage(format!(
            "{} contains several mechanisms: {}; choose one with `--mechanism NAME`",
            source.path(),
            listed(&found)
        )),
        Engine::Function(mbs_expr::FunctionError::Unbound { name, .. }) => Failure::Usage(format!(
            "function `{name}` is written in Rust, which the command line does not have: run the mechanism from a program"
        )),
        other => Failure::Usage(other.to_string()),
    }
}

/// The reason why a run stopped, and the diagnosis of the mechanism in that state. A setting out of its domain is wrong usage.
fn explain(failure: &mbs::Failure) -> Failure {
    match failure.cause {
        Cause::Setting { name, .. } => {
            let option = match name {
                "rtol" | "atol" => "tolerance",
                "max_step" => "step",
                name => name,
            };
            Failure::Usage(failure.to_string().replacen(&format!("`{name}`"), &format!("`--{option}`"), 1))
        }
        Cause::Memory { .. } | Cause::Resolution { .. } | Cause::Steps { .. } => Failure::Usage(in_options(failure)),
        Cause::Run(mbs::Error::TooManySteps { .. }) => Failure::Run(in_options(failure)),
        Cause::Interrupted { .. } => Failure::Interrupted(failure.to_string()),
        _ => Failure::Run(failure.to_string()),
    }
}

/// The message of a failure, with options in place of settings.
fn in_options(failure: &mbs::Failure) -> String {
    let names = ["max_steps", "every", "duration", "step"];
    let option =
        |text: String, name: &&str| text.replace(&format!("`{name}`"), &format!("`--{}`", name.replace('_', "-")));
    let text = failure.to_string();
    // Details below the first line name items of the declaration, not settings.
    let end = text.find('\n').unwrap_or(text.len());
    let (message, details) = text.split_at(end);
    names.iter().fold(message.to_owned(), option) + details
}

/// "120 rows until t = 1.19 are in run.csv", then a line for each result that could not be written.
fn list_results(recording: &Recording, written: &[String], lost: &[Failure]) -> String {
    let results = match recording.times().last() {
        Some(t) if !written.is_empty() => {
            format!("\n  {} rows until t = {t} are in {}", recording.len(), written.join(" and "))
        }
        _ => String::new(),
    };
    lost.iter().fold(results, |text, failure| format!("{text}\n{failure}"))
}
