/* Pointers and keys on the stage, in space: orbit, pan, zoom. */
function wireStage() {
  const pointers = new Map();
  const local = (event) => { const r = stage.getBoundingClientRect(); return [event.clientX - r.left, event.clientY - r.top]; };
  const turn = (dx, dy) => orbit(-0.0075 * dx, 0.0075 * dy);
  stage.onwheel = (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), local(event));
    refresh();
  };
  stage.onpointerdown = (event) => { stage.setPointerCapture(event.pointerId); pointers.set(event.pointerId, local(event)); };
  stage.onpointermove = (event) => {
    const before = pointers.get(event.pointerId), now = local(event);
    if (!before) return;
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]], other = [...pointers].find(([id]) => id !== event.pointerId);
    if (other) {
      /* Two fingers: their distance zooms, their middle pans. */
      const reach = (p) => Math.max(1, Math.hypot(p[0] - other[1][0], p[1] - other[1][1]));
      zoom(reach(now) / reach(before), [(now[0] + other[1][0]) / 2, (now[1] + other[1][1]) / 2]);
      pan(dx / 2, dy / 2);
    } else if (event.shiftKey || event.buttons & 6) pan(dx, dy);
    else turn(dx, dy);
    pointers.set(event.pointerId, now);
    refresh();
  };
  stage.onpointerup = stage.onpointercancel = (event) => pointers.delete(event.pointerId);
  stage.oncontextmenu = (event) => event.preventDefault();
  stage.ondblclick = () => { fit(); refresh(); };
  const center = () => [view.width / 2, view.height / 2];
  element("zoom-in").onclick = () => { zoom(1.3, center()); refresh(); };
  element("zoom-out").onclick = () => { zoom(1 / 1.3, center()); refresh(); };
  element("fit").onclick = () => { fit(); refresh(); };
}

/* Views along the axes, and steps of 10° with shift and the arrows. */
function keysOfStage() {
  const look = (azimuth, elevation) => () => { Object.assign(view, { azimuth, elevation, isFitted: false }); frameMotion(); refresh(); };
  const step = (azimuth, elevation) => () => { orbit((azimuth * Math.PI) / 18, (elevation * Math.PI) / 18); refresh(); };
  return {
    1: look(-Math.PI / 2, 0), 2: look(0, 0), 3: look(-Math.PI / 2, Math.PI / 2),
    "Shift+ArrowLeft": step(-1, 0), "Shift+ArrowRight": step(1, 0), "Shift+ArrowUp": step(0, 1), "Shift+ArrowDown": step(0, -1),
  };
}
