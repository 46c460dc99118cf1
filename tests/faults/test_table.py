"""docs/reliability.md: each fault says what it costs, and is shown by a test that is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
HEAD = "| fault | what a client sees | what is lost | how it was shown |"
TABLE = TEXT.partition(HEAD)[2].partition("\n\n")[0]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")] for line in TABLE.strip().split("\n")[1:]
]
KINDS = """\
a web worker, web master, index keeper, lane, MCP, supervisor
PostgreSQL, Redis, disk, clock, two hosts, GLEIF, rates, lists, facilitator, opinions, bank, chain
""".replace("\n", ", ").strip(", ")


def test_each_row_says_what_a_client_sees_and_what_is_lost() -> None:
    assert len(ROWS) > 20
    for row in ROWS:
        assert len(row) == 4 and all(row), row
        assert row[2].startswith(("nothing", "no ")), row


def test_each_row_is_shown_by_a_file_of_tests_or_a_command_that_is_there() -> None:
    for *_, shown in ROWS:
        named = re.findall(r"`([^`]+)`", shown)
        assert named, shown
        for place in named:
            path, _, test = place.partition("::")
            assert (ROOT / path).is_file(), place
            assert f"def {test}" in (ROOT / path).read_text(encoding="utf-8"), place


def test_each_file_of_faults_is_in_the_table() -> None:
    files = {path.name for path in Path(__file__).parent.glob("test_*.py")} - {Path(__file__).name}
    assert {name for name in files if f"tests/faults/{name}`" not in TABLE} == set()


def test_every_kind_of_fault_that_is_promised_is_there() -> None:
    told = " ".join(row[0] for row in ROWS)
    assert [kind for kind in KINDS.split(", ") if kind not in told] == []
