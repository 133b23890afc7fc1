//! Partial derivatives of functions of several numbers, and the order in which functions give them.

/// Most numbers that a function may take.
pub const MOST_ARGUMENTS: usize = 4;

/// A partial derivative of one value of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Partial {
    /// How many numbers the function takes.
    pub arguments: u8,
    /// Which of its values.
    pub value: u8,
    /// How often it is differentiated with respect to each argument.
    pub orders: [u8; MOST_ARGUMENTS],
}

impl Partial {
    /// A value itself.
    pub const fn value(arguments: u8, value: u8) -> Partial {
        Partial { arguments, value, orders: [0; MOST_ARGUMENTS] }
    }

    /// A derivative of a function of one number.
    pub const fn derivative(order: u8) -> Partial {
        Partial { arguments: 1, value: 0, orders: [order, 0, 0, 0] }
    }

    /// How often it is differentiated at all.
    pub fn order(self) -> u8 {
        self.orders.iter().fold(0, |sum: u8, order| sum.saturating_add(*order))
    }

    /// Its derivative with respect to argument i.
    #[must_use]
    pub fn along(mut self, i: usize) -> Partial {
        self.orders[i] = self.orders[i].saturating_add(1);
        self
    }

    /// The sum of two orders: ∂ᵃ ∂ᵇ.
    #[must_use]
    pub fn and(mut self, orders: [u8; MOST_ARGUMENTS]) -> Partial {
        self.orders.iter_mut().zip(orders).for_each(|(to, more)| *to = to.saturating_add(more));
        self
    }

    /// Which arguments it is differentiated with respect to, ascending: xxy is 0, 0, 1.
    pub fn path(self) -> impl Iterator<Item = usize> {
        (0..MOST_ARGUMENTS).flat_map(move |i| std::iter::repeat_n(i, usize::from(self.orders[i])))
    }

    /// Its index among the partial derivatives of a value: f; f_x, f_y, f_z; f_xx, f_xy, f_xz, f_yy, f_yz, f_zz; f_xxx, … — by order, and in
    /// each order as in a dictionary. For a function of one number it is the order.
    pub fn index(self) -> usize {
        let n = usize::from(self.arguments);
        let order = usize::from(self.order());
        if n <= 1 {
            return order;
        }
        let mut index = order.checked_sub(1).map_or(0, |lower| count(n, lower));
        let (mut least, mut left) = (0, order);
        for i in self.path() {
            left -= 1;
            // Those of the same beginning with an earlier argument here.
            index += (least..i).map(|j| of_order(n - j, left)).sum::<usize>();
            least = i;
        }
        index
    }
}

/// How many partial derivatives of an order a function of n numbers has: (n + k − 1 over k).
fn of_order(n: usize, k: usize) -> usize {
    (1..=k).fold(1, |c, i| c * (n + i - 1) / i)
}

/// All partial derivatives up to an order, by [`Partial::index`].
pub fn partials(arguments: usize, orders: usize) -> Vec<Partial> {
    let first = Partial::value(arguments as u8, 0);
    let (mut all, mut last) = (vec![first], vec![(first, 0)]);
    for _ in 0..orders {
        let longer = last.iter().flat_map(|&(partial, least)| (least..arguments).map(move |i| (partial.along(i), i)));
        last = longer.collect();
        all.extend(last.iter().map(|(partial, _)| *partial));
    }
    all
}

/// How many a function of n numbers has up to an order, the value among them: (n + k over k).
pub fn count(n: usize, order: usize) -> usize {
    of_order(n + 1, order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partials_come_by_order_and_then_as_in_a_dictionary() {
        for n in 1..=4_usize {
            let all = partials(n, 4);
            assert_eq!(count(n, 4), all.len());
            for (expected, partial) in all.iter().enumerate() {
                assert_eq!(partial.index(), expected, "{partial:?}");
            }
            let paths: Vec<(u8, Vec<usize>)> = all.iter().map(|p| (p.order(), p.path().collect())).collect();
            assert!(paths.windows(2).all(|pair| pair[0] < pair[1]), "{paths:?}");
        }
    }
}
