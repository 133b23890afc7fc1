/* Triangles of simple solids. points and normals are flat, three numbers a vertex; triangles are flat too, three vertices and a
 * group: edges between groups are visible. Parts cast shadows, and are convex: ranges of vertices. */
const newMesh = (circle = sides) => ({ points: [], normals: [], triangles: [], parts: [], sides: circle });
/* Number of sides of circles, smaller for many bodies. */
const sides = bodies.length > 40 ? 10 : bodies.length > 12 ? 16 : 24;

function vertex(mesh, p, n) {
  mesh.points.push(...p);
  mesh.normals.push(...n);
  return mesh.points.length / 3 - 1;
}
/* Orders the vertices counterclockwise seen from outside, by their normals. */
function triangle(mesh, a, b, c, group) {
  const at = (k, list) => [list[3 * k], list[3 * k + 1], list[3 * k + 2]];
  const [p, q, r] = [a, b, c].map((k) => at(k, mesh.points)), outside = plus(at(a, mesh.normals), plus(at(b, mesh.normals), at(c, mesh.normals)));
  const face = cross(minus(q, p), minus(r, p));
  if (dot(face, outside) >= 0) mesh.triangles.push(a, b, c, group); else mesh.triangles.push(a, c, b, group);
}
/* A grid of vertices, rows by columns, closed along its rows. */
function patch(mesh, rows, columns, group, at) {
  const start = mesh.points.length / 3;
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) vertex(mesh, ...at(i, j));
  for (let i = 0; i + 1 < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const [a, b] = [start + i * columns + j, start + i * columns + ((j + 1) % columns)];
      triangle(mesh, a, b, a + columns, group);
      triangle(mesh, b, b + columns, a + columns, group);
    }
  }
}
const circle = (j, n) => [Math.cos((2 * Math.PI * j) / n), Math.sin((2 * Math.PI * j) / n)];

function addBall(mesh, center, radius, group) {
  const rows = mesh.sides / 2 + 1;
  patch(mesh, rows, mesh.sides, group, (i, j) => {
    const polar = (Math.PI * i) / (rows - 1), [c, s] = circle(j, mesh.sides), n = [Math.sin(polar) * c, Math.sin(polar) * s, Math.cos(polar)];
    return [plus(center, times(radius, n)), n];
  });
}
/* The side of a cylinder, or of a frustum with another radius at b. */
function addTube(mesh, a, b, radius, group, radiusAtEnd = radius) {
  const axis = unitOf(minus(b, a)), [u, v] = acrossAxes(axis), slope = (radius - radiusAtEnd) / (norm(minus(b, a)) || 1);
  patch(mesh, 2, mesh.sides, group, (i, j) => {
    const [c, s] = circle(j, mesh.sides), out = plus(times(c, u), times(s, v));
    return [plus(i ? b : a, times(i ? radiusAtEnd : radius, out)), unitOf(plus(out, times(slope, axis)))];
  });
}
function addDisk(mesh, center, normal, radius, group) {
  const [u, v] = acrossAxes(normal);
  addSheet(mesh, Array.from({ length: mesh.sides }, (_, j) => { const [c, s] = circle(j, mesh.sides); return plus(center, times(radius, plus(times(c, u), times(s, v)))); }), normal, group);
}
/* A flat convex polygon. */
function addSheet(mesh, corners, normal, group) {
  const ids = corners.map((p) => vertex(mesh, p, normal));
  for (let k = 1; k + 1 < ids.length; k++) triangle(mesh, ids[0], ids[k], ids[k + 1], group);
}
function addCylinder(mesh, a, b, radius, group) {
  const axis = unitOf(minus(b, a));
  addTube(mesh, a, b, radius, group);
  addDisk(mesh, a, times(-1, axis), radius, group + 1);
  addDisk(mesh, b, axis, radius, group + 2);
}
function addBlock(mesh, size, group) {
  const half = times(0.5, size);
  for (let k = 0; k < 3; k++) {
    for (const sign of [-1, 1]) {
      const normal = [0, 0, 0], [i, j] = [(k + 1) % 3, (k + 2) % 3];
      normal[k] = sign;
      addSheet(mesh, [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => { const p = [0, 0, 0]; [p[k], p[i], p[j]] = [sign * half[k], a * half[i], b * half[j]]; return p; }), normal, group + 2 * k + Number(sign > 0));
    }
  }
}

/* Adds the triangles of `build`, rotated and translated, as one part. */
function addPart(mesh, build, place = { origin: [0, 0, 0], attitude: still }) {
  const from = mesh.points.length;
  build(mesh);
  for (let k = from; k < mesh.points.length; k += 3) {
    const p = fromBody(place, mesh.points.slice(k, k + 3)), n = rotate(place.attitude, mesh.normals.slice(k, k + 3));
    for (let i = 0; i < 3; i++) [mesh.points[k + i], mesh.normals[k + i]] = [p[i], n[i]];
  }
  mesh.parts.push([from / 3, mesh.points.length / 3]);
}
const solidBuilders = {
  block: ({ size }) => (mesh) => addBlock(mesh, size, 0),
  cylinder: ({ size: [radius, length] }) => (mesh) => addCylinder(mesh, [0, 0, -length / 2], [0, 0, length / 2], radius, 0),
  sphere: ({ size: [radius] }) => (mesh) => addBall(mesh, [0, 0, 0], radius, 0),
};
function solidMesh(solid) {
  const mesh = newMesh(2 * sides);
  addPart(mesh, solidBuilders[solid.kind](solid), { origin: solid.position, attitude: solid.attitude });
  return mesh;
}
