/* Keys of the desk. A key presses, opens or enters the one element that bears its letter
   (data-key); without this file everything works by hand. */
"use strict";

const keyed = (key) => document.querySelector(`[data-key="${CSS.escape(key)}"]`);
const fields = 'select, textarea, input:not([type="hidden"]):not([type="radio"])';
const shown = (element) => element.getClientRects().length > 0;

function firstField(within) {
  return [...within.querySelectorAll(fields)].find((field) => shown(field) && !field.disabled);
}

function use(element) {
  if (element.matches('input[type="search"]')) {
    element.focus();
    element.select();
  } else if (element.matches('input[type="radio"]')) {
    element.click();
    (firstField(element.closest("form")) || element).focus();
  } else if (element.matches("summary")) {
    const box = element.parentElement;
    box.open = !box.open;
    ((box.open && firstField(box)) || element).focus();
  } else if (element.matches("[data-focus]")) {
    const field = firstField(element.form);
    if (field) field.focus();
    element.form.dataset.submitter = element.value;
  } else {
    element.click();
  }
}

function walk(step) {
  const rows = [...document.querySelectorAll("[data-row]")];
  if (!rows.length) return;
  const here = rows.indexOf(document.activeElement.closest("tr, li")?.querySelector("[data-row]"));
  const next = here < 0 ? (step > 0 ? 0 : rows.length - 1) : here + step;
  const row = rows[Math.min(Math.max(next, 0), rows.length - 1)];
  row.focus();
  row.closest("tr, li").scrollIntoView({ block: "nearest" });
}

function help() {
  const sheet = document.getElementById("keys");
  if (sheet && !sheet.open) sheet.showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const at = event.target;
  if (at.matches('input:not([type="radio"]):not([type="checkbox"]), select, textarea')) {
    if (event.key === "Escape") at.blur();
    if (event.key === "Enter" && at.matches("textarea") && !event.shiftKey) {
      event.preventDefault();
      const form = at.form;
      const wanted = form.querySelector(`[data-focus][value="${form.dataset.submitter || ""}"]`);
      form.requestSubmit(wanted || form.querySelector("button"));
    }
    return;
  }
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "j" || event.key === "k") {
    event.preventDefault();
    walk(event.key === "j" ? 1 : -1);
    return;
  }
  const element = keyed(event.key);
  if (!element || !shown(element) || element.disabled) return;
  event.preventDefault();
  use(element);
});

document.addEventListener("click", (event) => {
  if (event.target.closest('[data-key="?"]')) {
    event.preventDefault();
    help();
  }
  const close = event.target.closest("[data-close]");
  if (close) {
    event.preventDefault();
    close.closest("dialog").close();
    if (location.hash) location.hash = "";
  }
});

/* Nothing is stored until it is committed: the form shows what it is about to do and waits. */
function sentence(form, submitter) {
  const chosen = form.querySelector('input[type="radio"]:checked');
  const reason = [...form.querySelectorAll("select")].find((one) => shown(one) && one.value);
  const note = form.querySelector("textarea");
  return {
    what: chosen ? chosen.parentElement.dataset.word : submitter.dataset.word,
    reason: reason ? reason.selectedOptions[0].textContent : "",
    note: note ? note.value.trim() : "",
  };
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const ask = document.getElementById("commit");
  if (!form.matches("[data-commit]") || !ask || form.dataset.committed) return;
  event.preventDefault();
  const submitter = event.submitter || form.querySelector("button");
  const told = sentence(form, submitter);
  for (const part of ["what", "reason", "note"]) {
    ask.querySelector(`[data-${part}]`).textContent = told[part];
  }
  ask.returnValue = "";
  ask.onclose = () => {
    if (ask.returnValue !== "commit") {
      submitter.focus();
      return;
    }
    form.dataset.committed = "yes";
    form.requestSubmit(submitter);
  };
  ask.showModal();
});

/* a page that comes back from the browser's memory must ask again */
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-committed]")) delete form.dataset.committed;
});
for (const box of document.querySelectorAll("[data-all]")) {
  box.hidden = false;
  box.querySelector("input").addEventListener("change", (event) => {
    for (const one of document.querySelectorAll('input[name="case"]')) {
      one.checked = event.target.checked;
    }
  });
}
