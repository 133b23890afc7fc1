//! `function name(x) = value;`, `function name = spline(…);`, `function name: opaque(2);`.

use mbs_model::definition::{Expr, ExprKind, FunctionBody, FunctionDeclaration, Ident};

use super::operators::Power;
use super::{Parse, Parser, broken};
use crate::tokens::Kind;

const FORMS: &str = "write `function f(x) = …;` or `function f: opaque(2);`";

impl Parser<'_> {
    /// What follows the word `function`, whose name comes next.
    pub(super) fn function(&mut self, docs: String) -> FunctionDeclaration {
        let token = self.token(self.position);
        let name = Ident { text: token.text.clone(), origin: token.origin };
        let body = self.function_rest(&name).unwrap_or_else(|_| {
            self.skip_item();
            FunctionBody::Made(broken(name.origin))
        });
        FunctionDeclaration { docs, name, body }
    }

    fn function_rest(&mut self, name: &Ident) -> Parse<FunctionBody> {
        self.declared_name()?;
        let body = if self.at("(") {
            let parameters = self.group(Self::function_parameters)?;
            if self.eat("=").is_none() {
                return Err(self.expected(&format!("`=` after the parameters of `{}`", name.text)));
            }
            FunctionBody::Inlined { parameters, value: self.value()? }
        } else if self.eat("=").is_some() {
            FunctionBody::Made(self.made_from_file().map_or_else(|| self.value(), Ok)?)
        } else if self.eat(":").is_some() {
            let kind = self.word("a kind of function after `:`")?;
            FunctionBody::Supplied { arguments: self.supplied_arguments()?, kind }
        } else {
            return Err(self.expected_with_help(&format!("`(`, `=` or `:` after `{}`", name.text), Some(FORMS)));
        };
        self.semicolon(&format!("function `{}`", name.text))?;
        Ok(body)
    }

    /// Names between commas, in a group that has been entered.
    fn function_parameters(&mut self) -> Parse<Vec<Ident>> {
        let mut parameters = Vec::new();
        while !self.at_end() {
            parameters.push(self.declared_name()?);
            if self.eat(",").is_none() && !self.at_end() {
                return Err(self.expected("`,` or `)` after a parameter"));
            }
        }
        Ok(parameters)
    }

    /// `spline("knee.csv")`: the files of a later version are the only strings of the language, so what stands in the parentheses
    /// is skipped.
    fn made_from_file(&mut self) -> Option<Expr> {
        let opens = self.token(self.position + 1).text == "(";
        if !(self.is_word(self.position) && opens && self.token(self.position + 2).text.starts_with('"')) {
            return None;
        }
        let kind = self.word("a kind of function").ok()?;
        self.advance();
        let origin = kind.origin;
        Some(Expr { kind: ExprKind::Call(kind, Vec::new()), origin })
    }

    /// `(2)`, `<16>`, or nothing.
    fn supplied_arguments(&mut self) -> Parse<Vec<Expr>> {
        let mut arguments = Vec::new();
        if matches!(self.kind(), Kind::Open(_)) && self.at("(") {
            return Ok(self.group(|p| p.list("`)`")).0);
        }
        if self.eat("<").is_some() {
            while self.eat(">").is_none() {
                arguments.push(self.binary(Power::At)?.expr);
                if self.eat(",").is_none() && !self.at(">") {
                    return Err(self.expected("`,` or `>`"));
                }
            }
        }
        Ok(arguments)
    }
}
