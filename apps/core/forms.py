"""Other forms of an answer than JSON, by Accept: drawn of the very JSON that was answered.

So what was paid for is one thing, in whatever form it is asked for: an answer that is told again
is drawn again.
"""

import json
import logging

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from apps.core.endpoints import Endpoint

JSON = "application/json"
logger = logging.getLogger(__name__)


def in_form(*, row: Endpoint, request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return a good answer in the form that its caller prefers; JSON where they want none of these.

    One that cannot be drawn is answered as JSON: it may be paid for.
    """
    if not row.forms:
        return response
    patch_vary_headers(response, ["Accept"])
    kind = request.get_preferred_type([JSON, *row.forms])
    if response.status_code != 200 or kind is None or kind == JSON:
        return response
    told, form = json.loads(response.content), row.forms[kind]
    try:
        response.content = form.draw(told)
    except Exception:
        logger.exception("%s cannot be drawn as %s", row.name, kind)
        return response
    response["Content-Type"] = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
    if form.name is not None:
        response["Content-Disposition"] = f'inline; filename="{form.name(told)}"'
    return response
