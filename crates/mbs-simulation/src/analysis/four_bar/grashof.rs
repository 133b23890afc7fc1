//! Which links of a four-bar turn fully.

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
    /// s + l < p + q, the crank shortest: it turns fully, the rocker swings.
    CrankRocker,
    /// s + l < p + q, the rocker shortest: it turns fully, the crank swings.
    RockerCrank,
    /// s + l < p + q, the ground shortest: crank and rocker both turn fully (drag link).
    DoubleCrank,
    /// s + l < p + q, the coupler shortest: it turns fully, crank and rocker swing.
    DoubleRocker,
    /// s + l > p + q: no link turns fully against another.
    TripleRocker {
        /// The longest link.
        longest: Link,
    },
    /// s + l = p + q: all links can lie in line, and there the motion is not determined by the crank.
    ChangePoint(ChangePoint),
}

/// Class of a four-bar with a change point, by its lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangePoint {
    /// Two lengths equal opposite to each other, and the other two: parallelogram or antiparallelogram.
    Parallelogram,
    /// Two neighbours equal, and the other two: a kite.
    Deltoid,
    /// All equal.
    Rhombus,
    /// None of these.
    Other {
        /// The shortest link.
        shortest: Link,
    },
}

impl FourBarLinkage {
    /// Grashof's class. Sums of lengths are equal if they differ by less than 1e-9 of the whole.
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

    /// Whether the crank turns fully against ground, change points included.
    pub fn crank_turns(&self) -> bool {
        match self.grashof() {
            Grashof::CrankRocker | Grashof::DoubleCrank => true,
            Grashof::RockerCrank | Grashof::DoubleRocker | Grashof::TripleRocker { .. } => false,
            // In line somewhere: the crank turns if it, or the ground, is as short as any.
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
