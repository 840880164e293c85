"use strict";

// What the page's other scripts share: making elements, signs, loading files, and where the reader is.
//
// Every text of a run may be hostile. It goes through `plain`, and into text nodes only: nothing here makes HTML of text.

const hil = {};

// A text with its control characters and its marks of direction made visible, as terminal and story show them.
hil.plain = (text) =>
  String(text).replace(
    // oxlint-disable-next-line no-control-regex
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    (character) => "#x" + character.charCodeAt(0).toString(16).toUpperCase(),
  );

// The attributes that our elements may have. No text of a run can name another.
const attributes = new Set([
  "id",
  "class",
  "href",
  "title",
  "type",
  "name",
  "value",
  "placeholder",
  "for",
  "role",
  "tabindex",
  "open",
  "hidden",
  "src",
  "alt",
  "width",
  "height",
  "loading",
  "colspan",
  "rowspan",
  "scope",
  "checked",
  "disabled",
  "list",
  "autocomplete",
  "spellcheck",
  "download",
  "datetime",
  "selected",
]);

// An element with properties and children. A child is a node, a text, or a list of those; nothing where it is empty.
hil.el = (tag, properties, ...children) => {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key.startsWith("data-") || key.startsWith("aria-") || attributes.has(key))
      element.setAttribute(key, value === true ? "" : hil.plain(value));
    else if (key === "style")
      for (const [part, setting] of Object.entries(value)) element.style.setProperty(part, setting);
    else throw new Error(`the page sets no attribute ${key}`);
  }
  hil.add(element, ...children);
  return element;
};

hil.add = (element, ...children) => {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false || child === "") continue;
    element.append(child instanceof Node ? child : document.createTextNode(hil.plain(child)));
  }
  return element;
};

// A sign: a path in a square of 16, so that colour is never the only signal.
const signs = {
  passed: "M3 8.5l3.2 3.2L13 5",
  failed: "M4 4l8 8M12 4l-8 8",
  error: "M8 3v6.2M8 12.4v.6",
  flaky: "M2.5 9.5c1.8-4 3.7-4 5.5-1.5s3.7 2.5 5.5-1.5",
  skipped: "M3.5 8h9",
  quarantined: "M5.5 3.5v9M10.5 3.5v9",
  waiting: "M8 2.2a5.8 5.8 0 100 11.6 5.8 5.8 0 000-11.6M8 5v3.3l2 1.2",
  running: "M5.5 3.5l6.5 4.5-6.5 4.5z",
  interrupted: "M4.5 4.5h7v7h-7z",
  notRun: "M3.5 12.5l9-9",
  slower: "M8 3.5v9M4.5 9l3.5 3.5L11.5 9",
  faster: "M8 12.5v-9M4.5 7L8 3.5 11.5 7",
  added: "M8 3.5v9M3.5 8h9",
  warning: "M8 3.5v5.5M8 12v.5",
  copy: "M5.5 5.5v-2h7v7h-2M3.5 5.5h7v7h-7z",
  back: "M10 3.5L5.5 8l4.5 4.5",
  next: "M6 3.5L10.5 8 6 12.5",
  light:
    "M8 5.2a2.8 2.8 0 100 5.6 2.8 2.8 0 000-5.6M8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1",
  dark: "M12.8 9.8A5.5 5.5 0 016.2 3.2a5.5 5.5 0 106.6 6.6z",
};
Object.assign(signs, {
  newlyFailed: signs.failed,
  newBreaches: signs.failed,
  noLongerAccepted: signs.failed,
  mended: signs.passed,
  newlyAccepted: signs.warning,
  fixed: signs.passed,
  newlyFlaky: signs.flaky,
  rigErrors: signs.error,
  new: signs.added,
  gone: signs.skipped,
  stillFailed: signs.failed,
  failedUnknown: signs.failed,
});

hil.sign = (kind, label) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [key, value] of Object.entries({
    viewBox: "0 0 16 16",
    width: 16,
    height: 16,
    fill: "none",
    stroke: "currentColor",
    "stroke-width": 1.7,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  }))
    svg.setAttribute(key, value);
  svg.setAttribute("class", "sign");
  if (label) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", hil.plain(label));
  } else svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", Object.hasOwn(signs, kind) ? signs[kind] : signs.waiting);
  svg.append(path);
  return svg;
};

// A command that a click copies.
hil.command = (text, label) => {
  const button = hil.el(
    "button.command",
    { type: "button", title: "Copy this command", onclick: () => hil.copy(text, button) },
    label && hil.el("span.command-label", null, label),
    hil.el("code", null, text),
    hil.sign("copy"),
  );
  return button;
};

hil.copy = (text, near) => {
  const done = (told) => {
    near?.setAttribute("data-told", told);
    setTimeout(() => near?.removeAttribute("data-told"), 1500);
  };
  // The clipboard of a page from disk may be closed to it.
  const old = () => {
    const area = hil.el("textarea.unseen", null);
    area.value = text;
    document.body.append(area);
    area.select();
    const worked = document.execCommand("copy");
    area.remove();
    done(worked ? "copied" : "could not copy");
  };
  if (navigator.clipboard?.writeText) navigator.clipboard.writeText(text).then(() => done("copied"), old);
  else old();
};

// A word for the shell of the reader.
hil.shellWord = (word) =>
  /^[\w@%+=:,./[\]-]+$/.test(word) && !/[[\]]/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

// A relative address of a file: each part of its path is escaped, and it cannot lead to another host.
hil.address = (...parts) => {
  const path = parts.filter((part) => part).join("/");
  return path
    .split("/")
    .map((part) => (part === ".." ? ".." : encodeURIComponent(part)))
    .join("/")
    .replace(/^\/+/, "");
};

// Files that are scripts with one call. The script that runs says which of them it is.
const waiting = new Map();
for (const kind of ["part", "lanes"])
  hil[kind] = (data) => {
    const take = waiting.get(document.currentScript);
    if (take) take(data);
  };

const loaded = new Map();
hil.load = (address) => {
  // A page in a single file contains its files.
  if (hil.files)
    return Object.hasOwn(hil.files, address)
      ? Promise.resolve(hil.files[address])
      : Promise.reject(new Error(`${address} is not in this page`));
  if (!loaded.has(address))
    loaded.set(
      address,
      new Promise((resolve, reject) => {
        const script = document.createElement("script");
        let content;
        waiting.set(script, (data) => (content = data));
        const end = (act, value) => {
          waiting.delete(script);
          script.remove();
          act(value);
        };
        script.addEventListener("load", () =>
          content === undefined
            ? end(reject, new Error(`${address} is not a file of this page`))
            : end(resolve, content),
        );
        script.addEventListener("error", () => end(reject, new Error(`${address} is not beside this page`)));
        script.src = address;
        document.head.append(script);
      }),
    );
  return loaded.get(address);
};
hil.forget = (address) => loaded.delete(address);

// The settings of the reader, where the browser keeps them for a page from disk.
hil.setting = (name, value) => {
  try {
    if (value !== undefined) localStorage.setItem(`hil.${name}`, value);
    return localStorage.getItem(`hil.${name}`);
  } catch {
    return null;
  }
};
