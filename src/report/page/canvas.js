/* The canvas of the stage, colours, and strokes that every picture is made of. */
const stage = document.getElementById("stage");
const brush = stage.getContext("2d");
const theme = {};

function readTheme() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["surface", "ink", "muted", "line", "grid", "accent"]) theme[name] = style.getPropertyValue("--" + name).trim();
}

const channels = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
/* w of color a, 1 − w of color b. */
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
/* Draws with the origin at a screen point, x turned by an angle that counts as in the world. */
function placed([x, y], turn, draw) {
  brush.save();
  brush.translate(x, y);
  brush.rotate(-turn);
  draw();
  brush.restore();
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
