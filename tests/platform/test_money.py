"""Money: exact on both databases, and no float gets in anywhere."""

from decimal import Decimal
from typing import Any

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.db import connection, models
from django.db.models import Max, Min, Sum
from hypothesis import example, given
from hypothesis import strategies as st

from apps.platform.common.money import LARGEST, LossyAmount, MoneyField, from_micro, to_micro

AMOUNTS = st.integers(-LARGEST, LARGEST).map(lambda units: Decimal(units).scaleb(-6))


class Payment(models.Model):
    """A table of this test's own."""

    amount = MoneyField(null=True)

    class Meta:
        app_label = "tests"
        managed = False


@pytest.fixture
def payments(db: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TEMPORARY TABLE {Payment._meta.db_table} "
            f"(id {'serial' if connection.vendor == 'postgresql' else 'integer'} PRIMARY KEY, "
            "amount bigint)"
        )
    yield Payment.objects
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE {Payment._meta.db_table}")


@given(AMOUNTS)
@example(Decimal("0.000001"))
@example(Decimal("-0.000001"))
@example(from_micro(LARGEST))
def test_amounts_come_back_as_they_went(amount: Decimal) -> None:
    assert from_micro(to_micro(amount)) == amount


@given(st.floats())
def test_floats_raise(amount: float) -> None:
    with pytest.raises(LossyAmount):
        to_micro(amount)  # type: ignore[arg-type]
    with pytest.raises(LossyAmount):
        MoneyField().to_python(amount)
    with pytest.raises(LossyAmount):
        MoneyField().get_prep_value(amount)


@pytest.mark.parametrize(
    "amount",
    [
        Decimal("0.0000001"),
        Decimal("1.0000000000000000000000000001"),
        Decimal("123456789012.0000001"),
        Decimal("NaN"),
        Decimal("Infinity"),
        Decimal("1E+13"),
        Decimal("1E+999999"),
        Decimal("1E-999999"),
        Decimal("9223372036854.775808"),
        True,
        "1",
        None,
    ],
)
def test_what_cannot_be_kept_exactly_raises(amount: Any) -> None:
    with pytest.raises(LossyAmount):
        to_micro(amount)


@pytest.mark.parametrize("text", ["", "abc", "NaN", "Infinity", "1,5"])
def test_texts_of_forms_that_are_no_amount_are_invalid(text: str) -> None:
    with pytest.raises(ValidationError):
        MoneyField().to_python(text)


def test_the_database_adds_exactly(payments: Any) -> None:
    amounts = [Decimal("0.1")] * 10 + [Decimal("0.2"), Decimal("999999999999.999999")]
    payments.bulk_create(Payment(pk=n, amount=a) for n, a in enumerate(amounts, 1))
    found = payments.aggregate(total=Sum("amount"), least=Min("amount"), most=Max("amount"))
    assert found == {"total": sum(amounts), "least": Decimal("0.1"), "most": amounts[-1]}
    assert payments.aggregate(total=Sum("amount"))["total"] == Decimal("1000000000001.199999")


def test_lookups_take_amounts_and_refuse_floats(payments: Any) -> None:
    payments.create(pk=1, amount=Decimal("1.5"))
    payments.create(pk=2, amount=None)
    assert payments.get(amount=Decimal("1.5")).amount == Decimal("1.5")
    assert payments.get(amount__isnull=True).amount is None
    assert payments.filter(amount__gt=Decimal("1.499999")).count() == 1
    assert payments.filter(amount__gte=Decimal("1.500001")).count() == 0
    assert payments.filter(amount__lt=Decimal("1.500001")).count() == 1
    assert payments.filter(amount__in=[1, Decimal("1.5")]).count() == 1
    for lookup in ("amount", "amount__gt", "amount__gte", "amount__lt", "amount__lte"):
        with pytest.raises(LossyAmount):
            payments.filter(**{lookup: 1.5}).exists()


def test_rows_are_whole_micro_units(payments: Any) -> None:
    payments.create(pk=1, amount=Decimal("1.5"))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT amount FROM {Payment._meta.db_table}")
        assert cursor.fetchone() == (1_500_000,)


def test_forms_ask_for_an_amount() -> None:
    field = MoneyField().formfield()
    assert isinstance(field, forms.DecimalField)
    assert field.clean("1.5") == Decimal("1.5")
    with pytest.raises(ValidationError):
        field.clean("0.0000001")
    stored: Any = Payment._meta.get_field("amount")
    assert stored.value_to_string(Payment(amount=Decimal("2.5"))) == "2.5"
    assert stored.value_to_string(Payment(amount=None)) == ""
