// The page of a run in progress, from `hil watch`: it asks its server for news, and draws them.

hil.follow = () => {
  if (!hil.data.isLive) return;
  const source = new EventSource("live");
  source.addEventListener("index", (event) => {
    hil.take(JSON.parse(event.data));
    const view = hil.view;
    if (!view) hil.show({ isNews: true });
    else if (
      view.entry &&
      (view.entry.verdict === "running" || hil.byKey.get(view.entry.key)?.verdict !== view.entry.verdict)
    ) {
      hil.forget(hil.file(view.entry, "scenario.js"));
      hil.forget(hil.file(view.entry, view.attempt?.folder, "lanes.js"));
      hil.show({ isNews: true });
    }
    if (!hil.data.isLive) source.close();
  });
  source.addEventListener("error", () => document.documentElement.setAttribute("data-lost", "yes"));
  source.addEventListener("open", () => document.documentElement.removeAttribute("data-lost"));
};
