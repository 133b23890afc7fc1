//! Evaluates the subset of Rust that `print` emits, from its text: the third reader of programs, after the graph and the interpreter.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use mbs_compiler::interp::Fma;
use mbs_compiler::program::solve_each_column;
use mbs_core::math;
use proc_macro2::{TokenStream, TokenTree};
use syn::{BinOp, Block, Expr, ExprArray, ExprTuple, Item, ItemFn, Lit, Pat, PatSlice, PatTuple, Stmt, UnOp};

/// Value of an expression.
#[derive(Clone, Debug)]
pub enum Value {
    Number(f64),
    Integer(usize),
    Truth(bool),
    Row(Option<usize>),
    Array(Rc<RefCell<Vec<f64>>>),
    Pair(f64, f64),
    Nothing,
}

impl Value {
    fn number(self) -> f64 {
        match self {
            Value::Number(x) => x,
            // An element of a table.
            Value::Integer(i) => i as f64,
            other => panic!("{other:?} is no number"),
        }
    }

    fn truth(self) -> bool {
        match self {
            Value::Truth(x) => x,
            other => panic!("{other:?} is no truth value"),
        }
    }
}

/// Results of a function that is called, by its name and arguments.
type Called<'f> = dyn Fn(&str, &[f64]) -> Vec<f64> + 'f;

/// Functions of a printed program.
pub struct Text<'f> {
    functions: HashMap<String, ItemFn>,
    fma: Fma,
    /// Results of `super::functions::name(x)`, in one list.
    pub called: Box<Called<'f>>,
}

impl<'f> Text<'f> {
    /// Reads the tokens of a text, with one side of each `select_fma!`.
    pub fn from_tokens(tokens: TokenStream, fma: Fma) -> Text<'f> {
        let mut functions = HashMap::new();
        collect(syn::parse2(tokens).expect("the text is Rust"), fma, &mut functions);
        Text { functions, fma, called: Box::new(|name, _| panic!("function {name}")) }
    }

    /// The number of statements of the longest function that compute or store values.
    pub fn longest(&self) -> usize {
        self.largest(|statement| match statement {
            Stmt::Local(local) => local.init.as_ref().is_some_and(|init| !is_element(&init.expr, "prepared")),
            Stmt::Expr(Expr::Assign(assign), _) => {
                !is_element(&assign.left, "w") && !is_element(&assign.right, "prepared")
            }
            _ => true,
        })
    }

    /// The number of `let` statements of the function that has most of them.
    pub fn most_scopes(&self) -> usize {
        self.largest(|statement| matches!(statement, Stmt::Local(_)))
    }

    fn largest(&self, counts: impl Fn(&Stmt) -> bool) -> usize {
        self.functions.values().map(|f| f.block.stmts.iter().filter(|s| counts(s)).count()).max().unwrap_or(0)
    }

    /// Calls a function, which overwrites its output arrays.
    pub fn call(&self, name: &str, arguments: &[Value]) -> Value {
        let function = &self.functions[name];
        let mut names: Scope = HashMap::new();
        assert_eq!(function.sig.inputs.len(), arguments.len(), "{name}");
        for (input, argument) in function.sig.inputs.iter().zip(arguments) {
            let syn::FnArg::Typed(typed) = input else { panic!("no receivers") };
            let Pat::Ident(ident) = &*typed.pat else { panic!("plain argument names") };
            names.insert(ident.ident.to_string(), argument.clone());
        }
        self.block(&function.block, &mut names)
    }

    fn block(&self, block: &Block, names: &mut Scope) -> Value {
        let mut last = Value::Nothing;
        for statement in &block.stmts {
            match statement {
                // Variables that get their values later.
                Stmt::Local(local) if local.init.is_none() => {}
                Stmt::Local(local) => {
                    let value = self.expr(&local.init.as_ref().expect("a value").expr, names);
                    bind(Variables::from_pattern(&local.pat), value, names);
                }
                Stmt::Expr(e, semicolon) => {
                    let value = self.expr(e, names);
                    last = if semicolon.is_some() { Value::Nothing } else { value };
                }
                _ => panic!("only lets and expressions"),
            }
            if let Some(returned) = names.get("return") {
                return returned.clone();
            }
        }
        last
    }

    fn expr(&self, e: &Expr, names: &mut Scope) -> Value {
        match e {
            Expr::Lit(lit) => match &lit.lit {
                Lit::Float(x) => Value::Number(x.base10_parse().expect("a float")),
                Lit::Int(x) => Value::Integer(x.base10_parse().expect("an integer")),
                _ => panic!("only numbers"),
            },
            Expr::Path(path) => match path.path.get_ident() {
                Some(ident) => names.get(&ident.to_string()).unwrap_or_else(|| panic!("{ident} is unknown")).clone(),
                None => Value::Row(None), // ::core::option::Option::None
            },
            Expr::Paren(inner) => self.expr(&inner.expr, names),
            Expr::Reference(inner) => self.expr(&inner.expr, names),
            Expr::Unary(unary) => match (&unary.op, self.expr(&unary.expr, names)) {
                (UnOp::Neg(_), Value::Number(x)) => Value::Number(-x),
                (UnOp::Not(_), Value::Truth(x)) => Value::Truth(!x),
                _ => panic!("unary operator"),
            },
            Expr::Binary(binary) => {
                let (a, b) = (self.expr(&binary.left, names), self.expr(&binary.right, names));
                apply(&binary.op, a, b)
            }
            Expr::Index(index) => {
                let (array, i) = self.indexed_array(index, names);
                let value = array.borrow()[i];
                Value::Number(value)
            }
            Expr::Array(array) => {
                let list = array.elems.iter().map(|x| self.expr(x, names).number()).collect();
                Value::Array(Rc::new(RefCell::new(list)))
            }
            Expr::Repeat(repeat) => {
                let Value::Integer(n) = self.expr(&repeat.len, names) else { panic!("a length") };
                Value::Array(Rc::new(RefCell::new(vec![0.0; n])))
            }
            Expr::Assign(assign) => self.assign(assign, names),
            Expr::Return(returned) => {
                let value = self.expr(returned.expr.as_ref().expect("a value is returned"), names);
                names.insert("return".to_owned(), value);
                Value::Nothing
            }
            // if let Some(row) = part(…) { return Some(row); }
            Expr::If(branch) if matches!(*branch.cond, Expr::Let(_)) => {
                let Expr::Let(test) = &*branch.cond else { unreachable!() };
                let found = self.expr(&test.expr, names);
                if let Value::Row(Some(_)) = found {
                    names.insert("return".to_owned(), found);
                }
                Value::Nothing
            }
            Expr::If(branch) => match (self.expr(&branch.cond, names).truth(), &branch.else_branch) {
                (_, Some((_, otherwise))) if has_no_type(&branch.then_branch) && is_number_without_type(otherwise) => {
                    panic!("a choice between literals has no type, so that rustc refuses methods of it")
                }
                (true, _) => self.block(&branch.then_branch, names),
                (false, Some((_, otherwise))) => self.expr(otherwise, names),
                (false, None) => Value::Nothing,
            },
            Expr::Block(block) => self.block(&block.block, names),
            Expr::MethodCall(call) if call.method == "fill" => self.fill(call, names),
            Expr::MethodCall(call) => self.method(call, names),
            Expr::Call(call) => self.call_by_name(call, names),
            _ => panic!("unexpected expression"),
        }
    }

    fn assign(&self, assign: &syn::ExprAssign, names: &mut Scope) -> Value {
        let value = self.expr(&assign.right, names);
        match (&*assign.left, value) {
            (Expr::Index(index), Value::Number(x)) => {
                let (array, i) = self.indexed_array(index, names);
                array.borrow_mut()[i] = x;
            }
            (Expr::Unary(deref), Value::Array(source)) => {
                let Value::Array(target) = self.expr(&deref.expr, names) else { panic!("an array") };
                assert_eq!(target.borrow().len(), source.borrow().len());
                target.borrow_mut().clone_from(&source.borrow());
            }
            (variables, value) => bind(Variables::from_expr(variables), value, names),
        }
        Value::Nothing
    }

    /// `array[i..j].fill(x)`
    fn fill(&self, call: &syn::ExprMethodCall, names: &mut Scope) -> Value {
        let Expr::Index(index) = &*call.receiver else { panic!("elements are filled") };
        let Expr::Range(range) = &*index.index else { panic!("a range of elements is filled") };
        let mut end = |e: &Option<Box<Expr>>| match e.as_deref().map(|e| self.expr(e, names)) {
            Some(Value::Integer(i)) => i,
            _ => panic!("ranges have two literal ends"),
        };
        let range = end(&range.start)..end(&range.end);
        let Value::Array(array) = self.expr(&index.expr, names) else { panic!("elements of an array") };
        array.borrow_mut()[range].fill(self.expr(&call.args[0], names).number());
        Value::Nothing
    }

    fn method(&self, call: &syn::ExprMethodCall, names: &mut Scope) -> Value {
        let receiver = self.expr(&call.receiver, names);
        let arguments: Vec<Value> = call.args.iter().map(|a| self.expr(a, names)).collect();
        match (call.method.to_string().as_str(), receiver, arguments.as_slice()) {
            ("mul_add", Value::Number(a), [Value::Number(b), Value::Number(c)]) => {
                assert!(!matches!(*call.receiver, Expr::Lit(_)), "a literal receiver has no type");
                Value::Number(a.mul_add(*b, *c))
            }
            ("or", Value::Row(a), [Value::Row(b)]) => Value::Row(a.or(*b)),
            (method, ..) => panic!("method {method}"),
        }
    }

    fn call_by_name(&self, call: &syn::ExprCall, names: &mut Scope) -> Value {
        let Expr::Path(path) = &*call.func else { panic!("calls by name") };
        let arguments: Vec<Value> = call.args.iter().map(|a| self.expr(a, names)).collect();
        let name = path.path.segments.last().expect("a name").ident.to_string();
        let outside = path.path.segments[0].ident == "super";
        match (path.path.segments.len(), arguments.as_slice()) {
            (_, all) if outside => {
                let numbers = all.iter().filter_map(|x| if let Value::Number(x) = x { Some(*x) } else { None });
                let x: Vec<f64> = numbers.collect();
                Value::Array(Rc::new(RefCell::new((self.called)(&name, &x))))
            }
            (1, _) => self.call(&name, &arguments),
            (_, [Value::Integer(row)]) if name == "Some" => Value::Row(Some(*row)),
            (_, [Value::Array(angles)]) if name == "sin_cos_each" => {
                let (sines, cosines): (Vec<f64>, Vec<f64>) = angles.borrow().iter().map(|x| self.sin_cos(*x)).unzip();
                Value::Array(Rc::new(RefCell::new([sines, cosines].concat())))
            }
            (_, [Value::Array(steps), Value::Array(factor), Value::Array(speeds), Value::Array(rows)]) => {
                let columns = columns_of(path.path.segments.last().expect("a name"));
                let steps: Vec<u32> = steps.borrow().iter().map(|x| *x as u32).collect();
                self.solve_columns(&steps, &factor.borrow(), [speeds, rows], columns);
                Value::Nothing
            }
            (_, [Value::Number(x)]) => self.unary_function(&name, *x),
            (_, [Value::Number(x), Value::Number(y)]) => Value::Number(binary_function(&name, *x, *y)),
            _ => panic!("call of {name}"),
        }
    }

    fn indexed_array(&self, index: &syn::ExprIndex, names: &mut Scope) -> (Rc<RefCell<Vec<f64>>>, usize) {
        match (self.expr(&index.expr, names), self.expr(&index.index, names)) {
            (Value::Array(array), Value::Integer(i)) => (array, i),
            _ => panic!("arrays are indexed with literals"),
        }
    }

    /// `solve_columns_fused` or `solve_columns_plain`, column by column.
    fn solve_columns(&self, steps: &[u32], factor: &[f64], unknowns: [&Rc<RefCell<Vec<f64>>>; 2], columns: usize) {
        let solve = match self.fma {
            Fma::Fused => mbs_core::solve_columns_fused::<1>,
            Fma::Plain => mbs_core::solve_columns_plain::<1>,
        };
        let [mut speeds, mut rows] = unknowns.map(|x| x.borrow_mut());
        solve_each_column([&mut speeds, &mut rows], columns, |speeds, rows| solve(steps, factor, speeds, rows));
    }

    fn sin_cos(&self, x: f64) -> (f64, f64) {
        match self.fma {
            Fma::Fused => math::sin_cos_fused(x),
            Fma::Plain => math::sin_cos_plain(x),
        }
    }

    fn unary_function(&self, name: &str, x: f64) -> Value {
        Value::Number(match name {
            "sin_cos" => {
                let (sin, cos) = self.sin_cos(x);
                return Value::Pair(sin, cos);
            }
            "sqrt" => math::sqrt(x),
            "tan" => math::tan(x),
            "asin" => math::asin(x),
            "acos" => math::acos(x),
            "atan" => math::atan(x),
            "sinh" => math::sinh(x),
            "cosh" => math::cosh(x),
            "tanh" => math::tanh(x),
            "exp" => math::exp(x),
            "ln" => math::ln(x),
            "abs" => math::abs(x),
            "signum" => math::signum(x),
            "floor" => math::floor(x),
            _ => panic!("function {name}"),
        })
    }
}

/// Number of columns: the argument of `solve_columns_plain::<38>`.
fn columns_of(function: &syn::PathSegment) -> usize {
    let syn::PathArguments::AngleBracketed(list) = &function.arguments else { panic!("a number of columns") };
    let Some(syn::GenericArgument::Const(Expr::Lit(lit))) = list.args.first() else { panic!("a number of columns") };
    let Lit::Int(columns) = &lit.lit else { panic!("a number of columns") };
    columns.base10_parse().expect("an integer")
}

type Scope = HashMap<String, Value>;

fn collect(file: syn::File, fma: Fma, functions: &mut HashMap<String, ItemFn>) {
    for item in file.items {
        match item {
            Item::Fn(function) => {
                functions.insert(function.sig.ident.to_string(), function);
            }
            Item::Macro(select) => {
                let sides: Vec<TokenStream> = select.mac.tokens.into_iter().map(group_content).collect();
                let side = &sides[if fma == Fma::Fused { 0 } else { 1 }];
                collect(syn::parse2(side.clone()).expect("a side is Rust"), fma, functions);
            }
            _ => panic!("only functions"),
        }
    }
}

fn group_content(tree: TokenTree) -> TokenStream {
    match tree {
        TokenTree::Group(group) => group.stream(),
        other => panic!("{other} between the sides"),
    }
}

/// Variables that get values together; `None` for those without a name.
enum Variables {
    One(Option<String>),
    /// Nested lists are one flat list.
    List(Vec<Option<String>>),
}

impl Variables {
    fn from_pattern(pattern: &Pat) -> Variables {
        match pattern {
            Pat::Ident(ident) => Variables::One(Some(ident.ident.to_string())),
            Pat::Wild(_) => Variables::One(None),
            Pat::Slice(PatSlice { elems, .. }) | Pat::Tuple(PatTuple { elems, .. }) => {
                Variables::List(elems.iter().flat_map(|p| Variables::from_pattern(p).list()).collect())
            }
            _ => panic!("patterns are names, pairs and arrays"),
        }
    }

    fn from_expr(expr: &Expr) -> Variables {
        match expr {
            Expr::Path(path) => Variables::One(Some(path.path.require_ident().expect("a variable").to_string())),
            Expr::Infer(_) => Variables::One(None),
            Expr::Array(ExprArray { elems, .. }) | Expr::Tuple(ExprTuple { elems, .. }) => {
                Variables::List(elems.iter().flat_map(|e| Variables::from_expr(e).list()).collect())
            }
            _ => panic!("assignments go to arrays, names and pairs"),
        }
    }

    fn list(self) -> Vec<Option<String>> {
        match self {
            Variables::One(name) => vec![name],
            Variables::List(names) => names,
        }
    }
}

fn bind(variables: Variables, value: Value, names: &mut Scope) {
    let mut insert = |name: Option<String>, value| {
        let Some(name) = name else { return };
        let old = names.insert(name.clone(), value);
        assert!(old.is_none(), "{name} is bound twice");
    };
    let (variables, values) = match (variables, value) {
        (Variables::One(name), value) => return insert(name, value),
        (Variables::List(list), Value::Array(values)) => (list, values.borrow().clone()),
        (Variables::List(list), Value::Pair(a, b)) => (list, vec![a, b]),
        (Variables::List(_), value) => panic!("{value:?} is no list"),
    };
    assert_eq!(variables.len(), values.len());
    variables.into_iter().zip(values).for_each(|(name, x)| insert(name, Value::Number(x)));
}

fn apply(op: &BinOp, a: Value, b: Value) -> Value {
    if let (Value::Truth(a), Value::Truth(b)) = (&a, &b) {
        assert!(matches!(op, BinOp::BitAnd(_)));
        return Value::Truth(a & b);
    }
    let (a, b) = (a.number(), b.number());
    match op {
        BinOp::Add(_) => Value::Number(a + b),
        BinOp::Sub(_) => Value::Number(a - b),
        BinOp::Mul(_) => Value::Number(a * b),
        BinOp::Div(_) => Value::Number(a / b),
        BinOp::Lt(_) => Value::Truth(a < b),
        BinOp::Le(_) => Value::Truth(a <= b),
        BinOp::Eq(_) => Value::Truth(a == b),
        BinOp::Gt(_) => Value::Truth(a > b),
        _ => panic!("binary operator"),
    }
}

fn binary_function(name: &str, x: f64, y: f64) -> f64 {
    match name {
        "atan2" => math::atan2(x, y),
        "min" => math::min(x, y),
        "max" => math::max(x, y),
        "powf" => math::powf(x, y),
        _ => panic!("function {name}"),
    }
}

/// Whether an expression is an element of the array with this name.
fn is_element(expr: &Expr, array: &str) -> bool {
    matches!(expr, Expr::Index(index) if matches!(&*index.expr, Expr::Path(path) if path.path.is_ident(array)))
}

/// Whether a block is a literal that does not state its type.
fn has_no_type(block: &Block) -> bool {
    matches!(&block.stmts[..], [Stmt::Expr(only, None)] if is_number_without_type(only))
}

/// Whether an expression, the last one of its block, is a literal that does not state its type.
fn is_number_without_type(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(lit) => matches!(&lit.lit, Lit::Float(x) if x.suffix().is_empty()),
        Expr::Unary(unary) => is_number_without_type(&unary.expr),
        Expr::Block(block) => has_no_type(&block.block),
        _ => false,
    }
}
