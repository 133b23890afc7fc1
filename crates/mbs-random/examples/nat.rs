use mbs_codegen::Interpreted;
use mbs_codegen::compile::Options;
use mbs_codegen::interp::Fma;
use mbs_core::{Item, Mechanism};
use mbs_model::Formulation;
use mbs_random::laws;
use mbs_random::ledger::Violation;
use mbs_random::oracle::Oracle;
use mbs_random::state::{Random, assembled, consistent, scattered};
fn interpret(name: &str, text: &str, formulation: Option<Formulation>) -> Result<Interpreted, String> {
    let compiled = mbs_codegen::compile_text(name, text, Options { formulation, ..Options::default() });
    let compiled = compiled.map_err(|e| e.to_string())?.remove(0).0;
    Interpreted::new(compiled, Fma::Plain).map_err(|e| format!("{e:?}"))
}
fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let verbose = names.len() == 1;
    for path in std::fs::read_dir("mechanisms").unwrap() {
        let path = path.unwrap().path();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if !text.lines().any(|l| l.starts_with("pub spatial ")) || text.contains("extern fn") || text.contains("fn(") {
            continue;
        }
        if !names.is_empty() && !names.contains(&name) {
            continue;
        }
        let body = interpret(&name, &text, Some(Formulation::Body));
        let natural = interpret(&name, &text, Some(Formulation::Natural));
        let (body, natural) = match (body, natural) {
            (Ok(b), Ok(n)) => (b, n),
            (b, n) => {
                println!("{name}: body {:?} natural {:?}", b.err(), n.err());
                continue;
            }
        };
        let c = natural.compiled().function("accelerations").unwrap().counts;
        let cb = body.compiled().function("accelerations").unwrap().counts;
        let s = natural.sizes();
        println!("{name}: q {} c {} ops {} {} (body {})", s.n_q, s.n_c, c.operations, c.sincos, cb.operations);
        if verbose {
            for i in 0..s.n_q {
                print!("{} ", natural.name(Item::Coordinate(i)));
            }
            println!();
            for i in 0..s.n_c {
                print!("{} ", natural.name(Item::Row(i)));
            }
            println!();
        }
        let start = match assembled(&natural) {
            Ok(s) => s,
            Err(e) => {
                println!("{name}: does not assemble: {e}");
                continue;
            }
        };
        let mut random = Random::new(7);
        let mut states = scattered(&natural, &start, 4, &mut random);
        let on = consistent(&natural, &start, 4, &mut random);
        if on.is_empty() {
            println!("{name}: no consistent");
        }
        let mut found: Vec<Violation> = Vec::new();
        let mut law = |result: Result<f64, Violation>| found.extend(result.err());
        law(laws::derivatives_are_differences(&natural, &states));
        states.extend(on.iter().cloned());
        let oracles = Oracle::all(&natural, &states);
        law(laws::equations_are_those_of_series(&natural, &oracles));
        law(laws::reports_are_those_of_series(&natural, &oracles));
        law(laws::accelerations_solve_their_equations(&natural, &states));
        law(laws::stages_accelerate_alike(&natural, &states));
        law(laws::solves_solve_their_equations(&natural, &states));
        law(laws::loads_account_for_energy(&natural, &oracles[states.len() - on.len()..]));
        law(laws::formulations_accelerate_alike(&body, &natural, &on));
        for v in &found {
            let t: String = v.to_string().chars().take(if verbose { 1500 } else { 250 }).collect();
            println!("   {t}");
        }
    }
}
