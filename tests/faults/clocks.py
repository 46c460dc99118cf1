"""A wall clock for one host, which can be set while its processes run."""

import shutil
import struct
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("clock.c")


class Clock:
    """The wall clock of a host's processes; what measures spans is not set by it."""

    def __init__(self, folder: Path) -> None:
        self.file, self.library = folder / "clock", folder / "clock.so"
        self.file.write_bytes(bytes(8))
        self._build()

    def _build(self) -> None:
        """Make the library that tells the time; skips where nothing makes one."""
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler is None:
            pytest.skip("needs a C compiler: a library tells processes another time")
        words = [compiler, "-shared", "-fPIC", "-O1", "-o", str(self.library), str(SOURCE), "-ldl"]
        subprocess.run(words, check=True, timeout=60)

    def env(self) -> dict[str, str]:
        """Return what has a process go by this clock."""
        return {"LD_PRELOAD": str(self.library), "STEPPED_CLOCK": str(self.file)}

    def set(self, ahead: timedelta) -> None:
        """Set it so far ahead of the machine's, or behind: for all processes at once."""
        with self.file.open("r+b") as out:  # never cut short: it is mapped
            out.write(struct.pack("=q", int(ahead.total_seconds())))
