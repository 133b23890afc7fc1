//! Printed functions: names, arithmetic, choices, checks of pivots.

use expect_test::{Expect, expect};
use mbs_codegen::print::{self, Paths};
use mbs_compiler::graph::{Graph, NodeId, Stage, Symbol};
use mbs_compiler::program::{InputSizes, Program};
use mbs_compiler::schedule::{Check, Entry, Group, OutputArray, lower};
use mbs_expr::{Comparison, Function as Call1, Function2 as Call2};
use proc_macro2::TokenTree;

const SIZES: InputSizes = InputSizes { parameters: 2, coordinates: 3, speeds: 3, auxiliary: 0, inputs: 0, rows: 1 };

fn entry(nodes: &[NodeId]) -> Entry {
    Entry {
        name: "forces".to_owned(),
        docs: "Q(q, v, t).\n\n`a` is n_v.".to_owned(),
        stage: Stage::Velocity,
        stores_stage: false,
        outputs: vec![OutputArray { name: "a".to_owned(), nodes: nodes.to_vec() }],
        checks: Vec::new(),
        solve: None,
    }
}

/// The function of an entry; its fused body where there are two, or its plain one.
fn printed(program: &Program, fused: bool) -> String {
    let mut text = print::function(&program.functions[0], &program.called, &Paths::default());
    if let Ok(choice) = syn::parse2::<syn::ItemMacro>(text.clone()) {
        assert!(choice.mac.path.segments.last().is_some_and(|name| name.ident == "select_fma"));
        let body = choice.mac.tokens.into_iter().nth(usize::from(!fused));
        let Some(TokenTree::Group(body)) = body else { panic!("`select_fma!` has two bodies") };
        text = body.stream();
    }
    prettyplease::unparse(&syn::parse2(text).expect("the text is Rust"))
}

#[track_caller]
fn check(graph: &Graph, entry: Entry, fused: bool, expected: &Expect) {
    let program = lower(graph, &[Group { entries: vec![entry] }], &SIZES);
    expected.assert_eq(&printed(&program, fused));
}

fn q(graph: &Graph, i: u32) -> NodeId {
    graph.symbol(Symbol::Coordinate(i))
}

#[test]
fn names_come_from_suggestions_outputs_and_roles() {
    let g = &Graph::new();
    let length = g.unary(Call1::Sqrt, g.add(g.mul(q(g, 0), q(g, 0)), g.mul(q(g, 1), q(g, 1))));
    g.suggest(length, "Spring Length");
    let unit = g.inv(length);
    let v = g.symbol(Symbol::Speed(1));
    let sine = g.unary(Call1::Sin, q(g, 2));
    let roots = [g.mul(unit, q(g, 0)), g.mul(unit, v), g.mul(sine, g.symbol(Symbol::Time)), g.constant(0.0)];
    check(
        g,
        entry(&roots),
        false,
        &expect![[r#"
            /// Q(q, v, t).
            ///
            /// `a` is n_v.
            ///
            /// 8 operations, 1 sincos, critical path 12.
            pub fn forces(t: f64, q: &[f64; 3], v: &[f64; 3], a: &mut [f64; 4]) {
                let (sin_q2, _) = ::mbs::math::sin_cos(q[2]);
                let x1 = q[0] * q[0];
                let x2 = q[1] * q[1] + x1;
                let spring_length = ::mbs::math::sqrt(x2);
                let inv_spring_length = 1.0 / spring_length;
                let a_0 = q[0] * inv_spring_length;
                let a_1 = inv_spring_length * v[1];
                let a_2 = sin_q2 * t;
                *a = [a_0, a_1, a_2, 0.0];
            }
        "#]],
    );
}

#[test]
fn fused_arithmetic_keeps_literals_out_of_receivers() {
    let g = &Graph::new();
    let (x, y, z) = (q(g, 0), q(g, 1), q(g, 2));
    let half = g.constant(0.3);
    let roots = [
        g.add(g.mul(half, x), y),
        g.sub(y, g.mul(half, z)),
        g.sub(g.mul(x, y), g.constant(1e-7)),
        g.sub(z, g.mul(x, g.mul(x, x))),
        g.neg(g.mul(g.constant(5e22), y)),
    ];
    check(
        g,
        entry(&roots),
        true,
        &expect![[r#"
        /// Q(q, v, t).
        ///
        /// `a` is n_v.
        ///
        /// 10 operations, critical path 2.
        pub fn forces(q: &[f64; 3], a: &mut [f64; 5]) {
            let a_0 = q[0].mul_add(0.3, q[1]);
            let a_1 = q[2].mul_add(-0.3, q[1]);
            let a_2 = q[0].mul_add(q[1], -1e-7);
            let x1 = q[0] * q[0];
            let a_3 = (-q[0]).mul_add(x1, q[2]);
            let a_4 = q[1] * -5e22;
            *a = [a_0, a_1, a_2, a_3, a_4];
        }
    "#]],
    );
}

#[test]
fn choices_and_calls() {
    let g = &Graph::new();
    let (x, y) = (q(g, 0), q(g, 1));
    let roots = [
        g.select(Comparison::LessEqual, [x, g.constant(-2.0), y, g.neg(y)]),
        g.binary(Call2::Atan2, x, g.constant(-0.25)),
        g.unary(Call1::Exp, g.neg(x)),
    ];
    check(
        g,
        entry(&roots),
        false,
        &expect![[r#"
        /// Q(q, v, t).
        ///
        /// `a` is n_v.
        ///
        /// 0 operations, 3 other calls, critical path 20.
        pub fn forces(q: &[f64; 3], a: &mut [f64; 3]) {
            let x1 = -q[1];
            let a_0 = if q[0] <= -2.0 { q[1] } else { x1 };
            let a_1 = ::mbs::math::atan2(q[0], -0.25);
            let x2 = -q[0];
            let a_2 = ::mbs::math::exp(x2);
            *a = [a_0, a_1, a_2];
        }
    "#]],
    );
}

#[test]
fn functions_stop_at_singular_rows_and_stages_go_on() {
    let g = &Graph::new();
    let (x, y) = (q(g, 0), q(g, 1));
    let with_checks = |stores_stage| {
        let mut e = entry(&[g.inv(x), g.inv(y)]);
        e.docs.clear();
        e.stores_stage = stores_stage;
        e.checks = [(x, 3), (y, 1)].map(|(pivot, row)| Check { pivot, magnitude: g.constant(1.0), row }).to_vec();
        e
    };
    check(
        g,
        with_checks(false),
        false,
        &expect![[r#"
        /// 2 operations, critical path 4.
        pub fn forces(q: &[f64; 3], a: &mut [f64; 2]) -> ::core::option::Option<usize> {
            if !(::mbs::math::abs(q[0]) > 1e-12 * 1.0) {
                return ::core::option::Option::Some(3);
            }
            if !(::mbs::math::abs(q[1]) > 1e-12 * 1.0) {
                return ::core::option::Option::Some(1);
            }
            let a_0 = 1.0 / q[0];
            let a_1 = 1.0 / q[1];
            *a = [a_0, a_1];
            ::core::option::Option::None
        }
    "#]],
    );
    check(
        g,
        with_checks(true),
        false,
        &expect![[r#"
        /// 2 operations, critical path 4.
        #[inline(always)]
        pub fn forces(
            q: &[f64; 3],
            a: &mut [f64; 2],
            slots: &mut [f64; 0],
        ) -> ::core::option::Option<usize> {
            let regular_3 = ::mbs::math::abs(q[0]) > 1e-12 * 1.0;
            let regular_1 = ::mbs::math::abs(q[1]) > 1e-12 * 1.0;
            let a_0 = 1.0 / q[0];
            let a_1 = 1.0 / q[1];
            *a = [a_0, a_1];
            let _ = slots;
            if !(regular_3 & regular_1) {
                if !regular_3 {
                    return ::core::option::Option::Some(3);
                }
                if !regular_1 {
                    return ::core::option::Option::Some(1);
                }
            }
            ::core::option::Option::None
        }
    "#]],
    );
}

#[test]
fn suggestions_become_legal_and_unique() {
    let g = &Graph::new();
    let roots: Vec<NodeId> = ["q", "let", "Δx", "3d", "force.x", "force x"]
        .iter()
        .zip(0..)
        .map(|(name, i)| {
            let node = g.unary(Call1::Exp, g.add(q(g, i % 3), g.constant(f64::from(i))));
            g.suggest(node, *name);
            node
        })
        .collect();
    let program = lower(g, &[Group { entries: vec![entry(&roots)] }], &SIZES);
    let text = printed(&program, false);
    let list = text.split_once("*a = [").and_then(|(_, rest)| rest.split_once("];")).expect("it writes one list").0;
    expect!["q_2, x_let, x, x_3d, force_x, force_x_2"].assert_eq(list);
}
