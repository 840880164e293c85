// The first screen: the result of the run, what is new, and what was run.

const headline = (tally, total) => {
  const count = (verdict) => tally.find(([name]) => name === verdict)?.[1] ?? 0;
  const parts = [];
  if (count("failed")) parts.push([`${count("failed")} failed`, "failed"]);
  if (count("error")) parts.push([hil.count(count("error"), "rig error"), "error"]);
  if (count("flaky")) parts.push([`${count("flaky")} flaky`, "flaky"]);
  if (count("running") + count("waiting")) parts.push([`${count("running") + count("waiting")} to go`, "running"]);
  if (count("notRun") + count("interrupted"))
    parts.push([`${count("notRun") + count("interrupted")} not run`, "notRun"]);
  const verdict = parts[0]?.[1] ?? (total ? "passed" : "skipped");
  if (parts.length)
    return { verdict, text: parts.map(([text]) => text).join(", "), of: `of ${hil.count(total, "scenario")}` };
  const passed = count("passed");
  if (!total) return { verdict, text: "Nothing was run", of: "" };
  return {
    verdict,
    text:
      passed === total
        ? total === 1
          ? "It passed"
          : `All ${total.toLocaleString("en")} passed`
        : `${passed.toLocaleString("en")} passed`,
    of: passed === total ? "" : `of ${hil.count(total, "scenario")}`,
  };
};

const proportions = (tally, total) =>
  hil.el(
    "div.bar",
    {
      role: "img",
      "aria-label": tally.map(([verdict, count]) => `${count} ${hil.verdictName(verdict)}`).join(", "),
    },
    tally.map(([verdict, count]) =>
      hil.el("span", {
        "data-verdict": hil.known(verdict),
        style: { "flex-grow": String(Math.max(count, total / 150)) },
      }),
    ),
  );

const attention = (entry) => {
  const [first, rest] = hil.firstLine(entry.cause ?? "");
  return hil.el(
    "a.card",
    { href: hil.link(entry), "data-verdict": hil.known(entry.verdict), "data-key": entry.key },
    entry.picture
      ? hil.el(
          "span.card-phone",
          null,
          hil.screen(entry, entry.picture[0], entry.picture[1], "the phone at that moment"),
        )
      : hil.el("span.card-phone.none", null, hil.sign(hil.known(entry.verdict))),
    hil.el(
      "span.card-text",
      null,
      hil.el(
        "span.card-head",
        null,
        hil.badge(entry.verdict, true),
        entry.step && hil.el("span.quiet", null, `in step “${entry.step}”`),
      ),
      hil.el("span.card-title", null, entry.title),
      hil.el("span.card-cause", null, first || entry.remark || "", rest && hil.el("span.quiet", null, " …")),
      hil.el(
        "span.card-foot",
        null,
        hil.el("code", null, entry.id),
        entry.place && hil.el("span", null, entry.place),
        hil.el("span", null, hil.duration(entry.seconds)),
      ),
    ),
  );
};

const remarks = () =>
  hil.data.runs
    .flatMap((run) => [
      run.signal && `The run was interrupted by signal ${run.signal}.`,
      run.missedBudget && `The run missed its budget of ${hil.duration(run.missedBudget)}.`,
      run.left,
      run.stoppedBy && `The run ended with ${run.stoppedBy}, as requested.`,
      !run.isOver && !hil.data.isLive && "The record ends before the run did.",
      run.unreadableLines &&
        `${hil.count(run.unreadableLines, "line")} of events.jsonl cannot be read, and ${run.unreadableLines === 1 ? "is" : "are"} left out.`,
    ])
    .filter((remark) => remark)
    .map((remark) => hil.el("p.remark", null, hil.sign("warning"), remark));

hil.overview = (parameters) => {
  const { entries, runs } = hil.data;
  const tally = hil.tally(entries);
  const audits = runs.map((_, run) => hil.audit(run)).filter((audit) => audit);
  const head = headline(tally, entries.length);
  Object.assign(head, hil.auditHead());
  const bad = entries
    .filter(hil.isBad)
    .sort((first, second) => hil.verdicts.indexOf(first.verdict) - hil.verdicts.indexOf(second.verdict));
  const times = runs.map((run) => run.seconds ?? 0);
  const when = [
    hil.date(runs[0]?.began ?? 0),
    times.some((time) => time) && `took ${hil.duration(Math.max(...times))}`,
    runs.length === 1 ? `on ${hil.count(runs[0].rigs || 1, "rig")}` : `in ${hil.count(runs.length, "run")}`,
  ];
  document.title = `${head.text}${head.of ? " " + head.of : ""} · ${runs[0]?.name ?? "hil"}`;
  return hil.el(
    audits.length ? "main.overview.of-audit" : "main.overview",
    null,
    hil.el(
      "header.hero",
      { "data-verdict": hil.known(head.verdict) },
      hil.el("span.hero-sign", null, hil.sign(hil.known(head.verdict))),
      hil.el(
        "div",
        null,
        hil.el("h1", null, head.text, head.of && hil.el("span.quiet", null, " " + head.of)),
        hil.el("p.quiet", null, when.filter((part) => part).join(" · ")),
      ),
    ),
    proportions(tally, entries.length),
    remarks(),
    audits,
    hil.el("div.columns.first-screen", null, [
      bad.length > 0 &&
        hil.el(
          "section",
          { id: "attention" },
          hil.el(
            "div.section-head",
            null,
            hil.el("h2", null, "Look at these"),
            hil.el("p.told", null, hil.count(bad.length, "scenario")),
          ),
          hil.el("div.cards", null, bad.slice(0, 24).map(attention)),
          bad.length > 24 &&
            hil.el(
              "p.note",
              null,
              hil.el(
                "a",
                { href: hil.filterLink({ verdict: "failed,error,flaky,interrupted" }) },
                `and ${bad.length - 24} more`,
              ),
            ),
        ),
      entries.filter((entry) => entry.exploration).map((entry) => hil.exploration(entry)),
      hil.list(parameters),
      hil.ruleCoverage(),
      hil.el("aside.narrow", null, hil.news(), hil.facts()),
    ]),
  );
};
