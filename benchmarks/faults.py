"""Which faults are survived, and what shows it: `./run bench faults [--run] [--json OUT]`.

Reads the table of docs/reliability.md: the fault, what a client sees, what is lost, and the tests
or the command by which it was shown. Whether those tests are in the tree is looked at; they are
run only with --run, each row's by itself, and then a fault of which one fails ends this with 1.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reliability.md"
LONGEST = 900  # seconds for the tests of one fault
_TEST = re.compile(r"tests/[\w/.-]+\.py(?:::[\w:\[\]-]+)?")
_COMMAND = re.compile(r"`(\./run [^`]+)`")


def main(words: Sequence[str] | None = None) -> int:
    """Print each fault and how it stands, and write the figures where that is asked."""
    parser = argparse.ArgumentParser(prog="./run bench faults", description=__doc__)
    parser.add_argument("--run", action="store_true", help="run the tests of each fault")
    parser.add_argument("--page", type=Path, default=PAGE, help="another table")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures there too")
    options = parser.parse_args(words)
    if not options.page.exists():
        parser.error(f"{options.page.name} is not there")
    found = faults(options.page.read_text(encoding="utf-8"))
    if not found:
        parser.error(f"{options.page.name} has no table of faults")
    for one in found:
        if options.run and not one["lacks"]:
            one["result"] = _run(one["tests"])
        print(f"{one['result']:8} {one['fault']}{': ' + one['lacks'] if one['lacks'] else ''}")
    if options.json:
        options.json.write_text(json.dumps({"faults": found}, indent=1) + "\n", encoding="utf-8")
    failed = [one["fault"] for one in found if one["result"] == "failed"]
    if failed:
        print(f"not survived: {'; '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def faults(text: str) -> list[dict[str, Any]]:
    """Return the rows of the first table whose first column is the fault."""
    rows: list[dict[str, Any]] = []
    inside = False
    for line in text.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        if not inside:
            inside = bool(cells) and cells[0].casefold() == "fault"
        elif not cells:
            if rows:
                break
            inside = False
        elif not set("".join(cells)) <= set("-: ") and len(cells) >= 4:
            rows.append(_fault(cells))
    return rows


def _fault(cells: list[str]) -> dict[str, Any]:
    """Return a row: its words without marks, and the tests and the command that it names."""
    shown = " ".join(cells[3:])
    tests = list(dict.fromkeys(_TEST.findall(shown)))
    commands = _COMMAND.findall(shown)
    gone = [test for test in tests if not (ROOT / test.split("::")[0]).exists()]
    lacks = f"{gone[0]} is not there" if gone else "" if tests or commands else "nothing shows it"
    words = [re.sub(r"`|\*\*|\[([^]]*)\]\([^)]*\)", r"\1", cell) for cell in cells]
    command = f"./run test {' '.join(tests)}" if tests else commands[0] if commands else "–"
    return {
        "fault": words[0],
        "client": words[1],
        "lost": words[2],
        "tests": tests,
        "command": command,
        "lacks": lacks,
        "result": "not run",
    }


def _run(tests: list[str]) -> str:
    """Run the tests of a fault; one that only a command shows is not run here."""
    if not tests:
        return "not run"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *tests]
    try:
        process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return "failed"
    if process.returncode:
        return "failed"
    # a test that skips itself shows nothing
    return "survived" if re.search(r"\d+ passed", process.stdout) else "skipped"


if __name__ == "__main__":
    sys.exit(main())
