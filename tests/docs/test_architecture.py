"""docs/architecture.md says what stands: rooms, contracts, steps, ledgers and tables."""

import inspect
import re
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from apps.platform.api import viewsets
from apps.platform.ledger.records import ledger_models
from apps.platform.ledger.table_proofs import PROJECTIONS
from apps.platform.management.commands.print_settings import format_settings_table

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
    "contracts"
]

ROOMS = "group | apps | what lives there"


def rows(head: str) -> list[list[str]]:
    """Return the cells of the table that begins with a heading row."""
    _, _, rest = TEXT.partition(f"| {head} |")
    lines = rest.split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def quoted(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def test_the_groups_are_the_folders_that_are_built() -> None:
    told = {quoted(group)[0]: set(quoted(apps)) for group, apps, _ in rows(ROOMS)}
    found: dict[str, set[str]] = {}
    for path in ROOT.glob("apps/*/*/__init__.py"):
        if path.parent.name in ("management", "migrations"):
            continue  # the platform itself is a Django app
        found.setdefault(path.parts[-3], set()).add(path.parent.name)
    assert told == found
    assert list(told) == CONTRACTS[0]["layers"]


def test_every_contract_is_named_and_no_other() -> None:
    told = [cells[0] for cells in rows("contract | what it refuses")]
    assert told == [contract["name"] for contract in CONTRACTS]
    words = {4: "four", 5: "five", 6: "six"}
    assert f"proves {words[len(told)]} contracts" in TEXT


def test_the_steps_are_those_of_the_pipeline_and_in_its_order() -> None:
    of_a_call = viewsets.OperationViewSet
    in_order = {
        of_a_call.initial: ("perform_authentication(", "check_throttles(", "check_permissions("),
        of_a_call.read_request: ("read_request_values(", "build(", "challenge(", "grant.verify("),
        of_a_call.run: ("read_request(", "claim.take(", "= gather(", "grant.settle(",
                        "transaction.atomic(", "= conclude(", "_text(",
                        "claim.complete(", "grant.charge("),
    }  # fmt: skip
    for method, calls in in_order.items():
        code = inspect.getsource(method).partition(":\n")[2]
        places = [code.index(call) for call in calls]
        assert places == sorted(places), method
    told = [cells[0] for cells in rows("step | what it may do | where")]
    assert told == ["authenticate", "rate and permission", "read", "verify", "claim", "gather",
                    "settle", "conclude", "render", "complete, charge"]  # fmt: skip


def test_every_ledger_is_told_with_its_years_and_what_it_is_compared_with() -> None:
    told = {quoted(c[0])[0]: (c[2], c[3]) for c in rows("ledger | what | years | compared with")}
    assert list(told) == sorted(ledger_models())
    for name, model in ledger_models().items():
        years = str(model.YEARS) if model.PURGEABLE else "for good"
        files = [_file_of(found.compare) for found in PROJECTIONS.get(name, ())]
        compared = ", ".join(f"`{file}.py`" for file in dict.fromkeys(files)) or "–"
        assert told[name] == (years, compared), name


def _file_of(compare: Any) -> str:
    """Return where a comparison is named; a method of a shared class where its object is made."""
    module = compare.__module__
    if inspect.ismethod(compare):
        module = next(
            name
            for name, module in sys.modules.items()
            if name.startswith("apps.")
            and name.endswith("integrity")
            and compare in vars(module).values()
        )
    return str(module).replace(".", "/")


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
    known = set(quoted(format_settings_table()))
    code = " ".join(path.read_text() for path in [*ROOT.glob("config/*.py"), ROOT / "compose.yaml"])
    for page in PAGES:
        for named in quoted(page.read_text(encoding="utf-8")):
            if re.fullmatch(r"[A-Z]+(_[A-Z]+)+", named) and named not in known:
                assert re.search(rf"\b{named}\b", code) or named in _values(), (page.name, named)


@cache
def _values() -> str:
    found = (
        "apps/**/rules/*.py",
        "apps/**/composites/*.py",
        "apps/*/*/*.py",
        "apps/*/*/services/*.py",
        "apps/**/case_types.py",
        "apps/**/case_types/*.py",
    )
    return " ".join(
        path.read_text(encoding="utf-8") for wanted in found for path in ROOT.glob(wanted)
    )
