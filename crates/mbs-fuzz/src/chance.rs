//! Random choices.

use oorandom::Rand64;

/// A source of random choices, reproducible for the same seed and number.
pub struct Chance(Rand64);

impl Chance {
    /// Creates the choices for one input of a run. Each kind of input has a separate `stream`.
    pub fn new(seed: u64, number: u64, stream: u64) -> Chance {
        let mut random = Rand64::new_inc((u128::from(seed) << 64) | u128::from(number), u128::from(stream));
        // The first numbers of adjacent seeds are similar.
        for _ in 0..4 {
            random.rand_u64();
        }
        Chance(random)
    }

    /// A number below `n`; zero if `n` is.
    pub fn below(&mut self, n: usize) -> usize {
        match n {
            0 => 0,
            n => usize::try_from(self.0.rand_range(0..n as u64)).unwrap_or(0),
        }
    }

    /// Returns true once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// An element of a list; `None` if that is empty.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }

    /// A word of a list; empty if that is.
    pub fn word<'a>(&mut self, list: &[&'a str]) -> &'a str {
        self.pick(list).copied().unwrap_or_default()
    }

    /// A number from 1 to `most`; the probability of each further step is one half.
    pub fn few(&mut self, most: usize) -> usize {
        (1..most).find(|_| self.one_in(2)).unwrap_or(most)
    }

    /// A number between 0 and 1.
    pub fn unit(&mut self) -> f64 {
        self.0.rand_float()
    }
}
