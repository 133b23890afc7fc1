/* Arrows of forces and arcs of moments on the canvas, one scale for the run. */
const arrows = { size: 1, hasValues: false };
/* The force by which arrows are scaled: few frames exceed it, so that a short peak does not make all others small. */
const typicalForce = (() => {
  const all = reactions.flatMap((r) => r.magnitude.filter((x) => x !== null)).sort((a, b) => a - b);
  return Math.max(all[Math.floor(0.97 * (all.length - 1))] || 0, largestForce / 3);
})();
const pixelsPerNewton = () => (typicalForce ? (arrows.size * 0.22 * Math.min(view.width, view.height)) / typicalForce : 0);
/* The arc of the largest moment is three quarters of a circle. */
const sweepOf = (moment) => (largestMoment ? (moment / largestMoment) * 1.5 * Math.PI : 0);

function head([x, y], turn, size) {
  placed([x, y], turn, () => {
    line([[0, 0], [-size, -0.42 * size], [-0.78 * size, 0], [-size, 0.42 * size]]);
    brush.closePath();
  });
}

/* Draws a path from `begin` twice: first wider in the colour of the surface, so that it is visible on everything. */
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

/* Arcs that are shorter, in radians, are hidden by their heads. */
const smallest = 0.25;
/* An arc from below the point; those of positive moments are counterclockwise. */
function drawArc([x, y], radius, sweep, color) {
  if (!(Math.abs(sweep) > smallest)) return;
  const size = Math.min(10, 0.6 * Math.abs(sweep) * radius), from = -Math.PI / 2, way = Math.sign(sweep);
  const to = from + sweep, neck = to - (way * 0.8 * size) / radius;
  const at = (angle) => [x + radius * Math.cos(angle), y - radius * Math.sin(angle)];
  const arc = () => { brush.beginPath(); brush.arc(x, y, radius, -from, -neck, way > 0); };
  inked(color, 2.2, arc, at(to), to + way * (Math.PI / 2 - (0.4 * size) / radius), size);
}

const arrowColor = (r) => mix(r.color, theme.ink, 0.8);
