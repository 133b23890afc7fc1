/* Curves of the plane and their contacts.
 *
 * data.curves       name, marker: index of the marker on its body; s[], x[], y[]: parameters, and points there from the marker in the axes
 *                   of its body; period[]: one number if it is closed, else none; isEndless: whether it is drawn near its contacts alone;
 *                   at[]: for each contact the parameter, per frame
 */
const curves = (data.curves || []).filter((c) => c.s.length > 1);

/* A point of a curve in the axes of its body, interpolated between recorded points; a straight curve continues beyond them. */
function pointOf(curve, s) {
  const { s: all, period: [period] } = curve, n = all.length - 1;
  if (period) s = all[0] + ((((s - all[0]) % period) + period) % period);
  let i = 0;
  for (let end = n; end - i > 1; ) {
    const middle = (i + end) >> 1;
    if (all[middle] <= s) i = middle; else end = middle;
  }
  const w = (s - all[i]) / (all[i + 1] - all[i]);
  return [curve.x[i] + w * (curve.x[i + 1] - curve.x[i]), curve.y[i] + w * (curve.y[i + 1] - curve.y[i])];
}

for (const c of curves) {
  /* The range in which a curve without ends is drawn: that of its contacts, and a little more. */
  const touched = c.at.flat().filter((s) => s !== null), n = c.s.length - 1;
  let [from, to] = [c.s[0], c.s[n]];
  if (c.isEndless && touched.length) {
    const [low, high] = [Math.min(...touched), Math.max(...touched)], more = Math.max(0.25 * (high - low), 0.03 * (to - from));
    [from, to] = [low - more, high + more].map((s) => (isKnown(c, s) ? s : Math.min(Math.max(s, c.s[0]), c.s[n])));
  }
  const inner = c.s.filter((s) => s > from && s < to);
  c.points = [from, ...inner, to].map((s) => pointOf(c, s));
}

/* World position of a point that is given relative to a marker, in the axes of its body. */
function carried(marker, [x, y], f) {
  const [px, py] = position(marker, f), a = angle(marker.body, f), [c, s] = [Math.cos(a), Math.sin(a)];
  return [px + c * x - s * y, py + s * x + c * y];
}

/* Whether a curve is known at a parameter: within its points, or anywhere on a straight or a closed one. */
function isKnown({ s: all, x, y, period }, s) {
  const n = all.length - 1, m = n >> 1, straight = Math.abs((x[m] - x[0]) * (y[n] - y[0]) - (y[m] - y[0]) * (x[n] - x[0]));
  return period.length > 0 || (s >= all[0] && s <= all[n]) || straight <= 1e-9 * ((x[n] - x[0]) ** 2 + (y[n] - y[0]) ** 2);
}

/* Positions of the contacts of a curve at frame f. */
function contactsOf(curve, f) {
  const i = Math.min(Math.floor(f), count - 1), w = f - i, marker = markers[curve.marker];
  return curve.at.filter((at) => at.length > i && at[i] !== null).map((at) => {
    const next = at[i + 1], s = w === 0 || i + 1 >= count || next === null ? at[i] : at[i] + w * (next - at[i]);
    return isKnown(curve, s) ? carried(marker, pointOf(curve, s), f) : null;
  }).filter((point) => point !== null);
}
