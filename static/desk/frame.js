/* The menu's lists close as people expect: by Esc, by leaving them, by a click elsewhere.
   Without this file they open and close by their headings. */
"use strict";

const groups = () => [...document.querySelectorAll(".places details[open]")];
const narrow = matchMedia("(max-width: 767px)");

/* how wide a list may become (max-width in frame.css): one that may not fit opens leftwards */
const WIDEST = 320;
document.addEventListener("click", (event) => {
  const heading = event.target.closest(".places summary");
  if (!heading) return;
  const left = heading.getBoundingClientRect().left;
  const beyond = left + WIDEST > document.documentElement.clientWidth;
  heading.parentElement.classList.toggle("leftwards", beyond);
});
document.addEventListener("click", (event) => {
  if (narrow.matches) return;
  for (const group of groups()) if (!group.contains(event.target)) group.open = false;
});
document.addEventListener("focusin", (event) => {
  if (narrow.matches) return;
  for (const group of groups()) if (!group.contains(event.target)) group.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const group of groups()) {
    group.open = false;
    group.querySelector("summary").focus();
  }
});
/* Django's two-sided choices label an icon that has no role: readers of screens would skip it. */
addEventListener("load", () => {
  setTimeout(() => {
    for (const icon of document.querySelectorAll("span.help-tooltip[aria-label]:not([role])")) {
      icon.setAttribute("role", "img");
    }
    /* a moment is two boxes under one heading: each says which part it is, and of what */
    for (const box of document.querySelectorAll(".datetime .vDateField, .datetime .vTimeField")) {
      const of = box.closest("fieldset, .form-row, div:has(> label)");
      const name = of?.querySelector("legend, label")?.textContent.replace(":", "").trim() || "";
      const part = box.matches(".vDateField") ? "date" : "time";
      if (!box.getAttribute("aria-label")) box.setAttribute("aria-label", `${name} ${part}`.trim());
    }
  });
});
