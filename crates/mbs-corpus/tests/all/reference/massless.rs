//! Mechanisms of `mechanisms/` with masses, inertias and densities zero, interpreted.

use std::fs;
use std::path::Path;

use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_interp::Interpreted;
use mbs_model::Formulation;

/// A mechanism with all masses, inertias and densities zero, in body and in joint coordinates.
pub fn without_masses(stem: &str) -> [(&'static str, Interpreted); 2] {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../mechanisms/{stem}.mbs"));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let text: String = text.lines().map(without_mass).collect();
    [("body", Formulation::Body), ("joint", Formulation::Joint)].map(|(coordinates, formulation)| {
        let options = Options { formulation: Some(formulation), ..Options::default() };
        let compiled = mbs_codegen::compile_text(stem, &text, options);
        let compiled = compiled.unwrap_or_else(|failure| panic!("{stem}: {failure}")).remove(0).0;
        (coordinates, Interpreted::new(compiled, Fma::Plain).expect("defaults are inside their domains"))
    })
}

/// Sets some parameters of a mechanism by name.
pub fn set_parameters(mechanism: &mut Interpreted, parameters: &[(&str, f64)]) {
    let mut values = mechanism.parameters().to_vec();
    for (name, value) in parameters {
        let index = mechanism.parameter_index(name);
        values[index.unwrap_or_else(|| panic!("no parameter `{name}`"))] = *value;
    }
    mechanism.set_parameters(&values).expect("parameters in their domain");
}

/// A line of the text; the default of a parameter that is a mass, inertia or density is replaced by zero.
fn without_mass(line: &str) -> String {
    let name = line.trim_start().strip_prefix("param ").and_then(|rest| rest.split(" = ").next());
    match name.filter(|name| ["mass", "inertia", "density"].iter().any(|end| name.ends_with(end))) {
        Some(name) => format!("    param {name} = 0;\n"),
        None => format!("{line}\n"),
    }
}
