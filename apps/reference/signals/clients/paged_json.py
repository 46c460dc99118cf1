"""JSON documents that a publisher hands out in pages: the list in one, and all of them joined."""

import json
from collections.abc import Sequence
from typing import Any

from apps.reference.signals.row_parsing import Malformed


def items_at_path(body: bytes, path: str) -> list[Any]:
    """Return the list at a path (names between dots) of a page; Malformed where there is none."""
    page: Any = _parse_page(body)
    for name in path.split("."):
        page = page.get(name) if isinstance(page, dict) else None
    if not isinstance(page, list):
        raise Malformed(f"a page has no list at {path}")
    return page


def join_pages(first: bytes, path: str, items: Sequence[Any]) -> bytes:
    """Return the first page with the items of all pages in the place of its own."""
    document = _parse_page(first)
    *above, last = path.split(".")
    here = document
    for name in above:
        here = here.setdefault(name, {})
    here[last] = list(items)
    return json.dumps(document, ensure_ascii=False).encode()


def _parse_page(body: bytes) -> Any:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Malformed("a page is not JSON") from error
    if not isinstance(document, dict):
        raise Malformed("a page is not a JSON object")
    return document
