// Two runs of a scenario, or two of its attempts, side by side.

const side = (step, place, difference, link) => {
  const part = step.sides[place];
  if (!part) return [hil.el("p.quiet", null, "This step was not reached.")];
  const rows = [];
  const isHere = difference?.step === step.key;
  const mark = (text) =>
    hil.el("p.first-difference", { id: place ? "first-difference" : null }, hil.sign("warning"), text);
  if (isHere && !difference.events[place] && !difference.after[place])
    rows.push(mark("The other side differs from here on"));
  for (const event of part.events) {
    const isFirst = isHere && difference.events[place] === event;
    if (isFirst) rows.push(mark("The first difference"));
    const isAlone = !step.partner.has(event);
    rows.push(
      hil.el(
        link ? "a.same-row" : "div.same-row",
        {
          href: link?.(event.at),
          "data-alone": isAlone ? "yes" : null,
          "data-late": step.late?.has(event) ? "yes" : null,
          "data-first": isFirst ? "yes" : null,
          "data-bad": hil.isBadEvent(event) ? "yes" : null,
        },
        hil.el("span.event-time", null, hil.moment(event.at)),
        hil.el("span.lane-tag", { "data-lane": event.lane }, hil.laneName(event.lane)),
        hil.el("span.event-text", null, hil.eventLine(event)),
        step.late?.has(event) && hil.el("span.only", null, `${hil.duration(step.late.get(event))} later than there`),
        isAlone && hil.el("span.only", null, "only here"),
      ),
    );
    if (isHere && difference.after[place] === event) rows.push(mark("The other side differs from here on"));
  }
  if (!part.events.length && !isHere) rows.push(hil.el("p.quiet", null, "There are no events."));
  return rows;
};

hil.comparison = (left, right) => {
  const { steps, difference, late } = hil.align(left.timeline.events, right.timeline.events);
  const differs = (step) =>
    !step.sides[0] ||
    !step.sides[1] ||
    step.sides.some((part) => part.events.some((event) => !step.partner.has(event)));
  const took = (part) => {
    const ended = part?.events.find((event) => event.kind === "stepEnded");
    return ended ? (ended.text.match(/(in|after) ([\d.]+ \S+)$/)?.[2] ?? "") : "";
  };
  const open = hil.el(
    "button",
    {
      type: "button",
      onclick: () =>
        table.querySelectorAll("details").forEach((part) => {
          part.open = true;
        }),
    },
    "Show every step",
  );
  const table = hil.el(
    "div.comparison",
    null,
    hil.el(
      "div.comparison-head",
      null,
      hil.el("div", null, hil.el("b", null, left.title), hil.el("span.quiet", null, left.detail)),
      hil.el("div", null, hil.el("b", null, right.title), hil.el("span.quiet", null, right.detail)),
    ),
    steps.map((step) =>
      hil.el(
        "details.compared",
        {
          open: step.key === difference?.step || step.key === late?.step,
          "data-differs": differs(step) ? "yes" : null,
        },
        hil.el(
          "summary",
          null,
          hil.sign(differs(step) ? "warning" : "passed", differs(step) ? "differs" : "the same"),
          hil.el("span", null, step.key),
          hil.el("span.quiet", null, step.sides.map((part) => took(part) || "–").join(" → ")),
        ),
        hil.el(
          "div.sides",
          null,
          hil.el("div.side", null, side(step, 0, difference, left.link)),
          hil.el("div.side", null, side(step, 1, difference, right.link)),
        ),
      ),
    ),
  );
  return hil.el(
    "div",
    null,
    hil.el(
      "p.comparison-told",
      null,
      difference
        ? [
            hil.sign("warning"),
            hil.el("span", null, "They differ first in “", hil.el("b", null, difference.step), "”."),
          ]
        : [hil.sign("passed"), "Both have the same events, except for times."],
      open,
    ),
    late &&
      hil.el(
        "p.comparison-told",
        null,
        hil.sign("slower"),
        hil.el(
          "span",
          null,
          `${hil.duration(late.by)} later than there, in “`,
          hil.el("b", null, late.step),
          "”: ",
          hil.eventLine(late.event),
        ),
      ),
    table,
  );
};

// The part of a scenario's view that compares: with the last run that passed, or the journey without the fault, and each
// attempt with each other.
hil.comparePart = ({ entry, part, attempt, timeline }) => {
  const before = part.before?.isWithoutFault ? "the journey without the fault" : "the last run that passed";
  const name = (number) => `Attempt ${number}`;
  const sources = part.attempts.map((other) => ({
    id: `a${other.number}`,
    title: part.attempts.length > 1 ? name(other.number) : "This run",
    detail: ` ${hil.verdictName(other.verdict ?? "interrupted")}, ${hil.run(entry).name}`,
    link: (time) => hil.link(entry, { attempt: other.number, time }),
    timeline: () =>
      other.number === attempt.number
        ? Promise.resolve(timeline)
        : hil.timeline(hil.file(entry, other.folder, "lanes.js"), "its timeline"),
  }));
  if (part.before)
    sources.unshift({
      id: "before",
      title: before.replace("the", "The"),
      detail: ` ${part.before.run}${hil.date(part.before.began) && ", " + hil.date(part.before.began)}`,
      timeline: () => hil.timeline(hil.file(entry, "before.js"), `the timeline of ${before}`),
    });
  if (sources.length < 2) return null;
  const right = sources.find((source) => source.id === `a${attempt.number}`);
  const left = part.before
    ? sources[0]
    : (sources.findLast((source) => source !== right && /Passed/.test(source.detail)) ??
      sources.find((source) => source !== right));
  const place = hil.el("div.comparison-place", null, hil.el("p.quiet", null, "…"));
  const chosen = [left, right];
  const draw = async () => {
    try {
      const [first, second] = await Promise.all(
        chosen.map(async (source) => ({ ...source, timeline: await source.timeline() })),
      );
      place.replaceChildren(hil.comparison(first, second));
    } catch (error) {
      place.replaceChildren(hil.el("p.missing", null, hil.sign("warning"), error.message));
    }
  };
  const chooser = (index, label) => {
    const select = hil.el(
      "select",
      {
        "aria-label": label,
        onchange: () => {
          chosen[index] = sources.find((source) => source.id === select.value);
          draw();
        },
      },
      sources.map((source) =>
        hil.el("option", { value: source.id, selected: source === chosen[index] }, source.title + source.detail),
      ),
    );
    return hil.el("span.chooser", null, select);
  };
  draw();
  return hil.el(
    "section",
    { id: "compare" },
    hil.el(
      "div.section-head",
      null,
      hil.el("h2", null, part.before ? `Against ${before}` : "Attempts side by side"),
      sources.length > 2 && hil.el("span.choosers", null, chooser(0, "The left side"), chooser(1, "The right side")),
    ),
    place,
  );
};
