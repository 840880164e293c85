// The parts of a scenario's view: what failed, steps, expectations, screens, attempts, commands and files.

hil.chips = (entry) =>
  hil.el(
    "p.chips",
    null,
    entry.axes.map(([name, value]) =>
      hil.el("a.tag.axis", { href: hil.filterLink({ axis: `${name}=${value}` }) }, `${name}=${value}`),
    ),
    entry.tags.map((tag) => hil.el("a.tag", { href: hil.filterLink({ tag }) }, tag)),
    entry.rules.map((rule) =>
      hil.el(
        "a.tag.rule-tag",
        { href: hil.filterLink({ rule }), title: hil.data.rules.find((other) => other.id === rule)?.text },
        rule,
      ),
    ),
  );

const findingNames = {
  kernel: "Kernel",
  daemon: "Daemon",
  agent: "Agent",
  machine: "Machine",
  leak: "Left behind",
  board: "Board",
  capture: "Capture",
};

hil.problems = (attempt, entry) => {
  // What decided the verdict comes first.
  const isLess = (failure) => (failure.kind === "rig") !== (attempt.verdict === "error");
  const list = [...attempt.failures].sort((first, second) => isLess(first) - isLess(second));
  return list.map((failure) => {
    const [first, rest] = hil.firstLine(failure.message);
    const step = attempt.steps.find((one) => one.number === failure.step);
    const about =
      failure.finding &&
      [
        findingNames[failure.finding] ?? failure.finding,
        failure.program,
        failure.board && (failure.board === "host" ? "on the phone's board" : "on the accessory board"),
      ]
        .filter((part) => part)
        .join(" ");
    return hil.el(
      "article.problem",
      { "data-kind": failure.kind === "rig" ? "rig" : "product" },
      hil.sign(failure.kind === "rig" ? "error" : "failed", failure.kind === "rig" ? "of the rig" : "of the product"),
      hil.el(
        "div",
        null,
        hil.el("p.problem-first", null, first),
        rest && hil.el("pre", null, rest),
        hil.el(
          "p.problem-foot",
          null,
          about && hil.el("span.tag.finding", null, about),
          step && hil.el("span", null, `step “${step.name}”`),
          failure.place && hil.el("code", null, failure.place),
          failure.isLate && hil.el("span", null, "came too late"),
          Number.isFinite(failure.at) &&
            hil.el(
              "a",
              { href: hil.link(entry, { attempt: attempt.number, time: failure.at }) },
              hil.moment(failure.at),
            ),
        ),
      ),
    );
  });
};

// The course of a trial, or the events just before it failed: often one of them is the cause.
hil.lead = (entry, attempt, timeline) => {
  const course = hil.courseOf(timeline);
  if (course.length) return leadRows(entry, attempt, "What was tried", course);
  const first = attempt.failures.find((failure) => Number.isFinite(failure.at));
  if (!first) return null;
  const story = timeline.events
    .filter(
      (event) =>
        hil.isStory(event) && event.at <= first.at + 1e-6 && !["failure", "drawn", "expectation"].includes(event.kind),
    )
    .slice(-5);
  return story.length ? leadRows(entry, attempt, "Just before it", story) : null;
};

const leadRows = (entry, attempt, title, events) =>
  hil.el(
    "div.lead",
    null,
    hil.el("h4", null, title),
    events.map((event) =>
      hil.el(
        "a.event-row",
        {
          href: hil.link(entry, { attempt: attempt.number, time: event.at }),
          "data-late": event.isLate ? "yes" : null,
        },
        hil.el("span.event-time", null, hil.moment(event.at)),
        hil.el("span.lane-tag", { "data-lane": event.lane }, hil.laneName(event.lane)),
        hil.el("span.event-text", null, hil.eventLine(event)),
      ),
    ),
  );

hil.stepTable = (entry, attempt) => {
  if (!attempt.steps.length) return hil.el("p.quiet", null, "It has no steps.");
  const most = Math.max(...attempt.steps.map((step) => Math.max(step.budget, step.seconds ?? 0)));
  return hil.el(
    "div.steps",
    null,
    attempt.steps.map((step) => {
      const took = step.seconds ?? Math.max(0, (attempt.bodySeconds ?? attempt.seconds ?? step.at) - step.at);
      const share = Math.min(1, took / step.budget);
      const outcome = step.outcome === "done" ? "passed" : step.outcome === "threw" ? "failed" : "error";
      const word =
        step.outcome === "done"
          ? "done"
          : step.outcome === "threw"
            ? "threw"
            : step.outcome === "overran"
              ? "missed its budget"
              : "did not end";
      return hil.el(
        "a.step",
        {
          href: hil.link(entry, { attempt: attempt.number, time: step.at }),
          "data-outcome": step.outcome ?? "open",
        },
        hil.sign(outcome, word),
        hil.el(
          "span.step-name",
          null,
          step.name,
          step.outcome !== "done" && hil.el("span.step-word", null, ` ${word}`),
        ),
        hil.el(
          "span.meter",
          {
            style: { "--room": `${Math.max(4, Math.sqrt(step.budget / most) * 100)}%` },
            role: "img",
            "aria-label": `${Math.round(share * 100)} % of its budget`,
          },
          hil.el("span", { style: { width: `${share * 100}%` } }),
        ),
        hil.el(
          "span.step-time",
          null,
          hil.duration(took),
          hil.el("span.quiet", null, ` of ${hil.duration(step.budget)}`),
        ),
        hil.el("code.step-place", null, step.place),
      );
    }),
  );
};

hil.expectationList = (entry, attempt) =>
  hil.el(
    "div.expectations",
    null,
    attempt.expectations.map((expectation) =>
      hil.el(
        "a.expectation",
        {
          href: hil.link(entry, { attempt: attempt.number, time: expectation.at }),
          "data-held": expectation.held ? "yes" : "no",
        },
        hil.sign(expectation.held ? "passed" : "failed", expectation.held ? "holds" : "does not hold"),
        hil.el("span", null, expectation.text),
        hil.el("code.step-place", null, expectation.place),
      ),
    ),
  );

hil.storyboard = (entry, attempt, pick) => {
  if (!attempt.screens.length) return null;
  // The person confirmed each screen; its drawing is that of the simulated phone.
  const isInHand = hil.run(entry).rig?.startsWith("hand,");
  const strip = hil.el(
    "div.storyboard",
    { role: "list" },
    attempt.screens.map((screen) => {
      const folder = entry.folder + (attempt.folder ? `/${attempt.folder}` : "");
      return hil.el(
        "button.frame-shot",
        { type: "button", role: "listitem", "data-at": String(screen.at), onclick: () => pick(screen.at) },
        screen.light
          ? hil.screen(entry, `${folder}/${screen.light}`, screen.dark && `${folder}/${screen.dark}`, screen.title)
          : hil.el("span.screen.none", null, "not drawn"),
        hil.el("span.shot-title", null, screen.title),
        hil.el("span.quiet", null, hil.moment(screen.at)),
      );
    }),
  );
  const choice = hil.el(
    "span.segments",
    { role: "group", "aria-label": "Appearance of the screens" },
    ["light", "dark", "both"].map((look) =>
      hil.el(
        "button",
        { type: "button", "data-look": look, onclick: () => hil.showScreens(look) },
        look[0].toUpperCase() + look.slice(1),
      ),
    ),
  );
  return hil.el(
    "section",
    { id: "storyboard" },
    hil.el(
      "div.section-head",
      null,
      hil.el("h2", null, isInHand ? "What the simulated phone showed there" : "What the phone showed"),
      choice,
    ),
    strip,
  );
};

hil.showScreens = (look) => {
  document.documentElement.dataset.screens = look;
  for (const button of document.querySelectorAll("[data-look]"))
    button.setAttribute("aria-pressed", String(button.dataset.look === look));
};

hil.attemptTabs = (entry, part, number) =>
  part.attempts.length > 1 &&
  hil.el(
    "nav.attempts",
    { "aria-label": "Attempts" },
    part.attempts.map((attempt) =>
      hil.el(
        "a.attempt",
        {
          href: hil.link(entry, { attempt: attempt.number }),
          "aria-current": attempt.number === number ? "page" : null,
        },
        hil.badge(attempt.verdict ?? "interrupted", true),
        hil.el(
          "span.attempt-text",
          null,
          hil.el("b", null, `Attempt ${attempt.number}`),
          hil.el("span.quiet", null, hil.duration(attempt.bodySeconds ?? attempt.seconds)),
          attempt.failures[0] && hil.el("span.attempt-cause", null, hil.firstLine(attempt.failures[0].message)[0]),
        ),
      ),
    ),
  );

hil.commands = (entry, part, attempt) => {
  const run = hil.run(entry);
  const folder = `${run.place}/${entry.folder}${attempt.folder ? `/${attempt.folder}` : ""}`;
  const boards = part.boards?.replace(/\/?rig\.snapshot$/, "");
  return hil.el(
    "div.commands",
    null,
    entry.replay && hil.command(entry.replay, "Run it again"),
    part.evidence.some((file) => file.endsWith("capture.pcapng")) &&
      hil.command([run.program, "capture", hil.shellWord(folder)].join(" "), "Its packets"),
    part.boards &&
      hil.command(
        [run.program, "open", hil.shellWord(`${run.place}/${entry.folder}${boards ? `/${boards}` : ""}`)].join(" "),
        "Its boards, as they were",
      ),
  );
};

hil.evidence = (entry, part) => {
  if (!part.evidence.length && !part.missing.length) return null;
  const isText = (file) => !file.endsWith(".svg") && file !== "page.html";
  return hil.el(
    "section",
    { id: "evidence" },
    hil.el("h2", null, "Evidence"),
    part.missing.map((what) => hil.el("p.missing", null, hil.sign("warning"), `Missing: ${what}`)),
    !hil.files &&
      hil.el(
        "ul.files",
        null,
        part.evidence
          .filter(isText)
          .map((file) => hil.el("li", null, hil.el("a", { href: hil.file(entry, file) }, file))),
      ),
  );
};
