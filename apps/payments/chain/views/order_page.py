"""One order and one transfer whole: what was expected, what came, and what happened."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from apps.access.keys import tenant_names
from apps.backoffice.review.models import Case
from apps.payments.chain.case_links import STATE_LABELS, TONES, order_purpose_link
from apps.payments.chain.cases import KIND
from apps.payments.chain.expected_transfers import status_of_order
from apps.payments.chain.integrity import find_order_faults
from apps.payments.chain.models import ChainEvent, Order, Transfer
from apps.payments.chain.rules.transitions import transition_by_code
from apps.payments.chain.views.order_and_transfer_lists import (
    CHAIN_TITLES,
    build_transfer_rows,
    format_order_amount,
    format_transfer_amount,
)
from apps.platform.desk.record_page import build_fact_rows, build_timeline

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Rows = Iterator[dict[str, str]]
MOST_OTHERS = 20
EVENT_LABELS = {
    "OPENED": "Expected",
    "REPORTED": "Transaction given",
    "FOUND": "Transfer found",
    "DEEP": "Confirmed",
    "FELL": "Block reversed",
    "UNDONE": "Reversed after it was final",
    "UNCLEAR": "Transfer matches several orders",
    "UNFIT": "Transfer does not match",
    "RAN_OUT": "No transfer by the deadline",
    "LATE": "Transfer too late",
    "ENDED": "Search ended",
    "CLOSED": "Ended by an officer",
    "KEPT": "Kept waiting by an officer",
    "FOR_GOOD": "Permanently final",
}


def build_order_context(*, row: Order, user: "User") -> dict[str, Any]:
    """Return what the page of an order draws."""
    events = list(ChainEvent.objects.filter(order=row).order_by("number"))
    # what else reached the recipient since: often the transfer that was meant
    transfers = Transfer.objects.select_related("order").filter(
        payee=row.recipient.lower(), chain_id=row.chain_id, block_time__gte=row.opened_at
    )
    return {
        "order": row,
        "title": f"{format_order_amount(row)} to {row.recipient}",
        "state": STATE_LABELS.get(row.state, row.state),
        "tone": TONES.get(row.state, ""),
        "client": tenant_names.load_tenant_name(row.owner),
        "fault": find_order_faults([row]).get(row.pk, ""),
        "expected": list(_expected_rows(row)),
        "found": list(_found_rows(row)),
        "others": build_transfer_rows(
            list(transfers.filter(order=None).order_by("-pk")[:MOST_OTHERS])
        ),
        "events": list(
            build_timeline(
                events,
                event_labels=EVENT_LABELS,
                state_labels=STATE_LABELS,
                find_rule=transition_by_code,
            )
        ),
        "links": [*_purpose_rows(row, user), *_case_rows(row, user)],
    }


def build_transfer_context(row: Transfer, user: "User") -> dict[str, Any]:
    """Return what the page of a transfer draws."""
    (drawn,) = build_transfer_rows([row])
    return {
        "row": drawn,
        "title": f"{format_transfer_amount(row)} to {row.payee}",
        "facts": list(_transfer_rows(row)),
    }


def _expected_rows(row: Order) -> Rows:
    yield from build_fact_rows(
        ("Chain", CHAIN_TITLES.get(row.chain, row.chain)),
        ("Amount", f"{row.amount.normalize():f} {row.asset}"),
        ("Token", row.asset_address),
        ("From", row.sender or "anybody"),
        ("To", row.recipient),
        ("Deadline", f"{row.deadline:%d %b %Y %H:%M:%S} UTC"),
        ("Reference", row.reference),
        ("Transaction given", row.named),
    )


def _found_rows(row: Order) -> Rows:
    transfer, how = row.transfer, status_of_order(row)
    needed = f"the block is {how.until}" if how.until else f"{how.needed} required"
    if transfer is not None:
        yield from _transfer_rows(transfer)
        yield from build_fact_rows(("Confirmations", f"{how.confirmations}; {needed}"))
    yield from build_fact_rows(("Note", row.why))


def _transfer_rows(row: Transfer) -> Rows:
    yield from build_fact_rows(
        ("Transaction", row.tx_hash),
        ("Log position", str(row.log_index)),
        ("Block", f"{row.block}, {row.block_time:%d %b %Y %H:%M:%S} UTC"),
        ("Block hash", row.block_hash),
        ("Moved", format_transfer_amount(row)),
        ("Token", row.asset_address),
        ("From", row.payer),
        ("To", row.payee),
        ("Reference", row.reference),
        ("Why it does not settle", row.why),
    )


def _purpose_rows(row: Order, user: "User") -> Rows:
    page = order_purpose_link(row, user)
    if page is not None:
        yield {"label": "Settles", "value": page[0], "address": page[1]}


def _case_rows(row: Order, user: "User") -> Rows:
    if not user.has_perm("review.view_case"):
        return
    refs = [f"{row.order_id}/{step}" for step in range(1, row.steps + 1)]
    for case in Case.objects.filter(kind=KIND, ref__in=refs).order_by("pk"):
        address = reverse("admin:review_case_change", args=[case.pk])
        text = f"Case {case.pk}, {case.get_status_display()}"
        yield {"label": "Case", "value": text, "address": address}
