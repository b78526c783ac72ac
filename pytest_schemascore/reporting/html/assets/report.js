// Puts the view that the address names on the screen.

let shownCase = null;

function currentSuite(view) {
  return Math.max(0, DATA.suites.findIndex((suite) => suite.key === view.suite));
}

function showView() {
  const view = readView();
  const number = currentSuite(view);
  const inCase = view.case !== undefined && DATA.suites.length > 0;
  document.getElementById("overview").hidden = inCase;
  document.getElementById("case").hidden = !inCase;
  document.querySelectorAll("section.suite").forEach((section) => {
    section.hidden = section.dataset.suite !== String(number);
  });
  document.querySelectorAll("nav.suites a").forEach((link) => {
    if (link.dataset.suite === String(number)) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  });
  sortTables(view.sort);
  if (inCase) showCase(number, view);
  else if (DATA.suites.length) showList(number, view);
}

/** Takes the keyboard along: into a case that was opened, and back to its line in the list. */
function followLink() {
  if (location.hash && !location.hash.includes("=")) return;
  const before = shownCase;
  const view = readView();
  showView();
  shownCase = view.case || null;
  if (shownCase !== null && shownCase !== before) {
    document.getElementById("case-title").focus({ preventScroll: true });
    scrollTo(0, 0);
  } else if (shownCase === null && before !== null) {
    const lines = [...document.querySelectorAll("#list a")];
    const line = lines.find((link) => new URLSearchParams(link.hash.slice(1)).get("case") === before);
    (line || document.getElementById("main")).focus();
  } else if (shownCase === null && (view.state || view.field || view.tag)) {
    document.getElementById("cases").scrollIntoView();
  }
}

document.querySelector("a.skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
document.getElementById("cases").hidden = DATA.suites.length === 0;
makeSortable();
addEventListener("hashchange", followLink);
followLink();
