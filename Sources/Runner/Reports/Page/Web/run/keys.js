// Keys, and the help that names them.

hil.keys = [
  ["/", "search"],
  ["j, k", "the next or the previous scenario"],
  ["Enter", "open it"],
  ["Esc", "back to all scenarios"],
  ["n, p", "the next or the previous scenario that did not pass"],
  ["→, ←", "the next or the previous event"],
  ["+, −", "zoom in, zoom out"],
  ["Shift →, Shift ←", "move along the lanes"],
  ["0, 9", "the scenario alone, or all"],
  ["f", "to the failure"],
  ["t", "light or dark"],
  ["?", "these keys"],
];

hil.help = () => {
  if (document.querySelector("dialog")) return document.querySelector("dialog").close();
  const dialog = hil.el(
    "dialog.help",
    {
      "aria-label": "Keys",
      onclose: () => dialog.remove(),
      onclick: (event) => event.target === dialog && dialog.close(),
    },
    hil.el("h2", null, "Keys"),
    hil.el(
      "dl",
      null,
      hil.keys.map(([key, what]) => [
        hil.el(
          "dt",
          null,
          key.split(", ").map((one) => hil.el("kbd", null, one)),
        ),
        hil.el("dd", null, what),
      ]),
    ),
    hil.el("p.fine", null, "A click on the lanes picks a moment, dragging moves them, and Ctrl with the wheel zooms."),
    hil.el("form", { method: undefined }, hil.el("button", { type: "button", onclick: () => dialog.close() }, "Close")),
  );
  document.body.append(dialog);
  dialog.showModal();
};

hil.theme = (next) => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = next ?? hil.setting("theme") ?? (dark ? "dark" : "light");
  document.documentElement.dataset.theme = now;
  if (next) hil.setting("theme", next);
  hil.view?.lanes?.redraw();
  document.querySelector(".theme")?.replaceChildren(hil.sign(now === "dark" ? "light" : "dark"));
};

const moveIn = (selector, by) => {
  const rows = [...document.querySelectorAll(selector)];
  if (!rows.length) return;
  const at = rows.indexOf(document.activeElement);
  const row = rows[Math.min(Math.max(at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by, 0), rows.length - 1)];
  row.focus();
  row.scrollIntoView({ block: "nearest" });
};

const toScenario = (by, isOnlyBad) => {
  const entries = hil.data.entries.filter((entry) => !isOnlyBad || hil.isBad(entry));
  if (!entries.length) return;
  const now = hil.view?.entry?.order ?? (by > 0 ? -1 : hil.data.entries.length);
  const next =
    by > 0
      ? (entries.find((entry) => entry.order > now) ?? entries[0])
      : (entries.findLast((entry) => entry.order < now) ?? entries.at(-1));
  location.hash = hil.link(next);
};

hil.takeKeys = () =>
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(input|select|textarea)$/i.test(event.target.tagName ?? "");
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      if (document.querySelector("dialog")) return;
      if (isTyping) event.target.blur();
      else if (hil.where().key !== undefined) location.hash = hil.listLink ?? "#";
      return;
    }
    if (isTyping || (document.querySelector("dialog[open]") && event.key !== "?")) return;
    const view = hil.view;
    const act = {
      "/": () => {
        if (document.getElementById("search")) document.getElementById("search").focus();
        else {
          location.hash = hil.listLink ?? "#";
          setTimeout(() => document.getElementById("search")?.focus(), 50);
        }
      },
      "?": hil.help,
      t: () => hil.theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"),
      j: () => (view ? toScenario(1) : moveIn("a.row", 1)),
      k: () => (view ? toScenario(-1) : moveIn("a.row", -1)),
      n: () => toScenario(1, true),
      p: () => toScenario(-1, true),
      ArrowRight: view?.lanes && (() => (event.shiftKey ? view.lanes.pan(0.2) : view.panel.step(1))),
      ArrowLeft: view?.lanes && (() => (event.shiftKey ? view.lanes.pan(-0.2) : view.panel.step(-1))),
      "+": view?.lanes && (() => view.lanes.zoom(0.5)),
      "=": view?.lanes && (() => view.lanes.zoom(0.5)),
      "-": view?.lanes && (() => view.lanes.zoom(2)),
      0: view?.lanes && (() => view.lanes.fit()),
      9: view?.lanes && (() => view.lanes.all()),
      f:
        view?.lanes &&
        (() => {
          const first = view.attempt.failures.find((failure) => Number.isFinite(failure.at));
          if (first) view.pick(first.at);
        }),
    }[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  });
