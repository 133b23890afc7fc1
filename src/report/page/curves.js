/* Curves of the plane, and where they touch.
 *
 * data.curves       name, marker: index of the marker that carries it; s[], x[], y[]: parameters, and points there from the marker in the axes
 *                   of its body; period[]: one number if it is closed, else none; isEndless: whether it is drawn near its contacts alone;
 *                   at[]: for each contact the parameter, per frame
 */
const curves = (data.curves || []).filter((c) => c.s.length > 1);

/* A point of a curve in the axes of its body, between two that are known. */
function pointOf(curve, s) {
  const { s: all, period: [period] } = curve, n = all.length - 1;
  if (period) s = all[0] + ((((s - all[0]) % period) + period) % period);
  const share = ((s - all[0]) / (all[n] - all[0])) * n, i = Math.min(n - 1, Math.max(0, Math.floor(share))), w = share - i;
  return [curve.x[i] + w * (curve.x[i + 1] - curve.x[i]), curve.y[i] + w * (curve.y[i + 1] - curve.y[i])];
}

for (const c of curves) {
  /* What of a curve without ends is drawn: as far as it is touched, and a little beyond. */
  const touched = c.at.flat().filter((s) => s !== null), n = c.s.length - 1;
  let [from, to] = [c.s[0], c.s[n]];
  if (c.isEndless && touched.length) {
    const [low, high] = [Math.min(...touched), Math.max(...touched)], more = Math.max(0.25 * (high - low), 0.03 * (to - from));
    [from, to] = [low - more, high + more];
  }
  const inner = c.s.filter((s) => s > from && s < to);
  c.points = [from, ...inner, to].map((s) => pointOf(c, s));
}

/* World position of a point that is given from a marker in the axes of its body. */
function carried(marker, [x, y], f) {
  const [px, py] = position(marker, f), a = angle(marker.body, f), [c, s] = [Math.cos(a), Math.sin(a)];
  return [px + c * x - s * y, py + s * x + c * y];
}

/* Where the contacts of a curve are at frame f. */
function contactsOf(curve, f) {
  const i = Math.min(Math.floor(f), count - 1), w = f - i, marker = markers[curve.marker];
  return curve.at.filter((at) => at.length > i && at[i] !== null).map((at) => {
    const s = w === 0 || i + 1 >= count ? at[i] : at[i] + w * (at[i + 1] - at[i]);
    return carried(marker, pointOf(curve, s), f);
  });
}
