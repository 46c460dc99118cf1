"""verify_export.py, as an examiner runs it: what holds, and everything that must not."""

import base64
import copy
import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from apps.payments.travelrule.api.viewsets import MESSAGE_EXAMPLE
from apps.payments.travelrule.export import verify_export as offline
from apps.payments.travelrule.models import TravelRecord
from apps.payments.travelrule.record_transition import record_transition
from apps.platform.crypto.canonical import canonical_json
from apps.platform.crypto.signatures import build_jwks, sign_statement
from tests.conftest import NOON
from tests.travelrule.examiner import BAD, GOOD, SCRIPT, UNREADABLE, UNTRUSTED, Desk
from tests.travelrule.test_receive import message, post, receive
from tests.travelrule.test_whole_export import whole

Edit = Callable[[list[bytes]], list[bytes]]


@pytest.fixture
def exported(three: Any, examiner: Any) -> bytes:
    """An export of three records, of which one has two events."""
    record = TravelRecord.objects.get(payment_id=three[1])
    record_transition(record, "SEND_LATER", now=NOON)
    return whole(examiner, "ndjson")


pytestmark = pytest.mark.django_db


def test_an_export_holds_and_is_complete(desk: Desk, exported: bytes) -> None:
    code, told = desk.verify(exported)
    assert code == GOOD, told
    assert "3 records, 4 sealed events" in told
    assert "complete: all 4 events of the ledger are included" in told
    assert told.endswith("VERIFIED\n")


@pytest.mark.parametrize(
    "body",
    [
        b"no JSON",
        b"[]",
        b'{"originator": {}}',
        json.dumps({k: v for k, v in MESSAGE_EXAMPLE.items() if k != "transferAmount"}).encode(),
        json.dumps(MESSAGE_EXAMPLE | {"transferAmount": {"transferAmount": ""}}).encode(),
    ],
    ids=["nothing to read", "another thing", "no parties", "no amount", "an empty amount"],
)
def test_a_message_that_says_little_verifies_like_any_other(
    desk: Desk, sample: Any, examiner: Any, body: bytes
) -> None:
    """IVMS 101 itself has no amount, and what is refused is kept as it came."""
    assert post(body).status_code in (201, 400)
    code, told = desk.verify(whole(examiner, "ndjson"))
    assert code == GOOD, told
    assert "1 records, 1 sealed events" in told


def test_keys_that_came_along_are_told_to_prove_nothing_of_the_sender(
    desk: Desk, exported: bytes
) -> None:
    code, told = desk.verify(exported, "--quiet")
    assert code == UNTRUSTED and "enclosed" in told
    key = base64.urlsafe_b64decode(build_jwks()["keys"][0]["x"] + "=")
    fingerprint = hashlib.sha256(key).hexdigest()
    assert fingerprint in told
    assert desk.verify(exported, "--fingerprint", fingerprint)[0] == GOOD
    assert desk.verify(exported, "--fingerprint", "0" * 64)[0] == BAD


def test_another_operators_keys_do_not_verify(desk: Desk, exported: bytes) -> None:
    raw = Ed25519PrivateKey.generate().public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    other = copy.deepcopy(build_jwks())
    other["keys"][0]["x"] = base64.urlsafe_b64encode(raw).decode().rstrip("=")
    desk.put("other.json", json.dumps(other).encode())
    code, told = desk.verify(exported, "--keys", "other.json")
    assert code == BAD and "the signature is invalid" in told


def test_every_flipped_byte_is_found(desk: Desk, exported: bytes) -> None:
    """In this process, as thousands of bytes are tried: every 97th of the file, and its end."""
    places = [*range(0, len(exported), 97), *range(len(exported) - 200, len(exported) - 1)]
    path = desk.put("flipped.ndjson", exported)
    given = [str(path), "--quiet", "--keys", str(desk.folder / "jwks.json")]
    assert offline.main(given) == GOOD
    for place in places:
        path.write_bytes(exported[:place] + bytes([exported[place] ^ 1]) + exported[place + 1 :])
        assert offline.main(given) != GOOD, f"byte {place}: {exported[place - 20 : place + 20]!r}"


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda rows: [rows[0], rows[2], rows[3]], "1 events of the ledger are missing"),
        (lambda rows: [rows[1], rows[0], *rows[2:]], "records are out of order"),
        (lambda rows: [rows[0], *rows], "position 1 is repeated"),
        (lambda rows: rows[:3], "the end was removed"),
        (lambda rows: rows[:1], "the end was removed"),
        (lambda rows: rows[3:], "4 events of the ledger are missing"),
    ],
    ids=["dropped", "reordered", "doubled", "no manifest", "one line", "manifest alone"],
)
def test_rows_that_are_not_as_they_were_exported_are_found(
    desk: Desk, exported: bytes, edit: Edit, told: str
) -> None:
    rows = edit(exported.splitlines(keepends=True))
    if told.startswith("1 events"):  # the record that is dropped has two
        told = "2 events of the ledger are missing"
    code, said = desk.verify(b"".join(rows))
    assert code == BAD and told in said, said


def test_a_tail_that_was_cut_in_the_midst_of_a_line_is_found(desk: Desk, exported: bytes) -> None:
    for cut in (1, 10, len(exported) // 2):
        if cut == 1:  # the end of the last line is no part of what is said
            assert desk.verify(exported[:-1])[0] == GOOD
        else:
            assert desk.verify(exported[:-cut])[0] == BAD


def resigned(raw: bytes, change: Callable[[list[dict[str, Any]]], None]) -> bytes:
    """Return an export whose lines were changed by who holds the signing key, and signed anew."""
    *rows, last = [json.loads(one) for one in raw.splitlines()]
    change(rows)
    tree, hashed, size = offline.IncrementalRoot(), hashlib.sha256(), 0
    lines = [canonical_json(row) for row in rows]
    for line in lines:
        tree.add(line)
        hashed.update(line + b"\n")
        size += len(line) + 1
    manifest = {name: one for name, one in last["manifest"].items() if name != "signature"}
    stated = {"bytes": size, "sha256": hashed.hexdigest(), "rows": len(rows)}
    manifest["files"][0] |= stated | {"rowsRoot": tree.root().hex()}
    manifest["records"] = len(rows)
    last = canonical_json({"keys": last["keys"], "manifest": sign_statement(manifest)})
    return b"\n".join([*lines, last]) + b"\n"


def _amount(rows: list[dict[str, Any]]) -> None:
    rows[1]["record"]["amountUsd"] = "4999"


def _amount_of_the_row_too(rows: list[dict[str, Any]]) -> None:
    rows[1]["record"]["amountUsd"] = rows[1]["evidence"]["row"]["amount_usd"] = "4999"


def _name(rows: list[dict[str, Any]]) -> None:
    text = json.dumps(rows[1]["record"]["ivms101"]).replace("Microsoft", "Macrosoft")
    assert "Macrosoft" in text
    rows[1]["record"]["ivms101"] = json.loads(text)


def _reference(rows: list[dict[str, Any]]) -> None:
    assert rows[1]["record"]["tmsReference"] == "INV-1"
    rows[1]["record"]["tmsReference"] = "INV-2"


def _no_reference(rows: list[dict[str, Any]]) -> None:
    del rows[1]["record"]["tmsReference"]


def _messages_swapped(rows: list[dict[str, Any]]) -> None:
    first, second = rows[0]["record"], rows[1]["record"]
    first["ivms101"], second["ivms101"] = second["ivms101"], first["ivms101"]


def _evidence_swapped(rows: list[dict[str, Any]]) -> None:
    rows[0]["evidence"], rows[2]["evidence"] = rows[2]["evidence"], rows[0]["evidence"]


def _payload(rows: list[dict[str, Any]]) -> None:
    event = rows[0]["evidence"]["events"][0]
    event["payload"] = event["payload"].replace('"rules":"', '"rules":"x')


def _payload_with_its_hash(rows: list[dict[str, Any]]) -> None:
    _payload(rows)
    event = rows[0]["evidence"]["events"][0]
    text = f"{event['salt']}:{event['payload']}"
    event["content"] = hashlib.sha256(text.encode()).hexdigest()


def _seal_anew(rows: list[dict[str, Any]]) -> None:
    _payload_with_its_hash(rows)
    event = rows[0]["evidence"]["events"][0]
    names = ("position", "previous", "record", "content", "sealedAt")
    link = {name: event[name] for name in names} | {"ledger": "travel_rule"}
    event["digest"] = hashlib.sha256(canonical_json(link)).hexdigest()


def _last_event(rows: list[dict[str, Any]]) -> None:
    del rows[1]["evidence"]["events"][1]


def _time(rows: list[dict[str, Any]]) -> None:
    rows[0]["record"]["createdAt"] += 1


def _message_gone(rows: list[dict[str, Any]]) -> None:
    del rows[0]["record"]["ivms101"]


def _step(rows: list[dict[str, Any]]) -> None:
    rows[0]["record"]["steps"][0]["status"] = "SENT"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_amount, "its amountUsd differs from the sealed record"),
        (_amount_of_the_row_too, "altered since its last event was sealed"),
        (_name, "its message differs from the sealed one"),
        (_reference, "its tmsReference differs from the sealed one"),
        (_no_reference, "its tmsReference differs from the sealed one"),
        (_messages_swapped, "its message differs from the sealed one"),
        (_evidence_swapped, "its id differs from the sealed record"),
        (_payload, "the payload differs from the sealed one"),
        (_payload_with_its_hash, "the event differs from the sealed one"),
        (_seal_anew, "the seal is not in the signed tree"),
        (_last_event, "its events are incomplete"),
        (_time, "its createdAt differs"),
        (_message_gone, "its message is missing"),
        (_step, "its steps differ from its events"),
        (lambda rows: rows.pop(1), "2 events of the ledger are missing"),
        (lambda rows: rows.reverse(), "records are out of order"),
    ],
)
def test_who_holds_the_signing_key_cannot_tell_otherwise_than_the_ledger(
    desk: Desk, exported: bytes, change: Any, told: str
) -> None:
    assert desk.verify(resigned(exported, lambda rows: None))[0] == GOOD
    code, said = desk.verify(resigned(exported, change))
    assert code == BAD and told in said, said


def test_a_record_of_another_filter_is_found(desk: Desk, three: Any, examiner: Any) -> None:
    everything = whole(examiner, "ndjson")
    stored = whole(examiner, "ndjson", status="STORED")
    assert desk.verify(stored)[0] == GOOD
    exempt = json.loads(everything.splitlines()[0])

    def swapped(rows: list[dict[str, Any]]) -> None:
        rows[0] = exempt

    code, told = desk.verify(resigned(stored, swapped))
    assert code == BAD and "does not have the filter's status" in told


def test_a_record_that_was_altered_in_the_database_is_named(
    desk: Desk,
    three: Any,
    examiner: Any,
) -> None:
    record = TravelRecord.objects.get(payment_id=three[1])
    TravelRecord.objects.filter(pk=record.pk).update(amount_usd=1)
    code, told = desk.verify(whole(examiner, "ndjson"))
    assert code == BAD and f"record {record.record_id} was withheld" in told


@pytest.mark.parametrize("form", ["ndjson", "zip"])
def test_an_export_holds_that_has_messages_which_were_none(
    desk: Desk, sample: Any, examiner: Any, form: str
) -> None:
    for raw in (b"no JSON", b'{"hello": "world"}', b"[]", b'{"transferAmount": {}}'):
        assert post(raw).status_code == 400
    money = {"transferAmount": "", "transferCurrency": ""}
    assert post(json.dumps(message(transferAmount=money)).encode()).status_code == 201
    code, told = desk.verify(whole(examiner, form), name=f"export.{form}")
    assert code == GOOD and "5 records" in told, told


def test_messages_without_an_amount_and_broken_ones_hold_as_any_other(
    desk: Desk, three: Any, examiner: Any
) -> None:
    receive({name: one for name, one in MESSAGE_EXAMPLE.items() if name != "transferAmount"})
    receive({"hello": "world"}, answers=400)
    receive({"originator": MESSAGE_EXAMPLE["originator"]}, answers=400)
    for format_ in ("ndjson", "zip"):
        code, told = desk.verify(whole(examiner, format_), name=f"export.{format_}")
        assert code == GOOD and "complete: all 6 events" in told, told


def test_an_amount_that_was_taken_out_is_found(desk: Desk, exported: bytes) -> None:
    lines = exported.splitlines(keepends=True)
    line = json.loads(lines[0])
    for said in ("", "1"):
        line["record"]["amount"] = said
        code, told = desk.verify(b"".join([canonical_json(line) + b"\n", *lines[1:]]))
        assert code == BAD and "its amount differs from the sealed record" in told


@pytest.mark.parametrize("format_", ["xlsx", "csv"])
def test_a_table_is_told_to_prove_nothing_and_not_to_be_damaged(
    desk: Desk, three: Any, examiner: Any, format_: str
) -> None:
    code, told = desk.verify(whole(examiner, format_), name=f"export.{format_}")
    assert code == UNREADABLE
    assert "request zip or ndjson" in told and "FAULT" not in told


def test_a_zip_holds_all_that_is_needed(desk: Desk, three: Any, examiner: Any) -> None:
    path = desk.put("export.zip", whole(examiner, "zip", preset="ffiec"))
    with zipfile.ZipFile(path) as archive:
        archive.extract("verify_export.py", desk.folder)
        assert b"Originator full name" in archive.read("records.csv")
    assert (desk.folder / "verify_export.py").read_bytes() == SCRIPT.read_bytes()
    code, told = desk.verify(path.read_bytes(), name="export.zip")
    assert code == GOOD and "complete: all 3 events" in told, told


def rezipped(path: Path, change: Callable[[str, bytes], bytes | None]) -> bytes:
    """Return an archive with other contents, whole as an archive."""
    other = path.with_name("other.zip")
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(other, "w") as made:
        for name in archive.namelist():
            if (raw := change(name, archive.read(name))) is not None:
                made.writestr(name, raw)
    return other.read_bytes()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("records.csv", "records.csv: sha256"),
        ("verify_export.py", "verify_export.py: sha256"),
        ("README.txt", "README.txt: sha256"),
        ("manifest.json", "its bytes were changed"),
        ("keys.json", "keys.json: sha256"),
        ("records.ndjson", "records.ndjson: sha256"),
    ],
)
def test_every_file_of_a_zip_is_held_against_the_manifest(
    desk: Desk,
    three: Any,
    examiner: Any,
    name: str,
    told: str,
) -> None:
    path = desk.put("export.zip", whole(examiner, "zip"))
    changed = rezipped(path, lambda one, raw: raw + b"\n" if one == name else raw)
    code, said = desk.verify(changed, name="export.zip")
    assert code == BAD and told in said, said
    gone = rezipped(path, lambda one, raw: None if one == name else raw)
    assert desk.verify(gone, name="export.zip")[0] == BAD


def test_a_damaged_or_cut_zip_is_found(desk: Desk, three: Any, examiner: Any) -> None:
    raw = whole(examiner, "zip")
    half = len(raw) // 4
    for changed in (raw[:-30], raw[:half], raw[:half] + bytes([raw[half] ^ 1]) + raw[half + 1 :]):
        assert desk.verify(changed, name="export.zip")[0] == BAD


def test_a_later_export_proves_that_it_only_appended(
    desk: Desk, recorded: Any, examiner: Any
) -> None:
    recorded(tmsReference="A-1")
    first = whole(examiner, "ndjson")
    recorded(tmsReference="A-2")
    recorded(tmsReference="A-3")
    second = whole(examiner, "ndjson")
    desk.put("first.ndjson", first)
    previous = ("--keys", "jwks.json", "--previous", "first.ndjson")
    code, told = desk.verify(second, *previous)
    assert code == GOOD and "continues the previous one: 1 events then, 3 now" in told, told
    recorded(tmsReference="A-4")
    third = whole(examiner, "ndjson")
    code, told = desk.verify(third, *previous)  # it proves the second: the first has to be asked
    assert code == UNREADABLE and "since=1" in told
    assert desk.verify(whole(examiner, "ndjson", since=1), *previous)[0] == GOOD


def test_an_export_of_another_ledger_does_not_continue_the_earlier(
    desk: Desk, recorded: Any, examiner: Any
) -> None:
    recorded(tmsReference="A-1")
    first = whole(examiner, "ndjson")
    recorded(tmsReference="A-2")
    second = whole(examiner, "ndjson")
    last = first.splitlines()[-1]
    document = json.loads(last)
    root = {n: v for n, v in document["manifest"]["root"].items() if n != "signature"}
    document["manifest"]["root"] = sign_statement(root | {"root": "0" * 64})
    desk.put("first.json", canonical_json(document["manifest"]))
    code, told = desk.verify(second, "--keys", "jwks.json", "--previous", "first.json")
    assert code == BAD and "does not continue the previous one" in told


@pytest.mark.parametrize("raw", [b"", b"hello", b"{}", b"[]", b"\x00" * 100, b'{"root": 1}'])
def test_what_is_no_export_is_told_so(desk: Desk, raw: bytes) -> None:
    code, told = desk.verify(raw)
    assert code == UNREADABLE and "CANNOT BE VERIFIED" in told


def test_an_empty_ledger_is_an_export_that_holds(desk: Desk, db: None, examiner: Any) -> None:
    code, told = desk.verify(whole(examiner, "ndjson"))
    assert code == GOOD and "there is no tree" in told


def test_signatures_are_judged_as_the_library_judges_them() -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    for text in (b"", b"x", b"y" * 1000):
        signature = key.sign(text)
        assert offline.is_valid_signature(public, text, signature)
        assert not offline.is_valid_signature(public, text + b".", signature)
        for place in (0, 31, 32, 63):
            other = bytearray(signature)
            other[place] ^= 1
            assert not offline.is_valid_signature(public, text, bytes(other))
        # the same signature with S + L is another text for the same: RFC 8032 refuses it
        s = int.from_bytes(signature[32:], "little") + offline.ORDER
        twin = signature[:32] + s.to_bytes(32, "little")
        assert not offline.is_valid_signature(public, text, twin)
    assert not offline.is_valid_signature(b"\xff" * 32, b"x", key.sign(b"x"))
    assert not offline.is_valid_signature(public, b"x", b"short")
