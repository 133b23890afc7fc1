//! Settings: `gravity`, `frame`, `coordinates`, `freedoms`, `kernels`, `budget`, `redundant`.

use mbs_definition::{Expr, ExprKind, Ident, Origin, Setting};
use mbs_expr::ExprId;
use mbs_model::{Formulation, Kernels};

use crate::mistakes;
use crate::resolvers::{Resolves, SettingPhase};
use crate::value::{Axes, Value};
use crate::{Declared, Reported, Res, Resolver, Scope, State, did_you_mean, synonyms};

const SETTINGS: &[&str] =
    &["gravity", "frame", "coordinates", "freedoms", "kernels", "budget", "redundant", "exclusive"];
/// Settings of later versions.
const LATER: &[&str] = &["scalars"];
/// Settings that may be given more than once.
const REPEATED: &[&str] = &["exclusive"];

/// Values of the settings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub gravity: Option<[ExprId; 3]>,
    /// `frame: rotating { … }`, not evaluated.
    pub frame: Option<Setting>,
    /// `None` unless given, and for `coordinates: auto`.
    pub formulation: Option<Formulation>,
    /// Whether `coordinates: auto` is given.
    pub is_automatic: bool,
    pub freedoms: Option<(usize, Origin)>,
    pub kernels: Option<Kernels>,
    /// Position of `inverse` in the source.
    pub inverse_origin: Option<Origin>,
    /// Position of `momenta` in the source.
    pub momenta_origin: Option<Origin>,
    pub budget: Option<(usize, Origin)>,
    pub redundant: Option<Origin>,
    /// Value of each `exclusive:`.
    pub exclusive: Vec<Expr>,
}

impl<'a> SettingPhase<'_, 'a> {
    pub(crate) fn resolve(&mut self, settings: &[&Setting]) {
        let mut seen: Vec<&str> = Vec::new();
        for setting in settings {
            let name = setting.name.text.as_str();
            if seen.contains(&name) && !REPEATED.contains(&name) {
                // Two tunable gravities declare one name twice, which has been reported.
                if !(name == "gravity" && setting.tunable) {
                    self.report(setting.name.origin, mistakes::settings::setting_twice(name));
                }
                continue;
            }
            seen.push(name);
            let _: Res<()> = self.setting(setting);
        }
    }

    fn setting(&mut self, setting: &Setting) -> Res<()> {
        let name = &setting.name;
        if setting.value.as_ref().is_some_and(|value| value.kind == ExprKind::Broken) {
            self.resolver.mistakes.broken = true;
            return Err(Reported);
        }
        if LATER.contains(&name.text.as_str()) {
            return self.fail_unsupported(name.origin, &name.text);
        }
        if !SETTINGS.contains(&name.text.as_str()) {
            let help = synonyms::elsewhere(&name.text).or_else(|| did_you_mean(&name.text, SETTINGS.iter().copied()));
            return self.fail(name.origin, mistakes::settings::unknown_setting(&name.text).help_if(help));
        }
        if setting.tunable && name.text != "gravity" {
            return self.fail(name.origin, mistakes::settings::setting_not_tunable(&name.text));
        }
        let budget = name.text == "budget";
        let known: &[&str] = match name.text.as_str() {
            "budget" => &["operations"],
            // Its values are evaluated in `FramePhase`.
            "frame" => crate::forces::rotating::ARGUMENTS,
            _ => &[],
        };
        let arguments =
            self.argument_resolver().arguments(&format!("setting `{}`", name.text), &setting.arguments, known);
        if budget {
            let Some(operations) = arguments.found[0] else {
                if arguments.strange {
                    return Err(Reported);
                }
                return self.fail(name.origin, mistakes::settings::budget_without_operations());
            };
            let n = self.count(&operations.value, "a budget")?;
            self.resolver.chosen.budget = Some((n, operations.value.origin));
            return Ok(());
        }
        let Some(value) = &setting.value else {
            return self.fail(name.origin, mistakes::settings::setting_without_value(&name.text));
        };
        match name.text.as_str() {
            "gravity" => self.resolver.chosen.gravity = Some(self.gravity(setting, value)?),
            "frame" => {
                self.resolver.expect_word(value, "a frame", &["rotating"])?;
                self.resolver.chosen.frame = Some(setting.clone());
            }
            "coordinates" => {
                self.resolver.chosen.formulation = self.resolver.formulation_or_auto(value)?;
                self.resolver.chosen.is_automatic = self.resolver.chosen.formulation.is_none();
            }
            "freedoms" => self.resolver.chosen.freedoms = Some((self.count(value, "`freedoms`")?, value.origin)),
            // Names of joints and equations have no meaning yet.
            "exclusive" => self.resolver.chosen.exclusive.push(value.clone()),
            "redundant" => {
                self.resolver.expect_word(value, "a treatment of redundant rows", &["resolve"])?;
                self.resolver.chosen.redundant = Some(name.origin);
            }
            _ => self.resolver.chosen.kernels = Some(self.kernels(value)?),
        }
        Ok(())
    }

    fn gravity(&mut self, setting: &Setting, value: &Expr) -> Res<[ExprId; 3]> {
        if setting.tunable {
            let mine = |d: &Declared<'_>| matches!(d, Declared::Gravity(s) if std::ptr::eq(*s, setting));
            let slot = self.resolver.names.slots.iter().find(|s| mine(&s.declared)).expect("declared with the names");
            return match &slot.state {
                State::Done(Value::Vector(v, _)) if v.len() == self.resolver.dimension() => {
                    let v = v.clone();
                    Ok(self.vectors().padded(&v))
                }
                State::Done(other) => {
                    let example = if self.resolver.dimension() == 2 { "[0, -9.81]" } else { "[0, 0, -9.81]" };
                    self.fail(
                        value.origin,
                        mistakes::settings::gravity_of_another_shape(
                            self.resolver.dimension(),
                            other.describe(),
                            example,
                        ),
                    )
                }
                _ => Err(Reported),
            };
        }
        let (v, axes) = self.resolver.evaluate_vector(value, &Scope::default(), "gravity")?;
        self.vectors().expect_axes(axes, Axes::World, value.origin, "gravity")?;
        for x in v {
            self.argument_resolver().parametric(x, value.origin, "gravity")?;
            self.argument_resolver().in_domain(x, mbs_model::Domain::Finite, value.origin, "gravity")?;
        }
        Ok(v)
    }

    fn count(&mut self, value: &Expr, subject: &str) -> Res<usize> {
        let n = self.resolver.evaluate_integer(value, &Scope::default(), subject)?;
        match usize::try_from(n) {
            Ok(n) => Ok(n),
            Err(_) => self.fail(value.origin, mistakes::settings::negative_count(subject)),
        }
    }

    fn kernels(&mut self, value: &Expr) -> Res<Kernels> {
        let single = std::slice::from_ref(value);
        let words = if let ExprKind::Vector(words) = &value.kind { &words[..] } else { single };
        let mut kernels = Kernels::NONE;
        let mut good = true;
        const KNOWN: &[&str] = &[
            "forward",
            "kinematics",
            "energies",
            "outputs",
            "reactions",
            "hessians",
            "inverse",
            "jacobians",
            "linearization",
            "momenta",
            "operators",
            "sensitivities",
            "steps",
        ];
        for word in words {
            match self.resolver.expect_word(word, "a kernel", KNOWN) {
                Ok("forward") => kernels.forward = true,
                Ok("kinematics") => kernels.kinematics = true,
                Ok("energies") => kernels.energies = true,
                Ok("outputs") => kernels.outputs = true,
                Ok("reactions") => kernels.reactions = true,
                Ok("operators") => kernels.operators = true,
                Ok("jacobians") => kernels.jacobians = true,
                Ok("linearization") => kernels.linearization = true,
                Ok("momenta") => {
                    kernels.momenta = true;
                    self.resolver.chosen.momenta_origin = Some(word.origin);
                }
                Ok("sensitivities") => kernels.sensitivities = true,
                Ok("hessians") => kernels.hessians = true,
                Ok("steps") => kernels.steps = true,
                Ok(_) => {
                    kernels.inverse = true;
                    self.resolver.chosen.inverse_origin = Some(word.origin);
                }
                Err(Reported) => good = false,
            }
        }
        if good { Ok(kernels.completed()) } else { Err(Reported) }
    }
}

impl Resolver<'_> {
    /// Reads `body`, `joint` or `natural`, for a single body.
    pub(crate) fn body_formulation(&mut self, value: &Expr) -> Res<Formulation> {
        if self.chosen.is_automatic {
            return self.fail(value.origin, mistakes::settings::coordinates_beside_automatic_ones());
        }
        let word = self.expect_word(value, "a choice of coordinates", &["body", "joint", "natural"])?;
        Ok(formulation_of(word).unwrap_or(Formulation::Joint))
    }

    /// Reads `body`, `joint`, `natural` or `auto`, for the mechanism; `None` for `auto`.
    pub(crate) fn formulation_or_auto(&mut self, value: &Expr) -> Res<Option<Formulation>> {
        let words = &["body", "joint", "natural", "auto"];
        Ok(formulation_of(self.expect_word(value, "a choice of coordinates", words)?))
    }

    /// Reads a name that must be one of `words`; `subject` names it in the message.
    pub(crate) fn expect_word(&mut self, value: &Expr, subject: &str, words: &[&'static str]) -> Res<&'static str> {
        let name = match &value.kind {
            ExprKind::Name(name) => name,
            ExprKind::Call(Ident { text, .. }, _) if words.contains(&text.as_str()) => text,
            ExprKind::Broken => {
                self.mistakes.broken = true;
                return Err(Reported);
            }
            _ => {
                return self.fail(value.origin, mistakes::settings::setting_is_a_word(subject, words.join("`, `")));
            }
        };
        match words.iter().find(|word| *word == name) {
            Some(word) => Ok(word),
            None => {
                let help = did_you_mean(name, words.iter().copied())
                    .or_else(|| Some(format!("one of `{}`", words.join("`, `"))));
                self.fail(value.origin, mistakes::settings::not_a_word_of_setting(name, subject).help_if(help))
            }
        }
    }
}

/// The formulation that a word names.
fn formulation_of(word: &str) -> Option<Formulation> {
    [Formulation::Body, Formulation::Joint, Formulation::Natural].into_iter().find(|f| f.word() == word)
}
