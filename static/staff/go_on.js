/* Sends a form that waited for a proof; without this file its button does. */
"use strict";

document.querySelector("[data-go-on]")?.requestSubmit();
