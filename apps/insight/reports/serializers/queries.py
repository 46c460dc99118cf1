"""Serializers of the queries of reports (document 2 section 4)."""

import re
from datetime import date, timedelta
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.compliance.payees.serializers import WalletAddress
from apps.platform.api.shapes import Lei, PartyName, Shape, Text
from apps.platform.common.clock import now

_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])", re.ASCII)
# the month of the first block of Bitcoin: there were no chain payments before
EARLIEST = "2009-01"


class MonthField(Text):
    """A month: YYYY-MM."""

    format, pattern = "month", r"^[0-9]{4}-(0[1-9]|1[0-2])$"
    longest = 7

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not _MONTH.fullmatch(text):
            raise ValidationError("Must be a month in the form YYYY-MM.")
        # texts of this form sort like the months they name
        if text < EARLIEST:
            raise ValidationError(f"Must be {EARLIEST} or later.")
        if text > f"{now():%Y-%m}":
            raise ValidationError("Must not be a future month.")
        return text


class EsgQuery(Shape):
    """The entity: its LEI, or a wallet that is registered to it, but not both."""

    lei = Lei(required=False)
    address = WalletAddress(required=False, help_text="A wallet registered here.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a query that names no entity, or possibly two."""
        if not attrs:
            raise ValidationError({"lei": ["Give an lei or an address."]})
        if len(attrs) == 2:
            raise ValidationError({"address": ["Give an lei or an address, not both."]})
        return attrs


class ComplianceQuery(Shape):
    """The party: its LEI, its legal name, or both."""

    lei = Lei(required=False)
    name = PartyName(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a query that names no party."""
        if not attrs:
            raise ValidationError({"name": ["Give an lei, a name, or both."]})
        return attrs


class TreasuryQuery(Shape):
    """The month; the current one by default."""

    period = MonthField(required=False, help_text="YYYY-MM, UTC; the current month by default.")


def first_day_of_month(text: str | None, *, today: date) -> date:
    """Return the first day of the requested month, by default the current one."""
    return date.fromisoformat(f"{text}-01") if text else today.replace(day=1)


def first_day_of_next_month(first: date) -> date:
    """Return the first day of the month after that of a first day."""
    # 31 days after a first day are always in the next month
    return (first + timedelta(days=31)).replace(day=1)
