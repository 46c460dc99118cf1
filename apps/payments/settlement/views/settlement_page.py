"""The page of a settlement: its request, history, checks, price and transfer."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from apps.access.keys import tenant_names
from apps.backoffice.review.models import Case
from apps.payments.chain import expected_transfers
from apps.payments.chain.integrity import OrderIntegrityError
from apps.payments.settlement.case_links import STATE_LABELS, TONES
from apps.payments.settlement.integrity import find_settlement_faults
from apps.payments.settlement.models import Settlement, SettlementEvent
from apps.payments.settlement.rules.flow import CHECK_LABELS, NO_RATE, RULES
from apps.payments.settlement.rules.transitions import transition_by_code
from apps.payments.settlement.services.settlement_case import KIND
from apps.payments.settlement.views.settlement_list import format_settlement_amount
from apps.platform.desk.record_page import build_fact_rows, build_timeline

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Rows = Iterator[dict[str, str]]
EVENT_LABELS = {
    "ASKED": "Requested and checked",
    "RESUBMITTED": "Submitted again and checked",
    "RELEASED": "Released by an officer",
    "REJECTED": "Rejected by an officer",
    "CONFIRMED": "Transfer final on the chain",
    "UNDONE": "Reversed by the chain",
    "RAN_OUT": "No transfer by the deadline",
}
_TITLES = {rule.code: rule.title for rule in (*RULES, NO_RATE)}


def build_settlement_context(*, row: Settlement, user: "User") -> dict[str, Any]:
    """Return what the page draws."""
    events = list(SettlementEvent.objects.filter(settlement=row).order_by("number"))
    return {
        "settlement": row,
        "title": f"Settlement to {row.recipient}",
        "state": STATE_LABELS.get(row.state, row.state),
        "tone": TONES.get(row.state, ""),
        "amount": format_settlement_amount(row),
        "client": tenant_names.load_tenant_name(row.owner),
        "fault": find_settlement_faults([row]).get(row.pk, ""),
        "asked": list(_request_rows(row)),
        "events": list(
            build_timeline(
                events,
                event_labels=EVENT_LABELS,
                state_labels=STATE_LABELS,
                # the rule of a step says what holds or blocks it, as the checks below
                find_rule=transition_by_code if user.has_perm("review.view_case") else None,
            )
        ),
        "checks": list(_check_rows(row, user)),
        "cases": list(_case_rows(row, user)),
        "price": list(_price_rows(row)),
        "transfer": list(_transfer_rows(row)),
    }


def _request_rows(row: Settlement) -> Rows:
    yield from build_fact_rows(
        ("Amount", format_settlement_amount(row)),
        ("Paid in", f"{row.asset}, for {row.destination}"),
        ("Pays from", row.sender),
        ("Pays to", row.recipient),
        ("Agent", row.agent_id),
        ("Reference", row.reference),
        ("Hold reason", row.reasoning),
    )


def _check_rows(row: Settlement, user: "User") -> Rows:
    """Yield each check; what holds or blocks is for those who work on cases."""
    if not user.has_perm("review.view_case"):
        return
    for name, check in row.found.get("checks", {}).items():
        title = _TITLES.get(check["rule"], "Not run.")
        yield {"label": CHECK_LABELS.get(name, name), "value": f"{check['outcome']} · {title}"}


def _case_rows(row: Settlement, user: "User") -> Rows:
    if not user.has_perm("review.view_case"):
        return
    # one case for each hold (settlement_case.case_ref_of)
    begins = f"{row.settlement_id}/"
    for case in Case.objects.filter(kind=KIND, ref__startswith=begins).order_by("pk"):
        address = reverse("admin:review_case_change", args=[case.pk])
        text = f"Case {case.pk}, {case.get_status_display()}"
        yield {"label": "Case", "value": text, "address": address}


def _price_rows(row: Settlement) -> Rows:
    price = row.price
    if not price:
        return
    foreign, unit = row.source != "USD", price.get("assetRate", "")
    yield from build_fact_rows(
        ("Rate", f"{price['rate']} USD per {row.source}" if foreign else ""),
        ("Payout rate", f"{unit} USD per {row.destination}" if unit else ""),
        ("Fee", f"{price['fee']} {row.source}"),
        ("Recipient receives", f"{price['assetAmount']} {row.asset}"),
        ("Quote", price["quoteId"]),
    )


def _transfer_rows(row: Settlement) -> Rows:
    if row.sandbox or not row.price:
        return
    try:
        transfer_status = expected_transfers.load_transfer_status(row.order_id)
    # an officer sees the fault; the API answers 503
    except (expected_transfers.OrderNotFound, OrderIntegrityError) as error:
        yield {"label": "Transfer", "value": f"Not available: {error}"}
        return
    yield from build_fact_rows(
        ("Transfer", transfer_status.state.capitalize()),
        ("Transaction", transfer_status.tx_hash),
        (
            "Confirmations",
            f"{transfer_status.confirmations} of {transfer_status.needed}"
            if transfer_status.tx_hash
            else "",
        ),
        ("Note", transfer_status.why),
    )
