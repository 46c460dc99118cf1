"""Nobody whom a full re-screen finds is missed, and each pair scores as in a screen."""

import random
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from apps.compliance.screening.rescreening import entry_matcher
from apps.compliance.screening.rescreening import party_index as filing
from apps.compliance.screening.rescreening.list_changes import EntryChange
from apps.compliance.screening.rescreening.subjects import build_subject
from apps.reference.watchlists import lookup
from apps.reference.watchlists.listed_entity import Identifier, ListedEntity, ListedName
from apps.reference.watchlists.matching.index import IndexEntry, MatchIndex
from apps.reference.watchlists.matching.reverse_index import PartyIndex
from apps.reference.watchlists.models import Party
from tests.shared_data import shared
from tests.watchlists.indexes import official_engine, opened

LISTED = (
    ("1", "Person", ("Muhammad Abd al-Rahman Haddad", "Abu Yusuf")),
    ("2", "Organization", ("Golden Falcon Trading LLC", "Al Saqr Al Zahabi")),
    ("3", "Vessel", ("SEA DRAGON",)),
    ("4", "Person", ("Владимир Кузнецов",)),
    ("5", "Organization", ("Kwangmyong Salvage",)),
    ("6", "Person", ("Kim Jong Un", "김정은")),
)
PARTIES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("Mohamed Abdulrahman Hadad", "Person", {}),
    ("HADDAD, Muhammad Abd al Rahman", "Unknown", {}),
    ("Golden Falcon Trading", "Organization", {}),
    ("GoldenFalcon Tradlng L.L.C.", "Unknown", {}),
    ("Payment for Golden Falcon Trading LLC invoice 77 of last month", "Unknown", {}),
    ("MV SEA DRAGON", "Unknown", {}),
    ("Vladimir Kuznetsov", "Person", {}),
    ("Kwang Myong Salvage Co", "Organization", {}),
    ("Kim Jongun", "Person", {}),
    ("Nothing of the kind", "Unknown", {"lei": "5493001KJTIIGC8Y1R12"}),
    ("Acme Ltd c/o Golden Falcon Trading LLC", "Unknown", {}),
    ("Vladimir Kuznetzov and Maria Petrova", "Unknown", {}),
    ("Blue Heron Stationery Limited", "Organization", {}),
    ("Maria Schmidt", "Person", {}),
)


def changes(entities: Iterable[ListedEntity]) -> list[EntryChange]:
    return [EntryChange(entity, None, "", "", ("names",)) for entity in entities]


def parties(rows: Iterable[tuple[str, str, dict[str, Any]]]) -> list[Party]:
    return [
        Party(pk=n, name=name, schema=schema, known=known, kind="screened", reference="screen:1")
        for n, (name, schema, known) in enumerate(rows, start=1)
    ]


def filed(
    rows: Sequence[Party], place: Path, live: MatchIndex, noon: datetime
) -> filing.OpenedPartyIndex:
    numbers, cutoffs, apart = filing.write_index(
        parties=rows, place=place, lender=live, progress=lambda done: None
    )
    index = PartyIndex.open(place, lender=live)
    return filing.OpenedPartyIndex(index, numbers, cutoffs, tuple(apart), noon)


def made_up(place: Path) -> tuple[MatchIndex, list[ListedEntity]]:
    entities = [
        ListedEntity(
            entity_id=key,
            schema=schema,  # type: ignore[arg-type]
            names=tuple(ListedName(name, "primary") for name in names),
            identifiers=(Identifier("lei", "5493001KJTIIGC8Y1R12"),) if key == "2" else (),
        )
        for key, schema, names in LISTED
    ]
    return opened((IndexEntry(f"l:{e.entity_id}", "l", e) for e in entities), place), entities


def test_the_index_gives_everybody_whom_a_look_up_of_each_party_finds(
    tmp_path: Path, noon: datetime
) -> None:
    live, entities = made_up(tmp_path / "list")
    rows = parties(PARTIES)
    held_by_index = filed(rows, tmp_path / "parties", live, noon)
    candidates = entry_matcher.find_candidates(filed=held_by_index, changes=changes(entities))
    with entry_matcher.open_changed_entries(
        slug="l", changes=changes(entities), lender=live
    ) as changed_entries:
        pks = {row.pk for row in rows if changed_entries.found(build_subject(row)).found}
    assert pks - candidates == set()
    assert len(pks) >= 11
    assert {13, 14} & candidates == set()  # who is like nobody is not even looked up


def test_a_pair_scores_among_the_changed_entries_as_it_does_on_the_whole_list(
    tmp_path: Path, noon: datetime
) -> None:
    live, entities = made_up(tmp_path / "list")
    engine: Any = SimpleNamespace(sanctions=live)
    with entry_matcher.open_changed_entries(
        slug="l", changes=changes(entities), lender=live
    ) as changed_entries:
        for party in parties(PARTIES):
            whole = lookup.match_sanctions(engine=engine, subject=build_subject(party)).matches
            some = changed_entries.found(build_subject(party)).found
            assert {one.ref: one.score for one in whole} == {
                one.match.ref: one.match.score for one in some
            }, party.name


@pytest.mark.slow
@pytest.mark.once
def test_of_real_lists_and_names_nobody_is_missed(tmp_path: Path, noon: datetime) -> None:
    shared("lists/ofac_2022_01/sdn.csv")
    people = shared("matching/benign_persons_dev.csv").read_text().splitlines()[1:]
    firms = shared("matching/benign_companies_dev.csv").read_text().splitlines()[1:]
    live = official_engine(tmp_path / "list").sanctions
    rng = random.Random(5)
    listed = [live.entity(n) for n in rng.sample(range(len(live)), 150)]
    names = [line.split(",")[0].strip('"') for line in rng.sample(people, 500)]
    names += [line.split(",")[0].strip('"') for line in rng.sample(firms, 500)]
    names += [misspelt(rng.choice(one.names).full, rng) for one in listed]
    rows = parties((name, "Unknown", {}) for name in names if name)
    candidates = entry_matcher.find_candidates(
        filed=filed(rows, tmp_path / "parties", live, noon), changes=changes(listed)
    )
    with entry_matcher.open_changed_entries(
        slug="ofac", changes=changes(listed), lender=live
    ) as changed_entries:
        pks = {row.pk for row in rows if changed_entries.found(build_subject(row)).found}
    assert [rows[n - 1].name for n in sorted(pks - candidates)] == []
    assert len(pks) > 100 and len(candidates) < len(rows) / 2


def misspelt(name: str, rng: random.Random) -> str:
    """Return a name with one letter left out, now and then within a longer text."""
    at = rng.randrange(len(name))
    written = name[:at] + name[at + 1 :]
    return f"Invoice 12 {written} second instalment" if rng.random() < 0.2 else written
