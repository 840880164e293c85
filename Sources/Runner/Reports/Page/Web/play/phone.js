// The phone: the drawing of its screen, with a real button over each place that can be tapped.

const points = { width: 393, height: 852 };
const share = (value, whole) => `${(value / whole) * 100}%`;
const placed = (x, y, width, height) => ({
  left: share(x, points.width),
  top: share(y, points.height),
  width: share(width, points.width),
  height: share(height, points.height),
});

const tap = (target, input) => {
  if (target.input === "accessory") return play.askAccessory(target);
  if (target.input === "someApps") return play.askApps(target);
  const action = play.action(target, input?.value ?? "");
  if (action) return play.act(action);
  play.told("A passkey has six digits.");
  input?.focus();
};

// The fields and buttons of a screen, over its drawing.
const overlay = (screen) => {
  const parts = [];
  for (const target of screen.targets) {
    let input;
    if (target.field) {
      input = hil.el("input.phone-field", {
        type: "text",
        "aria-label": target.label,
        value: target.text ?? "",
        autocomplete: "off",
        spellcheck: "false",
        style: placed(...target.field),
      });
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter") tap(target, input);
      });
      if (target.control === "enterPasskey") input.inputMode = "numeric";
      parts.push(input);
    }
    parts.push(
      hil.el("button.target", {
        type: "button",
        "aria-label": target.label,
        "data-control": target.control,
        style: placed(target.x, target.y, target.width, target.height),
        onclick: () => tap(target, input),
      }),
    );
  }
  return parts;
};

// The app itself has no drawing: its buttons, and the way to Settings.
const home = (buttons) =>
  hil.el(
    "div.home",
    null,
    hil.el("p.home-app", null, "The app"),
    buttons.length
      ? buttons.map((button) =>
          hil.el(
            "button.app-button",
            {
              type: "button",
              "data-button": button.title,
              disabled: button.isRunning,
              onclick: () => play.do({ press: { button: button.title } }),
            },
            hil.el("span", null, button.title),
            button.isRunning
              ? hil.el("span.state", null, "…")
              : button.failure
                ? hil.sign("failed", "failed")
                : button.failure === ""
                  ? hil.sign("passed", "done")
                  : undefined,
          ),
        )
      : hil.el("p.home-told", null, "It works without you, and asks here when it needs you."),
    hil.el(
      "div.dock",
      null,
      hil.el(
        "button",
        { type: "button", "data-page": "switches", onclick: () => play.do({ openSettings: { page: "switches" } }) },
        "Settings",
      ),
      hil.el(
        "button",
        { type: "button", "data-page": "settings", onclick: () => play.do({ openSettings: { page: "settings" } }) },
        "Accessories",
      ),
      hil.el(
        "button",
        { type: "button", "data-page": "sharing", onclick: () => play.do({ openSettings: { page: "sharing" } }) },
        "Sharing",
      ),
    ),
  );

let drawing = 0;
// Shows the phone's screen. The old one stays until the drawing of the new one is there.
play.showPhone = async () => {
  const glass = document.getElementById("glass");
  const screen = play.facts.screen;
  drawing += 1;
  const turn = drawing;
  if (!screen?.kind) {
    glass.replaceChildren(home(play.facts.buttons ?? []));
  } else {
    const look = document.documentElement.dataset.theme === "dark" ? screen.dark : screen.light;
    const image = hil.el("img", { src: look, alt: screen.title, width: points.width, height: points.height });
    try {
      await image.decode();
    } catch {
      image.alt = `${screen.title}: its drawing is missing`;
    }
    if (turn !== drawing) return;
    const typed = glass.querySelector(".phone-field");
    const keep =
      typed && typed === document.activeElement && glass.dataset.kind === screen.kind ? typed.value : undefined;
    glass.replaceChildren(image, ...overlay(screen));
    if (keep !== undefined) {
      const again = glass.querySelector(".phone-field");
      if (again) {
        again.value = keep;
        again.focus();
      }
    }
  }
  glass.dataset.kind = screen?.kind ?? "app";
  glass.dataset.number = String(screen?.number ?? 0);
  document.dispatchEvent(new CustomEvent("screen", { detail: screen?.number ?? 0 }));
};

// Further accessories of a picker, which a real one shows when the person swipes.
play.entries = () => {
  const screen = play.facts.screen;
  if (screen?.kind !== "picker" || screen.entries.length < 2) return [];
  return screen.entries.map((entry) =>
    hil.el(
      "button.entry",
      { type: "button", onclick: () => play.act({ pick: { accessory: { entry: { id: entry.id } } } }) },
      hil.el("b", null, entry.detail || entry.title),
      hil.el(
        "span.quiet",
        null,
        [entry.address, entry.signal && `${entry.signal} dBm`].filter((part) => part).join(", "),
      ),
    ),
  );
};
