//! Choice of the evaluation of a mechanism: planar or spatial, with q̇ or declared speeds.

use mbs_definition::Space;
use mbs_model::Model;
use mbs_physics::Tree;
use mbs_saddle::Metric;

use crate::constants::Constants;
use crate::declared_speeds::DeclaredSpeeds;
use crate::dynamics::Dynamics;
use crate::planar::Planar;
use crate::space::Spatial;

/// A mechanism at its parameters, without prescribed coordinates.
#[derive(Clone)]
pub(crate) enum Kind {
    Planar(Box<Planar>),
    DeclaredSpeeds(Box<DeclaredSpeeds>),
    Spatial(Box<Spatial>),
}

impl Kind {
    /// Selects the evaluation of a model with its tree, whose rows are those that are on.
    pub fn new(model: &mut Model, tree: &Tree, parameters: &[f64], metric: (Metric, f64)) -> Kind {
        let constants = Constants::new(model);
        match model.space {
            Space::Planar => {
                let planar = Box::new(Planar::new((model, tree), constants, parameters, metric));
                match DeclaredSpeeds::from_planar(planar, model, tree) {
                    Ok(declared) => Kind::DeclaredSpeeds(Box::new(declared)),
                    Err(planar) => Kind::Planar(planar),
                }
            }
            Space::Spatial => Kind::Spatial(Box::new(Spatial::new((model, tree), constants, parameters, metric))),
        }
    }

    /// The evaluations.
    pub fn dynamics(&self) -> &dyn Dynamics {
        match self {
            Kind::Planar(planar) => &**planar,
            Kind::DeclaredSpeeds(declared) => &**declared,
            Kind::Spatial(spatial) => &**spatial,
        }
    }

    /// The evaluations, for changes.
    pub fn dynamics_mut(&mut self) -> &mut dyn Dynamics {
        match self {
            Kind::Planar(planar) => &mut **planar,
            Kind::DeclaredSpeeds(declared) => &mut **declared,
            Kind::Spatial(spatial) => &mut **spatial,
        }
    }
}
