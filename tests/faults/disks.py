"""Small disks that can be filled: file systems in memory, which root may mount."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

FILLER = "filler"


@contextmanager
def small(folder: Path, mebibytes: int) -> Iterator[Path]:
    """Mount a disk of a size there for the block; skips where nobody may."""
    folder.mkdir(parents=True, exist_ok=True)
    words = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m,mode=0755", "oracle-faults"]
    process = subprocess.run([*words, str(folder)], capture_output=True, text=True)
    if process.returncode:
        pytest.skip(f"needs leave to mount a small disk: {process.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path) -> None:
    """Take all the room that is left, to the last byte."""
    with (folder / FILLER).open("ab", buffering=0) as out:
        for size in (1 << 20, 1 << 12, 1):
            while True:
                try:
                    if out.write(bytes(size)) < size:
                        break
                except OSError:
                    break
    found = os.statvfs(folder)
    assert found.f_bavail * found.f_frsize < 8192


def empty(folder: Path) -> None:
    """Give the room back."""
    (folder / FILLER).unlink()
