/* Shapes of bodies, joints and ground: solids if there are any, else rounded rods, plates and hulls of their markers. */

/* Radius of a rod: a fraction of the size of the mechanism, limited by a fraction of the typical distance of joints. */
const bar = (() => {
  const lengths = shapes.filter((s) => !s.solids.length).flatMap(({ points }) => points.slice(1).map((p) => gap(p, points[0], 0))).filter((l) => l > 0).sort((a, b) => a - b);
  return Math.max(0.004 * box.size, Math.min(0.017 * box.size, lengths.length ? 0.16 * lengths[lengths.length >> 1] : Infinity));
})();

/* Andrew's monotone chain, counterclockwise; points as [x, y, …]. */
function hull(points) {
  const sorted = points.slice().sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list) => {
    const out = [];
    for (const p of list) {
      while (out.length > 1 && turn(out[out.length - 2], out[out.length - 1], p) <= 0) out.pop();
      out.push(p);
    }
    out.pop();
    return out;
  };
  return sorted.length < 3 ? sorted : half(sorted).concat(half(sorted.reverse()));
}

/* Faces of the convex hull of points in space: { normal, corners }. Points of a plane have two, one on either side. */
function facesOf(points) {
  const faces = [], reach = Math.max(...points.map((p) => norm(minus(p, points[0])))), near = 1e-6 * reach;
  for (let i = 0; i < points.length; i++) {
    for (let j = i + 1; j < points.length; j++) {
      for (let k = j + 1; k < points.length; k++) {
        const across = cross(minus(points[j], points[i]), minus(points[k], points[i]));
        if (norm(across) < 1e-9 * reach * reach) continue;
        for (const sign of [-1, 1]) {
          const normal = unitOf(times(sign, across)), heights = points.map((p) => dot(minus(p, points[i]), normal));
          const isKnown = faces.some((f) => dot(f.normal, normal) > 1 - 1e-9 && Math.abs(dot(minus(f.corners[0], points[i]), normal)) < near);
          if (isKnown || heights.some((h) => h > near)) continue;
          const [u, v] = acrossAxes(normal), on = points.filter((_, n) => heights[n] > -near);
          faces.push({ normal, corners: hull(on.map((p) => [dot(p, u), dot(p, v), p])).map((p) => p[2]) });
        }
      }
    }
  }
  return faces;
}
/* At most 24 points: the extreme ones in directions distributed over the sphere. */
function extremal(points) {
  if (points.length <= 24) return points;
  const found = new Set();
  for (let k = 0; k < 60 && found.size < 24; k++) {
    const z = 1 - (2 * k + 1) / 60, r = Math.sqrt(1 - z * z), a = 2.399963 * k, d = [r * Math.cos(a), r * Math.sin(a), z];
    found.add(points.reduce((far, p) => (dot(p, d) > dot(far, d) ? p : far)));
  }
  return [...found];
}

/* The set of points within the radius of the hull. */
function addRounded(mesh, points, radius) {
  const faces = points.length > 2 ? facesOf(points) : [];
  const far = (p) => points.reduce((a, b) => (norm(minus(b, p)) > norm(minus(a, p)) ? b : a));
  /* For points on a line, its two ends. */
  const from = far(points[0]), edges = faces.length ? faces.flatMap(({ corners }) => corners.map((p, k) => [p, corners[(k + 1) % corners.length]])) : [[from, far(from)]];
  for (const { normal, corners } of faces) addSheet(mesh, corners.map((p) => plus(p, times(radius, normal))), normal, 0);
  const done = new Set(), key = (p) => points.indexOf(p);
  for (const [a, b] of edges) {
    const name = [key(a), key(b)].sort().join();
    if (done.has(name)) continue;
    done.add(name);
    if (a !== b) addTube(mesh, a, b, radius, 0);
    for (const p of [a, b]) if (!done.has(p)) { done.add(p); addBall(mesh, p, radius, 0); }
  }
}

function markerMesh({ body, points, rail }) {
  const mesh = newMesh(), at = pose(body, 0), local = points.map((m) => toBody(at, placeAt(m, 0))).filter(isFinite3);
  if (!local.length) return mesh;
  if (rail && local.length === 1) {
    /* A sliding block, whose first edge is parallel to the rail. */
    const u = inAxesOf(body, rotate(attitudeAt(rail.first.body, 0), rail.u), 0), turn = product(conjugate(still), toward(u));
    addPart(mesh, (m) => addBlock(m, times(bar, [5, 3, 3]), 0), { origin: local[0], attitude: turn });
  } else if (local.length === 1) addPart(mesh, (m) => addBall(m, local[0], 2 * bar, 0));
  else addPart(mesh, (m) => addRounded(m, extremal(local), bar));
  return mesh;
}
/* The quaternion of a rotation that maps x to a unit vector. */
function toward([x, y, z]) {
  const e = x > -0.9999 ? [1 + x, 0, -z, y] : [0, 0, 0, 1], size = Math.hypot(...e);
  return e.map((part) => part / size);
}

for (const s of shapes) {
  s.parts = s.solids.length ? s.solids.map((solid) => ({ mesh: solidMesh(solid), color: solid.color || s.color })) : [{ mesh: markerMesh(s), color: s.color }];
}
const groundParts = data.solids.filter((s) => s.body === null).map((solid) => ({ mesh: solidMesh(solid), color: solid.color || "#9aa3ad" }));

/* Joints: cylinders about axes, balls, and supports for those on ground; in the axes of the body of the first end, with the joint at the origin. */
/* Bodies with solids from a file need no shapes for their joints. */
const isShown = (p) => p.isJoint && p.markers.some((m) => m.body !== null && !shapes[m.body].isWhole);
for (const p of pins.filter(isShown)) {
  const mesh = newMesh(), axis = p.joint && p.joint.kind === "pin" ? p.joint.axis : null;
  p.body = p.joint ? p.joint.first.body : null;
  if (axis) addPart(mesh, (m) => addCylinder(m, times(-1.7 * bar, axis), times(1.7 * bar, axis), 1.3 * bar, 0));
  else addPart(mesh, (m) => addBall(m, [0, 0, 0], 1.45 * bar, 0));
  p.mesh = mesh;
  if (!p.isGround || groundParts.length) continue;
  p.stand = newMesh();
  const [top, foot] = [times(-0.6 * bar, up), times(-3.6 * bar, up)];
  addPart(p.stand, (m) => { addTube(m, top, foot, 0.9 * bar, 0, 2.4 * bar); addDisk(m, foot, times(-1, up), 2.4 * bar, 1); });
}
for (const r of rails) {
  r.mesh = newMesh();
  const over = 4 * bar, end = (x) => plus(r.base, times(x, r.u));
  addPart(r.mesh, (m) => addCylinder(m, end(r.from - over), end(r.to + over), 0.75 * bar, 0));
}
