/* Curves as drawn: closed ones filled, open ones as edges. */
function drawCurves(f, u) {
  for (const c of curves) {
    const marker = markers[c.marker], color = marker.body === null ? theme.muted : colorOf(marker.body);
    if (marker.body !== null && !shapes[marker.body].isVisible) continue;
    line(c.points.map((p) => toScreen(carried(marker, p, f))));
    brush.lineJoin = brush.lineCap = "round";
    if (c.period.length) {
      brush.closePath();
      brush.fillStyle = mix(color, theme.surface, 0.16);
      brush.fill();
    }
    stroke(mix(color, theme.ink, 0.86), c.period.length ? 1.8 : 2.6);
  }
}

/* One of the two curves of a contact has the data. */
function drawContacts(f, u) {
  for (const c of curves) for (const at of contactsOf(c, f)) disc(toScreen(at), 0.3 * u, theme.accent, theme.surface, 1);
}
