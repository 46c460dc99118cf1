/* What is too large for the server is not sent: it would be refused before anything read it, and the
   page with all that was typed and chosen would be gone. */
"use strict";

(() => {
  const most = Number(document.currentScript.dataset.mostBytes);
  const AROUND = 300; // bytes about each field of a form with files

  function sizeOf(form, submitter) {
    const data = new FormData(form, submitter);
    if (form.enctype !== "multipart/form-data") return new URLSearchParams(data).toString().length;
    let total = AROUND;
    for (const [name, value] of data) {
      total += AROUND + name.length + (value instanceof File ? value.size : new Blob([value]).size);
    }
    return total;
  }

  function refuse(form, size) {
    let said = form.querySelector(".too-large");
    if (!said) {
      said = document.createElement("p");
      said.className = "errornote too-large";
      said.setAttribute("role", "alert");
      said.tabIndex = -1;
      form.prepend(said);
    }
    const mib = (bytes) => (bytes / 1048576).toFixed(1);
    said.textContent =
      `Nothing was sent: this form with its files is ${mib(size)} MiB, and the limit is ${mib(most)} ` +
      "MiB. Choose a smaller file or shorten the text.";
    said.focus();
  }

  addEventListener(
    "submit",
    (event) => {
      if (event.target.getAttribute("method")?.toLowerCase() !== "post") return;
      const size = sizeOf(event.target, event.submitter);
      if (size <= most) {
        event.target.querySelector(".too-large")?.remove();
        return;
      }
      event.preventDefault();
      event.stopImmediatePropagation();
      refuse(event.target, size);
    },
    true,
  );
})();
