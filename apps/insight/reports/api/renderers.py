"""Renderers of answers as documents, drawn from the JSON that was answered."""

import json
import logging
from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.response import Response

logger = logging.getLogger(__name__)


class DocumentRenderer(BaseRenderer):
    """Base of documents drawn from the JSON that was answered.

    The sold report is thus the same in every format: a repeated answer is rendered again.
    """

    charset: str | None = None

    def draw(self, body: Mapping[str, Any]) -> bytes:
        """Return the content of the document."""
        raise NotImplementedError

    def file_name(self, body: Mapping[str, Any]) -> str:
        """Return the name by which browsers save it; empty for what is read in place."""
        return ""

    def render(
        self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None
    ) -> bytes:
        response: Response = renderer_context["response"]
        body = json.loads(data)
        try:
            content = self.draw(body)
        except Exception:
            # the report may be paid for already: the buyer gets its JSON rather than an error
            logger.exception("%s cannot be rendered", type(self).__name__)
            response["Content-Type"] = JSONRenderer.media_type
            return str(data).encode()
        if name := self.file_name(body):
            response["Content-Disposition"] = f'inline; filename="{name}"'
        return content
