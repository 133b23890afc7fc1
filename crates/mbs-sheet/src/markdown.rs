//! The document: one section for each quantity of a textbook.

mod matrices;
mod rows;

use std::cell::Cell;
use std::fmt::Write;

use mbs_codegen::emit::{module_name_of, value_ident};
use mbs_compiler::compile::Compiled;
use mbs_compiler::graph::Symbol;
use mbs_expr::{CalledFunction, CalledKind, FunctionSource};
use mbs_model::{Domain, Quantity};
use mbs_physics::ItemNames;

use super::algebra::{Atom, AtomId, Sum};
use super::latex::Writer;
use super::lines::{self, Formula};
use super::symbols::{Label, coordinate_meaning, operator, scalars};
use super::{FormulaId, Sheet};

/// Writes the document of a mechanism.
pub fn write(compiled: &Compiled, sheet: &Sheet) -> String {
    let names: Vec<Label> = sheet.abbreviations.iter().map(|a| a.label.clone()).collect();
    let order = |symbol: Symbol| rank(sheet, symbol);
    let named = |f: &CalledFunction| match f.shape {
        None => vec![operator(&f.name)],
        Some(n) => (0..n).map(|k| operator(&format!("{}_{k}", f.name))).collect(),
    };
    let functions: Vec<Vec<Label>> = compiled.model.functions.iter().map(named).collect();
    let writer = Writer {
        algebra: &sheet.algebra,
        symbols: &sheet.symbols,
        names: &names,
        functions: &functions,
        order: &order,
        is_rounded: Cell::new(false),
    };
    let mut document = Document { compiled, sheet, writer, text: String::new() };
    document.coordinates();
    document.quantities();
    document.functions();
    document.abbreviations();
    document.constraints();
    document.mass();
    document.forces();
    document.energies();
    document.states();
    document.map();
    let body = std::mem::take(&mut document.text);
    document.head();
    document.text + &body
}

/// Order of a symbol in sums: parameters, then time, states and inputs, then coordinates with their speeds.
fn rank(sheet: &Sheet, symbol: Symbol) -> u32 {
    match symbol {
        Symbol::Parameter(_) => 0,
        Symbol::Coordinate(i) | Symbol::Speed(i) | Symbol::Acceleration(i) => 2 + i,
        Symbol::SolverCoordinate(_) | Symbol::SolverSpeed(_) => {
            let definition = sheet.angles.iter().find(|a| a.0 == symbol).map(|a| &a.1);
            let atoms = definition.into_iter().flat_map(|d| &d.terms).flat_map(|t| &t.factors);
            let rank = |f: &(AtomId, i32)| match sheet.algebra.atom(f.0) {
                Atom::Symbol(s @ (Symbol::Coordinate(_) | Symbol::Speed(_))) => rank(sheet, *s),
                _ => 0,
            };
            atoms.map(rank).max().unwrap_or(0)
        }
        _ => 1,
    }
}

/// Symbols that are listed in a table.
struct Table<'m> {
    title: &'static str,
    letter: &'static str,
    /// Title of the column of declared numbers; empty if there are none.
    default: &'static str,
    names: &'m [String],
    quantities: &'m [Quantity],
    symbol: fn(u32) -> Symbol,
}

struct Document<'a> {
    compiled: &'a Compiled,
    sheet: &'a Sheet,
    writer: Writer<'a>,
    text: String,
}

impl Document<'_> {
    fn line(&mut self, text: impl AsRef<str>) {
        self.text.push_str(text.as_ref());
        self.text.push('\n');
    }

    fn section(&mut self, title: &str) {
        let _ = write!(self.text, "\n## {title}\n\n");
    }

    fn formula(&self, left: String, width: i64, right: &Sum) -> Formula {
        Formula { left, width, right: self.writer.pieces(right) }
    }

    /// Prints formulas aligned at their equals signs, each in as many lines as it needs.
    fn display(&mut self, formulas: &[Formula]) {
        let width = formulas.iter().map(|f| f.width).max().unwrap_or(0);
        let rows: Vec<String> = formulas.iter().flat_map(|f| lines::rows(f, width)).collect();
        self.text.push_str(&lines::display(&rows));
    }

    fn symbol(&self, symbol: Symbol) -> &str {
        &self.sheet.symbols.label(symbol).latex
    }

    /// The right side of a formula; `None` if it is zero.
    fn sum(&self, id: FormulaId) -> Option<&Sum> {
        self.sheet.formulas.get(&id)
    }

    fn head(&mut self) {
        let (model, tree) = (&self.compiled.model, &self.compiled.tree);
        let (n, rows) = (tree.n(), tree.rows.len());
        let count = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
        let coordinates = model.coordinates_word();
        let freedoms = count(self.compiled.checked.freedoms, "freedom");
        let driven = match self.compiled.degrees_of_freedom() {
            n if n == self.compiled.checked.freedoms => String::new(),
            n => format!(", {n} after drives"),
        };
        let rounded = if self.writer.is_rounded.get() { " Numbers are rounded to six digits." } else { "" };
        let title = format!("# {}\n", model.header.name);
        let docs =
            if model.header.docs.is_empty() { String::new() } else { format!("{}\n", model.header.docs.trim_end()) };
        let sizes = format!(
            "In {coordinates} coordinates: {}, {}, {}, {freedoms}{driven}. SI units, angles in radians. Rows, coordinates and \
             speeds are counted from 0, as in the code.{rounded}\n",
            count(n, "coordinate"),
            count(n, "speed"),
            count(rows, "constraint row"),
        );
        self.line(title);
        if !docs.is_empty() {
            self.line(docs);
        }
        self.line(sizes);
        let rate = if self.has_plain_rates() { "v" } else { "N(q)\\ v" };
        self.line(match rows {
            0 => format!("$$\nM(q)\\ a = Q(q, v, u, z, t) \\qquad \\dot q = {rate}\n$$"),
            _ => format!(
                "$$\nM(q)\\ a + G^{{\\mathsf T}} \\lambda = Q(q, v, u, z, t) \\qquad G\\ v = \\nu \\qquad G\\ a = \\gamma \
                 \\qquad \\dot q = {rate}\n$$"
            ),
        });
    }

    fn coordinates(&mut self) {
        let (model, tree) = (&self.compiled.model, &self.compiled.tree);
        self.section("Coordinates");
        if tree.n() == 0 {
            return self.line("None: nothing can move.");
        }
        self.line("| i | q | name | v | name | unit of q | meaning of q |");
        self.line("|---|---|---|---|---|---|---|");
        for i in 0..tree.n() {
            let (meaning, unit) = coordinate_meaning(model, tree, i);
            let [q, v] = [Symbol::Coordinate(i as u32), Symbol::Speed(i as u32)].map(|s| self.symbol(s).to_owned());
            let [name, speed] = [tree.coordinate_name(model, i), tree.speed_name(model, i)];
            self.line(format!("| {i} | ${q}$ | `{name}` | ${v}$ | `{speed}` | {unit} | {meaning} |"));
        }
        if self.has_plain_rates() {
            let text =
                "\nIn the plane $\\dot q = N(q)\\ v$ has $N = 1$, the identity: speeds are the rates of coordinates.";
            return self.line(text);
        }
        self.line("\nThe rows of $\\dot q = N(q)\\ v$ in which speeds are not the rates of coordinates:\n");
        let zero = Sum::default();
        let rate = |i: usize| {
            let Label { latex, width } = self.sheet.symbols.label(Symbol::Coordinate(i as u32)).clone();
            let rate = self.sum(FormulaId::CoordinateRate(i)).unwrap_or(&zero);
            self.formula(format!("\\dot{{{latex}}}"), width, rate)
        };
        let joints = tree.declared_speeds(model).into_iter();
        let coordinates = joints.flat_map(|joint| joint.first_q..joint.first_q + joint.pose.n_q());
        let formulas: Vec<Formula> = coordinates.map(rate).collect();
        self.display(&formulas);
    }

    /// Whether q̇ = v.
    fn has_plain_rates(&self) -> bool {
        self.compiled.tree.declared_speeds(&self.compiled.model).is_empty()
    }

    /// Prints parameters, inputs and states.
    fn quantities(&mut self) {
        let model = &self.compiled.model;
        let names = ItemNames::new(model, &self.compiled.tree);
        let states: Vec<Quantity> = model.quantities.auxiliary.iter().map(|a| a.quantity.clone()).collect();
        let parameters = Table {
            title: "Parameters",
            letter: "p",
            default: "default",
            names: &names.parameters,
            quantities: &model.quantities.parameters,
            symbol: Symbol::Parameter,
        };
        let inputs = Table {
            title: "Inputs",
            letter: "u",
            default: "",
            names: &names.inputs,
            quantities: &model.quantities.inputs,
            symbol: Symbol::Input,
        };
        let states = Table {
            title: "States",
            letter: "z",
            default: "at the start",
            names: &names.auxiliary,
            quantities: &states,
            symbol: Symbol::Auxiliary,
        };
        for table in [parameters, inputs, states] {
            let scalars = table.names.iter().zip(scalars(table.quantities)).enumerate();
            let rows: Vec<[String; 5]> =
                scalars.map(|(i, (name, (q, k)))| self.quantity(&table, i as u32, name, q, k)).collect();
            if !rows.is_empty() {
                self.section(table.title);
                self.table(&[table.letter, "name", table.default, "domain", "meaning"], &rows);
            }
        }
    }

    /// Symbol, name, default, domain and meaning of a scalar.
    fn quantity(&self, table: &Table<'_>, i: u32, name: &str, q: &Quantity, k: usize) -> [String; 5] {
        let domain = match q.domain {
            Domain::Finite => "",
            Domain::NonNegative => "not negative",
            Domain::Positive => "positive",
        };
        let default = if table.default.is_empty() { String::new() } else { declared_number(q.default[k]) };
        let symbol = format!("${}$", self.symbol((table.symbol)(i)));
        [symbol, format!("`{name}`"), default, domain.to_owned(), cell(&q.docs)]
    }

    /// Prints called functions.
    fn functions(&mut self) {
        self.rust_functions();
        self.splines();
        self.grids();
    }

    /// Prints functions written in Rust.
    fn rust_functions(&mut self) {
        let functions = self.compiled.model.functions.iter().filter(|f| f.source() == FunctionSource::Rust);
        let row = |f: &CalledFunction| {
            let symbol = format!("${}$", operator(&f.name).latex);
            let derivatives = f.derivatives().map_or(String::new(), |n| n.to_string());
            [symbol, format!("`{}`", f.name), derivatives, cell(&f.docs)]
        };
        let rows: Vec<[String; 4]> = functions.map(row).collect();
        if !rows.is_empty() {
            self.section("Functions written in Rust");
            self.table(&["f", "name", "derivatives", "meaning"], &rows);
        }
    }

    /// Prints cubic splines, known or set at run time.
    fn splines(&mut self) {
        let row = |f: &CalledFunction| {
            let spline = f.spline()?;
            let symbol = format!("${}$", operator(&f.name).latex);
            let [first, last] =
                [spline.knots.first(), spline.knots.last()].map(|x| x.map_or(String::new(), |x| declared_number(*x)));
            let set = if f.source() == FunctionSource::Settable { "at run time" } else { "" };
            let points = spline.knots.len().to_string();
            Some([symbol, format!("`{}`", f.name), points, first, last, set.to_owned(), cell(&f.docs)])
        };
        let rows: Vec<[String; 7]> = self.compiled.model.functions.iter().filter_map(row).collect();
        if !rows.is_empty() {
            self.section("Cubic splines");
            self.table(&["f", "name", "points", "from", "to", "set", "meaning"], &rows);
        }
    }

    /// Prints bicubic splines.
    fn grids(&mut self) {
        let row = |f: &CalledFunction| {
            let CalledKind::Grid(spline) = &f.kind else { return None };
            let corner = |knot: fn(&[f64]) -> Option<&f64>| {
                let [x, y] =
                    [0, 1].map(|axis| knot(&spline.knots[axis]).map_or(String::new(), |x| declared_number(*x)));
                format!("({x}, {y})")
            };
            let symbol = format!("${}$", operator(&f.name).latex);
            let points = format!("{} × {}", spline.knots[0].len(), spline.knots[1].len());
            let (first, last) = (corner(<[f64]>::first), corner(<[f64]>::last));
            Some([symbol, format!("`{}`", f.name), points, first, last, cell(&f.docs)])
        };
        let rows: Vec<[String; 6]> = self.compiled.model.functions.iter().filter_map(row).collect();
        if !rows.is_empty() {
            self.section("Bicubic splines");
            self.table(&["f", "name", "points", "from", "to", "meaning"], &rows);
        }
    }

    /// Prints a table without its empty columns.
    fn table<const N: usize>(&mut self, head: &[&str; N], rows: &[[String; N]]) {
        let columns: Vec<usize> = (0..N).filter(|c| rows.iter().any(|row| !row[*c].is_empty())).collect();
        let line = |cells: Vec<&str>| format!("| {} |", cells.join(" | "));
        self.line(line(columns.iter().map(|c| head[*c]).collect()));
        self.line(format!("|{}", "---|".repeat(columns.len())));
        for row in rows {
            self.line(line(columns.iter().map(|c| row[*c].as_str()).collect()));
        }
    }

    /// Prints the definitions of named angles that occur, and of abbreviations.
    fn abbreviations(&mut self) {
        let used = self.sheet.used_angles();
        let angles = self.sheet.angles.iter().filter(|a| used.contains(&a.0));
        let mut formulas: Vec<Formula> = angles
            .map(|(symbol, definition)| {
                let Label { latex, width } = self.sheet.symbols.label(*symbol).clone();
                self.formula(latex, width, definition)
            })
            .collect();
        let angles = formulas.len();
        for abbreviation in &self.sheet.abbreviations {
            let Label { latex, width } = abbreviation.label.clone();
            formulas.push(self.formula(latex, width, &abbreviation.definition));
        }
        if formulas.is_empty() {
            return;
        }
        self.section("Abbreviations");
        if angles > 0 {
            self.line("Angles $\\varphi$ are those of bodies in the world.\n");
        }
        self.display(&formulas);
    }

    fn energies(&mut self) {
        self.section("Energies");
        let kinetic = self.sum(FormulaId::Kinetic).cloned().unwrap_or_default();
        let potential = self.sum(FormulaId::Potential).cloned().unwrap_or_default();
        self.line(
            "Kinetic energy $T = \\frac{1}{2}\\ v^{\\mathsf T} M v$, potential energy V of gravity, springs and \
             potentials:\n",
        );
        let formulas = [self.formula("T".to_owned(), 10, &kinetic), self.formula("V".to_owned(), 10, &potential)];
        self.display(&formulas);
    }

    fn states(&mut self) {
        let count: usize = self.compiled.model.quantities.auxiliary.iter().map(|a| a.quantity.size()).sum();
        if count == 0 {
            return;
        }
        let rate = |i: usize| {
            let Label { latex, width } = self.sheet.symbols.label(Symbol::Auxiliary(i as u32)).clone();
            let zero = Sum::default();
            self.formula(format!("\\dot {latex}"), width, self.sum(FormulaId::Rate(i)).unwrap_or(&zero))
        };
        let formulas: Vec<Formula> = (0..count).map(rate).collect();
        self.section("Rates of the states");
        self.display(&formulas);
    }

    fn map(&mut self) {
        let model = &self.compiled.model;
        let span = proc_macro2::Span::call_site;
        let (module, name) = (module_name_of(&model.header.name, span()), value_ident(&model.header.name, span()));
        self.section("From the textbook to the code");
        self.line(format!("Items of the generated module `{module}`; `{name}` is the mechanism.\n"));
        self.line("| concept | item |\n|---|---|");
        self.line(format!("| parameters p | `{module}::Params`, `{name}::new`, `{name}::set_params` |"));
        self.line(format!("| index i of a coordinate or speed | `{module}::index` |"));
        if !self.compiled.tree.rows.is_empty() {
            self.line(format!("| rows of a joint or equation | `{module}::row` |"));
        }
        let accelerations =
            format!("`{name}::accelerations`; `Velocity::accelerate`, then `Motion::a`, `Motion::lambda`");
        let (rows, gamma) = (self.compiled.stage_of_rows(), self.compiled.stage_of_gamma());
        let in_rows = |item: &str| format!("`{rows}::{item}`");
        let (jacobian, nu, solve) = (in_rows("constraint_jacobian"), in_rows("nu"), in_rows("solve"));
        let gamma = format!("`{gamma}::gamma`");
        let items = [
            ("constraint functions Φ", "`Position::position_residuals`"),
            ("ψ = G v − ν", "`Velocity::velocity_residuals`"),
            ("Jacobian G = Φ_q N", &jacobian),
            ("ν", &nu),
            ("γ", &gamma),
            ("mass matrix M", "`Position::mass_matrix`"),
            ("generalised forces Q", "`Motion::generalized_forces`"),
            ("accelerations a and multipliers λ", &accelerations),
            ("load of a joint", "λ of its rows, in the directions of the rows, on its second end"),
            ("load of an equation", "−λ of its row on left − right; as an output `load(…)`"),
            ("M x + Gᵀ μ = f, G x = g for other right sides", &solve),
        ];
        items.iter().for_each(|(concept, item)| self.line(format!("| {concept} | {item} |")));
        if model.settings.kernels.energies {
            self.line("| energies T and V | `Motion::energy` |");
        }
        if model.settings.kernels.outputs && !model.outputs.is_empty() {
            self.line("| outputs | `Motion::outputs` |");
        }
        self.line("| N | the identity |");
    }
}

/// Documentation as a cell of a table.
fn cell(docs: &str) -> String {
    docs.lines().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// A number in the form of a declaration.
fn declared_number(x: f64) -> String {
    if x != 0.0 && !(1e-4..1e7).contains(&x.abs()) { format!("{x:e}") } else { x.to_string() }
}
