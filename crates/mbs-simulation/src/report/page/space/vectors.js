/* Vectors as [x, y, z], unit quaternions as [e0, e1, e2, e3]. */
const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (k, a) => [k * a[0], k * a[1], k * a[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a) => Math.hypot(a[0], a[1], a[2]);
const unitOf = (a) => times(1 / (norm(a) || 1), a);
const isFinite3 = (a) => Number.isFinite(a[0] + a[1] + a[2]);
/* The component of a perpendicular to the unit vector n. */
const across = (a, n) => minus(a, times(dot(a, n), n));

const conjugate = ([a, b, c, d]) => [a, -b, -c, -d];
const product = ([a0, a1, a2, a3], [b0, b1, b2, b3]) => [
  a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3, a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2,
  a0 * b2 - a1 * b3 + a2 * b0 + a3 * b1, a0 * b3 + a1 * b2 - a2 * b1 + a3 * b0,
];
/* R(e) x = x + 2 (e0 (e × x) + e × (e × x)). */
function rotate(e, x) {
  const v = [e[1], e[2], e[3]], once = cross(v, x), twice = cross(v, once);
  return [0, 1, 2].map((i) => x[i] + 2 * (e[0] * once[i] + twice[i]));
}

/* Unit vectors [u, v] with u × v = n. */
function acrossAxes(n) {
  const least = n.map(Math.abs).indexOf(Math.min(...n.map(Math.abs)));
  const u = unitOf(cross(n, [0, 1, 2].map((i) => Number(i === least))));
  return [u, cross(n, u)];
}

/* The horizontal axes that make a right-handed frame with data.up: x and y where z is up. */
const up = data.up;
const [east, north] = (() => {
  const sizes = up.map(Math.abs), k = sizes.indexOf(Math.max(...sizes));
  const first = unitOf(across([0, 1, 2].map((i) => Number(i === (k + 1) % 3)), up));
  return [first, cross(up, first)];
})();
