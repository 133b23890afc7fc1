//! Coordinates and speeds of joints of declared kinds, by their declared names.

use mbs_definition::Ident;
use mbs_expr::{Expr, ExprId, JointId};

use crate::curves::contacts::REPORTED;
use crate::mistakes;
use crate::resolvers::{JointResolver, Resolves};
use crate::value::{Axes, Value};
use crate::{Res, did_you_mean};

impl<'a> JointResolver<'_, 'a> {
    /// Resolves a coordinate, `slider.turn`, all coordinates, `slider.q`, all speeds, `slider.u`, or the speeds with one name.
    pub(crate) fn declared_field(&mut self, j: JointId, field: &Ident) -> Res<Value> {
        let name = field.text.as_str();
        if let Some(value) = self.curve_resolver().contact_quantity(j, field)? {
            return Ok(value);
        }
        let joint = self.resolver.joints.all[j.index()].as_ref().ok_or(crate::Reported)?;
        let (joint_name, kind_name) = (joint.name.clone(), joint.kind_name.clone());
        let names: Vec<String> = joint.coordinates.iter().map(|(name, _)| name.to_string()).collect();
        let pose = joint.pose().map(|pose| &self.resolver.joints.poses[pose as usize]);
        let speeds: Vec<String> = pose.map_or_else(Vec::new, |pose| pose.speeds.clone());
        if let Some((found, is_vector)) = components_named(&names, name) {
            let values = self.field_resolver().coordinates(j, 0, names.len());
            return Ok(chosen_value(&values, &found, is_vector));
        }
        let wanted = components_named(&speeds, name)
            .or_else(|| (name == "u" && !names.is_empty()).then(|| all_components(names.len(), &speeds)));
        if let Some((found, is_vector)) = wanted {
            let values = self.joint_speeds(j, names.len());
            return Ok(chosen_value(&values, &found, is_vector));
        }
        if name == "q" && !names.is_empty() {
            return Ok(Value::Vector(self.field_resolver().coordinates(j, 0, names.len()), Axes::Unstated));
        }
        let mut known: Vec<&str> = names.iter().chain(&speeds).map(|name| base_name(name)).collect();
        known.dedup();
        if self.resolver.joints.cams.contains_key(&j) {
            known.extend(REPORTED);
        }
        let help = match known.is_empty() {
            true => Some(format!("`{kind_name}` has no coordinates")),
            false => {
                let listed = format!("it has `.{}`", known.join("`, `."));
                did_you_mean(name, known.iter().copied()).or(Some(listed))
            }
        };
        self.fail(field.origin, mistakes::values::joint_without_field(&joint_name, name).help_if(help))
    }

    /// Speeds of a joint: its declared speeds, or else the rates of its coordinates.
    fn joint_speeds(&mut self, j: JointId, count: usize) -> Vec<ExprId> {
        match self.resolver.joints.poses.iter().find(|pose| pose.joint == j) {
            Some(pose) if pose.rates.is_some() => pose.measured.clone(),
            _ => {
                let q = self.field_resolver().coordinates(j, 0, count);
                self.field_resolver().rates(q, 1)
            }
        }
    }

    /// Speeds u = (NᵀN)⁻¹Nᵀ q̇ of a joint with q̇ = N u; `columns` are those of N.
    pub(crate) fn measured_speeds(&mut self, j: JointId, columns: &[Vec<ExprId>]) -> Vec<ExprId> {
        let q = self.field_resolver().coordinates(j, 0, columns.first().map_or(0, Vec::len));
        let rates = self.field_resolver().rates(q, 1);
        self.least_squares(columns, &rates)
    }

    /// The least-squares solution x of N x = y, by elimination of NᵀN, which is positive definite where the columns are independent.
    fn least_squares(&mut self, columns: &[Vec<ExprId>], y: &[ExprId]) -> Vec<ExprId> {
        self.resolver.exprs.write(|w| {
            let n = columns.len();
            let row = |i: &Vec<ExprId>| columns.iter().map(|k| w.dot(i, k)).collect();
            let mut a: Vec<Vec<Expr<'_>>> = columns.iter().map(row).collect();
            let mut x: Vec<Expr<'_>> = columns.iter().map(|column| w.dot(column, y)).collect();
            for k in 0..n {
                let pivots = a[k].clone();
                for i in k + 1..n {
                    let factor = a[i][k] / pivots[k];
                    for (entry, pivot) in a[i].iter_mut().zip(&pivots).skip(k) {
                        *entry = *entry - factor * *pivot;
                    }
                    x[i] = x[i] - factor * x[k];
                }
            }
            for i in (0..n).rev() {
                for k in i + 1..n {
                    x[i] = x[i] - a[i][k] * x[k];
                }
                x[i] = x[i] / a[i][i];
            }
            x.into_iter().map(|x| w.id(x)).collect()
        })
    }
}

/// The name without its index: `q` of `q[2]`.
fn base_name(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

/// The indices of the components of a name, and whether it is a vector.
fn components_named(names: &[String], name: &str) -> Option<(Vec<usize>, bool)> {
    let found: Vec<usize> = (0..names.len()).filter(|k| base_name(&names[*k]) == name).collect();
    let is_vector = found.first().is_some_and(|k| names[*k] != name);
    (!found.is_empty()).then_some((found, is_vector))
}

fn all_components(coordinates: usize, speeds: &[String]) -> (Vec<usize>, bool) {
    let n = if speeds.is_empty() { coordinates } else { speeds.len() };
    ((0..n).collect(), true)
}

fn chosen_value(values: &[ExprId], found: &[usize], is_vector: bool) -> Value {
    match is_vector {
        true => Value::Vector(found.iter().map(|k| values[*k]).collect(), Axes::Unstated),
        false => Value::Number(values[found[0]]),
    }
}
