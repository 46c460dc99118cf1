"""The table of series: what is observed, from whom, in which unit."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.module_loading import import_string

from apps.signals import loading
from apps.signals.models import Observation
from apps.signals.series import SERIES, Reading, Series, row_of
from tests.conftest import NOON

TODAY = NOON.date()
FAILS = f"{__name__}.failing"
GIVES = f"{__name__}.giving"


def failing(**_: Any) -> list[Reading]:
    raise ValueError("not today")


def giving(*, row: Series, since: Any, today: Any) -> list[Reading]:
    return [Reading(row.leader, today, Decimal("1.5")), Reading(row.leader, since, Decimal(2))]


def row(name: str, connector: str = GIVES, leader: str = "") -> Series:
    return Series(
        name=name, title="Of the tests' own", unit="{} a day", source="TEST", licence="ours",
        connector=connector, leader=leader or name,
    )  # fmt: skip


def test_every_row_is_whole() -> None:
    assert len({one.name for one in SERIES}) == len(SERIES)
    for one in SERIES:
        assert callable(import_string(one.connector))
        assert one.covers(one.leader)
        assert one.licence and one.unit_of(one.leader)
        assert len(one.source) <= Observation._meta.get_field("source").max_length


@pytest.mark.parametrize(("name", "unit"), [("fx.eur.USD", "USD for 1 EUR"), ("fx.eu", None)])
def test_a_series_is_found_by_its_name_or_its_family(name: str, unit: str | None) -> None:
    found = row_of(name)
    assert (found.unit_of(name) if found else None) == unit


def test_a_name_without_a_star_covers_itself_alone() -> None:
    assert row("a.b").covers("a.b") and not row("a.b").covers("a.bc")


@pytest.mark.django_db
def test_what_is_new_is_kept_whatever_happens_to_other_publishers(monkeypatch: Any) -> None:
    table = (row("x", FAILS), row("y"))
    monkeypatch.setattr(loading, "SERIES", table)
    for _ in range(2):
        with pytest.raises(ValueError, match="not today"):
            loading.refresh(now=NOON)
    days = Observation.objects.filter(source="TEST").values_list("observed_on", flat=True)
    # the second time it asks from two weeks before the last day that is known
    assert sorted(TODAY - day for day in days) == [timedelta(n) for n in (0, 14, 42)]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "leader", "told"), [("a", "b", "does not cover b"), ("a.*", "a.b", "")]
)
def test_a_reading_of_no_row_is_refused(
    monkeypatch: Any, name: str, leader: str, told: str
) -> None:
    monkeypatch.setattr(loading, "SERIES", (row(name, leader=leader),))
    if told:
        with pytest.raises(ValueError, match=told):
            loading.refresh(now=NOON)
    else:
        assert loading.refresh(now=NOON) == 2


@pytest.mark.django_db
def test_an_operator_sees_unit_title_and_licence(client: Client) -> None:
    reading = Reading("fx.eur.USD", TODAY, Decimal("1.15"))
    loading.record(readings=[reading], source="ECB", now=NOON)
    client.force_login(User.objects.create_superuser("root"))
    listed = client.get("/admin/signals/observation/").content.decode()
    assert "USD for 1 EUR" in listed
    one = Observation.objects.get()
    shown = client.get(f"/admin/signals/observation/{one.pk}/change/").content.decode()
    assert "Euro reference rate" in shown and "European Central Bank, free reuse" in shown
