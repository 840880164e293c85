// What the browser would ignore in a style sheet: queries, selectors, and declarations whose property or value it does not
// know. It takes the sheet's text.
globalThis.unknownStyles = (text) => {
  const unknown = [];
  const [rules, frames] = [["@media", "@supports", "@container", "@layer"], ["@keyframes"]];

  // The parts of a text between a separator, outside of strings and brackets.
  const split = (whole, separator) => {
    const parts = [""];
    let [depth, quote] = [0, ""];
    for (const character of whole) {
      if (quote) quote = character === quote ? "" : quote;
      else if (character === '"' || character === "'") quote = character;
      else if ("([".includes(character)) depth += 1;
      else if (")]".includes(character)) depth -= 1;
      if (character === separator && !depth && !quote) parts.push("");
      else parts[parts.length - 1] += character;
    }
    return parts.map((part) => part.trim()).filter((part) => part);
  };

  const declare = (declaration) => {
    const colon = declaration.indexOf(":");
    const [name, value] = [declaration.slice(0, colon), declaration.slice(colon + 1).replace(/!important\s*$/, "")];
    if (!name.startsWith("--") && !CSS.supports(name, value)) unknown.push(declaration);
  };

  // Parts of elements that only Safari has are no mistake.
  const isUnknown = (selector) => !selector.includes("::-webkit-") && !CSS.supports(`selector(${selector})`);

  // The kind of a block: whether it has rules, frames of an animation, or declarations.
  const open = (head, kind) => {
    const word = head.split(/[\s(]/)[0];
    if (frames.includes(word)) return "frames";
    if (rules.includes(word)) {
      if (word === "@media" && matchMedia(head.slice(word.length)).media === "not all") unknown.push(head);
      return "rules";
    }
    if (word.startsWith("@")) unknown.push(head);
    else if (kind !== "frames") unknown.push(...split(head, ",").filter(isUnknown));
    return "declarations";
  };

  const kinds = ["rules"];
  let [rest, quote] = ["", ""];
  for (const character of text.replace(/\/\*[^]*?\*\//g, "")) {
    if (quote) quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    if (quote || !"{};".includes(character)) {
      rest += character;
      continue;
    }
    if (character === "{") kinds.push(open(rest.trim(), kinds.at(-1)));
    else if (rest.trim()) declare(rest.trim());
    if (character === "}") kinds.pop();
    rest = "";
  }
  if (kinds.length !== 1) unknown.push(`${kinds.length - 1} blocks without an end`);
  return unknown;
};
