/* Reactions on the stage: arrows of forces, arcs of moments, one scale for the run, and the legend of it. */
const arrows = { size: 1, hasValues: false };
/* Screen geometry of all reactions as last drawn, by name. */
let drawnReactions = [];

/* What arrows are scaled by: the force that few frames exceed, so that a jerk does not make all others small. */
const typicalForce = (() => {
  const all = reactions.flatMap((r) => r.magnitude.filter((x) => x !== null)).sort((a, b) => a - b);
  return Math.max(all[Math.floor(0.97 * (all.length - 1))] || 0, largestForce / 3);
})();
const pixelsPerNewton = () => (typicalForce ? (arrows.size * 0.22 * Math.min(view.width, view.height)) / typicalForce : 0);
/* The largest moment is three quarters of a turn. */
const sweepOf = (moment) => (largestMoment ? (moment / largestMoment) * 1.5 * Math.PI : 0);

/* How far arrows of the run reach beyond the markers, in pixels: [left, right, down, up]. */
function reachOfArrows(scale) {
  const reach = [0, 0, 0, 0], k = pixelsPerNewton();
  for (const r of reactions.filter((r) => r.isVisible)) {
    for (const i of samples) {
      const [x, y] = [r.point.x[i], r.point.y[i]], [dx, dy] = [k * side.sign * (r.x[i] || 0), k * side.sign * (r.y[i] || 0)];
      const beyond = [(box.x0 - x) * scale - dx, (x - box.x1) * scale + dx, (box.y0 - y) * scale - dy, (y - box.y1) * scale + dy];
      beyond.forEach((b, j) => { reach[j] = Math.max(reach[j], b); });
    }
  }
  return reach;
}

function head([x, y], turn, size) {
  placed([x, y], turn, () => {
    line([[0, 0], [-size, -0.42 * size], [-0.78 * size, 0], [-size, 0.42 * size]]);
    brush.closePath();
  });
}

/* A path from `begin`, twice: a halo of the surface first, so that it stays visible on everything. */
function inked(color, width, path, tip, turn, size) {
  for (const [c, extra] of [[theme.surface, 3], [color, 0]]) {
    brush.lineCap = extra ? "round" : "butt";
    path();
    stroke(c, width + extra);
    head(tip, turn, size);
    brush.lineJoin = extra ? "round" : "miter";
    if (extra) stroke(c, extra);
    brush.fillStyle = c;
    brush.fill();
  }
}

function drawArrow(tail, tip, color) {
  const length = Math.hypot(tip[0] - tail[0], tip[1] - tail[1]);
  if (!(length > 2.5)) return;
  const size = Math.min(12.5, 0.7 * length), turn = -Math.atan2(tip[1] - tail[1], tip[0] - tail[0]);
  const neck = [tip[0] - (0.8 * size * (tip[0] - tail[0])) / length, tip[1] - (0.8 * size * (tip[1] - tail[1])) / length];
  inked(color, 2.4, () => line([tail, neck]), tip, turn, size);
}

/* Arcs that are shorter, in radians, cannot be told from their heads. */
const smallest = 0.25;
/* An arc from below the point; positive moments turn counterclockwise. */
function drawArc([x, y], radius, sweep, color) {
  if (!(Math.abs(sweep) > smallest)) return;
  const size = Math.min(10, 0.6 * Math.abs(sweep) * radius), from = -Math.PI / 2, way = Math.sign(sweep);
  const to = from + sweep, neck = to - (way * 0.8 * size) / radius;
  const at = (angle) => [x + radius * Math.cos(angle), y - radius * Math.sin(angle)];
  const arc = () => { brush.beginPath(); brush.arc(x, y, radius, -from, -neck, way > 0); };
  inked(color, 2.2, arc, at(to), to + way * (Math.PI / 2 - (0.4 * size) / radius), size);
}

function drawLabel(text, [x, y], align) {
  brush.font = "600 11.5px system-ui, sans-serif";
  brush.textAlign = align;
  brush.lineJoin = "round";
  brush.strokeStyle = theme.surface;
  brush.lineWidth = 4;
  brush.strokeText(text, x, y);
  brush.fillStyle = theme.ink;
  brush.fillText(text, x, y);
  brush.textAlign = "left";
}

const arcRadius = (u) => 2.3 * u + 4;
const arrowColor = (r) => mix(r.color, theme.ink, 0.8);

function drawReactions(f, u) {
  const k = pixelsPerNewton();
  drawnReactions = allReactions.map((r) => {
    const tail = toScreen(position(r.point, f)), [x, y, torque] = [r.x, r.y, r.torque].map((values) => side.sign * between(values, f));
    return { name: r.name, tail, tip: [tail[0] + k * x, tail[1] - k * y], sweep: sweepOf(torque), torque };
  });
  const visible = reactions.filter((r) => r.isVisible);
  for (const r of visible) {
    const { tail, tip, sweep } = drawnReactions[r.index];
    if (hasMoment(r)) drawArc(tail, arcRadius(u), sweep, arrowColor(r));
    if (hasForce(r)) drawArrow(tail, tip, arrowColor(r));
  }
  if (arrows.hasValues) for (const r of visible) drawValue(r, drawnReactions[r.index], u, k);
  if (visible.length) drawLegend(visible, k);
}

function drawValue(r, { tail, tip, torque }, u, k) {
  const [dx, dy] = [tip[0] - tail[0], tip[1] - tail[1]], length = Math.hypot(dx, dy);
  if (hasForce(r) && length > 2.5) {
    const away = 8 / length, align = dx > 0.3 * length ? "left" : dx < -0.3 * length ? "right" : "center";
    drawLabel(amount(length / k, "N"), [tip[0] + away * dx, tip[1] + away * dy + (align === "center" && dy > 0 ? 10 : 4)], align);
  }
  if (hasMoment(r) && Math.abs(sweepOf(torque)) > smallest) drawLabel(amount(torque, "N m"), [tail[0] - arcRadius(u) - 6, tail[1] + arcRadius(u)], "right");
}

/* A force of a round number of newtons as long as it is drawn, and a moment likewise. */
function drawLegend(visible, k) {
  const parts = [];
  if (visible.some(hasForce)) {
    const newtons = niceStep(34 / k), length = newtons * k;
    parts.push({ width: length, text: round(newtons, "N"), draw: (x, y) => drawArrow([x, y], [x + length, y], theme.ink) });
  }
  if (visible.some(hasMoment)) {
    const moment = niceStep(0.45 * largestMoment);
    parts.push({ width: 18, text: round(moment, "N m"), draw: (x, y) => drawArc([x + 9, y], 9, sweepOf(moment), theme.ink) });
  }
  brush.font = "12px system-ui, sans-serif";
  for (const p of parts) p.full = p.width + 7 + brush.measureText(p.text).width;
  const total = parts.reduce((sum, p) => sum + p.full + 16, -16), y = view.height - 40;
  let x = view.width - 16 - total;
  brush.globalAlpha = 0.85;
  brush.beginPath();
  brush.roundRect(x - 10, y - 16, total + 20, 32, 7);
  brush.fillStyle = theme.surface;
  brush.fill();
  brush.globalAlpha = 1;
  for (const p of parts) {
    p.draw(x, y);
    brush.font = "12px system-ui, sans-serif";
    brush.fillStyle = theme.ink;
    brush.fillText(p.text, x + p.width + 7, y + 4);
    x += p.full + 16;
  }
}
/* A round number without digits it does not have. */
const round = (x, unit, largest) => amount(x, unit, largest).replace(/\.0+ /, " ").replace(/(\.\d*?)0+ /, "$1 ");

/* Chips with the forces at the time shown, whom they act on, their size. */
function addReactionKeys() {
  element("reaction-keys").hidden = !reactions.length;
  for (const r of reactions) {
    const chip = element("reactions").appendChild(chipFor(r.name, r.color, "arrow"));
    r.value = chip.appendChild(document.createElement("b"));
    toggle(chip, r, refitted);
    r.chip = chip;
  }
  element("side").onchange = (event) => { side.sign = Number(event.target.value); turnReactions(); };
  element("arrow-size").oninput = (event) => { arrows.size = 2 ** Number(event.target.value); refitted(); };
  element("values").onclick = () => {
    arrows.hasValues = !arrows.hasValues;
    element("values").setAttribute("aria-pressed", arrows.hasValues);
    refresh();
  };
  explainReactions();
}
const refitted = () => { if (view.isFitted) fit(); refresh(); };
function toggleReactions() {
  const isVisible = !reactions.some((r) => r.isVisible);
  for (const r of reactions) if (r.isVisible !== isVisible) r.chip.click();
}
function explainReactions() {
  const told = reactions.find((r) => r.ends.every((b) => typeof b === "number")) || reactions.find((r) => r.ends[1] !== undefined);
  const end = side.sign > 0 ? ["second", "first"] : ["first", "second"];
  const example = told ? ` (${told.name}: ${exerter(told, side.sign)} on ${receiver(told, side.sign)})` : "";
  element("convention").textContent = `What joints exert on the bodies of their ${end[0]} ends${example}; those of their ${end[1]} ends get the opposite.`;
  for (const r of reactions) r.chip.title = `What ${exerter(r, side.sign)} exerts on ${receiver(r, side.sign)}. Click to show or hide, double-click to show alone`;
}
function turnReactions() {
  for (const y of new Set(reactionCardGroups.flatMap((g) => g.series.filter((s) => s.isSigned).map((s) => s.y)))) y.forEach((v, i) => { if (v !== null) y[i] = -v; });
  explainReactions();
  cards.forEach(sizeCard);
  refitted();
}
function showReactionValues(f) {
  for (const r of reactions) {
    if (!r.isVisible) continue;
    const parts = [];
    if (hasForce(r)) parts.push(amount(Math.hypot(between(r.x, f), between(r.y, f)), "N"));
    if (hasMoment(r)) parts.push(amount(side.sign * between(r.torque, f), "N m"));
    r.value.textContent = parts.join(", ");
  }
}
