/* A pinhole camera that orbits a point. Camera axes: x right, y up, z into the picture. */
const view = { width: 1, height: 1, azimuth: 0, elevation: 0, distance: 1, fitted: 1, target: box.center, focal: 1, isFitted: true };
const camera = { eye: [0, 0, 0], right: east, above: up, forward: north };

/* After a change of the view, and before anything is drawn. */
function aim() {
  const [c, s] = [Math.cos(view.azimuth), Math.sin(view.azimuth)], [ce, se] = [Math.cos(view.elevation), Math.sin(view.elevation)];
  const out = plus(times(c, east), times(s, north));
  camera.right = plus(times(-s, east), times(c, north));
  camera.above = plus(times(-se, out), times(ce, up));
  camera.forward = times(-1, plus(times(ce, out), times(se, up)));
  camera.eye = minus(view.target, times(view.distance, camera.forward));
  /* An angle of 30° over the shorter side. */
  view.focal = 1.87 * Math.min(view.width, view.height);
}
function toCamera(p) {
  const d = minus(p, camera.eye);
  return [dot(d, camera.right), dot(d, camera.above), dot(d, camera.forward)];
}
/* Screen position in pixels, and the depth in metres. */
function toScreen(p) {
  const [x, y, z] = toCamera(p), k = view.focal / z;
  return [view.width / 2 + k * x, view.height / 2 - k * y, z];
}
function toWorld([sx, sy, z]) {
  const k = z / view.focal;
  return plus(camera.eye, plus(times((sx - view.width / 2) * k, camera.right), plus(times((view.height / 2 - sy) * k, camera.above), times(z, camera.forward))));
}
const near = () => 0.02 * view.distance;

/* Perpendicular to the direction in which the motion is widest, rotated by 28°, from above. */
const firstView = (() => {
  const flat = sights.map((p) => [dot(minus(p, box.center), east), dot(minus(p, box.center), north)]);
  const [xx, yy, xy] = [0, 0, 0].map((_, k) => flat.reduce((sum, [x, y]) => sum + [x * x, y * y, x * y][k], 0));
  const spread = Math.hypot(xx - yy, 2 * xy), turn = spread > 0.3 * (xx + yy) ? 0.5 * Math.atan2(2 * xy, xx - yy) : 0;
  return { azimuth: turn - Math.PI / 2 + 0.49, elevation: 0.36 };
})();

/* The nearest view in the present direction that contains all of the motion, and the arrows. */
function frameMotion() {
  const margin = Math.min(64, 34 + 0.05 * Math.min(view.width, view.height)), least = 0.3 * box.size;
  const [tx, ty] = [view.width, view.height].map((size) => Math.max(30, size / 2 - margin) / view.focal);
  view.target = box.center;
  view.distance = 2 * box.size;
  for (let step = 0; step < 6; step++) {
    aim();
    const seen = sights.concat(tipsOfArrows()).map((p) => { const [x, y, z] = toCamera(p); return [x, y, z - view.distance]; });
    const needed = seen.map(([x, y, z]) => Math.max((Math.abs(x) + bar) / tx, (Math.abs(y) + bar) / ty) - z);
    view.distance = Math.max(...needed, least / Math.min(tx, ty));
    const slopes = (k) => seen.map((p) => p[k] / (p[2] + view.distance)), middle = (list) => (Math.min(...list) + Math.max(...list)) / 2;
    view.target = plus(view.target, plus(times(middle(slopes(0)) * view.distance, camera.right), times(middle(slopes(1)) * view.distance, camera.above)));
  }
  view.fitted = view.distance;
  aim();
}
/* ?view=azimuth,elevation in degrees is the first view instead: of the eye, from x and from the ground. */
const askedView = (new URLSearchParams(location.search).get("view") || "").split(",").map((x) => (x === "" ? NaN : (Number(x) * Math.PI) / 180));
if (askedView.length === 2 && askedView.every(Number.isFinite)) Object.assign(firstView, { azimuth: askedView[0], elevation: Math.min(Math.PI / 2, Math.max(-Math.PI / 2, askedView[1])) });

function fit() {
  Object.assign(view, firstView);
  view.isFitted = true;
  frameMotion();
}

function orbit(azimuth, elevation) {
  view.azimuth += azimuth;
  view.elevation = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, view.elevation + elevation));
  view.isFitted = false;
}
/* Moves the view by pixels at the distance of the target. */
function pan(dx, dy) {
  const k = view.distance / view.focal;
  view.target = plus(view.target, plus(times(-k * dx, camera.right), times(k * dy, camera.above)));
  view.isFitted = false;
}
/* The point under the pointer at the distance of the target remains under it. */
function zoom(factor, [sx, sy]) {
  const before = view.distance;
  view.distance = Math.min(20, Math.max(0.03, view.distance / factor / view.fitted)) * view.fitted;
  const k = (before - view.distance) / view.focal;
  view.target = plus(view.target, plus(times((sx - view.width / 2) * k, camera.right), times((view.height / 2 - sy) * k, camera.above)));
  view.isFitted = false;
}
