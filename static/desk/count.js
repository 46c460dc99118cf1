/* A long text is never cut: near its limit its letters are counted, and the server refuses what is
   above it and gives the text back. Its box grows with it, up to a height that leaves the page in
   sight. */
"use strict";

const NEAR = 300; // letters before the limit from which they are counted, of a short one fewer

// as the server has them: one for each character, and two for the end of a line
const letters = (text) => [...text].length + (text.match(/\n/g) || []).length;

function count(box) {
  const most = Number(box.dataset.most);
  const left = most - letters(box.value);
  let said = box.parentElement.querySelector(".count");
  if (left > Math.min(NEAR, most / 4)) {
    if (said) said.remove();
    return;
  }
  if (!said) {
    said = document.createElement("small");
    said.className = "count";
    said.setAttribute("role", "status");
    box.after(said);
  }
  said.classList.toggle("over", left < 0);
  const many = `${Math.abs(left)} letter${Math.abs(left) === 1 ? "" : "s"}`;
  said.textContent = left < 0 ? `${many} too many of ${most}` : `${many} left`;
}

const MOST_ROWS = 14;

function grow(box) {
  if (!box.value) box.rows = box.dataset.rows || box.rows;
  box.dataset.rows ||= box.rows;
  while (box.rows < MOST_ROWS && box.scrollHeight > box.clientHeight) box.rows += 1;
}

document.addEventListener("input", (event) => {
  if (event.target.matches("[data-most]")) count(event.target);
  if (event.target.matches("textarea")) grow(event.target);
});
// what a draft or a refused form gave back
for (const box of document.querySelectorAll("[data-most]")) count(box);
for (const box of document.querySelectorAll("textarea")) if (box.value) grow(box);
document.addEventListener("reset", (event) => {
  setTimeout(() => {
    event.target.querySelectorAll("[data-most]").forEach(count);
    event.target.querySelectorAll("textarea").forEach(grow);
  });
});
