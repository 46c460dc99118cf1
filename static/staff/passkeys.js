/* Passkeys: asks the browser for what the page offers, and sends its answer as JSON. */
"use strict";

const make = {
  create: (options) =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options.publicKey),
    }),
  get: (options) =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options.publicKey),
    }),
};

function words(error) {
  if (error.name === "NotAllowedError") return "Cancelled or timed out. Try again.";
  if (error.name === "InvalidStateError") return "This device already has a passkey for you.";
  return "This browser cannot use passkeys on this site.";
}

for (const form of document.querySelectorAll("[data-passkey]")) {
  const said = form.querySelector("[role=status]");
  form.querySelector("button").addEventListener("click", async () => {
    // before the device makes what a name that is refused would leave behind there
    if (!form.reportValidity()) return;
    said.textContent = "Follow your browser's prompt…";
    try {
      const found = await make[form.dataset.passkey](JSON.parse(form.dataset.options));
      form.elements.passkey.value = JSON.stringify(found);
      form.submit();
    } catch (error) {
      said.textContent = words(error);
    }
  });
}
