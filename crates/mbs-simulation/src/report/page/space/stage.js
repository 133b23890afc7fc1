/* The mechanism in space on a canvas: ground, shadows, solids with their depth, curves around and in front of them. */

/* Screen positions and depths of all markers as last drawn. */
let drawn = [];

/* A curve on the screen, with its hidden parts: points as [x, y, depth], null between separate pieces. */
function curve(points) {
  const seen = points.map((p) => (isFinite3(p) ? toScreen(p) : null)).map((p) => (p && p[2] > near() ? p : null));
  return seen.map((p, k) => {
    const q = seen[k + 1];
    return p && q ? { p, q, isHidden: isHidden([(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2], 0) } : null;
  });
}
/* The pieces up to `end` that are hidden, or those that are not. */
function strokeCurve(pieces, hides, color, width, alpha, end = pieces.length) {
  brush.beginPath();
  let last = null;
  for (const piece of pieces.slice(0, end)) {
    if (!piece || piece.isHidden !== hides) { last = null; continue; }
    if (last !== piece.p) brush.moveTo(piece.p[0], piece.p[1]);
    brush.lineTo(piece.q[0], piece.q[1]);
    last = piece.q;
  }
  brush.lineJoin = brush.lineCap = "round";
  brush.globalAlpha = alpha;
  stroke(color, width);
  brush.globalAlpha = 1;
}

function traceCurves(f) {
  const last = Math.floor(f);
  return traces.filter((t) => t.isVisible).map((t) => {
    const past = Array.from({ length: last + 1 }, (_, i) => placeAt(t.marker, i)).concat([position(t.marker, f)]);
    const all = curve(past.concat(Array.from({ length: Math.max(0, count - 1 - last) }, (_, i) => placeAt(t.marker, last + 1 + i))));
    return (hides) => {
      strokeCurve(all, hides, t.color, 1.25, 0.38);
      strokeCurve(all, hides, t.color, 1.7, 0.95, past.length - 1);
    };
  });
}

/* A line in pieces, so that its hidden parts can be drawn differently. */
function cableCurve(a, b) {
  const steps = 24, pieces = curve(Array.from({ length: steps + 1 }, (_, k) => plus(a, times(k / steps, minus(b, a)))));
  return (hides) => strokeCurve(pieces, hides, mix(theme.muted, theme.ink, 0.75), 1.6, hides ? 0.35 : 1);
}

/* A coil between its ends; the number of coils does not depend on its length. */
function springCurves(f) {
  return springs.map(({ kind, first, second, longest, shortest }) => {
    if (kind === "cable") return cableCurve(position(first, f), position(second, f));
    const [a, b] = [position(first, f), position(second, f)], axis = unitOf(minus(b, a)), length = norm(minus(b, a));
    const [u, v] = acrossAxes(axis), turns = Math.max(5, Math.min(24, Math.round(longest / (1.5 * bar)), Math.round(shortest / (0.55 * bar)) || 5));
    const lead = Math.min(1.6 * bar, length / 6), steps = 18 * turns, points = [a];
    for (let k = 0; k <= steps; k++) {
      const angle = (2 * Math.PI * turns * k) / steps, fade = Math.min(1, k / 9, (steps - k) / 9);
      const out = plus(times(Math.cos(angle), u), times(Math.sin(angle), v));
      points.push(plus(plus(a, times(lead + ((length - 2 * lead) * k) / steps, axis)), times(1.25 * bar * fade, out)));
    }
    const pieces = curve(points.concat([b]));
    return (hides) => { strokeCurve(pieces, hides, theme.surface, 3.4, 0.6); strokeCurve(pieces, hides, mix(theme.muted, theme.ink, 0.75), 1.6, 1); };
  });
}

/* Pixels of a length at a point of the screen. */
const pixels = (length, at) => (length * view.focal) / at[2];

function drawCenter(m, f) {
  const at = toScreen(position(m, f)), r = Math.max(3.5, Math.min(9, pixels(0.6 * bar, at))), owner = ownerAt(at);
  if (!(at[2] > near()) || (owner !== undefined && owner !== m.body)) return;
  const color = mix(shapes[m.body].color, theme.ink, 0.35);
  disc(at, r, theme.surface, color, 1.2);
  brush.fillStyle = color;
  for (const start of [0, Math.PI]) {
    brush.beginPath();
    brush.moveTo(at[0], at[1]);
    brush.arc(at[0], at[1], r, start, start + Math.PI / 2);
    brush.fill();
  }
}

const isSeen = (m) => m.body === null || shapes[m.body].isVisible;
function drawSolids(f) {
  const steel = mixed(theme.muted, theme.surface, 0.3), stands = mixed(theme.muted, theme.surface, 0.55);
  for (const { mesh, color } of groundParts) drawMesh(mesh, pose(null, f), newObject(color, null));
  for (const s of shapes.filter((s) => s.isVisible)) {
    const at = pose(s.body, f), objects = new Map();
    s.parts.forEach(({ mesh, color }, k) => {
      if (!objects.has(color)) objects.set(color, newObject(color, s.body));
      drawMesh(mesh, at, objects.get(color), 6 * k);
    });
  }
  for (const r of rails) drawMesh(r.mesh, { origin: position(r.first, f), attitude: pose(r.first.body, f).attitude }, newObject(stands, null));
  for (const { first, second } of rods) {
    const mesh = newMesh();
    addPart(mesh, (m) => addTube(m, position(first, f), position(second, f), 0.5 * bar, 0));
    drawMesh(mesh, pose(null, f), newObject(stands));
  }
  for (const p of pins.filter((p) => p.mesh && p.markers.some(isSeen))) {
    const origin = position(p.markers[0], f);
    drawMesh(p.mesh, { origin, attitude: pose(p.body, f).attitude }, newObject(steel));
    if (p.stand) drawMesh(p.stand, { origin, attitude: still }, newObject(stands, null));
  }
}
/* `mix` as a colour that `channels` reads. */
const mixed = (a, b, w) => `#${channels(a).map((c, i) => Math.round(w * c + (1 - w) * channels(b)[i]).toString(16).padStart(2, "0")).join("")}`;

/* Points that no other shape shows, and declared markers; not the end of a joint on ground that is away from the other end, as for a free body. */
const isNamed = (m) => m.body !== null || (m.end === "" && m.name !== "ground");
function drawPoints(f) {
  for (const p of pins) {
    if (p.isJoint || p.isOnRail || !p.markers.some(isSeen) || !p.markers.some(isNamed)) continue;
    const at = toScreen(position(p.markers[0], f));
    if (at[2] > near() && !isHidden(at, 2.2 * bar)) disc(at, Math.max(2, Math.min(6, pixels(0.34 * bar, at))), theme.ink);
  }
}

/* Draws everything at frame f. */
function drawStage(f) {
  const start = performance.now();
  aim();
  brush.clearRect(0, 0, view.width, view.height);
  drawn = markers.map((m) => toScreen(position(m, f)));
  beginRaster();
  drawSolids(f);
  finishRaster();
  let step = 0;
  if (isAbove()) { step = drawGrid(); drawShadows(f); }
  const curves = [...traceCurves(f), ...springCurves(f)];
  for (const draw of curves) draw(true);
  drawLayer();
  for (const draw of curves) draw(false);
  for (const m of centers) if (isSeen(m)) drawCenter(m, f);
  drawPoints(f);
  if (!isAbove()) step = drawGrid();
  drawAxes(step);
  drawReactions(f);
  pace(performance.now() - start);
}

/* The layer has two pixels for one of the page, for smooth edges, but one during playback if drawing takes too long. */
let cost = 0;
function pace(time) {
  if (player.isPlaying) {
    cost = 0.8 * cost + 0.2 * time;
    if (cost > 28) raster.ratio = 1;
  } else if (raster.ratio === 1) {
    [raster.ratio, cost] = [2, 0];
    refresh();
  }
}
