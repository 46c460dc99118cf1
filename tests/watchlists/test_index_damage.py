"""A match index that is not as it was built serves nobody, and is made anew by itself."""

import os
import shutil
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from apps.watchlists import actions, engine, indexes
from apps.watchlists.management.commands import keep_index
from apps.watchlists.matching import digests
from apps.watchlists.matching.digests import Damaged
from apps.watchlists.matching.index import MatchIndex, Query
from apps.watchlists.models import Source
from apps.watchlists.sets import current_set

Make = Callable[..., Source]
Write = Callable[..., Path]
NAME = "Olaf Gustafsson Bergström"


@pytest.fixture
def place(source: Make, write: Write, noon: datetime) -> Path:
    """The folder of a live index of one sanctions list."""
    path = write("a.csv", {"1": NAME, "2": "Yevgeny Primakovich"})
    actions.import_files(source=source(), paths=[path], now=noon)
    indexes.build_set(current_set())
    engine.forget()
    return indexes.folder(current_set().id)


def look_again() -> None:
    engine._held.looked_at = float("-inf")


def zero(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def flip(path: Path) -> None:
    held = bytearray(path.read_bytes())
    held[len(held) // 2] ^= 1
    path.write_bytes(held)


DAMAGE: list[tuple[str, Callable[[Path], Any]]] = [
    ("one bit", flip),
    ("zeroed", zero),
    ("cut in half", lambda path: os.truncate(path, path.stat().st_size // 2)),
    ("emptied", lambda path: os.truncate(path, 0)),
    ("deleted", Path.unlink),
]


@pytest.mark.parametrize("do", [do for _, do in DAMAGE], ids=[name for name, _ in DAMAGE])
def test_no_damage_of_any_file_is_opened(
    place: Path, tmp_path: Path, do: Callable[[Path], Any]
) -> None:
    names = [path.relative_to(place) for path in (place / "sanction").rglob("*") if path.is_file()]
    assert len(names) > 40
    for name in names:
        if not (place / name).stat().st_size:
            continue
        copy = tmp_path / "copy"
        shutil.copytree(place, copy)
        do(copy / name)
        with pytest.raises(Damaged):
            MatchIndex.open(copy / "sanction")
        shutil.rmtree(copy)
    assert MatchIndex.open(place / "sanction").search(Query(NAME, "Person"))


def test_a_file_that_was_not_built_is_damage_too(place: Path) -> None:
    (place / "sanction" / "person" / "more.npy").write_bytes(b"x")
    with pytest.raises(Damaged, match=r"more\.npy"):
        MatchIndex.open(place / "sanction")


def test_screens_are_refused_until_the_damaged_index_is_built_anew(
    place: Path, noon: datetime
) -> None:
    flip(place / "sanction" / "person" / "tokens.npy")
    for _ in range(2):
        with pytest.raises(engine.ListsUnavailable, match="not built yet") as caught:
            engine.current(noon)
        look_again()
    assert caught.value.status == 503
    assert engine.health(noon)["status"] == "down"
    assert not indexes.is_built(current_set().id)
    assert indexes.build_set(current_set()) is True
    look_again()
    assert engine.current(noon).sanctions.search(Query(NAME, "Person"))
    assert sorted(path.name for path in place.parent.iterdir()) == [place.name]


@pytest.mark.parametrize("name", [indexes.SET, "sanction/meta.json", "pep/entities.blob"])
@pytest.mark.parametrize("do", [do for _, do in DAMAGE[2:]], ids=[name for name, _ in DAMAGE[2:]])
def test_the_build_at_a_start_mends_what_is_damaged(
    place: Path, noon: datetime, name: str, do: Callable[[Path], Any]
) -> None:
    do(place / name)
    indexes.newest()
    call_command("build_index")
    assert engine.current(noon).sanctions.search(Query(NAME, "Person"))


def test_damage_while_an_index_is_served_stops_it_within_the_keepers_round(
    place: Path, noon: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(keep_index.time, "monotonic", lambda: clock[0])
    keeper = keep_index.Command()
    done = keeper._look("")
    opened = engine.current(noon)
    flip(place / "sanction" / "person" / "tokens.npy")
    seen = indexes.mark(place)
    clock[0] += keep_index.VERIFY_EVERY - 1
    keeper._look(done)
    assert indexes.mark(place) == seen
    clock[0] += 1
    monkeypatch.setattr(indexes, "build_set", lambda lists: False)  # it takes its time
    keeper._look(done)
    look_again()
    with pytest.raises(engine.ListsUnavailable):
        engine.current(noon)
    monkeypatch.undo()
    keeper._look(done)
    look_again()
    again = engine.current(noon)
    assert again.sanctions is not opened.sanctions
    assert again.sanctions.search(Query(NAME, "Person"))


def test_a_folder_that_is_taken_away_is_built_anew_by_the_keeper(
    place: Path, noon: datetime
) -> None:
    keeper = keep_index.Command()
    done = keeper._look("")
    engine.current(noon)
    shutil.rmtree(place)
    look_again()
    with pytest.raises(engine.ListsUnavailable):
        engine.current(noon)
    keeper._look(done)
    look_again()
    engine.current(noon)


def test_a_replay_does_not_trust_a_damaged_index(place: Path) -> None:
    flip(place / "sanction" / "person" / "tokens.npy")
    opened = engine.for_versions({"house": 1})
    assert opened.sanctions.search(Query(NAME, "Person"))


def test_an_index_put_in_place_meanwhile_is_not_put_aside(place: Path) -> None:
    seen = indexes.mark(place)
    shutil.copytree(place, place.with_name("other"))
    shutil.rmtree(place)
    place.with_name("other").rename(place)
    indexes.put_aside(place, seen, Damaged("old"))
    assert indexes.is_built(current_set().id)


def test_two_that_find_the_damage_at_once_build_one_index(place: Path) -> None:
    flip(place / "sanction" / "person" / "tokens.npy")
    found: list[bool] = []
    both = [threading.Thread(target=lambda: found.append(indexes.is_sound(place))) for _ in "12"]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert found == [False, False]
    assert indexes.build_set(current_set()) is True
    assert indexes.build_set(current_set()) is False


def test_every_file_and_folder_is_on_the_disk_before_the_index_goes_live(
    source: Make, write: Write, noon: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled: list[Path] = []
    real = digests.settle

    def watching(path: Path) -> None:
        settled.append(path)
        real(path)

    monkeypatch.setattr(digests, "settle", watching)
    monkeypatch.setattr(indexes, "settle", watching)
    actions.import_files(source=source(), paths=[write("a.csv", {"1": NAME})], now=noon)
    indexes.build_set(current_set())
    place = indexes.folder(current_set().id)
    built = {path.relative_to(place) for path in place.rglob("*")} | {Path()}
    aside = settled[0].parents[len(settled[0].parts) - len(place.parts) - 1]
    brought = {path.relative_to(aside) for path in settled if path.is_relative_to(aside)}
    assert built <= brought
    assert settled[-1] == place.parent
