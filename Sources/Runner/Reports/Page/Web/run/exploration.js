// The grid of an exploration: time runs down the moments of the journey, faults run across, and a cell is what came of it.

// What each outcome looks like: a mark of one character beside its colour, so that colour is never the only signal.
const outcomes = {
  unharmed: { mark: "·", kind: "passed" },
  recoveredAlone: { mark: "~", kind: "passed" },
  toldAndRecovered: { mark: "o", kind: "passed" },
  stuck: { mark: "S", kind: "failed" },
  silent: { mark: "?", kind: "failed" },
  crashed: { mark: "X", kind: "failed" },
  split: { mark: "/", kind: "failed" },
  leaked: { mark: "L", kind: "failed" },
  brokenPromise: { mark: "P", kind: "failed" },
  notReached: { mark: "–", kind: "skipped" },
  error: { mark: "!", kind: "error" },
  toGo: { mark: "□", kind: "skipped" },
  nonsense: { mark: "×", kind: "skipped" },
};

const look = (outcome) => outcomes[outcome] ?? { mark: "", kind: "skipped" };

// `linkLost` as `link lost`.
const spaced = (name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

// How many cells had each outcome, with what its mark means. Every mark of the grid is in it.
const outcomeTally = (exploration) => {
  const counts = new Map();
  const toGo = exploration.planned - exploration.cells.length;
  if (toGo > 0) counts.set("toGo", { words: "not tried", count: toGo });
  const nonsense = exploration.leftOut.reduce((count, left) => count + left.cells.length, 0);
  if (nonsense > 0) counts.set("nonsense", { words: "makes no sense there", count: nonsense });
  for (const cell of exploration.cells) {
    const told = counts.get(cell.outcome) ?? { words: cell.words, count: 0 };
    told.count += 1;
    counts.set(cell.outcome, told);
  }
  return Object.keys(outcomes)
    .filter((outcome) => counts.has(outcome))
    .map((outcome) => ({ outcome, words: counts.get(outcome).words, count: counts.get(outcome).count }));
};

const exploredCell = (entry, exploration, cell, reason, show) => {
  const moment = exploration.moments[cell.moment];
  const fault = exploration.faults[cell.fault];
  const name = `${spaced(fault)} at ${moment.name}`;
  if (!cell.outcome) {
    return hil.el(
      "td",
      {
        class: "unexplored",
        title: reason ? `${name} makes no sense: ${reason}` : `${name} was not tried`,
      },
      look(reason ? "nonsense" : "toGo").mark,
    );
  }
  const { mark, kind } = look(cell.outcome);
  const finding =
    cell.finding && hil.data.entries.find((other) => other.run === entry.run && other.id === cell.finding);
  const text = `${name}: ${cell.words}${cell.detail ? `: ${cell.detail}` : ""}`;
  const content = hil.el("span.outcome", { "data-verdict": kind, "data-outcome": cell.outcome }, mark);
  const told = {
    title: text,
    "aria-label": text,
    onfocus: () => show(text, finding),
    onmouseenter: () => show(text, finding),
  };
  return hil.el(
    "td",
    null,
    finding
      ? hil.el("a.explored", { href: hil.link(finding), ...told }, content)
      : hil.el("button.explored", { type: "button", onclick: () => show(text, finding), ...told }, content),
  );
};

// The screen of a moment, beside all the moments until the next one: its name, and the phone if there is room for it.
const screenCell = (entry, { moments, pictures }, row) => {
  const { screen } = moments[row];
  if (row > 0 && moments[row - 1].screen === screen) return undefined;
  const next = moments.findIndex((moment, other) => other > row && moment.screen !== screen);
  const rows = (next < 0 ? moments.length : next) - row;
  const picture = rows > 2 && screen && pictures[screen];
  const shown =
    picture &&
    hil.el(
      "span.explored-phone",
      { style: { "--explored-height": `${Math.min(rows - 1, 6) * 1.4}rem` } },
      hil.screen(entry, picture[0], picture[1], `the screen ${screen}`),
    );
  return hil.el("td.explored-screen", { rowspan: rows }, screen ?? "the app", shown);
};

// What the story of a trial says about its course: the fault first, and how each attempt began and ended. Empty for any
// other story.
hil.courseOf = (timeline) => {
  const notes = timeline.events.filter((event) => event.kind === "note");
  const fault = notes.findIndex((event) => event.text.startsWith("the fault: "));
  return fault < 0 ? [] : notes.slice(fault).filter((event) => /^(the fault: |attempt \d)/.test(event.text));
};

// The section of an explored scenario; nothing for any other.
hil.exploration = (entry) => {
  const { exploration } = entry;
  if (!exploration) return undefined;
  const reasons = new Map();
  for (const left of exploration.leftOut)
    for (const [moment, fault] of left.cells) reasons.set(`${moment} ${fault}`, left.reason);
  const cells = new Map(exploration.cells.map((cell) => [`${cell.moment} ${cell.fault}`, cell]));
  const told = hil.el(
    "p.explored-told.quiet",
    { "aria-live": "polite" },
    "Point at a cell, or go there by the tab key.",
  );
  const show = (text, finding) => told.replaceChildren(document.createTextNode(hil.plain(text)), finding ? " →" : "");
  // A fault that makes sense nowhere is no column.
  const columns = exploration.faults
    .map((fault, column) => ({ fault, column }))
    .filter(({ column }) => exploration.moments.some((_, row) => !reasons.has(`${row} ${column}`)));
  const made = exploration.cells.length;
  return hil.el(
    "section.exploration",
    { id: "exploration" },
    hil.el(
      "div.section-head",
      null,
      hil.el("h2", null, "Every moment, every fault"),
      hil.el(
        "p.told",
        null,
        `${hil.count(exploration.moments.length, "moment")}, ${hil.count(columns.length, "fault")}, `,
        made < exploration.planned ? `${made} of ${exploration.planned} trials` : hil.count(made, "trial"),
      ),
    ),
    hil.el(
      "ul.outcomes",
      null,
      outcomeTally(exploration).map(({ outcome, words, count }) =>
        hil.el(
          "li",
          null,
          hil.el("span.outcome", { "data-verdict": look(outcome).kind }, look(outcome).mark),
          ` ${words} ${count}`,
        ),
      ),
    ),
    exploration.pairs.map((pair) => hil.el("p.remark", null, hil.sign("failed"), pair)),
    told,
    hil.el(
      "div.explored-grid",
      { tabindex: "0", role: "region", "aria-label": "The grid of moments and faults" },
      hil.el(
        "table",
        null,
        hil.el(
          "thead",
          null,
          hil.el(
            "tr",
            null,
            hil.el("th", { scope: "col" }, "moment"),
            hil.el("th.explored-screen", { scope: "col" }, "screen"),
            columns.map(({ fault }) =>
              hil.el("th.explored-fault", { scope: "col" }, hil.el("span", null, spaced(fault))),
            ),
          ),
        ),
        hil.el(
          "tbody",
          null,
          exploration.moments.map((moment, row) =>
            hil.el(
              "tr",
              { "data-layer": moment.layer },
              hil.el(
                "th",
                { scope: "row", title: `${moment.at} s${moment.step ? `, in “${moment.step}”` : ""}` },
                moment.name,
              ),
              screenCell(entry, exploration, row),
              columns.map(({ column }) =>
                exploredCell(
                  entry,
                  exploration,
                  cells.get(`${row} ${column}`) ?? { moment: row, fault: column },
                  reasons.get(`${row} ${column}`),
                  show,
                ),
              ),
            ),
          ),
        ),
      ),
    ),
    hil.el(
      "details.explored-left",
      null,
      hil.el("summary", null, "What was left out, and why"),
      hil.el(
        "ul",
        null,
        exploration.leftOut.map((left) =>
          hil.el(
            "li",
            null,
            `${[...new Set(left.cells.map(([, fault]) => spaced(exploration.faults[fault])))].join(", ")}: ${left.reason} (${hil.count(left.cells.length, "cell")})`,
          ),
        ),
      ),
    ),
  );
};
