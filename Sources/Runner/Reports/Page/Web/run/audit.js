// The report of an audit: what it shows and what it cannot, each control with its verdict, which characteristics are open
// to whom, what to do elsewhere, and each clause with its checks.

// What each verdict looks like: a sign beside its colour, so that colour is never the only signal. The worst is first.
const auditVerdicts = {
  breached: { sign: "failed", tone: "failed", words: "breached" },
  undecided: { sign: "error", tone: "error", words: "undecided" },
  accepted: { sign: "warning", tone: "flaky", words: "accepted" },
  holds: { sign: "passed", tone: "passed", words: "holds" },
  doesNotApply: { sign: "skipped", tone: "skipped", words: "does not apply" },
  outOfReach: { sign: "notRun", tone: "skipped", words: "out of reach" },
  notChecked: { sign: "waiting", tone: "skipped", words: "not checked" },
};
const auditOrder = Object.keys(auditVerdicts);
const auditLook = (verdict) => auditVerdicts[verdict] ?? { sign: "skipped", tone: "skipped", words: verdict };

const auditFamilies = {
  air: "On the air",
  pairing: "Pairing",
  access: "Access",
  robustness: "Robustness",
  wifi: "Wi-Fi",
  life: "Life cycle",
  paper: "Documents",
};

// What a cell of the matrix says, and what that means.
const auditCells = {
  allowed: ["yes", "allowed"],
  open: ["yes!", "allowed, and not meant"],
  refused: ["no", "refused"],
  closed: ["no!", "refused, although meant"],
  notOffered: ["·", "the characteristic does not offer it"],
  notTried: ["–", "not tried"],
};

const auditBadge = (verdict, text) => {
  const look = auditLook(verdict);
  return hil.el("span.badge.small", { "data-verdict": look.tone }, hil.sign(look.sign), text ?? look.words);
};

const auditTally = (checks) =>
  hil.el(
    "ul.audit-tally",
    null,
    auditOrder
      .map((verdict) => [verdict, checks.filter((check) => check.verdict === verdict).length])
      .filter(([, count]) => count)
      .map(([verdict, count]) => hil.el("li", null, auditBadge(verdict, `${auditLook(verdict).words} ${count}`))),
  );

const auditNotes = (check) =>
  hil.el(
    "ol.audit-notes",
    null,
    check.earlier > 0 && hil.el("li.quiet", null, `${hil.count(check.earlier, "line")} before are in its story`),
    check.notes.map((note) =>
      hil.el(
        "li",
        null,
        hil.el("span.audit-at", null, `${note.at.toFixed(3)} s`),
        hil.el("span", null, note.text, note.frames && hil.el("span.quiet", null, ` (${note.frames})`)),
      ),
    ),
  );

// What came of a check. Of a breach, and of what is accepted, all that was tried stands there, on paper too.
const auditCame = (check) => {
  const isNews = ["breached", "undecided", "accepted"].includes(check.verdict);
  const again =
    check.verdict === "breached" &&
    check.replay &&
    hil.el("p.audit-again", null, "again: ", hil.el("code", null, check.replay));
  return [
    check.reason && hil.el("p", null, check.reason),
    check.instead && hil.el("p.quiet", null, `instead: ${check.instead}`),
    check.notes.length > 0 &&
      hil.el(
        "details.audit-tried",
        { open: isNews },
        hil.el("summary", null, "what was tried, and what came"),
        auditNotes(check),
      ),
    check.seed && hil.el("p.quiet", null, `seed ${check.seed}`),
    again,
  ];
};

const auditRow = (run, check) => {
  const entry = check.id && hil.data.entries.find((other) => other.run === run && other.id === check.id);
  return hil.el(
    "tr",
    { "data-outcome": check.verdict },
    hil.el("td.audit-verdict", null, auditBadge(check.verdict)),
    hil.el(
      "th",
      { scope: "row" },
      entry ? hil.el("a", { href: hil.link(entry) }, check.sentence) : check.sentence,
      hil.el("code", null, check.control),
    ),
    hil.el("td.audit-came", null, auditCame(check)),
    hil.el(
      "td.audit-clauses",
      null,
      check.clauses.map((clause) => hil.el("span", null, clause)),
    ),
  );
};

const auditTable = (run, title, checks) =>
  checks.length > 0 && [
    hil.el("h4", null, title),
    hil.el(
      "table.audit-table",
      null,
      hil.el(
        "thead",
        null,
        hil.el(
          "tr",
          null,
          ["verdict", "control", "what came", "clauses"].map((head) => hil.el("th", { scope: "col" }, head)),
        ),
      ),
      hil.el(
        "tbody",
        null,
        checks.map((check) => auditRow(run, check)),
      ),
    ),
  ];

const auditCell = (look, row, level, operation) => {
  const [mark, meaning] = auditCells[look] ?? ["", ""];
  const told = `${level.name}: ${operation} ${row.characteristic}: ${meaning}`;
  return hil.el("td", { "data-look": look, title: told, "aria-label": told }, mark);
};

// The access matrix: characteristics down, levels across, and for each level what was tried.
const auditMatrix = ({ levels, operations, rows }) => [
  hil.el("h4", null, "Who can use which characteristic"),
  hil.el(
    "ul.audit-legend",
    null,
    Object.entries(auditCells).map(([look, [mark, meaning]]) =>
      hil.el("li", null, hil.el("span", { "data-look": look }, mark), ` ${meaning}`),
    ),
  ),
  hil.el(
    "div.audit-matrix",
    { tabindex: "0", role: "region", "aria-label": "The access matrix" },
    hil.el(
      "table",
      null,
      hil.el(
        "thead",
        null,
        hil.el(
          "tr",
          null,
          hil.el("th", { scope: "col", rowspan: 2 }, "characteristic"),
          levels.map((level) =>
            hil.el("th.audit-level", { scope: "colgroup", colspan: operations.length }, level.name),
          ),
        ),
        hil.el(
          "tr",
          null,
          levels.map(() => operations.map((operation) => hil.el("th", { scope: "col" }, operation))),
        ),
      ),
      hil.el(
        "tbody",
        null,
        rows.map((row) =>
          hil.el(
            "tr",
            null,
            hil.el(
              "th",
              { scope: "row", title: `${row.characteristic} of service ${row.service}` },
              row.name ?? hil.el("code", null, row.characteristic),
            ),
            row.cells.map((cells, level) =>
              cells.map((look, operation) => auditCell(look, row, levels[level], operations[operation])),
            ),
          ),
        ),
      ),
    ),
  ),
  levels
    .filter((level) => !level.isTried)
    .map((level) =>
      hil.el("p.fine", null, `${level.name}: not tried${level.notTried ? `, because ${level.notTried}` : ""}`),
    ),
];

const auditLeft = (checks) => {
  const others = checks.filter((check) => !check.isChosen && check.verdict === "notChecked");
  return [
    auditTable(
      undefined,
      "Out of reach, and what to do instead",
      checks.filter((check) => check.verdict === "outOfReach" && !check.id),
    ),
    auditTable(
      undefined,
      "Not checked",
      checks.filter((check) => check.verdict === "notChecked" && !check.id && check.isChosen),
    ),
    others.length > 0 &&
      hil.el("p.fine", null, `Not asked for by the command line: ${others.map((check) => check.control).join(", ")}.`),
  ];
};

const auditTarget = (run, target) => {
  const made = target.checks.filter((check) => check.id || !["outOfReach", "notChecked"].includes(check.verdict));
  return [
    hil.el(
      "div.section-head",
      null,
      hil.el("h3", null, target.title),
      hil.el("p.told", null, hil.el("code", null, target.scenario)),
    ),
    auditTally(target.checks.filter((check) => check.isChosen)),
    Object.entries(auditFamilies).map(([family, title]) =>
      auditTable(
        run,
        title,
        made.filter((check) => check.family === family),
      ),
    ),
    target.matrix && auditMatrix(target.matrix),
    auditLeft(target.checks),
    target.digests.map(([name, sum]) =>
      hil.el("p.fine.audit-digest", null, `attacked: ${name}, SHA-256 `, hil.el("code", null, sum)),
    ),
  ];
};

// The worst verdict of a control on all accessories.
const auditWorst = (targets, control) =>
  auditOrder.find((verdict) =>
    targets.some((target) => target.checks.some((check) => check.control === control && check.verdict === verdict)),
  );

const auditCatalogue = (targets, catalogue) => [
  hil.el("h4", null, catalogue.name),
  hil.el("p.fine", null, `from ${catalogue.source}`),
  hil.el(
    "table.audit-clause-table",
    null,
    hil.el(
      "thead",
      null,
      hil.el(
        "tr",
        null,
        ["clause", "asks for", "checks"].map((head) => hil.el("th", { scope: "col" }, head)),
      ),
    ),
    hil.el(
      "tbody",
      null,
      catalogue.clauses.map((clause) =>
        hil.el(
          "tr",
          null,
          hil.el("th", { scope: "row" }, clause.number),
          hil.el("td", null, clause.title),
          hil.el(
            "td",
            null,
            clause.controls.length
              ? hil.el(
                  "span.rules",
                  null,
                  clause.controls.map((control) => {
                    const look = auditLook(auditWorst(targets, control));
                    return hil.el(
                      "span.rule",
                      { "data-verdict": look.tone, title: look.words },
                      hil.sign(look.sign, look.words),
                      control,
                    );
                  }),
                )
              : hil.el("span.quiet", null, "no check is evidence for it"),
          ),
        ),
      ),
    ),
  ),
];

// The first line of the page, if the run is the audit of one accessory.
hil.auditHead = () => {
  const targets = hil.data.runs.length === 1 ? (hil.data.runs[0].audit?.targets ?? []) : [];
  return targets.length === 1 && hil.data.runs[0].isOver ? { text: targets[0].result, of: targets[0].rest } : undefined;
};

// The section of an audit; nothing for any other run.
hil.audit = (run) => {
  const { audit } = hil.data.runs[run];
  return (
    audit &&
    hil.el(
      "section.audit",
      { id: "audit" },
      hil.el("h2", null, "What strangers near it can do"),
      hil.el("p.audit-scope", null, audit.scope),
      audit.targets.map((target) => auditTarget(run, target)),
      hil.el("h3", null, "Each clause, and its checks"),
      audit.catalogues.map((catalogue) => auditCatalogue(audit.targets, catalogue)),
    )
  );
};
