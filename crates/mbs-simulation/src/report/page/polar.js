/* Polar plots of forces: the curve of the run in world axes or in those of a body, and the force at the time shown. */
const polars = [];

/* The curve in the chosen axes; for a force in space two components are shown. */
function polarCurve({ reaction, axes, sign, plane }) {
  return reaction.magnitude.map((_, i) => {
    const force = reaction.forces.map((part) => part[i]);
    if (force.some((x) => x === null)) return null;
    const turned = inAxesOf(axes, force, i);
    return plane.map((k) => sign * turned[k]);
  });
}

const planes = [["x, y", [0, 1]], ["y, z", [1, 2]], ["z, x", [2, 0]]];
/* The plane in which a force varies most: without the axis of the component that varies least. */
function bestPlane({ reaction, axes }) {
  if (forceParts.length < 3) return 0;
  const turned = reaction.magnitude.map((_, i) => inAxesOf(axes, reaction.forces.map((part) => part[i] || 0), i));
  const size = (k) => turned.reduce((sum, f) => sum + f[k] * f[k], 0), sizes = [size(2), size(0), size(1)];
  return sizes.indexOf(Math.min(...sizes));
}

function addPolar(reaction, axes, sign) {
  const best = bestPlane({ reaction, axes });
  const card = { reaction, axes, sign, plane: planes[best][1], element: document.createElement("article"), layers: [] };
  card.element.className = "card polar";
  const head = card.element.appendChild(document.createElement("div"));
  head.className = "head";
  const choice = (label, options, value, then) => {
    const select = head.appendChild(document.createElement("select"));
    select.setAttribute("aria-label", label);
    const fill = (list, chosen) => { select.replaceChildren(...list.map(([text, v]) => new Option(text, v))); select.value = chosen; };
    fill(options, value);
    select.onchange = () => { then(select.value); drawPolar(card); showPolar(card, frameAt(shownTime())); };
    return fill;
  };
  const ends = () => [1, -1].map((s) => [`on ${receiver(card.reaction, s)}`, s]);
  const forces = reactions.filter(hasForce);
  choice("Joint", forces.map((r) => [r.name, r.index]), reaction.index, (v) => { card.reaction = allReactions[v]; fillEnds(ends(), card.sign); });
  const fillEnds = choice("Acting on", ends(), sign, (v) => { card.sign = Number(v); });
  choice("Axes", [["in world axes", ""], ...bodies.map((b, k) => [`in axes of ${b.name}`, k])], axes === null ? "" : axes, (v) => { card.axes = v === "" ? null : Number(v); });
  if (forceParts.length > 2) choice("Plane", planes.map(([name], k) => [name, k]), best, (v) => { card.plane = planes[v][1]; });
  const values = card.element.appendChild(document.createElement("p"));
  card.value = values.appendChild(document.createElement("b"));
  card.note = values.appendChild(document.createElement("span"));
  card.note.className = "note";
  card.plot = card.element.appendChild(document.createElement("div"));
  card.plot.className = "plot";
  for (const isTop of [false, true]) {
    const canvas = card.plot.appendChild(document.createElement("canvas"));
    canvas.setAttribute(isTop ? "aria-hidden" : "role", isTop ? "true" : "img");
    card.layers.push(canvas);
  }
  document.getElementById("plots").appendChild(card.element);
  polars.push(card);
}

const heading = ([x, y]) => { const d = (Math.atan2(y, x) * 180) / Math.PI; return `${((Math.round(d) + 360) % 360)}°`; };

function drawPolar(card) {
  const canvas = card.layers[0], [width, height] = resizeCanvas(canvas), pen = canvas.getContext("2d");
  resizeCanvas(card.layers[1]);
  card.curve = polarCurve(card);
  const points = card.curve.filter(Boolean), far = points.reduce((a, p) => (Math.hypot(...p) > Math.hypot(...a) ? p : a), [0, 0]);
  const title = `${card.reaction.name} on ${receiver(card.reaction, card.sign)}`;
  canvas.setAttribute("aria-label", `Polar plot of the force of ${title}, at most ${amount(Math.hypot(...far), "N")} at ${heading(far)}`);
  card.note.textContent = `max ${amount(Math.hypot(...far), "N")} at ${heading(far)}`;
  const [xs, ys] = [0, 1].map((k) => points.map((p) => p[k]).concat(0));
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  /* The height is at least a fifth of the width, so that the plot of a force of constant direction has an area. */
  const size = Math.max(x1 - x0, y1 - y0) || 1, margin = 26;
  const scale = Math.min((width - 2 * margin) / Math.max(x1 - x0, 0.2 * size), (height - 2 * margin) / Math.max(y1 - y0, 0.2 * size));
  const origin = [width / 2 - (scale * (x0 + x1)) / 2, height / 2 + (scale * (y0 + y1)) / 2];
  card.place = ([x, y]) => [origin[0] + scale * x, origin[1] - scale * y];
  pen.clearRect(0, 0, width, height);
  const grid = drawPolarGrid(pen, origin, scale, width, height);
  pen.beginPath();
  let isDown = false;
  for (const p of card.curve) {
    if (p) { if (isDown) pen.lineTo(...card.place(p)); else pen.moveTo(...card.place(p)); }
    isDown = Boolean(p);
  }
  pen.lineJoin = "round";
  pen.strokeStyle = card.reaction.color;
  pen.lineWidth = 1.8;
  pen.stroke();
  const at = card.place(far);
  pen.beginPath();
  pen.arc(at[0], at[1], 3.4, 0, 2 * Math.PI);
  pen.fillStyle = theme.surface;
  pen.fill();
  pen.stroke();
  for (const label of grid) polarLabel(pen, ...label);
}

/* Circles of equal force around the origin, and rays every 30°. Returns their labels, which are drawn on top: [text, x, y]. */
function drawPolarGrid(pen, [ox, oy], scale, width, height) {
  const step = niceStep(44 / scale), corners = [0, width].flatMap((x) => [0, height].map((y) => Math.hypot(x - ox, y - oy)));
  pen.lineWidth = 1;
  pen.font = "11px system-ui, sans-serif";
  /* Labels of circles are on the ray with the most room. */
  const rooms = [[width - ox, 1, 0], [oy, 0, -1], [ox, -1, 0], [height - oy, 0, 1]].sort((a, b) => b[0] - a[0]);
  const [room, ux, uy] = rooms[0], labels = [], texts = [];
  for (let k = 1; k * step * scale < Math.max(...corners); k++) {
    pen.beginPath();
    pen.arc(ox, oy, k * step * scale, 0, 2 * Math.PI);
    pen.strokeStyle = theme.line;
    pen.stroke();
    if (k * step * scale < room - 50) labels.push(k);
  }
  for (let d = 0; d < 360; d += 30) {
    const [c, s] = [Math.cos((d * Math.PI) / 180), -Math.sin((d * Math.PI) / 180)];
    const reach = Math.min(c > 1e-9 ? (width - ox) / c : c < -1e-9 ? -ox / c : Infinity, s > 1e-9 ? (height - oy) / s : s < -1e-9 ? -oy / s : Infinity);
    pen.beginPath();
    pen.moveTo(ox, oy);
    pen.lineTo(ox + reach * c, oy + reach * s);
    pen.strokeStyle = d % 90 ? theme.grid : theme.line;
    pen.stroke();
    const x = Math.min(width - 16, Math.max(16, ox + (reach - 14) * c)), y = Math.min(height - 4, Math.max(12, oy + (reach - 9) * s + 4));
    if (reach > 60) texts.push([`${d}°`, x, y]);
  }
  return texts.concat(labels.map((k) => [round(k * step, "N", step * labels.length), ox + k * step * scale * ux, oy + k * step * scale * uy + 4]));
}
function polarLabel(pen, text, x, y) {
  pen.textAlign = "center";
  pen.lineJoin = "round";
  pen.lineWidth = 3;
  pen.strokeStyle = theme.surface;
  pen.strokeText(text, x, y);
  pen.lineWidth = 1;
  pen.fillStyle = theme.muted;
  pen.fillText(text, x, y);
}

/* The force at frame f, as an arrow from the origin. */
function showPolar(card, f) {
  const canvas = card.layers[1], pen = canvas.getContext("2d");
  pen.clearRect(0, 0, canvas.width, canvas.height);
  const i = Math.floor(f), w = f - i, a = card.curve[i], b = card.curve[Math.min(i + 1, count - 1)];
  if (!a || !b) { card.value.textContent = "–"; return; }
  const force = [a[0] + w * (b[0] - a[0]), a[1] + w * (b[1] - a[1])];
  card.value.textContent = `${amount(Math.hypot(...force), "N")} at ${heading(force)}`;
  const [tail, tip] = [card.place([0, 0]), card.place(force)], turn = Math.atan2(tip[1] - tail[1], tip[0] - tail[0]);
  const length = Math.hypot(tip[0] - tail[0], tip[1] - tail[1]), size = Math.min(10, 0.7 * length);
  pen.strokeStyle = pen.fillStyle = mix(card.reaction.color, theme.ink, 0.6);
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(...tail);
  pen.lineTo(tip[0] - 0.8 * size * Math.cos(turn), tip[1] - 0.8 * size * Math.sin(turn));
  pen.stroke();
  pen.beginPath();
  pen.moveTo(...tip);
  for (const edge of [-0.4, 0.4]) pen.lineTo(tip[0] - size * Math.cos(turn + edge), tip[1] - size * Math.sin(turn + edge));
  pen.fill();
  pen.beginPath();
  pen.arc(tail[0], tail[1], 2.5, 0, 2 * Math.PI);
  pen.fill();
}

/* Requested plots come first; else there is the pin between the first two moving bodies, with the force on the first body in its axes: the rotating
 * load on the journal of a crank. */
function addAskedPolars() {
  for (const p of data.shown.polar) addPolar(allReactions[p.joint], p.axes, p.sign);
}
function addOwnPolar() {
  const kindOf = (r) => data.joints[r.index].kind;
  const pin = reactions.find((r) => hasForce(r) && kindOf(r) === "pin" && r.ends.every((b) => typeof b === "number"));
  const other = reactions.find(hasForce);
  if (data.shown.polar.length || !other) return;
  if (pin) addPolar(pin, pin.ends[0], -1); else addPolar(other, null, 1);
}
