"""docs/architecture.md says what stands: rooms, contracts, steps, ledgers and tables."""

import inspect
import re
import tomllib
from functools import cache
from pathlib import Path

from apps.core import pipeline
from apps.core.ledger import ledgers
from apps.core.management.commands.print_settings import table
from config.ledgers import PROJECTIONS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
    "contracts"
]


def rows(head: str) -> list[list[str]]:
    """Return the cells of the table that begins with a heading row."""
    _, _, rest = TEXT.partition(f"| {head} |")
    lines = rest.split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def quoted(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def test_the_rooms_are_the_layers_that_are_built() -> None:
    told = [set(quoted(cells[1])) for cells in rows("layer | apps | what lives there")]
    contract = next(one for one in CONTRACTS if one["type"] == "layers")
    layers = [set(re.findall(r"(?<![(\w])\w+(?!\w*\))", layer)) for layer in contract["layers"]]
    assert told == [layer for layer in layers if layer]
    assert {path.parent.name for path in ROOT.glob("apps/*/__init__.py")} == set().union(*told)


def test_every_contract_is_named_and_no_other() -> None:
    told = [cells[0] for cells in rows("contract | what it refuses")]
    assert told == [one["name"] for one in CONTRACTS]
    words = {4: "four", 5: "five", 6: "six"}
    assert f"proves {words[len(told)]} contracts" in TEXT


def test_the_steps_are_those_of_the_pipeline_and_in_its_order() -> None:
    code = inspect.getsource(pipeline)
    calls = ("gates.admit(", "reading.values(", "ticket.verify(", "_claimed(visit, ticket, values)",
             "row.gather(", "ticket.settle(", "row.conclude(", "_text(visit", "claim.complete(",
             "ticket.charge(")  # fmt: skip
    places = [code.index(call) for call in calls]
    assert places == sorted(places)
    told = [cells[0] for cells in rows("step | what it may do | where")]
    assert told == ["who calls", "read", "verify", "claim", "gather", "settle", "conclude",
                    "render", "complete, charge"]  # fmt: skip


def test_every_ledger_is_told_with_its_years_and_what_it_is_compared_with() -> None:
    told = {quoted(c[0])[0]: (c[2], c[3]) for c in rows("ledger | what | years | compared with")}
    assert list(told) == sorted(ledgers())
    for name, model in ledgers().items():
        years = str(model.YEARS) if model.PURGEABLE else "for good"
        files = [path.rpartition(".")[0].replace(".", "/") for path in PROJECTIONS.get(name, ())]
        compared = "".join(f"`{one}.py`" for one in dict.fromkeys(files)) or "–"
        assert told[name] == (years, compared), name


def test_every_table_and_file_of_the_configuration_is_named() -> None:
    files = {str(path.relative_to(ROOT)) for path in (ROOT / "config").glob("*.py")}
    files -= {"config/__init__.py", "config/wsgi.py"}
    assert files - set(quoted(TEXT)) == set()


def test_every_path_that_the_documents_name_is_there() -> None:
    dead = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if page.name == "CONTRIBUTING.md":  # its examples are not there before it is followed
            text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
        for named in quoted(text):
            ours = re.fullmatch(
                r"(apps|config|deploy|docs|static|templates|tests)/[\w./*-]+", named
            )
            if ours and not list(ROOT.glob(named.rstrip("/"))):
                dead.append(f"{page.name}: {named}")
    assert dead == []


def test_every_setting_that_the_documents_name_is_one() -> None:
    known = set(quoted(table()))
    code = " ".join(path.read_text() for path in [*ROOT.glob("config/*.py"), ROOT / "compose.yaml"])
    for page in PAGES:
        for named in quoted(page.read_text(encoding="utf-8")):
            if re.fullmatch(r"[A-Z]+(_[A-Z]+)+", named) and named not in known:
                assert re.search(rf"\b{named}\b", code) or named in _values(), (page.name, named)


@cache
def _values() -> str:
    found = ("apps/**/rules/*.py", "apps/**/composites/*.py", "apps/*/*.py")
    return " ".join(
        path.read_text(encoding="utf-8") for wanted in found for path in ROOT.glob(wanted)
    )
