"""CONTRIBUTING.md is followed to the letter in a copy of the tree, and what it promises holds."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contributing.guide_runner import ROOT, Block, DoesNotFit, copy, put, sections

PAGE = sections((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
ADDED = ("An endpoint", "A list", "A case type", "A list format", "A series", "A service")
SECTIONS = [*ADDED, "At the end"]
# followed for each change; the end has the files and rows of all sections, and its checks
FOR_EACH_CHANGE = ("An endpoint", "At the end")
PUT: set[str] = set()  # sections whose files stand in the tree of this process
OURS = ("DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE")
BIN = Path(sys.executable).parent
PLUGINS = " ".join(f"-p no:{name}" for name in ("cacheprovider", "schemathesis", "xdist"))
# `./run` without what it installs; its checks without types, which take a minute of their own
RUN = f"""#!/bin/sh
set -eu
command=$1; shift
case $command in
    manage) exec "{sys.executable}" manage.py "$@" ;;
    test) exec "{sys.executable}" -m pytest {PLUGINS} "$@" ;;
    check) "{BIN}/ruff" check --no-cache . && "{BIN}/ruff" format --check --no-cache . &&
        "{BIN}/lint-imports" --no-cache && "{sys.executable}" manage.py makemigrations --check ;;
esac
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the tree, to which each section adds in turn."""
    made = tmp_path_factory.mktemp("tree")
    copy(made)
    run = made / "run"
    run.write_text(RUN)
    run.chmod(0o755)
    yield made


def obey(tree: Path, command: str) -> None:
    """Run one line of a page, on a database of its own."""
    environment = {k: v for k, v in os.environ.items() if k not in OURS}
    environment |= {"VAR_DIR": str(tree / "var"), "TEST_TEMPLATES": str(tree / "templates")}
    process = subprocess.run(
        ["sh", "-euc", command], cwd=tree, env=environment, capture_output=True, text=True,
        timeout=280,
    )  # fmt: skip
    assert process.returncode == 0, f"{command}\n{process.stdout[-3000:]}\n{process.stderr[-3000:]}"


@pytest.mark.processes
@pytest.mark.timeout(600)  # some seconds of work each, however busy the machine
@pytest.mark.parametrize(
    "title",
    [
        title if title in FOR_EACH_CHANGE else pytest.param(title, marks=pytest.mark.nightly)
        for title in SECTIONS
    ],
)
def test_each_section_can_be_followed(tree: Path, title: str) -> None:
    # each builds on those before it, which another process may have followed
    for earlier in SECTIONS[: SECTIONS.index(title) + 1]:
        if earlier not in PUT:
            PUT.add(earlier)
            for block in PAGE[earlier]:
                if block.language != "sh":
                    put(tree, block)
    blocks = PAGE[title]
    commands = [line for b in blocks if b.language == "sh" for line in b.text.splitlines()]
    assert commands
    for command in commands:
        obey(tree, command)


def test_every_addition_has_code_a_row_and_a_test() -> None:
    assert set(PAGE) == set(SECTIONS)
    for title in ADDED:
        paths = [block.path for block in PAGE[title]]
        assert any(path.startswith(("apps/", "config/")) for path in paths), title
        assert any(block.language == "diff" for block in PAGE[title]), title
        assert any(path.startswith("tests/") for path in paths), title


@pytest.mark.parametrize(
    ("block", "told"),
    [
        (Block("python", "a.py", "x = 1\n"), "is there already"),
        (Block("diff", "a.py", " y = 1\n+z = 2\n"), "has 0 times"),
        (Block("diff", "a.py", " x = 1\n+z = 2\n"), "has 2 times"),
        (Block("diff", "a.py", "x = 1\n+z = 2\n"), "a.py: x = 1"),
    ],
)
def test_a_block_that_does_not_fit_is_told(tmp_path: Path, block: Block, told: str) -> None:
    (tmp_path / "a.py").write_text("x = 1\nx = 1\n")
    with pytest.raises(DoesNotFit, match=told):
        put(tmp_path, block)


def test_rows_go_where_the_page_says(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("T = (\n    1,\n\n    3,\n)\n")
    put(tmp_path, Block("diff", "a.py", "     1,\n+    2,\n\n     3,\n"))
    assert (tmp_path / "a.py").read_text() == "T = (\n    1,\n    2,\n\n    3,\n)\n"
