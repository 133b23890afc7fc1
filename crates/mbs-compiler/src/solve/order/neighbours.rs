//! The graph of the unknowns that an elimination has not reached.

/// The graph of the unknowns that remain: which of them share a nonzero entry, as sets of bits.
pub(super) struct Neighbours {
    /// Words of each set.
    words: usize,
    /// Set of each unknown's neighbours.
    bits: Vec<u64>,
    /// Number of each unknown's neighbours.
    pub(super) degree: Vec<usize>,
    /// Fill of each unknown, if no elimination has changed it since it was counted.
    known_fill: Vec<Option<usize>>,
}

impl Neighbours {
    /// The graph of a matrix, given the columns of each row's entries.
    pub(super) fn new(pattern: impl ExactSizeIterator<Item = impl Iterator<Item = usize>>) -> Self {
        let words = pattern.len().div_ceil(64);
        let n = pattern.len();
        let mut neighbours =
            Neighbours { words, bits: vec![0; words * n], degree: vec![0; n], known_fill: vec![None; n] };
        for (i, row) in pattern.enumerate() {
            for k in row.filter(|k| *k != i) {
                neighbours.bits[words * i + k / 64] |= 1 << (k % 64);
            }
            neighbours.count(i);
        }
        neighbours
    }

    fn set(&self, i: usize) -> &[u64] {
        &self.bits[self.words * i..][..self.words]
    }

    fn count(&mut self, i: usize) {
        self.degree[i] = self.set(i).iter().map(|word| word.count_ones() as usize).sum();
    }

    fn members(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        members(self.set(i))
    }

    /// Pairs of neighbours of p that are no neighbours of each other, which the elimination of p fills.
    fn count_fill(&self, p: usize) -> usize {
        let m = self.degree[p];
        let shared = |i: usize| -> usize {
            self.set(i).iter().zip(self.set(p)).map(|(a, b)| (a & b).count_ones() as usize).sum()
        };
        let joined: usize = self.members(p).map(shared).sum();
        (m * m.saturating_sub(1) - joined) / 2
    }

    /// As [`Neighbours::count_fill`], counted anew only where an elimination may have changed it.
    pub(super) fn fill(&mut self, p: usize) -> usize {
        let fill = self.known_fill[p].unwrap_or_else(|| self.count_fill(p));
        self.known_fill[p] = Some(fill);
        fill
    }

    /// For the elimination of a speed and a row together: number of entries that change, of unknowns whose right sides change, and of entries
    /// that are filled, which is zero unless it is asked for.
    pub(super) fn pair(&self, speed: usize, row: usize, count_fill: bool) -> (usize, usize, usize) {
        let PairNeighbours { motion, substitution, all } = self.pair_neighbours(speed, row);
        let count = |set: &[u64]| set.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        let [b, c, union] = [&motion, &substitution, &all].map(|set| count(set));
        let products = c * (c + 1) / 2 + c * (union - c);
        if !count_fill {
            return (products, b + c, 0);
        }
        let shared = |i: usize, set: &[u64]| -> usize {
            self.set(i).iter().zip(set).map(|(a, b)| (a & b).count_ones() as usize).sum()
        };
        let (mut missing, mut missing_in_row) = (0, 0);
        for j in members(&substitution) {
            missing += union - 1 - shared(j, &all);
            missing_in_row += c - 1 - shared(j, &substitution);
        }
        (products, b + c, missing - missing_in_row / 2)
    }

    /// Neighbours of a speed and a row other than these.
    fn pair_neighbours(&self, speed: usize, row: usize) -> PairNeighbours {
        let without = |i: usize, other: usize| {
            let mut set = self.set(i).to_vec();
            set[other / 64] &= !(1 << (other % 64));
            set
        };
        let (motion, substitution) = (without(speed, row), without(row, speed));
        let all = motion.iter().zip(&substitution).map(|(a, b)| a | b).collect();
        PairNeighbours { motion, substitution, all }
    }

    /// Makes all neighbours of p neighbours of each other, removes p, and returns them.
    pub(super) fn eliminate(&mut self, p: usize) -> Vec<usize> {
        let set = self.set(p).to_vec();
        let list: Vec<usize> = members(&set).collect();
        list.iter().for_each(|i| self.join(*i, &set, &[p]));
        self.forget_fill(&set);
        list
    }

    /// Makes the other neighbours of a row neighbours of each other and of those of a speed, removes both, and returns these neighbours of the row.
    pub(super) fn eliminate_pair(&mut self, speed: usize, row: usize) -> Vec<usize> {
        let PairNeighbours { motion, substitution, all } = self.pair_neighbours(speed, row);
        members(&motion).for_each(|i| self.join(i, &substitution, &[speed, row]));
        members(&substitution).for_each(|i| self.join(i, &all, &[speed, row]));
        self.forget_fill(&all);
        members(&substitution).collect()
    }

    /// Makes i a neighbour of a set, and removes others from its neighbours.
    fn join(&mut self, i: usize, set: &[u64], removed: &[usize]) {
        let neighbours = &mut self.bits[self.words * i..][..self.words];
        neighbours.iter_mut().zip(set).for_each(|(all, word)| *all |= word);
        for p in removed.iter().chain([&i]) {
            neighbours[p / 64] &= !(1 << (p % 64));
        }
        self.count(i);
    }

    /// After an elimination with these neighbours: only their fill and that of their neighbours changes.
    fn forget_fill(&mut self, neighbours: &[u64]) {
        let mut changed = neighbours.to_vec();
        for i in members(neighbours) {
            changed.iter_mut().zip(self.set(i)).for_each(|(all, word)| *all |= word);
        }
        for k in members(&changed) {
            self.known_fill[k] = None;
        }
    }
}

/// Neighbours of a speed and of a row, and of one or the other, as sets of bits.
struct PairNeighbours {
    motion: Vec<u64>,
    substitution: Vec<u64>,
    all: Vec<u64>,
}

/// Members of a set of bits, ascending.
fn members(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(w, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            let next = (rest != 0).then(|| 64 * w + rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            next
        })
    })
}
