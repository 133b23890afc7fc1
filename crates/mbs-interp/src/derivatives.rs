//! Derivatives of an interpreted mechanism.

use mbs_compiler::interp::Inputs;
use mbs_compiler::kernels::STAGE_CORRECTION;
use mbs_core::rotation::{
    Attitude, Displacement, RotatingPart, Sequence, speeds_of_declared_rates, speeds_of_rates, transitivity,
};
use mbs_core::{Differentiable, Error, Mechanism, StageCoefficients, StateView, transitivity_of_derivatives};
use mbs_model::VelocityAxes;

use super::{Interpreted, state_inputs};

impl Interpreted {
    /// Outputs of the kernel of derivatives: a, λ, then for each of displacements, speeds, auxiliary states and inputs the derivatives of a and
    /// of λ, row-major.
    fn derivatives(&self, at: &StateView) -> Result<Vec<Vec<f64>>, Error> {
        self.require_linearization()?;
        match self.run("derivatives", state_inputs(at)) {
            Ok(outputs) => Ok(outputs),
            Err(row) => self.derivatives_densely(row, at),
        }
    }

    /// As [`Interpreted::derivatives`] where the pivot of `row` vanishes in the static order: each column is a dense solution.
    fn derivatives_densely(&self, row: usize, at: &StateView) -> Result<Vec<Vec<f64>>, Error> {
        let sizes = self.sizes();
        let (n, n_c) = (sizes.n_v, sizes.n_c);
        if n_c == 0 || !self.compiled.checked.solvable {
            return Err(Error::Singular { row, t: at.t });
        }
        let (mut a, mut lambda) = (vec![0.0; n], vec![0.0; n_c]);
        self.accelerations(*at, &mut a, &mut lambda)?;
        let inputs = Inputs { a: &a, lambda: &lambda, ..state_inputs(at) };
        let residual = self.run("inverse_derivatives", inputs).unwrap_or_default();
        let mut outputs = vec![a.clone(), lambda.clone()];
        for pair in residual.chunks_exact(2) {
            let columns = pair[0].len() / n;
            let (mut derivatives_of_a, mut derivatives_of_lambda) = (vec![0.0; n * columns], vec![0.0; n_c * columns]);
            for j in 0..columns {
                let mut x: Vec<f64> = pair[0].iter().skip(j).step_by(columns).map(|tau| -tau).collect();
                let mut mu: Vec<f64> = pair[1].iter().skip(j).step_by(columns).map(|row| -row).collect();
                self.fallback(row, *at, &mut x, &mut mu)?;
                x.iter().enumerate().for_each(|(i, x)| derivatives_of_a[i * columns + j] = *x);
                mu.iter().enumerate().for_each(|(i, x)| derivatives_of_lambda[i * columns + j] = *x);
            }
            outputs.extend([derivatives_of_a, derivatives_of_lambda]);
        }
        Ok(outputs)
    }

    /// An error unless the declaration requests the kernels that `Differentiable` needs.
    fn require_linearization(&self) -> Result<(), Error> {
        let is_requested = self.compiled.model.settings.kernels.linearization;
        if is_requested { Ok(()) } else { Err(Error::MissingKernel { kernel: "linearization" }) }
    }

    fn rotating_parts(&self) -> Vec<RotatingPart> {
        self.compiled.tree.links.iter().filter_map(|link| link.attitude_coordinates()).map(rotating_part).collect()
    }
}

/// Converts to the type of the runtime.
fn rotating_part(part: mbs_physics::AttitudeCoordinates) -> RotatingPart {
    RotatingPart {
        attitude: runtime_attitude(part.attitude),
        first_coordinate: part.first_q,
        first_speed: part.first_v,
        displacement: match part.floats {
            None => Displacement::None,
            Some(VelocityAxes::World) => Displacement::World,
            Some(VelocityAxes::Body) => Displacement::Body,
        },
    }
}

fn runtime_attitude(attitude: mbs_model::Attitude) -> Attitude {
    match attitude {
        mbs_model::Attitude::Quaternion => Attitude::Quaternion,
        mbs_model::Attitude::ModifiedRodrigues => Attitude::ModifiedRodrigues,
        mbs_model::Attitude::Rodrigues => Attitude::Rodrigues,
        mbs_model::Attitude::RotationVector => Attitude::RotationVector,
        mbs_model::Attitude::Euler(axes) => {
            let has_axes = |sequence: &&Sequence| sequence.axes().map(|axis| axis as u8) == axes;
            let sequence = Sequence::ALL.iter().find(has_axes);
            Attitude::Euler(*sequence.expect("the resolver requires that neighbouring axes differ"))
        }
    }
}

/// Appends the rows of adjacent blocks, each row-major with `rows` rows, to a row-major matrix.
fn append_rows(rows: usize, blocks: &[&Vec<f64>], matrix: &mut Vec<f64>) {
    for i in 0..rows {
        for block in blocks {
            let columns = block.len() / rows;
            matrix.extend(&block[i * columns..(i + 1) * columns]);
        }
    }
}

/// For mechanisms compiled with `kernels: [linearization]`; for others every fallible method returns [`Error::MissingKernel`].
impl Differentiable for Interpreted {
    type Jacobian = Box<[f64]>;

    fn jacobian_storage(&self) -> Box<[f64]> {
        let sizes = self.sizes();
        vec![0.0; sizes.n_x() * (sizes.n_x() + sizes.n_u)].into_boxed_slice()
    }

    fn state_jacobian(&self, at: StateView, jacobian: &mut [f64]) -> Result<(), Error> {
        self.require_linearization()?;
        if self.compiled.function("state_jacobian").is_some() {
            let outputs =
                self.run("state_jacobian", state_inputs(&at)).map_err(|row| Error::Singular { row, t: at.t })?;
            jacobian.copy_from_slice(&outputs[0]);
        } else {
            let sizes = self.sizes();
            let (n, width) = (sizes.n_v, sizes.n_x() + sizes.n_u);
            let derivatives = self.derivatives(&at)?;
            let mut rows = vec![0.0; n * width];
            (0..n).for_each(|i| rows[i * width + n + i] = 1.0);
            append_rows(n, &[&derivatives[2], &derivatives[4], &derivatives[6], &derivatives[8]], &mut rows);
            if sizes.n_z > 0 {
                let rates = self.run("auxiliary_derivatives", state_inputs(&at)).unwrap_or_default();
                append_rows(sizes.n_z, &rates.iter().collect::<Vec<_>>(), &mut rows);
            }
            jacobian.copy_from_slice(&rows);
        }
        if mbs_core::all_finite(jacobian) { Ok(()) } else { Err(Error::NotFinite { t: at.t }) }
    }

    /// Fills `v` with NaN if the kernel is missing.
    fn speeds_of_rates(&self, t: f64, q: &[f64], rates: &[f64], v: &mut [f64]) {
        if self.require_linearization().is_err() {
            return v.fill(f64::NAN);
        }
        match &self.compiled.declared_speeds()[..] {
            [] => speeds_of_rates(&self.rotating_parts(), q, rates, v),
            declared => speeds_of_declared_rates(self, (t, q), &self.rotating_parts(), declared, rates, v),
        }
    }

    fn acceleration_jacobian(
        &self,
        at: StateView,
        a: &mut [f64],
        lambda: &mut [f64],
        jacobian: &mut [f64],
    ) -> Result<(), Error> {
        let sizes = self.sizes();
        let derivatives = self.derivatives(&at)?;
        a.copy_from_slice(&derivatives[0]);
        lambda.copy_from_slice(&derivatives[1]);
        let mut rows = Vec::new();
        append_rows(sizes.n_v, &[&derivatives[2], &derivatives[4], &derivatives[6], &derivatives[8]], &mut rows);
        append_rows(sizes.n_c, &[&derivatives[3], &derivatives[5], &derivatives[7], &derivatives[9]], &mut rows);
        jacobian.copy_from_slice(&rows);
        if mbs_core::all_finite(jacobian) { Ok(()) } else { Err(Error::NotFinite { t: at.t }) }
    }

    fn transitivity(&self, at: StateView, matrix: &mut [f64]) -> Result<(), Error> {
        if !self.compiled.declared_speeds().is_empty() {
            return transitivity_of_derivatives(self, at, matrix);
        }
        transitivity(&self.rotating_parts(), at.v, matrix);
        Ok(())
    }

    fn correct_stage(
        &self,
        at: StateView,
        (a, lambda): (&[f64], &[f64]),
        reach: StageCoefficients,
        residual: &mut [f64],
    ) -> Result<(), Error> {
        if self.compiled.function(STAGE_CORRECTION).is_none() {
            return Err(Error::MissingKernel { kernel: "steps" });
        }
        let coefficients = &reach.weights();
        let outputs = self.run(STAGE_CORRECTION, Inputs { a, lambda, coefficients, residual, ..state_inputs(&at) });
        let outputs = outputs.map_err(|row| Error::Singular { row, t: at.t })?;
        residual.copy_from_slice(&outputs[0]);
        Ok(())
    }
}
