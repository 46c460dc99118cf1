"""The checks of a payment: payee, AML, and the combined screen of each named party.

All of them always run: neither the answer nor its timing depends on which of them objected.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.access.keys.models import KeyKind
from apps.access.keys.tenant_names import build_hidden_owner
from apps.backoffice.review.services import CaseOpening
from apps.compliance.aml.rules.profile_inclusion import OtherChecks
from apps.compliance.aml.screening.requests import AmlScreenRequest
from apps.compliance.aml.screening.selectors import AmlScreenInputs, gather_aml_screen
from apps.compliance.aml.screening.services import conclude_aml_screen
from apps.compliance.payees.vop.selectors import (
    PayeeCheckInputs,
    PayeeCheckRequest,
    gather_payee_check,
)
from apps.compliance.payees.vop.services import conclude_payee_check
from apps.compliance.screening.combined.requests import ScreenRequest
from apps.compliance.screening.combined.selectors import ScreenInputs, gather_screen
from apps.compliance.screening.combined.services import conclude_screen
from apps.compliance.screening.serializers.party import LEAST_LENGTH, MOST_IDENTIFIERS, OLDEST
from apps.payments.payments.instructions import Address, Party
from apps.payments.payments.models import Payment
from apps.payments.payments.rules import messages
from apps.payments.payments.rules.payroll_purposes import payment_type
from apps.payments.payments.rules.transitions import CheckResults
from apps.platform.api.callers import Caller
from apps.platform.api.shapes import COUNTRIES
from apps.reference.watchlists.listed_entity import Identifier

# what IVMS 101 calls a person's number -> what the lists call it
IDENTIFIER_KINDS = {
    "CCPT": "passport",
    "SOCS": "national_id",
    "IDCD": "national_id",
    "TXID": "tax_id",
}
CREDITOR_SIDES = frozenset({"creditor", "ultimate_creditor"})
PAYEE_CHECK_FIELDS = ("requestId", "result", "proceedSafe", "score", "resolvedBy", "message")


@dataclass(frozen=True, slots=True)
class PaymentCheckInputs:
    """The inputs of the checks: for each its request and gathered data, the screens by side."""

    payee: tuple[PayeeCheckRequest, PayeeCheckInputs]
    aml: tuple[AmlScreenRequest, AmlScreenInputs]
    screens: tuple[tuple[str, ScreenRequest, ScreenInputs], ...]


@dataclass(frozen=True, slots=True)
class PaymentCheckResults:
    """The results of the checks.

    `found` are their records, `said` the institution's answer, `cases` what officers must review,
    merged into one case of the payment (services/payment_case.py).
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
    payee = PayeeCheckRequest(
        instructed.creditor.wallet, instructed.creditor.name, instructed.creditor.lei
    )
    aml = AmlScreenRequest(
        wallet=payment.sender_account,
        counterparty=instructed.creditor.wallet,
        amount=instructed.amount,
        currency=instructed.currency,
        payment_id=str(payment.payment_id),
        direction="SEND",
    )
    screens = tuple(
        (side, build_screen_request(payment, side, party)) for side, party in instructed.named
    )
    return PaymentCheckInputs(
        (payee, gather_payee_check(asked=payee, now=now)),
        (aml, gather_aml_screen(asked=aml, now=now)),
        tuple((side, request, gather_screen(asked=request, now=now)) for side, request in screens),
    )


def record_check_results(
    *, payment: Payment, looked: PaymentCheckInputs, released: bool = False, now: datetime
) -> PaymentCheckResults:
    """Write the records of the checks, and what hangs on them; call it inside a transaction.

    What was flagged becomes one case, that of the payment (case_types.py). The AML screen comes
    last: it locks the profiles of both wallets. A payment that waits for an officer has not moved:
    it enters no profile until it is `released`.
    """
    payer = Caller(ref=payment.owner, kind=KeyKind.INSTITUTION)
    # the screens of parties belong to the platform: an institution must not read them (no
    # tipping-off)
    own = Caller(ref=build_hidden_owner(payment.owner), kind=KeyKind.INTERNAL)
    cases: list[CaseOpening] = []

    def opens(*, opening: CaseOpening, now: datetime) -> None:
        cases.append(opening)

    check_request, gathered = looked.payee
    payee = conclude_payee_check(asked=check_request, gathered=gathered, caller=payer, now=now)
    screens = [
        (
            side,
            conclude_screen(asked=request, gathered=of, caller=own, now=now, opens=opens),
        )
        for side, request, of in looked.screens
    ]
    asked_aml, screen_inputs = looked.aml
    # all screens first: what they find decides whether the AML engine counts the payment
    decisions = tuple(answer["decision"] for _, answer in screens)
    others = CheckResults(payee=payee["result"], screens=decisions)
    # last: it locks the profiles of both wallets until this transaction ends
    aml = conclude_aml_screen(
        asked=asked_aml,
        gathered=screen_inputs,
        caller=payer,
        now=now,
        opens=opens,
        others=_other_checks(others, screens, released=released),
        holds=not released,
    )
    proof = payee["attestation"]
    payload = {name: payee[name] for name in PAYEE_CHECK_FIELDS}
    return PaymentCheckResults(
        CheckResults(payee=payee["result"], aml=aml["action"], screens=decisions),
        _collect_record_ids(payee, aml, screens),
        {
            "vop": {
                "request_id": str(payload["requestId"]),
                "result": payload["result"],
                "proceed_safe": payload["proceedSafe"],
                "score": payload["score"],
                "resolved_by": payload["resolvedBy"],
                "message": payload["message"],
            },
            "compliance": messages.build_compliance_flags(
                r16=proof["fatfR16Compliant"], note=proof["regulatoryNote"]
            ),
        },
        tuple(cases),
    )


NamedScreens = Sequence[tuple[str, Mapping[str, Any]]]


def _other_checks(checks: CheckResults, screens: NamedScreens, *, released: bool) -> OtherChecks:
    """Return what the AML screen takes into account of the checks before it.

    What another check blocks or holds is no transfer between the two wallets either.
    """
    # an attempt to pay a listed party says something about the sender (DESIGN section 4)
    if any(screen["decision"] == "BLOCKED" and side in CREDITOR_SIDES for side, screen in screens):
        return OtherChecks.PAYEE_BLOCKED
    if checks.blocked or (checks.flagged and not released):
        return OtherChecks.STOP
    return OtherChecks.PASS


def _collect_record_ids(
    payee: Mapping[str, Any], aml: Mapping[str, Any], screens: NamedScreens
) -> dict[str, Any]:
    """Return the ids of the records, with the result of each."""
    return {
        "payee": {"requestId": str(payee["requestId"]), "result": payee["result"]},
        "aml": {
            "screenId": str(aml["screenId"]),
            "action": aml["action"],
            "riskScore": aml["riskScore"],
        },
        "screens": [
            {"side": side, "screenId": str(screen["screenId"]), "decision": screen["decision"]}
            for side, screen in screens
        ],
    }


def build_screen_request(payment: Payment, side: str, party: Party) -> ScreenRequest:
    """Return the screen of a party; the creditor's is that of the payment, with its amount."""
    instructed = payment.instructed
    values: dict[str, Any] = {"name": party.name, "lei": party.lei, "reference": payment.reference}
    values |= {"wallet_address": party.wallet, "address": _format_address(party.address)}
    values |= _identifying_details(party)
    # amount and corridor belong to the payment, so they are judged once, with its creditor
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
    return ScreenRequest(**values)


def _identifying_details(party: Party) -> dict[str, Any]:
    """Return what distinguishes a person from namesakes; too short a number does not."""
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
        # shorter numbers agree by chance
        if sum(sign.isalnum() for sign in number.number) >= LEAST_LENGTH
    )
    born = person.birth_date if person.birth_date >= str(OLDEST) else ""
    return {"birth_date": born, "identifiers": tuple(numbers)[:MOST_IDENTIFIERS]}


def _country_of_party(party: Party) -> str:
    return party.country or (party.address.country if party.address else "")


def _format_address(address: Address | None) -> str:
    """Return a postal address in one line, for comparison with lists of places."""
    if address is None:
        return ""
    parts = dataclasses.asdict(address)
    lines = [*parts.pop("address_lines"), *parts.values()]
    return ", ".join(line for line in lines if line)[:500]
