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

// How many rows the course has before the fault, and of each attempt from its begin and before its end.
const [rowsBefore, firstRows, lastRows] = [3, 3, 9];

// What an event is in the course of a trial: what the app does and is told, what crosses the link, what the person and the
// accessory do. Nothing for an event that every attempt has, or that others tell better.
const courseText = ({ lane, kind, text }) => {
  const own = text.replace(/^(app|person|Bluetooth): /, "");
  if (lane === "app" && kind === "told") return text.replace(/^told [^:]+: /, "is told: ");
  if (lane === "app" && kind === "called") {
    return / (was launched|was terminated|activated a session)\b/.test(own) ? undefined : own.replace(/^\S+ /, "");
  }
  if (lane === "phone" && kind === "note") return /^(discovery|reading) of /.test(own) ? undefined : own;
  if (lane === "scenario" && kind === "note") return text.startsWith("in the trial: ") ? text : undefined;
  return lane === "person" || (lane === "accessory" && kind !== "line") ? own : undefined;
};

// The rows of an attempt. A long one is folded in its middle, because its last rows show how it ended.
const folded = (rows) => {
  const more = rows.length - firstRows - lastRows;
  if (more < 2) return rows;
  const place = { ...rows[firstRows], text: `… ${more} more`, lane: "scenario", isLate: false };
  return [...rows.slice(0, firstRows), place, ...rows.slice(-lastRows)];
};

// Adds a row, or one to how often the last one came.
const addRow = (rows, event, text) => {
  const last = rows.at(-1);
  if (last?.told === text) {
    last.count += 1;
    last.text = `${text} (${last.count} times)`;
  } else {
    rows.push({ ...event, text, told: text, count: 1 });
  }
};

// The course of a trial, from a little before the fault: how each attempt began and ended, and what each side did. What
// belongs to an attempt that is over says so. Empty for any other story.
hil.courseOf = (timeline) => {
  const start = timeline.events.findIndex((event) => event.kind === "note" && event.text.startsWith("the fault: "));
  if (start < 0) return [];
  const course = [];
  let rows = [];
  for (const event of timeline.events.slice(0, start)) {
    const text = courseText(event);
    if (text) addRow(rows, event, text);
  }
  rows = rows.slice(-rowsBefore);
  let [attempt, attemptOfApp] = [1, 1];
  const isMark = ({ kind, text }) => kind === "note" && /^(the fault: |attempt \d)/.test(text);
  for (const event of timeline.events.slice(start)) {
    if (isMark(event)) {
      const [, number, isLate] = event.text.match(/^attempt (\d+)(, late)?[:,]/) ?? [];
      if (number && !isLate) attempt = Number(number);
      course.push(...folded(rows), { ...event, isLate: Boolean(isLate) });
      rows = [];
    } else if (event.lane === "app" && event.kind === "called" && / was launched\b/.test(event.text)) {
      attemptOfApp = attempt;
    } else {
      const text = courseText(event);
      const isLate = event.lane === "app" && attemptOfApp < attempt;
      if (text) addRow(rows, { ...event, isLate }, isLate ? `attempt ${attemptOfApp}, late: ${text}` : text);
    }
  }
  return course;
};

// All trials as a table, in the order of the journey: what the grid says only at a cell, for the keyboard and for paper.
const trialList = (entry, exploration) => {
  const cells = [...exploration.cells].sort(
    (first, second) => first.moment - second.moment || first.fault - second.fault,
  );
  if (!cells.length) return undefined;
  const finding = (cell) =>
    cell.finding && hil.data.entries.find((other) => other.run === entry.run && other.id === cell.finding);
  const row = (cell) => {
    const { mark, kind } = look(cell.outcome);
    const found = finding(cell);
    return hil.el(
      "tr",
      null,
      hil.el("th", { scope: "row" }, exploration.moments[cell.moment].name),
      hil.el("td", null, spaced(exploration.faults[cell.fault])),
      hil.el(
        "td",
        null,
        hil.el("span.outcome", { "data-verdict": kind, "aria-hidden": "true" }, mark),
        " ",
        found ? hil.el("a", { href: hil.link(found) }, cell.words) : cell.words,
      ),
      hil.el("td.explored-detail", null, cell.detail),
      hil.el("td", null, hil.duration(cell.seconds)),
    );
  };
  return hil.el(
    "details.explored-list",
    { open: cells.length <= mostOpen },
    hil.el("summary", null, `All trials as a list (${cells.length})`),
    hil.el(
      "div.explored-rows",
      { tabindex: "0", role: "region", "aria-label": "All trials" },
      hil.el(
        "table",
        null,
        hil.el(
          "thead",
          null,
          hil.el(
            "tr",
            null,
            ["moment", "fault", "outcome", "what was wrong", "time"].map((name) =>
              hil.el("th", { scope: "col" }, name),
            ),
          ),
        ),
        hil.el("tbody", null, cells.map(row)),
      ),
    ),
  );
};

// A longer list of trials is folded. Paper has all of it.
const mostOpen = 12;
addEventListener("beforeprint", () => {
  for (const list of document.querySelectorAll(".explored-list, .explored-left")) list.open = true;
});

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
    trialList(entry, exploration),
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
