/* Chips of the reactions with the forces at the shown time, the bodies that they act on, and their size; the legend of the arrows. */

/* The length of the arrow of a round number of newtons, and likewise for a moment. */
function drawLegend(visible, k) {
  const parts = [];
  if (visible.some(hasForce)) {
    const newtons = niceStep(34 / k), length = newtons * k;
    parts.push({ width: length, text: round(newtons, "N"), draw: (x, y) => drawArrow([x, y], [x + length, y], theme.ink) });
  }
  if (visible.some(hasMoment)) {
    const moment = niceStep(0.45 * largestMoment);
    parts.push({ width: 18, text: round(moment, "N m"), draw: (x, y) => drawArc([x + 9, y], 9, sweepOf(moment), theme.ink) });
  }
  brush.font = "12px system-ui, sans-serif";
  for (const p of parts) p.full = p.width + 7 + brush.measureText(p.text).width;
  const total = parts.reduce((sum, p) => sum + p.full + 16, -16), y = view.height - 40;
  let x = view.width - 16 - total;
  brush.globalAlpha = 0.85;
  brush.beginPath();
  brush.roundRect(x - 10, y - 16, total + 20, 32, 7);
  brush.fillStyle = theme.surface;
  brush.fill();
  brush.globalAlpha = 1;
  for (const p of parts) {
    p.draw(x, y);
    brush.font = "12px system-ui, sans-serif";
    brush.fillStyle = theme.ink;
    brush.fillText(p.text, x + p.width + 7, y + 4);
    x += p.full + 16;
  }
}
/* A round number without trailing digits. */
const round = (x, unit, largest) => amount(x, unit, largest).replace(/\.0+ /, " ").replace(/(\.\d*?)0+ /, "$1 ");

function addReactionKeys() {
  element("reaction-keys").hidden = !reactions.length;
  for (const r of reactions) {
    const chip = element("reactions").appendChild(chipFor(r.name, r.color, "arrow"));
    r.value = chip.appendChild(document.createElement("b"));
    toggle(chip, r, refitted);
    r.chip = chip;
  }
  element("side").onchange = (event) => { side.sign = Number(event.target.value); turnReactions(); };
  element("arrow-size").oninput = (event) => { arrows.size = 2 ** Number(event.target.value); refitted(); };
  element("values").onclick = () => {
    arrows.hasValues = !arrows.hasValues;
    element("values").setAttribute("aria-pressed", arrows.hasValues);
    refresh();
  };
  explainReactions();
}
const refitted = () => { if (view.isFitted) fit(); refresh(); };
function toggleReactions() {
  const isVisible = !reactions.some((r) => r.isVisible);
  for (const r of reactions) if (r.isVisible !== isVisible) r.chip.click();
}
function explainReactions() {
  const told = reactions.find((r) => r.ends.every((b) => typeof b === "number")) || reactions.find((r) => r.ends[1] !== undefined);
  const end = side.sign > 0 ? ["second", "first"] : ["first", "second"];
  const example = told ? ` (${told.name}: ${exerter(told, side.sign)} on ${receiver(told, side.sign)})` : "";
  element("convention").textContent = `What joints exert on the bodies of their ${end[0]} ends${example}; those of their ${end[1]} ends get the opposite.`;
  for (const r of reactions) r.chip.title = `What ${exerter(r, side.sign)} exerts on ${receiver(r, side.sign)}. Click to show or hide, double-click to show alone`;
}
function turnReactions() {
  for (const y of new Set(reactionCardGroups.flatMap((g) => g.series.filter((s) => s.isSigned).map((s) => s.y)))) y.forEach((v, i) => { if (v !== null) y[i] = -v; });
  explainReactions();
  cards.forEach(sizeCard);
  refitted();
}
function showReactionValues(f) {
  for (const r of reactions) {
    if (!r.isVisible) continue;
    const parts = [];
    if (hasForce(r)) parts.push(amount(Math.hypot(...r.forces.map((part) => between(part, f))), "N"));
    if (hasMoment(r)) parts.push(amount(shownMoment(r, f), "N m"));
    r.value.textContent = parts.join(", ");
  }
}
