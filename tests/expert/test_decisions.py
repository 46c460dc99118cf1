"""Every party of the table is decided as an expert would, but for misses whose cause is known.

A row with a cause must miss: one that has turned right is taken off, so that it cannot turn
wrong again unseen. `pytest -s` prints the result by cause.
"""

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.expert import party_table
from tests.expert.party_table import Outcome, Row

# the lists are real and whole; what is found in them does not come from the database
pytestmark = pytest.mark.once

PEP_SCREEN = "/compliance/compliance/pep-screen"
Decide = Callable[[Row], Outcome]


@pytest.mark.django_db
@pytest.mark.parametrize("lists", ["own", "real"])
def test_each_party_is_decided_as_an_expert_would(
    lists: str, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue(lists)
    decide: Decide = request.getfixturevalue("decide")
    results = [(row, decide(row)) for part in party_table.PARTS for row in party_table.rows(part)]
    print("\n" + party_table.report(results, lists))
    differing = [
        _told(row, found)
        for row, found in results
        if party_table.right(row, found) is bool(row.causes[lists])
    ]
    assert not differing, "\n" + "\n".join(differing)
    assert party_table.too_many(results) == []


def _told(row: Row, outcome: Outcome) -> str:
    if party_table.right(row, outcome):
        return f"{row.id}: as the expert decides; take its cause off"
    wanted = f"{row.decision} {' '.join(sorted(row.rules))}"
    came = f"{outcome.decision} {' '.join(sorted(outcome.rules))}"
    return f"{row.id} ({row.body['name']}): {wanted} expected, {came} came: {outcome.reasons}"


def test_the_table_covers_what_it_should() -> None:
    parties = [row for part in party_table.PARTS for row in party_table.rows(part)]
    assert len(parties) >= 120
    assert len({row.id for row in parties}) == len(parties)
    assert [row.id for row in parties if not re.fullmatch(r"[^.]{5}.*\.", row.why)] == []
    expected = {row.decision for row in parties}
    assert expected == {"APPROVED", "FLAGGED", "BLOCKED", "HELD", "503"}
    named = {rule for row in parties for rule in row.rules}
    assert set(party_table.DECIDES) == named | {"name.not_checked"}


def test_innocents_are_as_many_as_a_bank_would_ask_for() -> None:
    parties = [row for part in party_table.PARTS for row in party_table.rows(part)]
    assert sum(row.decision == "APPROVED" for row in parties) >= len(parties) // 3


def test_what_is_listed_says_where_it_comes_from() -> None:
    listed = (Path(__file__).parent / "lists" / "listed.csv").read_text(encoding="utf-8")
    header, *lines = listed.splitlines()
    assert header.endswith("origin,as_of,licence")
    ends = ("OFAC SDN,2022-01,public domain", 'UN SC consolidated,2026-02-27,"UN, free reuse"')
    assert lines and all(line.endswith(ends) for line in lines)


def holders() -> list[dict[str, str]]:
    path = Path(__file__).parent / "lists" / "office_holders.csv"
    with path.open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source))


@pytest.mark.parametrize("row", holders(), ids=lambda row: row["id"])
def test_enhanced_due_diligence_is_asked_for_as_an_expert_would(
    own: str, caller: Callable[..., Any], row: dict[str, str]
) -> None:
    asked = {key: row[key] for key in ("name", "country", "position") if row[key]}
    answer = caller("Alice Treasury").post(PEP_SCREEN, asked, format="json").json()
    due = "yes" if answer["eddRequired"] else "no"
    agrees = (answer["riskLevel"], due) == (row["level"], row["due"])
    assert agrees is not bool(row["cause"]), (answer["riskLevel"], due, row["why"])
