// The index of reports: a click on a heading sorts the table by its column, a second one the other way.

for (const table of document.querySelectorAll("table.sorts")) {
  const body = /** @type {HTMLTableSectionElement} */ (table.querySelector("tbody"));
  const headings = [...table.querySelectorAll("thead th")];
  headings.forEach((heading, column) => {
    heading.querySelector("button")?.addEventListener("click", () => {
      const isUp = heading.getAttribute("aria-sort") === "ascending";
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", isUp ? "descending" : "ascending");
      const rows = [...body.rows].map((row) => ({ row, key: keyOf(row.cells[column]) }));
      rows.sort((a, b) => (isUp ? compare(b.key, a.key) : compare(a.key, b.key)));
      body.append(...rows.map(({ row }) => row));
    });
  });
}

/**
 * What a cell is sorted by: a number, or its text.
 * @param {HTMLTableCellElement} cell
 */
function keyOf(cell) {
  const text = cell.getAttribute("data-key") ?? (cell.textContent ?? "").trim();
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

/**
 * Numbers before texts.
 * @param {number | string} a
 * @param {number | string} b
 */
function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return a.localeCompare(b);
  return typeof a === "number" ? -1 : 1;
}
