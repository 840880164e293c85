// The view of one scenario.

// The view. Its parts that need files come when these are loaded.
hil.scenario = async (place, root) => {
  const entry = hil.byKey.get(place.key);
  const main = hil.el("main.scenario", null);
  root.replaceChildren(main);
  if (!entry) {
    hil.add(
      main,
      hil.el("p.missing", null, hil.sign("warning"), `This run has no scenario “${place.key}”.`),
      hil.el("a", { href: "#" }, "All scenarios"),
    );
    return undefined;
  }
  document.title = `${hil.verdictName(entry.verdict)}: ${entry.title}`;
  hil.add(
    main,
    hil.el(
      "header.scenario-head",
      null,
      hil.el("a.back", { href: hil.listLink ?? "#", title: "All scenarios (Esc)" }, hil.sign("back"), "All scenarios"),
      hil.el("div.scenario-title", null, hil.badge(entry.verdict), hil.el("h1", null, entry.title)),
      hil.el(
        "p.quiet.scenario-line",
        null,
        hil.el("code", null, entry.id),
        hil.duration(entry.seconds) && ` · ${hil.duration(entry.seconds)}`,
        (entry.bench || entry.rig) && ` · ${entry.bench || `rig ${entry.rig}`}`,
        ` · ${hil.run(entry).name}`,
      ),
      hil.chips(entry),
      entry.remark && hil.el("p.remark", null, hil.sign("warning"), entry.remark),
    ),
  );
  hil.add(main, hil.exploration(entry));
  const rest = hil.el("div.scenario-rest");
  main.append(rest);
  let part;
  try {
    part = await hil.load(hil.file(entry, "scenario.js"));
  } catch (error) {
    hil.add(
      rest,
      entry.cause && hil.el("article.problem", null, hil.sign("failed"), hil.el("p.problem-first", null, entry.cause)),
      hil.el("p.missing", null, hil.sign("warning"), `Its details are missing: ${error.message}.`),
      entry.replay && hil.command(entry.replay, "Run it again"),
    );
    return undefined;
  }
  const attempt = part.attempts.find((one) => one.number === place.attempt) ?? part.attempts[0];
  if (!attempt) return undefined;
  let picked = () => {};
  const pick = (time, event) => picked(time, event);
  const lanesPlace = hil.el("div.lanes-place", null, hil.el("p.quiet", null, "…"));
  const comparePlace = hil.el("div");
  const leadPlace = hil.el("div");
  hil.add(
    rest,
    hil.attemptTabs(entry, part, attempt.number),
    hil.problems(attempt, entry),
    leadPlace,
    part.warnings.map((warning) => hil.el("p.remark", null, hil.sign("warning"), warning)),
    hil.commands(entry, part, attempt),
    hil.storyboard(entry, attempt, pick),
    hil.el("section", { id: "lanes" }, lanesPlace),
    comparePlace,
    hil.el(
      "div.columns.even",
      null,
      hil.el("section", { id: "steps" }, hil.el("h2", null, "Steps"), hil.stepTable(entry, attempt)),
      hil.el(
        "div",
        null,
        hil.el(
          "section",
          { id: "expectations" },
          hil.el("h2", null, "Expectations"),
          attempt.expectations.length
            ? hil.expectationList(entry, attempt)
            : hil.el("p.quiet", null, "No expectation was checked."),
        ),
        attempt.faults.length > 0 &&
          hil.el(
            "section",
            { id: "faults" },
            hil.el("h2", null, "Faults that fired"),
            attempt.faults.map((fault) =>
              hil.el(
                "a.expectation",
                { href: hil.link(entry, { attempt: attempt.number, time: fault.at }) },
                hil.sign("warning"),
                hil.el("span", null, fault.fault, fault.packet && ` at ${fault.packet}`),
                hil.el("span.quiet", null, `${fault.count} of ${fault.of}`),
              ),
            ),
          ),
        hil.evidence(entry, part),
      ),
    ),
  );
  hil.showScreens(document.documentElement.dataset.screens ?? "theme");
  let timeline;
  try {
    timeline = await hil.timeline(hil.file(entry, attempt.folder, "lanes.js"), "timeline.json");
  } catch (error) {
    lanesPlace.replaceChildren(
      hil.el("h2", null, "Lanes"),
      hil.el("p.missing", null, hil.sign("warning"), error.message),
    );
    return { entry, attempt };
  }
  hil.add(leadPlace, hil.lead(entry, attempt, timeline));
  const lanes = hil.drawLanes({ timeline, attempt, pick });
  const panel = hil.momentPanel({ entry, attempt, timeline, pick });
  picked = (time, event) => {
    const found = event ?? timeline.events.find((other) => Math.abs(other.at - time) < 0.0000005);
    lanes.show(time, found && hil.eventText(found));
    panel.show(time, found);
    history.replaceState(null, "", hil.link(entry, { attempt: attempt.number, time }));
    for (const shot of document.querySelectorAll(".frame-shot")) shot.removeAttribute("aria-current");
    [...document.querySelectorAll(".frame-shot")]
      .findLast((shot) => Number(shot.dataset.at) <= time + 1e-6)
      ?.setAttribute("aria-current", "true");
  };
  lanesPlace.replaceChildren(
    hil.el(
      "div.section-head",
      null,
      hil.el("h2", null, "What happened"),
      hil.el(
        "p.told",
        null,
        hil.count(timeline.events.length, "event"),
        timeline.unreadable > 0 && `, ${timeline.unreadable} that cannot be read`,
      ),
      lanes.tools,
    ),
    lanes.element,
    panel.element,
  );
  lanes.draw();
  const first = attempt.failures.find((failure) => Number.isFinite(failure.at));
  // The page of a finding opens where the last attempt failed; if none did, where the fault happened.
  const course = hil.courseOf(timeline);
  const fault =
    course.findLast(({ kind, text }) => kind === "note" && /^attempt \d+ failed/.test(text)) ??
    course.find(({ text }) => text.startsWith("the fault: "));
  const time =
    place.time ??
    first?.at ??
    fault?.at ??
    (entry.verdict === "running" ? timeline.ended : undefined) ??
    timeline.events.find((event) => event.kind === "bodyBegan")?.at ??
    timeline.began;
  const nearest =
    place.time === undefined && first
      ? timeline.events.find((event) => event.kind === "failure" && Math.abs(event.at - first.at) < 0.0005)
      : place.time === undefined
        ? fault
        : undefined;
  const address = location.hash;
  picked(nearest?.at ?? time, nearest);
  // Only somebody who picks a moment changes the address.
  history.replaceState(null, "", address);
  hil.add(comparePlace, hil.comparePart({ entry, part, attempt, timeline }));
  return { entry, attempt, lanes, panel, pick };
};
