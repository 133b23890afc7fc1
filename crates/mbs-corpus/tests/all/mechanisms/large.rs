//! A mechanism of more than 30,000 operations builds in debug (as this file does), in functions that rustc can compile.

use std::sync::LazyLock;

use mbs::Mechanism;
use mbs_codegen::print::{self, Paths};
use mbs_compiler::interp::Fma;
use mbs_interp::Interpreted;
use mbs_random::rust_text::Text;

use crate::mechanisms::harness::{OwnedState, assembled, compiled_fma, for_each_state};

/// Declares the mechanism through the macro, and defines its text as `TEXT`.
macro_rules! declared {
    ($($tokens:tt)*) => {
        mbs::mechanism! { $($tokens)* }
        const TEXT: &str = stringify!($($tokens)*);
    };
}

declared! {
    pub planar LongChain {
        gravity: [0, -9.81];
        coordinates: joint;
        const N = 30;
        param length = 0.2;
        for i in 0..N {
            body link[i] { mass: 0.3, inertia: 0.001, com: [length / 2, 0.01 * i] }
        }
        joint hook = revolute(ground, link[0]);
        for i in 0..N - 1 {
            joint pin[i] = revolute(link[i] at [length, 0], link[i + 1]);
        }
        freedoms: N;
    }
}

static INTERPRETED: LazyLock<Interpreted> =
    LazyLock::new(|| crate::mechanisms::harness::interpret("long chain", TEXT, None, compiled_fma()));

fn accelerations<M: Mechanism>(mechanism: &M, at: &OwnedState) -> [f64; long_chain::NV] {
    let (mut a, mut lambda) = ([0.0; long_chain::NV], [0.0; long_chain::NC]);
    mechanism.accelerations(at.view(), &mut a, &mut lambda).expect("a chain is regular");
    a
}

#[test]
fn a_large_mechanism_agrees_with_the_interpreter() {
    let interpreted = &*INTERPRETED;
    let operations: usize = interpreted.compiled().program.functions.iter().map(|f| f.counts.operations).sum();
    assert!(operations > 30_000, "{operations} operations");
    let compiled = LongChain::new(long_chain::Params::default()).unwrap();
    assert_eq!(assembled("compiled", &compiled).q.as_ref(), assembled("interpreted", interpreted).q.as_ref());
    for_each_state("long chain", interpreted, 5, |_, at| {
        let (found, expected) = (accelerations(&compiled, at), accelerations(interpreted, at));
        assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits));
    });
}

/// rustc overflows its stack in debug at about 3,000 variables that are declared one by one.
#[test]
fn no_function_of_a_large_mechanism_is_long() {
    let program = print::program(&INTERPRETED.compiled().program, &Paths::default());
    for fma in [Fma::Plain, Fma::Fused] {
        let text = Text::from_tokens(program.clone(), fma);
        let longest = text.longest();
        assert!(longest > 100 && longest <= print::MAX_STATEMENTS, "{longest} statements");
        assert!(text.most_scopes() <= print::MAX_SCOPES, "{} scopes", text.most_scopes());
    }
}
