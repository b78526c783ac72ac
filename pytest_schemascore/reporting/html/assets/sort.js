// Sorting the field tables by column; the order is part of the view.

const DIRECTIONS = { asc: "ascending", desc: "descending" };

function compareValues(a, b) {
  if (a === "" || b === "") return a === b ? 0 : a === "" ? 1 : -1;
  return Number(a) - Number(b);
}

/** Sorts by the columns' data-value; rows without a value stay last in both directions. */
function sortTable(table, sort) {
  const [column, direction] = (sort || "").split(".");
  const headers = [...table.tHead.rows[0].cells];
  const index = headers.findIndex((header) => header.dataset.column === column);
  headers.forEach((header, i) => {
    if (i === index) header.setAttribute("aria-sort", DIRECTIONS[direction] || "ascending");
    else header.removeAttribute("aria-sort");
  });
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const value = (row, i) => row.cells[i].dataset.value;
  const sign = direction === "desc" ? -1 : 1;
  rows.sort((a, b) => {
    const natural = compareValues(value(a, 0), value(b, 0));
    if (index < 1) return index === 0 ? sign * natural : natural;
    const [left, right] = [value(a, index), value(b, index)];
    const order = compareValues(left, right);
    return (left === "" || right === "" ? order : sign * order) || natural;
  });
  body.append(...rows);
}

function sortTables(sort) {
  document.querySelectorAll("table.sortable").forEach((table) => sortTable(table, sort));
}

function nextSort(header) {
  const current = header.getAttribute("aria-sort");
  return `${header.dataset.column}.${current === "ascending" ? "desc" : "asc"}`;
}

function makeSortable() {
  document.querySelectorAll("table.sortable th[data-column] button").forEach((button) => {
    button.addEventListener("click", () => replaceView({ sort: nextSort(button.closest("th")) }));
  });
}
