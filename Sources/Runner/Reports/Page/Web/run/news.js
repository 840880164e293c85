// What is new since the baseline, what was run, and the results of the rules.

const groupNames = {
  newlyFailed: "Newly failed",
  newBreaches: "New breaches",
  noLongerAccepted: "No longer accepted",
  mended: "Mended",
  newlyAccepted: "Accepted now",
  failedUnknown: "Failed, unknown before",
  newlyFlaky: "Newly flaky",
  slower: "Slower",
  rigErrors: "Errors of the rig",
  stillFailed: "Failed as before",
  fixed: "Fixed",
  faster: "Faster",
  new: "New",
  gone: "Gone",
  changePoints: "Changed for good",
};
const groupVerdict = {
  newBreaches: "failed",
  noLongerAccepted: "failed",
  mended: "passed",
  newlyAccepted: "flaky",
  newlyFailed: "failed",
  failedUnknown: "failed",
  stillFailed: "failed",
  newlyFlaky: "flaky",
  slower: "flaky",
  rigErrors: "error",
  fixed: "passed",
  faster: "passed",
};

hil.news = () => {
  const { news, runs } = hil.data;
  const title = hil.el("h2", null, news ? "Since the last good run" : "What is new");
  if (!news)
    return hil.el(
      "section.panel",
      { id: "news" },
      title,
      hil.el("p.quiet", null, "There is no earlier good run to compare with."),
    );
  const groups = news.groups.filter((group) => group.items.length);
  return hil.el(
    "section.panel",
    { id: "news" },
    title,
    hil.el("p.quiet", null, hil.el("code", null, news.baseline), hil.date(news.began) && ` · ${hil.date(news.began)}`),
    groups.length ? null : hil.el("p.calm", null, hil.sign("passed"), "Every verdict is unchanged."),
    groups.map((group) =>
      hil.el(
        "details.news",
        {
          open: group.items.length < 8 && !["stillFailed", "faster", "new", "gone"].includes(group.kind),
          "data-verdict": groupVerdict[group.kind] ?? "skipped",
        },
        hil.el(
          "summary",
          null,
          hil.sign(group.kind),
          hil.el("span", null, groupNames[group.kind] ?? group.kind),
          hil.el("b", null, String(group.items.length)),
        ),
        hil.el(
          "ul",
          null,
          group.items.map((item) => {
            const entry = hil.entryOfCase(item.scenario);
            const name = entry
              ? hil.el("a", { href: hil.link(entry) }, item.scenario)
              : hil.el("span", null, item.scenario);
            return hil.el("li", null, name, item.text && hil.el("span.quiet", null, hil.firstLine(item.text)[0]));
          }),
        ),
      ),
    ),
    hil.el("p.fine", null, news.times),
    runs.length > 1 && hil.el("p.fine", null, "Only the first run is compared."),
  );
};

hil.facts = () => {
  const one = (run) => {
    const list = [];
    const fact = (name, ...values) =>
      values.some((value) => value) && list.push(hil.el("dt", null, name), hil.el("dd", null, ...values));
    fact("Machine", run.machine);
    fact("Rigs", `${run.rigs || 1} ${run.rig}`, run.options && hil.el("span.quiet", null, `, ${run.options}`));
    fact(
      run.phones.length > 1 ? "Phones" : "Phone",
      hil.el(
        "span.versions",
        null,
        run.phones.map((phone) => hil.el("span", null, phone)),
      ),
    );
    fact("Accessory board", run.accessory);
    fact("Firmware", run.firmware && hil.el("code", null, run.firmware));
    fact("Commit", run.commit && hil.el("code", null, run.commit));
    fact("hil", run.version);
    const boards = Object.entries(run.versions);
    const isSame =
      boards.length === 2 &&
      JSON.stringify(Object.entries(boards[0][1]).sort()) === JSON.stringify(Object.entries(boards[1][1]).sort());
    for (const [board, versions] of isSame ? [["Both boards", boards[0][1]]] : boards)
      fact(
        board === "host" ? "Phone's board" : board === "accessory" ? "Accessory" : board,
        hil.el(
          "span.versions",
          null,
          Object.entries(versions)
            .sort()
            .map(([name, version]) => hil.el("span", null, hil.el("span.quiet", null, name + " "), version)),
        ),
      );
    fact("Boards", run.choice && hil.el("span.quiet", { title: run.choice }, run.choice.split(/: | \(/)[0]));
    return hil.el("dl.facts", null, list);
  };
  const { runs } = hil.data;
  return hil.el(
    "section.panel",
    { id: "facts" },
    hil.el("h2", null, "What was run"),
    runs.length === 1
      ? one(runs[0])
      : runs.map((run) =>
          hil.el(
            "details.run",
            null,
            hil.el("summary", null, hil.el("code", null, run.name), ` ${hil.duration(run.seconds)}`),
            one(run),
          ),
        ),
  );
};

// The result of a rule: the worst verdict of the scenarios that cover it.
hil.ruleCoverage = () => {
  const covered = new Map();
  const order = [
    "failed",
    "error",
    "flaky",
    "interrupted",
    "running",
    "waiting",
    "notRun",
    "passed",
    "quarantined",
    "skipped",
  ];
  for (const entry of hil.data.entries)
    for (const rule of entry.rules) {
      const seen = covered.get(rule) ?? { verdict: entry.verdict, count: 0 };
      seen.count += 1;
      if (order.indexOf(entry.verdict) < order.indexOf(seen.verdict)) seen.verdict = entry.verdict;
      covered.set(rule, seen);
    }
  const texts = new Map(hil.data.rules.map((rule) => [rule.id, rule.text]));
  const ids = texts.size
    ? [...texts.keys(), ...[...covered.keys()].filter((id) => !texts.has(id))]
    : hil.sorted([...covered.keys()]);
  if (!ids.length) return null;
  const chips = ids.map((id) => {
    const seen = covered.get(id);
    const label = seen
      ? `${hil.verdictName(seen.verdict)}, ${hil.count(seen.count, "scenario")}`
      : "not covered in this run";
    const title = `${id}: ${label}${texts.has(id) ? "\n" + texts.get(id) : ""}`;
    return seen
      ? hil.el(
          "a.rule",
          { href: hil.filterLink({ rule: id }), title, "data-verdict": hil.known(seen.verdict) },
          hil.sign(hil.known(seen.verdict), label),
          id,
        )
      : hil.el("span.rule.bare", { title }, id);
  });
  const told = texts.size
    ? `${covered.size} of ${hil.count(ids.length, "rule")} covered in this run`
    : hil.count(ids.length, "rule");
  return hil.el(
    "section",
    { id: "rules" },
    hil.el("div.section-head", null, hil.el("h2", null, "Rules"), hil.el("p.told", null, told)),
    hil.el("div.rules", null, chips),
  );
};
