"""A database that other threads see too, and that is empty again afterwards."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from apps.core import appendonly
from apps.core.models import LedgerHead, Seal
from apps.review.models import Case, DecisionEvent
from config.review import KINDS, Kind
from tests.review.people import OFFICER, SENIOR, person

LEDGERS = (DecisionEvent, Seal)


@pytest.fixture(autouse=True)
def _a_kind_of_no_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests stand on review alone: evidence is drawn as it is stored."""
    monkeypatch.setitem(KINDS, "screen", Kind(title="Flagged screen"))


@pytest.fixture
def committed(django_db_setup: Any, django_db_blocker: Any) -> Iterator[None]:
    """Let a test commit.

    Django's own flush cannot empty append-only tables; this lifts their triggers for the
    moment of tidying up and puts them back.
    """
    with django_db_blocker.unblock():
        yield
        _lift()
        for model in (Seal, LedgerHead, DecisionEvent, Case, User):
            model.objects.all().delete()
        with connection.schema_editor() as editor:
            for model in LEDGERS:
                appendonly.install(editor, model, getattr(model, "PURGEABLE", ()))
        assert appendonly.missing() == []
        connection.close()


def _lift() -> None:
    with connection.cursor() as cursor:
        for model in LEDGERS:
            table = model._meta.db_table
            on = f' ON "{table}"' if connection.vendor == "postgresql" else ""
            for name in appendonly.names(table, connection.vendor):
                cursor.execute(f'DROP TRIGGER "{name}"{on}')


@pytest.fixture
def olivia(db: Any) -> User:
    return person("olivia", OFFICER)


@pytest.fixture
def ben(db: Any) -> User:
    return person("ben", OFFICER)


@pytest.fixture
def samir(db: Any) -> User:
    return person("samir", SENIOR)


@pytest.fixture
def sofia(db: Any) -> User:
    return person("sofia", SENIOR)
