"""Amounts of money: Decimal in code, whole micro-units (10^-6) in the rows, never floats."""

from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import lookups
from django.db.models.expressions import Combinable
from django.forms import DecimalField

MICRO = Decimal(1_000_000)
DECIMALS = 6
LARGEST = 2**63 - 1  # micro-units: what BIGINT holds, about 9.2 * 10^12 of a currency


class LossyAmount(TypeError):
    """An amount came as a float, with more than six decimals, or too large to store."""


def to_micro(amount: Decimal | int) -> int:
    """Return whole micro-units.

    LossyAmount for floats, for anything finer than 10^-6 and for what 64 bits cannot hold.
    """
    # a boolean is an int in Python, and no amount
    if isinstance(amount, bool) or not isinstance(amount, Decimal | int):
        raise LossyAmount(f"money must be Decimal or int, not {type(amount).__name__}")
    exact = Decimal(amount)
    # before as_integer_ratio, which would write 1e999999 out in full
    if not exact.is_finite() or not -60 < exact.adjusted() < 14:
        raise LossyAmount(f"{amount} is out of range")
    # with whole numbers: Decimal arithmetic silently rounds to 28 digits
    above, below = exact.as_integer_ratio()
    units, rest = divmod(above * 10**DECIMALS, below)
    if rest:
        raise LossyAmount(f"{amount} is not a whole number of micro-units")
    if abs(units) > LARGEST:
        raise LossyAmount(f"{amount} is out of range")
    return units


def from_micro(units: int) -> Decimal:
    """Return the amount of a number of micro-units."""
    return Decimal(units) / MICRO


class MoneyField(models.BigIntegerField):
    """An amount: Decimal in Python, an integer of micro-units in the database.

    SQLite computes decimals as floats; whole numbers add up on both databases. Lookups,
    Sum, Min and Max take and give amounts; a bare number in an F() expression is micro-units.
    """

    description = "Amount in micro-units"
    # the types that the type checker sees on set and get (django-stubs)
    _pyi_private_set_type: Decimal | int | Combinable  # type: ignore[assignment]
    _pyi_private_get_type: Decimal  # type: ignore[assignment]

    def from_db_value(self, value: int | None, *_: Any) -> Decimal | None:
        return None if value is None else from_micro(value)

    def to_python(self, value: Any) -> Decimal | None:
        if value is None or isinstance(value, Decimal):
            return value
        if isinstance(value, int | str) and not isinstance(value, bool):
            try:
                amount = Decimal(value)
            except ArithmeticError:
                raise ValidationError(f"{value!r} is not an amount.") from None
            if not amount.is_finite():
                raise ValidationError(f"{value!r} is not an amount.")
            return amount
        raise LossyAmount(f"money must be Decimal or int, not {type(value).__name__}")

    def get_prep_value(self, value: Any) -> int | None:
        amount = self.to_python(value)
        return None if amount is None else to_micro(amount)

    def value_to_string(self, obj: models.Model) -> str:
        value = self.value_from_object(obj)
        return "" if value is None else str(value)

    def formfield(self, **options: Any) -> Any:
        as_decimal: dict[str, Any] = {"max_digits": 19, "decimal_places": DECIMALS}
        return super().formfield(**{"form_class": DecimalField, **as_decimal, **options})


# IntegerField's own versions of these two silently round a float up
MoneyField.register_lookup(lookups.GreaterThanOrEqual)
MoneyField.register_lookup(lookups.LessThan)
