"""OpenSanctions deltas on top of a full list."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from apps.reference.watchlists.models import EntityState, Source, SourceKind
from apps.reference.watchlists.services import list_imports
from tests.shared_data import shared
from tests.watchlists.stored_versions import listed

Make = Callable[..., Source]

DELTA = "lists/opensanctions/delta_fixtures"


def test_opensanctions_deltas_bring_the_list_from_one_day_to_the_next(
    source: Make, noon: datetime
) -> None:
    sanctions = source("opensanctions-sanctions", format="ftm", kind=SourceKind.OFFICIAL)
    full = list_imports.import_files(
        source=sanctions, paths=[shared(f"{DELTA}/t1/entities.ftm.json")], now=noon
    )
    before = listed(sanctions, 1)
    assert full.total == len(before) == 6
    folder = shared(f"{DELTA}/t2/delta.json").parent
    paths = sorted(folder.glob("*/entities.delta.json"))
    version = list_imports.import_delta(source=sanctions, paths=paths, now=noon)
    after = listed(sanctions, 2)
    assert version.total == len(after) == len(before) + version.added - version.removed
    assert "NK-500Poltergeist" not in after
    assert "Foobar Foobargroup" in after["NK-2T3S8Hu29ktYnKSTgQp2wL"]
    assert "NK-2sJaJRaPJcWUfMbHjTtWcL" in after
    assert "Q4365364" in after
    assert listed(sanctions, 1) == before


def test_a_delta_twice_changes_nothing(source: Make, noon: datetime, tmp_path: Path) -> None:
    sanctions = source("os", format="ftm")
    party = (
        '{"id": "Q1", "schema": "Person", "properties": {"name": ["%s"], "topics": ["sanction"]}}'
    )
    (tmp_path / "full.json").write_text(party % "A B")
    list_imports.import_files(source=sanctions, paths=[tmp_path / "full.json"], now=noon)
    for number in (1, 2):
        path = tmp_path / f"{number}.json"
        path.write_text(f'{{"op": "MOD", "entity": {party % "C D"}}}' + "\n" * number)
        version = list_imports.import_delta(source=sanctions, paths=[path], now=noon)
    assert (version.sequence, version.total, version.changed) == (3, 1, 0)
    assert listed(sanctions, 3) == {"Q1": "C D"}


def test_a_delta_keeps_the_offices_that_it_does_not_repeat(
    source: Make, noon: datetime, tmp_path: Path
) -> None:
    peps = source("peps", format="ftm", topic="pep")
    (tmp_path / "full.json").write_text(
        '{"id": "Q1", "schema": "Person", "properties":'
        ' {"name": ["A B"], "topics": ["role.pep"]}}\n'
        '{"id": "P1", "schema": "Position", "properties": {"name": ["King"], "country": ["gb"]}}\n'
        '{"id": "O1", "schema": "Occupancy", "properties": {"holder": ["Q1"], "post": ["P1"]}}\n'
    )
    list_imports.import_files(source=peps, paths=[tmp_path / "full.json"], now=noon)
    (tmp_path / "delta.json").write_text(
        '{"op": "MOD", "entity": {"id": "Q1", "schema": "Person", "properties":'
        ' {"name": ["A C"], "topics": ["role.pep"]}}}\n'
    )
    list_imports.import_delta(source=peps, paths=[tmp_path / "delta.json"], now=noon)
    (person,) = EntityState.objects.at(source_id=peps.pk, sequence=2).entities()
    assert person.names[0].full == "A C"
    assert [office.title for office in person.positions] == ["King"]


@pytest.mark.parametrize("batch", [1, 1000])
def test_a_party_that_a_delta_changes_and_then_deletes_is_gone(
    source: Make, noon: datetime, tmp_path: Path, monkeypatch: Any, batch: int
) -> None:
    monkeypatch.setattr(list_imports, "BATCH", batch)
    sanctions = source("os", format="ftm", minimum_percent=0)

    def party(key: str, name: str) -> str:
        properties = f'"properties": {{"name": ["{name}"], "topics": ["sanction"]}}'
        return f'{{"id": "{key}", "schema": "Person", {properties}}}'

    (tmp_path / "full.json").write_text(party("Q1", "A B") + "\n" + party("Q2", "C D"))
    list_imports.import_files(source=sanctions, paths=[tmp_path / "full.json"], now=noon)
    lines = [
        f'{{"op": "MOD", "entity": {party("Q1", "A Z")}}}',
        f'{{"op": "ADD", "entity": {party("Q3", "E F")}}}',
        '{"op": "DEL", "entity": {"id": "Q1"}}',
        '{"op": "DEL", "entity": {"id": "Q3"}}',
    ]
    (tmp_path / "delta.json").write_text("\n".join(lines))
    version = list_imports.import_delta(source=sanctions, paths=[tmp_path / "delta.json"], now=noon)
    assert (version.total, version.added, version.changed, version.removed) == (1, 0, 0, 1)
    assert listed(sanctions, 1) == {"Q1": "A B", "Q2": "C D"}
    assert listed(sanctions, 2) == {"Q2": "C D"}


def test_a_party_whose_change_has_no_name_stays_listed_and_is_counted(
    source: Make, noon: datetime, tmp_path: Path
) -> None:
    sanctions = source("os", format="ftm")
    party = (
        '{"id": "Q1", "schema": "Person", "properties": {"name": ["%s"], "topics": ["sanction"]}}'
    )
    (tmp_path / "full.json").write_text(party % "A B")
    list_imports.import_files(source=sanctions, paths=[tmp_path / "full.json"], now=noon)
    # a placeholder of a wiki for a name that it lacks
    (tmp_path / "delta.json").write_text(f'{{"op": "MOD", "entity": {party % "Q4365364"}}}')
    version = list_imports.import_delta(source=sanctions, paths=[tmp_path / "delta.json"], now=noon)
    assert listed(sanctions, 2) == {"Q1": "A B"}
    assert version.report["notes"] == [
        "1 of what was read have no name or no number and were left out."
    ]


def test_a_delta_that_deletes_most_of_the_list_is_refused(
    source: Make, noon: datetime, tmp_path: Path
) -> None:
    sanctions = source("os", format="ftm")
    party = (
        '{"id": "Q1", "schema": "Person", "properties": {"name": ["A"], "topics": ["sanction"]}}'
    )
    (tmp_path / "full.json").write_text(party + "\n" + party.replace("Q1", "Q2"))
    list_imports.import_files(source=sanctions, paths=[tmp_path / "full.json"], now=noon)
    (tmp_path / "delta.json").write_text('{"op": "DEL", "entity": {"id": "Q1"}}')
    with pytest.raises(list_imports.ImportRefused, match="1 parties, the live version has 2"):
        list_imports.import_delta(source=sanctions, paths=[tmp_path / "delta.json"], now=noon)
    assert len(listed(sanctions, 1)) == 2


def test_a_delta_needs_a_full_list_first(source: Make, noon: datetime, tmp_path: Path) -> None:
    (tmp_path / "delta.json").write_text('{"op": "DEL", "entity": {"id": "Q1"}}\n')
    with pytest.raises(list_imports.ImportRefused, match="no full list"):
        list_imports.import_delta(source=source(), paths=[tmp_path / "delta.json"], now=noon)
