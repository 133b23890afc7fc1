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

    /// Makes all neighbours of p neighbours of each other, removes p, and returns them.
    pub(super) fn eliminate(&mut self, p: usize) -> Vec<usize> {
        let list: Vec<usize> = self.members(p).collect();
        for &i in &list {
            for w in 0..self.words {
                self.bits[self.words * i + w] |= self.bits[self.words * p + w];
            }
            self.bits[self.words * i + i / 64] &= !(1 << (i % 64));
            self.bits[self.words * i + p / 64] &= !(1 << (p % 64));
            self.count(i);
        }
        // Only the fill of these and of their neighbours changes.
        let mut changed = self.set(p).to_vec();
        for i in &list {
            changed.iter_mut().zip(self.set(*i)).for_each(|(all, word)| *all |= word);
        }
        for k in members(&changed) {
            self.known_fill[k] = None;
        }
        list
    }
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
