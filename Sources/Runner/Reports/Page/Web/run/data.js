// What the page knows: the runs, and a line for each scenario.

hil.take = (data) => {
  hil.data = data;
  // A folder names a scenario, in its run; so do links.
  data.entries.forEach((entry, place) => {
    entry.order = place;
    entry.key = data.runs.length > 1 ? `${data.runs[entry.run].name}/${entry.folder}` : entry.folder;
    entry.text = [entry.title, entry.id, ...entry.tags, ...entry.rules, entry.cause ?? "", entry.step ?? ""]
      .join(" ")
      .toLowerCase();
  });
  hil.byKey = new Map(data.entries.map((entry) => [entry.key, entry]));
};

hil.run = (entry) => hil.data.runs[entry.run];
hil.file = (entry, ...parts) => hil.address(hil.run(entry).path, entry.folder, ...parts);
hil.picture = (entry, path) => {
  const address = hil.address(hil.run(entry).path, path);
  if (!hil.files) return address;
  // A picture in the page is a drawing as text. An image element runs none of its scripts.
  return Object.hasOwn(hil.files, address) ? `data:image/svg+xml,${encodeURIComponent(hil.files[address])}` : "data:,";
};
hil.isBad = (entry) => ["failed", "error", "flaky", "interrupted"].includes(entry.verdict);
hil.tally = (entries) => {
  const tally = new Map();
  for (const entry of entries) tally.set(entry.verdict, (tally.get(entry.verdict) ?? 0) + 1);
  return hil.verdicts.filter((verdict) => tally.has(verdict)).map((verdict) => [verdict, tally.get(verdict)]);
};

// The identifier without its round: `join[security=wpa3]#2` is the second round of `join[security=wpa3]`.
hil.caseOf = (id) => id.replace(/#\d+$/, "");
hil.entryOfCase = (id) =>
  hil.data.entries.find((entry) => entry.id === id) ?? hil.data.entries.find((entry) => hil.caseOf(entry.id) === id);

// Where the reader is, in the address behind #: `s/FOLDER/a2/t=1.214`, or the filters of the list.
hil.link = (entry, place = {}) => {
  let link = `#s/${encodeURIComponent(entry.key)}`;
  if (place.attempt > 1) link += `/a${place.attempt}`;
  if (place.view) link += `/${place.view}`;
  if (place.time !== undefined) link += `/t=${Number(place.time).toFixed(6).replace(/0+$/, "").replace(/\.$/, "")}`;
  return link;
};

hil.where = () => {
  const words = location.hash.replace(/^#/, "").split("/");
  const decode = (word) => {
    try {
      return decodeURIComponent(word);
    } catch {
      return word;
    }
  };
  if (words[0] !== "s") return { filter: new URLSearchParams(location.hash.replace(/^#\??/, "")) };
  const place = { key: decode(words[1] ?? ""), attempt: 1 };
  for (const word of words.slice(2)) {
    if (/^a\d+$/.test(word)) place.attempt = Number(word.slice(1));
    else if (/^t=-?\d+(\.\d+)?$/.test(word)) place.time = Number(word.slice(2));
    else if (word === "compare") place.view = word;
  }
  return place;
};
