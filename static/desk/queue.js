/* The queue by keys: x chooses the row, Space looks at its case beside the list. The pane is
   what the server draws; without this file rows open and boxes tick by hand. */
"use strict";

const pane = document.getElementById("look");
const wide = matchMedia("(min-width: 1024px)");
const SETTLED = 150; // ms that the focus rests on a row before its case is asked for
let asked = null;
let timer = 0;

const focused = () => document.activeElement.closest("tr")?.querySelector("[data-row]");
const tell = (text) => {
  document.querySelector("[data-told]").textContent = text;
};

function mark(row) {
  for (const one of document.querySelectorAll("tr.looked")) one.classList.remove("looked");
  if (row) row.closest("tr").classList.add("looked");
}

async function show(row) {
  if (asked) asked.abort();
  asked = new AbortController();
  mark(row);
  try {
    const answer = await fetch(row.dataset.look, {
      headers: { "X-Preview": "1" },
      signal: asked.signal,
      redirect: "error",
    });
    if (!answer.ok) throw new Error(String(answer.status));
    pane.innerHTML = await answer.text();
    pane.scrollTop = 0;
    tell(`Preview of ${row.textContent.trim()}`);
  } catch (error) {
    if (error.name === "AbortError") return;
    pane.textContent = "The case cannot be previewed now. Press Enter to open it.";
  }
  pane.hidden = false;
}

function close() {
  if (asked) asked.abort();
  clearTimeout(timer);
  pane.hidden = true;
  pane.textContent = "";
  mark(null);
  tell("Preview closed");
}

if (pane) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const at = event.target;
    const row = focused();
    if (event.key === "Escape" && !pane.hidden) {
      close();
    } else if (event.key === "x" && row && !at.matches('select, textarea, input:not([type="checkbox"])')) {
      const box = row.closest("tr").querySelector('input[name="case"]');
      if (box) box.click();
    } else if (event.key === " " && wide.matches && at.matches("[data-look], .look, .look *, body")) {
      if (!pane.hidden) {
        event.preventDefault();
        close();
      } else if (row && row.dataset.look) {
        event.preventDefault();
        show(row);
      }
    } else if (!pane.hidden && at.matches("[data-look]") && /^Arrow(Up|Down)$/.test(event.key)) {
      event.preventDefault();
      const rows = [...document.querySelectorAll("[data-look]")];
      const next = rows[rows.indexOf(at) + (event.key === "ArrowDown" ? 1 : -1)];
      if (next) next.focus();
    }
  });
  document.addEventListener("focusin", (event) => {
    if (pane.hidden || !event.target.matches("[data-look]")) return;
    clearTimeout(timer);
    timer = setTimeout(show, SETTLED, event.target);
  });
}
