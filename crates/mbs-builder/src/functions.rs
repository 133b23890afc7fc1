//! Functions: bound to the model at run time, made from data, set at run time.

use std::panic::Location;

use mbs_math::{Beyond, Ends};

use super::contents::{Form, Function, NodeId, NodeKind};
use super::sites::Here;
use super::store::Store;
use super::term::Term;
use super::{Name, Number, Planar, Scalar, Value, Vector};

/// A declared function that is written in Rust.
#[derive(Clone, Copy, Debug)]
pub struct Opaque<'m>(Callee<'m>);

/// A function made from data: [`Planar::linear`] and others.
#[derive(Clone, Copy, Debug)]
pub struct Made<'m>(Callee<'m>);

/// A cubic spline: [`Planar::spline`], [`Planar::settable_spline`].
#[derive(Clone, Copy, Debug)]
pub struct Spline<'m>(Callee<'m>);

/// A spline over a grid: [`Planar::bicubic`].
#[derive(Clone, Copy, Debug)]
pub struct Bicubic<'m>(Callee<'m>);

/// A terrain height: any function of one number (over a distance) or of two.
#[derive(Clone, Copy, Debug)]
pub struct Height<'m>(Callee<'m>);

impl<'m> From<Opaque<'m>> for Height<'m> {
    fn from(function: Opaque<'m>) -> Self {
        Height(function.0)
    }
}

impl<'m> From<Made<'m>> for Height<'m> {
    fn from(function: Made<'m>) -> Self {
        Height(function.0)
    }
}

impl<'m> From<Spline<'m>> for Height<'m> {
    fn from(function: Spline<'m>) -> Self {
        Height(function.0)
    }
}

impl<'m> From<Bicubic<'m>> for Height<'m> {
    fn from(function: Bicubic<'m>) -> Self {
        Height(function.0)
    }
}

impl<'m> Height<'m> {
    /// Its name, as an argument.
    pub(super) fn name(self, here: Here) -> Term<'m> {
        let name = self.0.store.function_name(self.0.item);
        self.0.store.push(NodeKind::Name(name), here)
    }
}

/// A called function.
#[derive(Clone, Copy, Debug)]
struct Callee<'m> {
    store: &'m Store,
    item: usize,
}

/// # Functions
///
/// A Rust function from handles to handles corresponds to `function lift(x) = …;` of the language, expanded where it is called;
/// [`Planar::inlined`] gives it a name, for arguments that are functions.
impl Planar {
    /// `function f(x) = …;`
    ///
    /// ```
    /// # use mbs_builder::{Mistakes, Planar};
    /// # fn main() -> Result<(), Mistakes> {
    /// # let m = Planar::new("Hills");
    /// let wheel = m.body("wheel").mass(8.0).inertia(0.2).position((0.0, 0.4));
    /// let hill = m.inlined("hill", |x| 0.2 * (1.5 * x).sin());
    /// let tyre = m.terrain_contact("tyre", m.ground(), wheel, hill, 0.3, 8e5).friction(0.9, 0.05);
    /// m.output("slip", tyre.slip());
    /// assert_eq!(m.resolve()?.loads.forces.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn inlined<'m, V: Into<Number<'m>>>(
        &'m self,
        name: impl Into<Name>,
        value: impl FnOnce(Scalar<'m>) -> V,
    ) -> Made<'m> {
        let here = Location::caller();
        let callee = self.function(name, here, |_| {});
        let argument = self.store.push(NodeKind::Local(callee.item, "x".into()), here);
        let value = self.store.adopt(value(Scalar(argument)).into(), here);
        self.store.edit_function(callee.item, |f| f.made = Form::Expression(value));
        Made(callee)
    }

    /// A function of one number that is bound at run time, by [`Model::bind`](mbs_model::Model::bind) and its name. It returns its value
    /// and this many derivatives: two if it occurs in a position row, one in a velocity row or in a potential, none in a load.
    #[track_caller]
    pub fn opaque(&self, name: impl Into<Name>, derivatives: usize) -> Opaque<'_> {
        let here = Location::caller();
        let derivatives = self.store.adopt(derivatives as f64, here);
        let form = Form::Kind("opaque".into(), vec![derivatives]);
        Opaque(self.function(name, here, |f| f.supplied = Some(form)))
    }

    /// `function f = constant(value);`
    #[track_caller]
    pub fn constant_function<'m>(&'m self, name: impl Into<Name>, value: impl Into<Number<'m>>) -> Made<'m> {
        self.made(name, "constant", vec![value.into().into()])
    }

    /// `function f = linear([a, b], c);`: a x + b y + c.
    #[track_caller]
    pub fn linear<'m>(
        &'m self,
        name: impl Into<Name>,
        factors: impl IntoIterator<Item: Into<Number<'m>>>,
        constant: impl Into<Number<'m>>,
    ) -> Made<'m> {
        self.made(name, "linear", vec![list(factors), constant.into().into()])
    }

    /// `function f = polynomial([c0, c1, c2]);`: c₀ + c₁ x + c₂ x².
    #[track_caller]
    pub fn polynomial<'m>(
        &'m self,
        name: impl Into<Name>,
        coefficients: impl IntoIterator<Item: Into<Number<'m>>>,
    ) -> Made<'m> {
        self.made(name, "polynomial", vec![list(coefficients)])
    }

    /// `function f = sinusoid(a, w, p);`: a sin(w x + p).
    #[track_caller]
    pub fn sinusoid<'m>(
        &'m self,
        name: impl Into<Name>,
        amplitude: impl Into<Number<'m>>,
        angular_frequency: impl Into<Number<'m>>,
        phase: impl Into<Number<'m>>,
    ) -> Made<'m> {
        let data = [amplitude.into(), angular_frequency.into(), phase.into()];
        self.made(name, "sinusoid", data.map(Into::into).into())
    }

    /// `function f = step([x0, x1], [y0, y1]);`: from y₀ up to x₀ to y₁ from x₁ on, smoothly.
    #[track_caller]
    pub fn step<'m, X: Into<Number<'m>>, Y: Into<Number<'m>>>(
        &'m self,
        name: impl Into<Name>,
        x: [X; 2],
        y: [Y; 2],
    ) -> Made<'m> {
        self.made(name, "step", vec![list(x), list(y)])
    }

    /// `function f = harmonic([x0, x1], [y0, y1]);`: a lift from (x₀, y₀) to (x₁, y₁) by half a cosine; its second derivative jumps at both ends.
    #[track_caller]
    pub fn harmonic<'m, X: Into<Number<'m>>, Y: Into<Number<'m>>>(
        &'m self,
        name: impl Into<Name>,
        x: [X; 2],
        y: [Y; 2],
    ) -> Made<'m> {
        self.made(name, "harmonic", vec![list(x), list(y)])
    }

    /// `function f = cycloidal([x0, x1], [y0, y1]);`: a lift whose second derivative is a sine.
    #[track_caller]
    pub fn cycloidal<'m, X: Into<Number<'m>>, Y: Into<Number<'m>>>(
        &'m self,
        name: impl Into<Name>,
        x: [X; 2],
        y: [Y; 2],
    ) -> Made<'m> {
        self.made(name, "cycloidal", vec![list(x), list(y)])
    }

    /// `function f = polynomial_345([x0, x1], [y0, y1]);`: a lift by 10 s³ − 15 s⁴ + 6 s⁵, as [`Planar::step`].
    #[track_caller]
    pub fn polynomial_345<'m, X: Into<Number<'m>>, Y: Into<Number<'m>>>(
        &'m self,
        name: impl Into<Name>,
        x: [X; 2],
        y: [Y; 2],
    ) -> Made<'m> {
        self.made(name, "polynomial_345", vec![list(x), list(y)])
    }

    /// `function f = polynomial_4567([x0, x1], [y0, y1]);`: a lift by 35 s⁴ − 84 s⁵ + 70 s⁶ − 20 s⁷, three derivatives continuous.
    #[track_caller]
    pub fn polynomial_4567<'m, X: Into<Number<'m>>, Y: Into<Number<'m>>>(
        &'m self,
        name: impl Into<Name>,
        x: [X; 2],
        y: [Y; 2],
    ) -> Made<'m> {
        self.made(name, "polynomial_4567", vec![list(x), list(y)])
    }

    /// `function f = spline([x0, x1, …], [y0, y1, …]);`: a cubic spline, natural unless [`Spline::ends`] changes that.
    #[track_caller]
    pub fn spline(
        &self,
        name: impl Into<Name>,
        x: impl IntoIterator<Item = f64>,
        y: impl IntoIterator<Item = f64>,
    ) -> Spline<'_> {
        Spline(self.made(name, "spline", vec![list(x), list(y)]).0)
    }

    /// A spline with several values over the same points: a list for each.
    #[track_caller]
    pub fn vector_spline<Y: IntoIterator<Item = f64>>(
        &self,
        name: impl Into<Name>,
        x: impl IntoIterator<Item = f64>,
        values: impl IntoIterator<Item = Y>,
    ) -> Spline<'_> {
        let values = Value::list(values.into_iter().map(list));
        Spline(self.made(name, "spline", vec![list(x), values]).0)
    }

    /// `function f = bicubic([x0, …], [y0, …], [[z00, …], …]);`: a spline over a grid, z a list of all y for each x, natural unless
    /// [`Bicubic::ends`] changes that.
    #[track_caller]
    pub fn bicubic<Z: IntoIterator<Item = f64>>(
        &self,
        name: impl Into<Name>,
        x: impl IntoIterator<Item = f64>,
        y: impl IntoIterator<Item = f64>,
        z: impl IntoIterator<Item = Z>,
    ) -> Bicubic<'_> {
        let z = Value::list(z.into_iter().map(list));
        Bicubic(self.made(name, "bicubic", vec![list(x), list(y), z]).0)
    }

    /// `function f: CubicSpline<points>;`: a spline that is set at run time; until then zero, or the points of [`Spline::default_points`].
    #[track_caller]
    pub fn settable_spline(&self, name: impl Into<Name>, points: usize) -> Spline<'_> {
        let here = Location::caller();
        let points = self.store.adopt(points as f64, here);
        let form = Form::Kind("CubicSpline".into(), vec![points]);
        Spline(self.function(name, here, |f| f.supplied = Some(form)))
    }

    #[track_caller]
    fn made<'m>(&'m self, name: impl Into<Name>, kind: &str, data: Vec<Value<'m>>) -> Made<'m> {
        let here = Location::caller();
        let data = data.into_iter().map(|value| self.store.adopt(value, here)).collect();
        Made(self.function(name, here, |f| f.made = Form::Kind(kind.into(), data)))
    }

    fn function(&self, name: impl Into<Name>, here: Here, fill: impl FnOnce(&mut Function)) -> Callee<'_> {
        Callee { store: &self.store, item: self.store.function(name.into(), here, fill) }
    }
}

fn list<'m>(items: impl IntoIterator<Item: Into<Number<'m>>>) -> Value<'m> {
    Value::list(items.into_iter().map(Into::into))
}

impl<'m> Callee<'m> {
    #[track_caller]
    fn call(self, arguments: impl IntoIterator<Item: Into<Number<'m>>>) -> Term<'m> {
        let here = Location::caller();
        let arguments = arguments.into_iter().map(|x| self.store.adopt(x.into(), here)).collect();
        self.store.push(NodeKind::Call(self.store.name_of(self.item), arguments), here)
    }

    fn ends(self, ends: Ends, here: Here) -> NodeId {
        match ends {
            Ends::Natural => self.store.adopt(Value::word("natural"), here),
            Ends::Periodic => self.store.adopt(Value::word("periodic"), here),
            Ends::NotAKnot => self.store.adopt(Value::word("not_a_knot"), here),
            Ends::Clamped(derivatives) => {
                let derivatives = derivatives.map(|derivative| self.store.adopt(derivative, here)).into();
                self.store.push(NodeKind::Call("clamped".into(), derivatives), here).node
            }
        }
    }

    fn beyond(self, beyond: Beyond, here: Here) -> NodeId {
        self.store.adopt(Value::word(if beyond == Beyond::Linear { "linear" } else { "cubic" }), here)
    }

    fn option(self, name: &str, value: NodeId, here: Here) {
        self.store.add_option(self.item, name, value, here);
    }

    fn option_for_x_and_y(self, name: &str, values: [NodeId; 2], here: Here) {
        let pair = self.store.push(NodeKind::Vector(values.into()), here).node;
        self.option(name, pair, here);
    }
}

impl<'m> Opaque<'m> {
    /// Sets the number of arguments; with several, the function returns partial derivatives as for
    /// [`Model::bind_many`](mbs_model::Model::bind_many).
    pub fn arguments(self, count: usize) -> Self {
        self.0.store.edit_function(self.0.item, |f| f.arguments = count);
        self
    }

    /// Declares that the function returns a vector of this many components.
    #[track_caller]
    pub fn size(self, components: usize) -> Self {
        let size = self.0.store.adopt(components as f64, Location::caller());
        self.0.store.edit_function(self.0.item, |f| f.size = Some(size));
        self
    }

    /// f(x).
    #[track_caller]
    pub fn of(self, x: impl Into<Number<'m>>) -> Scalar<'m> {
        Scalar(self.0.call([x]))
    }

    /// f(x, y, …).
    #[track_caller]
    pub fn at(self, arguments: impl IntoIterator<Item: Into<Number<'m>>>) -> Scalar<'m> {
        Scalar(self.0.call(arguments))
    }

    /// f(x, y, …) of a function that returns a vector.
    #[track_caller]
    pub fn vector(self, arguments: impl IntoIterator<Item: Into<Number<'m>>>) -> Vector<'m> {
        Vector(self.0.call(arguments))
    }
}

impl<'m> Made<'m> {
    /// f(x).
    #[track_caller]
    pub fn of(self, x: impl Into<Number<'m>>) -> Scalar<'m> {
        Scalar(self.0.call([x]))
    }

    /// f(x, y, …).
    #[track_caller]
    pub fn at(self, arguments: impl IntoIterator<Item: Into<Number<'m>>>) -> Scalar<'m> {
        Scalar(self.0.call(arguments))
    }
}

impl<'m> Spline<'m> {
    /// Conditions at the ends.
    #[track_caller]
    pub fn ends(self, ends: Ends) -> Self {
        let here = Location::caller();
        let value = self.0.ends(ends, here);
        self.0.option("ends", value, here);
        self
    }

    /// Continuation beyond the ends.
    #[track_caller]
    pub fn beyond(self, beyond: Beyond) -> Self {
        let here = Location::caller();
        let value = self.0.beyond(beyond, here);
        self.0.option("beyond", value, here);
        self
    }

    /// Smoothing parameter p: the spline minimises Σ (yᵢ − s(xᵢ))² + p ∫ s″² dx instead of passing through the points.
    #[track_caller]
    pub fn smoothing(self, p: f64) -> Self {
        let here = Location::caller();
        let value = self.0.store.adopt(p, here);
        self.0.option("smoothing", value, here);
        self
    }

    /// Default points of a spline that is set at run time: as many as it has.
    #[track_caller]
    pub fn default_points(self, x: impl IntoIterator<Item = f64>, y: impl IntoIterator<Item = f64>) -> Self {
        let here = Location::caller();
        let data = [list(x), list(y)].map(|points| self.0.store.adopt(points, here));
        self.0.store.edit_function(self.0.item, |f| f.made = Form::Kind("spline".into(), data.into()));
        self
    }

    /// s(x).
    #[track_caller]
    pub fn of(self, x: impl Into<Number<'m>>) -> Scalar<'m> {
        Scalar(self.0.call([x]))
    }

    /// s(x) of a spline with several values.
    #[track_caller]
    pub fn vector(self, x: impl Into<Number<'m>>) -> Vector<'m> {
        Vector(self.0.call([x]))
    }
}

impl<'m> Bicubic<'m> {
    /// Conditions at the ends in x, and at the ends in y.
    #[track_caller]
    pub fn ends(self, options: [Ends; 2]) -> Self {
        let here = Location::caller();
        let values = options.map(|ends| self.0.ends(ends, here));
        self.0.option_for_x_and_y("ends", values, here);
        self
    }

    /// Continuation beyond these ends.
    #[track_caller]
    pub fn beyond(self, options: [Beyond; 2]) -> Self {
        let here = Location::caller();
        let values = options.map(|beyond| self.0.beyond(beyond, here));
        self.0.option_for_x_and_y("beyond", values, here);
        self
    }

    /// s(x, y).
    #[track_caller]
    pub fn of(self, x: impl Into<Number<'m>>, y: impl Into<Number<'m>>) -> Scalar<'m> {
        Scalar(self.0.call([x.into(), y.into()]))
    }
}
