/* Reactions on the stage, in space: forces as arrows with cones, moments as arcs about their axes, by the right-hand rule. */

/* Drawn geometry of all reactions, by index: screen positions with depths. */
let drawnReactions = [];
/* Length of an arrow in metres per newton, from its pixels at the distance of the target. */
const lengthPerNewton = () => (pixelsPerNewton() * view.distance) / view.focal;

/* Ends of the arrows of the run, which the first view contains. */
function tipsOfArrows() {
  const k = lengthPerNewton() * side.sign;
  return reactions.filter((r) => r.isVisible && hasForce(r)).flatMap((r) => samples.map((i) => plus(placeAt(r.point, i), r.forces.map((part) => k * (part[i] || 0))))).filter(isFinite3);
}

/* Draws all paths wider in the colour of the surface, then in their colour: { path, width }, filled where there is no width. */
function haloed(color, pieces) {
  for (const [c, extra] of [[theme.surface, 3], [color, 0]]) {
    for (const { path, width, then } of pieces) {
      brush.lineCap = extra ? "round" : "butt";
      brush.lineJoin = "round";
      path();
      if (!width) {
        brush.fillStyle = c;
        brush.fill();
      }
      if (width || extra) stroke(c, (width || 0) + extra);
      if (then && !extra) then();
    }
  }
}

/* A cone with its tip at a point, in the direction of a unit vector. */
function cone(tip, along, length) {
  const base = minus(tip, times(length, along)), [u, v] = acrossAxes(along), r = 0.38 * length;
  const rim = Array.from({ length: 20 }, (_, k) => toScreen(plus(base, plus(times(r * Math.cos((k * Math.PI) / 10), u), times(r * Math.sin((k * Math.PI) / 10), v)))));
  const closed = (points) => { line(points); brush.closePath(); };
  const shade = () => { closed(rim); brush.fillStyle = "rgb(0 0 0 / 38%)"; brush.fill(); };
  /* The base is visible from behind. */
  return { path: () => closed(hull([toScreen(tip), ...rim])), then: dot(minus(base, camera.eye), along) > 0 ? shade : null };
}

function drawForce(tail, tip, color) {
  const d = minus(tip, tail), length = norm(d), [a, b] = [tail, tip].map(toScreen);
  if (!(a[2] > near() && b[2] > near()) || !(pixels(length, a) > 2.5)) return;
  const along = unitOf(d), head = Math.min((13 * b[2]) / view.focal, 0.7 * length), neck = toScreen(minus(tip, times(0.95 * head, along)));
  const shaft = { path: () => line([a, neck]), width: 2.6 };
  /* Nearer parts are drawn last. */
  haloed(color, b[2] < a[2] ? [shaft, cone(tip, along, head)] : [cone(tip, along, head), shaft]);
}

/* The arc of a moment about the unit vector n: from below, counterclockwise about n. */
function drawMoment(center, n, sweep, color) {
  const at = toScreen(center);
  if (!(at[2] > near()) || !(sweep > smallest)) return;
  const radius = radiusOfArcs(at), lift = Math.abs(dot(n, up)) < 0.95 ? up : east, from = unitOf(across(times(-1, lift), n)), then = cross(n, from);
  const point = (angle) => plus(center, times(radius, plus(times(Math.cos(angle), from), times(Math.sin(angle), then))));
  const head = Math.min((11 * at[2]) / view.focal, 0.6 * sweep * radius), end = sweep - (0.85 * head) / radius, steps = Math.max(4, Math.round(12 * sweep));
  const arc = { path: () => line(Array.from({ length: steps + 1 }, (_, k) => toScreen(point((end * k) / steps)))), width: 2.3 };
  const tip = point(sweep), middle = sweep - (0.5 * head) / radius, along = plus(times(-Math.sin(middle), from), times(Math.cos(middle), then));
  haloed(color, toScreen(tip)[2] < toScreen(point(end))[2] ? [arc, cone(tip, along, head)] : [cone(tip, along, head), arc]);
}
const radiusOfArcs = (at) => 2.6 * bar + (5 * at[2]) / view.focal;

function drawReactions(f) {
  const k = lengthPerNewton();
  drawnReactions = allReactions.map((r) => {
    const point = position(r.point, f), [force, moment] = [r.forces, r.torques].map((parts) => parts.map((part) => side.sign * between(part, f)));
    const tip = plus(point, times(k, force)), axis = unitOf(moment);
    return { point, tip, axis, force, moment, tail: toScreen(point), head: toScreen(tip), axisHead: toScreen(plus(point, axis)), sweep: sweepOf(norm(moment)) };
  });
  const visible = reactions.filter((r) => r.isVisible);
  for (const r of visible.slice().sort((a, b) => drawnReactions[b.index].tail[2] - drawnReactions[a.index].tail[2])) {
    const { point, tip, axis, sweep } = drawnReactions[r.index];
    if (hasMoment(r)) drawMoment(point, axis, sweep, arrowColor(r));
    if (hasForce(r)) drawForce(point, tip, arrowColor(r));
  }
  if (arrows.hasValues) drawLabels(visible.flatMap((r) => valuesOf(r, drawnReactions[r.index])));
  if (visible.length) drawLegend(visible, pixelsPerNewton());
}

/* Labels of a force and a moment. */
function valuesOf(r, { tail, head, force, moment, sweep }) {
  const labels = [], [dx, dy] = [head[0] - tail[0], head[1] - tail[1]], length = Math.hypot(dx, dy) || 1;
  if (hasForce(r) && pixelsPerNewton() * norm(force) > 2.5) {
    const align = dx > 0.3 * length ? "left" : dx < -0.3 * length ? "right" : "center";
    labels.push({ text: amount(norm(force), "N"), at: [head[0] + (8 * dx) / length, head[1] + (8 * dy) / length + (align === "center" && dy > 0 ? 10 : 4)], align });
  }
  if (hasMoment(r) && sweep > smallest) labels.push({ text: amount(norm(moment), "N m"), at: [tail[0] - pixels(radiusOfArcs(tail), tail) - 6, tail[1] + 12], align: "right" });
  return labels;
}

/* Reactions in world axes, as drawn: [name, three parts of the point, of the force, of the moment]. */
function reactionsDrawn() {
  const k = lengthPerNewton() || 1;
  return drawnReactions.map(({ tail, head, axisHead, sweep }, i) => {
    const from = toWorld(tail), force = times(1 / k, minus(toWorld(head), from)), axis = minus(toWorld(axisHead), from);
    return [allReactions[i].name, ...from, ...force, ...times((sweep / (1.5 * Math.PI)) * largestMoment, axis)];
  });
}
/* Curves are drawn in the plane. */
const contactsDrawn = () => [];

/* Positions of solids as drawn at the shown frame: [body, three coordinates on the body as given, three of the middle in the world]. */
function solidsDrawn() {
  const f = frameAt(shownTime());
  return shapes.flatMap((s) => s.solids.map((_, k) => {
    const { mesh } = s.parts[k], at = pose(s.body, f), middle = [0, 0, 0];
    for (let i = 0; i < mesh.points.length; i++) middle[i % 3] += mesh.points[i] / (mesh.points.length / 3);
    return [bodies[s.body].name, ...s.solids[k].position, ...toWorld(toScreen(fromBody(at, middle)))];
  }));
}
