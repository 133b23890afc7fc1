//! Basic points and vectors that bodies declare: `coordinates: natural { points: […], vectors: […] }`.

use mbs_definition::{Argument, Expr, ExprKind, Origin};
use mbs_expr::{BodyId, ExprId};
use mbs_model::{BodyKind, Dependent, Domain, StatedBasis, basis_size_text, basis_sizes};

use crate::mistakes;
use crate::resolvers::{BasisPhase, Resolves};
use crate::tables::MarkerLocation;
use crate::value::{Axes, Value};
use crate::{Declared, Reported, Res, Scope};

impl<'a> BasisPhase<'_, 'a> {
    /// After this pass: bodies have their declared bases. Markers must be resolved before, since they may be basic points.
    pub(crate) fn resolve(&mut self) {
        for b in 0..self.resolver.bodies.all.len() {
            let slot = &self.resolver.names.slots[self.resolver.bodies.slots[b]];
            let Declared::Item(d) = slot.declared else { continue };
            let scope = slot.scope.clone();
            let Some(argument) = d.arguments.iter().find(|a| a.name.text == "coordinates") else { continue };
            let Some(inside) = &argument.arguments else { continue };
            let body = BodyId(b as u32);
            let stated: Res<StatedBasis> = self.in_scope(&scope, |r| r.stated_basis(body, argument, inside, &scope));
            self.resolver.bodies.all[b].basis = stated.ok();
        }
    }

    fn stated_basis(
        &mut self,
        body: BodyId,
        argument: &Argument,
        inside: &[Argument],
        scope: &Scope,
    ) -> Res<StatedBasis> {
        let origin = argument.value.origin;
        if !matches!(&argument.value.kind, ExprKind::Name(word) if word == "natural") {
            return self.fail(origin, mistakes::bodies::coordinates_without_arguments());
        }
        let given = self.argument_resolver().arguments("`natural`", inside, &["points", "vectors"]);
        let (found, strange) = (given.found, given.strange);
        let [points, vectors] = [0, 1].map(|i| self.stated_list(found[i]));
        let (points, vectors) = (points?, vectors?);
        let name = self.resolver.bodies.all[body.index()].name.clone();
        let kind = [points.len(), vectors.len()];
        let known = basis_sizes(
            self.resolver.definition.space,
            self.resolver.bodies.all[body.index()].kind == BodyKind::Particle,
        );
        if !known.contains(&kind) {
            if strange {
                return Err(Reported);
            }
            let allowed: Vec<String> = known.iter().map(|kind| basis_size_text(*kind)).collect();
            let allowed = allowed.join(", or ");
            let mistake = match kind {
                [0, 0] => mistakes::bodies::basis_without_point(name, allowed),
                _ => mistakes::bodies::basis_size(name, basis_size_text(kind), allowed),
            };
            return self.fail(origin, mistake);
        }
        let point_components: Vec<Res<[ExprId; 3]>> = points.iter().map(|e| self.basic_point(e, body, scope)).collect();
        let vector_components: Vec<Res<[ExprId; 3]>> =
            vectors.iter().map(|e| self.basic_vector(e, body, scope)).collect();
        let basis = StatedBasis {
            points: point_components.into_iter().collect::<Res<_>>()?,
            vectors: vector_components.into_iter().collect::<Res<_>>()?,
        };
        let origins: Vec<Origin> = points.iter().skip(1).chain(vectors).map(|e| e.origin).collect();
        self.check_independent(&basis, &origins, &name)?;
        Ok(basis)
    }

    /// Elements of the list given for `points` or `vectors`; none if the argument is missing.
    fn stated_list<'e>(&mut self, argument: Option<&'e Argument>) -> Res<&'e [Expr]> {
        let Some(Argument { name, value, .. }) = argument else { return Ok(&[]) };
        match &value.kind {
            ExprKind::Vector(items) => Ok(items),
            ExprKind::Broken => Err(Reported),
            _ => self.fail(
                value.origin,
                mistakes::bodies::basis_not_a_list(&name.text, self.resolver.coordinates_example()),
            ),
        }
    }

    /// A basic point in body axes, relative to the origin: given as a marker of the body, or as a vector.
    fn basic_point(&mut self, e: &Expr, body: BodyId, scope: &Scope) -> Res<[ExprId; 3]> {
        let value = self.resolver.eval(e, scope)?;
        let origin = self.resolver.bodies.all[body.index()].origin_marker;
        let marker = match value {
            Value::Vector(ref v, _) if v.len() == self.resolver.dimension() => {
                self.vectors().marker_at(origin, value, e, None)?
            }
            Value::Marker(_) | Value::Body(_) => self.vectors().as_marker(&value, e.origin)?,
            other => {
                let code = mistakes::code_of_shape(matches!(other, Value::Vector(..)));
                return self.fail(
                    e.origin,
                    mistakes::bodies::not_a_basic_point(code, other.describe(), self.resolver.coordinates_example()),
                );
            }
        };
        let marker = &self.resolver.bodies.markers[marker.index()];
        let point = marker.point;
        if marker.body != Some(body) {
            let there =
                marker.body.map_or("ground".to_owned(), |b| format!("`{}`", self.resolver.bodies.all[b.index()].name));
            return self.fail(
                e.origin,
                mistakes::bodies::basic_point_elsewhere(&there, &self.resolver.bodies.all[body.index()].name),
            );
        }
        for x in point {
            self.argument_resolver().in_domain(x, Domain::Finite, e.origin, "a basic point")?;
        }
        Ok(point)
    }

    /// A basic vector, in body axes.
    fn basic_vector(&mut self, e: &Expr, body: BodyId, scope: &Scope) -> Res<[ExprId; 3]> {
        let (v, axes) = self.resolver.evaluate_vector(e, scope, "a basic vector")?;
        let rotated = match axes {
            Axes::Marker(m) => Some(&self.resolver.bodies.markers[m.index()])
                .filter(|m| m.body == Some(body))
                .map(MarkerLocation::from),
            _ => None,
        };
        let v = match rotated {
            Some(location) => self.vectors().in_body_axes(&location, v),
            None => {
                let body_axes = self.resolver.bodies.body_axes(Some(body));
                self.vectors().expect_axes(axes, body_axes, e.origin, "a basic vector")?;
                v
            }
        };
        for x in v {
            self.vectors().fixed_point(x, Some(body), e.origin)?;
        }
        self.body_resolver().check_axis(v, e.origin)?;
        Ok(v)
    }

    /// Checks that points differ and directions are independent, at default parameters; `origins` are those of the directions.
    fn check_independent(&mut self, basis: &StatedBasis, origins: &[Origin], name: &str) -> Res<()> {
        let numbers = |r: &Self, v: &[ExprId; 3]| -> Option<[f64; 3]> {
            let [x, y, z] = v.map(|x| r.resolver.at_defaults(x));
            Some([x?, y?, z?])
        };
        let points: Option<Vec<[f64; 3]>> = basis.points.iter().map(|p| numbers(self, p)).collect();
        let vectors: Option<Vec<[f64; 3]>> = basis.vectors.iter().map(|v| numbers(self, v)).collect();
        // Functions written in Rust have no values here, so that bases with them are not checked.
        let (Some(points), Some(vectors)) = (points, vectors) else { return Ok(()) };
        let from_first = |p: &[f64; 3]| [0, 1, 2].map(|k| p[k] - points[0][k]);
        let between: Vec<[f64; 3]> = points.iter().skip(1).map(from_first).collect();
        let size = between.iter().chain(&points).flatten().fold(0.0_f64, |size, x| size.max(x.abs()));
        let found = match Dependent::find_first(&between, size) {
            None => Dependent::find_first(&[between, vectors].concat(), 0.0),
            found => found,
        };
        let Some(found) = found else { return Ok(()) };
        let (index, mistake) = match found {
            Dependent::Zero(i) => (i, mistakes::bodies::basic_points_coincide(name)),
            Dependent::Spanned(i) => (i, mistakes::bodies::dependent_direction(name, self.resolver.is_planar())),
        };
        self.fail(origins[index], mistake)
    }
}
