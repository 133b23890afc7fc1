//! The two versions of `sin_cos` against `libm`, whose error is below 0.8 ulp: 1.1e-16 of the difference may be `libm`'s.

use mbs_core::math;

/// Documented bound plus the error of the reference (½ ulp of 1, and a little).
const TOLERANCE: f64 = 2.3e-16;

type Body = fn(f64) -> (f64, f64);

fn bodies() -> [(&'static str, Body); 3] {
    [
        ("chosen", math::sin_cos),
        ("plain", math::sin_cos_plain),
        #[cfg(feature = "std")]
        ("fused", math::sin_cos_fused),
        #[cfg(not(feature = "std"))]
        ("chosen again", math::sin_cos),
    ]
}

fn worst(angles: impl Iterator<Item = f64>, body: Body) -> (f64, f64) {
    let mut worst = (0.0, 0.0);
    for x in angles {
        let ((s, c), (sin, cos)) = (body(x), libm::sincos(x));
        let error = (s - sin).abs().max((c - cos).abs());
        if error.is_nan() || error > worst.0 {
            worst = (error, x);
        }
    }
    worst
}

fn assert_accurate(what: &str, angles: impl Iterator<Item = f64> + Clone) {
    for (name, body) in bodies() {
        let (error, x) = worst(angles.clone(), body);
        println!("{what:24} {name:6} {error:.3e} at {x:e}");
        assert!(error <= TOLERANCE, "{name} on {what}: {error:e} at x = {x:e}");
    }
}

#[test]
fn agrees_with_libm_on_every_range() {
    let signs = |x: f64| [x, -x];
    assert_accurate("|x| < 1", (0..100_000).map(|i| f64::from(i) * 1.000_7e-5).flat_map(signs));
    assert_accurate("|x| < 30", (0..200_000).map(|i| f64::from(i) * 1.5013e-4).flat_map(signs));
    assert_accurate("|x| < 5e4", (0..400_000).map(|i| f64::from(i) * 0.124_99).flat_map(signs));
    assert_accurate("around the limit", (-1000..1000).map(|i| 5.0e4 + f64::from(i) * 1e-9).flat_map(signs));
    assert_accurate("beyond", (0..100_000).map(|i| 5.0e4 * 1.000_5_f64.powi(i % 90_000)).flat_map(signs));
    assert_accurate("tiny", (0..1100).map(|i| 2.0_f64.powi(-i)).flat_map(signs));
}

#[test]
fn agrees_with_libm_next_to_multiples_of_a_quarter_revolution() {
    let near = (0..31_830).flat_map(|n| {
        let x = f64::from(n) * core::f64::consts::FRAC_PI_2;
        [x, x.next_up(), x.next_down(), x * 0.5, -x, -x.next_up(), -x * 0.5]
    });
    assert_accurate("multiples of pi/4", near);
}

/// Bits of [`math::sin_cos_each`] and of [`math::sin_cos`], for N angles from each start on.
fn assert_each_is_one<const N: usize>(angle: &dyn Fn(usize) -> f64) {
    for start in 0..100 {
        let x: [f64; N] = std::array::from_fn(|i| angle(start + i));
        let (sin, cos) = math::sin_cos_each(x);
        for i in 0..N {
            let (s, c) = math::sin_cos(x[i]);
            let (each, one) = ([sin[i], cos[i]].map(f64::to_bits), [s, c].map(f64::to_bits));
            assert!(each == one || x[i].is_nan(), "angle {i} of {N}: {:e}", x[i]);
            assert!(!x[i].is_nan() || sin[i].is_nan() && cos[i].is_nan());
        }
    }
}

#[test]
fn several_angles_have_the_bits_of_one() {
    let moderate = |i: usize| (i as f64 - 50.0) * 7.31;
    // Every fifth angle has a reduction of its own, every eleventh is no number.
    let any = |i: usize| match (i % 5, i % 11) {
        (_, 0) => f64::NAN,
        (0, _) => 1e7 * i as f64,
        _ => moderate(i),
    };
    for angle in [&moderate as &dyn Fn(usize) -> f64, &any] {
        assert_each_is_one::<0>(angle);
        assert_each_is_one::<1>(angle);
        assert_each_is_one::<2>(angle);
        assert_each_is_one::<3>(angle);
        assert_each_is_one::<7>(angle);
        assert_each_is_one::<8>(angle);
        assert_each_is_one::<38>(angle);
    }
}

#[test]
fn sines_of_subnormals_are_their_arguments() {
    for (_, body) in bodies() {
        for x in [f64::from_bits(1), f64::MIN_POSITIVE, -f64::MIN_POSITIVE / 3.0, 0.0] {
            assert_eq!(body(x), (x, 1.0));
        }
    }
}

#[test]
fn not_finite_gives_nan_and_huge_is_libm() {
    for (_, body) in bodies() {
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(body(x).0.is_nan() && body(x).1.is_nan());
        }
        for x in [5.0e4, 1e17, -1e300, f64::MAX] {
            assert_eq!(body(x), libm::sincos(x));
        }
    }
}

#[test]
fn sin_cos_is_one_of_the_two_versions() {
    mbs_core::select_fma! {
        { const SELECTED: bool = true; }
        { const SELECTED: bool = false; }
    }
    assert_eq!(SELECTED, math::FUSED);
    #[cfg(feature = "std")]
    for x in (0..1000).map(|i| f64::from(i) * 0.37) {
        let expected = if math::FUSED { math::sin_cos_fused(x) } else { math::sin_cos_plain(x) };
        assert_eq!(math::sin_cos(x), expected);
    }
}

#[test]
fn kinks_are_defined() {
    assert_eq!((math::signum(0.0), math::signum(-0.0), math::signum(-3.0)), (0.0, 0.0, -1.0));
    assert!(math::signum(f64::NAN).is_nan());
    assert!(math::min(f64::NAN, 1.0).is_nan() && math::min(1.0, f64::NAN).is_nan());
    assert!(math::max(f64::NAN, 1.0).is_nan() && math::max(1.0, f64::NAN).is_nan());
    assert_eq!((math::min(1.0, 2.0), math::max(1.0, 2.0), math::floor(-0.5)), (1.0, 2.0, -1.0));
    assert_eq!((math::powf(0.0, 0.0), math::sqrt(2.0), math::hypot(0.0, -3.0)), (1.0, 2.0_f64.sqrt(), 3.0));
    assert!((math::hypot(3e200, 4e200) / 5e200 - 1.0).abs() < 1e-15);
}
