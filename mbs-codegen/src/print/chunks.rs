//! Long functions in pieces of at most [`most_statements`] statements, cut where few values are computed before and read after.
//!
//! After this point: values that later pieces read are stored at the end of the piece that computes them, in slots that are reused when no
//! later piece reads their values; outputs are written as soon as they are known.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use super::most_statements;
use super::text::{Writer, equal_neighbours};
use mbs_compiler::program::{Argument, Function, Operand, Statement, ValueId};

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
    /// Cuts a function.
    pub fn new(function: &Function) -> Chunks {
        let items = items(function);
        let (defined, last) = (definitions(function, &items), last_reads(function, &items));
        let borders = borders(&crossing(items.len(), &defined, &last), most_statements(function));
        let piece_of = |item: usize| borders.partition_point(|border| *border <= item);
        let piece: Vec<usize> = defined.into_iter().map(piece_of).collect();
        let last: Vec<usize> = last.into_iter().map(piece_of).collect();
        let starts = std::iter::once(0).chain(borders.iter().copied());
        let ends = borders.iter().copied().chain([items.len()]);
        let list = starts.zip(ends).enumerate().map(|(k, (start, end))| {
            let crossing = |v: &usize| piece[*v] == k && last[*v] > k;
            let stored = (0..function.values()).filter(crossing).map(|v| ValueId(v as u32)).collect();
            chunk(function, &items[start..end], stored)
        });
        let list: Vec<Chunk> = list.collect();
        let (slot, slots) = allocate(&list, &last, function.values());
        Chunks { list, slots, slot, piece }
    }

    /// Writes the body of a piece.
    pub fn body(&self, writer: &mut Writer<'_>, k: usize) {
        let (function, chunk) = (writer.function, &self.list[k]);
        let slots = |v: ValueId| self.slot[v.index()].filter(|_| self.piece[v.index()] != k);
        writer.declare(chunk.items.iter().flat_map(|item| operands(function, item)), chunk.statements(function));
        for items in chunk.items.chunk_by(|a, b| matches!((a, b), (Item::Statement(_), Item::Statement(_)))) {
            let mut statements = Vec::new();
            for item in items {
                match item {
                    Item::Statement(s) => statements.push(&function.body[*s]),
                    Item::Store { output, range } => writer.store(&function.outputs[*output], range, &slots),
                }
            }
            writer.statements(&statements, &slots);
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

/// The item that computes each value.
fn definitions(function: &Function, items: &[Item]) -> Vec<usize> {
    let mut defined = vec![0; function.values()];
    for (i, item) in items.iter().enumerate() {
        if let Item::Statement(s) = item
            && let Statement::Let { value, op } = &function.body[*s]
        {
            defined[value.index()..value.index() + op.results()].fill(i);
        }
    }
    defined
}

/// The last item that reads each value; 0 for values that none reads.
fn last_reads(function: &Function, items: &[Item]) -> Vec<usize> {
    let mut last = vec![0; function.values()];
    for (i, item) in items.iter().enumerate() {
        for operand in operands(function, item) {
            if let Operand::Value(v) = operand {
                last[v.index()] = i;
            }
        }
    }
    last
}

/// Number of values that are computed before each item, and read by it or after it; none at the end.
fn crossing(n: usize, defined: &[usize], last: &[usize]) -> Vec<usize> {
    // By how much the number grows at each item.
    let mut changes = vec![0_isize; n + 1];
    for (defined, last) in defined.iter().zip(last).filter(|(defined, last)| defined < last) {
        changes[defined + 1] += 1;
        changes[last + 1] -= 1;
    }
    let mut count = 0;
    let counts = changes.into_iter().map(|change| {
        count += change;
        usize::try_from(count).expect("a value is read after it is computed")
    });
    counts.collect()
}

/// Time of a call, in units of that of a value that is stored and read again.
const CALL: usize = 10;

/// First items of all pieces but the first: pieces are within the limit, and the values that cross all borders are as few as possible.
fn borders(crossing: &[usize], limit: usize) -> Vec<usize> {
    let n = crossing.len() - 1;
    // Least cost of a border before each item, and the border before it.
    let mut costs: Vec<(usize, usize)> = vec![(0, 0)];
    // Borders before, by position and by growing cost.
    let mut candidates = VecDeque::from([0]);
    for (i, values) in crossing.iter().enumerate().skip(1) {
        while candidates.front().is_some_and(|border| border + limit < i) {
            candidates.pop_front();
        }
        let before = candidates[0];
        costs.push((costs[before].0 + values + CALL, before));
        while candidates.back().is_some_and(|border| costs[*border].0 >= costs[i].0) {
            candidates.pop_back();
        }
        candidates.push_back(i);
    }
    let mut borders = Vec::new();
    let mut border = costs[n].1;
    while border > 0 {
        borders.push(border);
        border = costs[border].1;
    }
    borders.reverse();
    borders
}

/// Variable of the function for the singular row that piece k reports.
pub fn singular(k: usize) -> String {
    format!("singular_{}", k + 1)
}

/// Statements in order, each followed by the stores it makes possible; stores of operands known from the start come last.
fn items(function: &Function) -> Vec<Item> {
    let mut stores: Vec<Vec<Item>> = vec![Vec::new(); function.values()];
    let mut rest = vec![Vec::new(); function.outputs.len()];
    for (output, o) in function.outputs.iter().enumerate() {
        for (index, operand) in o.values.iter().enumerate() {
            match operand {
                Operand::Value(v) => stores[v.index()].push(Item::Store { output, range: index..index + 1 }),
                _ => rest[output].push(index),
            }
        }
    }
    let runs = rest.into_iter().enumerate().flat_map(|(output, indices)| {
        let runs = equal_neighbours(indices, |i| function.outputs[output].values[*i]);
        runs.into_iter().map(move |range| Item::Store { output, range })
    });
    let runs: Vec<Item> = runs.collect();
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
