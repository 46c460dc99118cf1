"""A list that changes, and parties that came up before it did."""

import csv
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from apps.compliance.screening import tasks as work
from apps.compliance.screening.models.rescreens import Rescreen
from apps.compliance.screening.rescreening import due_runs, runner
from apps.reference.watchlists import engine, indexes
from apps.reference.watchlists.live_list_sets import load_current_set
from apps.reference.watchlists.models import Source, SourceKind, SourceTopic
from apps.reference.watchlists.services import list_imports
from apps.reference.watchlists.services.screened_parties import PartyEncounter, remember_parties
from tests.watchlists.conftest import own_folder  # noqa: F401

COLUMNS = ("entity_id", "name", "schema", "birth_date", "country", "topic", "program")


@pytest.fixture
def house(db: Any) -> Source:
    """An in-house list of sanctioned parties, with nothing loaded."""
    return Source.objects.create(
        slug="house",
        title="House list",
        topic=SourceTopic.SANCTION,
        kind=SourceKind.IN_HOUSE,
        format="csv",
        minimum_percent=0,
    )


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
        list_imports.import_files(source=source, paths=[path], now=now)
        indexes.build_set_index(load_current_set())
        engine.reset_engine()

    return load


@pytest.fixture
def met(noon: datetime) -> Callable[..., None]:
    """Remember parties that came up: `met("Olaf Scholz", owner="account:1")`."""

    def remember(*names: str, now: datetime = noon, **known: Any) -> None:
        given = {"kind": "screened", "schema": "Person", "reference": "screen:1",
                 "owner": "account:1"} | known  # fmt: skip
        remember_parties(encounters=[PartyEncounter(name=name, **given) for name in names], now=now)

    return remember


@pytest.fixture
def rescreen(house: Source, noon: datetime) -> Callable[..., Rescreen | None]:
    """Hold the parties against what changed of the house list, as the job does, once."""

    def run(*, now: datetime = noon) -> Rescreen | None:
        standing = due_runs.find_unfinished_run(house) or work._find_or_plan_run("house", now)
        if standing is None:
            return None
        on = runner.prepare_run_context(
            engine=engine.load_current_engine(now, need=()), now=now, progress=lambda parties: None
        )
        return runner.continue_run(run=standing, on=on, now=now)

    return run


@pytest.fixture
def rescreened(rescreen: Callable[..., Rescreen]) -> Callable[..., Rescreen]:
    """Hold the parties against what changed, to the end of the late look."""

    def run(**given: Any) -> Rescreen:
        rescreen(**given)
        return rescreen(**given)

    return run
