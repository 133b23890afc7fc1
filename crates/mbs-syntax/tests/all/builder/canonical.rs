//! Writes models as text, for comparison.

use std::collections::HashMap;

use mbs_expr::{ExprId, Exprs};
use mbs_model::Model;

/// A model as text: all its parts with expressions numbered in the order of their first use, then those expressions.
pub fn canonical(model: &Model) -> String {
    let mut model = model.clone();
    let exprs = std::mem::take(&mut model.exprs);
    let mut numbering = Numbering { exprs: &exprs, numbers: HashMap::new(), lines: Vec::new() };
    let parts = numbering.renumbered(&format!("{model:#?}"));
    format!("{parts}\n{}", numbering.lines.join("\n"))
}

struct Numbering<'e> {
    exprs: &'e Exprs,
    numbers: HashMap<u32, usize>,
    lines: Vec<String>,
}

impl Numbering<'_> {
    /// Debug output, `{:?}` or `{:#?}`, with numbers for expressions and without origins.
    fn renumbered(&mut self, text: &str) -> String {
        let text: String = text.split_whitespace().map(|word| format!("{word} ")).collect();
        let text = text.replace("( ", "(").replace(", )", ")");
        let mut parts = text.split("Origin(");
        let mut without = parts.next().unwrap_or_default().to_string();
        for part in parts {
            without.push_str(part.split_once(')').expect("an origin ends").1);
        }
        let mut parts = without.split("ExprId(");
        let mut result = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let (id, rest) = part.split_once(')').expect("an id ends");
            let number = self.number(ExprId(id.parse().expect("ids are numbers")));
            result.push_str(&format!("#{number}{rest}"));
        }
        result
    }

    fn number(&mut self, id: ExprId) -> usize {
        if let Some(number) = self.numbers.get(&id.0) {
            return *number;
        }
        let line = self.renumbered(&format!("{:?}", self.exprs.op(id)));
        self.lines.push(line);
        self.numbers.insert(id.0, self.lines.len() - 1);
        self.lines.len() - 1
    }
}
