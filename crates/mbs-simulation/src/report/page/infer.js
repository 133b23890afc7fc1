/* Inference of joints whose ends the mechanism does not state: from names, and from markers with equal positions. */
function inferredJoints() {
  const rows = group("lambda").series.map((s) => s.name), coordinates = group("q").series.map((s) => s.name);
  const isConstraint = (name) => rows.some((row) => row === name || row.startsWith(name + ".") || row.startsWith(name + "["));
  /* Slides have a coordinate `position` or a row `normal`. */
  const isSlide = (name) => coordinates.includes(name + ".position") || rows.includes(name + ".normal");
  const hasSlides = [...coordinates, ...rows].some((k) => /\.(position|normal)$/.test(k) && !bodies.some((b) => k === b.name + ".position"));
  const isStraight = (first, second) => { const rail = railOf(first, second, 1e-4 * box.size); return rail && rail.bend < 1e-4; };
  const ends = markers.filter((m) => !m.isCom && !m.isForce), found = [];

  /* Ends by name: those of pins have equal positions, those of rods a constant distance, those of slides move on a straight line. */
  for (const first of ends.filter((m) => m.end === "first")) {
    const name = first.element, second = ends.find((m) => m.element === name && m.end === "second");
    /* The other end of a pin may be drawn under another name, or not at all. */
    if (!second) { found.push({ name, kind: "pin", first, second: first }); continue; }
    const lengths = trackOf(first, second).map(([x, y]) => Math.hypot(x, y));
    const isRod = isConstraint(name) && Math.max(...lengths) - Math.min(...lengths) < 1e-5 * box.size;
    if (coincide(first, second)) found.push({ name, kind: "pin", first, second });
    else if (isRod) found.push({ name, kind: "rod", first, second });
    else if (isSlide(name) && isStraight(first, second)) found.push({ name, kind: "slide", first, second });
  }
  for (const second of ends.filter((m) => m.end === "second" && !ends.some((n) => n.element === m.element && n.end === "first"))) {
    found.push({ name: second.element, kind: "pin", first: second, second });
  }

  /* Markers of different bodies with equal positions are pinned. */
  const slides = () => found.filter((j) => j.kind === "slide");
  const loose = ends.filter((m) => !slides().some((j) => j.first === m || j.second === m));
  for (const [k, second] of loose.entries()) {
    const first = loose.slice(0, k).find((m) => m.body !== second.body && coincide(m, second));
    const named = first && [first, second].find((m) => m.end);
    if (first && !found.some((j) => j.first === first && j.second === second)) found.push({ name: named ? named.element : first.name, kind: "pin", first, second });
  }

  /* A slide between markers of other names: a body that translates on a straight line relative to ground or another body. */
  for (const [b] of bodies.entries()) {
    if (!hasSlides || slides().some((j) => j.second.body === b)) continue;
    const second = markers.find((m) => m.body === b && !m.isCom && !m.isForce);
    if (!second || !moves(second)) continue;
    for (const a of [null, ...bodies.keys()].filter((a) => a === null || a < b)) {
      const first = isTurning(a, b) ? null : markers.find((m) => m.body === a && !m.isForce && (a === null ? !moves(m) : !m.isCom));
      if (first && isStraight(first, second)) { found.push({ name: second.name, kind: "slide", isGuessed: true, first, second }); break; }
    }
  }
  return found;
}
