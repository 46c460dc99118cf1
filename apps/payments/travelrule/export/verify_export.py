#!/usr/bin/env python3
"""Verify an export of the travel-rule ledger, or a proof of one record, offline.

    python3 verify_export.py EXPORT.zip --keys jwks.json
    python3 verify_export.py EXPORT.ndjson --fingerprint 64-HEX-DIGITS [--previous EARLIER.zip]
    python3 verify_export.py proof.json --keys jwks.json

Needs Python 3.9 or later, nothing else, and no network. Get the keys (or the SHA-256 of a raw
public key) from the operator separately from the export: /compliance/.well-known/jwks.json.

Exit codes: 0 verified; 1 something was altered, removed or reordered; 2 the file cannot be read;
3 consistent, but the keys came with the export and do not prove who made it.
"""

# It runs on examiners' machines, from Python 3.9 on: texts and paths in the old way, no types.
# ruff: noqa: UP031, PTH123
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

from __future__ import annotations

import argparse
import base64
import hashlib
import io
import json
import sys
import zipfile
from datetime import datetime, timedelta, timezone
from decimal import Decimal

GOOD, BAD, UNREADABLE, UNTRUSTED = 0, 1, 2, 3
TABLE = "only its SHA-256 is in the log of exports; request zip or ndjson"
DATA, MANIFEST, KEYS = "records.ndjson", "manifest.json", "keys.json"
MOST_SHOWN = 100  # faults; the rest are counted
MOST_LINE = 1 << 26  # bytes of a line, a manifest, keys: far above every real one
MOST_EVENTS = 1 << 31  # of a ledger; a byte of memory for each
EXPORT, ROOT_OF, LEDGER = "travel-rule export", "travel-rule tree root", "travel_rule"
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)  # noqa: UP017 - there is no datetime.UTC in 3.9
# what a record is called in the API, and in the row that its last event was sealed over
SAME = {
    "id": "record_id", "paymentId": "payment_id", "direction": "direction", "status": "status",
    "applies": "applies", "reason": "reason", "rule": "rule", "rules": "rules", "amount": "amount",
    "currency": "currency", "exchangeRate": "rate", "rateOn": "rate_on", "network": "network",
    "txHash": "tx_hash", "dialect": "dialect",
}  # fmt: skip


class UnusableFile(Exception):
    """The file is not an export or a proof."""


class DamagedExport(Exception):
    """The file was an export, and is damaged."""


def sha256(data):
    return hashlib.sha256(data).digest()


def canonical(value):
    """Return the one byte form that is signed and hashed: UTF-8 JSON, sorted keys, no spaces."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8")


def parse_strict_json(text):
    """Parse JSON; a name twice in an object is refused, as readers differ on it."""

    def once(pairs):
        members = dict(pairs)
        if len(members) != len(pairs):
            raise ValueError("an object repeats a name")
        return members

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _constant(name):
    raise ValueError("%s is not a JSON number" % name)


def escape_unprintable(text):
    """Return a text that is safe to print: nothing in it moves the cursor or hides other text."""
    return "".join(
        character if character.isprintable() else ascii(character)[1:-1] for character in str(text)
    )


# --- Ed25519 (RFC 8032 section 5.1) -----------------------------------------------------
# It only verifies, with public data, so that it need not run in constant time. Points are in
# extended coordinates (X, Y, Z, T) with x = X/Z, y = Y/Z, x*y = T/Z.

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def _add(a, b):
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    w, x, y, z = f - e, h - g, h + g, f + e
    return (w * x % P, y * z % P, x * y % P, w * z % P)


def _times(number, point):
    product = (0, 1, 1, 0)
    while number:
        if number & 1:
            product = _add(product, point)
        point, number = _add(point, point), number >> 1
    return product


def _point(raw):
    """Return the point of 32 bytes, or None (section 5.1.3)."""
    y = int.from_bytes(raw, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    # an encoding with y >= p is a second form of a point: accepting it would accept other bytes
    if len(raw) != 32 or y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (not x and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = _point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_valid_signature(key, message, signature):
    """Tell whether an Ed25519 signature is that of a message by a raw public key."""
    if len(signature) != 64:
        return False
    a, r, s = _point(key), _point(signature[:32]), int.from_bytes(signature[32:], "little")
    # s + ORDER would be a second signature of the same message (section 5.1.7)
    if a is None or r is None or s >= ORDER:
        return False
    h = hashlib.sha512(signature[:32] + key + message).digest()
    left, right = _times(s, BASE), _add(r, _times(int.from_bytes(h, "little") % ORDER, a))
    return (
        (left[0] * right[2] - right[0] * left[2]) % P
        == 0
        == (left[1] * right[2] - right[1] * left[2]) % P
    )


def unbase64(text):
    return base64.urlsafe_b64decode(str(text) + "=" * (-len(str(text)) % 4))


def parse_jwks(document):
    """Return the Ed25519 keys of a JSON Web Key Set by their ids."""
    keys = {}
    for key in document["keys"]:
        if key.get("crv") == "Ed25519":
            keys[key["kid"]] = unbase64(key["x"])
    return keys


def has_valid_statement(statement, keys, kind):
    """Tell whether a statement of a kind has a valid signature by one of some keys."""
    # the operator signs statements of other kinds with the same keys: they prove nothing here
    if isinstance(statement, dict) and statement.get("kind") != kind:
        return False
    signature = statement.get("signature") if isinstance(statement, dict) else None
    if not isinstance(signature, dict) or signature.get("algorithm") != "EdDSA":
        return False
    key = keys.get(signature.get("keyId"))
    rest = {name: value for name, value in statement.items() if name != "signature"}
    try:
        return key is not None and is_valid_signature(
            key, canonical(rest), unbase64(signature.get("value"))
        )
    except ValueError:
        return False


# --- Merkle trees (RFC 9162 sections 2.1.3.2 and 2.1.4.2) -------------------------------


def leaf_hash(data):
    return sha256(b"\x00" + data)


def node_hash(left, right):
    return sha256(b"\x01" + left + right)


def is_included(leaf, index, size, path, root):
    """Tell whether a path leads from the hash of a leaf to the root of a tree."""
    if not 0 <= index < size:
        return False
    number, last, computed = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return False
        if number & 1 or number == last:
            computed = node_hash(sibling, computed)
            while number and not number & 1:
                number, last = number >> 1, last >> 1
        else:
            computed = node_hash(computed, sibling)
        number, last = number >> 1, last >> 1
    return last == 0 and computed == root


def is_consistent(first, second, path, earlier, later):
    """Tell whether a path proves that a tree begins with an earlier one."""
    if not 1 <= first <= second:
        return False
    if first == second:
        return not path and earlier == later
    # a power of two is a whole subtree: its root is not in the path, but the earlier root itself
    whole = first & first - 1 == 0
    path = [earlier, *path] if whole else list(path)
    if not path:
        return False
    number, last = first - 1, second - 1
    while number & 1:
        number, last = number >> 1, last >> 1
    old = new = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if number & 1 or number == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while number and not number & 1:
                number, last = number >> 1, last >> 1
        else:
            new = node_hash(new, sibling)
        number, last = number >> 1, last >> 1
    return last == 0 and old == earlier and new == later


class IncrementalRoot:
    """The root of leaves that come one by one."""

    def __init__(self):
        self.size, self.peaks = 0, []

    def add(self, data):
        self.size += 1
        carried, full = leaf_hash(data), self.size
        while not full & 1:
            carried, full = node_hash(self.peaks.pop(), carried), full >> 1
        self.peaks.append(carried)

    def root(self):
        top = self.peaks[-1] if self.peaks else sha256(b"")
        for peak in reversed(self.peaks[:-1]):
            top = node_hash(peak, top)
        return top


# --- time-stamps (RFC 3161), as far as one comes without libraries -----------------------

TST_INFO = bytes.fromhex("2a864886f70d0109100104")  # id-ct-TSTInfo
SHA256_OID = bytes.fromhex("608648016503040201")


def read_der_element(data, tag):
    """Return the content of the DER element that data begins with, and what follows it."""
    if len(data) < 2 or data[0] != tag:
        raise ValueError("not a time-stamp: unexpected element")
    size, begins = data[1], 2
    # long form: the low bits are the number of bytes of the length that follow
    if size & 0x80:
        begins += size & 0x7F
        size = int.from_bytes(data[2:begins], "big")
    if begins > 6 or begins + size > len(data):
        raise ValueError("not a time-stamp: it is truncated")
    return data[begins : begins + size], data[begins + size :]


def parse_timestamp_token(token):
    """Return the digest that a token is of, and the text of its genTime (sections 2.4.1, 2.4.2)."""
    _, rest = read_der_element(read_der_element(token, 0x30)[0], 0x06)  # ContentInfo: id-signedData
    inner = read_der_element(read_der_element(rest, 0xA0)[0], 0x30)[0]  # SignedData
    _, inner = read_der_element(inner, 0x02)  # version
    _, inner = read_der_element(inner, 0x31)  # digestAlgorithms
    kind, content = read_der_element(read_der_element(inner, 0x30)[0], 0x06)  # encapContentInfo
    if kind != TST_INFO:
        raise ValueError("not a time-stamp: it signs something else")
    info = read_der_element(read_der_element(read_der_element(content, 0xA0)[0], 0x04)[0], 0x30)[
        0
    ]  # TSTInfo
    _, info = read_der_element(info, 0x02)  # version
    _, info = read_der_element(info, 0x06)  # policy
    imprint, info = read_der_element(info, 0x30)
    algorithm, hashed = read_der_element(imprint, 0x30)
    if read_der_element(algorithm, 0x06)[0] != SHA256_OID:
        raise ValueError("not a time-stamp with SHA-256")
    _, info = read_der_element(info, 0x02)  # serialNumber
    moment = read_der_element(info, 0x18)[0].decode("ascii")
    # raises ValueError for a text that is no time
    datetime.strptime(moment[:14], "%Y%m%d%H%M%S").replace(tzinfo=timezone.utc)  # noqa: UP017
    return read_der_element(hashed, 0x04)[0], moment


# --- events and records -----------------------------------------------------------------


def event_faults(event, root):
    """Yield what is wrong with one sealed event: its payload, its seal, its place in the tree."""
    where = "position %s" % event.get("position")
    if "payload" in event:
        content = sha256(("%s:%s" % (event["salt"], event["payload"])).encode()).hex()
        if content != event["content"]:
            yield where + ": the payload differs from the sealed one"
    link = {name: event[name] for name in ("position", "previous", "record", "content", "sealedAt")}
    if sha256(canonical(dict(link, ledger=root["ledger"]))).hex() != event["digest"]:
        yield where + ": the event differs from the sealed one"
    path = [bytes.fromhex(digest) for digest in event["path"]]
    leaf, index = leaf_hash(bytes.fromhex(event["digest"])), event["position"] - 1
    if not is_included(leaf, index, root["size"], path, bytes.fromhex(root["root"])):
        yield where + ": the seal is not in the signed tree"


def record_faults(line, root):
    """Yield what is wrong with one record of an export; see docs/travel-rule.md."""
    record, row, events = line["record"], line["evidence"]["row"], line["evidence"]["events"]
    for event in events:
        yield from event_faults(event, root)
    yield from _row_faults(record, row)
    sealed = [event["record"] for event in events]
    numbers = [event["number"] for event in sealed]
    if numbers != list(range(1, row["steps"] + 1 - line["evidence"]["waiting"])):
        yield "its events are incomplete or out of order"
    if len({event["record_id"] for event in sealed}) > 1:
        yield "its events are of several records"
    steps = [(step["status"], step["event"], step["rule"], step["at"]) for step in record["steps"]]
    expected = [
        (
            envelope["status"],
            envelope["event"],
            envelope["turn"],
            envelope["recorded_at"] // 10**6,  # steps have seconds, events microseconds
        )
        for envelope in sealed
    ]
    if steps[: len(expected)] != expected or len(steps) != row["steps"]:
        yield "its steps differ from its events"
    if events:
        yield from _sealed_faults(row, events, line["evidence"]["waiting"])
        yield from _message_faults(record, line["evidence"].get("salt"), events[0])


def is_unproved(line):
    """Tell whether no event proves the row of a record: its steps wait, or were purged."""
    row, events = line["evidence"]["row"], line["evidence"]["events"]
    if not events or "payload" not in events[-1]:
        return True
    stands = parse_strict_json(events[-1]["payload"])["stands"]
    return sha256(canonical(_as_of(row, events[-1]))).hex() != stands


def _as_of(row, event):
    """Return a row's state after an event: waiting steps change its status and their count."""
    return dict(row, status=event["record"]["status"], steps=event["record"]["number"])


def _said(value):
    """Return a value as it is exported: an empty text counts as absent."""
    return None if value == "" else value


def _row_faults(record, row):
    for name, column in SAME.items():
        if _said(record.get(name)) != _said(row.get(column)):
            yield "its %s differs from the sealed record" % name
    stated, amount_usd = record.get("amountUsd"), row["amount_usd"]
    # as numbers: rows and answers write different numbers of zeros
    if (stated is None) != (amount_usd is None) or Decimal(stated or 0) != Decimal(amount_usd or 0):
        yield "its amountUsd differs from the sealed record"
    for name, column in (("createdAt", "created_at"), ("retainUntil", "retain_until")):
        if record[name] != to_microseconds(row[column]) // 10**6:
            yield "its %s differs from the sealed record" % name


def _sealed_faults(row, events, waiting):
    """Compare the row with its last event; with waiting steps it is reported as not verified."""
    # the digest of the row's latest state is in the payload of an event that is not sealed yet
    last = events[-1]
    if not waiting and row["status"] != last["record"]["status"]:
        yield "its status differs from its last event"
    if waiting or "payload" not in last:
        return
    if sha256(canonical(row)).hex() != parse_strict_json(last["payload"])["stands"]:
        yield "the record was altered since its last event was sealed"


def _message_faults(record, salt, first):
    """Compare the message with the first event, the only one that has it."""
    message = record.get("ivms101")
    if "payload" not in first:
        if message is not None or "tmsReference" in record:
            yield "it has a message although its payload was purged"
        return
    sealed = parse_strict_json(first["payload"])
    if record.get("executedAt") != sealed.get("executedAt"):
        yield "its executedAt differs from the sealed record"
    if _reference_digest(record.get("tmsReference"), salt) != sealed.get("reference"):
        yield "its tmsReference differs from the sealed one"
    # a received body that was not a message is recorded as an empty one, and exported as none
    if sha256(str(salt).encode() + b":" + canonical(message or {})).hex() != sealed["digest"]:
        fault = "is missing" if message is None else "differs from the sealed one"
        yield "its message " + fault


def _reference_digest(reference, salt):
    """Return what the first event keeps of the reference of who instructed a payment."""
    if reference is None:
        return None
    return sha256(str(salt).encode() + b":" + canonical(reference)).hex()


def to_microseconds(text):
    """Return a moment in ISO 8601 as microseconds since 1970."""
    return (datetime.fromisoformat(text) - EPOCH) // timedelta(microseconds=1)


# --- whole exports ----------------------------------------------------------------------


class Verifier:
    """Read an export once, in order, and collect its faults.

    `seen` marks the positions of the ledger that occurred.
    """

    def __init__(self, keys, quiet=False):
        self.keys, self.quiet = keys, quiet
        self.faults, self.notes, self.seen, self.token = [], [], None, None
        self.ids = []
        self.records = self.withheld = self.events = self.waiting = self.purged = 0
        self.unproved = 0

    def fault(self, text):
        self.faults.append(text)

    def run(self, lines, manifest):
        """Verify the lines of records.ndjson against a manifest."""
        if not has_valid_statement(manifest, self.keys, EXPORT):
            self.fault("manifest: the signature is invalid under the given keys")
        root = manifest["root"] or {"size": 0, "root": sha256(b"").hex(), "ledger": ""}
        if manifest["root"]:
            self.root(root, manifest)
        else:
            self.notes.append("nothing was sealed yet, so there is no tree")
        if type(root["size"]) is not int or not 0 <= root["size"] < MOST_EVENTS:
            raise DamagedExport("the size of the tree is invalid")
        hashed, rows, size, self.seen = (
            hashlib.sha256(),
            IncrementalRoot(),
            0,
            bytearray(root["size"]),
        )
        last = None
        for number, raw in enumerate(lines, 1):
            hashed.update(raw)
            rows.add(raw.rstrip(b"\n"))
            size += len(raw)
            last = self.line(number, raw, root, manifest["filter"], last)
            if not self.quiet and number % 5000 == 0:
                print("  %d records read" % number, file=sys.stderr)
        stated = {file["file"]: file for file in manifest["files"]}[DATA]
        for name, value in (
            ("sha256", hashed.hexdigest()), ("bytes", size), ("rows", rows.size),
            ("rowsRoot", rows.root().hex()),
        ):  # fmt: skip
            if stated[name] != value:
                self.fault("%s: %s differs from the manifest" % (DATA, name))
        self.counted(manifest, root)

    def root(self, root, manifest):
        """Verify the signed root, and that its tree begins with that of the export before."""
        if not has_valid_statement(root, self.keys, ROOT_OF) or root["ledger"] != LEDGER:
            self.fault("root: the signature is invalid under the given keys")
        if manifest.get("stamp"):
            self.stamp(manifest["stamp"], root)
        before = manifest.get("consistency")
        if before:
            path = [bytes.fromhex(digest) for digest in before["path"]]
            ends = bytes.fromhex(before["root"]), bytes.fromhex(root["root"])
            if not is_consistent(before["since"], root["size"], path, *ends):
                self.fault("the ledger does not continue that of the earlier export")

    def stamp(self, stamp, root):
        """Verify a time-stamp as far as it is of a root of ours that this tree begins with.

        The signature of the authority is for openssl, by certificates that the examiner trusts.
        """
        stamped = stamp["root"]
        digest = sha256(canonical(stamped))
        try:
            token = base64.b64decode(stamp["token"], validate=True)
            imprint, moment = parse_timestamp_token(token)
        except ValueError as error:
            self.fault("time-stamp: it cannot be read: %s" % error)
            return
        if imprint != digest or stamp["imprint"] != digest.hex():
            self.fault("time-stamp: it covers a different root from the one given with it")
        if not has_valid_statement(stamped, self.keys, ROOT_OF):
            self.fault("time-stamp: the signature of its root is invalid under the given keys")
        path = [bytes.fromhex(step) for step in stamp["path"]]
        ends = bytes.fromhex(stamped["root"]), bytes.fromhex(root["root"])
        if not is_consistent(stamped["size"], root["size"], path, *ends):
            self.fault("time-stamp: the signed tree does not extend the time-stamped one")
        self.token = token
        self.notes.append(
            "time-stamp: the first %d events existed at %s, according to %s"
            % (stamped["size"], moment, stamp["authority"])
        )
        self.notes.append(
            "  its signer is not checked here: write it to a file with --token root.tst, then"
        )
        self.notes.append(
            "  openssl ts -verify -digest %s -in root.tst -token_in -CAfile AUTHORITY.pem"
            % digest.hex()
        )

    def line(self, number, raw, root, chosen, last):
        """Verify one line; return the place of its record in the order of the file."""
        try:
            line = parse_strict_json(raw.decode("utf-8"))
            if "withheld" in line:
                self.withheld += 1
                self.ids.append(line["withheld"]["id"])
                self.fault("record %(id)s was withheld: %(why)s" % line["withheld"])
                return last
            self.records += 1
            self.ids.append(line["record"]["id"])
            for fault in record_faults(line, root):
                self.fault("line %d, record %s: %s" % (number, line["record"].get("id"), fault))
            self.unproved += is_unproved(line)
            return self.placed(number, line, chosen, last)
        except (KeyError, TypeError, ValueError, LookupError, AttributeError) as error:
            self.fault("line %d cannot be read: %r" % (number, error))
        # hostile amounts, and deeply nested values: one line must not end the verification
        except (ArithmeticError, RecursionError) as error:
            self.fault("line %d has an invalid value: %r" % (number, type(error).__name__))
        return last

    def placed(self, number, line, chosen, last):
        """Compare a record with the order, the filter and the positions of other records."""
        row, events = line["evidence"]["row"], line["evidence"]["events"]
        if line["evidence"]["waiting"] < 0:
            raise ValueError("the number of waiting events is negative")
        self.waiting += line["evidence"]["waiting"]
        for event in events:
            self.events += 1
            self.purged += "payload" not in event
            index = event["position"] - 1
            if 0 <= index < len(self.seen):
                if self.seen[index]:
                    self.fault("line %d: position %d is repeated" % (number, index + 1))
                self.seen[index] = 1
        made = to_microseconds(row["created_at"])
        if not chosen["from"] <= made // 10**6 <= chosen["to"]:
            self.fault("line %d: the record is outside the filter's period" % number)
        if chosen.get("status") not in (None, row["status"]):
            self.fault("line %d: the record does not have the filter's status" % number)
        known = last or (made, 0)
        if not events:  # not sealed yet: its number is not known
            place, ordered = (
                (max(made, known[0]), known[1] if made <= known[0] else 0),
                made >= known[0],
            )
        else:
            place = (made, events[0]["record"]["record_id"])
            ordered = place > known
        if not ordered:
            self.fault("line %d: the records are out of order" % number)
        return place

    def counted(self, manifest, root):
        """Compare the counts with the manifest, and those of a whole ledger with its size."""
        for name in ("records", "withheld", "waiting"):
            if manifest[name] != getattr(self, name):
                self.fault(
                    "%s: %d, the manifest states %s" % (name, getattr(self, name), manifest[name])
                )
        covered, chosen = sum(self.seen), manifest["filter"]
        if chosen.get("ids") is not None:
            self.taken(chosen)
        whole = chosen["from"] == 0 and not chosen.get("status") and chosen["all"]
        if covered == root["size"]:
            self.notes.append("complete: all %d events of the ledger are included" % covered)
        elif whole:
            self.fault("%d events of the ledger are missing" % (root["size"] - covered))
        else:
            self.notes.append("filtered: %d of %d events of the ledger" % (covered, root["size"]))
        if self.waiting:
            self.notes.append("%d events were not sealed yet and are not verified" % self.waiting)
        if self.purged:
            self.notes.append(
                "%d events have had their payload purged: their seals are valid" % self.purged
            )
        if self.unproved:
            self.notes.append("of %d records only the sealed steps are verified" % self.unproved)

    def taken(self, chosen):
        """Compare the records with those that the manifest names, and a sample with its seed."""
        ids = chosen["ids"]
        if sorted(self.ids) != sorted(ids):
            self.fault("its records differ from those that the manifest names")
        sample = chosen.get("sample")
        if sample is None:
            self.notes.append("selected individually: %d records" % len(ids))
            return
        if sample["method"] != "sha256-1":
            self.notes.append("a sample by an unknown method: %s" % sample["method"])
            return
        places = [sha256(("%s:%s" % (sample["seed"], record_id)).encode()) for record_id in ids]
        if places != sorted(places):
            self.fault("the sample does not follow from its seed")
        self.notes.append(
            "sample %s: %d of %d records selected by %s, seed %s, up to record %s"
            % (
                sample["sample"], len(ids), sample["population"], sample["method"], sample["seed"],
                sample["bound"],
            )
        )  # fmt: skip

    def carried(self, raw, document, manifest, keys):
        """Verify that the manifest is in canonical form, and the keys are those that it names."""
        # the signature covers the content alone: spaces could be added
        if canonical(document) != raw:
            self.fault("manifest: its bytes were changed")
        if sha256(canonical(keys)).hex() != manifest["keys"]:
            self.fault("the enclosed keys differ from those of the manifest")

    def file(self, archive, manifest):
        """Compare the other files of an archive with the manifest."""
        for stated in manifest["files"]:
            if stated["file"] == DATA:
                continue
            hashed = hashlib.sha256()
            with archive.open(stated["file"]) as opened:
                for piece in iter(lambda: opened.read(1 << 20), b""):
                    hashed.update(piece)
            if hashed.hexdigest() != stated["sha256"]:
                self.fault("%s: sha256 differs from the manifest" % stated["file"])

    def proof(self, document):
        """Verify the proof of one record, as GET /travel-rule/:paymentId/proof answers it."""
        root = document.get("root")
        if not root:
            raise UnusableFile(
                "the record is not in a signed tree yet: request it again in a few minutes"
            )
        before = document.get("consistency")
        if before:
            self.notes.append("consistency: check it with --previous")
        self.root(root, {"stamp": document.get("stamp")})
        if not document["events"]:
            raise UnusableFile(
                "none of its events is in the signed tree yet: request it again in a few minutes"
            )
        # without the row the events could be those of any payment
        made = document.get("made")
        if not made:
            raise UnusableFile("it does not name the payment of these events, so it proves nothing")
        stands = parse_strict_json(document["events"][0]["payload"])["stands"]
        if sha256(canonical(made)).hex() != stands:
            self.fault("the record differs from the sealed one")
        if (made["record_id"], made["payment_id"]) != (document["id"], document["paymentId"]):
            self.fault("the proof is of another payment's record")
        sealed = [event["record"] for event in document["events"]]
        if [event["number"] for event in sealed] != list(range(1, len(sealed) + 1)):
            self.fault("its events are incomplete or out of order")
        if len({event["record_id"] for event in sealed}) > 1:
            self.fault("its events are of several records")
        for event in document["events"]:
            self.events += 1
            for fault in event_faults(event, root):
                self.fault(fault)

    def earlier(self, document, stated):
        """Verify that an export or proof continues an earlier one."""
        old = stated["root"]
        if not has_valid_statement(old, self.keys, ROOT_OF):
            self.fault("previous: the signature of its root is invalid under the given keys")
        proof, new = document.get("consistency") or {"since": None}, document["root"]
        if new is None or new["size"] < old["size"]:
            self.fault("the ledger is shorter than the previous one: its end was removed")
            return
        # the same tree needs no path, and its root must be the same
        if old["size"] == new["size"]:
            proof = {"since": old["size"], "path": []}
        if proof["since"] != old["size"]:
            raise UnusableFile(
                "it proves nothing about the previous one: request it with since=%d" % old["size"]
            )
        path = [bytes.fromhex(digest) for digest in proof["path"]]
        ends = bytes.fromhex(old["root"]), bytes.fromhex(new["root"])
        if not is_consistent(old["size"], new["size"], path, *ends):
            self.fault("the ledger does not continue the previous one")
        else:
            self.notes.append(
                "continues the previous one: %d events then, %d now" % (old["size"], new["size"])
            )


# --- the command ------------------------------------------------------------------------


def split_manifest_line(path):
    """Return where the last line of an NDJSON export begins, its bytes, and its document."""
    # from the end, in growing steps: the file may have gigabytes, and the manifest comes last
    with open(path, "rb") as opened:
        opened.seek(0, io.SEEK_END)
        end = opened.tell()
        step, tail = 1 << 15, b""
        place = end
        while place and b"\n" not in tail.rstrip(b"\n"):
            if end - place > MOST_LINE:
                raise DamagedExport("the last line is not a manifest: it is too long")
            step *= 2
            place = max(0, end - step)
            opened.seek(place)
            tail = opened.read(end - place)
        body = tail.rstrip(b"\n")
        begins = body.rfind(b"\n") + 1
    try:
        document = parse_strict_json(body[begins:].decode("utf-8"))
    except ValueError:
        raise DamagedExport(
            "the last line is not a manifest: the end was removed or altered"
        ) from None
    if not isinstance(document, dict) or "manifest" not in document or "keys" not in document:
        raise DamagedExport("the last line is not a manifest: the end was removed")
    return place + begins, body[begins:], document


def lines_until(path, end):
    with open(path, "rb") as opened:
        while opened.tell() < end:
            yield read_bounded_line(opened)


def read_bounded_line(opened):
    """Return the next line; DamagedExport for one longer than any of an export."""
    line = opened.readline(MOST_LINE)
    if len(line) == MOST_LINE:
        raise DamagedExport("a line is longer than any line of an export")
    return line


def read_archive_file(archive, name):
    """Return a small file of an archive; DamagedExport if it unpacks to more than MOST_LINE."""
    with archive.open(name) as opened:
        raw = opened.read(MOST_LINE)
    if len(raw) == MOST_LINE:
        raise DamagedExport("%s is larger than any file of an export" % name)
    return raw


def load_signed_part(path):
    """Return the signed part of an export, a manifest or a proof."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return parse_strict_json(read_archive_file(archive, MANIFEST).decode("utf-8"))
    if begins_with(path, b'{"evidence"', b'{"withheld"', b'{"keys"'):
        return split_manifest_line(path)[2]["manifest"]
    document = load_json_document(path)
    if document is None:
        raise UnusableFile("the previous file is not an export, manifest or proof")
    return document


def load_json_document(path):
    """Return a file that is one JSON document (a proof, a manifest), or None."""
    with open(path, "rb") as opened:
        raw = opened.read(1 << 26)
    try:
        document = parse_strict_json(raw.decode("utf-8"))
    except ValueError:
        return None
    return document if isinstance(document, dict) and "root" in document else None


def choose_keys(options, carried):
    """Return the keys to verify by, and whether they were given rather than carried along."""
    if options.keys:
        with open(options.keys, encoding="utf-8") as opened:
            return parse_jwks(parse_strict_json(opened.read())), True
    if options.fingerprint:
        wanted = {fingerprint.lower() for fingerprint in options.fingerprint}
        chosen = {name: key for name, key in carried.items() if sha256(key).hex() in wanted}
        return chosen, True
    return carried, False


def verify(options, path):
    """Verify one file; return the verifier, the keys and whether they were given."""
    document = None
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            if "xl/workbook.xml" in names and MANIFEST not in names:
                raise UnusableFile("this is a spreadsheet: " + TABLE)
            verified, document = verify_archive(options, archive)
    elif begins_with(path, b"PK"):
        raise DamagedExport("the archive is incomplete: its end was removed or altered")
    elif begins_with(path, b'{"evidence"', b'{"withheld"', b'{"keys"'):
        end, raw, last = split_manifest_line(path)
        document = last["manifest"]
        keys, trusted = choose_keys(options, parse_jwks(last["keys"]))
        verified = Verifier(keys, options.quiet), keys, trusted
        verified[0].run(lines_until(path, end), document)
        verified[0].carried(raw, last, document, last["keys"])
    else:
        document = load_json_document(path)
        if document is None or "events" not in document:
            raise UnusableFile(
                "this is neither an export with evidence nor a proof; of a table " + TABLE
            )
        keys, trusted = choose_keys(options, {})
        verified = Verifier(keys, options.quiet), keys, trusted
        verified[0].proof(document)
    if options.previous:
        verified[0].earlier(document, load_signed_part(options.previous))
    if options.token:
        if verified[0].token is None:
            raise UnusableFile("it has no time-stamp to write to a file")
        # "x": never over an existing file
        with open(options.token, "xb") as opened:
            opened.write(verified[0].token)
    return verified


def verify_archive(options, archive):
    try:
        raw, beside = (
            read_archive_file(archive, MANIFEST),
            parse_strict_json(read_archive_file(archive, KEYS).decode("utf-8")),
        )
        manifest = parse_strict_json(raw.decode("utf-8"))
        names = sorted(archive.namelist())
        if names != sorted([MANIFEST] + [file["file"] for file in manifest["files"]]):
            raise DamagedExport("the archive's files are not exactly those that its manifest names")
        require_seamless_archive(archive)
        broken = archive.testzip()
    except DamagedExport:
        raise
    # zipfile raises many kinds of errors for hostile archives
    except Exception as error:
        raise DamagedExport("the archive is damaged: %r" % error) from None
    if broken:
        raise DamagedExport("the archive is damaged: %s" % broken)
    keys, trusted = choose_keys(options, parse_jwks(beside))
    verifier = Verifier(keys, options.quiet)
    with archive.open(DATA) as data:
        verifier.run(iter(lambda: read_bounded_line(data), b""), manifest)
    verifier.file(archive, manifest)
    verifier.carried(raw, manifest, manifest, beside)
    return (verifier, keys, trusted), manifest


def require_seamless_archive(archive):
    """Refuse an archive with anything before, between or after its files."""
    # another program may unpack files that the directory at the end does not name
    place = 0
    for member in sorted(archive.infolist(), key=lambda member: member.header_offset):
        if member.header_offset != place:
            raise DamagedExport("the archive contains data outside its files")
        archive.fp.seek(place)
        header = archive.fp.read(30)
        if len(header) != 30 or header[:4] != b"PK\x03\x04":
            raise DamagedExport("the archive contains data outside its files")
        name, extra = (int.from_bytes(header[at : at + 2], "little") for at in (26, 28))
        place += 30 + name + extra + member.compress_size
        # bit 3: checksum and sizes follow the data, 32 or 64 bits wide, with or without a signature
        if member.flag_bits & 8:
            archive.fp.seek(place)
            mark = archive.fp.read(4) == b"PK\x07\x08"
            large = max(member.file_size, member.compress_size) >= 1 << 32
            wide = large or _has_zip64_sizes(archive, member)
            place += (4 if mark else 0) + (20 if wide else 12)
    if place != archive.start_dir or archive.comment:
        raise DamagedExport("the archive contains data outside its files")


def _has_zip64_sizes(archive, member):
    """Tell whether a file was written with 64 bits for its sizes (its header says so)."""
    archive.fp.seek(member.header_offset)
    header = archive.fp.read(30)
    name, extra = (int.from_bytes(header[at : at + 2], "little") for at in (26, 28))
    rest = archive.fp.read(name + extra)[name:]
    return rest[:2] == b"\x01\x00"  # the extra field of ZIP64 comes first


def begins_with(path, *marks):
    with open(path, "rb") as opened:
        return opened.read(16).startswith(marks)


def print_result(verifier, keys, trusted):
    """Print what was found; return the exit code."""
    for name, key in sorted(keys.items()):
        came = "" if trusted else " (enclosed)"
        print("key %s: %s%s" % (escape_unprintable(name), sha256(key).hex(), came))
    print("%d records, %d sealed events" % (verifier.records, verifier.events))
    for note in verifier.notes:
        print(escape_unprintable(note))
    for fault in verifier.faults[:MOST_SHOWN]:
        print("FAULT " + escape_unprintable(fault))
    if len(verifier.faults) > MOST_SHOWN:
        print("and %d more" % (len(verifier.faults) - MOST_SHOWN))
    if verifier.faults:
        print("NOT VERIFIED: %d faults" % len(verifier.faults))
        return BAD
    if not trusted:
        print("CONSISTENT, but only with the enclosed keys: give --keys or --fingerprint")
        return UNTRUSTED
    print("VERIFIED")
    return GOOD


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", help="an export (.zip, .ndjson) or a proof (.json)")
    parser.add_argument("--keys", help="the operator's public keys: a JSON Web Key Set")
    parser.add_argument("--fingerprint", action="append", help="SHA-256 of a raw public key, hex")
    parser.add_argument(
        "--previous", help="an earlier export or proof: checks that this one continues it"
    )
    parser.add_argument("--token", help="write the time-stamp token (DER) to this new file")
    parser.add_argument("--quiet", action="store_true", help="do not show progress")
    options = parser.parse_args(arguments)
    # names may be in any script, and a terminal in any encoding
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        return print_result(*verify(options, options.file))
    except DamagedExport as error:
        print("FAULT %s" % escape_unprintable(error))
        print("NOT VERIFIED: the file is damaged")
        return BAD
    except (UnusableFile, OSError, zipfile.BadZipFile) as error:
        print("CANNOT BE VERIFIED: %s" % escape_unprintable(error))
    except (KeyError, TypeError, ValueError, AttributeError, EOFError) as error:
        print(
            "CANNOT BE VERIFIED: it is incomplete or not an export: %s"
            % escape_unprintable(repr(error))
        )
    except (ArithmeticError, RuntimeError, MemoryError) as error:  # what is hostile, not broken
        print(
            "CANNOT BE VERIFIED: it is not an export: %s" % escape_unprintable(type(error).__name__)
        )
    return UNREADABLE


if __name__ == "__main__":
    sys.exit(main())
