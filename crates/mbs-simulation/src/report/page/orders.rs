//! Amplitudes of orders in the data of the page.

use super::Page;
#[cfg(feature = "harmonics")]
use crate::analysis::Harmonics;
use crate::json::{push_list, push_numbers, push_string};

/// Orders after the last one with an amplitude above this fraction of the largest are not shown.
#[cfg(feature = "harmonics")]
const SMALL: f64 = 5e-3;
/// Largest number of orders of a chart.
#[cfg(feature = "harmonics")]
const MOST: usize = 32;

/// Bars of the amplitudes of one or more quantities.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    title: String,
    orders: Vec<f64>,
    /// Names of the quantities, and their amplitudes of the orders.
    series: Vec<(String, Vec<f64>)>,
}

#[cfg(feature = "harmonics")]
impl Chart {
    pub(super) fn new(title: String, quantities: &[(&str, &Harmonics)]) -> Self {
        let orders = shown_orders(quantities);
        let amplitudes =
            |harmonics: &Harmonics| orders.iter().map(|order| harmonics.order(*order).amplitude()).collect();
        let series = quantities.iter().map(|(name, harmonics)| ((*name).to_owned(), amplitudes(harmonics))).collect();
        Chart { title, orders, series }
    }
}

/// Appends `,"orders": […]`, one per chart.
pub(super) fn push(out: &mut String, page: &Page) {
    out.push_str(",\n\"orders\":");
    push_list(out, &page.orders, |out, chart| {
        out.push_str("\n{\"title\":");
        push_string(out, &chart.title);
        out.push_str(",\"orders\":");
        push_numbers(out, chart.orders.iter().copied());
        out.push_str(",\"series\":");
        push_list(out, &chart.series, |out, (name, amplitudes)| {
            out.push_str("{\"name\":");
            push_string(out, name);
            out.push_str(",\"y\":");
            push_numbers(out, amplitudes.iter().copied());
            out.push('}');
        });
        out.push('}');
    });
}

/// Orders of all quantities without the means, up to the last one that is not small; at least one.
#[cfg(feature = "harmonics")]
fn shown_orders(quantities: &[(&str, &Harmonics)]) -> Vec<f64> {
    let amplitudes = || {
        let waves = quantities.iter().flat_map(|(_, harmonics)| harmonics.orders().skip(1));
        waves.map(|(order, phasor)| (order, phasor.amplitude()))
    };
    let largest = amplitudes().map(|(_, amplitude)| amplitude).fold(0.0, f64::max);
    let last =
        amplitudes().filter(|(_, amplitude)| *amplitude > SMALL * largest).map(|(order, _)| order).fold(1.0, f64::max);
    let mut orders: Vec<f64> = amplitudes().map(|(order, _)| order).filter(|order| *order <= last).collect();
    orders.sort_by(f64::total_cmp);
    orders.dedup();
    orders.truncate(MOST);
    if orders.is_empty() { vec![1.0] } else { orders }
}
