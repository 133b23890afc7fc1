//! Natural coordinates.

use mbs_codegen::compile::Options;
use mbs_codegen::compile_text;
use mbs_model::Formulation;

#[test]
fn scratch() {
    for name in ["four_bar", "andrews", "slider_crank", "double_pendulum", "simple_pendulum", "five_bar", "n_four_bar_2"] {
        let text = std::fs::read_to_string(format!("../../mechanisms/{name}.mbs")).unwrap();
        let options = Options { formulation: Some(Formulation::Natural), ..Options::default() };
        match compile_text(name, &text, options) {
            Err(failure) => println!("{name}: {failure}"),
            Ok(mut list) => {
                let compiled = list.remove(0).0;
                let counts = compiled.function("accelerations").unwrap().counts;
                println!("{name}: {:?} n {} rows {:?}", counts, compiled.tree.n(), compiled.tree.rows.iter().map(|r| &r.name).collect::<Vec<_>>());
                println!("   {:?}", (0..compiled.tree.n()).map(|i| compiled.tree.coordinate_name(&compiled.model, i)).collect::<Vec<_>>());
            }
        }
    }
}
