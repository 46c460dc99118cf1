"""The instruction of a payment as rows, for the case of a HELD one."""

from collections.abc import Iterator

from apps.compliance.screening.combined.request_rows import build_request_rows, format_money
from apps.compliance.screening.combined.requests import serialize_screen_request
from apps.payments.payments.instructions import Instruction
from apps.payments.payments.models import Payment
from apps.payments.payments.payment_checks import build_screen_request
from apps.platform.common.country_names import country_name

Row = dict[str, str]
SIDE_LABELS = {
    "creditor": "Creditor",
    "debtor": "Debtor",
    "ultimate_creditor": "Ultimate creditor",
    "ultimate_debtor": "Ultimate debtor",
}


def build_case_rows(payment: Payment) -> dict[str, list[Row]]:
    """Return `payment`, who pays whom how much, and `party`, what is known of the creditor.

    The rows of the party are those of its screen: known false positives are compared with them.
    """
    instructed = payment.instructed
    screen = build_screen_request(payment, "creditor", instructed.creditor)
    rows = [*_payment_rows(payment, instructed), *_payee_check_rows(payment)]
    return {
        "payment": [row for row in rows if row["value"]],
        "party": build_request_rows({"request": serialize_screen_request(screen)})["party"],
    }


def _payment_rows(payment: Payment, instruction: Instruction) -> Iterator[Row]:
    yield {
        "label": "Amount",
        "value": (
            f"{format_money(instruction.amount)} {instruction.currency}, in {instruction.asset}"
        ),
    }
    # who pays first, then who is paid
    for side, party in reversed(instruction.named):
        lei = f"LEI {party.lei}" if party.lei else ""
        known = (party.name, country_name(party.country), lei, party.wallet, *party.accounts[:2])
        yield {"label": SIDE_LABELS[side], "value": ", ".join(part for part in known if part)}
    yield {"label": "Purpose", "value": instruction.purpose}
    yield {"label": "Remittance", "value": " ".join(instruction.remittance)[:300]}
    yield {"label": "Reference", "value": payment.reference}


def _payee_check_rows(payment: Payment) -> Iterator[Row]:
    vop = payment.said.get("vop")
    if vop:
        yield {"label": "Payee check", "value": f"{vop['message']} Score {vop['score']} of 100."}
