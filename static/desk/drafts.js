/* What is typed at the desk is kept in this browser until the server says that it is stored:
   over a reload, the end of a session, and a colleague who was faster. A draft belongs to one
   user, goes when they sign out or somebody else signs in, and after seven days. What tells of
   the SAR log goes with its tab. */
"use strict";

(() => {
  const me = document.currentScript.dataset.user;
  const LASTS = 7 * 24 * 3600 * 1000;
  const PREFIX = "draft:";
  const LAST = "drafts-of"; // who signed in last in this browser; empty once they signed out
  const BRIEF = /^draft:[^:]*:(sar-|\d+-refer$)/;
  const mine = (name) => `${PREFIX}${me}:${name}`;

  function shelf(key) {
    return BRIEF.test(key) ? sessionStorage : localStorage;
  }

  function read(key) {
    try {
      return JSON.parse(shelf(key).getItem(key));
    } catch {
      return null; // no storage here, or what is in it is not ours
    }
  }

  function drop(wanted) {
    try {
      for (const kept of [localStorage, sessionStorage]) {
        for (const key of Object.keys(kept)) {
          if (key.startsWith(PREFIX) && wanted(key)) kept.removeItem(key);
        }
      }
    } catch {
      return; // a browser that stores nothing has nothing to drop
    }
  }

  function typed(form) {
    return [...form.elements].filter((one) => one.name && !["hidden", "submit", "password", "file"].includes(one.type));
  }

  function save(form) {
    const kept = {};
    for (const one of typed(form)) {
      if (one.type === "checkbox") {
        if (one.checked) kept[one.name] = [...(kept[one.name] || []), one.value];
      } else if (one.type === "radio") {
        if (one.checked) kept[one.name] = one.value;
      } else {
        kept[one.name] = one.value;
      }
    }
    const key = mine(form.dataset.draft);
    const texts = [...form.querySelectorAll('textarea, input[type="text"], input:not([type])')];
    const fresh = "textarea:not([data-stored])";
    const written = texts.some(
      (one) => one.value.trim() && (one.matches(fresh) || one.value !== one.defaultValue),
    );
    try {
      if (localStorage.getItem(LAST) !== me) return; // signed out in another tab
      if (written) shelf(key).setItem(key, JSON.stringify({ at: Date.now(), kept }));
      else shelf(key).removeItem(key);
    } catch {
      return; // full or forbidden: the page itself still has the text
    }
  }

  function enter(user) {
    try {
      localStorage.setItem(LAST, user);
    } catch {
      return; // full or forbidden: then nothing is kept either
    }
  }

  function leave() {
    enter("");
    drop((key) => key.startsWith(mine("")));
  }

  function since(at) {
    const day = new Date(at);
    const today = day.toDateString() === new Date().toDateString();
    const date = today ? "" : `${day.toLocaleDateString()} `;
    const two = (number) => String(number).padStart(2, "0");
    return `${date}${two(day.getHours())}:${two(day.getMinutes())}`;
  }

  function line(draft, name, undo) {
    const said = document.createElement("p");
    said.className = "hush draft";
    said.setAttribute("role", "status");
    said.textContent = `Draft from ${since(draft.at)} kept in this browser. `;
    const away = document.createElement("button");
    away.type = "button";
    away.className = "btn";
    away.textContent = "Discard";
    away.addEventListener("click", () => {
      drop((key) => key === mine(name));
      said.remove();
      undo();
    });
    said.append(away);
    return said;
  }

  function restore(form) {
    const draft = read(mine(form.dataset.draft));
    // what the server gives back after a refusal is newer than any draft; what it stored is not
    const texts = [...form.querySelectorAll("textarea:not([data-stored])")];
    const given = texts.some((one) => one.defaultValue.trim());
    if (!draft || !draft.kept || given) return;
    for (const one of typed(form)) {
      const value = draft.kept[one.name];
      // several boxes may share a name; a choice that is not offered any more changes nothing
      if (one.type === "checkbox") one.checked = [value].flat().includes(one.value);
      else if (one.type === "radio") one.checked ||= one.value === value;
      else if (value !== undefined) one.value = value;
    }
    const box = form.closest("details");
    if (box) box.open = true;
    form.prepend(line(draft, form.dataset.draft, () => form.reset()));
  }

  function show(box) {
    const draft = read(mine(box.dataset.kept));
    const text = box.querySelector("textarea");
    if (!text.value.trim()) {
      const names = (box.dataset.fields || "note").split(" ");
      const kept = draft && draft.kept ? names.map((name) => draft.kept[name]) : [];
      text.value = kept.filter(Boolean).join("\n");
    }
    if (!text.value.trim()) return;
    box.hidden = false;
    const hide = () => {
      box.hidden = true;
    };
    if (draft) box.append(line(draft, box.dataset.kept, hide));
  }

  function stored() {
    const names = new Set();
    for (const one of document.querySelectorAll('.messagelist [class*="stored-"]')) {
      for (const word of one.classList) if (word.startsWith("stored-")) names.add(mine(word.slice(7)));
    }
    return names;
  }

  drop((key) => {
    const draft = read(key);
    return !draft || !(Date.now() - draft.at < LASTS);
  });
  if (!me) return; // nobody is signed in: what was typed before waits
  enter(me);
  drop((key) => !key.startsWith(mine("")));
  const done = stored();
  drop((key) => done.has(key));
  for (const form of document.querySelectorAll("form[data-draft]")) {
    restore(form);
    form.addEventListener("input", () => save(form));
    form.addEventListener("change", () => save(form));
  }
  for (const box of document.querySelectorAll("[data-kept]")) show(box);
  const out = document.getElementById("logout-form");
  if (out) out.addEventListener("submit", leave);
  addEventListener("storage", (event) => {
    // this tab's own shelf is out of the other's reach
    if (event.key === LAST && event.newValue !== me) drop((key) => key.startsWith(mine("")));
  });
})();
