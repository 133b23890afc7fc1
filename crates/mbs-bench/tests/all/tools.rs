//! Tests of the tools of the benchmarks.

use mbs_bench::jet::Jet;
use mbs_bench::machine::date;
use mbs_bench::measure::timing;
use mbs_bench::{Executable, Timing};

#[test]
fn parts_of_a_function_are_counted_with_it() {
    let symbol = |name: &str, size| (name.to_owned(), size);
    let executable = Executable {
        symbols: vec![
            symbol("_RNvNtNtNtCs1_10mbs_corpus4body8four_bar7kernels13accelerations", 100),
            symbol("_ZN10mbs_corpus4body8four_bar7kernels20accelerations_part_217h0123456789abcdefE", 10),
            symbol("_RNvNtNtNtCs1_10mbs_corpus4body8four_bar7kernels10accelerate", 1),
            symbol("_RNvNtNtNtCs1_10mbs_corpus5joint8four_bar7kernels13accelerations", 1),
        ],
    };
    assert_eq!(executable.accelerations("body", "four_bar"), Some(110));
    assert_eq!(executable.accelerations("body", "andrews"), None);
    assert_eq!(executable.kernel(&["body", "four_bar"], "accelerate"), Some(1));
}

#[test]
fn days_have_dates() {
    let known = [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (19_782, "2024-02-29")];
    known.into_iter().for_each(|(day, name)| assert_eq!(date(day), name));
    assert_eq!(date(20_453), "2025-12-31");
}

#[test]
fn a_timing_is_the_median_and_the_distance_of_the_quartiles() {
    let Timing { nanoseconds, spread } = timing(vec![5.0, 1.0, 4.0, 2.0, 3.0]);
    assert_eq!((nanoseconds, spread), (3.0, 2.0 / 3.0));
}

#[test]
fn products_are_differentiated_by_the_product_rule() {
    let [x, y] = Jet::variables([3.0, -2.0]);
    let Jet { value, derivatives } = (x * x * y - y * 0.5) + x;
    assert_eq!((value, derivatives), (-14.0, [-11.0, 8.5]));
}
