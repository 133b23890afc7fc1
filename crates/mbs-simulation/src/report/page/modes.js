/* Modes: a table from which one is chosen, and the range of frames of its oscillation.
 *
 * data.modes        null for a run, or kind, isUnstable, numbers: frequency [Hz], damping ratio, Re λ and Im λ [1/s]; its frames from first
 *                   to last, which are equal
 */
const modes = data.modes, swing = { index: 0, rows: [] };
const nameOfMode = (k) => (modes[k].numbers[0] > 0 ? `${short(modes[k].numbers[0])} Hz` : modes[k].kind);

/* Traces would show all modes at once. */
if (modes) for (const t of traces) t.isVisible = false;

function addModes() {
  element("modes").hidden = !modes;
  if (!modes) return;
  element("trace-keys").hidden = true;
  document.body.classList.add("of-modes");
  element("hint").textContent = element("hint").textContent.replace(/,? ?R shows or hides reactions/, ", ↑ and ↓ choose a mode").replace(/; click in a plot[^.]*/, "");
  const swings = modes.filter((m) => m.numbers[0] > 0).length;
  element("facts").textContent = `${modes.length} modes, ${swings} of them swing`;
  const growing = modes.filter((m) => m.isUnstable).length;
  element("modes-note").textContent = growing ? `unstable: ${growing} ${growing === 1 ? "mode grows" : "modes grow"}` : "";
  swing.rows = modes.map((m, k) => {
    const row = document.createElement("tr"), head = document.createElement("th"), link = document.createElement("button");
    const [hertz, ratio, re, im] = m.numbers;
    head.scope = "row";
    link.textContent = k + 1;
    link.title = "Show this mode";
    head.append(link);
    row.onclick = () => { chooseMode(k); play(true); };
    const cell = (text) => Object.assign(document.createElement("td"), { textContent: text });
    const lambda = [re === 0 ? "" : short(re), im === 0 ? "" : `${short(im)} i`].filter((part) => part).join(" + ") || "0";
    const damping = Number.isInteger(ratio) ? String(ratio).replace("-", "−") : short(ratio);
    const motion = m.kind + (m.isUnstable ? ", unstable" : "");
    row.append(head, cell(hertz > 0 ? short(hertz) : "–"), cell(hertz > 0 || re !== 0 ? damping : "–"), cell(lambda), cell(motion));
    return row;
  });
  element("modes-body").replaceChildren(...swing.rows);
  chooseMode(Math.max(0, modes.findIndex((m) => m.numbers[0] > 0)));
}

function chooseMode(k) {
  swing.index = Math.min(modes.length - 1, Math.max(0, k));
  const { first, last } = modes[swing.index];
  [player.from, player.to, player.time] = [data.t[first], data.t[last], data.t[first]];
  Object.assign(element("scrub"), { min: first, max: last });
  swing.rows.forEach((row, i) => row.classList.toggle("now", i === swing.index));
  swing.rows[swing.index].scrollIntoView({ block: "nearest" });
  refresh();
}

/* For a mode, the clock shows its number and frequency. */
function showMode() {
  const total = document.createElement("small");
  total.textContent = `  ${nameOfMode(swing.index)}`;
  element("clock").replaceChildren(`mode ${swing.index + 1}`, total);
}
