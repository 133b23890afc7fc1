/* Kinds of joints by their motion: the names of rows determine less in space than in the plane. */

/* Rotation of body b relative to body a: its axis in the axes of a, null if there are several, and whether there is any rotation. */
function turning(a, b) {
  if (!count) return { isTurning: false, axis: null };
  const relative = samples.map((i) => product(conjugate(attitudeAt(a, i)), attitudeAt(b, i))), first = conjugate(relative[0]);
  const turns = relative.map((e) => product(e, first).slice(1)), far = turns.reduce((x, y) => (norm(y) > norm(x) ? y : x));
  if (!(norm(far) > 1e-6)) return { isTurning: false, axis: null };
  const axis = unitOf(far), isOne = turns.every((turn) => norm(cross(turn, axis)) < 1e-4 * norm(far));
  return { isTurning: true, axis: isOne ? axis : null };
}

/* The straight line along which the second marker moves on the body of the first, in its axes from the first: direction, point
 * and range; null if there is none. */
function railOf(first, second) {
  const track = samples.map((i) => inAxesOf(first.body, minus(placeAt(second, i), placeAt(first, i)), i));
  const far = track.reduce((a, b) => (norm(minus(b, track[0])) > norm(minus(a, track[0])) ? b : a));
  const travel = norm(minus(far, track[0])), u = unitOf(minus(far, track[0])), base = across(track[0], u);
  if (!(travel > 1e-6 * box.size) || track.some((p) => norm(minus(across(p, u), base)) > 1e-4 * travel)) return null;
  const runs = track.map((p) => dot(p, u));
  return { first, second, u, base, from: Math.min(...runs), to: Math.max(...runs) };
}

const joints = connected(data.joints);
const springs = isTold ? connected(data.forces) : inferredSprings();
for (const s of springs) {
  const lengths = samples.map((i) => gap(s.first, s.second, i)).filter(Number.isFinite);
  [s.shortest, s.longest] = [Math.min(...lengths), Math.max(...lengths)];
}
/* An end of a spring may be the end of a joint, under the name of either. */
for (const j of joints) j.first.isForce = j.second.isForce = false;

const rails = [];
for (const j of joints) {
  const { isTurning, axis } = turning(j.first.body, j.second.body);
  if (coincide(j.first, j.second)) {
    j.kind = !isTurning ? "weld" : axis ? "pin" : "ball";
    j.axis = axis;
  } else if (j.kind === "rod") {
    /* Other joints with one row do not constrain a distance. */
    const lengths = samples.map((i) => gap(j.first, j.second, i)).filter(Number.isFinite);
    if (Math.max(...lengths) - Math.min(...lengths) > 1e-5 * box.size) j.kind = "";
  } else if (j.kind === "") {
    const isTurned = j.second.body === null, rail = railOf(isTurned ? j.second : j.first, isTurned ? j.first : j.second);
    if (rail) { j.kind = "slide"; rails.push(rail); }
  }
}
const rods = joints.filter((j) => j.kind === "rod");

/* Pins: groups of markers with equal positions, of a joint or of several bodies. */
const pins = [], onRails = new Set(rails.flatMap((r) => [r.first, r.second]));
for (const m of markers.filter((m) => !m.isCom && !m.isForce)) {
  const pin = pins.find((p) => coincide(p.markers[0], m));
  if (pin) pin.markers.push(m); else pins.push({ markers: [m] });
}
for (const p of pins) {
  const here = joints.filter((j) => ["pin", "ball", "weld", "rod"].includes(j.kind) && [j.first, j.second].some((m) => p.markers.includes(m)));
  p.joint = here.find((j) => j.kind === "pin" || j.kind === "ball") || here[0];
  p.name = here.length ? here[0].name : p.markers[0].name;
  p.isGround = p.markers.some((m) => m.body === null);
  p.isJoint = here.length > 0 || (!isTold && new Set(p.markers.map((m) => m.body)).size > 1);
  p.isOnRail = p.markers.some((m) => onRails.has(m));
}

/* Points of the shape of each body: its distinct markers, with a centre of mass only if there is no other marker. */
const distinct = (list) => list.filter((m, k) => !list.slice(0, k).some((n) => coincide(m, n)));
const shapes = bodies.map((body, b) => {
  const mine = markers.filter((m) => m.body === b && !(m.isForce && !m.isCom && pins.some((p) => coincide(p.markers[0], m))));
  let points = distinct(mine.filter((m) => !m.isCom));
  if (points.length < 2) points = distinct(points.concat(mine.filter((m) => m.isCom)));
  const solids = data.solids.filter((s) => s.body === b);
  return { body: b, points, solids, isWhole: solids.some((s) => s.own), rail: rails.find((r) => r.second.body === b), color: colorOf(b), isVisible: true };
});
const centers = markers.filter((m) => m.isCom && m.body !== null && !pins.some((p) => p.isJoint && coincide(p.markers[0], m)) && !shapes[m.body].isWhole && shapes[m.body].points.length + shapes[m.body].solids.length > 1);

/* Traces: one for each moving point. At first the requested ones are shown, else named markers, or else the moving pins. */
const traces = pins.filter((p) => moves(p.markers[0])).map((p) => ({ name: p.name, marker: p.markers[0], isNamed: p.markers.every((m) => !m.end && !bodies.some((b) => b.name === m.name)), isVisible: false }));
for (const m of markers.filter((m) => m.isCom && m.body !== null && moves(m) && !pins.some((p) => coincide(p.markers[0], m)))) traces.push({ name: m.name, marker: m, isNamed: false, isVisible: false });
const asked = data.shown.traces.map((i) => {
  const known = traces.find((t) => t.marker.index === i || pins.some((p) => p.markers.includes(t.marker) && p.markers.includes(markers[i])));
  if (known) return Object.assign(known, { name: markers[i].name });
  traces.push({ name: markers[i].name, marker: markers[i], isNamed: true, isVisible: false });
  return traces[traces.length - 1];
});
const preferred = asked.length ? asked : traces.filter((t) => t.isNamed);
/* For a body that is drawn as a ring of markers there is one trace. */
const chosen = preferred.length ? preferred : traces.filter((t) => !t.marker.isCom || traces.every((u) => u.marker.isCom));
for (const t of asked.length ? chosen : chosen.slice(0, 4)) t.isVisible = true;
traces.forEach((t) => { t.color = t.marker.body === null ? "#7f8790" : colorOf(t.marker.body); });
