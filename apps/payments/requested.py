"""What a payment was instructed to be, in rows, as the case of one that is HELD keeps it."""

from collections.abc import Iterator

from apps.core.places import country_name
from apps.payments.checking import screened
from apps.payments.instructions import Instruction, Party
from apps.payments.models import Payment
from apps.screening.combined.asked import to_record
from apps.screening.combined.requested import money, request_rows

Row = dict[str, str]
SIDES = {
    "creditor": "Creditor",
    "debtor": "Debtor",
    "ultimate_creditor": "Ultimate creditor",
    "ultimate_debtor": "Ultimate debtor",
}


def told(payment: Payment) -> dict[str, list[Row]]:
    """Return `payment`, who pays whom how much, and `party`, what is known of the creditor.

    The rows of the party are those of its screen: a known false positive is held against them.
    """
    one = payment.instructed
    screen = screened(payment, "creditor", one.creditor)
    rows = [*_payment(payment, one), *_payee(payment)]
    return {
        "payment": [row for row in rows if row["value"]],
        "party": request_rows({"request": to_record(screen)})["party"],
    }


def _payment(payment: Payment, one: Instruction) -> Iterator[Row]:
    yield {"label": "Amount", "value": f"{money(one.amount)} {one.currency}, in {one.asset}"}
    for side, party in reversed(one.named):
        yield {"label": SIDES[side], "value": _known(party)}
    yield {"label": "Purpose", "value": one.purpose}
    yield {"label": "Remittance", "value": " ".join(one.remittance)[:300]}
    yield {"label": "Reference", "value": payment.reference}


def _known(party: Party) -> str:
    lei = f"LEI {party.lei}" if party.lei else ""
    known = (party.name, country_name(party.country), lei, party.wallet, *party.accounts[:2])
    return ", ".join(one for one in known if one)


def _payee(payment: Payment) -> Iterator[Row]:
    said = payment.said.get("vop")
    if said:
        yield {"label": "Payee check", "value": f"{said['message']} Score {said['score']} of 100."}
