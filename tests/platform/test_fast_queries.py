"""Rows found and changed by their columns are those that the model's own queries give."""

import uuid
from datetime import date, datetime, timedelta
from decimal import Decimal

import pytest

from apps.insight.stability.models import Quote
from apps.payments.payments.models import MonthVolume
from apps.platform.db.compiled_queries import fetch_first, update_where
from apps.platform.jobs.models import Job

pytestmark = pytest.mark.django_db


def quote(at: datetime, **values: object) -> Quote:
    given = {"quote_id": uuid.uuid4(), "amount": Decimal("10.5"), "fx": False, "score": 1}
    given |= {"monthly_volume": 0, "sandbox": True, "core": 1, "fx_fee": 0, "esg": 0, "license": 0}
    given |= {"schedule": "1", "quoted_at": at, "expires_at": at + timedelta(seconds=300)}
    return Quote.objects.create(**given | values)


def test_a_row_is_what_the_models_own_query_gives(noon: datetime) -> None:
    new_quote = quote(noon)
    first, usual = (
        fetch_first(Quote, where={"quote_id": new_quote.quote_id}),
        Quote.objects.get(pk=new_quote.pk),
    )
    names = [field.attname for field in Quote._meta.concrete_fields]
    assert {name: getattr(first, name) for name in names} == {
        name: getattr(usual, name) for name in names
    }
    assert first == usual and not first._state.adding and not first.get_deferred_fields()


def test_a_row_that_is_not_there_is_none() -> None:
    assert fetch_first(Quote, where={"pk": 1}) is None


def test_flags_nulls_and_bounds_are_compared_as_they_are(noon: datetime) -> None:
    new_quote = quote(noon)
    same = {"quote_id": new_quote.quote_id}
    assert (
        fetch_first(Quote, where=same | {"fx": False, "sandbox": True, "used_at": None})
        == new_quote
    )
    assert fetch_first(Quote, where=same | {"fx": True}) is None
    assert fetch_first(Quote, where=same | {"sandbox": False}) is None
    assert fetch_first(Quote, where=same | {"expires_at__gt": new_quote.expires_at}) is None
    assert fetch_first(Quote, where=same | {"expires_at__gte": new_quote.expires_at}) == new_quote
    assert fetch_first(Quote, where=same | {"expires_at__lt": new_quote.expires_at}) is None
    assert fetch_first(Quote, where=same | {"expires_at__lte": new_quote.expires_at}) == new_quote
    assert fetch_first(Quote, where=same | {"amount": Decimal("10.5")}) == new_quote
    update_where(Quote, where=same, change={"used_at": noon, "used_by": "x"})
    assert fetch_first(Quote, where=same | {"used_at": None}) is None


def test_the_first_is_that_of_the_order(noon: datetime) -> None:
    one, two = quote(noon), quote(noon)
    assert fetch_first(Quote, where={"fx": False}, order=("pk",)) == one
    assert fetch_first(Quote, where={"fx": False}, order=("-pk",)) == two


def test_a_change_reaches_the_rows_that_are_meant_and_tells_how_many(noon: datetime) -> None:
    one, other = quote(noon), quote(noon)
    change = {"used_at": noon, "used_by": "x"}
    assert update_where(Quote, where={"pk": one.pk, "used_at": None}, change=change) == 1
    assert update_where(Quote, where={"pk": one.pk, "used_at": None}, change=change) == 0
    one.refresh_from_db(), other.refresh_from_db()
    assert (one.used_at, one.used_by, other.used_at) == (noon, "x", None)


def test_what_is_added_is_added_to_what_the_database_has() -> None:
    month = date(2026, 5, 1)
    MonthVolume.objects.create(owner="account:1", month=month, settled_usd=Decimal(2))
    held = {"owner": "account:1", "month": month}
    assert update_where(MonthVolume, where=held, change={}, add={"settled_usd": 1_500_000}) == 1
    assert MonthVolume.objects.get().settled_usd == Decimal("3.5")


@pytest.mark.parametrize("state", ["PENDING", "RUNNING", "DONE", "FAILED"])
def test_a_job_is_due_as_the_query_of_due_ones_has_it(state: str, noon: datetime) -> None:
    after = noon + timedelta(microseconds=1)
    for eta, lease in ((noon, None), (after, None), (after, noon), (noon, after)):
        job = Job.objects.create(
            name="x", key="x", state=state, eta=eta, lease_until=lease, created_at=noon
        )
        assert job.due(noon) == Job.objects.due(noon).filter(pk=job.pk).exists()
        job.delete()
