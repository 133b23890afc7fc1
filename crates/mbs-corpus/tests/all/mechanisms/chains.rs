//! Open chains in space: dynamics in a number of operations that grows linearly with the number of links.

use std::f64::consts::FRAC_PI_2;
use std::sync::LazyLock;

use mbs::Mechanism;
use mbs_compiler::interp::{Fma, Inputs};
use mbs_engine::Engine;
use mbs_interp::Interpreted;

use crate::mechanisms::harness::{OwnedState, for_each_state, interpret, size, times};

/// Hinges about x, y, z and a skew axis, in cycles; every link has a full inertia tensor and a centre of mass off all axes.
fn chain(links: usize, foot: &str) -> String {
    format!(
        "spatial Chain {{
            kernels: [forward, operators];
            gravity: [0.3, -0.2, -9.81];
            const N = {links};
            input torque: [N];
            for i in 0..N {{
                body link[i] {{
                    mass: 0.7 + 0.01 * i, com: [0.02, 0.1, -0.15],
                    inertia: [[0.03, 0.002, -0.001], [0.002, 0.05, 0.003], [-0.001, 0.003, 0.04]]
                }}
            }}
            joint foot = {foot};
            for i in 0..N / 4 {{
                joint x[i] = revolute(link[4 * i] at [0.1, 0.02, -0.3], link[4 * i + 1] at [0, 0.1, 0.1]) {{ axis: [1, 0, 0] }};
                joint y[i] = revolute(link[4 * i + 1] at [0.1, 0.2, -0.3], link[4 * i + 2] at [0, 0, 0.1]) {{ axis: [0, 1, 0] }};
                joint s[i] = revolute(link[4 * i + 2] at [0.1, 0.2, -0.1], link[4 * i + 3] at [0.05, 0, 0.1]) {{ axis: [1, 2, -1] }};
                force motor_x[i] = mobility(x[i]) {{ value: torque[4 * i + 1] }};
                force motor_y[i] = mobility(y[i]) {{ value: torque[4 * i + 2] }};
                force motor_s[i] = mobility(s[i]) {{ value: torque[4 * i + 3] }};
            }}
            for i in 0..N / 4 - 1 {{
                joint z[i] = revolute(link[4 * i + 3] at [0.1, 0.02, -0.3], link[4 * i + 4] at [0, 0.1, 0.1]) {{ axis: [0, 0, 1] }};
                force motor_z[i] = mobility(z[i]) {{ value: torque[4 * i + 4] }};
            }}
        }}"
    )
}

const HINGE: &str = "revolute(ground, link[0]) { axis: [0, 0, 1] }";

fn compiled(links: usize) -> Interpreted {
    interpret(&format!("chain of {links}"), &chain(links, HINGE), None, Fma::Plain)
}

static LONG: LazyLock<Interpreted> = LazyLock::new(|| compiled(64));

fn operations(chain: &Interpreted, kernel: &str) -> usize {
    chain.compiled().function(kernel).expect("it is requested").counts.operations
}

/// Every link costs the same except those at the ends, to 1 %, which the optimiser may save in a longer sum.
#[test]
fn operations_grow_linearly_with_the_number_of_links() {
    let chains = [&compiled(4), &compiled(12), &compiled(16), &*LONG];
    for (kernel, most) in [("accelerations", 340), ("inverse_dynamics", 145)] {
        let [four, twelve, sixteen, long] = chains.map(|c| operations(c, kernel));
        let (early, late) = ((sixteen - twelve) as f64 / 4.0, (long - sixteen) as f64 / 48.0);
        assert!((late / early - 1.0).abs() < 0.01, "{kernel}: {early} operations per link, then {late}");
        // Links at the ends cost less, which matters in short chains.
        assert!(long <= 64 * most && 16 * four <= long, "{kernel}: {four} operations of 4 links, {long} of 64");
    }
}

fn accelerations<M: Mechanism>(mechanism: &M, at: &OwnedState) -> Vec<f64> {
    let n = mechanism.sizes().n_v;
    let (mut a, mut lambda) = (vec![0.0; n], Vec::new());
    mechanism.accelerations(at.view(), &mut a, &mut lambda).expect("a chain is regular");
    a
}

/// 1e-9 of the largest: the condition of M grows with the fourth power of the number of links, to some 1e6 here.
#[test]
fn long_chains_move_as_in_the_engine() {
    let engine = Engine::text(&chain(64, HINGE)).expect("the compiler takes it");
    for_each_state("chain of 64", &*LONG, 6, |k, at| {
        let (found, expected) = (accelerations(&*LONG, at), accelerations(&engine, at));
        for (i, (a, b)) in found.iter().zip(&expected).enumerate() {
            assert!((a - b).abs() <= 1e-9 * size(&expected), "acceleration {i} is {b}, not {a}, at state {k}");
        }
    });
}

/// 1e-11 of the largest force: M a and Q are sums of a thousand terms.
#[test]
fn accelerations_of_a_long_chain_satisfy_its_equations() {
    for_each_state("chain of 64 again", &*LONG, 3, |k, at| {
        let a = accelerations(&*LONG, at);
        let inputs = || Inputs { t: at.t, q: &at.q, v: &at.v, u: &at.u, ..Inputs::default() };
        let run = |kernel: &str, inputs: Inputs<'_>| LONG.run(kernel, inputs).expect("it cannot fail").remove(0);
        let forces = run("generalized_forces", inputs());
        let taken = times(&LONG.mass_matrix(at.view()), &a);
        let beyond = run("inverse_dynamics", Inputs { a: &a, ..inputs() });
        for (i, ((q, f), more)) in forces.iter().zip(taken).zip(beyond).enumerate() {
            let error = (q - f).abs().max(more.abs());
            assert!(error <= 1e-11 * size(&forces), "force {i} is {q}, not {f}; beyond it {more}: state {k}");
        }
    });
}

/// The chain exceeds the size of the dense fallback, so that the error names the row of the pivot.
#[test]
fn gimbal_lock_at_the_foot_of_a_chain_is_reported_by_its_row() {
    let chain = interpret("gimballed chain", &chain(16, "gimbal(ground, link[0])"), None, Fma::Plain);
    for_each_state("gimballed chain", &chain, 3, |k, at| {
        let row = |second: f64| {
            let mut q = at.q.clone();
            q[1] = second;
            let inputs = Inputs { t: at.t, q: &q, v: &at.v, u: &at.u, ..Inputs::default() };
            chain.run("accelerations", inputs).map(|_| ())
        };
        assert_eq!((row(0.3), row(FRAC_PI_2)), (Ok(()), Err(0)), "state {k}");
    });
}
