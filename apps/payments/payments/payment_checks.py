"""The checks of a payment: payee, AML, and the combined screen of each party that bears a name.

All of them are made, whatever the first one finds: what is told, and when, does not depend on which
of them stood against the payment.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.access.keys.models import KeyKind
from apps.access.keys.tenants import build_hidden_owner
from apps.backoffice.review.services import CaseOpening
from apps.compliance.aml.screening import requests as aml_asked
from apps.compliance.aml.screening import selectors as aml_gather
from apps.compliance.aml.screening import services as aml_conclude
from apps.compliance.payees.vop import selectors as payee_gather
from apps.compliance.payees.vop import services as payee_conclude
from apps.compliance.screening.combined import requests as screen_asked
from apps.compliance.screening.combined import selectors as screen_gather
from apps.compliance.screening.combined import services as screen_conclude
from apps.compliance.screening.serializers.party import LEAST_LENGTH, MOST_IDENTIFIERS, OLDEST
from apps.payments.payments.instructions import Address, Instruction, Party
from apps.payments.payments.models import Payment
from apps.payments.payments.rules import messages
from apps.payments.payments.rules.lifecycle import CheckResults
from apps.payments.payments.rules.purposes import payment_type
from apps.platform.api.callers import Caller
from apps.platform.api.shapes import COUNTRIES
from apps.reference.watchlists.listed_entity import Identifier

LONGEST_ACCOUNT = 128
# what IVMS 101 calls a person's number -> what the lists call it
IDENTIFIER_KINDS = {
    "CCPT": "passport",
    "SOCS": "national_id",
    "IDCD": "national_id",
    "TXID": "tax_id",
}
PAYEE_CHECK_FIELDS = ("requestId", "result", "proceedSafe", "score", "resolvedBy", "message")


@dataclass(frozen=True, slots=True)
class PaymentCheckInputs:
    """What the checks rest on: for each what was asked and gathered, the screens by side."""

    payee: tuple[payee_gather.PayeeCheckRequest, payee_gather.PayeeCheckInputs]
    aml: tuple[aml_asked.AmlScreenRequest, aml_gather.AmlScreenInputs]
    screens: tuple[tuple[str, screen_asked.ScreenRequest, screen_gather.ScreenInputs], ...]


@dataclass(frozen=True, slots=True)
class PaymentCheckResults:
    """What the checks came to.

    `found` are their records, `said` what the institution is told, `cases` what officers are to
    look at, which is one case of the payment (services/payment_case.py).
    """

    checks: CheckResults
    found: Mapping[str, Any]
    said: Mapping[str, Any]
    cases: tuple[CaseOpening, ...]


def gather_check_inputs(*, payment: Payment, now: datetime) -> PaymentCheckInputs:
    """Look up what the checks rest on; reads alone, and outside any transaction.

    Raises the 503s of the checks: one that cannot be made is never passed.
    """
    instructed = payment.instructed
    payee = payee_gather.PayeeCheckRequest(
        instructed.creditor.wallet, instructed.creditor.name, instructed.creditor.lei
    )
    aml = _build_aml_request(payment)
    screens = tuple(
        (side, build_screen_request(payment, side, party)) for side, party in instructed.named
    )
    return PaymentCheckInputs(
        (payee, payee_gather.gather_payee_check(asked=payee, now=now)),
        (aml, aml_gather.gather_aml_screen(asked=aml, now=now)),
        tuple((side, it, screen_gather.gather_screen(asked=it, now=now)) for side, it in screens),
    )


def record_check_results(
    *, payment: Payment, looked: PaymentCheckInputs, now: datetime
) -> PaymentCheckResults:
    """Write the records of the checks, and what hangs on them; call it inside a transaction.

    What was flagged becomes one case, that of the payment (case_types.py). The AML screen comes
    last: it locks the profiles of both wallets.
    """
    payer = Caller(ref=payment.owner, kind=KeyKind.INSTITUTION)
    own = Caller(ref=build_hidden_owner(payment.owner), kind=KeyKind.INTERNAL)
    cases: list[CaseOpening] = []

    def opens(*, opening: CaseOpening, now: datetime) -> None:
        cases.append(opening)

    asked, gathered = looked.payee
    payee = payee_conclude.conclude_payee_check(
        asked=asked, gathered=gathered, caller=payer, now=now
    )
    screens = [
        (
            side,
            screen_conclude.conclude_screen(
                asked=it, gathered=of, caller=own, now=now, opens=opens
            ),
        )
        for side, it, of in looked.screens
    ]
    asked_aml, found = looked.aml
    decisions = tuple(one["decision"] for _, one in screens)
    # what another check blocks is no transfer between the two wallets either
    stopped = CheckResults(payee=payee["result"], screens=decisions).blocked
    aml = aml_conclude.conclude_aml_screen(
        asked=asked_aml, gathered=found, caller=payer, now=now, opens=opens, stopped=stopped
    )
    return PaymentCheckResults(
        CheckResults(payee=payee["result"], aml=aml["action"], screens=decisions),
        _collect_record_ids(payee, aml, screens),
        {"vop": _serialize_payee_check(payee), "compliance": _compliance_flags(payee)},
        tuple(cases),
    )


NamedScreens = Sequence[tuple[str, Mapping[str, Any]]]


def _collect_record_ids(
    payee: Mapping[str, Any], aml: Mapping[str, Any], screens: NamedScreens
) -> dict[str, Any]:
    """Return the ids of the records, with what each came to."""
    return {
        "payee": {"requestId": str(payee["requestId"]), "result": payee["result"]},
        "aml": {
            "screenId": str(aml["screenId"]),
            "action": aml["action"],
            "riskScore": aml["riskScore"],
        },
        "screens": [
            {"side": side, "screenId": str(one["screenId"]), "decision": one["decision"]}
            for side, one in screens
        ],
    }


def _serialize_payee_check(payee: Mapping[str, Any]) -> dict[str, Any]:
    said = {name: payee[name] for name in PAYEE_CHECK_FIELDS}
    return {
        "request_id": str(said["requestId"]),
        "result": said["result"],
        "proceed_safe": said["proceedSafe"],
        "score": said["score"],
        "resolved_by": said["resolvedBy"],
        "message": said["message"],
    }


def _compliance_flags(payee: Mapping[str, Any]) -> dict[str, Any]:
    proof = payee["attestation"]
    return messages.build_compliance_flags(
        r16=proof["fatfR16Compliant"], note=proof["regulatoryNote"]
    )


def _build_aml_request(payment: Payment) -> aml_asked.AmlScreenRequest:
    instructed = payment.instructed
    return aml_asked.AmlScreenRequest(
        wallet=aml_sender_account(instructed, payment.owner),
        counterparty=instructed.creditor.wallet,
        amount=instructed.amount,
        currency=instructed.currency,
        payment_id=str(payment.payment_id),
        direction="SEND",
    )


def aml_sender_account(one: Instruction, owner: str) -> str:
    """Return which account the AML screen has as the sender's.

    Its wallet; else the first account number, else the LEI, else the institution itself, which
    pays for somebody without one.
    """
    debtor = one.ultimate_debtor or one.debtor
    known = (
        one.debtor.wallet,
        *(f"account-number:{number}" for number in one.debtor.accounts[:1]),
        f"lei:{debtor.lei}" if debtor.lei else "",
        f"institution:{owner}",
    )
    return next(one for one in known if one)[:LONGEST_ACCOUNT]


def build_screen_request(payment: Payment, side: str, party: Party) -> screen_asked.ScreenRequest:
    """Return the screen of a party; the creditor's is that of the payment, with its amount."""
    instructed = payment.instructed
    values: dict[str, Any] = {"name": party.name, "lei": party.lei, "reference": payment.reference}
    values |= {"wallet_address": party.wallet, "address": _format_address(party.address)}
    values |= _identifying_details(party)
    if side == "creditor":
        values |= {
            "country": _country_of_party(party),
            "amount": instructed.amount,
            "currency": instructed.currency,
        }
        values["payment_type"] = payment_type(instructed.purpose)
        if source := _country_of_party(instructed.debtor):
            values |= {"source_country": source, "source_given": True}
        else:
            values |= {"source_given": False}
    return screen_asked.ScreenRequest(**values)


def _identifying_details(party: Party) -> dict[str, Any]:
    """Return what tells a person from namesakes; a number too short tells nobody apart."""
    person = party.person
    if person is None:
        return {}
    numbers = (
        Identifier(
            kind=IDENTIFIER_KINDS.get(number.type, "other"),
            value=number.number,
            country=number.issuer if number.issuer in COUNTRIES else "",
        )
        for number in person.numbers
        if sum(sign.isalnum() for sign in number.number) >= LEAST_LENGTH
    )
    born = person.birth_date if person.birth_date >= str(OLDEST) else ""
    return {"birth_date": born, "identifiers": tuple(numbers)[:MOST_IDENTIFIERS]}


def _country_of_party(party: Party) -> str:
    return party.country or (party.address.country if party.address else "")


def _format_address(address: Address | None) -> str:
    """Return a postal address in one line, as it is held against lists of places."""
    if address is None:
        return ""
    parts = dataclasses.asdict(address)
    lines = [*parts.pop("address_lines"), *parts.values()]
    return ", ".join(line for line in lines if line)[:500]
