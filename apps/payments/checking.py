"""The checks of a payment: payee, AML, and the combined screen of each party that bears a name.

All of them are made, whatever the first one finds: what is told, and when, does not depend on which
of them stood against the payment.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.access.models import Kind
from apps.access.tenants import apart
from apps.aml.screening import asked as aml_asked
from apps.aml.screening import conclude as aml_conclude
from apps.aml.screening import gather as aml_gather
from apps.core.callers import Caller
from apps.core.shapes import COUNTRIES
from apps.payments.instructions import Address, Instruction, Party
from apps.payments.models import Payment
from apps.payments.rules import words
from apps.payments.rules.lifecycle import Checks
from apps.payments.rules.purposes import payment_type
from apps.review.actions import Opening
from apps.screening.combined import asked as screen_asked
from apps.screening.combined import conclude as screen_conclude
from apps.screening.combined import gather as screen_gather
from apps.screening.serializers.party import LEAST_LENGTH, MOST_IDENTIFIERS, OLDEST
from apps.vop import conclude as payee_conclude
from apps.vop import gather as payee_gather
from apps.watchlists.values import Identifier

LONGEST_ACCOUNT = 128
# what IVMS 101 calls a person's number -> what the lists call it
NUMBERS = {"CCPT": "passport", "SOCS": "national_id", "IDCD": "national_id", "TXID": "tax_id"}
TOLD = ("requestId", "result", "proceedSafe", "score", "resolvedBy", "message")


@dataclass(frozen=True, slots=True)
class Looked:
    """What the checks rest on: for each what was asked and gathered, the screens by side."""

    payee: tuple[payee_gather.Asked, payee_gather.Gathered]
    aml: tuple[aml_asked.Asked, aml_gather.Gathered]
    screens: tuple[tuple[str, screen_asked.Asked, screen_gather.Gathered], ...]


@dataclass(frozen=True, slots=True)
class Concluded:
    """What the checks came to.

    `found` are their records, `said` what the institution is told, `cases` what officers are to
    look at, which is one case of the payment (reviewing.py).
    """

    checks: Checks
    found: Mapping[str, Any]
    said: Mapping[str, Any]
    cases: tuple[Opening, ...]


def gather(*, payment: Payment, now: datetime) -> Looked:
    """Look up what the checks rest on; reads alone, and outside any transaction.

    Raises the 503s of the checks: one that cannot be made is never passed.
    """
    one = payment.instructed
    payee = payee_gather.Asked(one.creditor.wallet, one.creditor.name, one.creditor.lei)
    aml = _aml(payment)
    screens = tuple((side, screened(payment, side, party)) for side, party in one.named)
    return Looked(
        (payee, payee_gather.gather(asked=payee, now=now)),
        (aml, aml_gather.gather(asked=aml, now=now)),
        tuple((side, it, screen_gather.gather(asked=it, now=now)) for side, it in screens),
    )


def conclude(*, payment: Payment, looked: Looked, now: datetime) -> Concluded:
    """Write the records of the checks, and what hangs on them; call it inside a transaction.

    What was flagged becomes one case, that of the payment (kinds.py). The AML screen comes last: it
    locks the profiles of both wallets.
    """
    payer = Caller(ref=payment.owner, kind=Kind.INSTITUTION)
    own = Caller(ref=apart(payment.owner), kind=Kind.INTERNAL)
    cases: list[Opening] = []

    def opens(*, opening: Opening, now: datetime) -> None:
        cases.append(opening)

    asked, gathered = looked.payee
    payee = payee_conclude.conclude(asked=asked, gathered=gathered, caller=payer, now=now)
    screens = [
        (side, screen_conclude.conclude(asked=it, gathered=of, caller=own, now=now, opens=opens))
        for side, it, of in looked.screens
    ]
    asked_aml, found = looked.aml
    decisions = tuple(one["decision"] for _, one in screens)
    # what another check blocks is no transfer between the two wallets either
    stopped = Checks(payee=payee["result"], screens=decisions).blocked
    aml = aml_conclude.conclude(
        asked=asked_aml, gathered=found, caller=payer, now=now, opens=opens, stopped=stopped
    )
    return Concluded(
        Checks(payee=payee["result"], aml=aml["action"], screens=decisions),
        _records(payee, aml, screens),
        {"vop": _told(payee), "compliance": _flags(payee)},
        tuple(cases),
    )


Wires = Sequence[tuple[str, Mapping[str, Any]]]


def _records(payee: Mapping[str, Any], aml: Mapping[str, Any], screens: Wires) -> dict[str, Any]:
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


def _told(payee: Mapping[str, Any]) -> dict[str, Any]:
    said = {name: payee[name] for name in TOLD}
    return {
        "request_id": str(said["requestId"]),
        "result": said["result"],
        "proceed_safe": said["proceedSafe"],
        "score": said["score"],
        "resolved_by": said["resolvedBy"],
        "message": said["message"],
    }


def _flags(payee: Mapping[str, Any]) -> dict[str, Any]:
    proof = payee["attestation"]
    return words.cleared(compliant=proof["fatfR16Compliant"], note=proof["regulatoryNote"])


def _aml(payment: Payment) -> aml_asked.Asked:
    one = payment.instructed
    return aml_asked.Asked(
        wallet=sender(one, payment.owner),
        counterparty=one.creditor.wallet,
        amount=one.amount,
        currency=one.currency,
        payment_id=str(payment.payment_id),
        direction="SEND",
    )


def sender(one: Instruction, owner: str) -> str:
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


def screened(payment: Payment, side: str, party: Party) -> screen_asked.Asked:
    """Return the screen of a party; the creditor's is that of the payment, with its amount."""
    one = payment.instructed
    values: dict[str, Any] = {"name": party.name, "lei": party.lei, "reference": payment.reference}
    values |= {"wallet_address": party.wallet, "address": _written(party.address)}
    values |= _evidence(party)
    if side == "creditor":
        values |= {"country": _country(party), "amount": one.amount, "currency": one.currency}
        values["payment_type"] = payment_type(one.purpose)
        if source := _country(one.debtor):
            values |= {"source_country": source, "source_given": True}
        else:
            values |= {"source_given": False}
    return screen_asked.Asked(**values)


def _evidence(party: Party) -> dict[str, Any]:
    """Return what tells a person from namesakes; a number too short tells nobody apart."""
    person = party.person
    if person is None:
        return {}
    numbers = (
        Identifier(
            kind=NUMBERS.get(one.type, "other"),
            value=one.number,
            country=one.issuer if one.issuer in COUNTRIES else "",
        )
        for one in person.numbers
        if sum(sign.isalnum() for sign in one.number) >= LEAST_LENGTH
    )
    born = person.birth_date if person.birth_date >= str(OLDEST) else ""
    return {"birth_date": born, "identifiers": tuple(numbers)[:MOST_IDENTIFIERS]}


def _country(party: Party) -> str:
    return party.country or (party.address.country if party.address else "")


def _written(address: Address | None) -> str:
    """Return a postal address in one line, as it is held against lists of places."""
    if address is None:
        return ""
    parts = dataclasses.asdict(address)
    lines = [*parts.pop("address_lines"), *parts.values()]
    return ", ".join(one for one in lines if one)[:500]
