//! Searches for values that pass zero within a step, and for those that pass and return.

use super::cubic::{Cubic, vertex};
use super::judge::{is_number, is_trigger, sign};
use super::motion::Motion;
use super::rows::Row;
use super::{Events, StateRef};
use crate::{Error, Eventful, Inputs, Mechanism, Real, State};

/// Largest number of passages and excursions that are examined within a step.
const PASSAGES: usize = 64;
/// Largest number of evaluations at one extremum.
const EVALUATIONS: usize = 8;
/// An extremum that is nearer to zero than this fraction of the known values is evaluated.
const NEARER: f64 = 0.9;
/// Time, in resolutions, after which a value with an unknown rate is evaluated to find whether it has left its band.
const LEAVING: f64 = 64.0;

const SAMPLES: [(Row, f64); 3] = [(Row::Samples, 0.25), (Row::SamplesAtHalf, 0.5), (Row::SamplesAtThreeQuarters, 0.75)];

/// Arguments of evaluations within a step.
pub(super) struct Step<'a, 'i, M: Mechanism<T>, T: Real> {
    pub(super) mechanism: &'a M,
    pub(super) motion: &'a mut dyn Motion<M, T>,
    pub(super) inputs: &'a mut Inputs<'i, T>,
}

impl<M: Eventful<T>, T: Real> Events<M, T> {
    /// The time of the first event in the step after `from`, at which `Value` is given; `None` if there is none. On return values and sides are
    /// those at that time, or at the end of the step.
    pub(super) fn scan(
        &mut self,
        mechanism: &M,
        motion: &mut dyn Motion<M, T>,
        inputs: &mut Inputs<T>,
        from: T,
    ) -> Result<Option<T>, Error<T>> {
        for (old, row) in [(Row::OldSide, Row::Side), (Row::OldLevel, Row::Level), (Row::OldBand, Row::Band)] {
            self.rows.copy(old, row);
        }
        if self.has_triggers && !self.progress.has_rate {
            self.evaluate(mechanism, StateRef::Last, Row::Rate, inputs)?;
        }
        let mut step = Step { mechanism, motion, inputs };
        let (mut from, end) = (from, self.head.t);
        for passage in 0..=PASSAGES {
            let mut next = end;
            if passage < PASSAGES && self.has_triggers {
                for event in (0..self.n).filter(|event| is_trigger(mechanism, *event)) {
                    next = self.excursion(&mut step, event, from)?.map_or(next, |t| t.min(next));
                }
            }
            if next < end {
                self.evaluate_at(&mut step, next)?;
                self.evaluate(mechanism, StateRef::Probe, Row::ProbeRate, step.inputs)?;
            } else {
                self.rows.copy(Row::Probe, Row::End);
                self.rows.copy(Row::ProbeRate, Row::EndRate);
            }
            if self.passes_any(mechanism, Row::Probe) {
                from = self.locate(&mut step, from, next)?;
                if passage == PASSAGES || !self.is_noise(&mut step, from)? {
                    return Ok(Some(from));
                }
                continue;
            }
            for event in 0..self.n {
                self.commit(mechanism, event, Row::Probe);
            }
            self.rows.copy(Row::Value, Row::Probe);
            self.rows.copy(Row::Rate, Row::ProbeRate);
            if next == end {
                break;
            }
            from = next;
        }
        Ok(None)
    }

    /// Evaluates the values at a time within the step, into `Probe`.
    pub(super) fn evaluate_at(&mut self, step: &mut Step<M, T>, t: T) -> Result<(), Error<T>> {
        step.motion.state_at(step.mechanism, &self.start, t, step.inputs, &mut self.probe)?;
        self.evaluate(step.mechanism, StateRef::Probe, Row::Probe, step.inputs)
    }

    /// A time after `from` at which the side of a value differs from that at the end of the step, or from that before, although the values at
    /// the ends do not show it.
    fn excursion(&mut self, step: &mut Step<M, T>, event: usize, from: T) -> Result<Option<T>, Error<T>> {
        let level = self.rows.value(Row::Level, event);
        let side = self.rows.value(Row::Side, event);
        let x = [Row::Value, Row::End].map(|row| self.rows.value(row, event) - level);
        let rates = [Row::Rate, Row::EndRate].map(|row| self.rows.value(row, event));
        if !(x[0].is_finite() && x[1].is_finite() && is_number(side)) {
            return Ok(None);
        }
        if rates[0].is_finite() && rates[1].is_finite() {
            let segment = Segment { event, level, from: [from, self.head.t], x, rates };
            return if side == T::ZERO { self.departure(step, segment) } else { self.dip(step, segment, side) };
        }
        if side == T::ZERO {
            let soon = from + T::from_f64(LEAVING) * self.resolution(from, self.head.t - from);
            if soon < self.head.t {
                self.evaluate_at(step, soon)?;
                let value = self.rows.value(Row::Probe, event);
                if value.abs() > self.rows.value(Row::Band, event) && sign(value - level) != sign(x[1]) {
                    return Ok(Some(soon));
                }
            }
        }
        self.sampled_dip(step, event, from, if side == T::ZERO { sign(x[1]) } else { side })
    }

    /// Excursion of a value that starts at its level: a time at which it is on one side, if it is on the other at the end.
    fn departure(&mut self, step: &mut Step<M, T>, segment: Segment<T>) -> Result<Option<T>, Error<T>> {
        let side = sign(segment.rates[0]);
        if side == T::ZERO {
            return Ok(None);
        }
        if side * segment.x[1] >= T::ZERO {
            let dip = self.dip(step, segment, side)?;
            if dip.is_some() {
                self.rows.set(Row::Side, segment.event, side);
            }
            return Ok(dip);
        }
        let Some((theta, _)) = segment.cubic().minimum(-side) else { return Ok(None) };
        // It may return at once, or before the values show that it has left.
        self.rows.set(Row::Side, segment.event, side);
        let t = segment.time(theta);
        if t <= segment.from[0] || t >= segment.from[1] {
            return Ok(None);
        }
        self.evaluate_at(step, t)?;
        let has_left = side * (self.rows.value(Row::Probe, segment.event) - segment.level) > T::ZERO;
        Ok(has_left.then_some(t))
    }

    /// Excursion of a value that starts on a side: a time at which it is on the other side, if it returns.
    fn dip(&mut self, step: &mut Step<M, T>, mut segment: Segment<T>, side: T) -> Result<Option<T>, Error<T>> {
        if side * segment.x[1] < T::ZERO && segment.cubic().extrema()[1].is_none() {
            return Ok(None);
        }
        for _ in 0..EVALUATIONS {
            let Some((theta, least)) = segment.cubic().minimum(side) else { return Ok(None) };
            let known = (side * segment.x[0]).min(side * segment.x[1]).max(T::ZERO);
            let t = segment.time(theta);
            let is_resolved = t > segment.from[0] && t < segment.from[1];
            if least >= T::from_f64(NEARER) * known && least >= T::ZERO || !is_resolved {
                return Ok(None);
            }
            self.evaluate_at(step, t)?;
            self.evaluate(step.mechanism, StateRef::Probe, Row::ProbeRate, step.inputs)?;
            let x = self.rows.value(Row::Probe, segment.event) - segment.level;
            let rate = self.rows.value(Row::ProbeRate, segment.event);
            if side * x < T::ZERO {
                return Ok(Some(t));
            }
            if !(x.is_finite() && rate.is_finite()) {
                return Ok(None);
            }
            // Its minimum is where its rate changes sign.
            let end = usize::from(side * rate >= T::ZERO);
            (segment.from[end], segment.x[end], segment.rates[end]) = (t, x, rate);
        }
        Ok(None)
    }

    /// As `dip`, from samples of the step, where rates are unknown.
    fn sampled_dip(&mut self, step: &mut Step<M, T>, event: usize, from: T, side: T) -> Result<Option<T>, Error<T>> {
        self.sample(step)?;
        let (level, h) = (self.rows.value(Row::Level, event), self.head.t - self.start.t);
        let mut points = [(from, side * (self.rows.value(Row::Value, event) - level)); 5];
        let mut count = 1;
        for (row, theta) in SAMPLES {
            let t = self.start.t + T::from_f64(theta) * h;
            if t > from {
                points[count] = (t, side * (self.rows.value(row, event) - level));
                count += 1;
            }
        }
        points[count] = (self.head.t, side * (self.rows.value(Row::End, event) - level));
        let points = &points[..=count];
        for (t, x) in &points[1..count] {
            if *x < T::ZERO && self.is_beyond(step, event, *t, side)? {
                return Ok(Some(*t));
            }
        }
        for three in points.windows(3) {
            let mut three = [three[0], three[1], three[2]];
            for _ in 0..EVALUATIONS {
                let Some((t, least)) = vertex(three) else { break };
                let known = three.iter().fold(three[0].1, |known, (_, x)| known.min(*x)).max(T::ZERO);
                let is_nearer = least < T::from_f64(NEARER) * known;
                if !is_nearer || three.iter().any(|point| point.0 == t) {
                    break;
                }
                if self.is_beyond(step, event, t, side)? {
                    return Ok(Some(t));
                }
                let new = (t, side * (self.rows.value(Row::Probe, event) - level));
                let Some(around) = narrow_points(three, new) else { break };
                three = around;
            }
        }
        Ok(None)
    }

    /// Whether the value at a time is on the other side.
    fn is_beyond(&mut self, step: &mut Step<M, T>, event: usize, t: T, side: T) -> Result<bool, Error<T>> {
        self.evaluate_at(step, t)?;
        Ok(side * (self.rows.value(Row::Probe, event) - self.rows.value(Row::Level, event)) < T::ZERO)
    }

    /// Evaluates values at a quarter, a half and three quarters of the step, from its dense output, or from cubics through its ends, which
    /// are accurate enough to detect a possible excursion.
    fn sample(&mut self, step: &mut Step<M, T>) -> Result<(), Error<T>> {
        if self.progress.has_samples {
            return Ok(());
        }
        if !step.motion.is_dense() {
            for (state, rates) in [&self.start, &self.head].into_iter().zip(&mut self.rates) {
                step.mechanism.coordinate_rates(state.t, state.q.as_ref(), state.v.as_ref(), rates.as_mut());
            }
        }
        for (row, theta) in SAMPLES {
            let theta = T::from_f64(theta);
            let t = self.start.t + theta * (self.head.t - self.start.t);
            if step.motion.is_dense() {
                step.motion.state_at(step.mechanism, &self.start, t, step.inputs, &mut self.probe)?;
            } else {
                let rates = [self.rates[0].as_ref(), self.rates[1].as_ref()];
                blend(&mut self.probe, &self.start, &self.head, rates, theta);
                self.probe.t = t;
                step.mechanism.normalize(self.probe.q.as_mut());
            }
            self.evaluate(step.mechanism, StateRef::Probe, row, step.inputs)?;
        }
        self.progress.has_samples = true;
        Ok(())
    }
}

/// Values minus their level, and their rates, at the ends of an interval of time.
#[derive(Clone, Copy)]
struct Segment<T> {
    event: usize,
    level: T,
    from: [T; 2],
    x: [T; 2],
    rates: [T; 2],
}

impl<T: Real> Segment<T> {
    fn cubic(&self) -> Cubic<T> {
        let h = self.from[1] - self.from[0];
        Cubic::new(self.x, self.rates.map(|rate| h * rate))
    }

    fn time(&self, theta: T) -> T {
        self.from[0] + theta * (self.from[1] - self.from[0])
    }
}

/// The three points around the smallest of four, unless that is the first or the last.
fn narrow_points<T: Real>([first, middle, last]: [(T, T); 3], new: (T, T)) -> Option<[(T, T); 3]> {
    let points = if new.0 < middle.0 { [first, new, middle, last] } else { [first, middle, new, last] };
    let mut threes = points.windows(3).map(|three| [three[0], three[1], three[2]]);
    threes.find(|[a, b, c]| b.1 <= a.1 && b.1 <= c.1)
}

/// Writes the state at the fraction θ of a step: cubic in q, linear in v and z. The time of `out` is not changed.
fn blend<M: Mechanism<T>, T: Real>(
    out: &mut State<M, T>,
    start: &State<M, T>,
    end: &State<M, T>,
    rates: [&[T]; 2],
    theta: T,
) {
    let h = end.t - start.t;
    let between = |a: T, b: T| a + theta * (b - a);
    for (k, q) in out.q.as_mut().iter_mut().enumerate() {
        let (q0, q1) = (start.q.as_ref()[k], end.q.as_ref()[k]);
        *q = Cubic::new([q0, q1], [h * rates[0][k], h * rates[1][k]]).value_at(theta);
    }
    for (k, v) in out.v.as_mut().iter_mut().enumerate() {
        *v = between(start.v.as_ref()[k], end.v.as_ref()[k]);
    }
    for (k, z) in out.z.as_mut().iter_mut().enumerate() {
        *z = between(start.z.as_ref()[k], end.z.as_ref()[k]);
    }
}
