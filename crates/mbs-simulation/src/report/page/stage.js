/* The mechanism on a canvas: transformation from world to screen, and layers, with the ground first. */
const view = { x: 0, y: 0, scale: 1, fitted: 1, isFitted: true, width: 1, height: 1 };
/* Screen positions of all markers as last drawn. */
let drawn = [];

const toScreen = ([x, y]) => [view.width / 2 + (x - view.x) * view.scale, view.height / 2 - (y - view.y) * view.scale];
const toWorld = ([sx, sy]) => [view.x + (sx - view.width / 2) / view.scale, view.y - (sy - view.height / 2) / view.scale];

/* Half the width of a bar in pixels; it grows with the view, and with the zoom up to a limit. */
function unit() {
  const base = Math.min(10, Math.max(4.5, Math.min(view.width, view.height) / 62));
  return base * Math.min(2.6, Math.max(0.6, view.scale / view.fitted));
}

function fit() {
  view.isFitted = true;
  const margin = 52 + Math.min(view.width, view.height) * 0.05;
  const [w, h] = [Math.max(box.x1 - box.x0, 0.25 * box.size), Math.max(box.y1 - box.y0, 0.25 * box.size)];
  view.scale = view.fitted = Math.min(Math.max(40, view.width - 2 * margin) / w, Math.max(40, view.height - 2 * margin) / h);
  /* Arrows have a size in pixels; the mechanism leaves room for them, up to a third of the view. */
  const reach = reachOfArrows(view.scale).map((r) => Math.max(0, r + 14 - margin)), share = (a, b, size) => Math.max(0.67, 1 - (a + b) / size);
  view.scale = view.fitted *= Math.min(share(reach[0], reach[1], view.width), share(reach[2], reach[3], view.height));
  [view.x, view.y] = [(box.x0 + box.x1) / 2 + (reach[1] - reach[0]) / (2 * view.scale), (box.y0 + box.y1) / 2 + (reach[3] - reach[2]) / (2 * view.scale)];
}

function zoom(factor, [sx, sy]) {
  const before = toWorld([sx, sy]);
  view.scale = Math.min(200, Math.max(0.05, (view.scale * factor) / view.fitted)) * view.fitted;
  const after = toWorld([sx, sy]);
  view.x += before[0] - after[0];
  view.y += before[1] - after[1];
  view.isFitted = false;
}

function drawGrid() {
  const step = niceStep(76 / view.scale), label = (k) => (k * step).toFixed(decimals(step)).replace("-", "−");
  const [x0, y1] = toWorld([0, 0]), [x1, y0] = toWorld([view.width, view.height]);
  brush.font = "11px system-ui, sans-serif";
  brush.fillStyle = theme.muted;
  for (let k = Math.ceil(x0 / step); k * step <= x1; k++) {
    const sx = Math.round(toScreen([k * step, 0])[0]) + 0.5;
    line([[sx, 0], [sx, view.height]]);
    stroke(k === 0 ? theme.line : theme.grid, 1);
    brush.textAlign = "center";
    if (sx > 46 && sx < view.width - 24) brush.fillText(label(k), sx, view.height - 7);
  }
  for (let k = Math.ceil(y0 / step); k * step <= y1; k++) {
    const sy = Math.round(toScreen([0, k * step])[1]) + 0.5;
    line([[0, sy], [view.width, sy]]);
    stroke(k === 0 ? theme.line : theme.grid, 1);
    brush.textAlign = "left";
    if (sy > 44 && sy < view.height - 26) brush.fillText(label(k), 8, sy + 4);
  }
  brush.textAlign = "left";
  brush.fillText("m", 8, view.height - 7);
}

/* Hatching below a base line of half-width w at the current origin. */
function hatch(w, depth) {
  line([[-w, 0], [w, 0]]);
  stroke(theme.muted, 1.6);
  const n = Math.max(3, Math.round((2 * w) / 6.5));
  brush.beginPath();
  for (let k = 0; k < n; k++) {
    const x = -w + ((k + 0.9) * 2 * w) / n;
    brush.moveTo(x, 0);
    brush.lineTo(x - depth, depth);
  }
  stroke(theme.muted, 1);
}

function drawGround(f, u) {
  for (const r of rails.filter((r) => r.first.body === null)) drawRail(r, f, u);
  for (const p of pins.filter((p) => p.isGround)) {
    placed(toScreen(position(p.markers.find((m) => m.body === null), f)), 0, () => {
      const h = p.isJoint ? 2.6 * u : 0;
      if (p.isJoint) {
        brush.lineJoin = "round";
        line([[0, 0], [1.7 * u, h], [-1.7 * u, h]]);
        brush.closePath();
        brush.fillStyle = mix(theme.muted, theme.surface, 0.22);
        brush.fill();
        stroke(theme.muted, 1.6);
      }
      brush.translate(0, h);
      hatch(p.isJoint ? 2.5 * u : 1.3 * u, 0.95 * u);
    });
  }
  for (const m of markers.filter((m) => m.body === null && m.isForce)) placed(toScreen(position(m, f)), 0, () => hatch(1.3 * u, 0.95 * u));
}

function drawRail(r, f, u) {
  const turn = angle(r.first.body, f) + Math.atan2(r.u[1], r.u[0]), over = 3 * u;
  placed(toScreen(position(r.first, f)), turn, () => {
    const [from, to, y] = [r.from * view.scale - over, r.to * view.scale + over, -r.offset * view.scale];
    if (r.first.body === null) {
      /* The guide is on the side that is lower on the screen. */
      const side = Math.cos(turn) < 0 ? -1 : 1;
      brush.translate((from + to) / 2, y + side * 1.5 * u);
      brush.scale(side, side);
      hatch((to - from) / 2, 0.95 * u);
    } else {
      line([[from, y], [to, y]]);
      stroke(theme.muted, 1.2, [5, 4]);
    }
  });
}

function drawShape(shape, f, u) {
  const outline = mix(shape.color, theme.ink, 0.86), fill = mix(shape.color, theme.surface, 0.34);
  const points = shape.points.map((m) => toScreen(position(m, f)));
  if (!points.length) return;
  brush.lineJoin = brush.lineCap = "round";
  if (shape.isSlider) {
    const rail = rails.find((r) => r.second.body === shape.body);
    placed(points[0], angle(rail.first.body, f) + Math.atan2(rail.u[1], rail.u[0]), () => {
      line([[-1.9 * u, -0.8 * u], [1.9 * u, -0.8 * u], [1.9 * u, 0.8 * u], [-1.9 * u, 0.8 * u]]);
      brush.closePath();
      stroke(outline, 1.4 * u);
      brush.fillStyle = fill;
      brush.fill();
      stroke(fill, 1.4 * u - 3.6);
    });
  } else if (points.length === 1) {
    disc(points[0], 1.35 * u, fill, outline, 1.8);
  } else {
    line(hull(points));
    brush.closePath();
    stroke(outline, 2 * u);
    brush.fillStyle = fill;
    brush.fill();
    stroke(fill, 2 * u - 3.6);
  }
}

function drawSpring({ kind, first, second, shortest, longest }, f, u) {
  const [a, b] = [toScreen(position(first, f)), toScreen(position(second, f))];
  if (kind === "cable") {
    line([a, b]);
    return stroke(mix(theme.muted, theme.ink, 0.6), 1.4);
  }
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  placed(a, -Math.atan2(b[1] - a[1], b[0] - a[0]), () => {
    /* The number of coils does not depend on the length of the spring. */
    const turns = Math.max(5, Math.min(28, Math.round((longest * view.scale) / (1.5 * u)), Math.round((shortest * view.scale) / (0.5 * u))));
    const end = Math.min(1.6 * u, length / 4), points = [[0, 0], [end, 0]];
    for (let k = 0; k < 2 * turns; k++) points.push([end + ((k + 0.5) * (length - 2 * end)) / (2 * turns), (k % 2 ? 1 : -1) * 0.9 * u]);
    points.push([length - end, 0], [length, 0]);
    brush.lineJoin = "round";
    line(points);
    stroke(theme.muted, 1.4);
  });
  for (const end of [a, b]) disc(end, 0.26 * u, theme.muted);
}

function drawTrace(trace, f) {
  const last = Math.floor(f), screen = (i) => toScreen([trace.marker.x[i], trace.marker.y[i]]);
  brush.lineJoin = brush.lineCap = "round";
  line(Array.from({ length: count }, (_, i) => screen(i)));
  brush.globalAlpha = 0.38;
  stroke(trace.color, 1.25);
  brush.globalAlpha = 0.95;
  line(Array.from({ length: last + 1 }, (_, i) => screen(i)).concat([toScreen(position(trace.marker, f))]));
  stroke(trace.color, 1.6);
  brush.globalAlpha = 1;
}

function drawCenter(m, f, u) {
  const r = 0.72 * u, at = toScreen(position(m, f)), shape = shapes[m.body], n = shape.points.length;
  if (n === 2) {
    const [a, b] = shape.points.map((p) => toScreen(position(p, f))), [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const along = Math.min(1, Math.max(0, ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / (dx * dx + dy * dy || 1)));
    const foot = [a[0] + along * dx, a[1] + along * dy];
    if (Math.hypot(at[0] - foot[0], at[1] - foot[1]) > 1.5 * u) {
      /* For a point off the bar, a line connects it with the bar. */
      line([foot, at]);
      stroke(shape.color, 1.2, [2, 3]);
    }
  }
  placed(at, angle(m.body, f), () => {
    const color = mix(shape.color, theme.ink, 0.35);
    disc([0, 0], r, theme.surface, color, 1.2);
    brush.fillStyle = color;
    for (const start of [0, Math.PI]) {
      brush.beginPath();
      brush.moveTo(0, 0);
      brush.arc(0, 0, r, start, start + Math.PI / 2);
      brush.fill();
    }
  });
}

function drawWeld(at, turn, u) {
  placed(at, turn, () => {
    const r = 0.45 * u;
    line([[-r, -r], [r, -r], [r, r], [-r, r]]);
    brush.closePath();
    brush.fillStyle = theme.ink;
    brush.fill();
  });
}

/* Draws everything at frame f. */
function drawStage(f) {
  brush.clearRect(0, 0, view.width, view.height);
  drawGrid();
  const u = unit();
  drawn = markers.map((m) => toScreen(position(m, f)));
  drawGround(f, u);
  for (const r of rails) if (r.first.body !== null) drawRail(r, f, u);
  for (const { first, second } of rods) {
    line([drawn[first.index], drawn[second.index]]);
    stroke(theme.muted, 2, [6, 4]);
  }
  drawCurves(f, u);
  const isSeen = (m) => m.body === null || shapes[m.body].isVisible;
  for (const s of shapes.slice().sort((a, b) => Number(b.points.length > 2) - Number(a.points.length > 2))) if (s.isVisible) drawShape(s, f, u);
  for (const t of traces) if (t.isVisible) drawTrace(t, f);
  for (const s of springs) drawSpring(s, f, u);
  for (const m of centers) if (isSeen(m)) drawCenter(m, f, u);
  for (const p of pins) {
    if (!p.markers.some(isSeen)) continue;
    const at = drawn[p.markers[0].index];
    if (p.isJoint) disc(at, 0.6 * u, theme.surface, theme.ink, 1.6);
    else if (p.weld) drawWeld(at, angle(p.weld.first.body, f), u);
    else if (!p.isGround) disc(at, 0.32 * u, theme.ink);
  }
  drawContacts(f, u);
  drawReactions(f, u);
}
