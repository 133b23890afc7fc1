//! Functions as arguments of kinds of forces: the height of terrain.

use mbs_definition::Expr;
use mbs_expr::ExprId;

use crate::curves::ANYWHERE;
use crate::mistakes;
use crate::resolvers::{ForceResolver, Resolves};
use crate::value::Value;
use crate::{Category, Res, Scope};

impl<'a> ForceResolver<'_, 'a> {
    /// Height of terrain as a function of the horizontal coordinates, x in the plane, x and y in space: its value in two leaves, and these leaves.
    pub(crate) fn height(&mut self, value: &Expr, subject: &str, scope: &Scope) -> Res<[ExprId; 3]> {
        let taken = if self.resolver.is_planar() { "x" } else { "x, y" };
        let help = || Some(format!("declare `function height({taken}) = …;`, and write `height: height`"));
        let slot = self.resolver.full_path(value, scope)?.and_then(|path| self.resolver.names.full.get(&path).copied());
        let Some(slot) = slot.filter(|slot| self.resolver.names.slots[*slot].category == Category::Function) else {
            let found = self.resolver.eval(value, scope)?;
            return self.fail(
                value.origin,
                mistakes::forces::height_is_no_function(subject, found.describe()).help_if(help()),
            );
        };
        let (count, wanted) =
            (self.function_resolver().parameter_count(slot)?, if self.resolver.is_planar() { 1 } else { 2 });
        let name = self.resolver.names.slots[slot].name.clone();
        if count != wanted {
            return self.fail(
                value.origin,
                mistakes::forces::height_takes_other_numbers(subject, taken, &name, count).help_if(help()),
            );
        }
        let leaves = [self.resolver.exprs.placeholder(0), self.resolver.exprs.placeholder(1)];
        let values = leaves[..wanted].iter().map(|leaf| Value::Number(*leaf)).collect();
        // The arguments are numbers, so that the mistake is in the function.
        let height = self.function_resolver().call_declared(slot, values, &[], scope)?;
        let Value::Number(height) = height else {
            return self
                .fail(value.origin, mistakes::forces::height_gives_no_number(subject, &name, height.describe()));
        };
        let somewhere = leaves.map(|leaf| (leaf, ANYWHERE.into(), [0.0; 2]));
        let there = self
            .resolver
            .exprs
            .write(|w| w.id(w.mixed_derivatives(&self.resolver.functions.called, height, &somewhere)[0]));
        let m = self.resolver.exprs.mentions(there);
        if m.order.is_some() || m.input || m.auxiliary || m.time {
            return self.fail(value.origin, mistakes::forces::height_not_parametric(subject, &name));
        }
        Ok([height, leaves[0], leaves[1]])
    }
}
