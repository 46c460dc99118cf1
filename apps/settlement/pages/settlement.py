"""One settlement whole: what was asked, what happened, each check, the price, the transfer."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from apps.access import tenants
from apps.chain import orders
from apps.chain.projection import OrderUnproved
from apps.core.chain import proven
from apps.review.models import Case
from apps.settlement.models import Settlement, SettlementEvent
from apps.settlement.pages.listing import amount_of
from apps.settlement.pages.records import STATES, TONES
from apps.settlement.projection import faults
from apps.settlement.reviewing import KIND
from apps.settlement.rules.flow import NO_RATE, RULES
from apps.settlement.rules.lifecycle import by_code

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Rows = Iterator[dict[str, str]]
EVENTS = {
    "ASKED": "Asked for and checked",
    "RESUBMITTED": "Sent again and checked",
    "RELEASED": "Released by an officer",
    "REJECTED": "Rejected by an officer",
    "CONFIRMED": "Transfer final on the chain",
    "UNDONE": "Taken back by the chain",
    "RAN_OUT": "No transfer came in time",
}
CHECKS = {
    "aml": "AML", "sanctions": "Sanctions", "fatf_r16": "FATF R.16", "esg": "ESG",
    "routing": "Routing", "stability": "Stability",
}  # fmt: skip
_TITLES = {one.code: one.title for one in (*RULES, NO_RATE)}


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the timeline; `why` is the rule, for who may know it."""

    at: datetime
    words: str
    why: str
    ours: bool


def context(*, row: Settlement, user: "User") -> dict[str, Any]:
    """Return what the page draws."""
    events = list(SettlementEvent.objects.filter(settlement=row).order_by("number"))
    return {
        "settlement": row,
        "title": f"Settlement to {row.recipient}",
        "state": STATES.get(row.state, row.state),
        "tone": TONES.get(row.state, ""),
        "amount": amount_of(row),
        "client": tenants.name(row.owner),
        "fault": faults([row]).get(row.pk, ""),
        "asked": list(_asked(row)),
        "events": list(_events(events, user)),
        "checks": list(_checks(row, user)),
        "cases": list(_cases(row, user)),
        "price": list(_price(row)),
        "transfer": list(_transfer(row)),
    }


def _rows(*pairs: tuple[str, Any]) -> Rows:
    yield from ({"label": label, "value": str(value)} for label, value in pairs if value)


def _asked(row: Settlement) -> Rows:
    yield from _rows(
        ("Amount", amount_of(row)),
        ("Paid in", f"{row.asset}, for {row.destination}"),
        ("Pays from", row.sender),
        ("Pays to", row.recipient),
        ("Agent", row.agent_id),
        ("Reference", row.reference),
        ("Why it is held", row.reasoning),
    )


def _events(events: list[SettlementEvent], user: "User") -> Iterator[Event]:
    ours, known = {one.pk for one in proven(events)}, user.has_perm("review.view_case")
    for one in events:
        state, rule = STATES.get(one.state, one.state), by_code(one.turn) if known else None
        why = f"{rule.code}: {rule.title}" if rule else ""
        words = f"{EVENTS.get(one.event, one.event)} → {state}"
        yield Event(one.recorded_at, words, why, one.pk in ours)


def _checks(row: Settlement, user: "User") -> Rows:
    """Yield each check; what holds or blocks is for those who work on cases."""
    if not user.has_perm("review.view_case"):
        return
    for name, one in row.found.get("checks", {}).items():
        said = _TITLES.get(one["rule"], "It did not run.")
        yield {"label": CHECKS.get(name, name), "value": f"{one['outcome']} · {said}"}


def _cases(row: Settlement, user: "User") -> Rows:
    if not user.has_perm("review.view_case"):
        return
    begins = f"{row.settlement_id}/"
    for case in Case.objects.filter(kind=KIND, ref__startswith=begins).order_by("pk"):
        address = reverse("admin:review_case_change", args=[case.pk])
        said = f"Case {case.pk}, {case.get_status_display()}"
        yield {"label": "Case", "value": said, "address": address}


def _price(row: Settlement) -> Rows:
    price = row.price
    if not price:
        return
    foreign, unit = row.source != "USD", price.get("assetRate", "")
    yield from _rows(
        ("Rate", f"{price['rate']} USD for one {row.source}" if foreign else ""),
        ("Rate of what arrives", f"{unit} USD for one {row.destination}" if unit else ""),
        ("Fee", f"{price['fee']} {row.source}"),
        ("Recipient receives", f"{price['assetAmount']} {row.asset}"),
        ("Quote", price["quoteId"]),
    )


def _transfer(row: Settlement) -> Rows:
    if row.sandbox or not row.price:
        return
    try:
        one = orders.standing(row.order_id)
    except (orders.NoOrder, OrderUnproved) as error:
        yield {"label": "Transfer", "value": f"It cannot be told: {error}"}
        return
    yield from _rows(
        ("Transfer", one.state.capitalize()),
        ("Transaction", one.tx_hash),
        ("Confirmations", f"{one.confirmations} of {one.needed}" if one.tx_hash else ""),
        ("Note", one.why),
    )
