// The view is in the address: #suite=…&state=…&case=…. Sharing the address shares the view.

const VIEW_KEYS = ["suite", "state", "field", "tag", "q", "page", "sort", "case", "run", "rows"];
const CASE_KEYS = ["case", "run", "rows"];

/** Reads the view out of the address; a fragment without "=" names a place in the page and is no view. */
function readView() {
  const view = {};
  for (const [key, value] of new URLSearchParams(location.hash.slice(1))) {
    if (VIEW_KEYS.includes(key) && value) view[key] = value;
  }
  return view;
}

/** Returns the fragment for the current view with some keys changed; an empty value drops a key. */
function linkTo(changes) {
  const parameters = new URLSearchParams();
  const view = { ...readView(), ...changes };
  for (const key of VIEW_KEYS) if (view[key]) parameters.set(key, view[key]);
  return `#${parameters}`;
}

/** Changes the view without a step in the browser's history: for typing and toggling. */
function replaceView(changes) {
  history.replaceState(null, "", linkTo(changes));
  showView();
}

/** Makes an element; children are nodes or texts, and a text is never markup. */
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

/** Turns the parts of a text (see visible.py) into nodes, isolated from the direction of what is around. */
function textOf(parts, tag = "bdi", attributes = {}) {
  return el(tag, attributes, ...parts.map((part) => {
    if (typeof part === "string") return part;
    const [text, kind, title] = part;
    if (kind === "d") return el("mark", {}, text);
    if (kind === "g") return el("span", { class: "gap" }, ` … ${text} … `);
    return el("span", { class: "code-point", title }, text);
  }));
}

function plainOf(parts) {
  return parts.map((part) => (typeof part === "string" ? part : part[0])).join("");
}

function badge(text, tone) {
  return el("span", { class: `badge tone-${tone}` }, el("span", { class: "glyph", "aria-hidden": "true" }), text);
}
