"""Pages of docs/journeys as scripts: a test runs the named commands of a page in their order.

A block begins with "```sh name". All blocks of a page share one shell's variables, and run in the
root of the repository, as somebody would type them. The ports and the folder that the pages name
are put in place of those of the running world.
"""

import json
import re
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "journeys"
_BLOCK = re.compile(r"^```sh (\S+)\n(.*?)^```$", re.M | re.S)
LOOKS_AGAIN_AFTER = 0.3  # seconds


def blocks_of(name: str) -> dict[str, str]:
    """Return the named commands of a page, in order; AssertionError where a name comes twice."""
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    found = _BLOCK.findall(text)
    assert len(dict(found)) == len(found), f"{name}: a name comes twice"
    return dict(found)


class Page:
    """One page, and what its commands have left behind."""

    def __init__(self, name: str, *, folder: Path, places: Mapping[str, str], env: dict[str, str]):
        self.blocks = blocks_of(name)
        self.left = set(self.blocks)
        self.places, self.env = places, env
        self.state = folder / f"{name}.env"
        self.state.write_text("")

    def script(self, block: str) -> str:
        """Return the commands of a block as they are run in this world."""
        text = self.blocks[block]
        for shown, real in self.places.items():
            text = text.replace(shown, real)
        return text

    def in_background(self, block: str) -> str:
        """Return the commands of a block that the caller runs beside the others.

        The last one takes the shell's place, so that a signal to it is one to that command.
        """
        self.left.discard(block)
        *before, last = self.script(block).strip().splitlines()
        return "\n".join([*before, f"exec env {last}"])

    def run(self, block: str) -> str:
        """Run a block; return what it printed. It fails where one of its commands does."""
        self.left.discard(block)
        kept = f"export -p >{self.state}"
        whole = f". {self.state}\nset -eua\n{self.script(block)}\n{kept}\n"
        process = subprocess.run(
            ["sh", "-c", whole], cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=300
        )
        assert process.returncode == 0, f"{block}:\n{process.stdout}\n{process.stderr}"
        return process.stdout

    def told(self, block: str) -> Any:
        """Run a block that prints JSON, and return that."""
        printed = self.run(block)
        try:
            return json.loads(printed)
        except ValueError as error:
            raise AssertionError(f"{block} prints no JSON:\n{printed}") from error

    def until(self, block: str, holds: Callable[[Any], Any], *, seconds: float = 180) -> Any:
        """Run a block that prints JSON until what it says holds; return that."""
        ends = time.monotonic() + seconds
        while not holds(said := self.told(block)):
            assert time.monotonic() < ends, f"{block}: not within {seconds} s: {said}"
            time.sleep(LOOKS_AGAIN_AFTER)
        return said

    def finish(self) -> None:
        """Fail where a block of the page was not run: it could rot."""
        assert not self.left, f"never run: {sorted(self.left)}"
