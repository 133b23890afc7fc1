/* Solids with a depth for every pixel: intersections are correct, and no graphics card is needed. Each pixel has the reciprocal of its
 * depth, its object and group, for edges; shades are interpolated between vertices. */
const layer = document.createElement("canvas"), layerPen = layer.getContext("2d");
const raster = { ratio: 2, width: 0, height: 0, image: null, pixels: null, depth: null, object: null, inks: [], owners: [], light: [], box: null, before: null };
const vertices = { x: new Float64Array(0), y: new Float64Array(0), z: new Float64Array(0), shade: new Float64Array(0) };

function beginRaster() {
  const width = Math.max(1, Math.ceil(view.width * raster.ratio)), height = Math.max(1, Math.ceil(view.height * raster.ratio));
  if (width !== raster.width || height !== raster.height) {
    [layer.width, layer.height] = [raster.width, raster.height] = [width, height];
    raster.image = layerPen.createImageData(width, height);
    raster.pixels = new Uint32Array(raster.image.data.buffer);
    raster.depth = new Float32Array(width * height);
    raster.object = new Uint16Array(width * height);
    raster.box = [width, height, 0, 0];
  }
  /* Only the area that was drawn before is cleared. */
  const [, top, , bottom] = raster.box;
  for (const values of [raster.pixels, raster.depth, raster.object]) if (bottom >= top) values.fill(0, top * width, (bottom + 1) * width);
  raster.before = raster.box;
  [raster.inks, raster.owners, raster.box] = [[0], [null], [width, height, 0, 0]];
  raster.light = unitOf(plus(times(0.85, up), plus(times(-0.5, camera.right), times(-0.75, camera.forward))));
}

const packed = ([r, g, b]) => ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;
const blend = (a, b, w) => a.map((x, i) => x + w * (b[i] - x));
/* 256 shades of a colour, from shadow to highlight, and its edge. */
const ramps = new Map();
function rampOf(color) {
  const key = color + theme.surface;
  if (ramps.has(key)) return ramps.get(key);
  const base = blend(channels(color), [255, 255, 255], 0.12), dark = blend(base, [22, 28, 52], 0.62), pale = blend(base, [255, 255, 255], 0.42);
  const shades = Uint32Array.from({ length: 256 }, (_, k) => {
    const s = k / 200;
    return packed(s < 0.6 ? blend(dark, base, s / 0.6) : s < 1 ? blend(base, pale, (s - 0.6) / 0.4) : blend(pale, [255, 255, 255], Math.min(1, (s - 1) / 0.27)));
  });
  const ramp = { shades, edge: packed(blend(base, [14, 18, 34], 0.72)), crease: packed(blend(base, [14, 18, 34], 0.45)) };
  ramps.set(key, ramp);
  return ramp;
}

/* Begins a new object; its owner is its body, null for ground, undefined for joints. */
function newObject(color, owner) {
  const ramp = rampOf(color);
  raster.inks.push(ramp);
  raster.owners.push(owner);
  return raster.inks.length - 1;
}

function drawMesh(mesh, { origin, attitude }, object, groups = 0) {
  const n = mesh.points.length / 3, shades = raster.inks[object].shades;
  if (!n || !isFinite3(origin) || object > 4094) return;
  if (vertices.x.length < n) for (const key of Object.keys(vertices)) vertices[key] = new Float64Array(2 * n);
  transform(mesh, n, origin, attitude);
  const { x, y, z, shade } = vertices, t = mesh.triangles, least = near();
  const corner = (i) => [x[i], y[i], z[i], shade[i]];
  for (let k = 0; k < t.length; k += 4) {
    const a = t[k], b = t[k + 1], c = t[k + 2], id = (object << 4) | ((t[k + 3] + groups) & 15);
    if (z[a] > least && z[b] > least && z[c] > least) {
      /* Triangles that face away are omitted: the sign of (b × c)·a, with corners relative to the eye, is that of the side. */
      const volume = x[a] * (y[b] * z[c] - z[b] * y[c]) + y[a] * (z[b] * x[c] - x[b] * z[c]) + z[a] * (x[b] * y[c] - y[b] * x[c]);
      if (volume > 0) fill(corner(a), corner(b), corner(c), id, shades);
    } else {
      const rest = clipped([a, b, c].map(corner), least);
      for (let i = 1; i + 1 < rest.length; i++) fill(rest[0], rest[i], rest[i + 1], id, shades);
    }
  }
}

/* Vertices in camera axes, with their shades from 0 to 250. */
function transform(mesh, n, origin, attitude) {
  const columns = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => rotate(attitude, axis));
  const rows = [camera.right, camera.above, camera.forward].map((axis) => columns.map((column) => dot(column, axis)));
  const [ox, oy, oz] = toCamera(origin), light = [camera.right, camera.above, camera.forward].map((axis) => dot(raster.light, axis));
  const [[a, b, c], [d, e, f], [g, h, i]] = rows, [lx, ly, lz] = light, { points: p, normals: m } = mesh;
  for (let k = 0; k < n; k++) {
    const [px, py, pz, mx, my, mz] = [p[3 * k], p[3 * k + 1], p[3 * k + 2], m[3 * k], m[3 * k + 1], m[3 * k + 2]];
    vertices.x[k] = a * px + b * py + c * pz + ox;
    vertices.y[k] = d * px + e * py + f * pz + oy;
    vertices.z[k] = g * px + h * py + i * pz + oz;
    const [nx, ny, nz] = [a * mx + b * my + c * mz, d * mx + e * my + f * mz, g * mx + h * my + i * mz];
    /* The part of the reflected light in the direction of the eye. */
    const lit = nx * lx + ny * ly + nz * lz, mirrored = Math.max(0, lz - 2 * lit * nz);
    vertices.shade[k] = Math.min(250, 22 + 150 * (0.5 + 0.5 * lit) ** 1.3 + 26 * Math.max(0, -nz) + 50 * mirrored ** 22);
  }
}

/* The part of a polygon at more than a given depth. */
function clipped(corners, least) {
  const rest = [];
  corners.forEach((p, k) => {
    const q = corners[(k + 1) % corners.length];
    if (p[2] > least) rest.push(p);
    if (p[2] > least !== q[2] > least) { const w = (least - p[2]) / (q[2] - p[2]); rest.push(p.map((v, i) => (i === 2 ? least * (1 + 1e-9) : v + w * (q[i] - v)))); }
  });
  return rest;
}

/* A pixel is overwritten if its 1/z is larger; 1/z is linear on the screen. */
function fill(p, q, r, id, shades) {
  const { width, height, pixels, depth, object } = raster, k = view.focal * raster.ratio, [cx, cy] = [width / 2, height / 2];
  const ax = cx + (k * p[0]) / p[2], ay = cy - (k * p[1]) / p[2], az = 1 / p[2];
  let bx = cx + (k * q[0]) / q[2], by = cy - (k * q[1]) / q[2], bz = 1 / q[2], bs = q[3];
  let dx = cx + (k * r[0]) / r[2], dy = cy - (k * r[1]) / r[2], dz = 1 / r[2], ds = r[3];
  const area = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax);
  if (!(area < 0)) return;
  let old = bx; bx = dx; dx = old;
  old = by; by = dy; dy = old;
  old = bz; bz = dz; dz = old;
  old = bs; bs = ds; ds = old;
  const x0 = Math.max(0, Math.ceil(Math.min(ax, bx, dx) - 0.5)), x1 = Math.min(width - 1, Math.floor(Math.max(ax, bx, dx) - 0.5));
  const y0 = Math.max(0, Math.ceil(Math.min(ay, by, dy) - 0.5)), y1 = Math.min(height - 1, Math.floor(Math.max(ay, by, dy) - 0.5));
  if (x0 > x1 || y0 > y1) return;
  const ux = bx - ax, uy = by - ay, vx = dx - ax, vy = dy - ay, inverse = -1 / area;
  const zx = ((bz - az) * vy - (dz - az) * uy) * inverse, zy = ((dz - az) * ux - (bz - az) * vx) * inverse;
  const sx = ((bs - p[3]) * vy - (ds - p[3]) * uy) * inverse, sy = ((ds - p[3]) * ux - (bs - p[3]) * vx) * inverse;
  for (let y = y0; y <= y1; y++) {
    const py = y + 0.5;
    let from = x0, to = x1;
    for (let edge = 0; edge < 3; edge++) {
      const ex = edge === 0 ? ax : edge === 1 ? bx : dx, ey = edge === 0 ? ay : edge === 1 ? by : dy;
      const fx = edge === 0 ? bx : edge === 1 ? dx : ax, fy = edge === 0 ? by : edge === 1 ? dy : ay;
      /* Inside the triangle (f − e) × (p − e) ≥ 0. */
      const slope = ey - fy, rest = (fx - ex) * (py - ey) + (fy - ey) * ex;
      if (slope > 0) from = Math.max(from, Math.ceil(-rest / slope - 0.5));
      else if (slope < 0) to = Math.min(to, Math.floor(-rest / slope - 0.5));
      else if (rest < 0) to = -1;
    }
    let z = az + zx * (from + 0.5 - ax) + zy * (py - ay), s = p[3] + sx * (from + 0.5 - ax) + sy * (py - ay);
    for (let i = y * width + from, end = y * width + to; i <= end; i++, z += zx, s += sx) {
      if (z > depth[i]) { depth[i] = z; object[i] = id; pixels[i] = shades[s < 0 ? 0 : s > 255 ? 255 : s | 0]; }
    }
  }
  const b = raster.box;
  if (x0 < b[0]) b[0] = x0;
  if (y0 < b[1]) b[1] = y0;
  if (x1 > b[2]) b[2] = x1;
  if (y1 > b[3]) b[3] = y1;
}

/* Draws edges: around objects, on the side of the nearer one, and weaker ones between groups of an object. The layer is then complete. */
function finishRaster() {
  const { width, height, pixels, depth, object, inks, before, box } = raster, reach = raster.ratio > 1.5 ? 2 : 1;
  const [x0, y0, x1, y1] = [Math.max(reach, box[0]), Math.max(reach, box[1]), Math.min(width - 1 - reach, box[2]), Math.min(height - 1 - reach, box[3])];
  for (let y = y0; y <= y1; y++) {
    for (let i = y * width + x0, end = y * width + x1; i <= end; i++) {
      const own = object[i];
      if (own === 0) continue;
      let isEdge = false, isCrease = false;
      for (let d = 1; d <= reach && !isEdge; d++) {
        for (let side = 0; side < 4; side++) {
          const j = i + (side === 0 ? d : side === 1 ? -d : side === 2 ? d * width : -d * width);
          if (object[j] === own) continue;
          if (object[j] >> 4 === own >> 4) isCrease = isCrease || d === 1;
          else if (depth[j] < depth[i]) { isEdge = true; break; }
        }
      }
      if (isEdge) pixels[i] = inks[own >> 4].edge; else if (isCrease) pixels[i] = inks[own >> 4].crease;
    }
  }
  for (const [left, top, right, bottom] of [before, box]) if (right >= left) layerPen.putImageData(raster.image, 0, 0, left, top, right - left + 1, bottom - top + 1);
}
const drawLayer = () => brush.drawImage(layer, 0, 0, raster.width / raster.ratio, raster.height / raster.ratio);

const pixelAt = ([sx, sy]) => {
  const [x, y] = [Math.floor(sx * raster.ratio), Math.floor(sy * raster.ratio)];
  return x >= 0 && y >= 0 && x < raster.width && y < raster.height ? y * raster.width + x : -1;
};
/* Whether something is nearer than a point at this depth, by more than `slack` metres. */
function isHidden([sx, sy, z], slack) {
  const i = pixelAt([sx, sy]);
  return i >= 0 && raster.depth[i] * (z - slack) > 1;
}
/* The body drawn at a point of the screen; undefined where there is none. */
function ownerAt(at) {
  const i = pixelAt(at);
  return i < 0 || !raster.object[i] ? undefined : raster.owners[raster.object[i] >> 4];
}
