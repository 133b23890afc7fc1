//! Long functions in pieces of at most [`MAX_STATEMENTS`] statements.
//!
//! After this point: values that later pieces read are stored at the end of the piece that computes them, in slots that are reused when no
//! later piece reads their values; outputs are written as soon as they are known.

use std::collections::BTreeSet;
use std::ops::Range;

use super::MAX_STATEMENTS;
use super::text::Writer;
use mbs_compiler::program::{Argument, Function, Operand, Statement, ValueId, prepared_indices};

/// The pieces of a function.
pub struct Chunks {
    /// The pieces, in order.
    pub list: Vec<Chunk>,
    /// Length of the array that passes values between them.
    pub slots: usize,
    /// Slot of each value that later pieces read.
    slot: Vec<Option<usize>>,
    /// Piece that computes each value.
    piece: Vec<usize>,
}

/// One piece of a function.
pub struct Chunk {
    items: Vec<Item>,
    /// Arguments it reads.
    pub inputs: Vec<Argument>,
    /// Indices of the outputs to which it writes.
    pub outputs: Vec<usize>,
    /// Values that it stores for later pieces.
    stored: Vec<ValueId>,
}

/// A statement of a function, or the store of an output's elements.
#[derive(Clone)]
enum Item {
    Statement(usize),
    /// Elements that are next to each other and equal.
    Store {
        output: usize,
        range: Range<usize>,
    },
}

impl Chunk {
    /// Its instructions.
    pub fn statements<'a>(&'a self, function: &'a Function) -> impl Iterator<Item = &'a Statement> {
        self.items.iter().filter_map(|item| match item {
            Item::Statement(s) => Some(&function.body[*s]),
            Item::Store { .. } => None,
        })
    }

    /// Whether it has a check that can report a singular row.
    pub fn is_checked(&self, function: &Function) -> bool {
        self.statements(function).any(|s| matches!(s, Statement::Check { .. }))
    }
}

impl Chunks {
    /// Cuts a function into the largest pieces that are within the limit, stores included.
    pub fn new(function: &Function) -> Chunks {
        let items = items(function);
        let sizes = [4, 3, 2].map(|part| MAX_STATEMENTS * part / 5);
        let mut cut = sizes.into_iter().map(|size| Chunks::with_piece_size(function, &items, size));
        let length = |k: &Chunk| k.items.len() + k.stored.len() + named_prepared(function, k);
        let fits = |c: &Chunks| c.list.iter().all(|k| length(k) <= MAX_STATEMENTS);
        cut.find(fits).unwrap_or_else(|| Chunks::with_piece_size(function, &items, MAX_STATEMENTS / 5))
    }

    fn with_piece_size(function: &Function, items: &[Item], size: usize) -> Chunks {
        let mut piece = vec![0; function.values()];
        let mut last = vec![0; function.values()];
        for (k, items) in items.chunks(size).enumerate() {
            for item in items {
                if let Item::Statement(s) = item
                    && let Statement::Let { value, op } = &function.body[*s]
                {
                    piece[value.index()..value.index() + op.results()].fill(k);
                }
                for operand in operands(function, item) {
                    if let Operand::Value(v) = operand {
                        last[v.index()] = k;
                    }
                }
            }
        }
        let list = items.chunks(size).enumerate().map(|(k, items)| {
            let crossing = |v: &usize| piece[*v] == k && last[*v] > k;
            let stored = (0..function.values()).filter(crossing).map(|v| ValueId(v as u32)).collect();
            chunk(function, items, stored)
        });
        let list: Vec<Chunk> = list.collect();
        let (slot, slots) = allocate(&list, &last, function.values());
        Chunks { list, slots, slot, piece }
    }

    /// Writes the body of a piece.
    pub fn body(&self, writer: &mut Writer<'_>, k: usize) {
        let (function, chunk) = (writer.function, &self.list[k]);
        let slots = |v: ValueId| self.slot[v.index()].filter(|_| self.piece[v.index()] != k);
        writer.name_prepared(chunk.items.iter().flat_map(|item| operands(function, item)));
        for item in &chunk.items {
            match item {
                Item::Statement(s) => writer.statement(&function.body[*s], &slots),
                Item::Store { output, range } => writer.store(&function.outputs[*output], range, &slots),
            }
        }
        for v in &chunk.stored {
            let slot = self.slot[v.index()].expect("stored values have slots");
            writer.write(&format!("w[{slot}] = {};\n", writer.names.value_name(*v)));
        }
    }

    /// Writes the return value of the function: the first singular row that a piece reports.
    pub fn return_singular_row(&self, writer: &mut Writer<'_>) {
        let checked = self.list.iter().enumerate().filter(|(_, c)| c.is_checked(writer.function));
        let found: Vec<String> = checked.map(|(k, _)| singular(k)).collect();
        match found.split_first() {
            Some((first, others)) if writer.function.continues_when_singular() => {
                writer.write(first);
                others.iter().for_each(|other| writer.write(&format!(".or({other})")));
            }
            Some(_) => writer.write("::core::option::Option::None"),
            None => {}
        }
    }
}

/// Number of prepared values that a piece reads by name.
fn named_prepared(function: &Function, chunk: &Chunk) -> usize {
    let read = prepared_indices(chunk.items.iter().flat_map(|item| operands(function, item)));
    read.into_iter().filter(|i| function.prepared.contains_key(i)).count()
}

/// Variable of the function for the singular row that piece k reports.
pub fn singular(k: usize) -> String {
    format!("singular_{}", k + 1)
}

/// Statements in order, each followed by the stores it makes possible; stores of operands known from the start come last.
fn items(function: &Function) -> Vec<Item> {
    let mut stores: Vec<Vec<Item>> = vec![Vec::new(); function.values()];
    let mut rest = Vec::new();
    for (output, o) in function.outputs.iter().enumerate() {
        for (index, operand) in o.values.iter().enumerate() {
            match operand {
                Operand::Value(v) => stores[v.index()].push(Item::Store { output, range: index..index + 1 }),
                _ => rest.push((output, index)),
            }
        }
    }
    // Derivatives of large mechanisms are mostly zeros.
    let value = |(output, index): (usize, usize)| function.outputs[output].values[index];
    let continues = |a: &(usize, usize), b: &(usize, usize)| (a.0, a.1 + 1) == *b && is_same(value(*a), value(*b));
    let runs = rest.chunk_by(continues).map(|run| {
        let (output, first) = run[0];
        Item::Store { output, range: first..first + run.len() }
    });
    let mut items = Vec::new();
    for (s, statement) in function.body.iter().enumerate() {
        items.push(Item::Statement(s));
        if let Statement::Let { value, op } = statement {
            for list in &mut stores[value.index()..value.index() + op.results()] {
                items.append(list);
            }
        }
    }
    items.extend(runs);
    items
}

/// Whether two operands have the same bits, whatever the state.
fn is_same(a: Operand, b: Operand) -> bool {
    match (a, b) {
        (Operand::Literal(a), Operand::Literal(b)) => a.to_bits() == b.to_bits(),
        _ => a == b,
    }
}

fn operands(function: &Function, item: &Item) -> Vec<Operand> {
    match item {
        Item::Statement(s) => function.body[*s].operands().collect(),
        Item::Store { output, range } => vec![function.outputs[*output].values[range.start]],
    }
}

fn chunk(function: &Function, items: &[Item], stored: Vec<ValueId>) -> Chunk {
    let read = items.iter().flat_map(|i| operands(function, i));
    let implicit = items.iter().filter_map(|i| match i {
        Item::Statement(s) => function.body[*s].implicit_input(),
        Item::Store { .. } => None,
    });
    let inputs: BTreeSet<_> = read
        .filter_map(|o| match o {
            Operand::Input(input, _) => Some(input),
            _ => None,
        })
        .chain(implicit)
        .collect();
    let outputs: BTreeSet<usize> = items
        .iter()
        .filter_map(|i| match i {
            Item::Store { output, .. } => Some(*output),
            Item::Statement(_) => None,
        })
        .collect();
    let inputs = function.inputs.iter().filter(|a| inputs.contains(&a.input)).copied().collect();
    Chunk { items: items.to_vec(), inputs, outputs: outputs.into_iter().collect(), stored }
}

/// Gives a slot to each value that later pieces read; it is free again in the last of them, because stores come after reads.
fn allocate(list: &[Chunk], last: &[usize], values: usize) -> (Vec<Option<usize>>, usize) {
    let mut slot = vec![None; values];
    let mut free: Vec<usize> = Vec::new();
    let mut ends: Vec<Vec<usize>> = vec![Vec::new(); list.len()];
    let mut slots = 0;
    for (k, chunk) in list.iter().enumerate() {
        free.append(&mut ends[k]);
        for v in &chunk.stored {
            let s = free.pop().unwrap_or_else(|| {
                slots += 1;
                slots - 1
            });
            slot[v.index()] = Some(s);
            ends[last[v.index()]].push(s);
        }
    }
    (slot, slots)
}
