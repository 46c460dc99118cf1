"use strict";

const place = document.getElementById("docs");

SwaggerUIBundle({
  url: place.dataset.address,
  domNode: place,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  validatorUrl: null,
});
