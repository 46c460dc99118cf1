"""The engine of a process: it serves what is built, follows the pointer, and fails closed."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from apps.reference.watchlists import engine, indexes
from apps.reference.watchlists.live_list_sets import load_current_set
from apps.reference.watchlists.matching.index import Query
from apps.reference.watchlists.models import Source, SourceKind, SourceTopic
from apps.reference.watchlists.services import list_imports

Make = Callable[..., Source]
Write = Callable[..., Path]


@pytest.fixture
def house(source: Make, write: Write, noon: datetime) -> Source:
    """A sanctions list of two persons, live and indexed."""
    made = source()
    path = write("a.csv", {"1": "Olaf Gustafsson Bergström", "2": "Yevgeny Primakovich"})
    list_imports.import_files(source=made, paths=[path], now=noon)
    indexes.build_set_index(load_current_set())
    return made


def found(opened: engine.Engine, name: str) -> list[str]:
    return [hit.ref for hit in opened.sanctions.search(Query(name, "Person"))]


def look_again() -> None:
    engine._held.looked_at = float("-inf")


def test_it_finds_listed_parties_under_their_reference(house: Source, noon: datetime) -> None:
    opened = engine.load_current_engine(noon)
    assert found(opened, "Olaf Gustafsson Bergstrom") == ["house:1"]
    assert opened.list_set.versions == {"house": 1}
    assert not opened.sample
    assert opened.freshness["pep"].state == "absent"


def test_a_process_asks_the_database_at_most_once_a_second(
    house: Source, noon: datetime, django_assert_num_queries: Any, monkeypatch: Any
) -> None:
    clock = [100.0]
    monkeypatch.setattr(engine, "LOOK_EVERY", 1.0)  # which tests/process_caches.py stops
    monkeypatch.setattr(engine.time, "monotonic", lambda: clock[0])
    with django_assert_num_queries(1):
        for _ in range(50):
            engine.load_current_engine(noon)
    clock[0] += 0.99
    with django_assert_num_queries(0):
        engine.load_current_engine(noon)
    clock[0] += 0.02
    with django_assert_num_queries(1):
        engine.load_current_engine(noon)


def test_a_new_version_serves_once_its_index_is_built(
    house: Source, write: Write, noon: datetime, settings: Any
) -> None:
    settings.INDEX_MAX_LAG_SECONDS = 900
    engine.load_current_engine(noon)
    path = write("b.csv", {"1": "Olaf Gustafsson Bergström", "2": "Somebody Otherwise"})
    list_imports.import_files(source=house, paths=[path], now=noon)
    look_again()
    late = engine.load_current_engine(noon + timedelta(seconds=900))
    assert late.list_set.versions == {"house": 1}
    assert engine.check_lists_health(noon + timedelta(seconds=60))["lagSeconds"] == 60
    with pytest.raises(engine.ListsUnavailable, match="901 seconds behind"):
        engine.load_current_engine(noon + timedelta(seconds=901))
    indexes.build_set_index(load_current_set())
    look_again()
    opened = engine.load_current_engine(noon + timedelta(seconds=901))
    assert opened.list_set.versions == {"house": 2}
    assert found(opened, "Somebody Otherwise") == ["house:2"]
    assert found(late, "Yevgeny Primakovich") == ["house:2"]


def test_a_process_that_starts_during_a_build_serves_the_index_before(
    house: Source, write: Write, noon: datetime
) -> None:
    list_imports.import_files(
        source=house, paths=[write("b.csv", {"1": "Somebody"})], now=noon, accept_shrink=True
    )
    engine.reset_engine()
    assert engine.load_current_engine(noon).list_set.versions == {"house": 1}
    with pytest.raises(engine.ListsUnavailable):
        engine.load_current_engine(noon + timedelta(seconds=901))


def test_a_topic_whose_first_list_is_not_indexed_yet_is_absent(
    source: Make, house: Source, write: Write, noon: datetime
) -> None:
    engine.load_current_engine(noon)
    peps = source("peps", topic=SourceTopic.PEP)
    list_imports.import_files(
        source=peps, paths=[write("p.csv", {"1": "Exposed Person"})], now=noon
    )
    look_again()
    assert engine.load_current_engine(noon).freshness["pep"].state == "absent"
    with pytest.raises(engine.ListsUnavailable, match="not built yet"):
        engine.load_current_engine(noon, need=("pep",))
    assert engine.check_lists_health(noon)["pep"] == "absent"
    indexes.build_set_index(load_current_set())
    look_again()
    assert engine.load_current_engine(noon).freshness["pep"].state == "fresh"


def test_without_a_list_it_is_unavailable(db: Any, noon: datetime) -> None:
    with pytest.raises(engine.ListsUnavailable) as caught:
        engine.load_current_engine(noon)
    assert (caught.value.status, caught.value.code) == (503, "lists_unavailable")
    assert caught.value.retry_after


def test_without_an_index_it_is_unavailable_and_nothing_is_built(
    source: Make, write: Write, noon: datetime
) -> None:
    list_imports.import_files(source=source(), paths=[write("a.csv", {"1": "A"})], now=noon)
    with pytest.raises(engine.ListsUnavailable, match="not built"):
        engine.load_current_engine(noon)
    assert not indexes.is_index_built(load_current_set().id)


def test_stale_lists_are_refused(house: Source, noon: datetime, settings: Any) -> None:
    settings.LISTS_MAX_AGE_HOURS = 48
    Source.objects.update(kind=SourceKind.OFFICIAL)
    look_again()
    engine.load_current_engine(noon + timedelta(hours=48))
    with pytest.raises(engine.ListsStale) as caught:
        engine.load_current_engine(noon + timedelta(hours=48, seconds=1))
    assert (caught.value.status, caught.value.code) == (503, "lists_stale")


def test_only_the_topics_that_are_needed_are_insisted_on(house: Source, noon: datetime) -> None:
    with pytest.raises(engine.ListsUnavailable, match="pep"):
        engine.load_current_engine(noon, need=("sanction", "pep"))
    with pytest.raises(engine.ListsUnavailable, match="pep"):
        engine.load_current_engine(noon, need=("pep",))


def test_an_office_holder_on_a_sanctions_list_is_found_in_both_searches(
    source: Make, tmp_path: Path, noon: datetime
) -> None:
    path = tmp_path / "mixed.csv"
    path.write_text(
        "entity_id,name,schema,topic,position,position_country\n"
        "1,Listed Officeholder,Person,sanction,President,FR\n"
        "2,Merely Sanctioned,Person,sanction,,\n"
        "3,Merely Exposed,Person,pep,Minister,FR\n"
        "4,Neither Nor,Person,other,,\n"
    )
    mixed = source("mixed", topic=SourceTopic.MIXED)
    list_imports.import_files(source=mixed, paths=[path], now=noon)
    indexes.build_set_index(load_current_set())
    opened = engine.load_current_engine(noon, need=("sanction", "pep"))
    assert (len(opened.sanctions), len(opened.pep)) == (2, 2)


def test_an_older_version_is_opened_again_for_a_replay(
    house: Source, write: Write, noon: datetime
) -> None:
    first = engine.load_current_engine(noon)
    path = write("b.csv", {"1": "Olaf Gustafsson Bergström", "3": "Somebody Otherwise"})
    list_imports.import_files(source=house, paths=[path], now=noon)
    indexes.build_set_index(load_current_set())
    for number in range(4):
        parties = {"1": "Olaf Gustafsson Bergström", "3": f"Somebody {number}"}
        list_imports.import_files(source=house, paths=[write("c.csv", parties)], now=noon)
        indexes.build_set_index(load_current_set())
    assert not indexes.is_index_built(first.list_set.id)
    again = engine.load_engine_for_versions({"house": 1})
    assert again.list_set.id == first.list_set.id
    assert found(again, "Yevgeny Primakovich") == ["house:2"]
    assert [again.freshness[topic].state for topic in ("sanction", "pep")] == ["fresh", "absent"]
    engine.reset_engine()
    assert engine.load_current_engine(noon).list_set.versions == {"house": 6}


def test_a_replay_of_a_list_that_is_gone_says_so(house: Source) -> None:
    with pytest.raises(engine.ListsUnavailable, match="vanished"):
        engine.load_engine_for_versions({"house": 1, "vanished": 2})


def test_building_twice_builds_once(house: Source) -> None:
    lists = load_current_set()
    before = (indexes.index_folder(lists.id) / "set.json").stat().st_ino
    assert indexes.build_set_index(lists) is False
    assert (indexes.index_folder(lists.id) / "set.json").stat().st_ino == before


def test_old_indexes_go_but_the_last_two(house: Source, write: Write, noon: datetime) -> None:
    for number in range(4):
        path = write("b.csv", {"1": f"Name {number}", "2": "Same"})
        list_imports.import_files(source=house, paths=[path], now=noon)
        indexes.build_set_index(load_current_set())
        time.sleep(0.01)
    assert len(list((indexes.index_root() / "live").iterdir())) == 3


def test_a_build_that_fails_leaves_nothing_and_the_next_starts_anew(
    house: Source, write: Write, noon: datetime, monkeypatch: Any
) -> None:
    list_imports.import_files(source=house, paths=[write("b.csv", {"1": "A", "2": "B"})], now=noon)
    real = indexes.build_index

    def broken(**given: Any) -> None:
        real(**given)
        raise OSError("disk full")

    monkeypatch.setattr(indexes, "build_index", broken)
    with pytest.raises(OSError, match="disk full"):
        indexes.build_set_index(load_current_set())
    assert not indexes.is_index_built(load_current_set().id)
    assert len(list((indexes.index_root() / "live").iterdir())) == 1
    monkeypatch.setattr(indexes, "build_index", real)
    assert indexes.build_set_index(load_current_set()) is True


def test_health_says_what_is_live_and_what_is_served(
    source: Make, house: Source, write: Write, noon: datetime
) -> None:
    lists_health = engine.check_lists_health(noon)
    assert lists_health["status"] == "degraded"  # no PEP list
    assert lists_health["pep"] == "absent"
    peps = source("peps", topic=SourceTopic.PEP)
    list_imports.import_files(source=peps, paths=[write("p.csv", {"1": "A"})], now=noon)
    indexes.build_set_index(load_current_set())
    lists_health = engine.check_lists_health(noon)
    assert lists_health["status"] == "ok"
    assert lists_health["versions"] == {"house": 1, "peps": 1}
    assert lists_health["listSet"] == lists_health["servedListSet"]


def test_health_is_down_without_lists(db: Any, noon: datetime) -> None:
    assert engine.check_lists_health(noon)["status"] == "down"
