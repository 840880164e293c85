// Everything of one moment side by side: the screen, what was waited for, the story, packets, and the lines of every daemon.

// Rows of events around a moment, with those at the moment marked.
const eventRows = (list, at, pick, tell) =>
  hil.el(
    "div.event-rows",
    { role: "list" },
    list.map((event) => {
      const isNow = Math.abs(event.at - at) < 0.0000005;
      return hil.el(
        "button.event-row",
        {
          type: "button",
          role: "listitem",
          "data-now": isNow ? "yes" : event.at > at ? "later" : "before",
          "data-bad": hil.isBadEvent(event) ? "yes" : null,
          onclick: () => pick(event.at, event),
        },
        hil.el("span.event-time", null, hil.moment(event.at)),
        tell(event),
      );
    }),
  );

const around = (events, at, before, after) => {
  const place = hil.placeOf(events, at + 1e-9);
  return events.slice(Math.max(0, place - before), place + after);
};

const box = (title, aside, ...content) =>
  hil.el("section.moment-box", null, hil.el("div.moment-head", null, hil.el("h4", null, title), aside), ...content);

hil.screen = (entry, light, dark, label) =>
  hil.el(
    "span.screen",
    null,
    light && hil.el("img.of-light", { src: hil.picture(entry, light), alt: label, loading: "lazy" }),
    dark && hil.el("img.of-dark", { src: hil.picture(entry, dark), alt: label, loading: "lazy" }),
  );

const waitedFor = (attempt, at) => {
  const open = attempt.steps.filter(
    (step) =>
      step.at <= at && (step.seconds === null || step.seconds === undefined || at <= step.at + step.seconds + 0.005),
  );
  const list = open.map((step) => {
    const used = at - step.at;
    const share = Math.min(1, used / step.budget);
    return hil.el(
      "div.wait",
      { "data-late": used > step.budget ? "yes" : null },
      hil.el("span.wait-name", null, `step “${step.name}”`),
      hil.el("span.quiet", null, `${hil.duration(used)} of ${hil.duration(step.budget)}`),
      hil.el(
        "span.meter",
        { role: "img", "aria-label": `${Math.round(share * 100)} % of its budget` },
        hil.el("span", { style: { width: `${share * 100}%` } }),
      ),
    );
  });
  // Single waits: what the scenario was waiting for, inside a step or between two.
  const waits = (attempt.waits ?? []).filter((wait) => wait.at <= at + 1e-6 && at <= wait.at + wait.seconds + 0.0005);
  for (const wait of waits.slice(0, 6))
    list.push(
      hil.el(
        "div.wait.single",
        null,
        hil.el("span.wait-name", null, wait.what),
        hil.el("span.quiet", null, `${hil.duration(Math.max(0, at - wait.at))} of ${hil.duration(wait.seconds)}`),
      ),
    );
  if (!list.length)
    list.push(
      hil.el("p.quiet", null, at < 0 ? "The boards were being made ready." : "Nothing: it was between two steps."),
    );
  // What a wait in vain was for.
  const next = attempt.failures.find((failure) => Number.isFinite(failure.at) && failure.at >= at - 1e-6);
  if (next)
    list.push(
      hil.el(
        "p.wait-end",
        null,
        hil.sign("failed"),
        hil.el(
          "span",
          null,
          next.at - at < 0.0005 ? "Here it failed: " : `${hil.duration(next.at - at)} later it failed: `,
          hil.firstLine(next.message)[0],
        ),
      ),
    );
  return list;
};

hil.momentPanel = ({ entry, attempt, timeline, pick }) => {
  const panel = hil.el("div.moment", { "aria-live": "polite" });
  const { events } = timeline;
  const story = events.filter((event) => hil.isStory(event) && event.kind !== "drawn");
  const packets = events.filter((event) => event.kind === "packet");
  const telling = packets.filter((packet) => !hil.isBackground(packet));
  const logs = new Map();
  for (const event of events)
    if (event.kind === "line") (logs.get(event.source) ?? logs.set(event.source, []).get(event.source)).push(event);
  const folder = entry.folder + (attempt.folder ? `/${attempt.folder}` : "");
  const run = hil.run(entry);

  const show = (at, event) => {
    const screens = attempt.screens.filter((screen) => screen.at <= at + 1e-6);
    const shown = screens.at(-1);
    // The app itself came back on top after the screen.
    const isApp =
      shown &&
      story.some(
        (other) =>
          other.kind === "screen" &&
          other.at > shown.at + 1e-6 &&
          other.at <= at + 1e-6 &&
          other.text.startsWith("screen: the app"),
      );
    const step = (by) => {
      const place = event ? story.findIndex((other) => other.place === event.place) : -1;
      const from = place >= 0 ? place + by : by > 0 ? hil.placeOf(story, at + 1e-9) : hil.placeOf(story, at) - 1;
      const next = story[Math.min(Math.max(from, 0), story.length - 1)];
      if (next) pick(next.at, next);
    };
    panel.step = step;
    const nearPackets = around(event?.kind === "packet" && hil.isBackground(event) ? packets : telling, at, 8, 4);
    const frame = event?.frame ?? nearPackets.findLast((packet) => packet.at <= at + 1e-9)?.frame;
    const capture = [
      run.program,
      "capture",
      hil.shellWord(`${run.place}/${folder}`),
      "-Y",
      hil.shellWord(frame ? `frame.number==${frame}` : "btatt || btsmp || eapol"),
      "-V",
    ].join(" ");
    panel.replaceChildren();
    hil.add(
      panel,
      hil.el(
        "header.moment-title",
        null,
        hil.el(
          "button",
          { type: "button", title: "The event before (←)", onclick: () => step(-1) },
          hil.sign("back", "The event before"),
        ),
        hil.el(
          "button",
          { type: "button", title: "The next event (→)", onclick: () => step(1) },
          hil.sign("next", "The next event"),
        ),
        hil.el("h3", null, hil.moment(at)),
        hil.el("span.quiet", null, hil.clock(attempt.zero, at)),
        event &&
          hil.el(
            "span.moment-event",
            null,
            hil.el("span.lane-tag", { "data-lane": event.lane }, hil.laneName(event.lane)),
            hil.eventLine(event),
          ),
        hil.el("a.permalink", { href: hil.link(entry, { attempt: attempt.number, time: at }) }, "link"),
      ),
      hil.el(
        "div.moment-grid",
        null,
        box(
          "On the phone",
          shown && !isApp && hil.el("span.quiet", null, `since ${hil.moment(shown.at)}`),
          shown && !isApp && (shown.light || shown.dark)
            ? hil.el(
                "div.moment-phone",
                null,
                hil.screen(
                  entry,
                  shown.light && `${folder}/${shown.light}`,
                  shown.dark && `${folder}/${shown.dark}`,
                  shown.title,
                ),
              )
            : [
                hil.el("p.quiet", null, shown && !isApp ? shown.title : "The app itself."),
                isApp &&
                  shown.light && [
                    hil.el("p.quiet.before-app", null, "Before it:"),
                    hil.el(
                      "div.moment-phone.past",
                      null,
                      hil.screen(
                        entry,
                        `${folder}/${shown.light}`,
                        shown.dark && `${folder}/${shown.dark}`,
                        shown.title,
                      ),
                    ),
                  ],
              ],
        ),
        hil.el(
          "div.moment-stack",
          null,
          box("The scenario waited for", null, waitedFor(attempt, at)),
          box(
            "What happened",
            null,
            eventRows(around(story, at, 6, 4), at, pick, (other) => [
              hil.el("span.lane-tag", { "data-lane": other.lane }, hil.laneName(other.lane)),
              hil.el("span.event-text", null, hil.eventLine(other)),
            ]),
          ),
        ),
        box(
          "Packets",
          hil.el(
            "span.quiet",
            { title: "Beacons and similar packets are left out" },
            `${telling.length.toLocaleString("en")} of ${packets.length.toLocaleString("en")}`,
          ),
          packets.length
            ? [
                eventRows(nearPackets, at, pick, (packet) => [
                  hil.el(
                    "span.frame",
                    { title: "The number of the frame in the capture" },
                    packet.frame ? `#${packet.frame}` : "",
                  ),
                  hil.el(
                    "span.lane-tag",
                    { "data-lane": packet.lane },
                    packet.lane === "wifi" ? "Wi-Fi" : packet.text.startsWith("host") ? "phone" : "acc.",
                  ),
                  hil.el("span.event-text", null, hil.eventText(packet)),
                ]),
                hil.command(capture, frame ? `Frame ${frame}, decoded` : "Decoded"),
              ]
            : hil.el("p.quiet", null, "No packet was captured."),
        ),
        box(
          "Logs of the boards",
          null,
          logs.size
            ? [...logs]
                .sort(([first], [second]) => first.localeCompare(second, "en"))
                .map(([source, lines]) =>
                  hil.el(
                    "div.log",
                    null,
                    hil.el("h5", null, source),
                    eventRows(around(lines, at, 3, 1), at, pick, (line) => hil.el("span.event-text", null, line.text)),
                  ),
                )
            : hil.el("p.quiet", null, "No daemon wrote a line."),
        ),
      ),
    );
  };
  return { element: panel, show, step: (by) => panel.step?.(by) };
};
