"""Opens the cases of the travel rule: what could not be sent, and what came broken.

A case names no party of a transfer: who may see the record finds them there.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.core import macs
from apps.review.actions import Opening, open_case
from apps.review.models import Case
from apps.travelrule.models import Transmission, TravelAttempt, TravelRecord
from apps.travelrule.parties import words
from apps.travelrule.rules import sending as rules
from apps.travelrule.rules.recording import row_of

KIND = "travel_rule"
GAVE_UP, INCOMPLETE, BROKEN = "TR-6", "TR-A4", "TR-A0"
MOST_FAULTS = 50
MOST_NAMED = 20  # senders of a day by one shared key, each with a case; then one for the others
SHARED = "counterparty:shared"


def ref_of(record: TravelRecord) -> str:
    """Return what the case of a record as it stands is found by: each failure has its own."""
    return f"{record.record_id}.{record.steps}"


def gave_up(row: Transmission, word: str, *, now: datetime) -> None:
    """Open the case of a message that could not be delivered, in the transaction that says so."""
    record = row.record
    evidence = _evidence(record) | {"attempts": [_attempt(one) for one in row.log.all()]}
    _open(record, GAVE_UP, f"{rules.BY_WORD[word].says}.", evidence, now)


def incomplete(
    records: Sequence[TravelRecord],
    *,
    now: datetime,
    faults: Mapping[int, Sequence[Mapping[str, str]]] | None = None,
) -> None:
    """Open the cases of messages that lack what the rule wants; `faults` of each by its number."""
    for one in records:
        found = list((faults or {}).get(one.pk, ()))[:MOST_FAULTS]
        evidence = _evidence(one) | {"faults": [dict(fault) for fault in found]}
        _open(one, INCOMPLETE, row_of("MESSAGE_INCOMPLETE").says, evidence, now)


def broken(record: TravelRecord, rules_: Sequence[str], *, now: datetime) -> None:
    """Open the case of broken messages of a counterparty: one for each and day, with the first.

    By a key that is shared the message itself says who sends, and each that it says has a case,
    up to a bound: whoever holds the key could name thousands. Pointers are the sender's own words
    and may hold names: they stand encrypted in the ledger.
    """
    faults = [{"rule": one} for one in dict.fromkeys(rules_)][:MOST_FAULTS]
    evidence = _evidence(record) | {"faults": faults, "sender": record.sender}
    ref = _of_day(record, f"{record.sender}.{now:%Y-%m-%d}")
    _open(record, BROKEN, row_of("MESSAGE_BROKEN").says, evidence, now, ref=ref)


def _of_day(record: TravelRecord, day: str) -> str:
    """Return what the case of a broken message is found by: who sends, and the day."""
    named = record.counterparty_lei or " ".join(words(record.counterparty))
    if record.sender != SHARED or not named:
        return day
    ref = f"{day}.by-{macs.keyed(what='travel-rule broken', of=[named])[:16]}"
    told = Case.objects.filter(kind=KIND, ref__startswith=f"{day}.").order_by()
    if told.exclude(ref=ref).count() >= MOST_NAMED:
        return f"{day}.others"
    return ref


def _open(
    record: TravelRecord, rule: str, sentence: str, evidence: Any, now: datetime, ref: str = ""
) -> None:
    named = record.counterparty or record.sender or "a counterparty"
    way = "from" if rule == BROKEN else "to"
    opening = Opening(
        kind=KIND,
        ref=ref or ref_of(record),
        owner=record.owner,
        title=f"Travel-rule message {way} {named}",
        risk="LOW" if rule == BROKEN else "MEDIUM",
        reference=str(record.payment_id or record.record_id),
        amount=_money(record.amount) if rule != BROKEN else None,
        currency=record.currency if rule != BROKEN else "",
        amount_usd=record.amount_usd,
        reasons=[{"ref": rule, "sentence": sentence}],
        evidence=evidence,
    )
    open_case(opening=opening, now=now)


def _money(text: str) -> Decimal | None:
    found = Decimal(text)
    return found if found == found.quantize(Decimal("0.000001")) else None


def _evidence(record: TravelRecord) -> dict[str, Any]:
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


def _attempt(one: TravelAttempt) -> dict[str, str]:
    status = f", HTTP {one.status}" if one.status else ""
    says = rules.BY_WORD[one.error].says if one.error else "Delivered"
    return {"number": str(one.number), "at": one.at.isoformat(), "how": f"{says}{status}"}
