// The timeline of an attempt: every event of every source, in order of time. It comes from a file, so it is
// not trusted.

hil.lanesOf = [
  ["scenario", "Scenario"],
  ["person", "Person"],
  ["phone", "Phone"],
  ["app", "App"],
  ["accessory", "Accessory"],
  ["air", "Air"],
  ["bluetooth", "Bluetooth"],
  ["wifi", "Wi-Fi"],
  ["hostBoard", "Phone's board"],
  ["accessoryBoard", "Accessory board"],
  ["runner", "Runner"],
];
const laneNames = new Map(hil.lanesOf);
hil.laneName = (lane) => laneNames.get(lane) ?? lane;

// Format 1 had no lanes.
const laneOf = (event) => {
  if (laneNames.has(event.lane)) return event.lane;
  if (event.kind === "packet") return event.text.startsWith("802.11") ? "wifi" : "bluetooth";
  if (event.source.startsWith("host/")) return "hostBoard";
  if (event.source.startsWith("accessory/")) return "accessoryBoard";
  return laneNames.has(event.source) ? event.source : "accessory";
};

// The most events that are shown: a longer timeline is not that of a scenario.
const mostEvents = 300_000;

hil.readTimeline = (base64) => {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const file = JSON.parse(new TextDecoder().decode(bytes));
  if (!file || !Array.isArray(file.events)) throw new Error("it is not a timeline");
  const text = (value) => (typeof value === "string" ? value : undefined);
  const events = [];
  const zero = Number.isFinite(file.zero)
    ? file.zero
    : (file.events.find((event) => event?.kind === "bodyBegan")?.t ?? file.events[0]?.t ?? 0);
  let unreadable = 0;
  for (const event of file.events) {
    if (
      !event ||
      typeof event !== "object" ||
      !Number.isFinite(event.t) ||
      text(event.text) === undefined ||
      text(event.kind) === undefined ||
      text(event.source) === undefined ||
      events.length >= mostEvents
    ) {
      unreadable += 1;
      continue;
    }
    events.push({
      at: (event.t - zero) / 1e9,
      source: event.source,
      kind: event.kind,
      text: event.text,
      lane: laneOf(event),
      to: text(event.to),
      step: Number.isInteger(event.step) ? event.step : undefined,
      file: text(event.file) ?? event.text.match(/ → (screens\/[\w.-]+)$/)?.[1],
      frame: Number.isInteger(event.frame) ? event.frame : undefined,
    });
  }
  events.sort((first, second) => first.at - second.at);
  events.forEach((event, place) => (event.place = place));
  return { events, unreadable, began: events[0]?.at ?? 0, ended: events.at(-1)?.at ?? 0 };
};

hil.timeline = async (address, name) => {
  let base64;
  try {
    base64 = await hil.load(address);
  } catch {
    throw new Error(`${name} is missing: the lanes of this attempt cannot be shown.`);
  }
  try {
    return hil.readTimeline(base64);
  } catch (error) {
    throw new Error(`${name} cannot be read (${error.message}): the lanes of this attempt cannot be shown.`, {
      cause: error,
    });
  }
};

// The first place whose event is at this time or later.
hil.placeOf = (events, time) => {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle].at < time) low = middle + 1;
    else high = middle;
  }
  return low;
};

hil.isBadEvent = (event) =>
  event.kind === "failure" ||
  event.kind === "rigFailure" ||
  (event.kind === "expectation" && event.text.startsWith("does not hold"));
hil.isStory = (event) => event.kind !== "line" && event.kind !== "packet";

// Constant traffic, which says nothing about a moment.
hil.isBackground = (event) =>
  /^(802\.11 (beacon|null data|control)|(host|accessory) HCI . packets completed)/.test(event.text);

// The text without what the lane says already, and without the name of the picture's file.
hil.eventText = (event) => {
  let text = event.text.replace(/ → screens\/[\w.-]+$/, "");
  for (const start of [`${event.source}: `, "screen: ", "host HCI ", "accessory HCI ", "802.11 "])
    if (text.startsWith(start)) text = text.slice(start.length);
  return text;
};
// Its first line, where there is room for one only.
hil.eventLine = (event) => {
  const [first, rest] = hil.firstLine(hil.eventText(event));
  return rest ? `${first} …` : first;
};
