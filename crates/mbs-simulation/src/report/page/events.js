/* Events of the run: a table, and marks in the plots.
 *
 * data.events       null, or count; stop: the name of the event that ended the run, or null; list: the first of them, each with name, t,
 *                   impulses: [name of the condition, impulse]
 */
const happened = { list: data.events ? data.events.list : [], rows: [] };

function addEvents() {
  element("events").hidden = !data.events;
  if (!data.events) return;
  const { count: total, stop } = data.events, { list } = happened;
  const link = Object.assign(document.createElement("a"), { textContent: `${total} ${total === 1 ? "event" : "events"}` });
  link.href = "#events";
  element("facts").append(" · ", link);
  const parts = [list.length < total ? `the first ${list.length} of ${total}` : `${total}`];
  if (stop !== null) parts.push(`ended by ${stop}`);
  element("events-note").textContent = parts.join(", ");
  const hasImpulses = list.some((e) => e.impulses.length);
  element("impulse-head").hidden = !hasImpulses;
  happened.rows = list.map((e) => {
    const row = document.createElement("tr"), first = document.createElement("th"), link = document.createElement("button");
    first.scope = "row";
    link.textContent = e.t.toPrecision(6);
    link.title = "Go to this time";
    link.onclick = () => { play(false); seek(e.t); };
    first.append(link);
    const cell = (text) => Object.assign(document.createElement("td"), { textContent: text });
    row.append(first, cell(e.name));
    if (hasImpulses) row.append(cell(e.impulses.map(([name, p]) => `${name} ${short(p)}`).join(", ")));
    return row;
  });
  element("events-body").replaceChildren(...happened.rows);
}

/* Marks the last event not after t. */
function showEvents(t) {
  if (!happened.rows.length) return;
  const last = t < happened.list[0].t ? -1 : indexAt(happened.list.map((e) => e.t), t);
  happened.rows.forEach((row, k) => row.classList.toggle("now", k === last));
}
