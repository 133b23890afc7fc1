/* Amplitudes of orders as bars.
 *
 * data.orders       charts: title, orders[] in waves per revolution, series: name, y[] per order
 */
const orderCards = [];

function addOrders() {
  for (const chart of data.orders) {
    const card = { isLog: false, title: chart.title, orders: chart.orders, at: null, element: document.createElement("article") };
    card.element.className = "card orders";
    const head = card.element.appendChild(document.createElement("div"));
    head.className = "head";
    head.appendChild(document.createElement("h2")).textContent = chart.title;
    card.note = head.appendChild(Object.assign(document.createElement("span"), { className: "note" }));
    const chips = card.element.appendChild(document.createElement("div"));
    chips.className = "chips";
    card.series = chart.series.map((s, k) => ({ ...s, color: colorOf(k), isVisible: true }));
    for (const s of card.series) {
      const chip = chips.appendChild(chipFor(s.name, s.color, ""));
      s.value = chip.appendChild(document.createElement("b"));
      toggle(chip, s, () => drawOrders(card));
    }
    card.plot = card.element.appendChild(document.createElement("div"));
    card.plot.className = "plot";
    card.canvas = card.plot.appendChild(document.createElement("canvas"));
    card.canvas.setAttribute("role", "img");
    card.plot.onpointermove = (event) => {
      const { left, width } = card.plot.getBoundingClientRect();
      const part = (event.clientX - left - inset.left) / (width - inset.left - inset.right);
      showOrder(card, part >= 0 && part < 1 ? Math.floor(part * card.orders.length) : null);
    };
    card.plot.onpointerleave = () => showOrder(card, null);
    element("plots").appendChild(card.element);
    orderCards.push(card);
    showOrder(card, null);
  }
}

/* Shows the amplitudes of the order under the pointer next to the names, or else the largest order of each series. */
function showOrder(card, at) {
  card.note.textContent = at === null ? "largest amplitude of each" : `order ${card.orders[at]}`;
  for (const s of card.series) {
    const k = at === null ? s.y.indexOf(Math.max(...s.y)) : at;
    s.value.textContent = at === null ? `${short(s.y[k])}, order ${card.orders[k]}` : short(s.y[k]);
  }
}

function drawOrders(card) {
  const [width, height] = resizeCanvas(card.canvas), pen = card.canvas.getContext("2d"), { left, right, top, bottom } = inset;
  const [w, h] = [width - left - right, height - top - bottom], visible = card.series.filter((s) => s.isVisible);
  card.canvas.setAttribute("aria-label", `${card.title}: amplitudes of orders ${card.orders[0]} to ${card.orders[card.orders.length - 1]}`);
  pen.clearRect(0, 0, width, height);
  pen.font = "11px system-ui, sans-serif";
  /* Bars begin at zero. */
  const range = rangeOf({ isLog: false, series: visible.map((s) => ({ ...s, y: s.y.concat(0) })) }) || { least: 0, most: 1, step: 1, ticks: [0] };
  const sy = (y) => top + h - ((y - range.least) / (range.most - range.least)) * h, slot = w / card.orders.length;
  pen.fillStyle = theme.muted;
  pen.textAlign = "right";
  for (const tick of range.ticks) {
    const y = Math.round(sy(tick)) + 0.5;
    pen.beginPath();
    pen.moveTo(left, y);
    pen.lineTo(left + w, y);
    pen.strokeStyle = tick === 0 ? theme.line : theme.grid;
    pen.lineWidth = 1;
    pen.stroke();
    pen.fillText(tickText(card, tick, range.step), left - 7, y + 3.5);
  }
  pen.fillText("order", left - 7, height - 5);
  pen.textAlign = "center";
  const every = Math.ceil(22 / slot);
  card.orders.forEach((order, k) => {
    if ((k + 1) % every === 0 || every === 1) pen.fillText(String(order), left + (k + 0.5) * slot, height - 5);
  });
  const bar = Math.min(16, (0.76 * slot) / Math.max(1, visible.length));
  visible.forEach((s, j) => {
    pen.fillStyle = s.color;
    card.orders.forEach((_, k) => {
      const x = left + (k + 0.5) * slot + (j - visible.length / 2) * bar, y = sy(s.y[k]);
      pen.fillRect(x + 0.5, y, Math.max(1, bar - 1), sy(0) - y);
    });
  });
}
