"""One payment whole: what was instructed, what happened, each check with its record, callbacks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.urls import reverse

from apps.access import tenants
from apps.aml.models import AmlScreen
from apps.aml.pages.records import ANSWERS
from apps.callbacks import reading
from apps.chain.models import Order
from apps.core.chain import proven
from apps.core.written import day_from
from apps.payments.instructions import Person
from apps.payments.models import HandOver, Payment, PaymentEvent
from apps.payments.pages.listing import TONES, amount_of, name_of
from apps.payments.pages.records import STATES
from apps.payments.pain001.models import FileTransaction
from apps.payments.projection import faults
from apps.payments.requested import SIDES
from apps.payments.reviewing import KIND, RELEASED
from apps.payments.rules.lifecycle import MOVING, by_code
from apps.review.models import Case
from apps.screening.models import Screen
from apps.stability.rules.fees import tier_at
from apps.vop.models import VopCheck
from apps.vop.pages.listing import RESULTS

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Row = dict[str, str]
EVENTS = {
    "ACCEPTED": "Taken: it is durable",
    "CHECKED": "Checked",
    "NOT_CHECKED": "Not checked, given up",
    "RECHECKED": "Checked again",
    "RELEASED": "Released by an officer",
    "REJECTED": "Rejected by an officer",
    "PRICED": "Rate locked, fee quoted",
    "NOT_PRICED": "Not priced, given up",
    "PRICE_LAPSED": "Its quote lapsed",
    "SETTLED": "Settled",
    "REFUSED": "Refused by the rail",
    "NOT_SETTLED": "Rail not reached, given up",
    "UNDONE": "Taken back by the chain",
}


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the timeline; `why` is the rule, for who may know it."""

    at: datetime
    words: str
    why: str
    ours: bool


def context(*, payment: Payment, user: "User") -> dict[str, Any]:
    """Return what the page draws."""
    events = list(PaymentEvent.objects.filter(payment=payment).order_by("number"))
    hand = HandOver.objects.filter(payment=payment).first()
    return {
        "payment": payment,
        "title": f"Payment to {name_of(payment, 'creditor')}",
        "state": STATES.get(payment.state, payment.state),
        "tone": TONES.get(payment.state, ""),
        "amount": amount_of(payment),
        "client": tenants.name(payment.owner),
        "fault": faults([payment]).get(payment.pk, ""),
        "waits": waits(payment),
        "instructed": list(instructed(payment)),
        "file": file_of(payment, user),
        "events": list(_events(events, user)),
        "checks": list(_checks(payment, user)),
        "price": list(_price(payment)),
        "attempts": reading.attempts_of(subject=payment.payment_id),
        "called": _called(payment),
        "handed": _handed(hand),
        "record_at": _record_at(payment, hand, user),
        "transfer_at": _transfer_at(payment, user),
    }


def waits(payment: Payment) -> str:
    """Return why a payment does not go on, in a sentence; "" where it does."""
    if payment.state not in MOVING or not payment.trouble:
        return ""
    at = f"{payment.due_at:%d %b %Y %H:%M:%S} UTC"
    tried = f"Tried {payment.tries} times, and again" if payment.tries else "Looked at again"
    return f"{tried} at {at}: {payment.trouble}"


def _rows(*pairs: tuple[str, Any]) -> Iterator[Row]:
    yield from ({"label": label, "value": str(value)} for label, value in pairs if value)


def instructed(payment: Payment) -> Iterator[Row]:
    """Yield what was instructed, party by party; nothing of what was purged."""
    kept = payment.instruction
    if not kept:
        yield {"label": "Purged", "value": "at the end of its retention"}
        return
    one = payment.instructed
    yield from _rows(
        ("Amount", amount_of(payment)),
        ("Settles in", payment.asset),
        ("Chain", one.chain),
        (
            "Execution date",
            f"{day_from(one.execution_date):%d %b %Y}" if one.execution_date else "",
        ),
        ("Remittance", " ".join(one.remittance)),
    )
    for side, party in one.named:
        title = SIDES[side]
        yield from _rows(
            (title, party.name),
            (f"{title}’s LEI", party.lei),
            (f"{title}’s wallet", party.wallet),
            (f"{title}’s accounts", ", ".join(party.accounts)),
            (f"{title}’s country", party.country),
            *_personal(title, party.person),
        )
    if one.source is not None:
        yield from _rows(
            ("Came as", one.source.version),
            ("Message", one.source.message_id),
            ("End to end", one.source.end_to_end_id),
            ("Purpose", one.purpose),
            ("Not read", ", ".join(one.source.unmapped)),
        )


def _personal(title: str, person: Person | None) -> Iterator[tuple[str, str]]:
    """Yield what is told of a party that is a person."""
    if person is None:
        return
    told = (person.birth_date, person.birth_city, person.birth_country)
    yield f"{title}’s birth", ", ".join(one for one in told if one)
    numbers = (f"{one.type} {one.number} {one.issuer}".strip() for one in person.numbers)
    yield f"{title}’s numbers", ", ".join(numbers)


def file_of(payment: Payment, user: "User") -> dict[str, str] | None:
    """Return the message that a payment came in, with its page, for who may open that."""
    line = FileTransaction.objects.filter(payment_id=payment.payment_id).first()
    if line is None or not user.has_perm("pain001.view_paymentfile"):
        return None
    page = reverse("admin:pain001_paymentfile_change", args=[line.file_id])
    return {"label": f"Transaction {line.number} of its file", "address": page}


def _events(events: list[PaymentEvent], user: "User") -> Iterator[Event]:
    """Yield the timeline; which rule moved it is for those who work on cases."""
    ours, known = {one.pk for one in proven(events)}, user.has_perm("review.view_case")
    for one in events:
        state = STATES.get(one.state, one.state)
        row = by_code(one.turn) if known else None
        why = f"{row.code}: {row.title}" if row else ""
        said = EVENTS.get(one.event, one.event)
        words = said if said == state else f"{said} → {state}"
        yield Event(one.recorded_at, words, why, one.pk in ours)


def _checks(payment: Payment, user: "User") -> Iterator[dict[str, str]]:
    """Yield each check with the page of its record, for who may open that."""
    yield from _found(payment.found, user)
    for earlier in payment.found.get("earlier", ()):
        for one in _found(earlier, user):
            yield one | {"label": f"{one['label']}, before the {_since(payment)}"}
    if user.has_perm("review.view_case"):
        case = Case.objects.filter(kind=KIND, ref=payment.subject).first()
        if case is not None:
            yield _check(
                "Case", f"Case {case.pk}, {case.get_status_display()}", "review_case", case
            )


def _since(payment: Payment) -> str:
    return "release" if RELEASED in payment.found else "second look"


def _found(found: Mapping[str, Any], user: "User") -> Iterator[dict[str, str]]:
    """Yield checks that were made at one time."""
    if found and user.has_perm("vop.view_vopcheck"):
        payee = found["payee"]
        check = VopCheck.objects.filter(request_id=payee["requestId"]).first()
        said = RESULTS.get(payee["result"], payee["result"])
        yield _check("Payee check", said, "vop_vopcheck", check)
    if found and user.has_perm("aml.view_amlscreen"):
        aml = found["aml"]
        screen = AmlScreen.objects.filter(screen_id=aml["screenId"]).first()
        said = f"{ANSWERS.get(aml['action'], aml['action'])}, risk {aml['riskScore']} of 100"
        yield _check("AML screen", said, "aml_amlscreen", screen)
    if found and user.has_perm("screening.view_screen"):
        ids = [one["screenId"] for one in found["screens"]]
        rows = {str(one.screen_id): one for one in Screen.objects.filter(screen_id__in=ids)}
        for one in found["screens"]:
            side = SIDES.get(one["side"], one["side"]).lower()
            held = rows.get(one["screenId"])
            said = one["decision"].capitalize()
            yield _check(f"Screen of the {side}", said, "screening_screen", held)


def _check(label: str, value: str, page: str, row: Any) -> dict[str, str]:
    address = reverse(f"admin:{page}_change", args=[row.pk]) if row is not None else ""
    return {"label": label, "value": value, "address": address}


def _price(payment: Payment) -> Iterator[Row]:
    price = payment.price
    if not price:
        return
    on = date.fromisoformat(price["rateOn"])
    foreign = payment.currency != "USD"
    yield from _rows(
        ("Rate", f"{price['rate']} USD for one {payment.currency}" if foreign else ""),
        ("Rate of", f"{on:%d %b %Y}, {price['rateSource']}" if foreign else ""),
        ("In USD", price["amountUsd"] if foreign else ""),
        ("Fee", f"{price['fee']} {payment.currency}"),
        ("Fee by", _fee_by(price)),
        ("Stability oracle", _oracle(price)),
        ("Creditor receives", f"{price['assetAmount']} {payment.asset}"),
        ("Quote", price["quoteId"]),
        ("Transfer", payment.tx_hash),
    )


def _fee_by(price: dict[str, Any]) -> str:
    """Say what moved the fee."""
    tier = tier_at(price["volume"]).name
    source = "live" if price["esgSlot"] else "none was live"
    return f"ESG score {price['esgScore']} ({source}), volume tier {tier}"


def _oracle(price: dict[str, Any]) -> str:
    told = price.get("oracle", {})
    rule = f" ({told['rule']})" if "rule" in told else ""
    return f"{told.get('status', '').replace('_', ' ').capitalize()}{rule}"


def _called(payment: Payment) -> str:
    if not payment.callback_url:
        return "No callback was asked for."
    standing = reading.status_of(subjects=[payment.payment_id]).get(payment.payment_id)
    return f"{standing.label}." if standing else "It is called when it ends."


def _record_at(payment: Payment, hand: HandOver | None, user: "User") -> str:
    """Return where the payment's records of the travel rule are listed, for who may see them."""
    if hand is None or hand.taken_at is None or not user.has_perm("travelrule.view_travelrecord"):
        return ""
    page = reverse("admin:travelrule_travelrecord_changelist")
    return f"{page}?{urlencode({'payment': payment.payment_id})}"


def _transfer_at(payment: Payment, user: "User") -> str:
    """Return the page of the transfer that settles the payment on a chain; "" where none does."""
    if not user.has_perm("chain.view_order"):
        return ""
    held = Order.objects.filter(order_id=payment.payment_id).values_list("pk", flat=True).first()
    return reverse("admin:chain_order_change", args=[held]) if held else ""


def _handed(hand: HandOver | None) -> str:
    if hand is None:
        return "nothing to record: it did not settle"
    if hand.taken_at is None:
        return "handed over, not recorded yet"
    return f"recorded at {hand.taken_at:%d %b %Y %H:%M} UTC"
