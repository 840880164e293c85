// The lanes as they happen: the last seconds of every source on one clock, drawn into a canvas.

const liveLanes = ["scenario", "person", "phone", "app", "accessory", "air", "bluetooth", "wifi"];
const rowHeight = 30;
const axisTop = 22;
const mostKept = 6000;

play.windowSeconds = 12;

// Takes events in the form of a timeline; anything else is left out.
play.takeEvents = (events) => {
  for (const event of events) {
    if (!event || !Number.isFinite(event.t) || typeof event.text !== "string") continue;
    play.events.push({
      at: (event.t - (play.zero ?? event.t)) / 1e9,
      t: event.t,
      source: String(event.source),
      kind: String(event.kind),
      text: event.text,
      lane: liveLanes.includes(event.lane) ? event.lane : "scenario",
      to: event.to,
      frame: event.frame,
      file: event.kind === "screen" ? "screen" : undefined,
    });
  }
  play.events.sort((first, second) => first.t - second.t);
  if (play.events.length > mostKept) play.events.splice(0, play.events.length - mostKept);
};

play.lanes = () => {
  const canvas = hil.el("canvas.lanes-canvas", { role: "img", "aria-label": "Lanes of the last seconds" });
  const height = axisTop + liveLanes.length * rowHeight + 4;
  const names = hil.el(
    "div.lane-names",
    { "aria-hidden": "true" },
    liveLanes.map((lane, row) =>
      hil.el(
        "span",
        { style: { top: `${axisTop + row * rowHeight}px`, height: `${rowHeight}px` } },
        hil.laneName(lane),
      ),
    ),
  );
  const tip = hil.el("div.tip", { hidden: true, role: "tooltip" });
  const plot = hil.el("div.plot", null, canvas, tip);
  const frame = hil.el("div.lanes", { style: { height: `${height}px` } }, names, plot);
  let end = 0;

  const draw = () => {
    const across = Math.max(50, plot.clientWidth);
    const scale = devicePixelRatio || 1;
    if (canvas.width !== Math.round(across * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(across * scale);
      canvas.height = Math.round(height * scale);
      canvas.style.width = `${across}px`;
      canvas.style.height = `${height}px`;
    }
    const style = getComputedStyle(frame);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const pen = canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, across, height);
    pen.font = `12px ${style.fontFamily}`;
    pen.textBaseline = "middle";
    end = play.now();
    const start = end - play.windowSeconds;
    const x = (time) => ((time - start) / play.windowSeconds) * (across - 12);
    pen.textAlign = "center";
    for (let mark = Math.ceil(start / 2) * 2; mark <= end; mark += 2) {
      const place = Math.round(x(mark)) + 0.5;
      pen.strokeStyle = colour("line-soft");
      pen.beginPath();
      pen.moveTo(place, axisTop - 4);
      pen.lineTo(place, height);
      pen.stroke();
      pen.fillStyle = colour("quiet");
      if (place > 18 && place < across - 18) pen.fillText(`${mark} s`, place, 10);
    }
    pen.textAlign = "left";
    liveLanes.forEach((lane, row) => {
      const middle = axisTop + row * rowHeight + rowHeight / 2;
      if (row % 2 === 0) {
        pen.fillStyle = colour("stripe");
        pen.fillRect(0, middle - rowHeight / 2, across, rowHeight);
      }
      const list = play.events.filter((event) => event.lane === lane && event.at >= start - 3);
      list.forEach((event, place) => {
        const at = x(event.at);
        if (at < -200) return;
        const isBad = hil.isBadEvent(event);
        pen.fillStyle = colour(isBad ? "failed" : `lane-${lane}`);
        if (event.kind === "packet")
          pen.fillRect(at - 0.75, event.to === "controller" ? middle - 9 : middle - 1, 1.5, 10);
        else {
          pen.beginPath();
          if (isBad || event.kind === "screen") pen.roundRect(at - 3.5, middle - 7, 7, 14, 2);
          else pen.arc(at, middle, 3.5, 0, 7);
          pen.fill();
        }
        const next = list[place + 1];
        const room = Math.min(next ? x(next.at) : across, across) - Math.max(at, 0) - 14;
        if (room < 36) return;
        let text = hil.eventLine(event).slice(0, Math.floor(room / 5));
        while (text.length > 2 && pen.measureText(text).width > room) text = text.slice(0, -1);
        pen.fillStyle = colour(isBad ? "failed" : "ink-soft");
        pen.fillText(text, Math.max(at, 0) + 8, middle + 0.5);
      });
    });
  };

  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    const [left, top] = [event.clientX - box.left, event.clientY - box.top];
    const lane = liveLanes[Math.floor((top - axisTop) / rowHeight)];
    const time = end - play.windowSeconds + (left / (box.width - 12)) * play.windowSeconds;
    const reach = (play.windowSeconds / box.width) * 12;
    const found = play.events
      .filter((other) => other.lane === lane && Math.abs(other.at - time) < reach)
      .sort((first, second) => Math.abs(first.at - time) - Math.abs(second.at - time))[0];
    tip.hidden = !found;
    if (!found) return;
    tip.replaceChildren(hil.el("b", null, hil.moment(found.at)), " ", hil.eventText(found).slice(0, 400));
    tip.style.left = `${Math.max(0, Math.min(left - 20, box.width - 300))}px`;
    tip.style.top = `${top + 18}px`;
  });
  canvas.addEventListener("pointerleave", () => (tip.hidden = true));
  return { element: frame, draw };
};
