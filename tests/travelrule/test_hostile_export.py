"""verify_export.py against who means it ill: forged evidence, hostile archives, texts that deceive.

Whoever made these holds the signing key, or gives keys along that nobody vouches for.
"""

import copy
import io
import json
import struct
import time
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from apps.payments.travelrule.export import verify_export as offline
from apps.payments.travelrule.models import TravelRecord
from apps.payments.travelrule.proofs import roots
from apps.payments.travelrule.record_transition import record_transition
from apps.platform.crypto.canonical import canonical_json
from apps.platform.crypto.signatures import sign_statement
from apps.platform.ledger.sealer import seal_ledger
from tests.conftest import NOON
from tests.travelrule.examiner import BAD, GOOD, UNREADABLE, Desk
from tests.travelrule.test_verify_export import resigned
from tests.travelrule.test_whole_export import whole

pytestmark = pytest.mark.django_db
Rows = list[dict[str, Any]]


@pytest.fixture
def exported(three: Any, examiner: Any) -> bytes:
    """An export of three records, of which one has two events."""
    record_transition(TravelRecord.objects.get(payment_id=three[1]), "SEND_LATER", now=NOON)
    return whole(examiner, "ndjson")


@pytest.fixture
def archive(three: Any, examiner: Any) -> bytes:
    return whole(examiner, "zip")


def _renamed(row: dict[str, Any]) -> None:
    text = json.dumps(row["record"]["ivms101"]).replace("Microsoft", "Macrosoft")
    row["record"]["ivms101"] = json.loads(text)


def waits(rows: Rows, change: Callable[[dict[str, Any]], None]) -> None:
    """Say that a further step of a record waits, as an excuse for what was changed."""
    row = rows[0]
    change(row)
    row["evidence"]["waiting"] = 1
    row["evidence"]["row"]["steps"] += 1
    row["record"]["steps"].append(copy.deepcopy(row["record"]["steps"][-1]))


def waiting_too(raw: bytes, change: Callable[[Rows], None]) -> bytes:
    """Return `resigned`, with the number of steps that wait as the lines have it."""
    *lines, last = resigned(raw, change).splitlines()
    document = json.loads(last)
    held = {n: one for n, one in document["manifest"].items() if n != "signature"}
    held["waiting"] = sum(json.loads(line)["evidence"]["waiting"] for line in lines)
    document["manifest"] = sign_statement(held)
    return b"\n".join([*lines, canonical_json(document)]) + b"\n"


def test_a_message_is_held_against_its_seal_though_a_later_step_waits(
    desk: Desk, exported: bytes
) -> None:
    forged = waiting_too(exported, lambda rows: waits(rows, _renamed))
    code, told = desk.verify(forged)
    assert code == BAD and "its message differs from the sealed one" in told, told


def test_a_record_that_a_waiting_step_changed_is_told_as_not_proved(
    desk: Desk, exported: bytes
) -> None:
    def dearer(row: dict[str, Any]) -> None:
        row["record"]["amountUsd"] = row["evidence"]["row"]["amount_usd"] = "1"

    code, told = desk.verify(waiting_too(exported, lambda rows: waits(rows, lambda row: None)))
    assert code == GOOD and "only the sealed steps" not in told, told
    code, told = desk.verify(waiting_too(exported, lambda rows: waits(rows, dearer)))
    assert "of 1 records only the sealed steps are verified" in told, told


def test_statements_of_another_kind_prove_no_export(desk: Desk, exported: bytes) -> None:
    *lines, last = exported.splitlines()
    document = json.loads(last)
    for part, told in (("manifest", "manifest: the signature"), ("root", "root: the signature")):
        other = copy.deepcopy(document)
        manifest = other["manifest"] if part == "manifest" else other["manifest"]["root"]
        del manifest["signature"]
        manifest |= sign_statement(manifest | {"kind": "screening attestation"})
        if part == "root":
            del other["manifest"]["signature"]
            other["manifest"] = sign_statement(other["manifest"])
        code, said = desk.verify(b"\n".join([*lines, canonical_json(other)]) + b"\n")
        assert code == BAD and told in said, said


def test_a_ledger_that_became_smaller_does_not_continue(
    desk: Desk, recorded: Any, examiner: Any
) -> None:
    recorded(tmsReference="A-1")
    small = whole(examiner, "ndjson")
    recorded(tmsReference="A-2")
    desk.put("first.ndjson", whole(examiner, "ndjson"))
    code, told = desk.verify(small, "--keys", "jwks.json", "--previous", "first.ndjson")
    assert code == BAD and "its end was removed" in told, told


def test_a_ledger_without_a_tree_does_not_continue_one(
    desk: Desk, exported: bytes, examiner: Any
) -> None:
    desk.put("first.ndjson", exported)
    *_, last = exported.splitlines()
    document = json.loads(last)
    held = {n: one for n, one in document["manifest"].items() if n != "signature"}
    document["manifest"] = sign_statement(held | {"root": None})
    empty = canonical_json(document) + b"\n"
    code, told = desk.verify(empty, "--keys", "jwks.json", "--previous", "first.ndjson")
    assert code == BAD and "its end was removed" in told, told


# --- proofs of one record -----------------------------------------------------------------


@pytest.fixture
def proof(three: Any, bank: Any) -> dict[str, Any]:
    record_transition(TravelRecord.objects.get(payment_id=three[1]), "SEND_LATER", now=NOON)
    seal_ledger(ledger="travel_rule", now=NOON)
    roots.ensure_signed_root(now=NOON)
    return dict(bank.get(f"/integration/travel-rule/{three[1]}/proof").json())


def test_events_that_are_tied_to_no_payment_prove_none(desk: Desk, proof: Any) -> None:
    assert desk.verify(canonical_json(proof), name="proof.json")[0] == GOOD
    loose = {name: one for name, one in proof.items() if name != "made"}
    loose |= {"id": "another", "paymentId": "another"}
    code, told = desk.verify(canonical_json(loose), name="proof.json")
    assert code == UNREADABLE and "so it proves nothing" in told, told
    code, told = desk.verify(canonical_json(proof | {"events": []}), name="proof.json")
    assert code == UNREADABLE and "none of its events" in told, told


def test_a_record_whose_counterparty_became_known_is_still_tied_to_its_payment(
    desk: Desk, three: Any, bank: Any
) -> None:
    record = TravelRecord.objects.get(payment_id=three[1])
    named = {"counterparty": "Blue Heron Bank", "counterparty_lei": "5493001KJTIIGC8Y1R12"}
    record_transition(record, "SEND_LATER", now=NOON, columns=named)
    seal_ledger(ledger="travel_rule", now=NOON)
    roots.ensure_signed_root(now=NOON)
    answer = bank.get(f"/integration/travel-rule/{three[1]}/proof")
    assert desk.verify(answer.content, name="proof.json")[0] == GOOD


# --- what is printed ----------------------------------------------------------------------


def test_nothing_that_is_printed_moves_the_cursor(desk: Desk, exported: bytes) -> None:
    escape = "\x1b[2J\x1b[1;1HVERIFIED\r\n\u202e"

    def hostile(rows: Rows) -> None:
        rows[0]["record"]["id"] = escape
        rows[1] = {"withheld": {"id": escape, "why": escape}}
        rows[2]["evidence"]["events"][0]["position"] = escape

    raw = resigned(exported, hostile)
    *lines, last = raw.splitlines()
    document = json.loads(last)
    document["keys"]["keys"].append(document["keys"]["keys"][0] | {"kid": escape})
    code, told = desk.verify(b"\n".join([*lines, canonical_json(document)]) + b"\n", "--quiet")
    assert code == BAD
    assert not [one for one in told if not one.isprintable() and one != "\n"], told
    assert not [line for line in told.splitlines() if line.startswith("VERIFIED")]


# --- what is too large, too deep, or packed otherwise ----------------------------------------


@pytest.mark.parametrize("size", [1 << 62, -1, True, 1.5, "1", 10**30])
def test_a_tree_of_no_size_costs_no_memory(desk: Desk, exported: bytes, size: Any) -> None:
    *lines, last = exported.splitlines()
    document = json.loads(last)
    document["manifest"]["root"]["size"] = size
    raw = b"\n".join([*lines, json.dumps(document).encode()]) + b"\n"
    assert desk.verify(raw)[0] == BAD


def test_what_is_nested_deeply_or_no_number_is_no_export(desk: Desk, exported: bytes) -> None:
    deep = b'{"evidence":' + b"[" * 200_000 + b"\n"
    assert desk.verify(deep + exported)[0] == BAD
    assert desk.verify(exported + b'{"keys":' + b"[" * 200_000 + b"\n")[0] == BAD
    assert desk.verify(b'{"root":' + b"[" * 200_000)[0] == UNREADABLE
    for text in (b"NaN", b"-Infinity", b"1e999", b"9" * 5000):
        line = b'{"evidence":{"waiting":' + text + b"}}\n"
        assert desk.verify(line + exported)[0] == BAD, text


@pytest.mark.parametrize(
    "raw", [b"\xff\xfe", b"\xed\xa0\x80", b'{"evidence":"\\ud800"}', b"\x00" * 50, b"\r"]
)
def test_a_line_that_is_no_text_is_a_fault(desk: Desk, exported: bytes, raw: bytes) -> None:
    lines = exported.splitlines()
    assert desk.verify(b"\n".join([lines[0], raw, *lines[1:]]) + b"\n")[0] == BAD
    assert desk.verify(exported.replace(b"\n", b"\r\n"))[0] == BAD


def test_a_last_line_without_an_end_is_given_up(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(offline, "MOST_LINE", 1 << 20)
    path = desk.put("long.ndjson", b'{"keys"' + b" " * (1 << 22))
    began = time.process_time()
    assert offline.main([str(path), "--quiet"]) == BAD
    assert "too long" in capsys.readouterr().out
    assert time.process_time() - began < 60  # it was quadratic: hours for a gigabyte


@pytest.mark.parametrize("name", ["manifest.json", "keys.json", "records.ndjson"])
def test_a_file_that_unpacks_to_more_than_an_export_has_is_refused(
    desk: Desk, archive: bytes, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(offline, "MOST_LINE", 1 << 20)
    bomb = repacked(archive, lambda one, raw: b" " * (1 << 21) if one == name else raw)
    path = desk.put("bomb.zip", bomb)
    assert offline.main([str(path), "--quiet"]) == BAD


def repacked(raw: bytes, change: Callable[[str, bytes], bytes], **options: Any) -> bytes:
    """Return an archive made anew."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as held, zipfile.ZipFile(out, "w", **options) as made:
        for name in held.namelist():
            made.writestr(name, change(name, held.read(name)))
    return out.getvalue()


def _added(raw: bytes) -> bytes:
    out = io.BytesIO(raw)
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("../../etc/passwd", b"x")
    return out.getvalue()


def _doubled(raw: bytes) -> bytes:
    out = io.BytesIO(raw)
    with zipfile.ZipFile(out, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("records.csv", b"another table")
    return out.getvalue()


def _before(raw: bytes) -> bytes:
    return b"another archive, which others read" + raw


def _hidden(raw: bytes) -> bytes:
    """Put a file between the others that the directory does not name."""
    stream = io.BytesIO(_added(raw))
    with zipfile.ZipFile(stream) as archive:
        start, ours = archive.start_dir, archive.getinfo("../../etc/passwd").header_offset
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        directory = raw[archive.start_dir :]
    moved = bytearray(directory)
    struct.pack_into("<I", moved, len(moved) - 6, start)
    assert stream.getvalue()[ours : ours + 4] == b"PK\x03\x04"
    return stream.getvalue()[:start] + bytes(moved)


def _commented(raw: bytes) -> bytes:
    out = io.BytesIO(raw)
    with zipfile.ZipFile(out, "a") as archive:
        archive.comment = b"verified by somebody"
    return out.getvalue()


def _encrypted(raw: bytes) -> bytes:
    changed = bytearray(raw)
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        place = archive.start_dir
    changed[place + 8] |= 1
    changed[6] |= 1
    return bytes(changed)


@pytest.mark.parametrize("change", [_added, _doubled, _before, _hidden, _commented, _encrypted])
def test_an_archive_with_more_or_other_than_its_files_is_refused(
    desk: Desk, archive: bytes, change: Callable[[bytes], bytes]
) -> None:
    assert desk.verify(archive, name="export.zip")[0] == GOOD
    code, told = desk.verify(change(archive), name="export.zip")
    assert code == BAD, told


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_that_was_packed_anew_is_judged_by_its_files(
    desk: Desk, archive: bytes, method: int
) -> None:
    again = repacked(archive, lambda name, raw: raw, compression=method)
    assert desk.verify(again, name="export.zip")[0] == GOOD
    half = len(again) // 2
    broken = again[:half] + bytes(20) + again[half + 20 :]
    assert desk.verify(broken, name="export.zip")[0] == BAD
