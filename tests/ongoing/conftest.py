"""A list that changes, and parties that came up before it did."""

import csv
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from apps.ongoing import jobs as work
from apps.ongoing.models import Rescreen
from apps.ongoing.rescreen import planning, running
from apps.watchlists import actions, engine, indexes
from apps.watchlists.encounters import Encounter, remember_parties
from apps.watchlists.models import Kind, Source, Topic
from apps.watchlists.sets import current_set

COLUMNS = ("entity_id", "name", "schema", "birth_date", "country", "topic")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, settings: Any) -> Iterator[Path]:
    """Give each test its own folder for indexes and locks, and a process that is new."""
    settings.VAR_DIR = tmp_path / "var"
    engine.forget()
    yield settings.VAR_DIR
    engine.forget()


@pytest.fixture
def house(db: Any) -> Source:
    """An in-house list of sanctioned parties, with nothing loaded."""
    return Source.objects.create(
        slug="house", title="House list", topic=Topic.SANCTION, kind=Kind.IN_HOUSE, format="csv",
        minimum_percent=0,
    )  # fmt: skip


@pytest.fixture
def goes_live(house: Source, tmp_path: Path, noon: datetime) -> Callable[..., None]:
    """Load the list: `goes_live({"1": "Olaf Scholz"})` of persons, or rows by column."""

    def load(parties: Mapping[str, Any], *, now: datetime = noon, source: Source = house) -> None:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.csv"
        with path.open("w", newline="") as file:
            rows = csv.DictWriter(file, COLUMNS)
            rows.writeheader()
            for key, one in parties.items():
                told = one if isinstance(one, dict) else {"name": one}
                rows.writerow({"entity_id": key, "schema": "Person", **told})
        source.refresh_from_db()
        actions.import_files(source=source, paths=[path], now=now)
        indexes.build_set(current_set())
        engine.forget()

    return load


@pytest.fixture
def met(noon: datetime) -> Callable[..., None]:
    """Remember parties that came up: `met("Olaf Scholz", owner="account:1")`."""

    def remember(*names: str, now: datetime = noon, **known: Any) -> None:
        given = {"kind": "screened", "schema": "Person", "reference": "screen:1",
                 "owner": "account:1"} | known  # fmt: skip
        remember_parties(encounters=[Encounter(name=name, **given) for name in names], now=now)

    return remember


@pytest.fixture
def rescreen(house: Source, noon: datetime) -> Callable[..., Rescreen | None]:
    """Hold the parties against what changed of the house list, as the job does, once."""

    def run(*, now: datetime = noon) -> Rescreen | None:
        standing = planning.unfinished(house) or work._run("house", now)
        if standing is None:
            return None
        on = running.ground(
            engine=engine.current(now, need=()), now=now, progress=lambda parties: None
        )
        return running.go_on(run=standing, on=on, now=now)

    return run


@pytest.fixture
def rescreened(rescreen: Callable[..., Rescreen]) -> Callable[..., Rescreen]:
    """Hold the parties against what changed, to the end of the late look."""

    def run(**given: Any) -> Rescreen:
        rescreen(**given)
        return rescreen(**given)

    return run
