/* Quantities derived from the recording for drawing in space: positions, attitudes, extent.
 *
 * data.up           the direction that is up, a unit vector
 * data.solids       body (null is ground), own (of the mechanism's file, not of the page), kind (block, cylinder, sphere), size[] (edges; radius and length along z; radius),
 *                   position[] and attitude[] on the body, color or null
 */
const placeAt = (m, i) => [m.x[i] ?? NaN, m.y[i] ?? NaN, m.z[i] ?? NaN];
/* Position of a marker at frame f, which may lie between two frames. */
function position(marker, f) {
  const i = Math.min(Math.floor(f), count - 1), w = f - i, here = placeAt(marker, i);
  return w === 0 || i + 1 >= count ? here : plus(here, times(w, minus(placeAt(marker, i + 1), here)));
}

const still = [1, 0, 0, 0];
const attitudeAt = (body, i) => (body === null ? still : bodies[body].attitude.slice(4 * i, 4 * i + 4));
const originAt = (body, i) => (body === null ? [0, 0, 0] : bodies[body].position.slice(3 * i, 3 * i + 3));
/* Origin and attitude of a body at frame f; interpolated between frames by the shorter rotation. */
function pose(body, f) {
  const i = Math.min(Math.floor(f), count - 1), w = f - i, a = attitudeAt(body, i), p = originAt(body, i);
  if (body === null || w === 0 || i + 1 >= count) return { origin: p, attitude: a };
  const b = attitudeAt(body, i + 1), isFar = a.reduce((sum, e, k) => sum + e * b[k], 0) < 0;
  const mixed = a.map((e, k) => (1 - w) * e + w * (isFar ? -b[k] : b[k])), size = Math.hypot(...mixed);
  return { origin: plus(p, times(w, minus(originAt(body, i + 1), p))), attitude: mixed.map((e) => e / size) };
}
const toBody = ({ origin, attitude }, p) => rotate(conjugate(attitude), minus(p, origin));
const fromBody = ({ origin, attitude }, p) => plus(origin, rotate(attitude, p));
/* Components of a world vector in the axes of a body at frame i. */
const inAxesOf = (body, vector, i) => rotate(conjugate(attitudeAt(body, i)), vector);

/* Extreme points of solids: corners, twelve on each rim, and fourteen of a sphere. */
const around = Array.from({ length: 12 }, (_, k) => [Math.cos((k * Math.PI) / 6), Math.sin((k * Math.PI) / 6)]);
const cube = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));
const cornersOf = ({ kind, size }) => {
  if (kind === "block") return cube.map((c) => c.map((sign, k) => (sign * size[k]) / 2));
  if (kind === "cylinder") return around.flatMap(([c, s]) => [-1, 1].map((end) => [size[0] * c, size[0] * s, (end * size[1]) / 2]));
  const axes = [0, 1, 2].flatMap((k) => [-1, 1].map((sign) => [0, 1, 2].map((i) => sign * Number(i === k))));
  return axes.concat(cube.map((c) => times(1 / Math.sqrt(3), c))).map((c) => times(size[0], c));
};

/* Points that a view has to contain, at the frames of `samples`: markers, and extreme points of solids. */
const sights = (() => {
  const points = [];
  for (const i of samples) for (const m of markers) points.push(placeAt(m, i));
  for (const s of data.solids) {
    const corners = cornersOf(s).map((c) => fromBody({ origin: s.position, attitude: s.attitude }, c));
    for (const i of s.body === null ? samples.slice(0, 1) : samples) points.push(...corners.map((c) => fromBody(pose(s.body, i), c)));
  }
  const known = points.filter(isFinite3);
  return known.length ? known : [[0, 0, 0]];
})();

const box = (() => {
  const low = [Infinity, Infinity, Infinity], high = low.map((x) => -x);
  for (const p of sights) for (let k = 0; k < 3; k++) { low[k] = Math.min(low[k], p[k]); high[k] = Math.max(high[k], p[k]); }
  const size = Math.max(...minus(high, low)) || 1;
  return { low, high, size, center: times(0.5, plus(low, high)) };
})();

const gap = (a, b, i) => norm(minus(placeAt(a, i), placeAt(b, i)));
const coincide = (a, b) => samples.every((i) => !(gap(a, b, i) > 1e-5 * box.size));
const moves = (m) => samples.some((i) => norm(minus(placeAt(m, i), placeAt(m, 0))) > 1e-6 * box.size);
