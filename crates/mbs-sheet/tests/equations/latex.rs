//! A reader of the formulas' LaTeX: juxtaposition multiplies, functions take one symbol or parentheses.

use std::collections::BTreeMap;

use mbs_expr::{CalledFunction, Partial};

/// The values of symbols, longest LaTeX first.
pub struct Symbols<'m> {
    values: Vec<(String, f64)>,
    /// Functions of one number, which documents name: their values are data, or written in Rust.
    functions: &'m [CalledFunction],
}

impl<'m> Symbols<'m> {
    pub fn new(values: BTreeMap<String, f64>, functions: &'m [CalledFunction]) -> Symbols<'m> {
        let mut values: Vec<(String, f64)> = values.into_iter().collect();
        values.sort_by_key(|(latex, _)| std::cmp::Reverse(latex.len()));
        Symbols { values, functions }
    }

    pub fn define(&mut self, latex: &str, value: f64) {
        self.values.push((latex.to_owned(), value));
        self.values.sort_by_key(|(latex, _)| std::cmp::Reverse(latex.len()));
    }

    /// A derivative at x of a function by its name; `left_{cam}` is `left.cam`, `groove_{1}` the second component of `groove`.
    fn call_function(&self, name: &str, derivative: usize, x: f64) -> Result<f64, String> {
        let plain = |name: &str| name.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        let written = plain(name);
        let found = self.functions.iter().find_map(|f| match written.strip_prefix(&plain(&f.name))? {
            "" => Some((f, 0)),
            index => Some((f, index.parse().ok()?)),
        });
        let (function, component) = found.ok_or_else(|| format!("no function `{name}`"))?;
        let partial = (0..derivative).fold(Partial::value(1, component), |partial, _| partial.differentiated(0));
        Ok(function.partial(partial, &[x]))
    }

    /// The value of a formula.
    pub fn evaluate(&self, latex: &str) -> Result<f64, String> {
        let clean = latex.replace("\\Bigl", "").replace("\\Bigr", "").replace("\\tfrac", "\\frac");
        let mut reader = Reader { symbols: self, rest: &clean };
        let value = reader.sum()?;
        reader.space();
        if reader.rest.is_empty() { Ok(value) } else { Err(format!("`{}` is left of `{latex}`", reader.rest)) }
    }
}

struct Reader<'a> {
    symbols: &'a Symbols<'a>,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn space(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            match self.rest.strip_prefix("\\ ") {
                Some(rest) => self.rest = rest,
                None => return,
            }
        }
    }

    fn take(&mut self, text: &str) -> bool {
        self.space();
        // A command ends where its letters end.
        let is_command = text.starts_with('\\') && text[1..].chars().all(char::is_alphabetic);
        match self.rest.strip_prefix(text) {
            Some(rest) if !is_command || !rest.starts_with(char::is_alphabetic) => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn expect(&mut self, text: &str) -> Result<(), String> {
        if self.take(text) { Ok(()) } else { Err(format!("`{text}` expected at `{}`", self.rest)) }
    }

    fn sum(&mut self) -> Result<f64, String> {
        let mut total = if self.take("-") { -self.product()? } else { self.product()? };
        loop {
            if self.take("+") {
                total += self.product()?;
            } else if self.take("-") {
                total -= self.product()?;
            } else {
                return Ok(total);
            }
        }
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut product = self.factor()?.ok_or_else(|| format!("a factor expected at `{}`", self.rest))?;
        while let Some(factor) = self.factor()? {
            product *= factor;
        }
        Ok(product)
    }

    fn power(&mut self, base: f64) -> Result<f64, String> {
        if !self.take("^{") {
            return Ok(base);
        }
        let exponent = self.sum()?;
        let exponent = if self.take("/") { exponent / self.sum()? } else { exponent };
        self.expect("}")?;
        Ok(if exponent.fract() == 0.0 { base.powi(exponent as i32) } else { base.powf(exponent) })
    }

    fn group(&mut self, open: &str, close: &str) -> Result<f64, String> {
        self.expect(open)?;
        let value = self.sum()?;
        self.expect(close)?;
        Ok(value)
    }

    fn factor(&mut self) -> Result<Option<f64>, String> {
        self.space();
        if let Some((latex, value)) = self.symbols.values.iter().find(|(latex, _)| self.is_here(latex)) {
            self.rest = &self.rest[latex.len()..];
            return self.power(*value).map(Some);
        }
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            let end = self.rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(self.rest.len());
            let (digits, rest) = self.rest.split_at(end);
            self.rest = rest;
            return self.power(digits.parse().map_err(|e| format!("{digits}: {e}"))?).map(Some);
        }
        if self.rest.starts_with('(') {
            let value = self.group("(", ")")?;
            return self.power(value).map(Some);
        }
        self.command()
    }

    /// Whether the rest begins with this symbol, and not with a command whose first letters are the symbol.
    fn is_here(&self, latex: &str) -> bool {
        let is_word = latex.ends_with(char::is_alphabetic);
        self.rest.strip_prefix(latex).is_some_and(|rest| !is_word || !rest.starts_with(char::is_alphabetic))
    }

    fn command(&mut self) -> Result<Option<f64>, String> {
        type Named = (&'static str, fn(f64) -> f64);
        const FUNCTIONS: [Named; 14] = [
            ("\\sin", f64::sin),
            ("\\cos", f64::cos),
            ("\\tan", f64::tan),
            ("\\arcsin", f64::asin),
            ("\\arccos", f64::acos),
            ("\\arctan", f64::atan),
            ("\\sinh", f64::sinh),
            ("\\cosh", f64::cosh),
            ("\\tanh", f64::tanh),
            ("\\exp", f64::exp),
            ("\\ln", f64::ln),
            ("\\operatorname{sgn}", |x| if x == 0.0 { 0.0 } else { x.signum() }),
            ("\\lvert", f64::abs),
            ("\\sqrt", f64::sqrt),
        ];
        if self.take("\\cdot") {
            return self.factor();
        }
        if self.take("\\pi") {
            return self.power(std::f64::consts::PI).map(Some);
        }
        if self.take("\\frac") {
            let above = self.group("{", "}")?;
            return Ok(Some(above / self.group("{", "}")?));
        }
        if self.take("\\begin{cases}") {
            return self.cases().map(Some);
        }
        for (name, f) in FUNCTIONS {
            if !self.take(name) {
                continue;
            }
            // sin² x is (sin x)².
            let exponent = self.exponent()?;
            let argument = match name {
                "\\sqrt" => self.group("{", "}")?,
                "\\lvert" => self.sum().and_then(|x| self.expect("\\rvert").map(|()| x))?,
                _ if self.rest.starts_with('(') => self.group("(", ")")?,
                _ => self.symbol()?,
            };
            let value = f(argument).powi(exponent as i32);
            return if matches!(name, "\\sqrt" | "\\lvert") { self.power(value).map(Some) } else { Ok(Some(value)) };
        }
        if self.take("\\lfloor") {
            let value = self.sum()?.floor();
            self.expect("\\rfloor")?;
            return self.power(value).map(Some);
        }
        type Named2 = (&'static str, fn(f64, f64) -> f64);
        let pairs: [Named2; 3] = [("\\min", f64::min), ("\\max", f64::max), ("\\operatorname{atan2}", f64::atan2)];
        for (name, f) in pairs {
            if self.take(name) {
                let exponent = self.exponent()?;
                self.expect("(")?;
                let first = self.sum()?;
                self.expect(",")?;
                return Ok(Some(f(first, self.group("", ")")?).powi(exponent as i32)));
            }
        }
        if self.take("\\operatorname{") {
            let end = self.rest.find(['\'', '(']).ok_or("a function without an argument")?;
            let (name, rest) = self.rest.split_at(end);
            self.rest = rest;
            let mut derivative = 0;
            while self.take("'") {
                derivative += 1;
            }
            let name = name.strip_suffix('}').unwrap_or(name);
            let argument = self.group("(", ")")?;
            return self.symbols.call_function(name, derivative, argument).map(Some);
        }
        Ok(None)
    }

    /// The exponent of a function's name, one if there is none.
    fn exponent(&mut self) -> Result<f64, String> {
        if !self.take("^{") {
            return Ok(1.0);
        }
        let exponent = self.sum()?;
        self.expect("}")?;
        Ok(exponent)
    }

    /// The one symbol that a function without parentheses takes.
    fn symbol(&mut self) -> Result<f64, String> {
        self.space();
        let found = self.symbols.values.iter().find(|(latex, _)| self.is_here(latex));
        let (latex, value) = found.ok_or_else(|| format!("a symbol expected at `{}`", self.rest))?;
        self.rest = &self.rest[latex.len()..];
        Ok(*value)
    }

    fn cases(&mut self) -> Result<f64, String> {
        let then = self.sum()?;
        self.expect("& \\text{if }")?;
        let left = self.sum()?;
        let test = ["\\lt", "\\le", "="].into_iter().find(|t| self.take(t)).ok_or("a comparison expected")?;
        let right = self.sum()?;
        self.expect("\\cr")?;
        let otherwise = self.sum()?;
        self.expect("& \\text{else} \\end{cases}")?;
        let is_true = match test {
            "\\lt" => left < right,
            "\\le" => left <= right,
            _ => left == right,
        };
        Ok(if is_true { then } else { otherwise })
    }
}
