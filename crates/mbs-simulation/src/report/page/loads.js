/* Reactions on the stage, in the plane. */

/* Screen geometry of all reactions as last drawn, by name. */
let drawnReactions = [];

/* Distances by which arrows of the run extend beyond the markers, in pixels: [left, right, down, up]. */
function reachOfArrows(scale) {
  const reach = [0, 0, 0, 0], k = pixelsPerNewton();
  for (const r of reactions.filter((r) => r.isVisible)) {
    for (const i of samples) {
      const [x, y] = [r.point.x[i], r.point.y[i]], [dx, dy] = r.forces.map((part) => k * side.sign * (part[i] || 0));
      const beyond = [(box.x0 - x) * scale - dx, (x - box.x1) * scale + dx, (box.y0 - y) * scale - dy, (y - box.y1) * scale + dy];
      beyond.forEach((b, j) => { reach[j] = Math.max(reach[j], b); });
    }
  }
  return reach;
}

const arcRadius = (u) => 2.3 * u + 4;

function drawReactions(f, u) {
  const k = pixelsPerNewton();
  drawnReactions = allReactions.map((r) => {
    const tail = toScreen(position(r.point, f)), [x, y, torque] = [...r.forces, r.torque].map((values) => side.sign * between(values, f));
    return { name: r.name, tail, tip: [tail[0] + k * x, tail[1] - k * y], sweep: sweepOf(torque), torque };
  });
  const visible = reactions.filter((r) => r.isVisible);
  for (const r of visible) {
    const { tail, tip, sweep } = drawnReactions[r.index];
    if (hasMoment(r)) drawArc(tail, arcRadius(u), sweep, arrowColor(r));
    if (hasForce(r)) drawArrow(tail, tip, arrowColor(r));
  }
  if (arrows.hasValues) drawLabels(visible.flatMap((r) => valuesOf(r, drawnReactions[r.index], u, k)));
  if (visible.length) drawLegend(visible, k);
}

/* Labels of a force and a moment. */
function valuesOf(r, { tail, tip, torque }, u, k) {
  const labels = [], [dx, dy] = [tip[0] - tail[0], tip[1] - tail[1]], length = Math.hypot(dx, dy);
  if (hasForce(r) && length > 2.5) {
    const away = 8 / length, align = dx > 0.3 * length ? "left" : dx < -0.3 * length ? "right" : "center";
    labels.push({ text: amount(length / k, "N"), at: [tip[0] + away * dx, tip[1] + away * dy + (align === "center" && dy > 0 ? 10 : 4)], align });
  }
  if (hasMoment(r) && Math.abs(sweepOf(torque)) > smallest) labels.push({ text: amount(torque, "N m"), at: [tail[0] - arcRadius(u) - 6, tail[1] + arcRadius(u)], align: "right" });
  return labels;
}

/* Reactions in world axes, as drawn: [name, x, y of the point, x, y of the force, moment]. */
function reactionsDrawn() {
  const k = pixelsPerNewton() || 1, newtons = ({ tail, tip }) => [(tip[0] - tail[0]) / k, (tail[1] - tip[1]) / k];
  return drawnReactions.map((d) => [d.name, ...toWorld(d.tail), ...newtons(d), (d.sweep / (1.5 * Math.PI)) * largestMoment]);
}
