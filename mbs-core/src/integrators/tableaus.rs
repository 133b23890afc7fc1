//! Coefficients of Runge–Kutta methods.

/// Coefficients of a method of S stages; `a` is strictly lower triangular if it is explicit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tableau<const S: usize> {
    pub(crate) a: [[f64; S]; S],
    pub(crate) b: [f64; S],
    pub(crate) c: [f64; S],
}

/// Explicit Euler.
const EXPLICIT_EULER: Tableau<1> = Tableau { a: [[0.0]], b: [1.0], c: [0.0] };

/// Runge's method of order 2.
const RK2: Tableau<2> = Tableau { a: [[0.0, 0.0], [0.5, 0.0]], b: [0.0, 1.0], c: [0.0, 0.5] };

/// Kutta's method of order 3.
const RK3: Tableau<3> = Tableau {
    a: [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [-1.0, 2.0, 0.0]],
    b: [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0],
    c: [0.0, 0.5, 1.0],
};

/// The classical method.
const RK4: Tableau<4> = Tableau {
    a: [[0.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
    b: [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    c: [0.0, 0.5, 0.5, 1.0],
};

/// The explicit method of S stages and order S.
pub(super) const fn tableau<const S: usize>() -> Tableau<S> {
    match S {
        1 => resize(&EXPLICIT_EULER),
        2 => resize(&RK2),
        3 => resize(&RK3),
        4 => resize(&RK4),
        _ => panic!("a method of S stages has order S for S = 1, 2, 3, 4 only"),
    }
}

/// The tableaus of 1, 2, 3 and 4 stages, extended to 4, for a number of stages that is known at run time only.
pub(crate) const TABLEAUS: [Tableau<4>; 4] = [resize(&EXPLICIT_EULER), resize(&RK2), resize(&RK3), resize(&RK4)];

/// Extends a tableau to S stages, with zeros for the missing ones; all zeros if it has more than S.
pub(super) const fn resize<const N: usize, const S: usize>(tableau: &Tableau<N>) -> Tableau<S> {
    let mut resized = Tableau { a: [[0.0; S]; S], b: [0.0; S], c: [0.0; S] };
    let mut i = 0;
    while i < N && N <= S {
        let mut j = 0;
        while j < N {
            resized.a[i][j] = tableau.a[i][j];
            j += 1;
        }
        resized.b[i] = tableau.b[i];
        resized.c[i] = tableau.c[i];
        i += 1;
    }
    resized
}
