"""The table of series: what is observed, from whom, in which unit."""

from dataclasses import replace
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.reference.signals import services
from apps.reference.signals.models import Observation
from apps.reference.signals.series import SERIES, Reading, find_series
from tests.conftest import NOON

TODAY = NOON.date()


@pytest.mark.parametrize(("name", "unit"), [("fx.eur.USD", "USD for 1 EUR"), ("fx.eu", None)])
def test_a_series_is_found_by_its_name_or_its_family(name: str, unit: str | None) -> None:
    series = find_series(name)
    assert (series.unit_of(name) if series else None) == unit


def test_a_name_without_a_star_covers_itself_alone() -> None:
    row = replace(SERIES[0], name="a.b")
    assert row.covers("a.b") and not row.covers("a.bc")


def test_a_family_has_no_member_without_a_name() -> None:
    assert find_series("fx.eur.") is None


@pytest.mark.django_db
def test_an_operator_sees_unit_title_and_licence(client: Client) -> None:
    reading = Reading("fx.eur.USD", TODAY, Decimal("1.15"))
    services.record_readings(readings=[reading], source="ECB", now=NOON)
    client.force_login(User.objects.create_superuser("root"))
    listed = client.get("/admin/signals/observation/").content.decode()
    assert "USD for 1 EUR" in listed
    observation = Observation.objects.get()
    text = client.get(f"/admin/signals/observation/{observation.pk}/change/").content.decode()
    assert "Euro reference rate" in text and "European Central Bank, free reuse" in text
