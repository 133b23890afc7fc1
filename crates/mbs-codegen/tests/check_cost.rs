//! Checks stay fast in debug builds.

use std::time::Instant;

use mbs_codegen::derive::derive;
use mbs_codegen::evaluate::Sampler;
use mbs_codegen::graph::Graph;
use mbs_model::check::check;
use mbs_model::mechanics::Tree;
use mbs_model::{Formulation, resolve};

#[test]
fn time() {
    for file in ["chain40", "chained"] {
        for formulation in [Formulation::Joint, Formulation::Body] {
            let text = std::fs::read_to_string(format!("/tmp/diag/{file}.mbs")).unwrap();
            let t = Instant::now();
            let parsed = mbs_syntax::parse_text("m", &text);
            let mut model = resolve(&parsed.definitions[0]).unwrap();
            model.formulation = formulation;
            let tree = Tree::new(&model);
            eprintln!("{file} {formulation:?} n {} rows {} resolve {:?}", tree.n(), tree.rows.len(), t.elapsed());
            let t = Instant::now();
            let graph = Graph::new();
            let equations = derive(&graph, &model, &tree);
            eprintln!("derive {:?}", t.elapsed());
            let t = Instant::now();
            let sampler = Sampler::new(&graph, &model, &tree, &equations);
            let count = std::cell::Cell::new(0);
            eprintln!("sampler {:?}", t.elapsed());
            let t = Instant::now();
            let spent = std::cell::Cell::new(std::time::Duration::ZERO);
            let checked = check(&model, &tree, &|q, guesses| {
                count.set(count.get() + 1);
                let t = Instant::now();
                let s = sampler.sample(q, guesses);
                spent.set(spent.get() + t.elapsed());
                s
            });
            eprintln!("check {:?} ({} samples {:?}) {}", t.elapsed(), count.get(), spent.get(), checked.is_ok());
        }
    }
}
