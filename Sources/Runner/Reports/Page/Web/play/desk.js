// The panels beside the phone: what the scenario waits for, the boards, notifications, what happened, and the
// packets.

const panel = (id, title, ...content) => hil.el("section.panel", { id }, hil.el("h2", null, title), ...content);

// Metres on a slider whose steps grow with the distance.
const metres = (value) => Number((0.5 * 1.08 ** value).toPrecision(2));
const place = (distance) => Math.round(Math.log(Math.max(0.5, distance) / 0.5) / Math.log(1.08));

const boards = () => {
  const label = hil.el("output", { id: "distance-told" });
  const slider = hil.el("input", {
    type: "range",
    id: "distance",
    "aria-label": "Distance of the boards in metres",
    value: "9",
  });
  [slider.min, slider.max, slider.step] = ["0", "70", "1"];
  slider.addEventListener("input", () => (label.textContent = `${metres(slider.value)} m`));
  slider.addEventListener("change", () => play.do({ move: { metres: metres(slider.value) } }));
  return panel(
    "boards",
    "Distance of the boards",
    hil.el("div.line", null, slider, label),
    hil.el(
      "div.line",
      null,
      hil.el(
        "button",
        { type: "button", "data-move": "near", onclick: () => play.do({ move: { metres: 1 } }) },
        "Next to each other",
      ),
      hil.el("button", { type: "button", "data-move": "away", onclick: () => play.do({ move: {} }) }, "Out of range"),
    ),
  );
};

const notification = () => {
  const input = (name, label, value) =>
    hil.el(
      "label",
      null,
      hil.el("span", null, label),
      hil.el("input", { type: "text", name, value, autocomplete: "off" }),
    );
  return panel(
    "notification",
    "Post a notification",
    hil.el(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          const form = new FormData(event.target);
          const text = (name) => String(form.get(name) ?? "");
          play.do({ post: { app: text("app"), title: text("title"), body: text("body") } });
        },
      },
      input("app", "App", "com.example.chat"),
      input("title", "Title", "Kim"),
      input("body", "Text", "Dinner at 8?"),
      hil.el("button", { type: "submit" }, "Post"),
    ),
  );
};

const rows = (list, tell) =>
  list.map((event) =>
    hil.el(
      "div.event-row",
      { role: "listitem", "data-bad": hil.isBadEvent(event) ? "yes" : null },
      hil.el("span.event-time", null, hil.moment(event.at)),
      tell(event),
    ),
  );

// Fills a list and keeps its end in view, unless the reader has scrolled away from it.
const fill = (id, content) => {
  const box = document.getElementById(id);
  const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 24;
  box.replaceChildren(...content);
  if (isAtEnd) box.scrollTop = box.scrollHeight;
};

play.showEvents = () => {
  const story = play.events.filter((event) => hil.isStory(event) && event.kind !== "drawn").slice(-120);
  fill(
    "story",
    rows(story, (event) => [
      hil.el("span.lane-tag", { "data-lane": event.lane }, hil.laneName(event.lane)),
      hil.el("span.event-text", null, hil.eventLine(event)),
    ]),
  );
  const packets = play.events.filter((event) => event.kind === "packet").slice(-120);
  fill(
    "packets",
    packets.length
      ? rows(packets, (packet) => [
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
        ])
      : [hil.el("p.quiet", null, "No packet yet.")],
  );
};

// The facts about the scenario: what it is doing, waits for and suggests.
play.showFacts = () => {
  const { phase, awaits, suggests, refused, failures, buttons, scenario } = play.facts;
  const now = document.getElementById("now");
  const waits = awaits?.what ?? [];
  const failed = (buttons ?? []).filter((button) => button.failure);
  now.replaceChildren(
    ...[
      hil.el(
        "p.phase",
        { "data-phase": phase?.name ?? "starting" },
        hil.sign({ playing: "running", ended: "passed", failed: "failed", lost: "error" }[phase?.name] ?? "waiting"),
        hil.el(
          "span",
          null,
          phase?.text || (awaits?.isPersonsTurn ? "It is your turn. No time limit runs." : "The scenario continues."),
        ),
      ),
      waits.length && phase?.name === "playing"
        ? hil.el("p.waits", null, hil.el("span.quiet", null, "It waits for "), waits.join(", and for "))
        : undefined,
      suggests?.length
        ? hil.el(
            "div.suggestions",
            null,
            hil.el("span.quiet", null, "The scenario suggests: "),
            suggests.map((suggestion) => hil.el("span.suggestion", null, suggestion.text)),
          )
        : undefined,
      failed.map((button) =>
        hil.el("p.missing", null, hil.sign("failed"), `“${button.title}” failed: ${button.failure}`),
      ),
      (failures ?? []).map((failure) => hil.el("p.missing", null, hil.sign("failed"), failure)),
      scenario?.record &&
        hil.el("p.fine", null, `What you do is recorded as ${scenario.record}, and written when hil ends.`),
      play.entries(),
    ]
      .flat()
      .filter((part) => part),
  );
  if (refused && refused[0] !== play.lastRefusal) {
    play.lastRefusal = refused[0];
    play.told(refused[1]);
  }
  const distance = play.facts.distance;
  if (distance) {
    const slider = document.getElementById("distance");
    if (document.activeElement !== slider && distance.metres !== undefined && distance.metres !== null)
      slider.value = String(place(distance.metres));
    document.getElementById("distance-told").textContent =
      distance.metres === undefined || distance.metres === null ? "out of range" : `${distance.metres} m`;
  }
  const radios = play.facts.radios ?? {};
  document.getElementById("radios").textContent =
    `Bluetooth ${radios.bluetooth === false ? "off" : "on"}, Wi-Fi ${radios.wifi === false ? "off" : "on"}`;
};

// A message that disappears with the person's next action.
play.told = (text) => {
  const box = document.getElementById("told");
  box.hidden = !text;
  box.replaceChildren(...(text ? [hil.sign("warning"), hil.el("span", null, text)] : []));
};

play.layout = (lanes) =>
  hil.el(
    "main.play",
    null,
    hil.el("div.play-head", null, hil.el("h1", { id: "title" }, "hil play"), hil.el("p.quiet", { id: "name" })),
    hil.el(
      "div.play-phone",
      null,
      hil.el("div.phone", null, hil.el("div", { id: "glass", "aria-live": "polite" })),
      hil.el("p.fine", { id: "radios" }),
      hil.el("p.remark", { id: "told", role: "status", hidden: true }),
    ),
    hil.el(
      "div.play-desk",
      null,
      hil.el("section.panel", { id: "now-panel" }, hil.el("h2", null, "Now"), hil.el("div", { id: "now" })),
      boards(),
      notification(),
    ),
    hil.el("section.play-lanes", null, hil.el("h2", null, "The last seconds"), lanes.element),
    hil.el(
      "div.play-lists",
      null,
      panel("story-panel", "What happened", hil.el("div.rows", { id: "story", role: "list", tabindex: "0" })),
      panel("packets-panel", "Packets", hil.el("div.rows", { id: "packets", role: "list", tabindex: "0" })),
    ),
  );
