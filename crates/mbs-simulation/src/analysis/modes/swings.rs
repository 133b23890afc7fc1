//! Animations of modes.

use std::f64::consts::TAU;

use nalgebra::Complex;

use super::{Mode, ModeKind, Modes};
use crate::analysis::Equilibrium;
use crate::swing::Swing;
use crate::{Recorder, Recording};
use mbs_core::{Describe, Differentiable, Error, Eventful, Projection, State, Statistics, project_positions};
use mbs_diagnosis::unit_motions;

/// Number of frames of a period; the last frame repeats the first.
const FRAMES: usize = 48;

/// Frames of modes for a page: every mode oscillates once about the equilibrium, all with the same period and amplitude.
///
/// ```
/// # use mbs::{Differentiable, FullMechanism, analysis::{Modes, Statics}};
/// # fn look(mechanism: &(impl Differentiable + FullMechanism)) -> Result<(), Box<dyn std::error::Error>> {
/// let equilibrium = Statics::new(mechanism).solve()?;
/// let modes = Modes::undamped(mechanism, &equilibrium)?;
/// modes.swings(mechanism, &equilibrium, 0.1)?.page().title("How it rings").write("target/modes.html")?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Swings {
    recording: Recording,
    pub(crate) modes: Vec<Swing>,
}

impl Modes {
    /// Frames of every mode. `amplitude` is the largest rotation \[rad\], or translation relative to the mechanism's size; 0.1 is a good value.
    ///
    /// Decay and growth are not shown. Poses are projected onto the rows, so that loops stay closed: displacements in the direction of the shape
    /// satisfy the rows to first order only.
    ///
    /// # Errors
    /// Those of [`project_positions`] and of [`Mechanism::accelerations`](mbs_core::Mechanism::accelerations).
    pub fn swings<M: Differentiable + Describe + Eventful>(
        &self,
        mechanism: &M,
        equilibrium: &Equilibrium<M>,
        amplitude: f64,
    ) -> Result<Swings, Error> {
        let units = unit_motions(mechanism, equilibrium.state.view(&equilibrium.inputs));
        let mut projection = Projection::new(mechanism);
        projection.iterations = 30;
        let mut recorder = Recorder::new(mechanism);
        let (_, at_rest, ..) = mechanism.storage();
        let mut modes = Vec::new();
        for mode in self {
            let first = modes.len() * (FRAMES + 1);
            let moves = mode.shape.iter().zip(&units).map(|(x, unit)| x.norm() / unit).fold(0.0, f64::max);
            let scale = if moves > 0.0 { amplitude / moves } else { 0.0 };
            for frame in 0..=FRAMES {
                let phase = TAU * frame as f64 / FRAMES as f64;
                let mut state = displaced(mechanism, equilibrium, mode, Complex::from_polar(scale, phase))?;
                project_positions(mechanism, &mut state, &mut projection)?;
                recorder.record_motion(state.view(&equilibrium.inputs), at_rest.as_ref(), None);
            }
            modes.push(swing(mode, [first, first + FRAMES]));
        }
        Ok(Swings { recording: recorder.finish(Statistics::default()), modes })
    }
}

impl Swings {
    /// The frames, one mode after the other. Each mode is one period that begins at its largest displacement. All frames are at the time of the
    /// equilibrium.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }
}

/// The equilibrium displaced by Re(s x), with the auxiliary states of the mode.
fn displaced<M: Differentiable>(
    mechanism: &M,
    equilibrium: &Equilibrium<M>,
    mode: &Mode,
    s: Complex<f64>,
) -> Result<State<M>, Error> {
    let sizes = mechanism.sizes();
    let mut delta = vec![0.0; sizes.n_e()];
    let (displacement, rest) = delta.split_at_mut(sizes.n_v);
    let auxiliary = &mut rest[sizes.n_v..];
    for (delta, x) in displacement.iter_mut().zip(&mode.shape).chain(auxiliary.iter_mut().zip(&mode.auxiliary)) {
        *delta = (s * x).re;
    }
    let mut state = equilibrium.state.clone();
    state.displace(mechanism, &delta)?;
    Ok(state)
}

fn swing(mode: &Mode, frames: [usize; 2]) -> Swing {
    let Complex { re, im } = mode.eigenvalue;
    // The damping of an undamped mode is round-off.
    let re = if mode.kind == ModeKind::Oscillating && mode.damping_ratio().abs() < 1e-12 { 0.0 } else { re };
    let ratio = if re == 0.0 { 0.0 } else { mode.damping_ratio() };
    Swing { kind: mode.kind.to_string(), numbers: [mode.hertz(), ratio, re, im], is_unstable: mode.is_unstable, frames }
}
