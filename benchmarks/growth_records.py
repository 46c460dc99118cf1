"""Sealed travel-rule records as lines of COPY, five times as fast as made one by one.

The product makes one record of each turn (benchmarks/travelrule_data.py), and what of it depends on
the record alone is put in anew for every other: ids, parties, amounts, times, the message encrypted
under a key of its own, digests and MACs. What the rules decided is taken from the pattern, so it
cannot differ from what they say. `verify_ledger` is the judge of all of it.
"""

import base64
import hashlib
import hmac
import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from apps.payments.travelrule import encryption, party_index
from apps.payments.travelrule.models import RecordKey, TravelEvent, TravelRecord
from apps.payments.travelrule.models.records import list_state_columns
from apps.platform.crypto import macs
from apps.platform.crypto.canonical import canonical_json, canonical_text
from apps.platform.crypto.encryption import NONCE_BYTES
from apps.platform.ledger.envelope_encoding import (
    encode_envelope_value,
    encode_mac_input,
    envelope_encoder,
)
from benchmarks.travelrule_data import (
    CLIENTS,
    TURNS,
    Maker,
    _built,
    company,
    event_before,
    moment_of,
    side_of,
)

Linked = tuple[int, str, str]  # number of an event, hash of its content, its envelope as JSON
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
RANDOM = encryption.KEY_BYTES + 4 * NONCE_BYTES + 3 * 16  # bytes that a record takes
SHAPE = envelope_encoder(TravelEvent, TravelEvent.PURGEABLE)
OWN = ("digest", "faults", "message", "parties", "raw", "receipt", "stands")
PER_RECORD = frozenset(
    {"id", "record_id", "payment_id", "owner", "amount_usd", "amount", "rate_on", "originator_id",
     "beneficiary_id", "tx_hash", "came_as", "created_at", "retain_until"}
)  # fmt: skip


def columns(model: Any) -> tuple[str, ...]:
    """Return the attributes of a model's columns, in the order in which lines have them."""
    return tuple(field.attname for field in model._meta.concrete_fields)


class Pattern:
    """One turn: texts of a record's rows with places for what is each record's own."""

    def __init__(self, record: TravelRecord, events: Sequence[TravelEvent]) -> None:
        self.kept = record.retain_until - record.created_at
        self.inbound = bool(record.came_as)
        self.faulty = "faults" in events[0].data
        self.record = "\t".join(_line(record, name) for name in columns(TravelRecord)) + "\n"
        self.steps = [_Step(record, event) for event in events]


class _Step:
    def __init__(self, record: TravelRecord, event: TravelEvent) -> None:
        self.after = event.recorded_at - record.created_at
        data = event.data
        self.payload = "{" + ",".join(_said(name, data[name]) for name in sorted(data)) + "}"
        stood = {"status": event.status, "steps": event.number}
        self.stands = "{" + ",".join(
            _stands(record, state_column, stood) for state_column in list_state_columns()
        )
        self.stands += "}"
        self.bare = self._envelope(event, ("recorded_at", "record_id"))
        self.full = self._envelope(event, ("id", "recorded_at", "record_id"))
        own = ("id", "payload", "salt", "recorded_at", "mac_key", "mac", "record_id")
        parts = [
            f"%(e_{column})s" if column in own else str(getattr(event, column))
            for column in columns(TravelEvent)
        ]
        self.row = "\t".join(parts) + "\n"

    def _envelope(self, event: TravelEvent, own: Sequence[str]) -> str:
        names = [name for name in SHAPE.names if name in own or name != "id"]
        pairs = [
            f'"{name}":'
            + (f"%(e_{name}_text)s" if name in own else encode_envelope_value(getattr(event, name)))
            for name in names
        ]
        return "{" + ",".join(pairs) + "}"


def _own(record: TravelRecord, name: str) -> bool:
    return name in PER_RECORD and getattr(record, name) not in (None, "")


def _line(record: TravelRecord, name: str) -> str:
    """Return a column of a record as COPY reads it."""
    value = getattr(record, name)
    if _own(record, name):
        return f"%({name})s"
    if name == "threshold_usd":
        return str(int(value * 1_000_000))
    told = {None: "\\N", True: "t", False: "f"}
    plain = told.get(value) if value is None or isinstance(value, bool) else str(value)
    return str(plain).replace("%", "%%")


def _stands(record: TravelRecord, name: str, stood: dict[str, Any]) -> str:
    if _own(record, name):
        return f'"{name}":"%({name}_text)s"'
    return f'"{name}":' + canonical_text(stood.get(name, getattr(record, name))).replace("%", "%%")


def _said(name: str, value: Any) -> str:
    if name == "parties":
        return '"parties":["%(payer)s","%(payee)s"]'
    if name in OWN:
        return f'"{name}":"%({name})s"'
    return f'"{name}":' + canonical_json(value).decode().replace("%", "%%")


class Randomness:
    """Random bytes, drawn for many records at once."""

    def __init__(self, size: int) -> None:
        self._held, self._at = os.urandom(size), 0

    def take(self, size: int) -> bytes:
        """Return so many bytes that nobody had."""
        self._at += size
        return self._held[self._at - size : self._at]


class FastMaker:
    """Makes what `Maker` makes, as lines; `numbers` are those of the parties' rows, in order."""

    def __init__(self, *, count: int, parties: int, numbers: Sequence[int]) -> None:
        self._slow = Maker(count=count, parties=parties, numbers=numbers)
        self.count, self.numbers = count, numbers
        made = [self._slow.made(index) for index in range(len(TURNS))]
        self._patterns = [Pattern(record, events) for record, _, events in made]
        self._faults = canonical_json([{"rule": "X1", "pointer": "/originator"}])
        self._under, outer = next(iter(encryption._load_keys().items()))
        self._outer = AESGCM(outer)
        self._mac_id, self._mac_key = next(iter(macs.ledger_keys().items()))
        self._sides: dict[int, tuple[str, str, str]] = {}
        vasps = _built(0)
        self._vasps = [
            canonical_json(vasps[f"{one}VASP"]).decode() for one in ("beneficiary", "originator")
        ]

    def lines(self, span: tuple[int, int]) -> tuple[bytes, bytes, bytes, list[Linked]]:
        """Return the rows of records, keys and events of a range, and what their seals are of."""
        records, keys, events, linked = [], [], [], []
        chance = Randomness(RANDOM * (span[1] - span[0]))
        for number in range(*span):
            pattern = self._patterns[number % len(TURNS)]
            own = self._own(number, pattern, chance)
            records.append(pattern.record % own)
            keys.append(f"{number + 1}\t{own['wrapped']}\t{self._under}\t{number + 1}\n")
            for place, step in enumerate(pattern.steps, event_before(number) + 1):
                row, one = self._event(step, own, place, chance)
                events.append(row)
                linked.append(one)
        return "".join(records).encode(), "".join(keys).encode(), "".join(events).encode(), linked

    def _side(self, number: int) -> tuple[str, str, str]:
        """Return a party as originator and as beneficiary of a message, and its token."""
        found = self._sides.get(number)
        if found is None:
            told = _built(number)
            one, other = (
                canonical_json(told[side]).decode() for side in ("originator", "beneficiary")
            )
            found = one, other, party_index.party_token(side_of(company(number)))
            self._sides[number] = found
        return found

    def _own(self, number: int, pattern: Pattern, chance: Randomness) -> dict[str, Any]:
        first, second = self._slow._pair(number)
        payer, payee = self._side(first), self._side(second)
        large = TURNS[number % len(TURNS)][3]
        cents = number * 7919 % 290_000 + (300_000 if large else 1000)
        amount = f"{cents // 100}.{cents % 100:02d}"
        paid = hashlib.sha256(b"payment %d" % number).hexdigest()
        moment = moment_of(number, self.count)
        own: dict[str, Any] = {
            "id": number + 1,
            "record_id": _uuid(hashlib.sha256(b"record %d" % number).hexdigest()),
            "payment_id": _uuid(paid),
            "tx_hash": f"0x{paid}",
            "owner": f"account:{first % CLIENTS + 1}",
            "amount": amount,
            "amount_text": amount,
            "amount_usd": cents * 10_000,
            "amount_usd_text": amount.rstrip("0").rstrip("."),
            "originator_id": self.numbers[first],
            "beneficiary_id": self.numbers[second],
            "payer": payer[2],
            "payee": payee[2],
            "moment": moment,
        }
        own |= _times(moment, pattern.kept)
        self._sealed(own, self._message(payer[0], payee[1], amount), pattern, chance)
        for name in ("record_id", "payment_id", "owner", "tx_hash", "came_as"):
            own[f"{name}_text"] = own.get(name)
        return own

    def _message(self, payer: str, payee: str, amount: str) -> bytes:
        """Return the message of a payment in its canonical form."""
        beneficiary, originator = self._vasps
        return (
            f'{{"beneficiary":{payee},"beneficiaryVASP":{beneficiary},"originator":{payer},'
            f'"originatorVASP":{originator},"transferAmount":{{"transferAmount":"{amount}",'
            f'"transferCurrency":"USD"}}}}'
        ).encode()

    def _sealed(
        self, own: dict[str, Any], message: bytes, pattern: Pattern, chance: Randomness
    ) -> None:
        """Encrypt what is personal under a key of its own, as travelrule/making.py does."""
        key, salt = chance.take(encryption.KEY_BYTES), chance.take(16).hex().encode()
        own["wrapped"] = _sealed(self._outer, key, own["record_id"].encode(), chance)
        cipher = AESGCM(key)
        whole = b'{"message":' + message + b',"salt":"' + salt + b'"}'
        own["message"] = _sealed(cipher, whole, b"message", chance)
        own["digest"] = hashlib.sha256(salt + b":" + message).hexdigest()
        own["receipt"] = own["record_id"]
        if pattern.inbound:
            # the same parties and the same sum come again, but no two messages are the same bytes
            raw = b'%s,"n":"%d"}' % (message[:-1], own["id"])
            own["raw"] = _sealed(cipher, raw, b"raw", chance)
            came = [hashlib.sha256(raw).hexdigest(), ""]
            own["came_as"] = macs.keyed_digest(what="travel-rule message", of=came)
        if pattern.faulty:
            own["faults"] = _sealed(cipher, self._faults, b"faults", chance)

    def _event(
        self, step: _Step, own: dict[str, Any], place: int, chance: Randomness
    ) -> tuple[str, Linked]:
        own["stands"] = hashlib.sha256((step.stands % own).encode()).hexdigest()
        payload, salt = step.payload % own, chance.take(16).hex()
        content = hashlib.sha256(f"{salt}:{payload}".encode()).hexdigest()
        at = own["moment"] + step.after
        own["e_id_text"], own["e_record_id_text"] = place, own["id"]
        own["e_recorded_at_text"] = (at - EPOCH) // timedelta(microseconds=1)
        mac_input = encode_mac_input(
            ledger=TravelEvent.LEDGER, content=content, record=step.bare % own
        )
        own |= {
            "e_id": place,
            "e_payload": payload,
            "e_salt": salt,
            "e_recorded_at": at.isoformat(),
            "e_mac_key": self._mac_id,
            "e_mac": hmac.digest(self._mac_key, mac_input.encode(), "sha256").hex(),
            "e_record_id": own["id"],
        }
        return step.row % own, (place, content, step.full % own)


def _times(moment: datetime, kept: timedelta) -> dict[str, str]:
    made, until = moment.isoformat(), (moment + kept).isoformat()
    day = made[:10]
    return {"created_at": made, "created_at_text": made, "retain_until": until,
            "retain_until_text": until, "rate_on": day, "rate_on_text": day}  # fmt: skip


def _uuid(text: str) -> str:
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:32]}"


def _sealed(cipher: AESGCM, said: bytes, bound: bytes, chance: Randomness) -> str:
    nonce = chance.take(NONCE_BYTES)
    return base64.b64encode(nonce + cipher.encrypt(nonce, said, bound)).decode()


KEY_COLUMNS = ("id", "wrapped", "under", "record_id")
assert set(KEY_COLUMNS) == set(columns(RecordKey))
