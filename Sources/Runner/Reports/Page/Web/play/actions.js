// What a tap means: the action of the person, as the scenario's process reads it.

const play = { facts: {}, events: [] };

// Sends something that the person does. Its answer is what happens next.
play.send = async (path, body) => {
  play.told("");
  try {
    const answer = await fetch(path, { method: "POST", body: body === undefined ? "" : JSON.stringify(body) });
    if (answer.ok) return true;
    const text = (await answer.text()).trim();
    play.told(answer.status === 503 ? "The scenario is not running: begin again." : text);
  } catch {
    play.told("hil does not answer: was it ended?");
  }
  return false;
};
play.do = (command) => play.send("do", command);
play.act = (action) => {
  const screen = play.facts.screen;
  return screen?.kind ? play.do({ act: { action, on: screen.kind } }) : undefined;
};

const choices = { allApps: { all: {} }, noApp: { none: {} } };
const accessory = (entry) => ({ entry: { id: entry } });

// - text: what the person typed, where the target asks for it.
play.action = (target, text) => {
  switch (target.control) {
    case "pick":
      return { pick: { accessory: accessory(target.entry) } };
    case "rename":
      return { rename: { name: text } };
    case "enterPasskey":
      return /^[0-9]{6}$/.test(text.replaceAll(" ", ""))
        ? { enterPasskey: { passkey: Number(text.replaceAll(" ", "")) } }
        : undefined;
    case "allowForwarding":
      return {
        allowForwarding: {
          choice: choices[target.input] ?? {
            only: { apps: text.split(/[\s,]+/).filter((app) => app) },
          },
        },
      };
    case "shareInSettings":
      return { shareInSettings: { accessory: accessory(target.entry), isOn: target.input === "switchOn" } };
    default:
      return { [target.control]: {} };
  }
};

// A dialog with a title and parts. Each button of it closes it.
play.ask = (title, ...parts) => {
  const dialog = hil.el(
    "dialog.sheet",
    { "aria-label": title },
    hil.el("h2", null, title),
    ...parts,
    hil.el("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
};

const field = (label, value, act, word) => {
  const input = hil.el("input", { type: "text", "aria-label": label, value, autocomplete: "off", spellcheck: "false" });
  return hil.el(
    "form.line",
    {
      onsubmit: (event) => {
        event.preventDefault();
        if (!input.value.trim()) return;
        act(input.value.trim());
        event.target.closest("dialog")?.close();
      },
    },
    input,
    hil.el("button", { type: "submit" }, word),
  );
};

// What a person can do with an accessory in Settings.
play.askAccessory = (target) => {
  const to = accessory(target.entry);
  const button = (word, action) =>
    hil.el(
      "button",
      {
        type: "button",
        onclick: (event) => {
          play.act(action);
          event.target.closest("dialog").close();
        },
      },
      word,
    );
  play.ask(
    target.label,
    field("New name", target.label, (name) => play.act({ renameInSettings: { accessory: to, to: name } }), "Rename"),
    hil.el(
      "div.line",
      null,
      button("Notifications of all apps", { forwardInSettings: { accessory: to, choice: { all: {} } } }),
      button("Of none", { forwardInSettings: { accessory: to, choice: { none: {} } } }),
    ),
    hil.el("div.line", null, button("Forget This Accessory", { removeInSettings: { accessory: to } })),
  );
};

play.askApps = (target) =>
  play.ask(
    "Choose Apps",
    field("Bundle identifiers", "com.example.chat", (apps) => play.act(play.action(target, apps)), "Allow"),
  );
