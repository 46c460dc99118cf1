"""The world in which the expert decides: lists, register, rates, a fixed day."""

import io
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction

from apps.platform.api import viewsets
from apps.platform.common.clock import now
from apps.reference.countries import listings
from apps.reference.lei.services import file_imports, lookups
from apps.reference.watchlists import engine
from apps.reference.watchlists.models import Source, SourceKind, SourceTopic
from apps.reference.watchlists.services import list_imports
from tests.conftest import NOON
from tests.expert import party_table, sample_register
from tests.shared_data import shared

LISTS = Path(__file__).parent / "lists"
PATH = "/compliance/compliance/screen"
OFAC = [f"lists/ofac_2022_01/{name}.csv" for name in ("sdn", "add", "alt")]
REAL = {
    "us-ofac-sdn": ("ofac-csv", OFAC),
    "un-sc": ("un-xml", ["lists/un/un_consolidated_2026-02-27.xml"]),
}


@pytest.fixture
def world(db: Any, settings: Any, tmp_path: Path, monkeypatch: Any) -> Iterator[Path]:
    """Office holders, the register and rates; the sanctions lists are the test's own choice."""
    settings.VAR_DIR, settings.GLEIF_URL = tmp_path / "var", ""
    monkeypatch.setattr(viewsets, "present", lambda: NOON)
    engine.reset_engine()
    listings.clear_listings_cache()
    lookups._used_leis.clear()
    call_command("load_sample_rates", verbosity=0, stdout=io.StringIO())
    for path in sample_register.files(tmp_path):
        file_imports.import_golden_copy(order=file_imports.ImportOrder(path), clock=lambda: NOON)
    load("expert-peps", SourceTopic.PEP, "csv", [LISTS / "peps.csv"])
    yield tmp_path
    engine.reset_engine()
    listings.clear_listings_cache()
    shutil.rmtree(settings.VAR_DIR, ignore_errors=True)


def load(slug: str, topic: str, form: str, paths: list[Path]) -> None:
    """Make a source of these files, live."""
    source = Source.objects.create(
        slug=slug, title=slug, topic=topic, kind=SourceKind.IN_HOUSE, format=form
    )
    list_imports.import_files(source=source, paths=paths, now=now())


@pytest.fixture
def own(world: Path, settings: Any) -> str:
    """The few dozen rows of official lists that the table needs."""
    load("expert-listed", SourceTopic.SANCTION, "csv", [LISTS / "listed.csv"])
    settings.REQUIRED_SOURCES = ["expert-listed"]
    call_command("build_index", verbosity=0)
    return "own"


@pytest.fixture
def real(world: Path, settings: Any) -> str:
    """The whole lists from which those rows were taken."""
    for slug, (form, names) in REAL.items():
        load(slug, SourceTopic.SANCTION, form, [shared(name) for name in names])
    settings.REQUIRED_SOURCES = list(REAL)
    call_command("build_index", verbosity=0)
    return "real"


@pytest.fixture
def decide(
    caller: Callable[..., Any], settings: Any
) -> Callable[[party_table.Row], party_table.Outcome]:
    """Screen a party through the API."""
    client = caller("Alice Treasury")

    def ask(row: party_table.Row) -> party_table.Outcome:
        with in_state(row.state, settings):
            return party_table.outcome(client.post(PATH, row.body, format="json"))

    return ask


@contextmanager
def in_state(state: str, settings: Any) -> Iterator[None]:
    """Put the lists into a state for one call; what the call wrote is taken back."""
    if not state:
        yield
        return
    required = list(settings.REQUIRED_SOURCES)
    with transaction.atomic():
        STATES[state](settings)
        engine.reset_engine()
        yield
        transaction.set_rollback(True)
    settings.REQUIRED_SOURCES = required
    engine.reset_engine()


def _stale(settings: Any) -> None:
    rows = Source.objects.filter(slug__in=settings.REQUIRED_SOURCES)
    rows.update(max_age_hours=24, last_checked_at=NOON - timedelta(days=3))


def _missing(settings: Any) -> None:
    settings.REQUIRED_SOURCES = [*settings.REQUIRED_SOURCES, "eu-fsf"]


def _optional_missing(settings: Any) -> None:
    Source.objects.create(
        slug="ofsi",
        title="OFSI",
        topic=SourceTopic.SANCTION,
        kind=SourceKind.OFFICIAL,
        format="uk-csv",
    )


def _no_pep_list(settings: Any) -> None:
    rows = Source.objects.filter(topic=SourceTopic.PEP)
    rows.update(max_age_hours=24, last_checked_at=NOON - timedelta(days=3))


STATES = {
    "stale": _stale,
    "missing": _missing,
    "optional-missing": _optional_missing,
    "no-pep-list": _no_pep_list,
}
