//! Coordinates that the compiler chooses.

use mbs_compiler::compile::{Compiled, Options, compile};
use mbs_model::Formulation;
use mbs_syntax::parse_text;

fn compiled(text: &str, options: Options) -> Compiled {
    let parsed = parse_text("m.mbs", text);
    compile(&parsed.definitions[0], options).unwrap_or_else(|errors| panic!("{:?}", errors.list()))
}

const CRANK: &str = "planar M {
    coordinates: auto;
    gravity: [0, -9.81];
    body crank { mass: 1, inertia: 0.1, com: [0.5, 0], angle: 0.5 }
    body rod { mass: 1, inertia: 0.2, com: [1, 0], angle: -0.2 }
    joint a = revolute(ground, crank);
    joint b = revolute(crank at [1, 0], rod);
    joint c = point_on_line(ground, rod at [2, 0]) { axis: [1, 0] };
    output x = position(rod at [2, 0]);
}";

/// The choice is the cheapest, and gives what it gives if it is declared.
#[test]
fn the_cheapest_is_chosen() {
    let chosen = compiled(CRANK, Options::default());
    let times: Vec<f64> = chosen.alternatives.iter().map(|a| a.cost.expect("all compile").nanoseconds()).collect();
    assert!(times.len() == 3 && times.is_sorted(), "{times:?}");
    assert_eq!(chosen.model.coordinates.formulation, chosen.alternatives[0].formulation);
    for alternative in &chosen.alternatives {
        let declared = CRANK.replace("auto", alternative.formulation.word());
        let declared = compiled(&declared, Options::default());
        assert!(declared.alternatives.is_empty());
        let counts = declared.function("accelerations").expect("it is always emitted").counts;
        assert_eq!(alternative.cost, Ok(counts), "{:?}", alternative.formulation);
        assert_eq!(alternative.size, [declared.tree.n(), declared.tree.rows.len()]);
        if alternative.formulation == chosen.model.coordinates.formulation {
            assert_eq!(declared.program, chosen.program);
        }
    }
    // A choice of the caller comes first.
    let options = Options { formulation: Some(Formulation::Body), is_automatic: true, ..Options::default() };
    let body = compiled(CRANK, options);
    assert!(body.alternatives.is_empty() && body.model.coordinates.formulation == Formulation::Body);
}

/// Coordinates in which a mechanism does not compile are left out; if it compiles in none, it has the mistakes of joint coordinates.
#[test]
fn impossible_choices_are_left_out() {
    let text = "spatial M {
        coordinates: auto;
        body arm { mass: 1, inertia: [0.1, 0.1, 0.1], com: [0.5, 0, 0] }
        joint hinge = revolute(ground, arm) { axis: [0, 0, 1] };
        joint slide = prismatic(ground, arm) { axis: [1, 0, 0] };
    }";
    let parsed = parse_text("m.mbs", text);
    let errors = compile(&parsed.definitions[0], Options::default()).err().expect("the arm is held twice");
    let joint = text.replace("auto", "joint");
    let expected = compile(&parse_text("m.mbs", &joint).definitions[0], Options::default()).err().expect("as above");
    let messages =
        |errors: &mbs_definition::Errors| errors.list().iter().map(|e| e.message.clone()).collect::<Vec<_>>();
    assert_eq!(messages(&errors), messages(&expected));
}
