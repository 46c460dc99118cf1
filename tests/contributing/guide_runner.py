"""Follows a page of instructions in a copy of the tree: writes its files, adds its rows."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("apps", "benchmarks", "config", "docs", "static", "templates", "tests")
_FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)


class DoesNotFit(AssertionError):
    """A block of the page does not fit the tree."""


@dataclass(frozen=True)
class Block:
    """One fenced block: a file, rows of one (`diff`), or commands (`sh`)."""

    language: str
    path: str
    text: str


def sections(page: str) -> dict[str, list[Block]]:
    """Return the blocks of a page by the heading that they stand under."""
    parts = re.split(r"^## (.+)$", page, flags=re.M)
    found = {}
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        blocks = [Block(m[1], m[2] or "", m[3]) for m in _FENCE.finditer(body)]
        if body.count("\n```") != 2 * len(blocks):
            raise DoesNotFit(f"{title}: a block says neither path nor language")
        found[title] = blocks
    return found


def copy(tree: Path) -> None:
    """Copy what runs, and its tests, without the test that follows the page."""
    rest = shutil.ignore_patterns("__pycache__", "contributing")
    for folder in COPIED:
        shutil.copytree(ROOT / folder, tree / folder, ignore=rest)
    for name in ("manage.py", "pyproject.toml", "README.md", "CONTRIBUTING.md", "compose.yaml"):
        shutil.copy(ROOT / name, tree)


def put(tree: Path, block: Block) -> None:
    """Do what a block of a file or of rows says; DoesNotFit when the tree is not as it thinks."""
    path = tree / block.path
    if block.language != "diff":
        if path.exists():
            raise DoesNotFit(f"{block.path} is there already")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")
        return
    lines = block.text.splitlines()
    if strange := [line for line in lines if line[:1] not in ("", " ", "+", "-")]:
        raise DoesNotFit(f"{block.path}: {strange[0]}")
    old = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("+"))
    new = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("-"))
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise DoesNotFit(f"{block.path} has {text.count(old)} times:\n{old}")
    path.write_text(text.replace(old, new), encoding="utf-8")
