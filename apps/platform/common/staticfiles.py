"""Addresses of stylesheets and scripts that change with the content.

A browser may then keep a file without asking again while an officer goes from case to case; an
upgrade changes the address. This needs no build step and no manifest: each digest is computed once.
"""

import hashlib
from functools import cache, cached_property
from pathlib import Path

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage

DIGITS = 12  # hexadecimal digits of the SHA-256


class VersionedStaticFilesStorage(StaticFilesStorage):
    """Static files whose addresses end in a digest of their content, as `?v=…`."""

    def url(self, name: str | None) -> str:
        """Return the address of a file; without a digest if there is no such file."""
        asset_name = name or ""
        if asset_name not in self._known:
            # a file is either collected or still in the app that it belongs to
            collected = Path(self.path(asset_name)) if asset_name else None
            if collected and collected.is_file():
                place = str(collected)
            else:
                in_app = finders.find(asset_name) if asset_name else None
                place = in_app if isinstance(in_app, str) and Path(in_app).is_file() else ""
            address = super().url(name)
            # not remembered: it may be collected later
            if not place or "?" in address:
                return address
            self._known[asset_name] = f"{address}?v={_content_digest(place)}"
        return self._known[asset_name]

    @cached_property
    def _known(self) -> dict[str, str]:
        return {}


@cache
def _content_digest(place: str) -> str:
    return hashlib.sha256(Path(place).read_bytes()).hexdigest()[:DIGITS]
