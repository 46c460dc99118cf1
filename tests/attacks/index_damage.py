"""A match index is damaged on disk, file by file: it is not opened, and lets no name through.

Reads the live index in VAR_DIR, or the one in a folder that is named; only copies are damaged.

    ./run attack index-damage [FOLDER]

An index that opens in spite of its damage is a fault, whether names are still found in it or not.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from apps.reference.watchlists import indexes
from apps.reference.watchlists.live_list_sets import load_current_set
from apps.reference.watchlists.matching import index_digests
from apps.reference.watchlists.matching.index import MatchIndex


def flip_bit(path: Path) -> None:
    """Change one bit in the midst of a file."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "one bit": flip_bit,
    "zeroed": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "cut in half": lambda path: os.truncate(path, path.stat().st_size // 2),
    "emptied": lambda path: os.truncate(path, 0),
    "deleted": Path.unlink,
}


@dataclass
class Damaged:
    """How many files were damaged, and which damage was not noticed."""

    damaged: int = 0
    faults: list[str] = field(default_factory=list)


def _share(path: str, place: str) -> None:
    """Link a file that is not written: an index of whole lists has many megabytes."""
    try:
        os.link(path, place)
    except OSError:  # on another disk
        shutil.copy(path, place)


def look(index: Path, kinds: Iterable[str] = tuple(DAMAGE)) -> Damaged:
    """Damage each file of an index in each way, on copies, and try to open it."""
    damaged = Damaged()
    files = [path for path in sorted(index.rglob("*")) if path.is_file() and path.stat().st_size]
    for kind in kinds:
        for path in files:
            name = path.relative_to(index)
            with tempfile.TemporaryDirectory() as folder:
                copy = Path(folder) / index.name
                shutil.copytree(index, copy, copy_function=_share)
                (copy / name).unlink()
                shutil.copy(path, copy / name)
                DAMAGE[kind](copy / name)
                damaged.damaged += 1
                try:
                    MatchIndex.open(copy)
                except index_digests.IndexDamaged:
                    continue
            damaged.faults.append(f"{kind}: {name}")
    return damaged


def main(arguments: list[str]) -> int:
    """Return 0 where no damage went unnoticed."""
    place = Path(arguments[0]) if arguments else indexes.index_folder(load_current_set().id)
    damaged = Damaged()
    for index in sorted(one for one in place.iterdir() if one.is_dir()):
        more = look(index)
        print(f"{index.name}: {more.damaged} damaged files, {len(more.faults)} not noticed")
        damaged.damaged += more.damaged
        damaged.faults += [f"{index.name}, {fault}" for fault in more.faults]
    for fault in damaged.faults:
        print(fault, file=sys.stderr)
    return 1 if damaged.faults or not damaged.damaged else 0
