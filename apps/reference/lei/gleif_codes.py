"""GLEIF's codes for owners and dates, as files and answers share them."""

from datetime import date
from decimal import Decimal, InvalidOperation

from apps.reference.lei.values import Exemption, Malformed, Ownership, ParentKind

# a branch is legally its head office, which takes the place of a parent
RELATIONSHIPS: dict[str, ParentKind] = {
    "IS_DIRECTLY_CONSOLIDATED_BY": "DIRECT",
    "IS_ULTIMATELY_CONSOLIDATED_BY": "ULTIMATE",
    "IS_INTERNATIONAL_BRANCH_OF": "DIRECT",
}
CATEGORIES: dict[str, ParentKind] = {
    "DIRECT_ACCOUNTING_CONSOLIDATION_PARENT": "DIRECT",
    "ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT": "ULTIMATE",
}


def build_ownership(
    child: str,
    parent: str,
    relationship: str,
    *,
    status: str = "ACTIVE",
    since: date | None = None,
    until: date | None = None,
    deleted: bool = False,
    share: Decimal | None = None,
) -> Ownership | None:
    """Return the relationship, or None when it is not one of ownership (fund and feeder)."""
    kind = RELATIONSHIPS.get(relationship)
    if kind is None:
        return None
    return Ownership(child, parent, kind, status or "ACTIVE", since, until, deleted, share)


def build_exemption(lei: str, category: str, reason: str, deleted: bool) -> Exemption | None:
    """Return the exception, or None when its category is none of ownership."""
    kind = CATEGORIES.get(category)
    return None if kind is None else Exemption(lei, kind, reason, deleted)


def parse_percentage(amount: str, units: str) -> Decimal | None:
    """Return the share of a relationship in percent, None if it is not stated.

    Files write both `1.00` and `100` for the whole (RR-CDF 2.1 does not say which): what is not
    above 1 is a share of 1.
    """
    if units != "PERCENTAGE":
        return None
    try:
        share = Decimal(amount)
    except InvalidOperation:
        return None
    if not share.is_finite() or not 0 < share <= 100:
        return None
    # these parents consolidate their subsidiaries, so a stake of 1 % or less is not to be expected
    return share * 100 if share <= 1 else share


def parse_gleif_day(text: str) -> date | None:
    """Return the day of an ISO 8601 time, or None when there is none; Malformed when broken."""
    if not text:
        return None
    try:
        # some files give a time with it; the day counts
        return date.fromisoformat(text[:10])
    except ValueError as error:
        raise Malformed(f"{text!r} is not an ISO 8601 date") from error
