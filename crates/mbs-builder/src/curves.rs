//! Planar curves, and cam joints of two curves that touch.

use std::panic::Location;

use super::contents::NodeKind;
use super::joints::Cam;
use super::sites::Here;
use super::term::{self, Term, Value};
use super::{Frame, Joint, Name, Number, Numbers, Planar, Scalar, Vector};

/// A curve fixed on a body or marker, a function of its parameter.
#[derive(Clone, Copy, Debug)]
pub struct Curve<'m>(pub(super) term::Declared<'m>);

/// # Curves and cams
impl Planar {
    /// A curve in the axes of the frame on which it is fixed, as a function of its parameter: `curve lobe(s) on shaft = [x, y];`
    ///
    /// ```
    /// # use mbs_builder::{Mistakes, Planar};
    /// # fn main() -> Result<(), Mistakes> {
    /// # let m = Planar::new("Valve");
    /// # let shaft = m.body("shaft").mass(1.0).inertia(0.02);
    /// # let valve = m.body("valve").mass(0.4).inertia(1e-3).position((0.0, 0.03));
    /// # m.revolute("bearing", m.ground(), shaft);
    /// # m.prismatic("guide", m.ground(), valve, (0.0, 1.0));
    /// let lobe = m.curve("lobe", shaft, |s| (0.04 * s.cos(), 0.04 * s.sin() - 0.012)).closed(std::f64::consts::TAU);
    /// let face = m.line("face", valve, (1.0, 0.0));
    /// let contact = m.cam("contact", lobe, face);
    /// m.output("pressure_angle", contact.pressure_angle());
    /// m.output("bend", lobe.curvature(contact.first()));
    /// assert_eq!(m.resolve()?.curves.cams.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn curve<'m, V: Into<Numbers<'m>>>(
        &'m self,
        name: impl Into<Name>,
        frame: impl Into<Frame<'m>>,
        trace: impl FnOnce(Scalar<'m>) -> V,
    ) -> Curve<'m> {
        let here = Location::caller();
        let curve = self.declared("curve", name, here).fixed_on(frame.into(), true, here);
        let parameter = self.store.push(NodeKind::Local(curve.item, "s".into()), here);
        Curve(curve.value(trace(Scalar(parameter)).into().0, here))
    }

    fn form<'m>(
        &'m self,
        name: impl Into<Name>,
        frame: Frame<'m>,
        form: &str,
        data: Vec<Value<'m>>,
        here: Here,
    ) -> Curve<'m> {
        Curve(self.declared("curve", name, here).fixed_on(frame, false, here).kind(form, data, here))
    }

    /// A circle \[m\] about the origin of the frame on which it is fixed, counterclockwise: r [cos s, sin s].
    #[track_caller]
    pub fn circle<'m>(
        &'m self,
        name: impl Into<Name>,
        frame: impl Into<Frame<'m>>,
        radius: impl Into<Number<'m>>,
    ) -> Curve<'m> {
        self.form(name, frame.into(), "circle", vec![radius.into().into()], Location::caller())
    }

    /// An ellipse whose axes are those of the frame on which it is fixed \[m\]: [a cos s, b sin s].
    #[track_caller]
    pub fn ellipse<'m>(
        &'m self,
        name: impl Into<Name>,
        frame: impl Into<Frame<'m>>,
        a: impl Into<Number<'m>>,
        b: impl Into<Number<'m>>,
    ) -> Curve<'m> {
        self.form(name, frame.into(), "ellipse", vec![a.into().into(), b.into().into()], Location::caller())
    }

    /// The involute of a circle \[m\]: r [cos s + s sin s, sin s − s cos s].
    #[track_caller]
    pub fn involute<'m>(
        &'m self,
        name: impl Into<Name>,
        frame: impl Into<Frame<'m>>,
        radius: impl Into<Number<'m>>,
    ) -> Curve<'m> {
        self.form(name, frame.into(), "involute", vec![radius.into().into()], Location::caller())
    }

    /// A line through the origin of the frame on which it is fixed; its parameter is the length \[m\].
    #[track_caller]
    pub fn line<'m>(
        &'m self,
        name: impl Into<Name>,
        frame: impl Into<Frame<'m>>,
        direction: impl Into<Numbers<'m>>,
    ) -> Curve<'m> {
        self.form(name, frame.into(), "line", vec![direction.into().0], Location::caller())
    }

    /// The graph of a polynomial: [s, c₀ + c₁ s + c₂ s²].
    #[track_caller]
    pub fn polynomial_curve<'m>(
        &'m self,
        name: impl Into<Name>,
        frame: impl Into<Frame<'m>>,
        coefficients: impl IntoIterator<Item: Into<Number<'m>>>,
    ) -> Curve<'m> {
        let coefficients = Value::list(coefficients.into_iter().map(Into::into));
        self.form(name, frame.into(), "polynomial", vec![coefficients], Location::caller())
    }

    /// Two curves touch, tangent to each other; the contact parameters are unknowns of the joint. The second curve is that of the follower.
    #[track_caller]
    pub fn cam<'m>(&'m self, name: impl Into<Name>, first: Curve<'m>, second: Curve<'m>) -> Joint<'m, Cam> {
        self.joined(name, "cam", [first.0.term, second.0.term])
    }
}

impl<'m> Curve<'m> {
    /// Declares that the curve closes after this period of its parameter.
    #[track_caller]
    pub fn closed(self, period: impl Into<Number<'m>>) -> Self {
        Curve(self.0.argument("closed", period.into(), Location::caller()))
    }

    /// Range of parameters in which assembly searches for contact.
    #[track_caller]
    pub fn range<N: Into<Number<'m>>>(self, ends: [N; 2]) -> Self {
        Curve(self.0.argument("range", Numbers::from(ends), Location::caller()))
    }

    fn quantity_at(self, field: &str, parameter: Number<'m>, here: Here) -> Term<'m> {
        self.0.term.call2(field, parameter, here)
    }

    /// World position of the point at a parameter \[m\].
    #[track_caller]
    pub fn point(self, parameter: impl Into<Number<'m>>) -> Vector<'m> {
        Vector(self.quantity_at("point", parameter.into(), Location::caller()))
    }

    /// The unit tangent at a parameter, world components.
    #[track_caller]
    pub fn tangent(self, parameter: impl Into<Number<'m>>) -> Vector<'m> {
        Vector(self.quantity_at("tangent", parameter.into(), Location::caller()))
    }

    /// The unit normal at a parameter, world components: the tangent rotated by +90°.
    #[track_caller]
    pub fn normal(self, parameter: impl Into<Number<'m>>) -> Vector<'m> {
        Vector(self.quantity_at("normal", parameter.into(), Location::caller()))
    }

    /// Curvature κ \[1/m\], positive where the curve turns to the left.
    #[track_caller]
    pub fn curvature(self, parameter: impl Into<Number<'m>>) -> Scalar<'m> {
        Scalar(self.quantity_at("curvature", parameter.into(), Location::caller()))
    }
}
