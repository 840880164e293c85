// What a person with a real phone is to do, and the buttons with their answers.

const hand = { said: [] };

hand.labels = {
  act: { done: "Done", no: "Not possible", skip: "This phone cannot do it" },
  ask: { yes: "Yes", no: "No", skip: "I cannot see it" },
  late: { wait: "Wait on", no: "It did not come" },
};

hand.send = async (number, answer) => {
  for (const button of document.querySelectorAll(".hand-answers button")) button.disabled = true;
  const told = await fetch("answer", { method: "POST", body: JSON.stringify({ number, answer }) });
  if (!told.ok) document.getElementById("lost").hidden = false;
};

hand.picture = (turn) =>
  turn.picture &&
  hil.el(
    "figure",
    null,
    hil.el("img.hand-picture", { src: `picture/${turn.number}/light`, alt: "What the simulated phone showed" }),
    hil.el("figcaption.quiet", null, "What the simulated phone showed; numbers and looks differ."),
  );

// The home's network, for as long as it is open.
hand.home = (home) =>
  home &&
  hil.el(
    "dl.hand-home",
    null,
    hil.el("dt", null, "Home's network"),
    hil.el("dd", null, home.ssid),
    hil.el("dt", null, "Passphrase"),
    hil.el("dd", null, home.passphrase ?? "none"),
  );

hand.show = (turn) => {
  if (turn.kind === "begin") hand.said = [];
  const labels = hand.labels[turn.kind] ?? {};
  document.getElementById("title").textContent =
    turn.kind === "begin" ? hil.plain(turn.text) : document.getElementById("title").textContent;
  const answers = turn.answers.map((answer) =>
    hil.el("button", { type: "button", onclick: () => hand.send(turn.number, answer) }, labels[answer] ?? answer),
  );
  document
    .getElementById("turn")
    .replaceChildren(
      hil.el("p.hand-text", null, turn.kind === "begin" ? "The scenario begins." : turn.text),
      hil.el("div.hand-answers", null, answers),
      ...[hand.home(turn.home), hand.picture(turn)].filter(Boolean),
    );
  if (turn.kind !== "begin") hand.said.unshift(turn.text);
  document
    .getElementById("said")
    .replaceChildren(...hand.said.slice(1, 12).map((text) => hil.el("p.hand-said.quiet", null, text)));
};

document.body.prepend(
  hil.el(
    "main.hand",
    null,
    hil.el("h1", { id: "title" }, "A phone in your hand"),
    hil.el("p", { id: "lost", hidden: true }, "The run is over, or it took another answer."),
    hil.el("section", { id: "turn" }, hil.el("p.hand-text", null, "Wait: the simulated phone goes first.")),
    hil.el("section", { id: "said" }),
  ),
);

const source = new EventSource("live");
source.addEventListener("facts", (event) => {
  const facts = JSON.parse(event.data);
  if (facts.turn) hand.show(facts.turn);
});
document.documentElement.dataset.ready = String(Math.round(performance.now()));
