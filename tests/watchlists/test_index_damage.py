"""A match index that is not as it was built serves nobody, and is made anew by itself."""

import shutil
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from django.core.management import call_command

from apps.reference.watchlists import engine, indexes
from apps.reference.watchlists.live_list_sets import load_current_set
from apps.reference.watchlists.management.commands import keep_index
from apps.reference.watchlists.matching import index_digests
from apps.reference.watchlists.matching.index import MatchIndex, Query
from apps.reference.watchlists.matching.index_digests import IndexDamaged
from apps.reference.watchlists.models import Source
from apps.reference.watchlists.services import list_imports
from tests.attacks import index_damage
from tests.attacks.index_damage import DAMAGE, flip_bit

Make = Callable[..., Source]
Write = Callable[..., Path]
NAME = "Olaf Gustafsson Bergström"


@pytest.fixture
def place(source: Make, write: Write, noon: datetime) -> Path:
    """The folder of a live index of one sanctions list."""
    path = write("a.csv", {"1": NAME, "2": "Yevgeny Primakovich"})
    list_imports.import_files(source=source(), paths=[path], now=noon)
    indexes.build_set_index(load_current_set())
    engine.reset_engine()
    return indexes.index_folder(load_current_set().id)


def look_again() -> None:
    engine._held.looked_at = float("-inf")


@pytest.mark.parametrize("kind", DAMAGE)
def test_no_damage_of_any_file_is_opened(place: Path, kind: str) -> None:
    looked_at = index_damage.look(place / "sanction", kinds=[kind])
    assert looked_at.damaged > 40 and looked_at.faults == []
    assert MatchIndex.open(place / "sanction").search(Query(NAME, "Person"))


def test_a_file_that_was_not_built_is_damage_too(place: Path) -> None:
    (place / "sanction" / "person" / "more.npy").write_bytes(b"x")
    with pytest.raises(IndexDamaged, match=r"more\.npy"):
        MatchIndex.open(place / "sanction")


def test_screens_are_refused_until_the_damaged_index_is_built_anew(
    place: Path, noon: datetime
) -> None:
    flip_bit(place / "sanction" / "person" / "tokens.npy")
    for _ in range(2):
        with pytest.raises(engine.ListsUnavailable, match="not built yet") as caught:
            engine.load_current_engine(noon)
        look_again()
    assert caught.value.status == 503
    assert engine.check_lists_health(noon)["status"] == "down"
    assert not indexes.is_index_built(load_current_set().id)
    assert indexes.build_set_index(load_current_set()) is True
    look_again()
    assert engine.load_current_engine(noon).sanctions.search(Query(NAME, "Person"))
    assert sorted(path.name for path in place.parent.iterdir()) == [place.name]


@pytest.mark.parametrize("name", [indexes.SET, "sanction/meta.json", "pep/entities.blob"])
@pytest.mark.parametrize("kind", ["cut in half", "emptied", "deleted"])
def test_the_build_at_a_start_mends_what_is_damaged(
    place: Path, noon: datetime, name: str, kind: str
) -> None:
    DAMAGE[kind](place / name)
    indexes.find_newest_index()
    call_command("build_index")
    assert engine.load_current_engine(noon).sanctions.search(Query(NAME, "Person"))


def test_damage_while_an_index_is_served_stops_it_within_the_keepers_round(
    place: Path, noon: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(keep_index.time, "monotonic", lambda: clock[0])
    keeper = keep_index.Command()
    done = keeper._look("")
    opened = engine.load_current_engine(noon)
    flip_bit(place / "sanction" / "person" / "tokens.npy")
    mark = indexes.identify_folder(place)
    clock[0] += keep_index.VERIFY_EVERY - 1
    keeper._look(done)
    assert indexes.identify_folder(place) == mark
    clock[0] += 1
    monkeypatch.setattr(indexes, "build_set_index", lambda lists: False)  # it takes its time
    keeper._look(done)
    look_again()
    with pytest.raises(engine.ListsUnavailable):
        engine.load_current_engine(noon)
    monkeypatch.undo()
    keeper._look(done)
    look_again()
    again = engine.load_current_engine(noon)
    assert again.sanctions is not opened.sanctions
    assert again.sanctions.search(Query(NAME, "Person"))


def test_a_folder_that_is_taken_away_is_built_anew_by_the_keeper(
    place: Path, noon: datetime
) -> None:
    keeper = keep_index.Command()
    done = keeper._look("")
    engine.load_current_engine(noon)
    shutil.rmtree(place)
    look_again()
    with pytest.raises(engine.ListsUnavailable):
        engine.load_current_engine(noon)
    keeper._look(done)
    look_again()
    engine.load_current_engine(noon)


def test_a_replay_does_not_trust_a_damaged_index(place: Path) -> None:
    flip_bit(place / "sanction" / "person" / "tokens.npy")
    opened = engine.load_engine_for_versions({"house": 1})
    assert opened.sanctions.search(Query(NAME, "Person"))


def test_an_index_put_in_place_meanwhile_is_not_put_aside(place: Path) -> None:
    mark = indexes.identify_folder(place)
    shutil.copytree(place, place.with_name("other"))
    shutil.rmtree(place)
    place.with_name("other").rename(place)
    indexes.quarantine_index(place, mark, IndexDamaged("old"))
    assert indexes.is_index_built(load_current_set().id)


def test_two_that_find_the_damage_at_once_build_one_index(place: Path) -> None:
    flip_bit(place / "sanction" / "person" / "tokens.npy")
    found: list[bool] = []
    both = [
        threading.Thread(target=lambda: found.append(indexes.is_index_sound(place))) for _ in "12"
    ]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert found == [False, False]
    assert indexes.build_set_index(load_current_set()) is True
    assert indexes.build_set_index(load_current_set()) is False


def test_every_file_and_folder_is_on_the_disk_before_the_index_goes_live(
    source: Make, write: Write, noon: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled: list[Path] = []
    real = index_digests.sync_to_disk

    def watching(path: Path) -> None:
        settled.append(path)
        real(path)

    monkeypatch.setattr(index_digests, "sync_to_disk", watching)
    monkeypatch.setattr(indexes, "sync_to_disk", watching)
    list_imports.import_files(source=source(), paths=[write("a.csv", {"1": NAME})], now=noon)
    indexes.build_set_index(load_current_set())
    place = indexes.index_folder(load_current_set().id)
    built = {path.relative_to(place) for path in place.rglob("*")} | {Path()}
    aside = settled[0].parents[len(settled[0].parts) - len(place.parts) - 1]
    brought = {path.relative_to(aside) for path in settled if path.is_relative_to(aside)}
    assert built <= brought
    assert settled[-1] == place.parent
