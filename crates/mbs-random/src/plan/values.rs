//! Values of expressions on a motion.

use mbs_expr::{Comparison, Function, Scalar};

use super::Plan;
use crate::expr::{Expr, JUMP};
use crate::world::{S, World, angular_velocity, constant, difference, dot, opaque};

impl Plan {
    /// Value on a motion at t = 0; inputs and states, which no row depends on, are zero.
    pub fn value(&self, expr: &Expr, world: &World) -> S {
        let of = |e: &Expr| self.value(e, world);
        match expr {
            Expr::Number(x) => constant(x.value),
            Expr::Time => world.t,
            Expr::Input(_) | Expr::State(_) => constant(0.0),
            Expr::Coordinate(i) => self.coordinate(*i, world),
            Expr::Position(attachment, c) => attachment.position(world)[*c],
            Expr::Angle(b) => world.poses[*b].angle,
            Expr::Spin(b, c) => angular_velocity(&world.poses[*b].axes)[*c],
            Expr::Axis(attachment, axis, c) => attachment.axis(world, *axis)[*c],
            Expr::Distance(a, b) => {
                let r = difference(b.position(world), a.position(world));
                dot(r, r).unary(Function::Sqrt)
            }
            Expr::Within(attachment, body, c) => {
                let pose = &world.poses[*body];
                dot(difference(attachment.position(world), pose.position), pose.axes[*c])
            }
            // Time is fixed during a displacement, but functions of time alone keep their rates.
            Expr::Rate(e) if !e.moves() => {
                let t = S::linear(world.t.value(), 1.0);
                let world = World { poses: Vec::new(), algebraic: Vec::new(), posed: Vec::new(), t };
                constant(self.in_time(expr, &world).value())
            }
            Expr::Rate(e) => of(e).rate(),
            Expr::Call(call, x) | Expr::Inlined(call, x) => call.value(of(x)),
            Expr::Opaque(x) => opaque(of(x)),
            Expr::Made(made, x) => made.value(of(x)),
            Expr::Binary(op, a, b) => op.value(of(a), of(b)),
            Expr::Choice(parts) => {
                let [a, b, c, d] = &**parts;
                S::select(Comparison::Less, of(a), of(b) + constant(JUMP), of(c), of(d))
            }
            Expr::Let(e) => of(e),
        }
    }

    /// Value of an expression that depends on time alone, as a series in time.
    fn in_time(&self, expr: &Expr, world: &World) -> S {
        let of = |e: &Expr| self.in_time(e, world);
        match expr {
            Expr::Rate(e) => of(e).rate(),
            Expr::Call(call, x) | Expr::Inlined(call, x) => call.value(of(x)),
            Expr::Opaque(x) => opaque(of(x)),
            Expr::Made(made, x) => made.value(of(x)),
            Expr::Binary(op, a, b) => op.value(of(a), of(b)),
            Expr::Choice(parts) => {
                let [a, b, c, d] = [0, 1, 2, 3].map(|i: usize| of(&parts[i]));
                S::select(Comparison::Less, a, b + constant(JUMP), c, d)
            }
            Expr::Let(e) => of(e),
            leaf => self.value(leaf, world),
        }
    }
}
