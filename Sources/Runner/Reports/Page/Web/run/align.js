// Two timelines of one scenario, aligned by their steps, and the first event that differs.
//
// Compared is the story: steps, expectations, person, phone, app, accessory and air. Packets and lines of logs come in
// another order each time. So do events of different lanes within a step, so each lane of a step is compared
// separately. What an exploration itself does differs in each trial: its fault, its attempts, and how it waits for its
// moment.

const storyLanes = new Set(["scenario", "person", "phone", "app", "accessory", "air"]);
const isOfExploration = ({ kind, lane, text }) =>
  (kind === "note" && /^(the fault: |attempt \d)/.test(text)) ||
  (lane === "air" && /^air: fault \d+ of \d+: noticed /.test(text));
const isCompared = (event) =>
  hil.isStory(event) &&
  storyLanes.has(event.lane) &&
  !["drawn", "onAir", "bodyEnded", "failure"].includes(event.kind) &&
  !isOfExploration(event);

// The text without what differs each time: times, random numbers and addresses, the names of pictures.
hil.essence = (event) =>
  hil
    .eventText(event)
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "‹id›")
    .replace(/\b(?!02:00:00:00)[0-9a-f]{2}(:[0-9a-f]{2}){5}\b/gi, "‹address›")
    .replace(/\b\d+(\.\d+)?( | )?(µs|ms|s|min|h)\b/g, "‹time›")
    .replace(/(passkey\D{0,10})\d{1,6}\b/gi, "$1‹number›")
    .replace(/\b\d{3} ?\d{3}\b/g, "‹number›")
    .replace(/\b(0x)?[0-9a-f]{8,}\b/gi, "‹bytes›");

// The events of each step, under the step's name and its place among the steps of that name.
const bySteps = (events) => {
  const groups = [];
  const found = new Map();
  const names = new Map();
  const counts = new Map();
  const group = (key, name, at) => {
    if (!found.has(key)) {
      const made = { key, name, at, events: [] };
      found.set(key, made);
      groups.push(made);
    }
    return found.get(key);
  };
  let between = "before the first step";
  for (const event of events) {
    if (event.kind === "stepBegan") {
      const name = event.text.replace(/^step “|”$/g, "");
      counts.set(name, (counts.get(name) ?? 0) + 1);
      const key = counts.get(name) > 1 ? `${name} (${counts.get(name)})` : name;
      names.set(event.step, key);
      group(key, key, event.at);
    }
    if (!isCompared(event) || event.at < -1e-6) continue;
    const step = event.step === undefined ? undefined : names.get(event.step);
    if (step === undefined) group(between, between, event.at).events.push(event);
    else group(step, step, event.at).events.push(event);
    if (event.kind === "stepEnded") {
      const key = names.get(event.step);
      if (key !== undefined) between = `after “${key}”`;
    }
  }
  return groups;
};

// The pairs of a longest common subsequence of two lists of texts: places in the first and the second.
hil.commonPairs = (first, second) => {
  let start = 0;
  while (start < first.length && start < second.length && first[start] === second[start]) start += 1;
  let ends = 0;
  while (
    ends < first.length - start &&
    ends < second.length - start &&
    first[first.length - 1 - ends] === second[second.length - 1 - ends]
  )
    ends += 1;
  const pairs = [];
  for (let place = 0; place < start; place += 1) pairs.push([place, place]);
  const [rows, columns] = [first.length - start - ends, second.length - start - ends];
  // Two long parts that have nothing to do with each other are not worth minutes.
  if (rows * columns > 0 && rows * columns <= 4_000_000) {
    const lengths = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1));
    for (let row = rows - 1; row >= 0; row -= 1)
      for (let column = columns - 1; column >= 0; column -= 1)
        lengths[row][column] =
          first[start + row] === second[start + column]
            ? lengths[row + 1][column + 1] + 1
            : Math.max(lengths[row + 1][column], lengths[row][column + 1]);
    let [row, column] = [0, 0];
    while (row < rows && column < columns) {
      if (first[start + row] === second[start + column]) pairs.push([start + row++, start + column++]);
      else if (lengths[row + 1][column] >= lengths[row][column + 1]) row += 1;
      else column += 1;
    }
  }
  for (let place = ends; place > 0; place -= 1) pairs.push([first.length - place, second.length - place]);
  return pairs;
};

// Events without a partner in their step and lane that have one in another order, or in the step before or after: what
// runs side by side comes now earlier, now later.
const pairElsewhere = (steps) => {
  const alone = steps.map((step) =>
    step.sides.map((part) => (part?.events ?? []).filter((event) => !step.partner.has(event))),
  );
  steps.forEach((step, place) => {
    for (const event of alone[place][0]) {
      for (const near of [place, place + 1, place - 1]) {
        const other = alone[near]?.[1].find(
          (one) => one.lane === event.lane && !steps[near].partner.has(one) && hil.essence(one) === hil.essence(event),
        );
        if (!other) continue;
        step.partner.set(event, other);
        steps[near].partner.set(other, event);
        break;
      }
    }
  });
};

// How much later than its partner an event came, in seconds, where the time since the event before it grew:
// `late` has the event of the second side.
const leastDelay = 0.5;
const markLate = (steps) => {
  for (const step of steps) {
    step.late = new Map();
    if (!step.sides[0] || !step.sides[1]) continue;
    let known = 0;
    for (const event of step.sides[1].events) {
      const partner = step.partner.get(event);
      if (!partner || !step.sides[0].events.includes(partner)) continue;
      const delay = event.at - step.sides[1].at - (partner.at - step.sides[0].at);
      if (delay - known >= leastDelay) step.late.set(event, delay - known);
      known = Math.max(known, delay);
    }
  }
};

// What is on each side of each step, which events have no partner, and the first of them on either side. If the side that
// differs first lacks something, `after` is the last event of it that still has a partner.
hil.align = (before, now) => {
  const [first, second] = [bySteps(before), bySteps(now)];
  const keys = second.map((group) => group.key);
  // Steps that only the first side has keep their place there.
  first.forEach((group, place) => {
    if (keys.includes(group.key)) return;
    const previous = first[place - 1];
    keys.splice(previous ? keys.indexOf(previous.key) + 1 : 0, 0, group.key);
  });
  const steps = keys.map((key) => {
    const sides = [first, second].map((groups) => groups.find((group) => group.key === key));
    const partner = new Map();
    for (const lane of storyLanes) {
      const lists = sides.map((side) => (side?.events ?? []).filter((event) => event.lane === lane));
      for (const [left, right] of hil.commonPairs(lists[0].map(hil.essence), lists[1].map(hil.essence))) {
        partner.set(lists[0][left], lists[1][right]);
        partner.set(lists[1][right], lists[0][left]);
      }
    }
    return { key, sides: sides.map((side) => side && { at: side.at, events: side.events }), partner };
  });
  pairElsewhere(steps);
  markLate(steps);
  let difference;
  for (const step of steps) {
    const alone = step.sides.map((side) => side?.events.find((event) => !step.partner.has(event)));
    if (!alone[0] && !alone[1] && step.sides[0] && step.sides[1]) continue;
    const after = alone.map((event, place) => {
      if (event || !step.sides[place]) return undefined;
      // How far this side came with the events before the difference on the other.
      const other = alone[1 - place];
      const shared =
        step.sides[1 - place]?.events.filter(
          (candidate) => step.partner.has(candidate) && (!other || candidate.at <= other.at),
        ) ?? [];
      return shared.length ? step.partner.get(shared.at(-1)) : undefined;
    });
    difference = { step: step.key, events: alone, after };
    break;
  }
  // The late events up to the first difference, which they may explain.
  const lateSteps = steps.slice(
    0,
    difference ? steps.findIndex((step) => step.key === difference.step) + 1 : steps.length,
  );
  const late = lateSteps
    .flatMap((step) => [...step.late].map(([event, by]) => ({ step: step.key, event, by })))
    .find(({ event }) => !difference?.events[1] || event.at <= difference.events[1].at);
  return { steps, difference, late };
};
