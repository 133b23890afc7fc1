//! Functions as arguments of kinds: terrain.

use mbs_definition::Expr;
use mbs_expr::ExprId;

use crate::curves::ANYWHERE;
use crate::mistakes;
use crate::resolvers::{ForceResolver, Resolves};
use crate::value::Value;
use crate::{Category, Res, Scope};

impl<'a> ForceResolver<'_, 'a> {
    /// A function of as many numbers as the space has directions along its ground: its value over the first leaves, and these.
    pub(crate) fn height(&mut self, value: &Expr, what: &str, scope: &Scope) -> Res<[ExprId; 3]> {
        let taken = if self.resolver.planar() { "x" } else { "x, y" };
        let help = || Some(format!("declare `function height({taken}) = …;`, and write `height: height`"));
        let slot = self.resolver.path(value, scope)?.and_then(|path| self.resolver.names.full.get(&path).copied());
        let Some(slot) = slot.filter(|slot| self.resolver.names.slots[*slot].category == Category::Function) else {
            let found = self.resolver.eval(value, scope)?;
            return self
                .fail(value.origin, mistakes::forces::height_is_no_function(what, found.describe()).help_if(help()));
        };
        let (count, wanted) =
            (self.function_resolver().parameter_count(slot)?, if self.resolver.planar() { 1 } else { 2 });
        let name = self.resolver.names.slots[slot].name.clone();
        if count != wanted {
            return self.fail(
                value.origin,
                mistakes::forces::height_takes_other_numbers(what, taken, &name, count).help_if(help()),
            );
        }
        let leaves = [self.resolver.exprs.placeholder(0), self.resolver.exprs.placeholder(1)];
        let values = leaves[..wanted].iter().map(|leaf| Value::Number(*leaf)).collect();
        // No argument can be at fault: they are numbers.
        let height = self.function_resolver().call_declared(slot, values, &[], scope)?;
        let Value::Number(height) = height else {
            return self.fail(value.origin, mistakes::forces::height_gives_no_number(what, &name, height.describe()));
        };
        let somewhere = leaves.map(|leaf| (leaf, ANYWHERE.into(), [0.0; 2]));
        let there = self
            .resolver
            .exprs
            .write(|w| w.id(w.mixed_derivatives(&self.resolver.functions.called, height, &somewhere)[0]));
        let m = self.resolver.exprs.mentions(there);
        if m.order.is_some() || m.input || m.auxiliary || m.time {
            return self.fail(value.origin, mistakes::forces::height_not_parametric(what, &name));
        }
        Ok([height, leaves[0], leaves[1]])
    }
}
