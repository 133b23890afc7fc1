//! Partial derivatives of functions of several numbers, and their order in the results of a function.

/// Greatest number of arguments of a function.
pub const MOST_ARGUMENTS: usize = 4;

/// A partial derivative of one value of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Partial {
    /// Number of arguments of the function.
    pub arguments: u8,
    /// Index of the value.
    pub value: u8,
    /// Order of differentiation with respect to each argument.
    pub orders: [u8; MOST_ARGUMENTS],
}

impl Partial {
    /// A value without differentiation.
    pub const fn value(arguments: u8, value: u8) -> Partial {
        Partial { arguments, value, orders: [0; MOST_ARGUMENTS] }
    }

    /// The derivative of an order of a scalar function of one number.
    pub const fn derivative(order: u8) -> Partial {
        Partial { arguments: 1, value: 0, orders: [order, 0, 0, 0] }
    }

    /// Total order of differentiation.
    pub fn order(self) -> u8 {
        self.orders.iter().fold(0, |sum: u8, order| sum.saturating_add(*order))
    }

    /// The derivative of this partial derivative with respect to argument i.
    #[must_use]
    pub fn differentiated(mut self, i: usize) -> Partial {
        self.orders[i] = self.orders[i].saturating_add(1);
        self
    }

    /// The partial derivative with further orders of differentiation: ∂ᵃ ∂ᵇ.
    #[must_use]
    pub fn plus_orders(mut self, orders: [u8; MOST_ARGUMENTS]) -> Partial {
        self.orders.iter_mut().zip(orders).for_each(|(order, more)| *order = order.saturating_add(more));
        self
    }

    /// Indices of the arguments of differentiation, ascending: 0, 0, 1 for xxy.
    pub fn differentiation_arguments(self) -> impl Iterator<Item = usize> {
        (0..MOST_ARGUMENTS).flat_map(move |i| std::iter::repeat_n(i, usize::from(self.orders[i])))
    }

    /// Its index among the partial derivatives of a value: f; f_x, f_y, f_z; f_xx, f_xy, f_xz, f_yy, f_yz, f_zz; f_xxx, … They are sorted by
    /// order, and lexicographically within each order. For a function of one number the index is the order.
    pub fn index(self) -> usize {
        let n = usize::from(self.arguments);
        let order = usize::from(self.order());
        if n <= 1 {
            return order;
        }
        let mut index = order.checked_sub(1).map_or(0, |lower| count(n, lower));
        let (mut least, mut remaining) = (0, order);
        for i in self.differentiation_arguments() {
            remaining -= 1;
            // The number of those with the same arguments before this one, and a smaller argument here.
            index += (least..i).map(|j| order_count(n - j, remaining)).sum::<usize>();
            least = i;
        }
        index
    }
}

/// Number of partial derivatives of order k of a function of n numbers: (n + k − 1 over k).
fn order_count(n: usize, k: usize) -> usize {
    (1..=k).fold(1, |c, i| c * (n + i - 1) / i)
}

/// All partial derivatives up to an order, sorted by [`Partial::index`].
pub fn partials(arguments: usize, orders: usize) -> Vec<Partial> {
    let first = Partial::value(arguments as u8, 0);
    let (mut all, mut last) = (vec![first], vec![(first, 0)]);
    for _ in 0..orders {
        let higher =
            last.iter().flat_map(|&(partial, least)| (least..arguments).map(move |i| (partial.differentiated(i), i)));
        last = higher.collect();
        all.extend(last.iter().map(|(partial, _)| *partial));
    }
    all
}

/// Number of partial derivatives up to order k of a function of n numbers, including the value: (n + k over k).
pub fn count(n: usize, order: usize) -> usize {
    order_count(n + 1, order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partials_are_sorted_by_order_and_then_lexicographically() {
        for n in 1..=4_usize {
            let all = partials(n, 4);
            assert_eq!(count(n, 4), all.len());
            for (expected, partial) in all.iter().enumerate() {
                assert_eq!(partial.index(), expected, "{partial:?}");
            }
            let paths: Vec<(u8, Vec<usize>)> =
                all.iter().map(|p| (p.order(), p.differentiation_arguments().collect())).collect();
            assert!(paths.windows(2).all(|pair| pair[0] < pair[1]), "{paths:?}");
        }
    }
}
