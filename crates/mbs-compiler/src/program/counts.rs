//! Costs of functions.

use std::fmt;

use mbs_expr::{Function as Call1, Function2 as Call2};

use super::{ColumnMatrix, ColumnSolve, Op, Operand, Output, Statement, ValueId};

/// Costs of a function. One operation is an add, subtract, multiply, divide or square root that depends on the state; a fused
/// multiply-add is two; sines, calls, negations and pivot checks are counted separately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Operations: add + mul + div + sqrt.
    pub operations: usize,
    /// Additions and subtractions.
    pub add: usize,
    /// Products.
    pub mul: usize,
    /// Quotients.
    pub div: usize,
    /// Square roots.
    pub sqrt: usize,
    /// Negations that remain, not counted as operations.
    pub neg: usize,
    /// Pairs of sine and cosine.
    pub sincos: usize,
    /// Other functions and selections; a spline, or a function written in Rust, is one call with all its
    /// values and derivatives.
    pub calls: usize,
    /// Operations done for pivot checks alone.
    pub check_operations: usize,
    /// Longest chain of dependent operations, in [`latency`] units.
    pub critical_path: usize,
    /// Instructions.
    pub statements: usize,
}

impl fmt::Display for Counts {
    /// “108 operations, 3 sincos, critical path 41”.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} operation{}", self.operations, if self.operations == 1 { "" } else { "s" })?;
        if self.sincos > 0 {
            write!(f, ", {} sincos", self.sincos)?;
        }
        if self.calls > 0 {
            write!(f, ", {} other calls", self.calls)?;
        }
        if self.check_operations > 0 {
            write!(f, ", {} for pivot checks", self.check_operations)?;
        }
        write!(f, ", critical path {}", self.critical_path)
    }
}

/// Length of an operation on the critical path, in additions (4 cycles on current x86): a sine and cosine are 10, a quotient 4, a square
/// root 5, another function 20, a choice 1.
pub fn latency<T>(op: &Op<T>) -> usize {
    match op {
        Op::Neg(_) => 0,
        Op::Add(..) | Op::Sub(..) | Op::Mul(..) | Op::MulAdd(..) | Op::MulSub(..) | Op::NegMulAdd(..) => 1,
        Op::Select(..) | Op::Call(Call1::Abs | Call1::Signum | Call1::Floor, _) => 1,
        Op::Call2(Call2::Min | Call2::Max, ..) => 1,
        Op::Div(..) => 4,
        Op::Sqrt(_) => 5,
        Op::SinCos(_) => 10,
        Op::Call(..) | Op::Call2(..) | Op::Called(..) => 20,
    }
}

/// Time \[ns\] of an operation, of an addition on the critical path, and of a sine and cosine or another call: a least-squares fit to the linkages
/// and robots of `docs/BENCHMARKS.md`, within 40 % of each time.
const TIMES: [f64; 3] = [0.11, 0.75, 9.0];

impl Counts {
    /// Estimated time of one evaluation \[ns\], for comparisons of functions of one mechanism: native builds on x86.
    pub fn nanoseconds(&self) -> f64 {
        let [operation, step, call] = TIMES;
        let calls = (self.sincos + self.calls) as f64;
        operation * self.operations as f64 + step * self.critical_path as f64 + call * calls
    }

    /// Counts a body, and the solution of the system after it; `for_checks[value]` marks values that only pivot checks need.
    pub(crate) fn new(
        body: &[Statement],
        for_checks: &[bool],
        outputs: &[Output],
        solve: Option<&ColumnSolve>,
    ) -> Counts {
        let mut counts = Counts { statements: body.len(), ..Counts::default() };
        let mut depth = vec![0; for_checks.len()];
        for statement in body {
            let Statement::Let { value, op } = statement else { continue };
            let ready = op.operands().map(|o| operand_depth(o, &depth)).max().unwrap_or(0);
            let done = ready + latency(op);
            depth[value.index()..value.index() + op.results()].fill(done);
            if for_checks[value.index()] {
                counts.check_operations += operation_count(op);
                continue;
            }
            counts.critical_path = counts.critical_path.max(done);
            counts.add_op(op);
        }
        if let Some(solve) = solve {
            counts.add_solve(solve, outputs, &depth);
        }
        counts.operations = counts.add + counts.mul + counts.div + counts.sqrt;
        counts
    }

    fn add_solve(&mut self, solve: &ColumnSolve, outputs: &[Output], depth: &[usize]) {
        let deepest = |values: &[Operand]| values.iter().map(|o| operand_depth(*o, depth)).max().unwrap_or(0);
        let factor = &outputs[solve.factor].values;
        for ColumnMatrix { speeds, rows, columns } in solve.matrices.iter().copied().filter(|m| m.columns > 0) {
            let right = [speeds, rows].into_iter().flat_map(|i| outputs[i].values.chunks_exact(columns));
            let mut depths: Vec<usize> = right.map(deepest).collect();
            for step in solve.steps() {
                if let (true, [[_, other]]) = (step.is_swap, step.terms) {
                    depths.swap(step.unknown, *other as usize);
                    continue;
                }
                let mut done = depths[step.unknown];
                if let Some(scale) = step.scale {
                    done = done.max(operand_depth(factor[scale], depth)) + 1;
                    self.mul += columns;
                }
                for [entry, other] in step.terms {
                    let ready = operand_depth(factor[*entry as usize], depth).max(depths[*other as usize]);
                    done = done.max(ready) + 1;
                    self.mul += columns;
                    self.add += columns;
                }
                depths[step.unknown] = done;
            }
            self.critical_path = depths.into_iter().fold(self.critical_path, usize::max);
        }
    }

    fn add_op(&mut self, op: &Op) {
        match op {
            Op::Add(..) | Op::Sub(..) => self.add += 1,
            Op::Mul(..) => self.mul += 1,
            Op::Div(..) => self.div += 1,
            Op::Neg(_) => self.neg += 1,
            Op::MulAdd(..) | Op::MulSub(..) | Op::NegMulAdd(..) => {
                self.add += 1;
                self.mul += 1;
            }
            Op::Sqrt(_) => self.sqrt += 1,
            Op::SinCos(_) => self.sincos += 1,
            Op::Call(..) | Op::Call2(..) | Op::Select(..) | Op::Called(..) => self.calls += 1,
        }
    }
}

fn operation_count(op: &Op) -> usize {
    let mut counts = Counts::default();
    counts.add_op(op);
    counts.add + counts.mul + counts.div + counts.sqrt
}

fn operand_depth(operand: Operand, depth: &[usize]) -> usize {
    match operand {
        Operand::Value(ValueId(v)) => depth[v as usize],
        _ => 0,
    }
}
