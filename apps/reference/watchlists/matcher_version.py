"""Which matcher computed a score: a digest of its code and of the libraries that it rests on."""

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

from apps.reference.names import field, scripts, words
from apps.reference.watchlists import matching, namefield


@cache
def compute_matcher_version() -> str:
    """Return 16 hex characters that change whenever the matcher could score differently."""
    code = hashlib.sha256()
    for package in (field, scripts, words, matching, namefield):
        folder = Path(package.__path__[0])
        for path in sorted([*folder.glob("*.py"), *folder.glob("*.txt")]):
            code.update(path.read_bytes())
    for library in ("rapidfuzz", "rigour", "numpy", "opencc"):
        code.update(f"{library}=={version(library)}".encode())
    return code.hexdigest()[:16]
