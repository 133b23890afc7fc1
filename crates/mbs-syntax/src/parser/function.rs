//! `function name(x) = value;`, `function name = spline(…);`, `function name: opaque(2);`.

use mbs_definition::{Errors, Expr, ExprKind, FunctionBody, FunctionDeclaration, Ident, Made, Origin};
use mbs_import::table::{self, Cell, Grid};

use super::import::FileName;
use super::operators::Power;
use super::{ERROR_LIMIT, Parse, Parser, Reported, broken_expression};
use crate::import::Imported;
use crate::tokens::Kind;

const FORMS: &str = "write `function f(x) = …;` or `function f: opaque(2);`";

impl Parser<'_> {
    /// Reads a function after the word `function`; its name comes next.
    pub(super) fn function(&mut self, docs: String) -> FunctionDeclaration {
        let token = self.token(self.position);
        let name = Ident { text: token.text.clone(), origin: token.origin };
        let body = self.function_rest(&name).unwrap_or_else(|_| {
            self.skip_item();
            FunctionBody::Made(Made { value: broken_expression(name.origin), arguments: Vec::new() })
        });
        FunctionDeclaration { docs, name, body }
    }

    fn function_rest(&mut self, name: &Ident) -> Parse<FunctionBody> {
        self.declared_name()?;
        let body = if self.is_next("(") {
            let parameters = self.group(Self::function_parameters)?;
            if parameters.is_empty() && self.is_next(":") {
                let colon = self.next_origin();
                let help =
                    format!("write `function {}(x, y): opaque(1);`, or no parentheses for one number", name.text);
                return Err(self.report("MBS001", colon, "a function of no numbers", Some(&help)));
            } else if self.eat(":").is_some() {
                self.supplied_function(parameters)?
            } else if self.eat("=").is_some() {
                FunctionBody::Inlined { parameters, value: self.value()? }
            } else {
                return Err(self.expected(&format!("`=` after the parameters of `{}`", name.text)));
            }
        } else if self.eat("=").is_some() {
            FunctionBody::Made(self.data_function()?)
        } else if self.eat(":").is_some() {
            self.supplied_function(Vec::new())?
        } else {
            return Err(self.expected_with_help(&format!("`(`, `=` or `:` after `{}`", name.text), Some(FORMS)));
        };
        self.semicolon(&format!("function `{}`", name.text))?;
        Ok(body)
    }

    /// Reads names between commas, in a group that has been entered.
    fn function_parameters(&mut self) -> Parse<Vec<Ident>> {
        let mut parameters = Vec::new();
        self.comma_separated("`,` or `)` after a parameter", |p| {
            parameters.push(p.declared_name()?);
            Ok(())
        })?;
        Ok(parameters)
    }

    /// Reads a function made from data: `kind(data) { options }`.
    fn data_function(&mut self) -> Parse<Made> {
        let opens = self.token(self.position + 1).text == "(";
        let from_file = self.is_word(self.position)
            && opens
            && self.token(self.position + 2).text.starts_with(['"', 'r'])
            && self.token(self.position + 2).kind == Kind::Literal;
        let value = if from_file { self.made_from_file()? } else { self.value()? };
        let arguments = if self.is_next("{") { self.arguments() } else { Vec::new() };
        Ok(Made { value, arguments })
    }

    /// Reads `spline("knee.csv")`: the numbers of the file replace its name.
    fn made_from_file(&mut self) -> Parse<Expr> {
        let kind = self.word("a kind of function")?;
        let origin = kind.origin;
        let (file, over) = self.group(|p| (p.file_name("`(`", "write `spline(\"knee.csv\")`"), p.is_at_end()));
        let file = file?;
        if !over {
            let help = "options stand in braces: `spline(\"knee.csv\") { ends: periodic }`";
            return Err(self.report("MBS001", origin, "more than a file in the parentheses", Some(help)));
        }
        if !matches!(kind.text.as_str(), "spline" | "bicubic") {
            let message = format!("`{}` is not made from a file", kind.text);
            return Err(self.report("MBS070", file.origin, message, Some("write `spline(\"…\")`, or its numbers")));
        }
        // A file that cannot be read breaks the function, not the item.
        let Ok(columns) = self.table(&file) else { return Ok(broken_expression(origin)) };
        let number = |cell: &Cell| Expr { kind: ExprKind::Number(cell.number), origin: cell.origin };
        let vector = |items: Vec<Expr>, origin| Expr { kind: ExprKind::Vector(items), origin };
        if kind.text == "bicubic" {
            let Ok(grid) = self.grid(&columns, file.origin) else { return Ok(broken_expression(origin)) };
            let list = |cells: Vec<Cell>| vector(cells.iter().map(number).collect(), file.origin);
            let rows = grid.values.into_iter().map(list).collect();
            let data = vec![list(grid.x), list(grid.y), vector(rows, file.origin)];
            return Ok(Expr { kind: ExprKind::Call(kind, data), origin });
        }
        let columns = columns.iter().map(|c| vector(c.iter().map(number).collect(), file.origin));
        let mut columns: Vec<Expr> = columns.collect();
        let values = match columns.split_off(1) {
            several if several.len() > 1 => vec![vector(several, file.origin)],
            one => one,
        };
        columns.extend(values);
        Ok(Expr { kind: ExprKind::Call(kind, columns), origin })
    }

    /// Makes the grid of columns x, y, z.
    fn grid(&mut self, columns: &[Vec<Cell>], file: Origin) -> Parse<Grid> {
        table::grid(columns).map_err(|mistake| {
            let (origin, message, help) = mistake;
            self.report("MBS072", origin.unwrap_or(file), message, Some(help))
        })
    }

    /// Reads the columns of a file.
    fn table(&mut self, file: &FileName) -> Parse<Vec<Vec<Cell>>> {
        let Imported { path, text } = self.load(file)?;
        let origin = file.origin;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
        let index = self.sources.import(path, text.clone());
        let sources = &mut self.sources;
        let mut errors = Errors::new();
        let columns = table::read(&text, &mut |bytes| sources.imported(index, origin, bytes), &mut errors);
        for mistake in errors.list() {
            if self.errors.list().len() < ERROR_LIMIT {
                self.errors.push(mistake.code, mistake.origin, mistake.message.clone(), mistake.help.clone());
            }
        }
        columns.ok_or(Reported)
    }

    /// Reads a function supplied at run time, after the colon: `[3] opaque(2)` or `CubicSpline<16> = spline(…)`.
    fn supplied_function(&mut self, parameters: Vec<Ident>) -> Parse<FunctionBody> {
        let shape = if self.is_next("[") { self.group(|p| p.list("`]`")).0 } else { Vec::new() };
        let kind = self.word("a kind of function after `:`")?;
        let arguments = self.supplied_arguments()?;
        let default = if self.eat("=").is_some() { Some(self.data_function()?) } else { None };
        Ok(FunctionBody::Supplied { parameters, shape, kind, arguments, default })
    }

    /// Reads `(2)`, `<16>`, or no arguments.
    fn supplied_arguments(&mut self) -> Parse<Vec<Expr>> {
        let mut arguments = Vec::new();
        if matches!(self.kind(), Kind::Open(_)) && self.is_next("(") {
            return Ok(self.group(|p| p.list("`)`")).0);
        }
        if self.eat("<").is_some() {
            // Each operand has at least one token, so that the loop ends.
            while self.eat(">").is_none() {
                arguments.push(self.binary(Power::At)?.expr);
                if self.eat(",").is_none() && !self.is_next(">") {
                    return Err(self.expected("`,` or `>`"));
                }
            }
        }
        Ok(arguments)
    }
}
