/* The ground: a grid that fades, shadows, axes. */

/* Height of the grid: zero, unless something is below it or all is far above. Solids of ground are above it. */
const level = (() => {
  const lowest = Math.min(...sights.map((p) => dot(p, up)));
  const floor = Math.min(...data.solids.filter((s) => s.body === null).flatMap((s) => cornersOf(s).map((c) => dot(fromBody({ origin: s.position, attitude: s.attitude }, c), up))));
  if (floor <= lowest) return floor;
  return lowest > -0.03 * box.size && lowest < 0.8 * box.size ? 0 : lowest - 2 * bar;
})();
const axisColors = ["#d9503f", "#3f9a4c", "#4a74d8"];
const isAbove = () => dot(camera.eye, up) > level;

/* The parts of a line on the ground that are in front of the camera. */
function groundLine(a, b) {
  const [p, q] = [a, b].map(toScreen);
  if (p[2] < near() || q[2] < near()) return;
  brush.moveTo(p[0], p[1]);
  brush.lineTo(q[0], q[1]);
}

function drawGrid() {
  const reach = 0.75 * Math.max(box.size, norm(across(minus(box.high, box.low), up))), step = niceStep(reach / 7), cells = Math.ceil((1.7 * reach) / step);
  const center = [east, north].map((axis) => Math.round(dot(box.center, axis) / step));
  const at = (i, j) => plus(times(level, up), plus(times(i * step, east), times(j * step, north)));
  /* Six shades from the middle outwards; lines through the origin are axes. */
  const shade = (i, j) => Math.min(6, Math.floor((6.99 * Math.hypot(i - center[0], j - center[1])) / cells));
  for (let k = 0; k < 6; k++) {
    for (const kind of ["grid", "east", "north"]) {
      brush.beginPath();
      for (let i = center[0] - cells; i <= center[0] + cells; i++) {
        for (let j = center[1] - cells; j <= center[1] + cells; j++) {
          if (shade(i + 0.5, j) === k && (kind === "east" ? j === 0 : kind === "grid" && j !== 0)) groundLine(at(i, j), at(i + 1, j));
          if (shade(i, j + 0.5) === k && (kind === "north" ? i === 0 : kind === "grid" && i !== 0)) groundLine(at(i, j), at(i, j + 1));
        }
      }
      const axis = kind === "grid" ? -1 : (kind === "east" ? east : north).findIndex((x) => Math.abs(x) > 0.99);
      brush.globalAlpha = (kind === "grid" ? 1 : 0.75) * (1 - k / 6) ** 1.2 * (isAbove() ? 1 : 0.5);
      stroke(kind === "grid" ? theme.line : axis < 0 ? theme.muted : axisColors[axis], kind === "grid" ? 1 : 1.3);
    }
  }
  brush.globalAlpha = 1;
  return step;
}

/* Vertices seen from above, in components east and north. */
function flattened(mesh, from, to, { origin, attitude }) {
  const columns = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => rotate(attitude, axis)), p = mesh.points, flat = [];
  const [[a, b, c], [d, e, f]] = [east, north].map((axis) => columns.map((column) => dot(column, axis))), [x0, y0] = [dot(origin, east), dot(origin, north)];
  for (let k = 3 * from; k < 3 * to; k += 3) flat.push([a * p[k] + b * p[k + 1] + c * p[k + 2] + x0, d * p[k] + e * p[k + 1] + f * p[k + 2] + y0]);
  return flat;
}

/* The shadow of a body in vertical light. */
function drawShadows(f) {
  if (!isAbove()) return;
  brush.beginPath();
  for (const s of shapes.filter((s) => s.isVisible)) {
    const at = pose(s.body, f);
    if (!isFinite3(at.origin)) continue;
    for (const { mesh } of s.parts) {
      for (const [from, to] of mesh.parts) {
        const flat = flattened(mesh, from, to, at);
        const outline = hull(flat).map(([x, y]) => toScreen(plus(times(level, up), plus(times(x, east), times(y, north)))));
        if (outline.some((p) => p[2] < near())) continue;
        outline.forEach((p, k) => (k ? brush.lineTo(p[0], p[1]) : brush.moveTo(p[0], p[1])));
        brush.closePath();
      }
    }
  }
  const isDark = channels(theme.surface)[0] < 128;
  brush.fillStyle = isDark ? "rgb(0 0 0 / 38%)" : "rgb(30 40 60 / 11%)";
  brush.fill();
}

/* The directions of the world axes, in the corner, and the size of a cell of the grid. */
function drawAxes(step) {
  const size = 25, center = [45, view.height - 58];
  const axes = [0, 1, 2].map((k) => { const axis = [0, 1, 2].map((i) => Number(i === k)); return { name: "xyz"[k], color: axisColors[k], x: dot(axis, camera.right), y: dot(axis, camera.above), z: dot(axis, camera.forward) }; });
  brush.lineCap = "round";
  for (const { name, color, x, y } of axes.sort((a, b) => b.z - a.z)) {
    const tip = [center[0] + size * x, center[1] - size * y];
    line([center, tip]);
    stroke(color, 2.2);
    brush.font = "600 11.5px system-ui, sans-serif";
    brush.textAlign = "center";
    brush.fillStyle = color;
    brush.fillText(name, center[0] + (size + 10) * x, center[1] - (size + 10) * y + 4);
  }
  brush.textAlign = "left";
  brush.font = "11px system-ui, sans-serif";
  brush.fillStyle = theme.muted;
  brush.fillText(`grid ${step.toFixed(decimals(step))} m`, 10, view.height - 10);
}
