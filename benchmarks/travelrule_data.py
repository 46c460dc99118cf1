"""Records for the benchmark of the travel-rule ledger: sealed as the product seals them.

Of 20 records 11 are payments below the threshold, 3 are kept for want of an endpoint, 3 were sent
(two events), 2 came from counterparties, 1 failed. They are 26 seconds apart: 100,000 a month.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any
from uuid import UUID

from apps.payments.travelrule import encryption
from apps.payments.travelrule.ivms import Company, build_message
from apps.payments.travelrule.models import TravelEvent, TravelRecord
from apps.payments.travelrule.party_index import NamedSide
from apps.payments.travelrule.record_transition import build_event
from apps.payments.travelrule.rules import transitions
from apps.payments.travelrule.rules.record_status import INBOUND, OUTBOUND, TransferFacts
from apps.payments.travelrule.services.create_records import (
    TransferInputs,
    _build_event_facts,
    _build_record,
)
from apps.platform.crypto.macs import keyed_digest

APART = timedelta(seconds=26)
LAST = datetime(2026, 11, 1, tzinfo=UTC)
CLIENTS = 40
FIRST = ("Alder", "Birch", "Cedar", "Dogwood", "Elder", "Fir", "Gorse", "Hazel", "Ivy", "Juniper",
         "Kerria", "Larch", "Maple", "Nettle", "Oak", "Poplar", "Quince", "Rowan", "Spruce",
         "Thorn")  # fmt: skip
SECOND = ("Bay", "Bridge", "Brook", "Court", "Dale", "Field", "Ford", "Gate", "Grove", "Hall",
          "Hill", "Lake", "Lane", "Mill", "Moor", "Point", "Rock", "Vale", "Well",
          "Wood")  # fmt: skip
TRADE = ("Trading", "Shipping", "Stationery", "Optics", "Textiles", "Timber", "Machines", "Foods",
         "Paper", "Glass")  # fmt: skip
FORMS = ("Limited", "GmbH", "S.A.", "B.V.", "Inc.")
# of 20 records: direction, whether an endpoint is known, faults, whether it is 3,000 or more
TURNS = (
    *[(OUTBOUND, False, False, False)] * 11,
    *[(OUTBOUND, False, False, True)] * 3,
    *[(OUTBOUND, True, False, True)] * 3,
    *[(INBOUND, False, False, True)] * 2,
    (OUTBOUND, True, True, True),
)
SENT = range(14, 17)
EVENTS = len(TURNS) + len(SENT)  # of 20 records


def event_before(number: int) -> int:
    """Return how many events the records before one have; records count from 0."""
    whole, rest = divmod(number, len(TURNS))
    return whole * EVENTS + rest + sum(one < rest for one in SENT)


def moment_of(number: int, count: int) -> datetime:
    """Return when a record of so many was made."""
    return LAST - (count - number) * APART


@lru_cache(maxsize=60_000)
def company(number: int) -> Company:
    """Return a party by its number: names repeat in parts, wallets do not."""
    pick, name = number, []
    for words in (FIRST, SECOND, TRADE, FORMS):
        pick, place = divmod(pick, len(words))
        name.append(words[place])
    wallet = "0x" + hashlib.sha256(b"party %d" % number).hexdigest()[:40]
    address = {
        "addressType": "BIZZ", "streetName": f"{name[1]} Street", "buildingNumber": str(pick + 1),
        "postCode": f"{number % 90000 + 10000}", "townName": "Springfield", "country": "US",
    }  # fmt: skip
    text = f"{' '.join(name[:-1])} {pick} {name[-1]}" if pick else " ".join(name)
    return Company(name=text, accounts=(wallet,), addresses=(address,))


def side_of(party: Company) -> NamedSide:
    """Return by what a party is found."""
    return NamedSide((party.name,), party.accounts)


class Maker:
    """Makes records by their numbers; `numbers` are those of the parties' rows, in their order."""

    def __init__(self, *, count: int, parties: int, numbers: Sequence[int]) -> None:
        self.count, self.parties, self.numbers = count, parties, numbers

    def made(self, number: int) -> tuple[TravelRecord, tuple[str, str], list[TravelEvent]]:
        """Return a record, its wrapped key with what wraps it, and its events."""
        one, now = self._transfer(number), moment_of(number, self.count)
        record = _build_record(one, self._found(one), now)
        record.pk = number + 1
        record.record_id = UUID(bytes=hashlib.sha256(b"record %d" % number).digest()[:16])
        key, wrapped, under = encryption.create_record_key(of=str(record.record_id))
        turn = transitions.find_transition("", record.status)
        payload, columns = build_event(record, turn, facts=_build_event_facts(one, key))
        events = [TravelEvent._made(payload, now, columns)]
        if record.status == "PENDING":
            events.append(_delivered(record, now + timedelta(seconds=4)))
        for place, event in enumerate(events, event_before(number) + 1):
            event.pk = place
        return record, (wrapped, under), events

    def _pair(self, number: int) -> tuple[int, int]:
        """Return the numbers of payer and payee."""
        first = number * 2_654_435_761 % self.parties
        second = (number * 40_503 + 7) % self.parties
        return first, second if second != first else (second + 1) % self.parties

    def _found(self, one: TransferInputs) -> dict[NamedSide, int]:
        assert one.columns is not None
        first, second = one.columns.pop("pair")
        return {one.originator: self.numbers[first], one.beneficiary: self.numbers[second]}

    def _transfer(self, number: int) -> TransferInputs:
        direction, endpoint, faults, large = TURNS[number % len(TURNS)]
        pair = self._pair(number)
        cents = number * 7919 % 290_000 + (300_000 if large else 1000)
        amount = f"{cents // 100}.{cents % 100:02d}"
        day = moment_of(number, self.count).date()
        payer, payee = company(pair[0]), company(pair[1])
        message = _message(pair, amount)
        inbound = direction == INBOUND
        raw = json.dumps(message).encode() if inbound else b""
        digest = hashlib.sha256(b"payment %d" % number).digest()
        columns: dict[str, Any] = {"rate": "1", "rate_on": day, "rate_source": "fixed"}
        if inbound:
            came = keyed_digest(
                what="travel-rule message", of=[hashlib.sha256(raw).hexdigest(), ""]
            )
            columns |= {"dialect": "2020", "sender": "counterparty:shared", "came_as": came}
        else:
            columns |= {"network": "base", "tx_hash": f"0x{digest.hex()}"}
        return TransferInputs(
            facts=TransferFacts(direction, Decimal(amount), day, endpoint=endpoint, faults=faults),
            amount=amount,
            currency="USD",
            message=message,
            raw=raw,
            faults=({"rule": "X1", "pointer": "/originator"},) if faults else (),
            originator=side_of(payer),
            beneficiary=side_of(payee),
            owner="" if inbound else f"account:{pair[0] % CLIENTS + 1}",
            payment_id=None if inbound else UUID(bytes=digest[:16]),
            counterparty=("Heron Custody Limited", "5493001KJTIIGC8Y1R12")
            if endpoint
            else ("", ""),
            columns=columns | {"pair": pair},
        )


def _message(pair: tuple[int, int], amount: str) -> dict[str, Any]:
    payer, payee = _built(pair[0]), _built(pair[1])
    found = payer | {"beneficiary": payee["beneficiary"]}
    return found | {"transferAmount": {"transferAmount": amount, "transferCurrency": "USD"}}


@lru_cache(maxsize=60_000)
def _built(number: int) -> dict[str, Any]:
    """Return a message of which a party is both sides."""
    party = company(number)
    return build_message(
        originator=party, beneficiary=party,
        originator_vasp=Company(name="Compliance Oracle Operator", lei="5493001KJTIIGC8Y1R12"),
        beneficiary_vasp=Company(name="Heron Custody Limited"), amount="1", currency="USD",
        today=LAST.date(),
    ).message  # fmt: skip


def _delivered(record: TravelRecord, now: datetime) -> TravelEvent:
    row = transitions.find_transition(record.status, "DELIVERED")
    record.status, record.steps = row.next, record.steps + 1
    facts = {"status": 200, "attempt": 1, "receipt": str(record.record_id)}
    payload, columns = build_event(record, row, facts=facts)
    return TravelEvent._made(payload, now, columns)


def sides(parties: int, at_once: int = 2000) -> Iterator[Sequence[NamedSide]]:
    """Yield the parties in their order, some at a time."""
    for begins in range(0, parties, at_once):
        yield [side_of(company(index)) for index in range(begins, min(parties, begins + at_once))]
