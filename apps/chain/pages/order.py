"""One order and one transfer whole: what was expected, what came, and what happened."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from apps.access import tenants
from apps.chain.cases import KIND
from apps.chain.models import ChainEvent, Order, Transfer
from apps.chain.orders import stands
from apps.chain.pages.listing import TITLES, amount_of, seen, units_of
from apps.chain.pages.records import STATES, TONES, behind
from apps.chain.projection import faults
from apps.chain.rules.turns import by_code
from apps.core.chain import proven
from apps.review.models import Case

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Rows = Iterator[dict[str, str]]
MOST_OTHERS = 20
EVENTS = {
    "OPENED": "Expected",
    "REPORTED": "Transaction named",
    "FOUND": "Transfer found",
    "DEEP": "Deep enough",
    "FELL": "Its block taken back",
    "UNDONE": "Taken back after it was final",
    "UNCLEAR": "Transfer fits several",
    "UNFIT": "Transfer does not fit",
    "RAN_OUT": "No transfer in time",
    "LATE": "Transfer too late",
    "ENDED": "Looked for no more",
    "CLOSED": "Ended by an officer",
    "KEPT": "Kept waiting by an officer",
    "FOR_GOOD": "Final for good",
}


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the timeline; `why` is the row of the table."""

    at: datetime
    words: str
    why: str
    ours: bool


def context(*, row: Order, user: "User") -> dict[str, Any]:
    """Return what the page of an order draws."""
    events = list(ChainEvent.objects.filter(order=row).order_by("number"))
    return {
        "order": row,
        "title": f"{amount_of(row)} to {row.recipient}",
        "state": STATES.get(row.state, row.state),
        "tone": TONES.get(row.state, ""),
        "client": tenants.name(row.owner),
        "fault": faults([row]).get(row.pk, ""),
        "expected": list(_expected(row)),
        "found": list(_found(row)),
        "others": seen(_others(row)),
        "events": list(_events(events)),
        "links": [*_behind(row, user), *_cases(row, user)],
    }


def of_transfer(row: Transfer, user: "User") -> dict[str, Any]:
    """Return what the page of a transfer draws."""
    (drawn,) = seen([row])
    return {
        "row": drawn,
        "title": f"{units_of(row)} to {row.payee}",
        "facts": list(_in_full(row)),
    }


def _rows(*pairs: tuple[str, Any]) -> Rows:
    yield from ({"label": label, "value": str(value)} for label, value in pairs if value)


def _expected(row: Order) -> Rows:
    yield from _rows(
        ("Chain", TITLES.get(row.chain, row.chain)),
        ("Amount", f"{row.amount.normalize():f} {row.asset}"),
        ("Token", row.asset_address),
        ("From", row.sender or "anybody"),
        ("To", row.recipient),
        ("Deadline", f"{row.deadline:%d %b %Y %H:%M:%S} UTC"),
        ("Reference", row.reference),
        ("Transaction named", row.named),
    )


def _found(row: Order) -> Rows:
    found, how = row.transfer, stands(row)
    needed = f"the block is {how.until}" if how.until else f"{how.needed} are needed"
    if found is not None:
        yield from _in_full(found)
        yield from _rows(("Confirmations", f"{how.confirmations}; {needed}"))
    yield from _rows(("Note", row.why))


def _in_full(row: Transfer) -> Rows:
    yield from _rows(
        ("Transaction", row.tx_hash),
        ("Place of the log", str(row.log_index)),
        ("Block", f"{row.block} of {row.block_time:%d %b %Y %H:%M:%S} UTC"),
        ("Hash of the block", row.block_hash),
        ("Moved", units_of(row)),
        ("Token", row.asset_address),
        ("From", row.payer),
        ("To", row.payee),
        ("Reference", row.reference),
        ("Why it settles nothing", row.why),
    )


def _others(row: Order) -> list[Transfer]:
    """Return transfers to the same wallet that settle nothing, the last first."""
    found = Transfer.objects.select_related("order").filter(
        payee=row.recipient.lower(), chain_id=row.chain_id, block_time__gte=row.opened_at
    )
    return list(found.filter(order=None).order_by("-pk")[:MOST_OTHERS])


def _events(events: list[ChainEvent]) -> Iterator[Event]:
    ours = {one.pk for one in proven(events)}
    for one in events:
        rule = by_code(one.turn)
        words = f"{EVENTS.get(one.event, one.event)} → {STATES.get(one.state, one.state)}"
        why = f"{rule.code}: {rule.about}" if rule else ""
        yield Event(one.recorded_at, words, why, one.pk in ours)


def _behind(row: Order, user: "User") -> Rows:
    page = behind(row, user)
    if page is not None:
        yield {"label": "Settles", "value": page[0], "address": page[1]}


def _cases(row: Order, user: "User") -> Rows:
    if not user.has_perm("review.view_case"):
        return
    refs = [f"{row.order_id}/{step}" for step in range(1, row.steps + 1)]
    for case in Case.objects.filter(kind=KIND, ref__in=refs).order_by("pk"):
        address = reverse("admin:review_case_change", args=[case.pk])
        said = f"Case {case.pk}, {case.get_status_display()}"
        yield {"label": "Case", "value": said, "address": address}
