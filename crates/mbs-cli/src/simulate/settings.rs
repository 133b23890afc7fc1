//! Settings of a run: duration, integrator, stabilization.

use clap::ValueEnum;
use mbs::{FullMechanism, Integrator, Simulation, Stabilization};

use crate::failure::Failure;

/// Default step of the methods of fixed step \[s\].
const STEP: f64 = 1e-3;
/// Default interval between recorded rows \[s\].
const EVERY: f64 = 0.01;
/// Absolute tolerance as a fraction of the relative one.
const ABSOLUTE: f64 = 1e-2;
/// Default spectral radius of `generalized-alpha`.
const SPECTRAL_RADIUS: f64 = 0.8;

/// Options about the run.
#[derive(clap::Args)]
pub struct Settings {
    /// How long to run [s]; 0 records the start alone.
    #[arg(short, long, value_name = "SECONDS", default_value_t = 10.0, value_parser = not_negative, allow_negative_numbers = true)]
    pub duration: f64,
    /// Interval between recorded rows [s], 0.01 unless given.
    #[arg(short, long, value_name = "SECONDS", value_parser = positive, allow_negative_numbers = true)]
    every: Option<f64>,
    /// Method of integration.
    #[arg(long, value_name = "CHOICE", default_value = "dormand-prince")]
    integrator: Method,
    /// Step of a method of fixed step [s], 0.001 unless given; the longest step of `dormand-prince`.
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_negative_numbers = true)]
    step: Option<f64>,
    /// Relative tolerance of `dormand-prince`, 1e-9 unless given; the absolute one is a hundredth of it.
    #[arg(long, value_name = "NUMBER", value_parser = positive, allow_negative_numbers = true)]
    tolerance: Option<f64>,
    /// Part of a fast oscillation that `generalized-alpha` leaves after a step, 0 to 1; 0.8 unless given.
    #[arg(long, value_name = "NUMBER", value_parser = between_zero_and_one, allow_negative_numbers = true)]
    spectral_radius: Option<f64>,
    /// Most steps of the run, accepted or not; 10000000 unless given.
    #[arg(long, value_name = "NUMBER")]
    max_steps: Option<usize>,
    /// List singular poses that the run crosses among its events.
    #[arg(long)]
    change_points: bool,
    /// How constraints are kept: `projection`, `symmetric`, `none`, `baumgarte:20` or `baumgarte:ALPHA,BETA` [1/s]; `projection` unless given,
    /// of `gauss4` and `gauss6` `symmetric`.
    #[arg(long, value_name = "CHOICE", value_parser = stabilization)]
    stabilization: Option<Stabilization>,
}

/// `--integrator`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Order 5(4), which chooses its steps by the tolerance.
    DormandPrince,
    /// Order 4, fixed steps.
    Rk4,
    /// Order 3, fixed steps.
    Rk3,
    /// Order 2, fixed steps.
    Rk2,
    /// Order 2, symmetric, fixed steps.
    ImplicitMidpoint,
    /// Order 4, symmetric, fixed steps.
    Gauss4,
    /// Order 6, symmetric, fixed steps.
    Gauss6,
    /// Order 2, damps what is fast, fixed steps.
    GeneralizedAlpha,
    /// Order 2, symplectic, of momenta, fixed steps; no attitudes.
    #[value(name = "zhong06")]
    Zhong06,
    /// Order 1, symplectic for separable systems, fixed steps.
    SemiImplicitEuler,
    /// Order 1, fixed steps.
    ExplicitEuler,
}

/// Checked settings of a run.
pub struct Chosen {
    duration: f64,
    every: f64,
    integrator: Integrator,
    longest_step: Option<f64>,
    stabilization: Option<Stabilization>,
    max_steps: Option<usize>,
    change_points: bool,
}

impl Settings {
    /// The settings with their defaults. A tolerance or a spectral radius that the integrator does not use is refused, and so is an
    /// interval longer than the run.
    pub fn choose(&self) -> Result<Chosen, Failure> {
        let step = self.step.unwrap_or(STEP);
        let mut longest_step = None;
        let name = || self.integrator.to_possible_value().map_or_else(String::new, |v| v.get_name().to_owned());
        if self.integrator != Method::GeneralizedAlpha && self.spectral_radius.is_some() {
            return Err(Failure::Usage(format!(
                "`{}` has no `--spectral-radius`: give it to `generalized-alpha`",
                name()
            )));
        }
        if self.integrator != Method::DormandPrince && self.tolerance.is_some() {
            let name = name();
            return Err(Failure::Usage(format!(
                "`{name}` has steps of fixed size and no `--tolerance`: give `--step`, or use `dormand-prince`"
            )));
        }
        if let Some(every) = self.every.filter(|every| self.duration > 0.0 && *every > self.duration) {
            let duration = self.duration;
            return Err(Failure::Usage(format!(
                "`--every` is {every}, longer than the run of {duration} s: give at most `--every {duration}`, which records its start and end"
            )));
        }
        let integrator = match self.integrator {
            Method::DormandPrince => {
                longest_step = self.step;
                self.tolerance
                    .map_or(Integrator::default(), |rtol| Integrator::DormandPrince { rtol, atol: ABSOLUTE * rtol })
            }
            Method::Rk4 => Integrator::Rk4 { step },
            Method::Rk3 => Integrator::Rk3 { step },
            Method::Rk2 => Integrator::Rk2 { step },
            Method::ImplicitMidpoint => Integrator::ImplicitMidpoint { step },
            Method::Gauss4 => Integrator::Gauss4 { step },
            Method::Gauss6 => Integrator::Gauss6 { step },
            Method::GeneralizedAlpha => {
                let spectral_radius = self.spectral_radius.unwrap_or(SPECTRAL_RADIUS);
                Integrator::GeneralizedAlpha { step, spectral_radius }
            }
            Method::Zhong06 => Integrator::Zhong06 { step },
            Method::SemiImplicitEuler => Integrator::SemiImplicitEuler { step },
            Method::ExplicitEuler => Integrator::ExplicitEuler { step },
        };
        let Settings { duration, every, stabilization, max_steps, change_points, .. } = *self;
        let every = every.unwrap_or(EVERY);
        Ok(Chosen { duration, every, integrator, longest_step, stabilization, max_steps, change_points })
    }
}

impl Chosen {
    /// Applies the settings to a simulation.
    pub fn apply<'m, M: FullMechanism>(&self, simulation: Simulation<'m, M>) -> Simulation<'m, M> {
        let simulation = simulation.duration(self.duration).every(self.every).integrator(self.integrator);
        let simulation = match self.stabilization {
            Some(choice) => simulation.stabilization(choice),
            None => simulation,
        };
        let simulation = match self.max_steps {
            Some(most) => simulation.max_steps(most),
            None => simulation,
        };
        let simulation = if self.change_points { simulation.list_change_points() } else { simulation };
        match self.longest_step {
            Some(step) => simulation.max_step(step),
            None => simulation,
        }
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        Ok(_) => Err("it has to be positive and finite".to_owned()),
        Err(_) => Err("it is not a number".to_owned()),
    }
}

fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x >= 0.0 && x.is_finite() => Ok(x),
        Ok(_) => Err("it has to be finite and not negative".to_owned()),
        Err(_) => Err("it is not a number".to_owned()),
    }
}

fn between_zero_and_one(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if (0.0..=1.0).contains(&x) => Ok(x),
        Ok(_) => Err("it has to be between 0 and 1".to_owned()),
        Err(_) => Err("it is not a number".to_owned()),
    }
}

fn stabilization(text: &str) -> Result<Stabilization, String> {
    let choices = "write `projection`, `symmetric`, `none`, `baumgarte:20` or `baumgarte:ALPHA,BETA`";
    match text.split_once(':') {
        None if text == "projection" => Ok(Stabilization::Projection),
        None if text == "symmetric" => Ok(Stabilization::SymmetricProjection),
        None if text == "none" => Ok(Stabilization::None),
        Some(("baumgarte", numbers)) => {
            let (alpha, beta) = numbers.split_once(',').unwrap_or((numbers, numbers));
            let parse = |text: &str| positive(text.trim()).map_err(|e| format!("`{}`: {e}", text.trim()));
            Ok(Stabilization::Baumgarte { alpha: parse(alpha)?, beta: parse(beta)? })
        }
        _ if text == "baumgarte" => Err("it needs its α = β [1/s]: write `baumgarte:20`".to_owned()),
        _ => Err(choices.to_owned()),
    }
}
