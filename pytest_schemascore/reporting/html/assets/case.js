// One case: its input, and what was expected beside what came.

const MANY_ROWS = 40;
const RIGHT = ["correct", "not scored"];
const OUTCOME_TONES = { correct: "good", "not scored": "none", "not judged": "quiet" };

function showCase(number, view) {
  const suite = DATA.suites[number];
  const article = document.getElementById("case");
  const position = suite.cases.findIndex((entry) => entry.key === view.case);
  if (position < 0) {
    article.replaceChildren(backLink(), el("h1", { id: "case-title", tabindex: "-1" }, "No such case"),
      el("p", {}, "This report has no case ", el("bdi", {}, view.case), " in this suite."));
    return;
  }
  const entry = suite.cases[position];
  const detail = detailOf(number, position);
  article.replaceChildren(
    caseNavigation(number, position, view),
    el("header", {},
      el("h1", { id: "case-title", tabindex: "-1" }, textOf(entry.name)),
      el("p", { class: "case-states" },
        ...statesOf(entry).map((state) => badge(STATE_NAMES[state], STATE_TONES[state])),
        ...(entry.tags || []).map((tag) => el("bdi", { class: "tag" }, suite.tags[tag][1])))),
    ...(detail ? caseBody(detail, view) : [summaryOnly(entry)]));
}

function summaryOnly(entry) {
  return el("p", { class: "quiet" }, `Score ${entry.score || "none"}${entry.time ? `, ${entry.time}` : ""}. `,
    "The documents of this case are left out to keep the file small; the JSON report has them.");
}

function backLink() {
  return el("a", { href: linkTo({ case: "", run: "", rows: "" }) }, "← All cases");
}

/** Previous and next go through the list as it is filtered now. */
function caseNavigation(number, position, view) {
  const suite = DATA.suites[number];
  const found = matchingCases(number, view);
  const here = found.indexOf(position);
  const step = (target, text) => (here < 0 || target < 0 || target >= found.length
    ? el("span", { class: "quiet" }, text)
    : el("a", { href: linkTo({ case: suite.cases[found[target]].key, run: "", rows: "" }) }, text));
  return el("nav", { class: "case-nav", "aria-label": "Cases" }, backLink(),
    el("span", { class: "steps" }, step(here - 1, "Previous"),
      here < 0 ? "" : el("span", { class: "quiet" }, `${here + 1} of ${found.length}`), step(here + 1, "Next")));
}

function caseBody(detail, view) {
  const runs = detail.runs.length;
  const chosen = Math.min(runs, Math.max(1, Number.parseInt(view.run, 10) || 1));
  return [
    runs > 1 ? runLinks(detail, chosen) : "",
    ...runBody(detail.runs[chosen - 1], view),
    documentBlock("Input", detail.input, true),
    ...runDocuments(detail.runs[chosen - 1]),
  ].filter(Boolean);
}

function runLinks(detail, chosen) {
  return el("nav", { class: "runs", "aria-label": "Runs of this case" }, ...detail.runs.map((run, i) =>
    el("a", { href: linkTo({ run: String(i + 1), rows: "" }), "aria-current": i + 1 === chosen ? "true" : null },
      `Run ${i + 1} `, el("span", { class: "tally" }, run.score || "none"))),
  detail.runsLeftOut ? el("span", { class: "quiet" }, `${detail.runsLeftOut} more in the JSON report`) : "");
}

function runBody(run, view) {
  const facts = [["Score", run.score || "none"], ...run.facts];
  const parts = [el("dl", { class: "case-facts" }, ...facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))))];
  if (run.error) {
    parts.push(el("section", { class: "error", "aria-label": "Error" },
      el("p", {}, badge(`Invalid: ${run.error[0]}`, "bad")), textBlock(run.error[1], "Error message")));
  }
  for (const note of run.notes) parts.push(el("p", { class: "warning" }, el("strong", {}, "Note. "), textOf(note.parts)));
  for (const message of run.judgeErrors) parts.push(el("p", { class: "warning" }, el("strong", {}, "A judge failed. "), textOf(message.parts)));
  parts.push(...comparison(run, view));
  return parts;
}

function comparison(run, view) {
  if (!run.rows.length) return [];
  const isBad = (row) => (row.outcome ? !RIGHT.includes(row.outcome) : row.bad > 0);
  const bad = run.rows.filter((row) => row.outcome && isBad(row)).length;
  const only = view.rows ? view.rows === "bad" : run.rows.length > MANY_ROWS && bad > 0;
  const box = el("input", { type: "checkbox", checked: only });
  box.addEventListener("change", () => replaceView({ rows: box.checked ? "bad" : "all" }));
  const leftOut = run.leavesLeftOut ? ` ${run.leavesLeftOut.toLocaleString("en")} more leaves are left out.` : "";
  return [
    el("div", { class: "tree-head" }, el("h2", { id: "tree-title" }, "Expected and actual"),
      el("label", { class: "only" }, box, " Only what isn’t right")),
    leftOut ? el("p", { class: "quiet" }, leftOut.trim()) : "",
    only && !bad ? el("p", { class: "quiet" }, "Everything is right.") : "",
    treeTable(only ? run.rows.filter(isBad) : run.rows),
  ].filter(Boolean);
}

function documentBlock(title, text, open) {
  return el("details", { class: "document", open }, el("summary", {}, title), textBlock(text, title));
}

function runDocuments(run) {
  return [
    run.output ? documentBlock(run.error ? "Output, as it came" : "Whole output", run.output, Boolean(run.error)) : "",
    run.metadata ? documentBlock("Metadata", run.metadata, false) : "",
  ];
}

function textBlock(text, label) {
  return el("div", {}, el("div", { class: "text", tabindex: "0", role: "region", "aria-label": label }, textOf(text.parts)),
    text.note ? el("p", { class: "quiet" }, text.note) : "");
}
