// Shows what the address asks for.

hil.show = async ({ isNews } = {}) => {
  const root = document.getElementById("root");
  const place = hil.where();
  if (place.key === undefined) {
    hil.view = undefined;
    hil.listLink = location.hash || "#";
    const scroll = scrollY;
    const typing = document.activeElement?.id === "search" ? document.activeElement.selectionStart : undefined;
    root.replaceChildren(hil.overview(place.filter));
    if (isNews) scrollTo(0, scroll);
    if (typing !== undefined) {
      document.getElementById("search").focus();
      document.getElementById("search").setSelectionRange(typing, typing);
    }
    if (!isNews && [...place.filter.keys()].some((name) => hil.filters.includes(name)))
      document.getElementById("scenarios").scrollIntoView();
  } else {
    if (!isNews) scrollTo(0, 0);
    hil.view = { entry: hil.byKey.get(place.key) };
    const asked = location.hash;
    const view = await hil.scenario(place, root);
    if (view && hil.where().key === hil.byKey.get(place.key)?.key) hil.view = view;
    document.documentElement.dataset.shown = asked;
  }
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
};

hil.theme();
try {
  const files = document.getElementById("files");
  if (files) hil.files = JSON.parse(files.textContent);
  hil.take(JSON.parse(document.getElementById("data").textContent));
  const run = hil.data.runs[0];
  document.body.prepend(
    hil.el(
      "div.topbar",
      null,
      hil.el("a.mark", { href: "#" }, "hil"),
      hil.el(
        "span.topbar-run",
        null,
        hil.data.runs.length > 1 ? hil.count(hil.data.runs.length, "run") : (run?.name ?? ""),
      ),
      hil.data.isLive && hil.el("span.live", null, hil.sign("running"), "live"),
      hil.el(
        "span.topbar-tools",
        null,
        hil.el("button.theme", {
          type: "button",
          title: "Light or dark (t)",
          onclick: () => hil.theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"),
        }),
        hil.el("button", { type: "button", title: "Keys (?)", onclick: hil.help }, "?"),
      ),
    ),
    hil.el("div", { id: "root" }),
  );
  hil.theme();
  hil.takeKeys();
  addEventListener("hashchange", () => {
    // A link to another moment of the same attempt moves only the moment.
    const place = hil.where();
    const view = hil.view;
    if (
      view?.pick &&
      place.time !== undefined &&
      view.entry.key === place.key &&
      view.attempt.number === place.attempt
    ) {
      view.pick(place.time);
      document.getElementById("lanes").scrollIntoView({ block: "start" });
    } else hil.show();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => hil.theme());
  // The lanes are a picture, which has to be drawn in the colours for paper.
  matchMedia("print").addEventListener("change", () => hil.view?.lanes?.draw());
  hil.show();
  hil.follow();
} catch (error) {
  document.body.prepend(
    hil.el("p.missing", null, `The data of this page cannot be read: ${error.message}. “hil report” writes it again.`),
  );
  console.error(error);
}
