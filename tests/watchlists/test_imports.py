"""Imports: all or nothing, only what changed, and every older version stays readable."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.reference.watchlists.models import (
    EntityState,
    ListVersion,
    Source,
    SourceKind,
    VersionStatus,
)
from apps.reference.watchlists.services import list_imports
from apps.reference.watchlists.sources.un_xml import TAGS
from apps.reference.watchlists.sources.xml_repair import RepairedXmlStream
from tests.shared_data import shared
from tests.watchlists.stored_versions import listed
from tests.watchlists.test_source_ofac import SDN

Make = Callable[..., Source]
Write = Callable[..., Path]


def test_a_version_holds_what_the_file_lists(source: Make, write: Write, noon: datetime) -> None:
    house = source()
    version = list_imports.import_files(
        source=house, paths=[write("a.csv", {"1": "A", "2": "B"})], now=noon
    )
    assert (version.sequence, version.status) == (1, VersionStatus.LIVE)
    assert (version.total, version.added, version.changed, version.removed) == (2, 2, 0, 0)
    assert house.live == version
    assert house.last_checked_at == noon
    assert listed(house, 1) == {"1": "A", "2": "B"}


def test_an_import_stores_only_what_changed_and_says_so(
    source: Make, write: Write, noon: datetime
) -> None:
    house = source(minimum_percent=50)
    first = {"1": "A", "2": "B", "3": "C"}
    list_imports.import_files(source=house, paths=[write("a.csv", first)], now=noon)
    second = {"1": "A", "2": "Bee", "4": "D"}
    version = list_imports.import_files(source=house, paths=[write("b.csv", second)], now=noon)
    assert (version.total, version.added, version.changed, version.removed) == (3, 1, 1, 1)
    assert EntityState.objects.count() == 5
    assert version.report == {
        "added": [{"id": "4", "name": "D"}],
        "changed": [{"id": "2", "name": "Bee", "fields": ["names"]}],
        "removed": [{"id": "3", "name": "C"}],
    }
    assert listed(house, 1) == first
    assert listed(house, 2) == second


def test_a_party_that_comes_back_is_listed_anew(source: Make, write: Write, noon: datetime) -> None:
    house = source(minimum_percent=10)
    states = ({"1": "A", "2": "B"}, {"1": "A"}, {"1": "A", "2": "B"})
    for number, parties in enumerate(states):
        path = write(f"{number}.csv", parties)
        # the third file equals the first, so the second must be what is compared with
        list_imports.import_files(source=house, paths=[path], now=noon)
    assert [listed(house, number) for number in (1, 2, 3)] == list(states)


def test_the_same_file_only_moves_the_time_of_the_check(
    source: Make, write: Write, noon: datetime
) -> None:
    house = source()
    path = write("a.csv", {"1": "A"})
    list_imports.import_files(source=house, paths=[path], now=noon)
    later = noon + timedelta(hours=6)
    version = list_imports.import_files(source=house, paths=[path], now=later)
    assert ListVersion.objects.count() == 1
    assert version.live_at == noon
    assert house.last_checked_at == later


def test_another_mapping_of_the_same_file_is_another_version(
    source: Make, tmp_path: Path, noon: datetime
) -> None:
    house = source()
    path = tmp_path / "a.csv"
    path.write_text("entity_id,name,nick\n1,A,B\n")
    list_imports.import_files(source=house, paths=[path], now=noon)
    house.remap({"name": "nick"}, now=noon)
    version = list_imports.import_files(source=house, paths=[path], now=noon)
    assert (version.sequence, version.changed) == (2, 1)
    assert listed(house, 2) == {"1": "B"}


@pytest.mark.parametrize(("left", "taken"), [(9, True), (8, False)])
def test_a_list_that_shrinks_below_its_share_is_refused(
    source: Make, write: Write, noon: datetime, left: int, taken: bool
) -> None:
    house = source(minimum_percent=90)
    parties = {str(number): f"Party {number}" for number in range(10)}
    list_imports.import_files(source=house, paths=[write("a.csv", parties)], now=noon)
    fewer = write("b.csv", dict(list(parties.items())[:left]))
    if taken:
        assert list_imports.import_files(source=house, paths=[fewer], now=noon).total == left
        return
    with pytest.raises(list_imports.ImportRefused, match="8 parties, the live version has 10"):
        list_imports.import_files(source=house, paths=[fewer], now=noon)
    assert ListVersion.objects.get(sequence=2).status == VersionStatus.REJECTED
    assert house.live and house.live.sequence == 1
    assert listed(house, 1) == parties
    assert EntityState.objects.filter(last_sequence__isnull=False).count() == 0
    version = list_imports.import_files(source=house, paths=[fewer], now=noon, accept_shrink=True)
    assert (version.sequence, version.removed) == (3, 2)
    assert listed(house, 1) == parties
    assert len(listed(house, 3)) == 8


def test_an_empty_list_is_refused_however_it_is_asked(
    source: Make, write: Write, noon: datetime
) -> None:
    house = source()
    with pytest.raises(list_imports.ImportRefused, match="contain no parties"):
        list_imports.import_files(
            source=house, paths=[write("a.csv", {})], now=noon, accept_shrink=True
        )


def test_a_file_of_another_format_leaves_nothing_behind(
    source: Make, write: Write, tmp_path: Path, noon: datetime, monkeypatch: Any
) -> None:
    monkeypatch.setattr(list_imports, "BATCH", 2)
    house = source()
    parties = {str(number): f"Party {number}" for number in range(6)}
    list_imports.import_files(source=house, paths=[write("a.csv", parties)], now=noon)
    sdn = source("ofac", format="ofac-csv")
    path = tmp_path / "sdn.csv"
    path.write_text(SDN + "1,2\n")
    with pytest.raises(list_imports.ImportRefused, match="expected 12 fields at line"):
        list_imports.import_files(source=sdn, paths=[path], now=noon)
    sdn.refresh_from_db()
    assert sdn.live is None
    assert "expected 12 fields" in sdn.last_error
    failed = ListVersion.objects.get(source=sdn)
    assert failed.status == VersionStatus.FAILED
    assert "expected 12 fields" in failed.report["error"]
    assert not EntityState.objects.filter(source=sdn).exists()


def test_a_missing_file_is_refused(source: Make, tmp_path: Path, noon: datetime) -> None:
    with pytest.raises(list_imports.ImportRefused, match="cannot be read"):
        list_imports.import_files(source=source(), paths=[tmp_path / "none.csv"], now=noon)


def test_a_number_that_a_file_prints_twice_keeps_both_parties(
    source: Make, tmp_path: Path, noon: datetime
) -> None:
    sdn = source("ofac", format="ofac-csv")
    path = tmp_path / "sdn.csv"
    path.write_text(SDN.replace("36,AERO", "2674,AERO"))
    list_imports.import_files(source=sdn, paths=[path], now=noon)
    assert listed(sdn, 1) == {
        "15036": "ARTAVIL",
        "2674": "Abu ABBAS",
        "2674#2": "AEROCARIBBEAN AIRLINES",
    }


def test_readers_see_no_half_staged_version(
    source: Make, write: Write, noon: datetime, monkeypatch: Any
) -> None:
    monkeypatch.setattr(list_imports, "BATCH", 2)
    house = source(minimum_percent=0)
    first = {str(number): f"Party {number}" for number in range(7)}
    list_imports.import_files(source=house, paths=[write("a.csv", first)], now=noon)
    seen = []
    second = {str(number): f"Other {number}" for number in range(3, 12)}
    list_imports.import_files(
        source=house,
        paths=[write("b.csv", second)],
        now=noon,
        progress=lambda count: seen.append(listed(house, 1)),
    )
    assert len(seen) == 5
    assert all(view == first for view in seen)
    assert listed(house, 2) == second


def test_an_import_costs_few_queries_and_none_grow_with_the_batch(
    source: Make, write: Write, noon: datetime
) -> None:
    house = source()
    parties = {str(number): f"Party {number}" for number in range(1000)}
    with CaptureQueriesContext(
        connection,
    ) as queries:
        list_imports.import_files(source=house, paths=[write("a.csv", parties)], now=noon)
    assert len(queries) < 40


def test_a_un_list_that_lost_its_names_in_original_script_is_refused(
    source: Make, noon: datetime
) -> None:
    un = source("un-sc", format="un-xml", kind=SourceKind.OFFICIAL)
    broken = shared("lists/un/un_consolidated_2025-08-16.xml")
    with pytest.raises(
        list_imports.ImportRefused, match="380 of what was read have a name in original"
    ):
        list_imports.import_files(source=un, paths=[broken], now=noon)
    assert un.live is None


def without_original_script(path: Path) -> bytes:
    """Return a broken UN list as one that is well-formed and gives no name in original script."""
    with path.open("rb") as stream:
        text = RepairedXmlStream(stream, tags=TAGS).read()
    return re.sub(rb"<NAME_ORIGINAL_SCRIPT>.*?</NAME_ORIGINAL_SCRIPT>", b"", text, flags=re.S)


def test_two_versions_of_the_un_list_say_what_changed(
    source: Make, tmp_path: Path, noon: datetime
) -> None:
    un = source("un-sc", format="un-xml", kind=SourceKind.OFFICIAL)
    older = tmp_path / "older.xml"
    older.write_bytes(without_original_script(shared("lists/un/un_consolidated_2025-08-16.xml")))
    newer = shared("lists/un/un_consolidated_2026-02-27.xml")
    list_version = list_imports.import_files(source=un, paths=[older], now=noon)
    assert (list_version.total, list_version.added) == (879, 879)
    two = list_imports.import_files(source=un, paths=[newer], now=noon)
    assert two.total == 1003 == 879 + two.added - two.removed
    assert two.added > 120
    assert two.removed >= 1
    assert len(listed(un, 1)) == 879
    assert len(listed(un, 2)) == 1003
    gone = {row["id"] for row in two.report["removed"]}
    assert gone and gone <= set(listed(un, 1)) - set(listed(un, 2))
    assert two.report["notes"] == ["1 of what was read have a name in a broken encoding."]
    assert [one.published_at.isoformat()[:19] for one in (list_version, two)] == [
        "2025-08-16T23:00:05", "2026-02-27T00:00:09",
    ]  # fmt: skip
