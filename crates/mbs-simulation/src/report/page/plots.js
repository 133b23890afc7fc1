/* Plots: one card per quantity, drawn once per change of size, data or theme; the cursor is an element on top. */
const cards = [];
const labels = {
  q: "Coordinates", v: "Speeds", a: "Accelerations", lambda: "Multipliers λ", z: "Auxiliary states", u: "Inputs",
  Q: "Generalised forces", output: "Outputs", energy: "Energy [J]", error: "Constraint error", drive: "Loads of drives [N m, N]",
};
const labelOf = (g) => g.label || labels[g.id];
const inset = { left: 58, right: 10, top: 6, bottom: 20 };
const t0 = data.t[0] || 0, t1 = Math.max(data.t[count - 1] || 0, t0 + 1e-12);

const timesOf = (series) => series.t || data.t;
/* Index of the last of ascending times not after t. */
function indexAt(times, t) {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle; else high = middle - 1;
  }
  return low;
}
function valueAt(series, t) {
  const times = timesOf(series), i = indexAt(times, t), j = Math.min(i + 1, times.length - 1);
  const w = times[j] > times[i] ? (t - times[i]) / (times[j] - times[i]) : 0;
  return w === 0 ? series.y[i] : series.y[i] + w * (series.y[j] - series.y[i]);
}
function short(x) {
  if (x === null || !Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  return (size !== 0 && (size < 1e-3 || size >= 1e5) ? x.toExponential(2) : x.toPrecision(4)).replace(/-/g, "−");
}

function addCard(title, groups, { isLog = false, note = "", names = null } = {}) {
  const card = { isLog, groups, note, element: document.createElement("article") };
  card.element.className = "card";
  const head = card.element.appendChild(document.createElement("div"));
  head.className = "head";
  if (groups.length > 1) {
    const select = head.appendChild(document.createElement("select"));
    select.setAttribute("aria-label", "Quantity");
    for (const g of groups) select.add(new Option(labelOf(g), g.id));
    select.value = title;
    const chosen = () => groups.find((g) => g.id === select.value);
    select.onchange = () => { choose(card, chosen()); sizeCard(card); showCursor(card, shownTime()); };
    card.name = () => labelOf(chosen());
  } else {
    head.appendChild(document.createElement("h2")).textContent = title;
    card.name = () => title;
  }
  if (note) head.appendChild(Object.assign(document.createElement("span"), { className: "note", textContent: note }));
  card.head = head;
  card.chips = card.element.appendChild(document.createElement("div"));
  card.chips.className = "chips";
  const plot = card.element.appendChild(document.createElement("div"));
  plot.className = "plot";
  card.canvas = plot.appendChild(document.createElement("canvas"));
  card.canvas.setAttribute("role", "img");
  card.cursor = plot.appendChild(document.createElement("div"));
  card.cursor.className = "cursor";
  card.plot = plot;
  choose(card, groups.find((g) => g.id === title) || groups[0], names);
  listen(card);
  document.getElementById("plots").appendChild(card.element);
  cards.push(card);
}

/* Shows the series of a group, at first at most six. */
function choose(card, { series }, names = null) {
  const chosen = names ? series.filter((s) => names.includes(s.name)) : series;
  card.series = chosen.map((s, k) => ({ ...s, color: s.color || colorOf(k), isVisible: k < 6 }));
  card.canvas.setAttribute("aria-label", `${card.name()} over time`);
  card.chips.replaceChildren();
  card.chips.hidden = false;
  if (card.groups.length === 1 && card.series.length === 1) {
    /* The title names the only line; its value follows it. */
    card.chips.hidden = true;
    card.series[0].value = card.head.appendChild(document.createElement("b"));
    return;
  }
  for (const s of card.series) {
    const chip = card.chips.appendChild(chipFor(s.name, s.color, "line"));
    s.value = chip.appendChild(document.createElement("b"));
    toggle(chip, s, () => { sizeCard(card); showCursor(card, shownTime()); });
  }
}

function chipFor(name, color, kind) {
  const chip = document.createElement("button");
  chip.className = `chip ${kind}`;
  chip.style.setProperty("--chip", color);
  chip.appendChild(document.createElement("i"));
  chip.appendChild(document.createElement("span")).textContent = name;
  return chip;
}
function toggle(chip, item, then) {
  const press = () => chip.setAttribute("aria-pressed", item.isVisible);
  chip.onclick = () => { item.isVisible = !item.isVisible; press(); then(); };
  chip.ondblclick = () => {
    for (const other of chip.parentElement.children) if ((other.getAttribute("aria-pressed") === "true") !== (other === chip)) other.click();
  };
  chip.title = "Click to show or hide, double-click to show alone";
  press();
}

/* Range of the visible values with nice ends: [least, most, ticks]. Logarithms in a log plot. */
function rangeOf(card) {
  let [least, most] = [Infinity, -Infinity];
  for (const s of card.series) {
    if (!s.isVisible) continue;
    for (const y of s.y) {
      if (y === null || (card.isLog && y <= 0)) continue;
      const value = card.isLog ? Math.log10(y) : y;
      least = Math.min(least, value); most = Math.max(most, value);
    }
  }
  if (!(most >= least)) return null;
  if (card.isLog) {
    /* Values below 1e-18 are shown as this bound. */
    least = Math.max(Math.floor(least), Math.min(-18, Math.floor(most)));
    most = Math.max(Math.ceil(most), least + 2);
    const step = Math.max(1, Math.ceil((most - least) / 5));
    return { least, most, ticks: Array.from({ length: Math.floor((most - least) / step) + 1 }, (_, k) => least + k * step), step };
  }
  /* A range without difference in labels of four digits is drawn as constant. */
  const middle = (least + most) / 2, spread = Math.max(most - least, 1e-3 * Math.abs(middle), 1e-300);
  if (most - least < spread) [least, most] = middle === 0 ? [-1, 1] : [middle - spread / 2, middle + spread / 2];
  const step = niceStep((most - least) / 4);
  const [from, to] = [Math.floor(least / step + 1e-9), Math.ceil(most / step - 1e-9)];
  return { least: from * step, most: to * step, step, ticks: Array.from({ length: to - from + 1 }, (_, k) => (from + k) * step) };
}

function tickText(card, tick, step) {
  if (card.isLog) return `1e${tick}`.replace("-", "−");
  if (tick === 0 && step < 1e-4) return "0";
  if (tick !== 0 && (Math.abs(tick) >= 1e5 || step < 1e-4)) {
    const digits = Math.min(8, Math.max(0, Math.floor(Math.log10(Math.abs(tick) / step) + 1e-9)));
    return tick.toExponential(Math.min(digits, 3)).replace(/-/g, "−");
  }
  return tick.toFixed(decimals(step)).replace("-", "−");
}

function sizeCard(card) {
  [card.width, card.height] = resizeCanvas(card.canvas);
  const pen = card.canvas.getContext("2d"), { left, right, top, bottom } = inset;
  const [w, h] = [card.width - left - right, card.height - top - bottom];
  Object.assign(card.cursor.style, { top: `${top}px`, height: `${h}px` });
  pen.clearRect(0, 0, card.width, card.height);
  pen.font = "11px system-ui, sans-serif";
  const range = rangeOf(card);
  if (!range) {
    pen.fillStyle = theme.muted;
    pen.textAlign = "center";
    const isZero = card.series.some((s) => s.isVisible);
    pen.fillText(isZero ? "zero throughout" : "nothing selected", left + w / 2, top + h / 2);
    return;
  }
  const sx = (t) => left + ((t - t0) / (t1 - t0)) * w;
  const sy = (y) => top + h - ((y - range.least) / (range.most - range.least)) * h;
  const rule = (x0, y0, x1, y1, color) => {
    pen.beginPath(); pen.moveTo(x0, y0); pen.lineTo(x1, y1);
    pen.strokeStyle = color; pen.lineWidth = 1; pen.stroke();
  };
  pen.fillStyle = theme.muted;
  pen.textAlign = "right";
  for (const tick of range.ticks) {
    const y = Math.round(sy(tick)) + 0.5;
    rule(left, y, left + w, y, tick === 0 && !card.isLog ? theme.line : theme.grid);
    pen.fillText(tickText(card, tick, range.step), left - 7, y + 3.5);
  }
  const step = niceStep((t1 - t0) / Math.max(2, w / 84));
  pen.textAlign = "center";
  for (let k = Math.ceil(t0 / step - 1e-9); k * step <= t1 + 1e-9 * step; k++) {
    const x = Math.round(sx(k * step)) + 0.5;
    rule(x, top, x, top + h, theme.grid);
    const text = (k * step).toFixed(decimals(step)) + ((k + 1) * step > t1 ? " s" : "");
    pen.fillText(text, Math.min(x, card.width - pen.measureText(text).width / 2), card.height - 5);
  }
  for (const e of happened.list) rule(Math.round(sx(e.t)) + 0.5, top, Math.round(sx(e.t)) + 0.5, top + 5, theme.muted);
  pen.save();
  pen.beginPath();
  pen.rect(left - 1, top - 2, w + 2, h + 4);
  pen.clip();
  pen.lineJoin = "round";
  for (const s of card.series) {
    if (!s.isVisible) continue;
    const times = timesOf(s);
    let isDown = false;
    pen.beginPath();
    s.y.forEach((y, i) => {
      if (y === null) { isDown = false; return; }
      const at = sy(card.isLog ? Math.log10(Math.max(y, 10 ** range.least)) : y);
      if (isDown) pen.lineTo(sx(times[i]), at); else pen.moveTo(sx(times[i]), at);
      isDown = true;
    });
    pen.strokeStyle = s.color;
    pen.lineWidth = 1.6;
    pen.stroke();
  }
  pen.restore();
}

/* Moves the cursor and shows the values there. */
function showCursor(card, t) {
  const w = card.width - inset.left - inset.right;
  card.cursor.style.transform = `translateX(${inset.left + ((t - t0) / (t1 - t0)) * w}px)`;
  for (const s of card.series) if (s.isVisible) s.value.textContent = short(valueAt(s, t));
}

/* Pointing shows a time everywhere, pressing and dragging goes there. */
function listen(card) {
  const timeAt = (event) => {
    const { left, width } = card.plot.getBoundingClientRect();
    const part = (event.clientX - left - inset.left) / (width - inset.left - inset.right);
    return t0 + Math.min(1, Math.max(0, part)) * (t1 - t0);
  };
  card.plot.onpointermove = (event) => (event.buttons ? seek(timeAt(event)) : event.pointerType === "mouse" && preview(timeAt(event)));
  card.plot.onpointerdown = (event) => { card.plot.setPointerCapture(event.pointerId); seek(timeAt(event)); };
  card.plot.onpointerleave = () => preview(null);
}

let reactionCardGroups = [];
function addCards() {
  addAskedPolars();
  /* Outputs have different units, so that each has a card, which the components of a vector share; many outputs share one card. */
  const outputs = group("output").series, families = new Map();
  for (const { name } of outputs) {
    const family = name.replace(/(\.[xyz]|\[\d+\])$/, "");
    families.set(family, [...(families.get(family) || []), name]);
  }
  if (families.size > 6) addCard(labels.output, [group("output")]);
  else for (const [family, names] of families) addCard(family, [group("output")], { names });
  addOrders();
  reactionCardGroups = reactionGroups();
  if (reactionCardGroups.length) addCard(reactionCardGroups[0].id, reactionCardGroups);
  if (group("drive").series.length) addCard(labels.drive, [group("drive")]);
  addOwnPolar();
  const total = group("energy").series.find((s) => s.name === "total");
  if (total && group("energy").series.some((s) => s.y.some((y) => y))) {
    const change = Math.max(...total.y) - Math.min(...total.y);
    addCard(labels.energy, [group("energy")], { note: `total varies by ${short(change)} J` });
  }
  if (group("lambda").series.length) addCard(labels.error, [group("error")], { isLog: true, note: "position max |Φ|, velocity max |ψ|" });
  const rest = ["q", "v", "a", "lambda", "Q", "z", "u"].map(group).filter((g) => g.series.length);
  if (rest.length) addCard("q", rest);
  if (rest.length > 1) addCard("v", rest);
}
