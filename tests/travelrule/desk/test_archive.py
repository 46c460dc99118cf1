"""What is taken away of a record or a sample proves itself offline, and any change to it shows."""

import ast
import hashlib
import io
import json
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from apps.backoffice.oversight.models import ExportEvent, Phase
from apps.payments.travelrule.models import DrawnSample, TravelRecord
from apps.payments.travelrule.proofs.merkle_tiles import TreeBroken
from apps.platform.crypto.canonical import canonical_json
from apps.platform.crypto.signatures import sign_statement
from apps.platform.ledger import sealer
from tests.review.people import at_desk, check_page, person
from tests.travelrule.desk.conftest import DAY, recorded
from tests.travelrule.desk.test_records import LIST, unpacked
from tests.travelrule.examiner import BAD, GOOD, SCRIPT, UNTRUSTED, Desk
from tests.travelrule.test_whole_export import whole

pytestmark = pytest.mark.django_db
SAMPLES = "/admin/travelrule/drawnsample/"
Members = list[tuple[str, bytes]]


@pytest.fixture
def edgar(db: None) -> Any:
    return at_desk(person("edgar", "Examiner"))


@pytest.fixture
def ledger(db: None) -> list[TravelRecord]:
    """Five records, sealed."""
    rows = [recorded(amount=f"{4000 + n}.00", account=f"A{n}") for n in range(5)]
    sealer.seal_all_ledgers(now=DAY)
    return rows


def of_record(desk: Any, record: TravelRecord) -> bytes:
    return unpacked(desk.post(f"{LIST}{record.pk}/zip/")).getvalue()


def of_sample(desk: Any, wanted: int = 3) -> bytes:
    desk.post(f"{SAMPLES}draw/", {"asked": "", "wanted": wanted, "seed": "first-look"})
    drawn_sample = DrawnSample.objects.latest("pk")
    return unpacked(desk.post(f"{SAMPLES}{drawn_sample.pk}/zip/")).getvalue()


def members(raw: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return [(one, archive.read(one)) for one in archive.namelist()]


def packed(held: Members) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, body in held:
            archive.writestr(name, body)
    return out.getvalue()


def member(raw: bytes, name: str) -> Any:
    return json.loads(dict(members(raw))[name])


def test_the_archive_of_a_record_verifies_offline(
    ledger: list[TravelRecord], edgar: Any, desk: Desk
) -> None:
    raw = of_record(edgar, ledger[2])
    code, told = desk.verify(raw, name="record.zip")
    assert code == GOOD, told
    assert "1 records, 1 sealed events" in told and "filtered: 1 of 5 events" in told
    assert desk.verify(raw, "--quiet", name="record.zip")[0] == UNTRUSTED
    shipped = dict(members(raw))["verify_export.py"]
    assert shipped == SCRIPT.read_bytes()


def test_the_archive_of_a_sample_says_how_it_was_drawn_and_verifies_offline(
    ledger: list[TravelRecord], edgar: Any, desk: Desk
) -> None:
    raw = of_sample(edgar)
    code, told = desk.verify(raw, name="sample.zip")
    assert code == GOOD, told
    assert "3 of 5 records selected by sha256-1, seed first-look" in told
    stated = member(raw, "manifest.json")["filter"]
    ids = sorted(
        (str(one.record_id) for one in ledger),
        key=lambda one: hashlib.sha256(f"first-look:{one}".encode()).hexdigest(),
    )
    assert stated["ids"] == ids[:3]
    assert (stated["sample"]["seed"], stated["sample"]["bound"]) == ("first-look", ledger[-1].pk)


def test_what_left_stands_in_the_log_of_exports_with_its_hash_and_its_tree(
    ledger: list[TravelRecord], edgar: Any
) -> None:
    raw = of_record(edgar, ledger[0])
    data = ExportEvent.objects.get(phase=Phase.FINISHED).data
    assert data["sha256"] == hashlib.sha256(raw).hexdigest()
    assert (data["rows"], data["records"], data["tree"]["size"]) == (1, 1, 5)


def test_an_archive_continues_an_earlier_one(
    ledger: list[TravelRecord], edgar: Any, desk: Desk, recorded: Any, examiner: Any
) -> None:
    before = desk.put("before.zip", whole(examiner, "zip"))
    recorded(tmsReference="A-1")
    code, told = desk.verify(
        of_record(edgar, ledger[0]), "--keys", "jwks.json", "--previous", str(before), name="x.zip"
    )
    assert code == GOOD and "continues the previous one" in told, told


@pytest.mark.parametrize("name", ["records.ndjson", "summary.json", "README.txt", "SHA256SUMS"])
def test_a_byte_that_was_changed_in_a_file_is_found(
    ledger: list[TravelRecord], edgar: Any, desk: Desk, name: str
) -> None:
    held = dict(members(of_sample(edgar)))
    body = bytearray(held[name])
    body[len(body) // 2] ^= 1
    code, told = desk.verify(packed(list((held | {name: bytes(body)}).items())), name="x.zip")
    assert code == BAD and name in told, told


def test_a_byte_that_was_changed_in_any_file_of_a_record_is_found(
    ledger: list[TravelRecord], edgar: Any, desk: Desk
) -> None:
    held = dict(members(of_record(edgar, ledger[0])))
    folder = [name for name in held if name.startswith("records/")]
    assert {one.rpartition("/")[2] for one in folder} >= {"record.json", "message.json"}
    for name in [*folder, "keys.json", "manifest.json", "verify_export.py"]:
        changed = held | {name: held[name].replace(b"e", b"E", 1)}
        assert desk.verify(packed(list(changed.items())), name="x.zip")[0] != GOOD, name


def _dropped(held: Members, other: Members) -> Members:
    return [one for one in held if not one[0].endswith("/history.json")]


def _added(held: Members, other: Members) -> Members:
    return [*held, ("records/note.txt", b"It was all in order.")]


def _twice(held: Members, other: Members) -> Members:
    return [*held, held[0]]


def _swapped(held: Members, other: Members) -> Members:
    theirs = dict(other)
    return [(name, theirs.get(name, body) if name != "manifest.json" else body)
            for name, body in held]  # fmt: skip


def _resigned(held: Members, other: Members) -> Members:
    """Put another record in, and sign the manifest anew, as who holds our key could."""
    found = dict(held) | {"records.ndjson": dict(other)["records.ndjson"]}
    stated = json.loads(found["manifest.json"])
    theirs = {file["file"]: file for file in json.loads(dict(other)["manifest.json"])["files"]}
    stated["files"] = [
        theirs[file["file"]] if file["file"] == "records.ndjson" else file
        for file in stated["files"]
    ]
    stated.pop("signature")
    return list((found | {"manifest.json": canonical_json(sign_statement(stated))}).items())


CHANGES: dict[str, tuple[Callable[[Members, Members], Members], str]] = {
    "a file dropped": (_dropped, "are not exactly those"),
    "a file added": (_added, "are not exactly those"),
    "a file twice": (_twice, "are not exactly those"),
    "a record swapped": (_swapped, "records.ndjson: sha256"),
    "a record swapped and signed": (_resigned, "differ from those that the manifest names"),
}


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("what", CHANGES)
def test_what_was_left_out_added_or_swapped_is_found(
    ledger: list[TravelRecord], edgar: Any, desk: Desk, what: str
) -> None:
    change, told_as = CHANGES[what]
    ours, other = (members(of_record(edgar, ledger[n])) for n in (0, 1))
    code, told = desk.verify(packed(change(ours, other)), name="x.zip")
    assert code == BAD and told_as in told, told


def test_a_sample_that_is_not_in_the_order_of_its_seed_is_found(
    ledger: list[TravelRecord], edgar: Any, desk: Desk
) -> None:
    held = dict(members(of_sample(edgar)))
    stated = json.loads(held["manifest.json"])
    stated.pop("signature")
    stated["filter"]["ids"].reverse()
    held["manifest.json"] = canonical_json(sign_statement(stated))
    code, told = desk.verify(packed(list(held.items())), name="x.zip")
    assert code == BAD and "does not follow from its seed" in told, told


def test_a_record_that_was_altered_is_withheld_and_the_archive_does_not_verify(
    ledger: list[TravelRecord], edgar: Any, desk: Desk
) -> None:
    TravelRecord.objects.filter(pk=ledger[0].pk).update(amount="1.00")
    code, told = desk.verify(of_record(edgar, ledger[0]), name="x.zip")
    assert code == BAD and "its integrity check failed" in told, told


def test_what_cannot_be_proved_is_not_taken_away_and_the_page_says_why(
    ledger: list[TravelRecord], edgar: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_: Any) -> None:
        raise TreeBroken("node 0/1 is not there")

    monkeypatch.setattr("apps.payments.travelrule.views.archive.anchor_export", broken)
    answer = edgar.post(f"{LIST}{ledger[0].pk}/zip/")
    assert (answer.status_code, answer["Location"]) == (302, "../")
    assert "ledger seals are missing" in check_page(edgar.get(f"{LIST}{ledger[0].pk}/"))


def test_the_verifier_can_be_had_and_its_hash_stands_on_the_first_page(edgar: Any) -> None:
    raw = SCRIPT.read_bytes()
    page = check_page(edgar.get(f"{LIST}overview/"))
    assert hashlib.sha256(raw).hexdigest() in page
    assert "python3 verify_export.py" in page and f"{LIST}verifier/" in page
    answer = edgar.get(f"{LIST}verifier/")
    assert answer.content == raw
    assert answer["Content-Disposition"] == 'attachment; filename="verify_export.py"'


# what of the standard library and of built-in types came after Python 3.9
LATER = {
    "tomllib", "file_digest", "bit_count", "StrEnum", "UTC",
    "pairwise", "batched", "ExceptionGroup", "aiter", "anext",
}  # fmt: skip


def test_the_verifier_is_written_for_python_3_9() -> None:
    tree = ast.parse(SCRIPT.read_text(), feature_version=(3, 9))
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    used |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not used & LATER
    modules = {
        name.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert modules <= {
        "__future__", "argparse", "base64", "datetime", "decimal", "hashlib", "io", "json", "sys",
        "zipfile", "zlib",
    }  # fmt: skip
    assert not any(isinstance(node, ast.Match) for node in ast.walk(tree))


def _has_python_3_9() -> bool:
    """Tell whether it runs: what bears the name may be a signpost to one that is not chosen."""
    if shutil.which("python3.9") is None:
        return False
    command = ["python3.9", "--version"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not _has_python_3_9(), reason="no Python 3.9 is here")
def test_python_3_9_verifies_what_is_taken_away(
    ledger: list[TravelRecord], edgar: Any, desk: Desk
) -> None:
    path = desk.put("x.zip", of_sample(edgar))
    command = ["python3.9", "-I", str(SCRIPT), str(path), "--keys", "jwks.json"]
    process = subprocess.run(command, cwd=desk.folder, capture_output=True, text=True, check=False)
    assert process.returncode == GOOD, process.stdout + process.stderr
