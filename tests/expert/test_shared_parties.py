"""The parties of the shared data are decided as an experienced officer would, but for known misses.

They are screened against the files of OFAC and the UN, and those whom a later parse of OFAC's list
has beside them. Of each the table gives the decision that the officer would sign, and those that
are acceptable. `shared_misses.csv` names the parties that come out otherwise, and why; one that has
turned right is taken off. Parties of an LEI are left out: the register that they stand in is not
part of the shared data. `pytest -s` prints the result by group.
"""

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from apps.reference.watchlists.models import SourceTopic
from tests.expert import party_table
from tests.expert.conftest import load
from tests.expert.party_table import Outcome
from tests.shared_data import shared

pytestmark = pytest.mark.once

TABLE = "expert/parties_dev.csv"
OFAC, LATER = "lists/ofac_2022_01", "lists/sanctions_ofac.csv"
MISSES = Path(__file__).with_name("shared_misses.csv")
GROUPS = {
    "a": "listed",
    "b": "innocent or a namesake",
    "c": "what a name field holds",
    "d": "owners",
    "e": "amounts",
    "f": "office holders",
}
PATH = "/compliance/compliance/screen"


@dataclass(frozen=True, slots=True)
class Party:
    """A party, the decision that an officer would sign, and those that are acceptable."""

    id: str
    group: str
    body: dict[str, Any]
    expected: str
    acceptable: frozenset[str]


def parties() -> Iterator[Party]:
    """Yield the parties that need no register."""
    with shared(TABLE).open(encoding="utf-8", newline="") as source:
        for row in csv.DictReader(source):
            facts = json.loads(row["other_facts"] or "{}")
            if "lei" not in facts:
                yield Party(
                    id=row["id"],
                    group=row["group"],
                    body={"name": row["name"], **facts},
                    expected=_status(row["expected"]),
                    acceptable=frozenset(map(_status, row["acceptable"].split("/"))),
                )


def _status(decision: str) -> str:
    return decision.removeprefix("HTTP ")


def misses() -> dict[str, str]:
    """Return the decision that comes of each party that is known to come out otherwise."""
    with MISSES.open(encoding="utf-8", newline="") as source:
        return {row["id"]: row["came"] for row in csv.DictReader(source)}


@pytest.fixture
def lists(real: str, tmp_path: Path, settings: Any) -> None:
    """The lists that the table was written for."""
    with shared(f"{OFAC}/sdn.csv").open(encoding="utf-8", errors="replace") as source:
        known = {f"ofac-{line.partition(',')[0]}" for line in source}
    later = tmp_path / "later.csv"
    with shared(LATER).open(encoding="utf-8") as source, later.open("w", encoding="utf-8") as out:
        out.writelines(line for line in source if line.partition(",")[0] not in known)
    load("ofac-later", SourceTopic.SANCTION, "csv", [later])
    settings.REQUIRED_SOURCES = [*settings.REQUIRED_SOURCES, "ofac-later"]
    call_command("build_index", verbosity=0)


@pytest.mark.django_db
def test_each_party_is_decided_as_an_officer_would(lists: None, caller: Callable[..., Any]) -> None:
    client = caller("Alice Treasury")
    known = misses()
    came = [
        (party, party_table.outcome(client.post(PATH, party.body, format="json")))
        for party in parties()
    ]
    print(f"\n{report(came)}")
    differing = [
        f"{party.id} ({party.body['name']}): {'/'.join(sorted(party.acceptable))} expected, "
        f"{outcome.decision} came: {outcome.reasons}"
        for party, outcome in came
        if (outcome.decision if outcome.decision not in party.acceptable else None)
        != known.get(party.id)
    ]
    assert not differing, "\n" + "\n".join(differing)


def report(came: list[tuple[Party, Outcome]]) -> str:
    """Return how many parties of each group come out as expected, acceptably, and how others do."""
    lines = []
    for group, title in GROUPS.items():
        some = [(party, outcome) for party, outcome in came if party.group == group]
        strict = sum(outcome.decision == party.expected for party, outcome in some)
        lenient = sum(outcome.decision in party.acceptable for party, outcome in some)
        ways = Counter(
            f"{outcome.decision} instead of {party.expected}"
            for party, outcome in some
            if outcome.decision not in party.acceptable
        )
        told = "".join(f"; {way}: {count}" for way, count in sorted(ways.items()))
        if some:
            lines.append(f"{title}: {strict} of {len(some)} as signed, {lenient} acceptable{told}")
    return "\n".join(lines)


def test_each_known_miss_has_a_party_and_a_cause() -> None:
    with MISSES.open(encoding="utf-8", newline="") as source:
        rows = list(csv.DictReader(source))
    by_id = {party.id: party for party in parties()}
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        assert row["cause"] and row["came"] not in by_id[row["id"]].acceptable, row
