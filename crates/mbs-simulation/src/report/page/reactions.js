/* Reactions: force and moment of a joint on the body of its second end, at a point; those on the body of its first end are opposite.
 *
 * data.reactions    one per joint, none without loads: name, the marker `at` whose position is that of the point, or px[], py[], pz[]; its
 *                   parts x[], y[], torque[] (in space z[] and "torque.x"[], … too) per frame, if the recording was thinned: else they
 *                   are the series of group "reaction"
 * data.shown        the initial choice: indices of markers in `traces`, of joints in `reactions` (null: as is
 *                   sensible); polar plots as { joint, axes (a body, null is ground), sign (-1: on the first end) }
 */
const side = { sign: 1 };
const reactionSeries = new Map(group("reaction").series.map((s) => [s.name, s]));
const largestOf = (values) => values.reduce((most, v) => Math.max(most, Math.abs(v || 0)), 0);

const forceParts = data.up ? ["x", "y", "z"] : ["x", "y"];
const momentParts = data.up ? ["torque.x", "torque.y", "torque.z"] : ["torque"];
/* √ of the sum of squares, frame by frame; for a single component its value, with its sign. */
const normsOf = (parts) => (parts.length === 1 ? parts[0] : parts[0].map((_, i) => Math.hypot(...parts.map((part) => part[i] || 0))));

const allReactions = data.reactions.map((r, index) => {
  const [forces, torques] = [forceParts, momentParts].map((parts) => parts.map((part) => r[part] || reactionSeries.get(`${r.name}.${part}`).y));
  const ends = data.joints[index].ends, body = (k) => (ends ? markers[ends[k]].body : undefined);
  const magnitude = normsOf(forces), torque = normsOf(torques);
  return {
    index, name: r.name, point: r.at === undefined ? { x: r.px, y: r.py, z: r.pz } : markers[r.at], forces, torques, magnitude, torque,
    ends: [body(0), body(1)], force: largestOf(magnitude), moment: largestOf(torque), isVisible: false,
  };
});
const largestForce = Math.max(0, ...allReactions.map((r) => r.force));
const largestMoment = Math.max(0, ...allReactions.map((r) => r.moment));
/* Values below are round-off, or components in directions in which the joint is free. */
const hasForce = (r) => r.force > 1e-9 * largestForce;
const hasMoment = (r) => r.moment > 1e-9 * Math.max(largestMoment, largestForce * box.size);
const reactions = allReactions.filter((r) => hasForce(r) || hasMoment(r));
for (const r of reactions) r.isVisible = data.shown.reactions ? data.shown.reactions.includes(r.index) : reactions.length <= 8;

/* The colour of the body on which it acts, or, if another joint has that colour, the next one that no body has. */
for (const [k, r] of reactions.entries()) {
  const taken = reactions.slice(0, k).map((o) => o.color), own = Number.isInteger(r.ends[1]) ? colorOf(r.ends[1]) : null;
  const free = palette.slice(bodies.length % palette.length).concat(palette).find((c) => !taken.includes(c));
  r.color = own && !taken.includes(own) ? own : free || colorOf(k);
}

/* Names of the bodies at the ends: the body that exerts the reaction, and the one on which it acts. */
const nameOf = (body, otherwise) => (body === undefined ? otherwise : body === null ? "ground" : bodies[body].name);
const receiver = (r, sign) => nameOf(r.ends[sign > 0 ? 1 : 0], sign > 0 ? "second end" : "first end");
const exerter = (r, sign) => nameOf(r.ends[sign > 0 ? 0 : 1], sign > 0 ? "first end" : "second end");

/* A value at frame f, which may lie between two frames. */
function between(values, f) {
  const i = Math.min(Math.floor(f), count - 1), w = f - i;
  return w === 0 || i + 1 >= count ? values[i] || 0 : (1 - w) * (values[i] || 0) + w * (values[i + 1] || 0);
}

/* The moment with its sign in the plane, its magnitude in space. */
const shownMoment = (r, f) => (momentParts.length === 1 ? side.sign * between(r.torque, f) : Math.hypot(...r.torques.map((part) => between(part, f))));

/* Three digits with a prefix, that of the value or of a larger one: 12.3 N, 1.23 kN. */
function amount(x, unit, largest = x) {
  const size = Math.abs(x), prefixes = [["M", 1e6], ["k", 1e3], ["", 1], ["m", 1e-3], ["µ", 1e-6]];
  if (!Number.isFinite(x)) return "–";
  if (size < 5e-10) return `0 ${unit}`;
  const [prefix, factor] = prefixes.find(([, f]) => Math.abs(largest) >= 0.9995 * f) || prefixes[4];
  const digits = Math.max(0, 2 - Math.floor(Math.log10(size / factor) + 2.2e-4));
  return `${(x / factor).toFixed(Math.min(digits, 6)).replace("-", "−")} ${prefix}${unit}`;
}

/* Groups of series for a card of plots; the values are copies, so that they can change their sign with `side`. */
function reactionGroups() {
  const series = (r, part, name) => {
    const recorded = reactionSeries.get(`${r.name}.${part}`) || { y: r.magnitude };
    return { name, y: recorded.y.slice(), t: recorded.t, color: r.color, isSigned: part !== "magnitude" };
  };
  const every = (part, label, list) => ({ id: part, label, series: list.map((r) => series(r, part, r.name)) });
  const forces = reactions.filter(hasForce), moments = reactions.filter(hasMoment);
  const one = (r) => ({ id: `joint ${r.index}`, label: `${r.name} [N]`, series: [...forceParts, "magnitude"].map((part) => ({ ...series(r, part, part), color: null })) });
  const axis = (part) => (part === "torque" ? "" : `, ${part.replace("torque.", "")}`);
  return [
    every("magnitude", "Reaction forces [N]", forces), ...forceParts.map((part) => every(part, `Reaction forces, ${part} [N]`, forces)),
    ...momentParts.map((part) => every(part, `Reaction moments${axis(part)} [N m]`, moments)), ...forces.map(one),
  ].filter((g) => g.series.length);
}
