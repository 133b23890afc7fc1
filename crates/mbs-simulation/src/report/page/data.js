/* Data of the mechanism from the recording.
 *
 * data.t            times of the frames; data.frames their rows in the recording, if it was thinned
 * data.planar       whether all motion is in the plane z = 0
 * data.bodies       name, angle[] in the plane, position[] and attitude[] in space: 3 and 4 numbers per frame
 * data.markers      name, body (null is ground), x[], y[] and, in space, z[] per frame; `b` is the origin of body b, `b.com` its centre of
 *                   mass, `j.first` and `j.second` are ends of element j, other names are declared
 * data.joints       name, kind (pin, slide, slot, rod, weld, free, or "" if names do not determine it), ends: two indices of
 *                   markers, first end first, or null
 * data.forces       name, ends of springs and cables, kind "cable" of those
 * data.groups       id (symbol), series: name, y[] per frame, or with separate times t[]
 * data.up, solids   only in space: see `space/model.js`
 *
 * `reactions.js` has data.reactions and data.shown, `cycle.js` data.cycle, `orders.js` data.orders, `events.js` data.events, `curves.js` data.curves,
 * `modes.js` data.modes.
 */
const data = JSON.parse(document.getElementById("data").textContent);
const count = data.t.length;
const bodies = data.bodies, markers = data.markers;
const group = (id) => data.groups.find((g) => g.id === id) || { id, series: [] };

const palette = ["#4269d0", "#e0931a", "#e5533d", "#27a58c", "#9a57e0", "#3c9a4b", "#e06a9f", "#8a6445", "#5f8fd9", "#7f8790"];
const colorOf = (i) => palette[i % palette.length];

/* At most 60 frames, for examining relations between markers. */
const samples = Array.from({ length: Math.min(count, 60) }, (_, k) => Math.round((k * (count - 1)) / Math.max(1, Math.min(count, 60) - 1)));

for (const [k, m] of markers.entries()) {
  const [, element, end] = m.name.match(/^(.*)\.(com|first|second)$/) || [null, m.name, ""];
  Object.assign(m, { index: k, element, end, isCom: end === "com", isForce: end !== "com" && end !== "" && data.forces.some((f) => f.name === element) });
}

/* Joints and springs with the markers they connect: as recorded, or inferred if the mechanism does not state ends. */
const isTold = data.joints.concat(data.forces).some((c) => c.ends);
const connected = (list) => list.filter((c) => c.ends).map((c) => ({ name: c.name, kind: c.kind, first: markers[c.ends[0]], second: markers[c.ends[1]] }));
/* Springs whose ends are known only by their names. */
function inferredSprings() {
  const partner = (m) => markers.find((n) => n.element === m.element && n.end === "first");
  return markers.filter((m) => m.isForce && m.end === "second" && partner(m)).map((second) => ({ name: second.element, first: partner(second), second }));
}
