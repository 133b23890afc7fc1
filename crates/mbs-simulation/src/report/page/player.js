/* Playback, controls, and the handle for tests. */
const element = (id) => document.getElementById(id);
const options = new URLSearchParams(location.search);
const player = { time: t0, from: t0, to: t1, isPlaying: false, isLooping: true, speed: 1, preview: null, last: 0 };
/* Speeds below 0.05× exist only for runs that would otherwise last less than three seconds. */
const speeds = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10].filter((s) => s >= 0.05 || (t1 - t0) / s <= 30);

const shownTime = () => (player.preview === null ? player.time : player.preview);
/* Frame at a time, with a fraction between frames. */
function frameAt(t) {
  const i = indexAt(data.t, t);
  return i + 1 < count && t > data.t[i] ? i + (t - data.t[i]) / (data.t[i + 1] - data.t[i]) : i;
}

let isStale = false;
function refresh() {
  if (isStale) return;
  isStale = true;
  requestAnimationFrame(() => { isStale = false; show(); });
}
function show() {
  if (!count) return;
  const t = shownTime(), f = frameAt(t), digits = Math.max(2, Math.min(6, decimals((t1 - t0) / 1000)));
  drawStage(f);
  for (const card of cards) showCursor(card, t);
  for (const card of polars) showPolar(card, f);
  showReactionValues(f);
  showCycle(t);
  showEvents(t);
  element("scrub").value = Math.round(f);
  element("scrub").setAttribute("aria-valuetext", `${t.toFixed(digits)} seconds`);
  if (modes) return showMode();
  const total = document.createElement("small");
  total.textContent = ` / ${t1.toFixed(digits)} s`;
  element("clock").replaceChildren(`t = ${t.toFixed(digits)}`, total);
}

function play(isPlaying) {
  if (isPlaying && player.time >= player.to) player.time = player.from;
  player.isPlaying = isPlaying && count > 1;
  player.last = performance.now();
  element("play").setAttribute("aria-label", player.isPlaying ? "Pause" : "Play");
  element("play-icon").setAttribute("d", player.isPlaying ? "M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z" : "M4 2.5v11l9.5-5.5z");
  if (player.isPlaying) requestAnimationFrame(tick);
}
function tick(now) {
  if (!player.isPlaying) return;
  if (player.preview === null) {
    player.time += (Math.min(100, Math.max(0, now - player.last)) / 1000) * player.speed;
    if (player.time > player.to) {
      player.time = player.isLooping ? player.from : player.to;
      if (!player.isLooping) play(false);
    }
    show();
  }
  player.last = now;
  if (player.isPlaying) requestAnimationFrame(tick);
}
function seek(t) { player.time = t; player.preview = null; refresh(); }
function preview(t) { player.preview = t; refresh(); }
function goTo(frame) {
  play(false);
  const { first, last } = modes ? modes[swing.index] : { first: 0, last: count - 1 };
  seek(data.t[Math.min(last, Math.max(first, Math.round(frame)))]);
}

function resize() {
  readTheme();
  [view.width, view.height] = resizeCanvas(stage);
  if (view.isFitted) fit();
  cards.forEach(sizeCard);
  polars.forEach(drawPolar);
  orderCards.forEach(drawOrders);
  show();
}

function wireControls() {
  element("scrub").max = Math.max(0, count - 1);
  element("scrub").oninput = (event) => seek(data.t[Number(event.target.value)]);
  element("play").onclick = () => play(!player.isPlaying);
  const setLoop = (isLooping) => { player.isLooping = isLooping; element("loop").setAttribute("aria-pressed", isLooping); };
  element("loop").onclick = () => setLoop(!player.isLooping);
  for (const s of speeds) element("speed").add(new Option(`${s}×`, s));
  /* The fastest speed, real time at most, at which the run takes three seconds; faster than real time above a minute. */
  const duration = t1 - t0, slow = speeds.filter((s) => s <= 1 && duration / s >= 3);
  player.speed = duration > 60 ? speeds.find((s) => duration / s <= 60) || 10 : slow.length ? slow[slow.length - 1] : speeds[0];
  if (modes) player.speed = 1;
  element("speed").value = player.speed;
  element("speed").onchange = (event) => { player.speed = Number(event.target.value); };
  const own = keysOfStage();
  document.onkeydown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
    const f = Math.round(frameAt(player.time));
    const isScrub = event.target.type === "range", isButton = event.target.tagName === "BUTTON";
    const actions = {
      " ": () => play(!player.isPlaying), ArrowLeft: () => goTo(f - 1), ArrowRight: () => goTo(f + 1), Home: () => goTo(0),
      End: () => goTo(count - 1), ...(modes && { ArrowUp: () => chooseMode(swing.index - 1), ArrowDown: () => chooseMode(swing.index + 1) }), f: () => { fit(); refresh(); }, l: () => setLoop(!player.isLooping),
      r: toggleReactions,
      "+": () => element("zoom-in").click(), "-": () => element("zoom-out").click(), ...own,
    };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = (event.shiftKey && actions[`Shift+${key}`]) || actions[key];
    if (!action || (isButton && event.key === " ") || (isScrub && event.key.length > 1)) return;
    event.preventDefault();
    action();
  };
}

function addKeys() {
  for (const s of shapes) {
    const chip = element("bodies").appendChild(chipFor(bodies[s.body].name, s.color, ""));
    toggle(chip, s, refresh);
  }
  for (const t of traces) {
    const chip = element("traces").appendChild(chipFor(t.name, t.color, "line"));
    toggle(chip, t, refresh);
  }
  element("trace-keys").hidden = !traces.length;
  const thinned = data.frames ? ` (${count} shown)` : "";
  const facts = [data.mechanism, `${short(t1 - t0)} s`, `${data.rows} rows${thinned}`];
  if (data.steps) facts.push(`${data.steps} steps, ${data.evaluations} evaluations`);
  element("facts").textContent = facts.filter((fact) => fact && fact !== data.title).join(" · ");
}

/* frame(i) shows a frame, paused; positions(i) gives {name: [x, y]} of the markers in world units, as drawn at frame i, and
 * reactions(i) likewise {name: [x, y of the point, x, y of the force, moment]}; in space three numbers each. */
window.mbs = {
  frame(i) { goTo(i); show(); return player.time; },
  positions(i) {
    window.mbs.frame(i);
    return Object.fromEntries(markers.map((m, k) => [m.name, toWorld(drawn[k])]));
  },
  reactions(i) {
    window.mbs.frame(i);
    return Object.fromEntries(reactionsDrawn().map(([name, ...parts]) => [name, parts]));
  },
  row: (i) => (data.frames ? data.frames[i] : i),
  frames: count,
};

/* ?check=N writes the row of frame N, what is drawn, and positions of markers, reactions and contacts as drawn, one per line, for `.ci/page`. */
function check(frame) {
  const lines = Object.entries(window.mbs.positions(frame)).map(([name, place]) => [name, ...place].join("\t"));
  const parts = joints.map((j) => `${j.kind}\t${j.name}`).concat(springs.map((s) => `spring\t${s.name}`));
  const loads = Object.entries(window.mbs.reactions(frame)).map(([name, parts]) => ["reaction", name, ...parts].join("\t"));
  const solids = solidsDrawn().map(([name, ...place]) => ["solid", name, ...place].join("\t"));
  const contacts = contactsDrawn().map((contact) => ["contact", ...contact].join("\t"));
  const text = [`row\t${window.mbs.row(frame)}`, ...parts, ...lines, ...loads, ...contacts, ...solids, "end"].join("\n");
  document.body.appendChild(Object.assign(document.createElement("pre"), { id: "check", textContent: text }));
}

if (options.has("theme")) document.documentElement.dataset.theme = options.get("theme");
addCards();
addKeys();
addReactionKeys();
if (options.has("values")) element("values").click();
addCycle();
addEvents();
wireStage();
wireControls();
addModes();
if (modes && options.has("mode")) chooseMode(Number(options.get("mode")) - 1);
const opened = options.get("frame") ?? (location.hash.match(/^#frame=(\d+)$/) || [])[1];
resize();
new ResizeObserver(resize).observe(document.getElementById("frame-of-stage"));
window.addEventListener("resize", resize);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", resize);
window.addEventListener("hashchange", () => { const m = location.hash.match(/^#frame=(\d+)$/); if (m) goTo(Number(m[1])); });
if (options.has("check")) check(Number(options.get("check")));
else if (opened !== undefined && opened !== null) window.mbs.frame(Number(opened));
else if (!matchMedia("(prefers-reduced-motion: reduce)").matches) play(true);
