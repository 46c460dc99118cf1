"""A digest of each file of an index, made when it is built and checked before it is searched.

A disk that lost pages in a power cut, or a file that was emptied, would else lose names silently.
"""

import hashlib
import json
import os
from functools import partial
from pathlib import Path

MANIFEST = "digests.json"
_digest = partial(hashlib.blake2b, digest_size=32)


class IndexDamaged(ValueError):
    """The files of an index are not those that were built."""


def seal_directory(directory: Path) -> None:
    """Write the digests of all files under `directory`, and bring all of it to the disk."""
    files = sorted(
        path for path in directory.rglob("*") if path.is_file() and path.name != MANIFEST
    )
    found = {str(path.relative_to(directory)): _compute_file_digest(path) for path in files}
    (directory / MANIFEST).write_text(json.dumps(found))
    # folders too: a file is found after a power cut only if the entry of its name is on the disk
    for path in [*directory.rglob("*"), directory]:
        sync_to_disk(path)


def verify_directory(directory: Path) -> None:
    """Read all files under `directory`; raises IndexDamaged unless they are what was sealed."""
    try:
        sealed = json.loads((directory / MANIFEST).read_text())
        wrong = [
            name
            for name, digest in sealed.items()
            if _compute_file_digest(directory / name) != digest
        ]
        there = {
            str(file.relative_to(directory)) for file in directory.rglob("*") if file.is_file()
        }
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise IndexDamaged(f"the digests or a file of {directory.name} cannot be read") from error
    # files that are missing, and files that nobody sealed
    wrong += sorted(there.symmetric_difference({*sealed, MANIFEST}))
    if wrong:
        raise IndexDamaged(
            f"{directory.name}: {', '.join(wrong[:3])} changed since the index was built"
        )


def sync_to_disk(path: Path) -> None:
    """Wait until a file or folder is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _compute_file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, _digest).hexdigest()
