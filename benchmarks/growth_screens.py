"""Fills a PostgreSQL database with sealed screens, by COPY from several processes.

The API answers one screen of each kind below; what of its record is its own (ids, party, reference,
wallet, times, and the MAC) is put in anew for every other. Cases, the SAR log and known parties of
flagged and blocked ones are not multiplied: this is the ledger of screens, its keys and its seals.
"""

import hashlib
import hmac
import json
import multiprocessing
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from rest_framework.test import APIClient

from apps.compliance.screening.models import FindKey, Screen
from apps.compliance.screening.models.screens import keys_of_request
from apps.platform.common.clock import now
from apps.platform.crypto import macs
from apps.platform.ledger.envelope_encoding import (
    encode_envelope_value,
    encode_mac_input,
    envelope_encoder,
)
from apps.platform.ledger.models import LedgerHead, Seal
from apps.platform.ledger.records import GENESIS
from benchmarks.growth_records import EPOCH, Linked, Randomness, _uuid, columns
from benchmarks.travelrule_build import SEAL, chained, copied, say, without_indexes
from benchmarks.travelrule_data import company

AT_ONCE = 2000
APART = timedelta(seconds=26)
LAST = datetime(2026, 11, 1, tzinfo=UTC)
CLIENTS = 40
PARTIES = 1_000_000
NAME, REFERENCE, WALLET = "Placeholder of the Party Limited", "INV-MARK", "0x" + "ab" * 20
KINDS: tuple[dict[str, Any], ...] = (
    *[{"country": "DE", "amount": 12000, "currency": "EUR", "reference": REFERENCE}] * 12,
    *[{"country": "US", "amount": 750, "walletAddress": WALLET, "reference": REFERENCE}] * 4,
    *[{"country": "FR", "amount": 900, "reference": REFERENCE}] * 2,
    {"country": "RU", "amount": 900, "reference": REFERENCE},
    {"country": "KP", "amount": 900, "reference": REFERENCE},
)
TABLES = (Screen, FindKey, Seal)
SHAPE = envelope_encoder(Screen, Screen.PURGEABLE)
FIND_KEYS = ("screen_id", "key")
OWN = ("id", "payload", "salt", "recorded_at", "mac_key", "mac", "screen_id", "owner",
       "reference_key")  # fmt: skip
ENVELOPE = ("id", "owner", "recorded_at", "reference_key", "screen_id")


class Kind:
    """One kind of screen: texts of its rows with places for what is each screen's own."""

    def __init__(self, record: Screen) -> None:
        response = record.data["response"]
        payload = record.payload.replace("%", "%%")
        places = {
            NAME: "name", REFERENCE: "reference", WALLET: "wallet",
            response["screenId"]: "screen_id", response["screenedAt"]: "moment",
        }  # fmt: skip
        for told, place in places.items():
            payload = payload.replace(told, f"%({place})s")
        self.payload = payload
        self.wallet = WALLET in record.payload
        names = columns(Screen)
        self.row = "\t".join(_column(record, name) for name in names) + "\n"
        self.full, self.bare = (
            _envelope(record, SHAPE.names),
            _envelope(record, [name for name in SHAPE.names if name != "id"]),
        )


def _column(record: Screen, name: str) -> str:
    value = getattr(record, name)
    if name in OWN:
        return f"%({name})s"
    plain = ("t" if value else "f") if isinstance(value, bool) else str(value)
    return plain.replace("%", "%%")


def _envelope(record: Screen, names: Sequence[str]) -> str:
    pairs = (
        f'"{name}":'
        + (
            f"%({name}_text)s"
            if name in ENVELOPE
            else encode_envelope_value(getattr(record, name)).replace("%", "%%")
        )
        for name in names
        if getattr(record, name) is not None
    )
    return "{" + ",".join(pairs) + "}"


class Screens:
    """Makes the rows of screens by their numbers, from one of each kind."""

    def __init__(self, kinds: Sequence[Kind], count: int) -> None:
        self.kinds, self.count = kinds, count
        self.mac_id, self.mac_key = next(iter(macs.ledger_keys().items()))

    def lines(self, span: tuple[int, int]) -> tuple[bytes, bytes, list[Linked]]:
        """Return the rows of screens and keys of a range, and what their seals are made of."""
        rows, keys, linked = [], [], []
        chance = Randomness(16 * (span[1] - span[0]))
        for number in range(*span):
            row, asked, one = self._screen(number, chance)
            rows.append(row)
            keys += [f"{number + 1}\t{key}\n" for key in sorted(keys_of_request(asked))]
            linked.append(one)
        return "".join(rows).encode(), "".join(keys).encode(), linked

    def _screen(self, number: int, chance: Randomness) -> tuple[str, dict[str, str], Linked]:
        kind = self.kinds[number % len(self.kinds)]
        at = LAST - (self.count - number) * APART
        whom = number * 2_654_435_761 % PARTIES
        party, owner = company(whom).name, f"account:{number % CLIENTS + 1}"
        reference = f"INV-{number:08d}"
        key = Screen.key_of(owner=owner, reference=reference)
        wallet = "0x" + hashlib.sha256(b"party %d" % whom).hexdigest()[:40]
        screen = _uuid(hashlib.sha256(b"screen %d" % number).hexdigest())
        own: dict[str, Any] = {
            "id": number + 1, "id_text": number + 1, "name": party, "reference": reference,
            "wallet": wallet, "screen_id": screen, "screen_id_text": f'"{screen}"',
            "moment": f"{at:%Y-%m-%dT%H:%M:%S}.000Z", "recorded_at": at.isoformat(),
            "recorded_at_text": (at - EPOCH) // timedelta(microseconds=1), "owner": owner,
            "owner_text": f'"{owner}"', "reference_key": key, "reference_key_text": f'"{key}"',
        }  # fmt: skip
        payload, salt = kind.payload % own, chance.take(16).hex()
        content = hashlib.sha256(f"{salt}:{payload}".encode()).hexdigest()
        mac_input = encode_mac_input(ledger=Screen.LEDGER, content=content, record=kind.bare % own)
        mac = hmac.digest(self.mac_key, mac_input.encode(), "sha256").hex()
        own |= {"payload": _escaped(payload), "salt": salt, "mac_key": self.mac_id, "mac": mac}
        asked = {"name": party} | ({"walletAddress": wallet} if kind.wallet else {})
        return kind.row % own, asked, (number + 1, content, kind.full % own)


def _escaped(payload: str) -> str:
    return payload.replace("\\", "\\\\")


def standing() -> int:
    """Return how many screens the database holds."""
    return Screen.objects.count()


def fill(count: int, *, processes: int) -> None:
    """Fill a database without screens with so many, their keys and their seals."""
    began = time.monotonic()
    kinds = _kinds()
    with without_indexes(TABLES):
        _copied(Screens(kinds, count), count, processes)
        say(f"{count / (time.monotonic() - began):,.0f} screens/s with their seals; indexes")
    with connection.cursor() as cursor:
        for model in TABLES:
            table = model._meta.db_table
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"
            )
        cursor.execute("VACUUM (ANALYZE)")
    say(f"built in {time.monotonic() - began:,.0f} s")


def client() -> APIClient:
    """Return a client that may screen, with the sample lists' index there."""
    call_command("build_index", verbosity=0)
    keys = json.loads((Path(settings.VAR_DIR) / "keys.json").read_text())
    asks = APIClient()
    asks.credentials(HTTP_X_API_KEY=keys["subscription"])
    return asks


def _kinds() -> list[Kind]:
    """Have the API screen one of each kind, without keeping it."""
    asks = client()
    made: dict[str, Kind] = {}
    for kind in KINDS:
        if str(kind) not in made:
            answer = asks.post(
                "/compliance/compliance/screen", {"name": NAME} | kind, format="json"
            )
            if answer.status_code not in (200, 202):
                raise SystemExit(f"screen: {answer.status_code} {answer.content[:300]!r}")
            screen = Screen.objects.get(screen_id=json.loads(answer.content)["screenId"])
            made[str(kind)] = Kind(screen)
    with connection.cursor() as cursor:  # these few would stand in the way of the numbers
        for table in ("screening_screen", "screening_findkey"):
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            cursor.execute(f"TRUNCATE {table}")
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
    return [made[str(kind)] for kind in KINDS]


_maker: Screens | None = None


def _copied(maker: Screens, count: int, processes: int) -> None:
    global _maker
    _maker, began = maker, time.monotonic()
    connection.close()  # forked processes share no connection
    head, position, sealed = GENESIS, 0, LAST + timedelta(minutes=5)
    ranges = [(index, min(count, index + AT_ONCE)) for index in range(0, count, AT_ONCE)]
    with multiprocessing.get_context("fork").Pool(processes, connection.close) as pool:
        for (_, ends), linked in zip(ranges, pool.imap(_written, ranges), strict=True):
            rows, head, position = chained(Screen.LEDGER, linked, head, position, sealed)
            copied(Seal, SEAL, rows)
            if ends % 20_000 < AT_ONCE:
                rate = ends / (time.monotonic() - began)
                say(f"{ends:,} of {count:,} screens, {rate:,.0f}/s", end="\r")
    values = {"position": position, "digest": head, "watermark": position, "candidate": position}
    LedgerHead.objects.update_or_create(
        ledger=Screen.LEDGER, defaults={"candidate_at": now(), **values}
    )


def _written(span: tuple[int, int]) -> list[Linked]:
    assert _maker is not None
    rows, keys, linked = _maker.lines(span)
    copied(Screen, columns(Screen), rows)
    copied(FindKey, FIND_KEYS, keys)
    return linked
