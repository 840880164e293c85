// The lanes of an attempt on one clock. They are drawn into a canvas, because there may be thousands of events.

const laneHeight = 32;
const stepHeight = 24;
const axisHeight = 26;

// Steps in rows: a step inside of another one is a row lower.
const stacked = (steps, ended) => {
  const ends = [];
  return steps.map((step) => {
    const end = step.seconds === null || step.seconds === undefined ? ended : step.at + step.seconds;
    let depth = ends.findIndex((other) => other <= step.at + 1e-9);
    if (depth < 0) depth = ends.length;
    ends[depth] = end;
    return { ...step, end, depth };
  });
};

// A distance between marks of the axis that is easy to read.
const spacing = (seconds, room) => {
  const least = (seconds * 90) / room;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= least);
};

// - pick: called with the moment, and the event if one was picked.
hil.drawLanes = ({ timeline, attempt, pick }) => {
  const { events } = timeline;
  const steps = stacked(attempt.steps, timeline.ended);
  const depth = Math.max(0, ...steps.map((step) => step.depth + 1));
  const lanes = hil.lanesOf.filter(([lane]) => events.some((event) => event.lane === lane));
  const byLane = new Map(
    lanes.map(([lane]) => [
      lane,
      events.filter((event) => event.lane === lane && event.kind !== "stepBegan" && event.kind !== "stepEnded"),
    ]),
  );
  const problems = attempt.failures.filter((failure) => Number.isFinite(failure.at));
  const stepsTop = axisHeight;
  const lanesTop = stepsTop + (depth ? depth * stepHeight + 10 : 0);
  const height = lanesTop + lanes.length * laneHeight + 6;

  const canvas = hil.el("canvas.lanes-canvas", {
    tabindex: "0",
    role: "slider",
    "aria-label": "Time",
    "aria-valuetext": "",
  });
  const labels = hil.el(
    "div.lane-names",
    { "aria-hidden": "true" },
    depth > 0 && hil.el("span", { style: { top: `${stepsTop}px`, height: `${depth * stepHeight}px` } }, "Steps"),
    lanes.map(([, name], place) =>
      hil.el("span", { style: { top: `${lanesTop + place * laneHeight}px`, height: `${laneHeight}px` } }, name),
    ),
  );
  const tip = hil.el("div.tip", { hidden: true, role: "tooltip" });
  const plot = hil.el("div.plot", null, canvas, tip);
  const frame = hil.el("div.lanes", { style: { height: `${height}px` } }, labels, plot);

  const whole = [Math.min(timeline.began, 0), Math.max(timeline.ended, 0.001)];
  const margin = (range) => [range[0] - (range[1] - range[0]) * 0.02, range[1] + (range[1] - range[0]) * 0.03];
  const bodyBegan = events.some((event) => event.kind === "bodyBegan");
  const lastStory = events.findLast((event) => hil.isStory(event))?.at ?? whole[1];
  const body =
    bodyBegan && lastStory > 0 ? margin([0, Math.max(lastStory, problems.at(-1)?.at ?? 0, 0.001)]) : margin(whole);
  let view = [...body];
  let moment;

  const width = () => Math.max(50, plot.clientWidth);
  const x = (time) => ((time - view[0]) / (view[1] - view[0])) * width();
  const time = (place) => view[0] + (place / width()) * (view[1] - view[0]);

  const draw = () => {
    const style = getComputedStyle(frame);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const scale = devicePixelRatio || 1;
    const across = width();
    if (canvas.width !== Math.round(across * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(across * scale);
      canvas.height = Math.round(height * scale);
      canvas.style.width = `${across}px`;
      canvas.style.height = `${height}px`;
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, across, height);
    pen.font = `12px ${style.fontFamily}`;
    pen.textBaseline = "middle";
    const fitted = (text, room) => {
      if (room < 24) return "";
      const most = Math.floor(room / 5.2);
      let short = text.length > most ? text.slice(0, most) : text;
      if (short.length === text.length && pen.measureText(short).width <= room) return short;
      while (short.length > 2 && pen.measureText(short + "…").width > room) short = short.slice(0, -1);
      return short.length > 2 ? short.trimEnd() + "…" : "";
    };

    // The axis, and its lines.
    const each = spacing(view[1] - view[0], across);
    const decimals = Math.max(0, -Math.floor(Math.log10(each) + 1e-9));
    pen.textAlign = "center";
    for (let mark = Math.ceil(view[0] / each) * each; mark <= view[1]; mark += each) {
      const place = Math.round(x(mark)) + 0.5;
      pen.strokeStyle = colour("line-soft");
      pen.beginPath();
      pen.moveTo(place, axisHeight - 4);
      pen.lineTo(place, height);
      pen.stroke();
      pen.fillStyle = colour("quiet");
      if (place > 18 && place < across - 18)
        pen.fillText(`${Math.abs(mark) < each / 2 ? "0" : mark.toFixed(decimals)} s`, place, 11);
    }
    lanes.forEach((_, place) => {
      if (place % 2) return;
      pen.fillStyle = colour("stripe");
      pen.fillRect(0, lanesTop + place * laneHeight, across, laneHeight);
    });

    // Steps: the budget is an outline, the time that it took is filled.
    pen.textAlign = "left";
    for (const step of steps) {
      const [left, right] = [x(step.at), x(step.end)];
      const limit = x(step.at + step.budget);
      if (Math.max(right, limit) < 0 || left > across) continue;
      const top = stepsTop + step.depth * stepHeight + 2;
      const isBad = step.outcome !== "done";
      pen.fillStyle = colour(isBad ? "failed-soft" : "step");
      pen.strokeStyle = colour(isBad ? "failed" : "step-line");
      pen.beginPath();
      pen.roundRect(left, top, Math.max(2, right - left), stepHeight - 5, 4);
      pen.fill();
      pen.stroke();
      const from = Math.max(left, 0) + 6;
      pen.fillStyle = colour(isBad ? "failed" : "ink");
      pen.fillText(
        fitted(
          (step.outcome === "done" ? "" : step.outcome === "threw" ? "✕ " : "! ") + step.name,
          Math.min(right, across) - from - 4,
        ),
        from,
        top + (stepHeight - 5) / 2 + 0.5,
      );
    }

    // The events.
    lanes.forEach(([lane], row) => {
      const list = byLane.get(lane);
      const middle = lanesTop + row * laneHeight + laneHeight / 2;
      const isDense = lane === "bluetooth" || lane === "wifi" || lane === "hostBoard" || lane === "accessoryBoard";
      let last = -9;
      let place = Math.max(0, hil.placeOf(list, view[0]) - 1);
      for (; place < list.length; place += 1) {
        const event = list[place];
        if (event.at > view[1]) break;
        const at = x(event.at);
        const isBad = hil.isBadEvent(event);
        if (at - last < 0.7 && !isBad) continue;
        last = at;
        pen.fillStyle = colour(isBad ? "failed" : `lane-${lane}`);
        if (isBad) {
          pen.strokeStyle = colour("failed");
          pen.lineWidth = 2;
          pen.beginPath();
          pen.moveTo(at - 4, middle - 4);
          pen.lineTo(at + 4, middle + 4);
          pen.moveTo(at + 4, middle - 4);
          pen.lineTo(at - 4, middle + 4);
          pen.stroke();
          pen.lineWidth = 1;
        } else if (event.kind === "packet") {
          // Towards the host or a station: down; away from it: up.
          const isUp = event.to === "controller";
          pen.fillRect(
            at - 0.75,
            lane === "wifi" ? middle - 7 : isUp ? middle - 10 : middle + 1,
            1.5,
            lane === "wifi" ? 14 : 9,
          );
        } else if (event.kind === "screen" && event.file) {
          pen.beginPath();
          pen.roundRect(at - 3.5, middle - 7, 7, 14, 2);
          pen.fill();
        } else if (event.kind === "line") {
          pen.fillRect(at - 1, middle - 4, 2, 8);
        } else {
          pen.beginPath();
          pen.arc(at, middle, 3.5, 0, 7);
          pen.fill();
        }
        const room = (list[place + 1] ? Math.min(x(list[place + 1].at), across) : across) - at - 16;
        if (room > 40 && at > -200) {
          const text = fitted(hil.eventLine(event), isDense ? Math.min(room, 220) : room);
          if (text) {
            pen.fillStyle = colour(isBad ? "failed" : "ink-soft");
            pen.fillText(text, Math.max(at, 0) + 8, middle + 0.5);
          }
        }
      }
    });
    for (const problem of problems) {
      const at = Math.round(x(problem.at)) + 0.5;
      pen.strokeStyle = colour("failed");
      pen.setLineDash([4, 3]);
      pen.beginPath();
      pen.moveTo(at, axisHeight - 4);
      pen.lineTo(at, height);
      pen.stroke();
      pen.setLineDash([]);
    }
    if (moment !== undefined) {
      const at = Math.round(x(moment)) + 0.5;
      pen.strokeStyle = colour("accent");
      pen.fillStyle = colour("accent");
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.moveTo(at, axisHeight - 6);
      pen.lineTo(at, height);
      pen.stroke();
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(at - 5, axisHeight - 12);
      pen.lineTo(at + 5, axisHeight - 12);
      pen.lineTo(at, axisHeight - 4);
      pen.fill();
    }
  };
  let isAsked = false;
  const redraw = () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      if (frame.isConnected) draw();
    });
  };

  const limits = margin(whole);
  const look = (from, to) => {
    const most = limits[1] - limits[0];
    const span = Math.min(most, Math.max(0.0002, to - from));
    const centre = (from + to) / 2;
    const start = Math.min(Math.max(centre - span / 2, limits[0]), limits[1] - span);
    view = [start, start + span];
    redraw();
  };
  const zoom = (factor, around = moment ?? (view[0] + view[1]) / 2) => {
    const centre = Math.min(Math.max(around, view[0]), view[1]);
    look(centre - (centre - view[0]) * factor, centre + (view[1] - centre) * factor);
  };

  // The event nearest to a point of the canvas, in its lane.
  const nearest = (left, top) => {
    const row = Math.floor((top - lanesTop) / laneHeight);
    if (top < lanesTop || row >= lanes.length) return undefined;
    const list = byLane.get(lanes[row][0]);
    const place = hil.placeOf(list, time(left));
    return [list[place - 1], list[place]]
      .filter((event) => event && Math.abs(x(event.at) - left) < 14)
      .sort((first, second) => Math.abs(x(first.at) - left) - Math.abs(x(second.at) - left))[0];
  };
  const point = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  // One pointer moves the view or picks; two zoom.
  const pointers = new Map();
  let start;
  canvas.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, point(event)[0]);
    canvas.setPointerCapture(event.pointerId);
    start = {
      left: point(event)[0],
      view: [...view],
      hasMoved: false,
      apart: pointers.size === 2 ? Math.abs([...pointers.values()].reduce((first, second) => first - second)) : 0,
    };
  });
  canvas.addEventListener("pointermove", (event) => {
    const [left, top] = point(event);
    if (pointers.has(event.pointerId) && start) {
      pointers.set(event.pointerId, left);
      if (pointers.size === 2 && start.apart > 10) {
        const apart = Math.max(10, Math.abs([...pointers.values()].reduce((first, second) => first - second)));
        view = [...start.view];
        zoom(start.apart / apart, time([...pointers.values()].reduce((first, second) => first + second) / 2));
        start.hasMoved = true;
      } else if (pointers.size === 1 && (start.hasMoved || Math.abs(left - start.left) > 4)) {
        start.hasMoved = true;
        const shift = ((start.left - left) / width()) * (start.view[1] - start.view[0]);
        look(start.view[0] + shift, start.view[1] + shift);
      }
      tip.hidden = true;
      return;
    }
    const found = nearest(left, top);
    tip.hidden = !found;
    canvas.style.cursor = found ? "pointer" : "crosshair";
    if (!found) return;
    tip.replaceChildren(
      hil.el("b", null, hil.moment(found.at)),
      " ",
      hil.el("span.quiet", null, found.source),
      hil.el("br"),
      hil.eventText(found).slice(0, 400),
    );
    const room = width();
    tip.style.left = `${Math.min(Math.max(left - 20, 0), Math.max(0, room - Math.min(360, room)))}px`;
    tip.style.top = `${top + 18}px`;
  });
  const release = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    if (event.type === "pointerup" && start && !start.hasMoved) {
      const [left, top] = point(event);
      const found = nearest(left, top);
      pick(found?.at ?? time(left), found);
    }
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => {
    tip.hidden = true;
  });
  canvas.addEventListener("dblclick", (event) => zoom(0.4, time(point(event)[0])));
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || event.metaKey) zoom(Math.exp(event.deltaY * 0.004), time(point(event)[0]));
      else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        const shift = ((event.deltaX || event.deltaY) / width()) * (view[1] - view[0]);
        look(view[0] + shift, view[1] + shift);
      } else return;
      event.preventDefault();
    },
    { passive: false },
  );
  new ResizeObserver(redraw).observe(plot);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);

  const show = (at, text) => {
    moment = at;
    if (at < view[0] || at > view[1]) look(at - (view[1] - view[0]) / 2, at + (view[1] - view[0]) / 2);
    canvas.setAttribute("aria-valuetext", hil.plain(text ?? hil.moment(at)));
    canvas.setAttribute("aria-valuenow", String(at));
    redraw();
  };
  const button = (label, title, act) => hil.el("button", { type: "button", title, onclick: act }, label);
  const tools = hil.el(
    "div.tools",
    { role: "group", "aria-label": "Zoom" },
    button("−", "Zoom out (−)", () => zoom(2)),
    button("+", "Zoom in (+)", () => zoom(0.5)),
    button("Scenario", "The scenario itself (0)", () => look(...body)),
    button("All", "Boards and set-up too (9)", () => look(...limits)),
  );
  return {
    element: frame,
    tools,
    show,
    zoom,
    redraw,
    draw,
    fit: () => look(...body),
    all: () => look(...limits),
    pan: (share) => look(view[0] + share * (view[1] - view[0]), view[1] + share * (view[1] - view[0])),
  };
};
