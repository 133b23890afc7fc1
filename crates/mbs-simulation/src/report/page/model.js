/* Quantities derived from the recording for drawing in the plane. */

/* Position of a marker at frame f, which may lie between two frames. */
function position(marker, f) {
  const i = Math.min(Math.floor(f), count - 1), w = f - i;
  if (w === 0 || i + 1 >= count) return [marker.x[i], marker.y[i]];
  return [marker.x[i] + w * (marker.x[i + 1] - marker.x[i]), marker.y[i] + w * (marker.y[i + 1] - marker.y[i])];
}

function angle(body, f) {
  if (body === null || !bodies[body].angle) return 0;
  const a = bodies[body].angle, i = Math.min(Math.floor(f), count - 1), j = Math.min(i + 1, count - 1);
  const turn = Math.atan2(Math.sin(a[j] - a[i]), Math.cos(a[j] - a[i]));
  return (a[i] || 0) + (f - i) * (turn || 0);
}

/* Components of a world vector in the axes of a body at frame i: R_BW = R_WBᵀ. */
function inAxesOf(body, [x, y], i) {
  const a = angle(body, i), [c, s] = [Math.cos(a), Math.sin(a)];
  return [c * x + s * y, c * y - s * x];
}

/* Box around everything that is drawn, over all frames. */
const box = (() => {
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const m of markers) {
    for (let i = 0; i < count; i++) {
      if (m.x[i] === null || m.y[i] === null) continue;
      x0 = Math.min(x0, m.x[i]); x1 = Math.max(x1, m.x[i]);
      y0 = Math.min(y0, m.y[i]); y1 = Math.max(y1, m.y[i]);
    }
  }
  for (const c of curves) {
    for (const i of samples) {
      for (const p of c.points) {
        const [x, y] = carried(markers[c.marker], p, i);
        if (!Number.isFinite(x + y)) continue;
        x0 = Math.min(x0, x); x1 = Math.max(x1, x);
        y0 = Math.min(y0, y); y1 = Math.max(y1, y);
      }
    }
  }
  if (!(x1 >= x0)) [x0, x1, y0, y1] = [-1, 1, -1, 1];
  const size = Math.max(x1 - x0, y1 - y0) || 1;
  return { x0, x1, y0, y1, size };
})();

const gap = (a, b, i) => Math.hypot(a.x[i] - b.x[i], a.y[i] - b.y[i]);
const coincide = (a, b) => samples.every((i) => gap(a, b, i) < 1e-5 * box.size);
const moves = (m) => samples.some((i) => gap({ x: [m.x[0]], y: [m.y[0]] }, { x: [m.x[i]], y: [m.y[i]] }, 0) > 1e-6 * box.size);

const isTurning = (a, b) => samples.some((i) => Math.abs(Math.sin((angle(b, i) - angle(b, 0) - angle(a, i) + angle(a, 0)) / 2)) > 1e-6);

/* Positions of marker b relative to marker a, in the axes of the body of a. */
const trackOf = (a, b) => samples.map((i) => {
  const [x, y] = [b.x[i] - a.x[i], b.y[i] - a.y[i]], c = Math.cos(angle(a.body, i)), s = Math.sin(angle(a.body, i));
  return [c * x + s * y, c * y - s * x];
});

/* The line along which the second marker moves on the body of the first, and its largest distance from the line; null if it moves
 * less than `least`. */
function railOf(first, second, least) {
  const track = trackOf(first, second), reach = (p) => Math.hypot(p[0] - track[0][0], p[1] - track[0][1]);
  const far = track.reduce((a, b) => (reach(b) > reach(a) ? b : a)), travel = reach(far);
  if (!(travel > least)) return null;
  const u = [(far[0] - track[0][0]) / travel, (far[1] - track[0][1]) / travel];
  const offsets = track.map((p) => p[1] * u[0] - p[0] * u[1]), runs = track.map((p) => p[0] * u[0] + p[1] * u[1]);
  const bend = (Math.max(...offsets) - Math.min(...offsets)) / travel;
  return { first, second, u, offset: offsets[0], from: Math.min(...runs), to: Math.max(...runs), bend };
}

const joints = isTold ? connected(data.joints) : inferredJoints();
const springs = isTold ? connected(data.forces) : inferredSprings();
for (const s of springs) {
  const lengths = samples.map((i) => gap(s.first, s.second, i));
  [s.shortest, s.longest] = [Math.min(...lengths), Math.max(...lengths)];
}
for (const j of joints.filter((j) => j.kind === "")) {
  j.kind = !coincide(j.first, j.second) ? "free" : isTurning(j.first.body, j.second.body) ? "pin" : "weld";
}
/* An end of a spring may be the end of a joint, under the name of either. */
for (const j of joints) j.first.isForce = j.second.isForce = false;

/* Slides: bodies without relative rotation, so that the rail of a body on ground is on ground. Slots: points on lines. */
const rails = [], rods = joints.filter((j) => j.kind === "rod");
const sliding = joints.filter((j) => j.kind === "slide" || j.kind === "slot");
for (const j of sliding) {
  const isTurned = j.kind === "slide" && j.second.body === null;
  const rail = railOf(isTurned ? j.second : j.first, isTurned ? j.first : j.second, 1e-7 * box.size);
  if (rail) rails.push(rail);
}

/* Pins: groups of markers with equal positions, whether there is a joint between them or not. */
const pins = [], heldEnds = { pin: ["first", "second"], weld: ["first", "second"], rod: ["first", "second"], slot: ["second"] };
const held = new Set(joints.flatMap((j) => (heldEnds[j.kind] || []).map((end) => j[end])));
const onRails = new Set(sliding.filter((j) => !j.isGuessed).flatMap((j) => [j.first, j.second]).filter((m) => !held.has(m)));
for (const m of markers.filter((m) => !m.isCom && !m.isForce && !onRails.has(m))) {
  const pin = pins.find((p) => coincide(p.markers[0], m));
  if (pin) pin.markers.push(m); else pins.push({ markers: [m] });
}
for (const p of pins) {
  const here = joints.filter((j) => (heldEnds[j.kind] || []).some((end) => p.markers.includes(j[end])));
  p.name = here.length ? here[0].name : p.markers[0].name;
  p.isGround = p.markers.some((m) => m.body === null);
  p.isJoint = here.some((j) => j.kind !== "weld");
  p.weld = here.find((j) => j.kind === "weld");
}

/* Shape of each body: the distinct markers on it, a centre of mass only if there is no other marker. */
const distinct = (list) => list.filter((m, k) => !list.slice(0, k).some((n) => coincide(m, n)));
const shapes = bodies.map((body, b) => {
  const mine = markers.filter((m) => m.body === b);
  let points = distinct(mine.filter((m) => !m.isCom));
  if (points.length < 2) points = distinct(points.concat(mine.filter((m) => m.isCom)));
  return { body: b, points, isSlider: points.length < 2 && rails.some((r) => r.second.body === b), color: colorOf(b), isVisible: true };
});
const centers = markers.filter((m) => m.isCom && m.body !== null && !pins.some((p) => p.isJoint && coincide(p.markers[0], m)) && shapes[m.body].points.length > 1);

/* Traces: one for each moving point. At first the requested ones are shown, else named markers, or else the moving pins. */
const traces = pins.filter((p) => moves(p.markers[0])).map((p) => ({ name: p.name, marker: p.markers[0], isNamed: p.markers.every((m) => !m.end && !bodies.some((b) => b.name === m.name)), isVisible: false }));
for (const m of centers.concat(markers.filter((m) => m.isCom && shapes[m.body] && shapes[m.body].points.length === 1 && !pins.some((p) => coincide(p.markers[0], m))))) {
  if (moves(m)) traces.push({ name: m.name, marker: m, isNamed: false, isVisible: false });
}
const asked = data.shown.traces.map((i) => {
  const known = traces.find((t) => t.marker.index === i || pins.some((p) => p.markers.includes(t.marker) && p.markers.includes(markers[i])));
  if (known) return Object.assign(known, { name: markers[i].name });
  traces.push({ name: markers[i].name, marker: markers[i], isNamed: true, isVisible: false });
  return traces[traces.length - 1];
});
const preferred = asked.length ? asked : traces.filter((t) => t.isNamed);
for (const t of preferred.length ? preferred : traces.filter((t) => !t.marker.isCom || traces.every((u) => u.marker.isCom))) t.isVisible = true;
traces.forEach((t) => { t.color = t.marker.body === null ? "#7f8790" : colorOf(t.marker.body); });

/* Andrew's monotone chain; points as [x, y]. */
function hull(points) {
  const sorted = points.slice().sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list) => {
    const out = [];
    for (const p of list) {
      while (out.length > 1 && turn(out[out.length - 2], out[out.length - 1], p) <= 0) out.pop();
      out.push(p);
    }
    out.pop();
    return out;
  };
  return sorted.length < 3 ? sorted : half(sorted).concat(half(sorted.reverse()));
}
