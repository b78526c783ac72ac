// The tree of a case: label and output side by side, one line a leaf.

const COLUMNS = ["Field", "Expected", "Actual", "Result"];
const DEEPEST_INDENT = 12;

/** Roles are spelled out, since on a phone the table is laid out as blocks and would lose them. */
function treeTable(rows) {
  const lines = rows.map(treeLine);
  const body = el("tbody", { role: "rowgroup" }, ...lines);
  lines.forEach((line, i) => {
    const button = line.querySelector("button.fold");
    if (button) button.addEventListener("click", () => fold(rows, lines, i, button));
  });
  return el("table", { class: "tree", role: "table", "aria-labelledby": "tree-title" },
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" },
      ...COLUMNS.map((name) => el("th", { scope: "col", role: "columnheader" }, name)))),
    body);
}

/** Hides or shows what lies below line i; what is folded inside it stays folded. */
function fold(rows, lines, i, button) {
  const open = button.getAttribute("aria-expanded") !== "true";
  button.setAttribute("aria-expanded", String(open));
  let foldedAt = Infinity;
  for (let j = i + 1; j < rows.length && rows[j].depth > rows[i].depth; j += 1) {
    if (rows[j].depth <= foldedAt) foldedAt = Infinity;
    lines[j].hidden = !open || rows[j].depth > foldedAt;
    const inner = lines[j].querySelector("button.fold");
    if (inner && inner.getAttribute("aria-expanded") === "false") foldedAt = Math.min(foldedAt, rows[j].depth);
  }
}

function treeLine(row) {
  const depth = Math.min(row.depth, DEEPEST_INDENT);
  const attributes = { role: "row", class: `depth-${depth} ${row.outcome ? `is-${row.outcome.replace(" ", "-")}` : "is-group"}` };
  const key = textOf(row.key, "bdi", { class: "key" });
  if (!row.outcome) return el("tr", attributes, ...groupCells(row, key));
  return el("tr", attributes,
    el("th", { scope: "row", role: "rowheader" }, key, row.moved === undefined ? "" : movedNote(row)),
    el("td", { role: "cell", "data-label": "Expected" }, valueOf(row.expected)),
    el("td", { role: "cell", "data-label": "Actual" }, valueOf(row.actual === "same" ? row.expected : row.actual)),
    el("td", { role: "cell", class: "result", "data-label": "Result" }, ...resultOf(row)));
}

function movedNote(row) {
  return el("span", { class: "moved" }, ` found at [${row.moved}]`);
}

function groupCells(row, key) {
  const alone = row.isItem ? "nothing paired with it" : "not in the output";
  const tally = row.bad ? `${row.bad} of ${row.leaves} not right` : `${row.leaves} right`;
  return [
    el("th", { scope: "row", role: "rowheader" },
      el("button", { type: "button", class: "fold", "aria-expanded": "true" }, el("span", { class: "arrow", "aria-hidden": "true" }), key)),
    el("td", { role: "cell", class: "quiet" }, row.side === "output" ? "not in the label" : ""),
    el("td", { role: "cell", class: "quiet" }, row.side === "label" ? alone : row.moved === undefined ? "" : `paired with [${row.moved}]`),
    el("td", { role: "cell", class: "quiet" }, tally),
  ];
}

function valueOf([type, parts]) {
  if (type === "absent") return el("span", { class: "value type-absent" }, "nothing");
  const text = textOf(parts, "bdi", { class: "text-value" });
  if (type !== "string") return el("span", { class: `value type-${type}` }, text);
  return el("span", { class: "value type-string" }, el("span", { class: "quote" }, "“"), text, el("span", { class: "quote" }, "”"));
}

function resultOf(row) {
  const tone = OUTCOME_TONES[row.outcome] || "bad";
  const score = row.score && row.score !== "0.0 %" ? `scores ${row.score}` : "";
  const details = [row.reason, score].filter(Boolean).join("; ");
  return [
    badge(row.outcome, tone),
    details ? el("span", { class: "reason" }, ` ${details}`) : "",
    row.rule && row.outcome !== "correct" ? el("bdi", { class: "rule" }, row.rule) : "",
  ].filter(Boolean);
}
