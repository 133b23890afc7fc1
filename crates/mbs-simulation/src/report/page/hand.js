/* Pointers on the stage, in the plane. */
function wireStage() {
  const pointers = new Map();
  const local = (event) => { const r = stage.getBoundingClientRect(); return [event.clientX - r.left, event.clientY - r.top]; };
  stage.onwheel = (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), local(event));
    refresh();
  };
  stage.onpointerdown = (event) => { stage.setPointerCapture(event.pointerId); pointers.set(event.pointerId, local(event)); };
  stage.onpointermove = (event) => {
    const before = pointers.get(event.pointerId), now = local(event);
    if (!before) return;
    const other = [...pointers].find(([id]) => id !== event.pointerId);
    if (other) {
      const reach = (p) => Math.max(1, Math.hypot(p[0] - other[1][0], p[1] - other[1][1]));
      zoom(reach(now) / reach(before), other[1]);
    } else {
      view.x -= (now[0] - before[0]) / view.scale;
      view.y += (now[1] - before[1]) / view.scale;
      view.isFitted = false;
    }
    pointers.set(event.pointerId, now);
    refresh();
  };
  stage.onpointerup = stage.onpointercancel = (event) => pointers.delete(event.pointerId);
  stage.ondblclick = () => { fit(); refresh(); };
  const center = () => [view.width / 2, view.height / 2];
  element("zoom-in").onclick = () => { zoom(1.3, center()); refresh(); };
  element("zoom-out").onclick = () => { zoom(1 / 1.3, center()); refresh(); };
  element("fit").onclick = () => { fit(); refresh(); };
}

/* There are no keys for the plane. */
const keysOfStage = () => ({});
/* Positions of contacts as drawn at the shown frame. */
function contactsDrawn() {
  const f = frameAt(shownTime());
  return curves.flatMap((c) => contactsOf(c, f).map((at) => [c.name, ...toWorld(toScreen(at))]));
}

/* Solids as drawn: there are none in the plane. */
const solidsDrawn = () => [];
