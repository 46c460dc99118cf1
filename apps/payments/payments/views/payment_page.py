"""One payment whole: what was instructed, what happened, each check with its record, callbacks."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.urls import reverse

from apps.access.keys import tenant_names
from apps.compliance.aml.case_links import ANSWERS
from apps.compliance.aml.models import AmlScreen
from apps.compliance.payees.models.payee_checks import VopCheck
from apps.compliance.payees.views.payee_check_list import RESULTS
from apps.compliance.screening.models import Screen
from apps.insight.stability.fees.rules.fees import tier_of_volume
from apps.payments.callbacks.selectors import webhook_statuses
from apps.payments.chain.models import Order
from apps.payments.payments.case_links import STATE_LABELS
from apps.payments.payments.case_rows import SIDE_LABELS
from apps.payments.payments.instructions import Person
from apps.payments.payments.integrity import find_payment_faults
from apps.payments.payments.models import HandOver, Payment, PaymentEvent
from apps.payments.payments.pain001.models import FileTransaction
from apps.payments.payments.rules.transitions import MOVING, transition_by_code
from apps.payments.payments.services.payment_case import RELEASED, cases_of_payment
from apps.payments.payments.views.payment_list import TONES, format_payment_amount, party_name_of
from apps.platform.common.days import parse_day
from apps.platform.desk.record_page import build_fact_rows, build_timeline

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Row = dict[str, str]
EVENT_LABELS = {
    "ACCEPTED": "Accepted and stored",
    "CHECKED": "Checked",
    "NOT_CHECKED": "Checks abandoned",
    "RECHECKED": "Checked again",
    "RELEASED": "Released by an officer",
    "REJECTED": "Rejected by an officer",
    "PRICED": "Rate locked, fee quoted",
    "NOT_PRICED": "Pricing abandoned",
    "PRICE_LAPSED": "Quote expired",
    "SETTLED": "Settled",
    "REFUSED": "Rejected by the rail",
    "NOT_SETTLED": "Rail unreachable, abandoned",
    "UNDONE": "Reversed by the chain",
}


def build_payment_context(*, payment: Payment, user: "User") -> dict[str, Any]:
    """Return what the page draws."""
    events = list(PaymentEvent.objects.filter(payment=payment).order_by("number"))
    hand = HandOver.objects.filter(payment=payment).first()
    if hand is None:
        handover = "nothing to record (not settled)"
    else:
        handover = (
            "handed over, not recorded yet"
            if hand.taken_at is None
            else f"recorded at {hand.taken_at:%d %b %Y %H:%M} UTC"
        )
    if not payment.callback_url:
        callback = "No callback requested."
    else:
        standing = webhook_statuses.load_webhook_statuses(subjects=[payment.payment_id]).get(
            payment.payment_id
        )
        callback = (
            f"{standing.label}." if standing else "The callback is sent when the payment ends."
        )
    # links only to pages that the user may open
    if not user.has_perm("chain.view_order"):
        transfer_url = ""
    else:
        order = (
            Order.objects.filter(order_id=payment.payment_id).values_list("pk", flat=True).first()
        )
        transfer_url = reverse("admin:chain_order_change", args=[order]) if order else ""
    return {
        "payment": payment,
        "title": f"Payment to {party_name_of(payment, 'creditor')}",
        "state": STATE_LABELS.get(payment.state, payment.state),
        "tone": TONES.get(payment.state, ""),
        "amount": format_payment_amount(payment),
        "client": tenant_names.load_tenant_name(payment.owner),
        "fault": find_payment_faults([payment]).get(payment.pk, ""),
        "waits": describe_wait(payment),
        "instructed": list(instruction_rows(payment)),
        "file": payment_file_link(payment, user),
        "events": list(
            build_timeline(
                events,
                event_labels=EVENT_LABELS,
                state_labels=STATE_LABELS,
                # rules name what a check found, which is for officers only
                find_rule=transition_by_code if user.has_perm("review.view_case") else None,
            )
        ),
        "checks": list(_check_rows(payment, user)),
        "price": list(_price_rows(payment)),
        "attempts": webhook_statuses.list_attempts(subject=payment.payment_id),
        "called": callback,
        "handed": handover,
        "record_at": _travel_rule_records_url(payment, hand, user),
        "transfer_at": transfer_url,
    }


def describe_wait(payment: Payment) -> str:
    """Return why a payment does not go on, in a sentence; "" where it does."""
    if payment.state not in MOVING or not payment.trouble:
        return ""
    at = f"{payment.due_at:%d %b %Y %H:%M:%S} UTC"
    tried = f"Tried {payment.tries} times; next attempt" if payment.tries else "Next attempt"
    return f"{tried} at {at}: {payment.trouble}"


def instruction_rows(payment: Payment) -> Iterator[Row]:
    """Yield what was instructed, party by party; nothing of what was purged."""
    instruction = payment.instruction
    if not instruction:
        yield {"label": "Purged", "value": "at the end of its retention"}
        return
    instructed = payment.instructed
    yield from build_fact_rows(
        ("Amount", format_payment_amount(payment)),
        ("Settles in", payment.asset),
        ("Chain", instructed.chain),
        (
            "Execution date",
            f"{parse_day(instructed.execution_date):%d %b %Y}" if instructed.execution_date else "",
        ),
        ("Remittance", " ".join(instructed.remittance)),
    )
    for side, party in instructed.named:
        title = SIDE_LABELS[side]
        yield from build_fact_rows(
            (title, party.name),
            (f"{title}’s LEI", party.lei),
            (f"{title}’s wallet", party.wallet),
            (f"{title}’s accounts", ", ".join(party.accounts)),
            (f"{title}’s country", party.country),
            *_person_details(title, party.person),
        )
    if instructed.source is not None:
        yield from build_fact_rows(
            ("Received as", instructed.source.version),
            ("Message", instructed.source.message_id),
            ("End to end", instructed.source.end_to_end_id),
            ("Purpose", instructed.purpose),
            ("Ignored", ", ".join(instructed.source.unmapped)),
        )


def _person_details(title: str, person: Person | None) -> Iterator[tuple[str, str]]:
    """Yield the details of a party that is a person."""
    if person is None:
        return
    details = (person.birth_date, person.birth_city, person.birth_country)
    yield f"{title}’s date of birth", ", ".join(detail for detail in details if detail)
    numbers = (
        f"{number.type} {number.number} {number.issuer}".strip() for number in person.numbers
    )
    yield f"{title}’s identifiers", ", ".join(numbers)


def payment_file_link(payment: Payment, user: "User") -> dict[str, str] | None:
    """Return the message that a payment came in, with its page, for who may open that."""
    line = FileTransaction.objects.filter(payment_id=payment.payment_id).first()
    if line is None or not user.has_perm("pain001.view_paymentfile"):
        return None
    page = reverse("admin:pain001_paymentfile_change", args=[line.file_id])
    return {"label": f"Transaction {line.number} of the file", "address": page}


def _check_rows(payment: Payment, user: "User") -> Iterator[dict[str, str]]:
    """Yield each check with the page of its record, for who may open that."""
    yield from _check_result_rows(payment.found, user)
    for earlier in payment.found.get("earlier", ()):
        # the results before a recheck are evidence too: they explain the release
        for result_row in _check_result_rows(earlier, user):
            recheck_cause = "release" if RELEASED in payment.found else "recheck"
            yield result_row | {"label": f"{result_row['label']}, before the {recheck_cause}"}
    if user.has_perm("review.view_case"):
        for case in cases_of_payment(payment.subject):
            yield _check_row(
                "Case", f"Case {case.pk}, {case.get_status_display()}", "review_case", case
            )


def _check_result_rows(records: Mapping[str, Any], user: "User") -> Iterator[dict[str, str]]:
    """Yield checks that were made at one time."""
    # each check by the permission of its own record: some staff see payments and no screens
    if records and user.has_perm("registry.view_vopcheck"):
        payee = records["payee"]
        check = VopCheck.objects.filter(request_id=payee["requestId"]).first()
        result = RESULTS.get(payee["result"], payee["result"])
        yield _check_row("Payee check", result, "registry_vopcheck", check)
    if records and user.has_perm("aml.view_amlscreen"):
        aml = records["aml"]
        screen = AmlScreen.objects.filter(screen_id=aml["screenId"]).first()
        result = f"{ANSWERS.get(aml['action'], aml['action'])}, risk {aml['riskScore']} of 100"
        yield _check_row("AML screen", result, "aml_amlscreen", screen)
    if records and user.has_perm("screening.view_screen"):
        ids = [screened["screenId"] for screened in records["screens"]]
        rows = {
            str(screen_row.screen_id): screen_row
            for screen_row in Screen.objects.filter(screen_id__in=ids)
        }
        for screen_record in records["screens"]:
            side = SIDE_LABELS.get(screen_record["side"], screen_record["side"]).lower()
            screen_row_of = rows.get(screen_record["screenId"])
            result = screen_record["decision"].capitalize()
            yield _check_row(
                f"{side.capitalize()} screen", result, "screening_screen", screen_row_of
            )


def _check_row(label: str, value: str, page: str, row: Any) -> dict[str, str]:
    address = reverse(f"admin:{page}_change", args=[row.pk]) if row is not None else ""
    return {"label": label, "value": value, "address": address}


def _price_rows(payment: Payment) -> Iterator[Row]:
    price = payment.price
    if not price:
        return
    on = date.fromisoformat(price["rateOn"])
    foreign = payment.currency != "USD"
    oracle = price.get("oracle", {})
    rule = f" ({oracle['rule']})" if "rule" in oracle else ""
    tier = tier_of_volume(price["volume"]).name
    source = "live" if price["esgSlot"] else "no live score"
    yield from build_fact_rows(
        ("Rate", f"{price['rate']} USD per {payment.currency}" if foreign else ""),
        ("Rate date", f"{on:%d %b %Y}, {price['rateSource']}" if foreign else ""),
        ("In USD", price["amountUsd"] if foreign else ""),
        ("Fee", f"{price['fee']} {payment.currency}"),
        ("Fee based on", f"ESG score {price['esgScore']} ({source}), volume tier {tier}"),
        ("Stability oracle", f"{oracle.get('status', '').replace('_', ' ').capitalize()}{rule}"),
        ("Creditor receives", f"{price['assetAmount']} {payment.asset}"),
        ("Quote", price["quoteId"]),
        ("Transfer", payment.tx_hash),
    )


def _travel_rule_records_url(payment: Payment, hand: HandOver | None, user: "User") -> str:
    """Return where the payment's records of the travel rule are listed, for who may see them."""
    if hand is None or hand.taken_at is None or not user.has_perm("travelrule.view_travelrecord"):
        return ""
    page = reverse("admin:travelrule_travelrecord_changelist")
    return f"{page}?{urlencode({'payment': payment.payment_id})}"
