/* Keys of the desk. A key presses, opens or enters the one element that bears its letter
   (data-key); without this file everything works by hand. */
"use strict";

const keyed = (key) => document.querySelector(`[data-key="${CSS.escape(key)}"]`);
const digit = (key) =>
  [...document.querySelectorAll("[data-digit]")].find(
    (one) => one.dataset.digit === key && shown(one),
  );
const fields = 'select, textarea, input:not([type="hidden"]):not([type="radio"])';
const shown = (element) => element.getClientRects().length > 0;

function firstField(within) {
  return [...within.querySelectorAll(fields)].find((field) => shown(field) && !field.disabled);
}

/* Where the officer goes on: to the reasons while none is chosen, which digits pick, then to the
   note. A focused radio takes no letters, so that its digit is heard. */
function goOn(form, reasoned) {
  const reasons = [...form.querySelectorAll("[data-digit]")].filter(shown);
  const next = reasoned && reasons.length && !reasons.some((one) => one.checked);
  (next ? reasons[0] : firstField(form) || form.querySelector("button")).focus();
}

function use(element) {
  if (element.matches('input[type="search"]')) {
    element.focus();
    element.select();
  } else if (element.matches("[data-digit]")) {
    element.click();
    begin(element);
  } else if (element.matches('input[type="radio"]')) {
    element.click();
    goOn(element.form, true);
  } else if (element.matches("summary")) {
    const box = element.parentElement;
    box.open = !box.open;
    ((box.open && firstField(box)) || element).focus();
  } else if (element.matches("[data-focus]")) {
    element.form.dataset.submitter = element.value;
    goOn(element.form, element.value === "confirm");
  } else {
    element.click();
  }
}

/* A note begins as its reason suggests, until the officer writes; the cursor stands where the
   template leaves off. */
function suggest(reason) {
  const note = reason.form.querySelector("textarea");
  const known = [...reason.form.querySelectorAll("[data-template]")];
  const untouched = !note.value.trim() || known.some((one) => one.dataset.template === note.value);
  if (!untouched || note.value === reason.dataset.template) return;
  note.value = reason.dataset.template;
  note.dispatchEvent(new Event("input", { bubbles: true }));
}

function begin(field) {
  const note = field.form.querySelector("textarea");
  note.focus();
  const gap = note.value.indexOf("…");
  if (gap < 0) note.setSelectionRange(note.value.length, note.value.length);
  else note.setSelectionRange(gap, gap + 1);
}

/* Of the rules that a reason may leave open those stand there that the picked one does. */
function leave(reason) {
  const left = reason.dataset.left.split("|");
  for (const box of reason.form.querySelectorAll('.also [name="also"]')) {
    box.closest("label").hidden = !left.includes(box.value);
  }
}

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-template]")) suggest(event.target);
  if (event.target.matches("[data-left]")) leave(event.target);
});

/* Ctrl+Enter sends the form that is written in; from elsewhere, the decision. */
function send(at) {
  const form = at.closest("main form, #content form") || document.querySelector("[data-commit]");
  if (!form || form.method !== "post") return;
  const wanted = form.querySelector(`[data-focus][value="${form.dataset.submitter || ""}"]`);
  form.requestSubmit(wanted || form.querySelector("button:not([type])"));
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
  const at = event.target;
  const asking = document.querySelector("dialog[open]");
  if (event.key === "Enter" && asking && (event.repeat || event.ctrlKey || event.metaKey)) {
    event.preventDefault(); // a key held down, or pressed twice, has not read the question
    return;
  }
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !asking) {
    event.preventDefault();
    if (!event.repeat) send(at);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (at.matches('input:not([type="radio"]):not([type="checkbox"]), select, textarea')) {
    if (event.key === "Escape") at.blur();
    return;
  }
  if (asking) return;
  if (event.key === "j" || event.key === "k") {
    event.preventDefault();
    walk(event.key === "j" ? 1 : -1);
    return;
  }
  const element = keyed(event.key) || digit(event.key);
  if (!element || event.repeat || !shown(element) || element.disabled) return;
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

/* Why a note is not finished, or an empty text; as the server judges it (apps/backoffice/review/rules/notes.py).
   A browser does not measure what a template or a draft put there. */
const bare = (text) => text.trim().split(/\s+/).join(" ").replace(/[…. :;,]+$/, "");

function unfinished(note, submitter) {
  const text = note.value.trim();
  if ([...text].length < note.minLength) {
    return `Write a sentence of at least ${note.minLength} characters.`;
  }
  if (submitter.value === "return") return "";
  const picked = [...note.form.querySelectorAll("[data-template]:checked")].find(shown);
  const template = picked ? picked.dataset.template : "";
  const left = text.endsWith("…") || (template.includes("…") && text.includes("…"));
  const short = own(text, template).some((words) => [...words].length < 10);
  return left || short ? note.dataset.unfinished : "";
}

/* What stands at each gap of a template, while the note still follows it. */
function own(text, template) {
  const pieces = template.split("…").map(bare);
  let rest = text.split(/\s+/).join(" ");
  if (pieces.length < 2 || !rest.startsWith(pieces[0])) return [];
  rest = rest.slice(pieces[0].length);
  const found = [];
  for (const piece of pieces.slice(1)) {
    const at = piece ? rest.indexOf(piece) : rest.length;
    if (at < 0) return found;
    found.push(rest.slice(0, at).replace(/^[…. :;,]+|[…. :;,]+$/g, ""));
    rest = rest.slice(at + piece.length);
  }
  return found;
}

function refuse(field, why) {
  field.setCustomValidity(why);
  field.addEventListener("input", () => field.setCustomValidity(""), { once: true });
  field.reportValidity();
  if (field.matches("textarea") && field.value.includes("…")) begin(field);
}

/* Nothing is stored until it is committed: the form shows what it is about to do and waits. */
function sentence(form, submitter) {
  const chosen = form.querySelector('input[name="outcome"]:checked');
  const reason = [...form.querySelectorAll("[data-digit]:checked")].find(shown);
  const note = form.querySelector("textarea");
  const known = [...form.querySelectorAll('[name="known"]:checked')].some(shown);
  const also = [...form.querySelectorAll('.also [name="also"]:checked')].filter(shown).length;
  const too = also ? `; also answered: ${also} more rule${also === 1 ? "" : "s"}` : "";
  const more = too + (known ? "; proposed as a known false positive" : "");
  return {
    what: chosen ? chosen.parentElement.dataset.word : submitter.dataset.word,
    reason: reason && submitter.value !== "return" ? label(reason) + more : "",
    note: note ? note.value.trim() : "",
  };
}

function label(reason) {
  return reason.parentElement.textContent.replace(reason.dataset.digit, "").trim();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const ask = document.getElementById("commit");
  if (!form.matches("[data-commit]") || !ask) return;
  if (form.dataset.committed === "yes") {
    form.dataset.committed = "sent";
    return;
  }
  event.preventDefault();
  if (form.dataset.committed) return; // it is on its way: once is enough
  const submitter = event.submitter || form.querySelector("button");
  const note = form.querySelector("textarea");
  const why = note ? unfinished(note, submitter) : "";
  if (why) {
    refuse(note, why);
    return;
  }
  const open = [...form.querySelectorAll('.also [name="also"]:not(:checked)')].find(shown);
  if (open && submitter.value !== "return") {
    refuse(open, "Address this in the note too, and tick it.");
    return;
  }
  const told = sentence(form, submitter);
  for (const part of ["what", "reason", "note"]) {
    for (const place of ask.querySelectorAll(`[data-${part}]`)) place.textContent = told[part];
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
