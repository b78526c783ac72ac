// The list of cases: filters, search, pages.

const PAGE_SIZE = 50;
const FIELDS_SHOWN = 3;
const STATE_NAMES = { regressed: "Regressed", fixed: "Fixed", failing: "Not right", invalid: "Invalid", passed: "Right" };
const STATE_TONES = { regressed: "bad", fixed: "good", failing: "bad", invalid: "bad", passed: "good" };

const DATA = JSON.parse(document.getElementById("index").textContent);
let parsedDetails = null;
const haystacks = new Map();

/** The documents are parsed when they are first needed: that takes longer than showing the list. */
function detailOf(suite, position) {
  parsedDetails ??= JSON.parse(document.getElementById("details").textContent);
  return parsedDetails[`${suite}:${position}`] || null;
}

function statesOf(entry) {
  return [...entry.states].map((number) => DATA.states[Number(number)]);
}

/** Everything of a case that a search looks through, in lower case. */
function haystackOf(number, position) {
  const key = `${number}:${position}`;
  if (!haystacks.has(key)) {
    const suite = DATA.suites[number];
    const entry = suite.cases[position];
    const texts = [plainOf(entry.name), entry.error || ""];
    texts.push(...(entry.tags || []).map((tag) => suite.tags[tag][1]));
    texts.push(...(entry.bad || []).map((field) => suite.fields[field][1]));
    const detail = detailOf(number, position);
    if (detail) {
      texts.push(plainOf(detail.input.parts));
      for (const run of detail.runs) {
        if (run.output) texts.push(plainOf(run.output.parts));
        for (const row of run.rows) if (row.expected) texts.push(plainOf(row.expected[1]));
      }
    }
    haystacks.set(key, texts.join("\n").toLowerCase());
  }
  return haystacks.get(key);
}

/** Positions of the cases that the view's filters let through, in the order of the data set. */
function matchingCases(number, view) {
  const suite = DATA.suites[number];
  const field = suite.fields.findIndex(([key]) => key === view.field);
  const tag = suite.tags.findIndex(([key]) => key === view.tag);
  const state = String(DATA.states.indexOf(view.state));
  const words = (view.q || "").toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (entry, position) =>
    (!view.state || entry.states.includes(state)) &&
    (!view.field || (entry.bad || []).includes(field)) &&
    (!view.tag || (entry.tags || []).includes(tag)) &&
    words.every((word) => haystackOf(number, position).includes(word));
  return [...suite.cases.keys()].filter((position) => matches(suite.cases[position], position));
}

function showFilters(number, view) {
  const suite = DATA.suites[number];
  const form = document.getElementById("filters");
  if (form.dataset.suite !== String(number)) {
    form.dataset.suite = number;
    form.replaceChildren(stateFilter(suite), el("div", { class: "pickers" },
      picker("field", "Field that is wrong", "Any field", suite.fields),
      suite.tags.length ? picker("tag", "Tag", "Any tag", suite.tags) : "",
      searchBox()));
  }
  form.querySelectorAll("input[type=radio]").forEach((radio) => { radio.checked = radio.value === (view.state || ""); });
  form.querySelectorAll("select").forEach((select) => { select.value = view[select.name] || ""; });
  const search = form.querySelector("input[type=search]");
  if (document.activeElement !== search) search.value = view.q || "";
}

function stateFilter(suite) {
  const counts = DATA.states.map((_, i) => suite.cases.filter((entry) => entry.states.includes(String(i))).length);
  const states = DATA.states.map((state, i) => [state, STATE_NAMES[state], counts[i]]);
  const offered = states.filter(([state]) => suite.compared || !["regressed", "fixed"].includes(state));
  const options = [["", "All", suite.cases.length], ...offered];
  return el("fieldset", { class: "states" }, el("legend", { class: "vh" }, "State"), ...options.map(([value, name, count]) => {
    const radio = el("input", { type: "radio", name: "state", value });
    radio.addEventListener("change", () => replaceView({ state: value, page: "" }));
    return el("label", {}, radio, el("span", {}, name, " ", el("span", { class: "tally" }, count.toLocaleString("en"))));
  }));
}

function picker(name, label, any, options) {
  const select = el("select", { name, id: `pick-${name}` }, el("option", { value: "" }, any),
    ...options.map(([key, text]) => el("option", { value: key }, text)));
  select.addEventListener("change", () => replaceView({ [name]: select.value, page: "" }));
  return el("div", {}, el("label", { for: select.id }, label), select);
}

function searchBox() {
  const input = el("input", { type: "search", id: "search", autocomplete: "off", spellcheck: "false" });
  let timer = 0;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => replaceView({ q: input.value, page: "" }), 150);
  });
  return el("div", { class: "search" }, el("label", { for: "search" }, "Search ids, values, errors"), input);
}

function showList(number, view) {
  const suite = DATA.suites[number];
  showFilters(number, view);
  const found = matchingCases(number, view);
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const page = Math.min(pages, Math.max(1, Number.parseInt(view.page, 10) || 1));
  const shown = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const total = suite.cases.length.toLocaleString("en");
  document.getElementById("count").textContent =
    found.length === suite.cases.length ? `${total} cases` : `${found.length.toLocaleString("en")} of ${total} cases`;
  document.getElementById("list").replaceChildren(...shown.map((position) => caseLine(suite, position)));
  document.getElementById("pages").replaceChildren(...pageLinks(page, pages));
  document.getElementById("pages").hidden = pages === 1;
}

function caseLine(suite, position) {
  const entry = suite.cases[position];
  const states = statesOf(entry).filter((state) => state !== "failing" || entry.states.length === 1);
  const bad = (entry.bad || []).map((field) => suite.fields[field][1]);
  const more = bad.length > FIELDS_SHOWN ? ` and ${bad.length - FIELDS_SHOWN} more` : "";
  return el("li", {},
    el("a", { class: "case-link", href: linkTo({ suite: suite.key, case: entry.key, run: "", rows: "" }) }, textOf(entry.name)),
    el("span", { class: "case-states" }, ...states.map((state) => badge(STATE_NAMES[state], STATE_TONES[state]))),
    el("span", { class: "case-score" }, entry.score, entry.runs ? ` over ${entry.runs} runs` : ""),
    el("span", { class: "case-why" }, entry.error
      ? el("bdi", {}, entry.error)
      : el("span", {}, ...bad.slice(0, FIELDS_SHOWN).flatMap((name, i) => [i ? ", " : "", el("bdi", {}, name)]), more)),
    el("span", { class: "case-tags" }, ...(entry.tags || []).map((tag) => el("bdi", { class: "tag" }, suite.tags[tag][1]))),
    el("span", { class: "case-time" }, entry.time || ""));
}

function pageLinks(page, pages) {
  const step = (target, text) => (target < 1 || target > pages
    ? el("span", { class: "quiet" }, text)
    : el("a", { href: linkTo({ page: target === 1 ? "" : String(target) }) }, text));
  return [step(page - 1, "Previous"), el("span", {}, `Page ${page} of ${pages}`), step(page + 1, "Next")];
}
