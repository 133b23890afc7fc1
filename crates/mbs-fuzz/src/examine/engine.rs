//! Examination of a model by the engine: construction, one evaluation of all recorded quantities, a few steps.

use std::io;

use mbs::diagnosis::diagnose;
use mbs::{Engine, Quantity, Recording, Simulation, State, assemble};
use mbs_check::free_motions;
use mbs_model::Model;

use super::Failure;

/// Reason why the engine refuses a model.
pub enum Refusal {
    /// A mistake in the text, with the first of its messages.
    Mistake(String),
    /// A reason other than the text.
    Other,
}

impl Refusal {
    /// The code, such as `MBS063`, or a word for other reasons.
    pub fn code(&self) -> String {
        match self {
            Refusal::Mistake(message) => message.get(1..7).unwrap_or_default().to_owned(),
            Refusal::Other => "engine".to_owned(),
        }
    }
}

/// Builds the engine of a model.
///
/// # Errors
/// The reason why there is none.
pub fn build(model: Model) -> Result<Engine, Refusal> {
    match Engine::options().model(model) {
        Ok(engine) => Ok(engine),
        Err(mbs::engine::Failure::Mistakes(text)) => {
            let first = text.split("\n\n").next().unwrap_or_default();
            Err(Refusal::Mistake(first.strip_prefix("error: ").unwrap_or(first).to_owned()))
        }
        Err(_) => Err(Refusal::Other),
    }
}

/// Most steps of a run.
const STEPS: usize = 30;

/// Runs a mechanism for a few steps, and checks all recorded values; if `is_complete`, also diagnoses its start.
pub fn run(engine: &Engine, is_complete: bool) -> Result<(), Failure> {
    let run = Simulation::new(engine).duration(0.01).every(0.005).max_steps(STEPS).list_change_points().run();
    let recording = match &run {
        Ok(recording) => recording,
        Err(failure) => {
            // Formats the failure as users see it.
            let _ = failure.to_string();
            &failure.recording
        }
    };
    is_finite(recording)?;
    let written = recording.to_csv(io::sink());
    written.map_err(|e| Failure::new("a recording is written", e.to_string()))?;
    if is_complete {
        let _ = recording.page().to_html();
        let mut state = State::new(engine);
        let _ = assemble(engine, &mut state);
        for finding in &diagnose(engine, &state).findings {
            let _ = finding.to_string();
        }
        for motion in free_motions(engine.model(), engine.tree(), engine.checked()).into_iter().flatten() {
            let _ = motion.to_string();
        }
    }
    Ok(())
}

fn is_finite(recording: &Recording) -> Result<(), Failure> {
    for quantity in [Quantity::Coordinates, Quantity::Speeds] {
        let table = recording.table(quantity);
        for (name, column) in table.names().iter().zip(table.columns()) {
            if let Some(x) = column.iter().find(|x| !x.is_finite()) {
                return Err(Failure::new("recorded coordinates and speeds are finite", format!("{name} = {x}")));
            }
        }
    }
    Ok(())
}
