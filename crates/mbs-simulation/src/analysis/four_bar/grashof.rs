//! Grashof's classes of four-bars: the links that rotate fully.

use super::FourBarLinkage;

/// Relative tolerance of s + l = p + q and of equal lengths.
const TOLERANCE: f64 = 1e-9;

/// A link of the four-bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// The distance of the fixed pivots.
    Ground,
    /// The driven link.
    Crank,
    /// The link between crank and rocker.
    Coupler,
    /// The follower.
    Rocker,
}

/// Class of a four-bar by the shortest and longest lengths s and l and the others p and q.
///
/// # Source
/// Grashof (1883), Theoretische Maschinenlehre; classes as in Barker (1985), A complete classification of planar four-bar linkages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grashof {
    /// s + l < p + q, the crank shortest: it rotates fully, the rocker oscillates.
    CrankRocker,
    /// s + l < p + q, the rocker shortest: it rotates fully, the crank oscillates.
    RockerCrank,
    /// s + l < p + q, the ground shortest: crank and rocker both rotate fully (drag link).
    DoubleCrank,
    /// s + l < p + q, the coupler shortest: it rotates fully, crank and rocker oscillate.
    DoubleRocker,
    /// s + l > p + q: no link rotates fully relative to another.
    TripleRocker {
        /// The longest link.
        longest: Link,
    },
    /// s + l = p + q: all links can be in line, and there the crank does not determine the motion.
    ChangePoint(ChangePoint),
}

/// Class of a four-bar with a change point, by its lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangePoint {
    /// Opposite lengths are equal: parallelogram or antiparallelogram.
    Parallelogram,
    /// Two pairs of adjacent lengths are equal: a kite.
    Deltoid,
    /// All lengths are equal.
    Rhombus,
    /// Any other lengths.
    Other {
        /// The shortest link.
        shortest: Link,
    },
}

impl FourBarLinkage {
    /// Grashof's class. Sums of lengths are equal if they differ by less than 1e-9 of the sum of all lengths.
    pub fn grashof(&self) -> Grashof {
        let links = self.sorted();
        let [shortest, .., longest] = links.map(|(_, link)| link);
        let excess = links[0].0 + links[3].0 - links[1].0 - links[2].0;
        match shortest {
            _ if excess.abs() <= self.tolerance() => Grashof::ChangePoint(self.change_point(shortest)),
            _ if excess > 0.0 => Grashof::TripleRocker { longest },
            Link::Ground => Grashof::DoubleCrank,
            Link::Crank => Grashof::CrankRocker,
            Link::Coupler => Grashof::DoubleRocker,
            Link::Rocker => Grashof::RockerCrank,
        }
    }

    /// Whether the crank rotates fully relative to ground, through change points where there are any.
    pub fn crank_revolves(&self) -> bool {
        match self.grashof() {
            Grashof::CrankRocker | Grashof::DoubleCrank => true,
            Grashof::RockerCrank | Grashof::DoubleRocker | Grashof::TripleRocker { .. } => false,
            // All links can be in line: the crank rotates fully if it, or the ground, is the shortest link.
            Grashof::ChangePoint(_) => self.crank.min(self.ground) <= self.coupler.min(self.rocker) + self.tolerance(),
        }
    }

    /// Links by length, in the order of [`Link`] where they are equal.
    fn sorted(&self) -> [(f64, Link); 4] {
        let FourBarLinkage { ground, crank, coupler, rocker } = *self;
        let mut links =
            [(ground, Link::Ground), (crank, Link::Crank), (coupler, Link::Coupler), (rocker, Link::Rocker)];
        links.sort_by(|a, b| a.0.total_cmp(&b.0));
        links
    }

    fn tolerance(&self) -> f64 {
        TOLERANCE * (self.ground + self.crank + self.coupler + self.rocker)
    }

    fn change_point(&self, shortest: Link) -> ChangePoint {
        let equal = |a: f64, b: f64| (a - b).abs() <= self.tolerance();
        let FourBarLinkage { ground, crank, coupler, rocker } = *self;
        match () {
            () if equal(ground, crank) && equal(crank, coupler) && equal(coupler, rocker) => ChangePoint::Rhombus,
            () if equal(ground, coupler) && equal(crank, rocker) => ChangePoint::Parallelogram,
            () if equal(ground, crank) && equal(coupler, rocker) => ChangePoint::Deltoid,
            () if equal(ground, rocker) && equal(crank, coupler) => ChangePoint::Deltoid,
            () => ChangePoint::Other { shortest },
        }
    }
}
