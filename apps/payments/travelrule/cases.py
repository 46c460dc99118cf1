"""Open the cases of the travel rule: messages that could not be sent, and invalid inbound ones.

The party of a case is the counterparty that sends or takes the message. These cases name no party
of the transfer: readers with access find them in the record. Parties that were screened have cases
of their own (apps/payments/travelrule/screening).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.backoffice.review.models import Case
from apps.backoffice.review.services import CaseOpening, open_case
from apps.payments.travelrule.authentication import SHARED_SENDER
from apps.payments.travelrule.models import Transmission, TravelAttempt, TravelRecord
from apps.payments.travelrule.party_index import split_words
from apps.payments.travelrule.rules import transmissions
from apps.payments.travelrule.rules.record_status import rule_of_reason
from apps.platform.crypto import macs

KIND = "travel_rule"
GAVE_UP_RULE, INCOMPLETE_RULE, BROKEN_RULE = "TR-6", "TR-A4", "TR-A0"
MAX_FAULTS = 50  # shown in one case
MAX_NAMED = 20  # senders of a day by one shared key, each with a case; then one for the others


def failed_case_ref(record: TravelRecord) -> str:
    """Return the reference of a record's current case: each failure has its own."""
    return f"{record.record_id}.{record.steps}"


def open_undelivered_case(row: Transmission, word: str, *, now: datetime) -> None:
    """Open the case of a message that could not be delivered, in the transaction that says so."""
    record = row.record
    evidence = build_record_evidence(record) | {
        "attempts": [_serialize_attempt(attempt) for attempt in row.log.all()]
    }
    _open_message_case(
        record, GAVE_UP_RULE, f"{transmissions.FAILURES_BY_WORD[word].says}.", evidence, now
    )


def open_incomplete_cases(
    records: Sequence[TravelRecord],
    *,
    now: datetime,
    faults: Mapping[int, Sequence[Mapping[str, str]]] | None = None,
) -> None:
    """Open cases of messages that lack data the rule requires; `faults` by the record's number."""
    for record in records:
        faults_of_record = list((faults or {}).get(record.pk, ()))[:MAX_FAULTS]
        evidence = build_record_evidence(record) | {
            "faults": [dict(fault) for fault in faults_of_record]
        }
        _open_message_case(
            record, INCOMPLETE_RULE, rule_of_reason("MESSAGE_INCOMPLETE").says, evidence, now
        )


def open_broken_case(record: TravelRecord, rules_: Sequence[str], *, now: datetime) -> None:
    """Open the case of a counterparty's invalid messages of a day, with its first message."""
    # without pointers, which are the sender's own words and may contain names: the ledger has them
    # encrypted
    faults = [{"rule": rule} for rule in dict.fromkeys(rules_)][:MAX_FAULTS]
    evidence = build_record_evidence(record) | {"faults": faults, "sender": record.sender}
    ref = _broken_case_ref(record, f"{record.sender}.{now:%Y-%m-%d}")
    _open_message_case(
        record, BROKEN_RULE, rule_of_reason("MESSAGE_BROKEN").says, evidence, now, ref=ref
    )


def _broken_case_ref(record: TravelRecord, day: str) -> str:
    """Return the reference of the case of an invalid message: its sender, and the day."""
    # Under a shared key the message itself names its sender. Each named sender has a case, up to a
    # limit: a key holder could name thousands.
    named = record.counterparty_lei or " ".join(split_words(record.counterparty))
    if record.sender != SHARED_SENDER or not named:
        return day
    ref = f"{day}.by-{macs.keyed_digest(what='travel-rule broken', of=[named])[:16]}"
    cases = Case.objects.filter(kind=KIND, ref__startswith=f"{day}.").order_by()
    if cases.exclude(ref=ref).count() >= MAX_NAMED:
        return f"{day}.others"
    return ref


def _open_message_case(
    record: TravelRecord, rule: str, sentence: str, evidence: Any, now: datetime, ref: str = ""
) -> None:
    shared = record.sender in ("", SHARED_SENDER)
    named = record.counterparty or ("an unnamed counterparty" if shared else record.sender)
    way = "from" if rule == BROKEN_RULE else "to"
    opening = CaseOpening(
        kind=KIND,
        ref=ref or failed_case_ref(record),
        owner=record.owner,
        title=f"Travel-rule message {way} {named}",
        party=record.counterparty,
        risk="LOW" if rule == BROKEN_RULE else "MEDIUM",
        reference=str(record.payment_id or record.record_id),
        amount=_parse_amount(record.amount) if rule != BROKEN_RULE else None,
        currency=record.currency if rule != BROKEN_RULE else "",
        amount_usd=record.amount_usd,
        reasons=[{"ref": rule, "sentence": sentence}],
        evidence=evidence,
    )
    open_case(opening=opening, now=now)


def _parse_amount(text: str) -> Decimal | None:
    amount = Decimal(text)
    return amount if amount == amount.quantize(Decimal("0.000001")) else None


def build_record_evidence(record: TravelRecord) -> dict[str, Any]:
    """Return what the evidence of a case says of its record."""
    return {
        "record": {
            "id": str(record.record_id),
            "direction": record.direction,
            "counterparty": record.counterparty,
            "lei": record.counterparty_lei,
            "dialect": record.dialect,
            "rules": record.rules,
            "created": record.created_at.isoformat(),
        }
    }


def _serialize_attempt(travel_attempt: TravelAttempt) -> dict[str, str]:
    status = f", HTTP {travel_attempt.status}" if travel_attempt.status else ""
    says = (
        transmissions.FAILURES_BY_WORD[travel_attempt.error].says
        if travel_attempt.error
        else "Delivered"
    )
    return {
        "number": str(travel_attempt.number),
        "at": travel_attempt.at.isoformat(),
        "how": f"{says}{status}",
    }
