/* The menu's lists close as people expect: by Esc, by leaving them, by a click elsewhere.
   Without this file they open and close by their headings. */
"use strict";

const groups = () => [...document.querySelectorAll(".places details[open]")];
const narrow = matchMedia("(max-width: 767px)");

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
  });
});
