"""Shapes of the usage report."""

from rest_framework import serializers

from apps.platform.api.shapes import Number, Shape, Text, Whole


class Month(Text):
    """A month as YYYY-MM."""

    pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$"

    def to_internal_value(self, data: object) -> str:
        value = super().to_internal_value(data)
        year, dash, month = value.partition("-")
        plain = value.isascii() and year.isdigit()
        if not (plain and dash and len(year) == 4 and month in MONTHS):
            raise serializers.ValidationError("This is not a month. Write it as YYYY-MM.")
        return value


MONTHS = {f"{number:02d}" for number in range(1, 13)}


class UsageQuery(Shape):
    """The month; the current one by default."""

    month = Month(required=False)


class TierOut(Shape):
    """One price tier: up to `upto` calls a month (null: no limit) at `priceUsd` each."""

    upto = Whole(allow_null=True)
    price_usd = Number()
    calls = Whole()
    cost_usd = Number()


class UnitOut(Shape):
    """The billed calls of one kind."""

    unit = Text()
    calls = Whole()
    cost_usd = Number()
    tiers = TierOut(many=True)


class UsageOut(Shape):
    """What an account used in a month (UTC)."""

    month = Text()
    account = Text()
    units = UnitOut(many=True)
    total_usd = Number()
