// The list of all scenarios, with search and filters. The filters are in the address, so that a link keeps them.

hil.filters = ["q", "verdict", "tag", "rule", "axis", "run"];

hil.readFilter = (parameters) => Object.fromEntries(hil.filters.map((name) => [name, parameters.get(name) ?? ""]));
hil.filterLink = (filter) => {
  const set = Object.entries(filter).filter(([, value]) => value);
  return "#" + new URLSearchParams(set).toString();
};

hil.matches = (entry, filter) =>
  (!filter.verdict || filter.verdict.split(",").includes(entry.verdict)) &&
  (!filter.tag || entry.tags.includes(filter.tag)) &&
  (!filter.rule || entry.rules.includes(filter.rule)) &&
  (!filter.axis || entry.axes.some(([name, value]) => `${name}=${value}` === filter.axis)) &&
  (!filter.run || hil.run(entry).name === filter.run) &&
  filter.q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => entry.text.includes(word));

const chooser = (name, label, values, filter, change) => {
  if (values.length < 2 && !filter[name]) return null;
  const select = hil.el(
    "select",
    { "aria-label": label, onchange: () => change({ ...filter, [name]: select.value }) },
    hil.el("option", { value: "" }, label),
    values.map((value) => hil.el("option", { value, selected: value === filter[name] }, value)),
  );
  return hil.el(`span.chooser${filter[name] ? ".set" : ""}`, null, select);
};

hil.sorted = (values) =>
  [...new Set(values)].sort((first, second) => first.localeCompare(second, "en", { numeric: true }));

const row = (entry) =>
  hil.el(
    "a.row",
    { href: hil.link(entry), "data-verdict": hil.known(entry.verdict), "data-key": entry.key },
    hil.badge(entry.verdict, true),
    hil.el(
      "span.row-main",
      null,
      hil.el("span.row-title", null, entry.title),
      hil.el(
        "span.row-id",
        null,
        entry.id,
        entry.attempts > 1 && ` · ${entry.attempts} attempts`,
        hil.data.runs.length > 1 && ` · ${hil.run(entry).name}`,
      ),
    ),
    hil.el(
      "span.row-tags",
      null,
      entry.tags.slice(0, 6).map((tag) => hil.el("span.tag", null, tag)),
    ),
    hil.el("span.row-time", null, entry.verdict === "skipped" ? "" : hil.duration(entry.seconds)),
  );

// The part of the page with the list. It changes only itself when the filter changes.
hil.list = (parameters) => {
  const entries = hil.data.entries;
  const body = hil.el("div.rows", { id: "rows" });
  const rest = hil.el("span.filter-rest");
  const told = hil.el("p.told", { role: "status" });
  let filter = hil.readFilter(parameters);
  let drawing = 0;

  const change = (next) => {
    filter = next;
    history.replaceState(null, "", hil.filterLink(filter));
    draw();
  };
  const search = hil.el("input.search", {
    id: "search",
    type: "search",
    placeholder: "Search scenarios",
    "aria-label": "Search scenarios",
    autocomplete: "off",
    spellcheck: "false",
    value: filter.q,
    oninput: () => change({ ...filter, q: search.value }),
  });
  const bar = hil.el("div.filters", null, search, rest);
  const draw = () => {
    const found = entries.filter((entry) => hil.matches(entry, filter));
    const beside = entries.filter((entry) => hil.matches(entry, { ...filter, verdict: "" }));
    const chips = hil.tally(beside).map(([verdict, count]) => {
      const isOn = filter.verdict === verdict;
      return hil.el(
        "button.chip",
        {
          type: "button",
          "data-verdict": hil.known(verdict),
          "aria-pressed": String(isOn),
          onclick: () => change({ ...filter, verdict: isOn ? "" : verdict }),
        },
        hil.sign(hil.known(verdict)),
        hil.verdictName(verdict),
        hil.el("b", null, String(count)),
      );
    });
    // The field stays where it is, so that it keeps the focus.
    rest.replaceChildren(
      hil.el("span.chips", null, chips),
      hil.el(
        "span.choosers",
        null,
        chooser("tag", "Any tag", hil.sorted(entries.flatMap((entry) => entry.tags)), filter, change),
        chooser("rule", "Any rule", hil.sorted(entries.flatMap((entry) => entry.rules)), filter, change),
        chooser(
          "axis",
          "Any case",
          hil.sorted(entries.flatMap((entry) => entry.axes.map((axis) => axis.join("=")))),
          filter,
          change,
        ),
        hil.data.runs.length > 1 &&
          chooser("run", "Any run", hil.sorted(hil.data.runs.map((run) => run.name)), filter, change),
        hil.filters.some((name) => filter[name]) &&
          hil.el(
            "button.clear",
            {
              type: "button",
              onclick: () => {
                search.value = "";
                change(hil.readFilter(new URLSearchParams()));
                search.focus();
              },
            },
            "Clear",
          ),
      ),
    );
    told.textContent =
      found.length === entries.length
        ? hil.count(found.length, "scenario")
        : `${found.length.toLocaleString("en")} of ${hil.count(entries.length, "scenario")}`;
    // The first rows at once, the others after the browser has drawn.
    const turn = ++drawing;
    const some = (from, count) => body.append(...found.slice(from, from + count).map(row));
    body.replaceChildren();
    some(0, 60);
    if (!found.length) body.append(hil.el("p.empty", null, "No scenario matches."));
    const more = (from) => {
      if (turn !== drawing || from >= found.length) return;
      some(from, 300);
      requestAnimationFrame(() => more(from + 300));
    };
    requestAnimationFrame(() => more(60));
  };
  draw();
  const left = hil.data.leftOut;
  return hil.el(
    "section.list",
    { id: "scenarios" },
    hil.el("div.section-head", null, hil.el("h2", null, "Scenarios"), told),
    bar,
    body,
    left > 0 &&
      hil.el(
        "p.note",
        null,
        `${hil.count(left, "more scenario")} would make this page too large; summary.md and junit.xml have all.`,
      ),
    hil.files && hil.el("p.note", null, "This page is one file: failures are complete, other scenarios are brief."),
  );
};
