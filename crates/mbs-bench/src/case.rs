//! The cases: each mechanism in each formulation, with all methods for its accelerations.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use mbs::Mechanism;
use mbs_compiler::compile::{Compiled, Options};
use mbs_compiler::interp::{Fma, Inputs};
use mbs_compiler::program::Counts;
use mbs_engine::Engine;
use mbs_expr::FunctionSource;
use mbs_interp::Interpreted;
use mbs_model::Formulation;

use crate::candidate::{Candidate, Method, Start};
use crate::family::four_bars;
use crate::hand;

/// One mechanism in one formulation.
pub struct Case {
    /// Stem of its file, or `four_bars_<N>`.
    pub name: &'static str,
    /// Module of its generated code.
    pub module: &'static str,
    /// Its coordinates.
    pub formulation: Formulation,
    /// Number of speeds and number of rows.
    pub unknowns: [usize; 2],
    /// Operation counts of the generated `accelerations`.
    pub counts: Counts,
    /// All methods for the accelerations, at the same state.
    pub candidates: Vec<Candidate>,
    start: Start,
    /// Accelerations by the interpreter at this state.
    accelerations: Vec<f64>,
}

/// Calls `visit` for the mechanisms that are `wanted` by name, in both formulations, one after the other.
///
/// # Panics
/// If candidates disagree, or a pivot vanishes, so that generated code falls back to dense matrices.
pub fn for_each_case(wanted: &dyn Fn(&str) -> bool, visit: &mut dyn FnMut(Case)) {
    // For `"four_bar", four_bar, FourBar`: a case with `body::FourBar` and one with `joint::FourBar`.
    macro_rules! add {
        ($name:tt, $module:ident, $type:ident) => {
            add!($name, $module, $type, body Body);
            add!($name, $module, $type, joint Joint);
        };
        ($name:tt, $module:ident, $type:ident, $coordinates:ident $formulation:ident) => {
            if wanted($name) {
                let mut case = Case::new($name, stringify!($module), Formulation::$formulation);
                let new = || crate::$coordinates::$type::new(Default::default()).expect("defaults are valid");
                case.add_mechanism(Method::Generated, new());
                let ([fused, staged], (q, v, z), u) = ([new(), new()], case.arrays(&new()), Default::default);
                case.add_call(Method::Fused, move || fused.accelerations(0.0, black_box(&q), black_box(&v), &u(), &z));
                case.add_call(Method::Staged, move || {
                    add!(stages $name, staged, black_box(&q), black_box(&v), &u(), &z)
                });
                visit(case);
            }
        };
        // Its rows depend on states, and so does its first stage.
        (stages "telescope", $mechanism:ident, $q:expr, $v:expr, $u:expr, $z:expr) => {
            $mechanism.at_position(0.0, $q, $z).at_velocity($v).accelerate($u).map(|m| (m.a, m.lambda))
        };
        (stages "clutch", $mechanism:ident, $q:expr, $v:expr, $u:expr, $z:expr) => {
            $mechanism.at_position(0.0, $q, $z).at_velocity($v).accelerate($u).map(|m| (m.a, m.lambda))
        };
        (stages "towed_sled", $mechanism:ident, $q:expr, $v:expr, $u:expr, $z:expr) => {
            $mechanism.at_position(0.0, $q, $z).at_velocity($v).accelerate($u).map(|m| (m.a, m.lambda))
        };
        (stages $name:tt, $mechanism:ident, $q:expr, $v:expr, $u:expr, $z:expr) => {
            $mechanism.at_position(0.0, $q).at_velocity($v).accelerate($u, $z).map(|m| (m.a, m.lambda))
        };
    }
    // Only planar cases; robots and satellites have separate benches.
    mbs_corpus::for_each_planar_module!(add);
    for_each_size!(add);
}

impl Case {
    /// `body` or `joint`, which is also the module of its generated code.
    pub fn coordinates(&self) -> &'static str {
        self.formulation.word()
    }

    /// N of a case of N four-bars.
    pub fn four_bars(&self) -> Option<usize> {
        self.name.strip_prefix("four_bars_").and_then(|n| n.parse().ok())
    }

    /// Creates the case, with code by hand where it exists, the interpreter and the engine.
    fn new(name: &'static str, module: &'static str, formulation: Formulation) -> Case {
        let text = text(name);
        let mut compiled = compile(name, &text, formulation);
        let engine = engine(&text, &compiled, formulation);
        let functions: Vec<String> = {
            let rust = compiled.model.functions.iter().filter(|f| f.source() == FunctionSource::Rust);
            rust.map(|f| f.name.clone()).collect()
        };
        for name in &functions {
            compiled.model.bind(name, function(name)).expect("the model has it");
        }
        let mut case = Case {
            name,
            module,
            formulation,
            unknowns: [compiled.tree.n(), compiled.tree.rows.len()],
            counts: compiled.function("accelerations").expect("it is always emitted").counts,
            candidates: Vec::new(),
            start: Start::from_engine(&engine),
            accelerations: Vec::new(),
        };
        let fma = if mbs::math::FUSED { Fma::Fused } else { Fma::Plain };
        let interpreted = Interpreted::new(compiled, fma).expect("defaults are inside their domains");
        case.refuse_detour(&interpreted);
        case.add_mechanism(Method::Interpreted, interpreted);
        case.add_mechanism(Method::Engine, engine);
        if let Some((candidate, a)) = hand::candidate(name, formulation, &case.start) {
            case.compare(Method::Hand, &a);
            case.candidates.insert(0, candidate);
        }
        case
    }

    /// Panics if a pivot vanishes: generated code then falls back to dense matrices, which must not be timed.
    fn refuse_detour(&self, interpreted: &Interpreted) {
        let Start { q, v, z, u } = &self.start;
        let straight = interpreted.run("accelerations", Inputs { q, v, z, u, ..Inputs::default() });
        assert!(straight.is_ok(), "{}: a pivot vanishes at the declared pose", self.name);
    }

    /// Adds the accelerations of a mechanism, called through the trait.
    fn add_mechanism<M: Mechanism + 'static>(&mut self, method: Method, mechanism: M) {
        let (candidate, a) = Candidate::from_mechanism(method, mechanism, &self.start);
        self.compare(method, &a);
        self.candidates.push(candidate);
    }

    /// Adds a call that returns its results.
    fn add_call<R>(&mut self, method: Method, call: impl Fn() -> R + 'static) {
        self.candidates.push(Candidate::new(method, move || {
            black_box(call());
        }));
    }

    /// The state in arrays of the mechanism's types.
    fn arrays<M: Mechanism>(&self, mechanism: &M) -> (M::Coordinates, M::Speeds, M::Auxiliary) {
        let (mut q, mut v, _, mut z, ..) = mechanism.storage();
        q.as_mut().copy_from_slice(&self.start.q);
        v.as_mut().copy_from_slice(&self.start.v);
        z.as_mut().copy_from_slice(&self.start.z);
        (q, v, z)
    }

    /// Asserts that accelerations agree with the first ones to 1e-9 of the largest, since orders of elimination differ.
    fn compare(&mut self, method: Method, a: &[f64]) {
        if self.accelerations.is_empty() {
            self.accelerations = a.to_vec();
        }
        let largest = self.accelerations.iter().fold(1.0_f64, |largest, x| largest.max(x.abs()));
        for (found, expected) in a.iter().zip(&self.accelerations) {
            let (name, method) = (self.name, method.name());
            assert!((found - expected).abs() <= 1e-9 * largest, "{name}, {method}: {found}, not {expected}");
        }
    }
}

fn text(name: &str) -> String {
    if let Some(n) = name.strip_prefix("four_bars_") {
        return four_bars(n.parse().expect("the name ends in a number"));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../mechanisms/{name}.mbs"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn compile(name: &str, text: &str, formulation: Formulation) -> Compiled {
    let options = Options { formulation: Some(formulation), ..Options::default() };
    let compiled = mbs_codegen::compile_text(name, text, options);
    compiled.unwrap_or_else(|failure| panic!("{failure}")).remove(0).0
}

fn engine(text: &str, compiled: &Compiled, formulation: Formulation) -> Engine {
    let mut options = Engine::options().formulation(formulation);
    for declared in compiled.model.functions.iter().filter(|f| f.source() == FunctionSource::Rust) {
        options = options.function(&declared.name, function(&declared.name));
    }
    options.text(text).unwrap_or_else(|failure| panic!("{failure}"))
}

/// A function of `mbs_corpus::functions`, in the form that models take.
fn function(name: &str) -> impl Fn(f64, &mut [f64]) + Send + Sync + 'static {
    // The function of a part's instance is that of the part.
    let function = match name.rsplit('.').next() {
        Some("gas") => mbs_corpus::functions::gas,
        Some("ramp") => mbs_corpus::functions::ramp,
        Some("felt") => mbs_corpus::functions::felt,
        _ => panic!("`{name}` is not in mbs_corpus::functions"),
    };
    move |x, values| values.copy_from_slice(&function(x))
}
