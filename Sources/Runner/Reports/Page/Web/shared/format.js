// Times and counts for people.

hil.count = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : (many ?? one + "s")}`;

hil.duration = (seconds) => {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "";
  if (seconds < 0.0095) return `${Math.max(0, seconds * 1000).toFixed(1)} ms`;
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 59.95) return `${Number(seconds.toFixed(seconds < 10 ? 2 : 1))} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds) % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

// Seconds since a scenario began, as its story has them.
hil.moment = (seconds) => `${seconds.toFixed(3)} s`;

const two = (number) => String(number).padStart(2, "0");
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

// A moment in UTC, so that the page says the same everywhere.
hil.date = (milliseconds) => {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime()) || milliseconds <= 0) return "";
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}, ${two(date.getUTCHours())}:${two(date.getUTCMinutes())} UTC`;
};

// The moment of the day, to the millisecond, of so many seconds after a moment in nanoseconds since 1970.
hil.clock = (zero, seconds) => {
  const milliseconds = Number(BigInt(zero) / 1_000_000n) + seconds * 1000;
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return "";
  return date.toISOString().slice(11, 23) + " UTC";
};

const verdicts = {
  failed: "Failed",
  error: "Rig error",
  flaky: "Flaky",
  interrupted: "Interrupted",
  running: "Running",
  waiting: "Waiting",
  notRun: "Not run",
  passed: "Passed",
  quarantined: "Quarantined",
  skipped: "Skipped",
};
hil.verdicts = Object.keys(verdicts);
hil.verdictName = (verdict) => (Object.hasOwn(verdicts, verdict) ? verdicts[verdict] : verdict);
hil.known = (verdict) => (Object.hasOwn(verdicts, verdict) ? verdict : "waiting");

hil.badge = (verdict, small) =>
  hil.el(
    `span.badge${small ? ".small" : ""}`,
    { "data-verdict": hil.known(verdict) },
    hil.sign(hil.known(verdict)),
    hil.el("span", null, hil.verdictName(verdict)),
  );

// The first line of a message, and the other lines.
hil.firstLine = (message) => {
  const at = message.indexOf("\n");
  return at < 0 ? [message, ""] : [message.slice(0, at), message.slice(at + 1)];
};
