"""Addresses of stylesheets and scripts that change with what is in them.

So a browser may keep a file and asks for none while an officer goes from case to case; after an
upgrade the address is another one. Without a build step or a manifest: a digest is made once.
"""

import hashlib
from functools import cache, cached_property
from pathlib import Path

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage

DIGITS = 12  # of the SHA-256, in hexadecimal


class VersionedStaticFilesStorage(StaticFilesStorage):
    """Static files whose addresses end in a digest of their content, as `?v=…`."""

    def url(self, name: str | None) -> str:
        """Return the address of a file; of what is no file, without a digest."""
        asked = name or ""
        if asked not in self._known:
            address, place = super().url(name), _find_file(self, asked)
            if not place or "?" in address:
                return address
            self._known[asked] = f"{address}?v={_content_digest(place)}"
        return self._known[asked]

    @cached_property
    def _known(self) -> dict[str, str]:
        return {}


def _find_file(storage: StaticFilesStorage, name: str) -> str:
    """Return where a file lies: collected, or with the app that brings it."""
    collected = Path(storage.path(name)) if name else None
    if collected and collected.is_file():
        return str(collected)
    found = finders.find(name) if name else None
    return found if isinstance(found, str) and Path(found).is_file() else ""


@cache
def _content_digest(place: str) -> str:
    return hashlib.sha256(Path(place).read_bytes()).hexdigest()[:DIGITS]
