/* The table of a cycle.
 *
 * data.cycle        null, or angle: its name; isChosen: by the user; degrees[], t[] of the rows; columns: name, y[] per row,
 *                   summary: [minimum, maximum, mean, rms] over the cycle
 */
const cycle = { table: data.cycle, every: 1, rows: [] };

/* Heading and unit, by the name: [name, quantity]. */
function headingOf(name) {
  const [, kind, rest] = name.match(/^(output|drive|reaction|q|v|a|u|energy)\.(.*)$/) || [null, "", name];
  if (kind === "drive") return [rest, "load"];
  const part = kind === "reaction" && rest.match(/^(.*?)\.(magnitude|torque\.[xyz]|[xyz]|torque)$/);
  if (part) return [part[1], part[2] === "magnitude" ? "|F| [N]" : part[2].startsWith("torque") ? `M${part[2].slice(6).replace(".", " ")} [N m]` : `F ${part[2]} [N]`];
  return [rest, { q: "coordinate", v: "speed", a: "acceleration", u: "input", energy: "energy [J]" }[kind] || ""];
}

function addCycle() {
  const table = cycle.table;
  element("cycle").hidden = !table;
  if (!table) return;
  const limits = { output: 5, drive: 2, reaction: 4 }, counts = {};
  table.columns.forEach((c, k) => {
    const kind = c.name.split(".")[0];
    counts[kind] = (counts[kind] || 0) + 1;
    [c.head, c.what] = headingOf(c.name);
    Object.assign(c, { isVisible: table.isChosen || counts[kind] <= (limits[kind] || 0), color: colorOf(k) });
  });
  const times = table.t.slice().sort((a, b) => a - b);
  const link = Object.assign(document.createElement("a"), { textContent: "Table of the turn" });
  link.href = "#cycle";
  element("facts").append(" · ", link);
  element("cycle-note").textContent = `${table.angle.replace(/^q\./, "")}, t = ${short(times[0])} … ${short(times[times.length - 1])} s`;
  for (const c of table.columns) {
    const chip = element("columns").appendChild(chipFor([c.head, c.what].filter(Boolean).join(" "), c.color, "plain"));
    toggle(chip, c, fillCycle);
  }
  const rows = table.degrees.length;
  element("rows").hidden = rows < 13 || rows % 2 === 0;
  const step = Math.abs(table.degrees[1] - table.degrees[0]);
  for (const every of [1, 2]) element("every").add(new Option(`every ${short(every * step)}°`.replace(/\.0+°/, "°"), every));
  element("every").onchange = (event) => { cycle.every = Number(event.target.value); fillCycle(); };
  element("copy").onclick = copyCycle;
  fillCycle();
}

/* Five digits, but for values that are small compared to the largest of their column only the decimals that this one has. */
function cellText(x, column) {
  if (x === null || !Number.isFinite(x)) return "–";
  const largest = Math.max(Math.abs(column.summary[0]), Math.abs(column.summary[1]));
  if (largest === 0) return "0";
  if (largest < 1e-3 || largest >= 1e6) return x.toExponential(3).replace(/-/g, "−");
  return x.toFixed(Math.max(0, 4 - Math.floor(Math.log10(largest)))).replace(/^-(?=0\.?0*$)/, "").replace("-", "−");
}
const shownRows = () => cycle.table.degrees.map((d, k) => k).filter((k) => k % cycle.every === 0);
const angleText = (d) => `${Number(d.toFixed(2))}°`.replace("-", "−");

function fillCycle() {
  const table = cycle.table, columns = table.columns.filter((c) => c.isVisible), make = (tag, text, scope) => {
    const cell = Object.assign(document.createElement(tag), { textContent: text });
    if (scope) cell.scope = scope;
    return cell;
  };
  const heads = document.createElement("tr");
  heads.append(make("th", "angle", "col"), ...columns.map((c) => {
    const cell = make("th", c.head, "col");
    if (c.what) cell.append(make("small", c.what));
    return cell;
  }));
  element("cycle-head").replaceChildren(heads);
  cycle.rows = shownRows().map((k) => {
    const row = document.createElement("tr"), first = make("th", "", "row"), link = make("button", angleText(table.degrees[k]));
    link.title = "Go to this time";
    link.onclick = () => { play(false); seek(table.t[k]); };
    first.append(link);
    row.append(first, ...columns.map((c) => make("td", cellText(c.y[k], c))));
    return { row, t: table.t[k] };
  });
  element("cycle-body").replaceChildren(...cycle.rows.map((r) => r.row));
  element("cycle-foot").replaceChildren(...["min", "max", "mean", "rms"].map((name, j) => {
    const row = document.createElement("tr");
    row.append(make("th", name, "row"), ...columns.map((c) => make("td", cellText(c.summary[j], c))));
    return row;
  }));
  showCycle(shownTime());
}

/* Marks the row with the nearest time, if the time is within the cycle. */
function showCycle(t) {
  if (!cycle.rows.length) return;
  const times = cycle.rows.map((r) => r.t), spacing = (Math.max(...times) - Math.min(...times)) / cycle.rows.length;
  let nearest = 0;
  times.forEach((time, k) => { if (Math.abs(time - t) < Math.abs(times[nearest] - t)) nearest = k; });
  const isIn = Math.abs(times[nearest] - t) <= spacing;
  cycle.rows.forEach((r, k) => r.row.classList.toggle("now", isIn && k === nearest));
}

/* All digits, separated by tabs, for spreadsheets. */
function cycleText() {
  const table = cycle.table, columns = table.columns.filter((c) => c.isVisible), cell = (x) => (x === null ? "" : String(x));
  const lines = [["angle [deg]", "t [s]", ...columns.map((c) => c.name)]];
  for (const k of shownRows()) lines.push([Number(table.degrees[k].toFixed(9)), table.t[k], ...columns.map((c) => c.y[k])].map(cell));
  ["min", "max", "mean", "rms"].forEach((name, j) => lines.push([name, "", ...columns.map((c) => cell(c.summary[j]))]));
  return lines.map((l) => l.join("\t")).join("\n");
}
async function copyCycle() {
  const text = cycleText(), button = element("copy"), label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    /* For pages from files, which may not write to the clipboard. */
    const area = document.body.appendChild(Object.assign(document.createElement("textarea"), { value: text, className: "hidden" }));
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = label; }, 1500);
}
