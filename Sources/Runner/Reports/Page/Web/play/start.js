// Follows the server, and draws what it sends.

play.theme = (next) => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = next ?? hil.setting("theme") ?? (dark ? "dark" : "light");
  document.documentElement.dataset.theme = now;
  if (next) hil.setting("theme", next);
  document.querySelector(".theme")?.replaceChildren(hil.sign(now === "dark" ? "light" : "dark"));
};

// The clock of the boards, as far as the page knows it: the newest event, and the time since.
let heard = { at: 0, when: performance.now() };
play.now = () => heard.at + (performance.now() - heard.when) / 1000;

play.theme();
const lanes = play.lanes();
document.body.prepend(
  hil.el(
    "div.topbar",
    null,
    hil.el("span.mark", null, "hil"),
    hil.el("span.topbar-run", null, "play"),
    hil.el("span.live", null, hil.sign("running"), "live"),
    hil.el(
      "span.topbar-tools",
      null,
      hil.el("button", { type: "button", id: "again", onclick: () => play.send("again") }, "Begin again"),
      hil.el("button.theme", {
        type: "button",
        title: "Light or dark",
        onclick: () => {
          play.theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
          play.showPhone();
        },
      }),
    ),
  ),
  play.layout(lanes),
);
play.theme();

let isAsked = false;
const listLater = () => {
  if (isAsked) return;
  isAsked = true;
  setTimeout(() => {
    isAsked = false;
    play.showEvents();
  }, 250);
};

const takeFacts = (facts) => {
  Object.assign(play.facts, facts);
  if (facts.zero !== undefined) {
    play.zero = facts.zero;
    for (const event of play.events) event.at = (event.t - play.zero) / 1e9;
  }
  if (facts.scenario) {
    document.getElementById("title").textContent = hil.plain(facts.scenario.title);
    document.getElementById("name").textContent = hil.plain(facts.scenario.name);
  }
  if (facts.screen !== undefined || facts.buttons) play.showPhone();
  play.showFacts();
};
const source = new EventSource("live");
source.addEventListener("begin", () => {
  play.events = [];
  play.zero = undefined;
  heard = { at: 0, when: performance.now() };
  play.facts = { scenario: play.facts.scenario };
  play.told("");
  play.showPhone();
  listLater();
});
source.addEventListener("facts", (event) => takeFacts(JSON.parse(event.data)));
source.addEventListener("events", (event) => {
  play.takeEvents(JSON.parse(event.data));
  const last = play.events.at(-1);
  if (last && play.zero !== undefined && last.at > play.now() - 0.5) heard = { at: last.at, when: performance.now() };
  listLater();
});
source.addEventListener("error", () => document.documentElement.setAttribute("data-lost", "yes"));
source.addEventListener("open", () => document.documentElement.removeAttribute("data-lost"));

// The lanes move on with the clock. Ten times a second is enough for an eye, and little work.
setInterval(() => {
  if (!document.hidden && document.documentElement.dataset.lost !== "yes") lanes.draw();
}, 100);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  play.theme();
  play.showPhone();
});
play.showPhone();
play.showFacts();
document.documentElement.dataset.ready = String(Math.round(performance.now()));
