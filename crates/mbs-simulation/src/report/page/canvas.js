/* The canvas of the stage, its colours, and strokes for all pictures. */
const stage = document.getElementById("stage");
const brush = stage.getContext("2d");
const theme = {};

function readTheme() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["surface", "ink", "muted", "line", "grid", "accent"]) theme[name] = style.getPropertyValue("--" + name).trim();
}

const channels = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
/* The mixture of colours w a + (1 − w) b. */
function mix(a, b, w) {
  const [p, q] = [channels(a), channels(b)];
  return `rgb(${p.map((c, i) => Math.round(w * c + (1 - w) * q[i])).join(" ")})`;
}

function resizeCanvas(canvas) {
  const ratio = window.devicePixelRatio || 1, { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.getContext("2d").setTransform(canvas.width / Math.max(1, width), 0, 0, canvas.height / Math.max(1, height), 0, 0);
  return [width, height];
}

/* 1, 2 or 5 times a power of ten, at least x. */
function niceStep(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * ([1, 2, 5].find((m) => m * power >= x * (1 - 1e-9)) || 10);
}
const decimals = (step) => Math.min(12, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));

function line(points) {
  brush.beginPath();
  points.forEach((p, k) => (k ? brush.lineTo(p[0], p[1]) : brush.moveTo(p[0], p[1])));
}
function stroke(color, width, dash = []) {
  brush.strokeStyle = color;
  brush.lineWidth = width;
  brush.setLineDash(dash);
  brush.stroke();
  brush.setLineDash([]);
}
function disc([x, y], r, fill, edge, width) {
  brush.beginPath();
  brush.arc(x, y, r, 0, 2 * Math.PI);
  brush.fillStyle = fill;
  brush.fill();
  if (width) stroke(edge, width);
}
/* Draws with the origin at a screen point, and x rotated by an angle in world axes. */
function placed([x, y], turn, draw) {
  brush.save();
  brush.translate(x, y);
  brush.rotate(-turn);
  draw();
  brush.restore();
}

/* Offsets of a label from its point, the nearest first. */
const shifts = [0, -36, 36, -72, 72].flatMap((dx) => [0, -14, 14, -28, 28, -42, 42, -56, 56].map((dy) => [dx, dy])).sort((a, b) => Math.hypot(...a) - Math.hypot(...b));

/* Draws labels { text, at, align } without overlap: each label avoids those before it. A text is written at a point only once. */
function drawLabels(labels) {
  const taken = [];
  brush.font = labelFont;
  for (const { text, at: [x, y], align } of labels) {
    const width = brush.measureText(text).width, left = x - (align === "right" ? width : align === "center" ? width / 2 : 0);
    if (taken.some((t) => t.text === text && Math.hypot(t.left - left, t.y - y) < 20)) continue;
    const apart = ([dx, dy]) => (t) => left + dx > t.left + t.width + 5 || left + dx + width + 5 < t.left || Math.abs(y + dy - t.y) >= 14;
    const [dx, dy] = shifts.find((shift) => taken.every(apart(shift))) || [0, 0];
    taken.push({ text, left: left + dx, y: y + dy, width });
    drawLabel(text, [left + dx, y + dy]);
  }
}

const labelFont = "600 11.5px system-ui, sans-serif";
function drawLabel(text, [x, y]) {
  brush.font = labelFont;
  brush.textAlign = "left";
  brush.lineJoin = "round";
  brush.strokeStyle = theme.surface;
  brush.lineWidth = 4;
  brush.strokeText(text, x, y);
  brush.fillStyle = theme.ink;
  brush.fillText(text, x, y);
}
