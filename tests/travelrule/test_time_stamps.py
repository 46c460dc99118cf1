"""Time-stamps of signed roots: what is asked, what is kept, what is refused, what is told."""

import base64
import hashlib
import json
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from rfc3161_client import HashAlgorithm, TimestampRequestBuilder

from apps.payments.travelrule.models import TravelRecord, TreeRoot, TreeStamp
from apps.payments.travelrule.proofs import roots
from apps.payments.travelrule.proofs.stamping import authority as client
from apps.payments.travelrule.proofs.stamping.authority import check_timestamp_settings
from apps.payments.travelrule.proofs.stamping.integrity import verify_stamps
from apps.payments.travelrule.proofs.stamping.stamps import describe_latest_stamp, stamp_last_root
from apps.payments.travelrule.proofs.stamping.timestamp_tokens import TokenRefused, parse_token
from apps.platform.common.clock import now
from apps.platform.crypto.canonical import canonical_json
from apps.platform.crypto.signatures import is_signed_by_us, sign_statement
from apps.platform.db.append_only import trigger_names
from apps.platform.jobs.models import Job, JobState
from apps.platform.ledger import sealer
from apps.platform.upstreams.http import NotCalled, UpstreamError
from tests.travelrule.authority import OPENSSL, OTHER_POLICY, POLICY, Authority, founded, serving
from tests.travelrule.examiner import BAD, GOOD, UNREADABLE, Desk
from tests.travelrule.test_record_proof import sealed
from tests.travelrule.test_whole_export import lines, whole

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(OPENSSL is None, reason="the authority signs by openssl"),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: Any) -> Authority:
    """An authority with certificates of its own, made once."""
    return founded(tmp_path_factory.mktemp("authority") / "own")


@pytest.fixture
def authority(found: Authority, settings: Any) -> Iterator[Authority]:
    """The authority at work, and named in the settings."""
    with serving(Authority(found.folder)) as made:
        settings.TSA_URL, settings.TSA_CERTIFICATES = made.url, made.certificates
        yield made


@pytest.fixture
def grown(recorded: Any) -> TreeRoot:
    """A ledger of two steps, and its signed root."""
    recorded(tmsReference="T-1"), recorded(tmsReference="T-2")
    sealed()
    root = roots.load_last_root()
    assert root is not None
    return root


def planned() -> list[Job]:
    return list(Job.objects.filter(name="travelrule.stamp", state=JobState.PENDING))


def test_without_an_authority_nothing_is_planned_asked_or_told(grown: Any, proof: Any) -> None:
    stamp_last_root("", now())
    assert (planned(), TreeStamp.objects.count(), describe_latest_stamp()) == ([], 0, "")
    record = TravelRecord.objects.first()
    assert record is not None and "stamp" not in proof(record.payment_id)


def test_each_root_that_grew_is_stamped_by_a_job_of_its_own(
    authority: Authority, grown: TreeRoot
) -> None:
    assert len(planned()) == 1
    stamp_last_root("", now())
    [made] = TreeStamp.objects.all()
    [(query, headers)] = authority.asked
    assert headers["content-type"] == "application/timestamp-query"
    token = parse_token(base64.b64decode(made.data["token"]))
    digest = hashlib.sha256(canonical_json(grown.data)).digest()
    assert token.message_imprint.message == digest and digest in query
    assert (made.size, made.stamped_at) == (grown.size, token.gen_time)
    assert (made.data["chain"], made.data["policy"]) == ("VERIFIED", POLICY)
    assert made.data["imprint"] == digest.hex()


def test_a_root_is_stamped_once_however_often_the_job_runs(
    authority: Authority, grown: TreeRoot
) -> None:
    for _ in range(3):
        stamp_last_root("", now())
    assert (len(authority.asked), TreeStamp.objects.count()) == (1, 1)


def test_a_root_that_was_signed_meanwhile_is_planned_as_well(
    authority: Authority, grown: TreeRoot, monkeypatch: Any
) -> None:
    Job.objects.update(state=JobState.DONE)

    def meanwhile(query: bytes) -> bytes:
        payload = {"size": 99, "root": "0" * 64, "previous": None}
        TreeRoot.write(payload=payload, now=now(), size=99, root="0" * 64)
        return query

    authority.changed = meanwhile
    _made_here(authority, monkeypatch)
    stamp_last_root("", now())
    assert len(planned()) == 1


def _made_here(authority: Authority, patch: Any) -> None:
    """Have its answers made without the socket: its thread has no database."""
    patch.setattr(client.TimestampAuthority, "answer", lambda _, query: authority.answer(query))


def test_a_run_that_waits_takes_the_next_root_as_well(
    authority: Authority, grown: TreeRoot, recorded: Any
) -> None:
    later = now() + timedelta(hours=1)
    Job.objects.filter(name="travelrule.stamp").update(eta=later)
    recorded(tmsReference="T-3")
    sealed()
    [job] = planned()
    assert job.eta == later
    stamp_last_root("", now())
    assert [tree_stamp.size for tree_stamp in TreeStamp.objects.all()] == [3]


def test_without_certificates_the_token_is_kept_as_not_verified(
    authority: Authority, grown: TreeRoot, settings: Any
) -> None:
    settings.TSA_CERTIFICATES = ""
    stamp_last_root("", now())
    assert TreeStamp.objects.get().data["chain"] == "UNVERIFIED"
    assert "not verified" in describe_latest_stamp()


def _of_other_bytes(query: bytes) -> bytes:
    """Ask for other bytes with the same nonce."""
    place = query.index(bytes.fromhex("608648016503040201")) + 13
    return query[:place] + bytes(32) + query[place + 32 :]


def _with_another_nonce(query: bytes) -> bytes:
    """Ask for the same bytes with a nonce of its own."""
    root = roots.load_last_root()
    assert root is not None
    built = TimestampRequestBuilder().data(root.payload.encode())
    return built.hash_algorithm(HashAlgorithm.SHA256).build().as_bytes()


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "other bytes": ({"changed": _of_other_bytes}, "other bytes"),
    "another nonce": ({"changed": _with_another_nonce}, "another nonce"),
    "rejected": ({"digests": "sha512"}, "did not grant it: REJECTION"),
    "garbage": ({"garbage": b"<html>down for maintenance</html>"}, "not one of a time-stamp"),
    "nothing": ({"garbage": b""}, "not one of a time-stamp"),
    "a status alone": ({"garbage": bytes.fromhex("30053003020100")}, "holds no token"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_token_of_the_root_is_refused_and_tried_again(
    authority: Authority, grown: TreeRoot, what: str, monkeypatch: Any
) -> None:
    changes, why = REFUSED[what]
    for name, value in changes.items():
        setattr(authority, name, value)
    if "changed" in changes:  # made here: the server's thread has no database
        _made_here(authority, monkeypatch)
    with pytest.raises(TokenRefused, match=why):
        stamp_last_root("", now())
    assert not TreeStamp.objects.exists()


@pytest.mark.parametrize(
    ("policy", "kept"), [(POLICY, True), (OTHER_POLICY, False)], ids=["named", "another"]
)
def test_a_token_must_name_the_policy_that_is_wanted(
    authority: Authority, grown: TreeRoot, settings: Any, policy: str, kept: bool
) -> None:
    settings.TSA_POLICY = policy
    if not kept:
        with pytest.raises(TokenRefused, match="policy"):
            stamp_last_root("", now())
    else:
        stamp_last_root("", now())
    assert TreeStamp.objects.exists() is kept


def test_a_token_of_somebody_else_s_certificate_is_refused(
    authority: Authority, grown: TreeRoot, settings: Any, tmp_path: Path
) -> None:
    settings.TSA_CERTIFICATES = founded(tmp_path / "other").certificates
    with pytest.raises(TokenRefused, match="TSA_CERTIFICATES"):
        stamp_last_root("", now())
    assert not TreeStamp.objects.exists()


@pytest.mark.parametrize(("astray", "kept"), [(9, True), (-9, True), (11, False), (-11, False)])
def test_a_token_whose_time_is_far_from_ours_is_refused(
    authority: Authority, grown: TreeRoot, astray: int, kept: bool
) -> None:
    moment = now() + timedelta(minutes=astray)
    if kept:
        stamp_last_root("", moment)
    else:
        with pytest.raises(TokenRefused, match="clocks"):
            stamp_last_root("", moment)
    assert TreeStamp.objects.exists() is kept


def test_an_authority_that_is_down_or_slow_holds_up_neither_roots_nor_proofs(
    authority: Authority,
    grown: TreeRoot,
    recorded: Any,
    proof: Any,
    monkeypatch: Any,
) -> None:
    authority.status = 503
    for _ in range(5):
        with pytest.raises(UpstreamError):
            stamp_last_root("", now())
    with pytest.raises(NotCalled):  # the breaker is open: it is left alone for a while
        stamp_last_root("", now())
    assert len(authority.asked) == 5
    payment = recorded(tmsReference="T-3")
    sealed()
    assert proof(payment)["root"]["size"] == 3


def test_an_authority_that_says_nothing_is_given_up(
    authority: Authority, grown: TreeRoot, monkeypatch: Any
) -> None:
    authority.slow = 2.0
    monkeypatch.setattr(client.TimestampAuthority, "timeout", (0.2, 0.2))
    monkeypatch.setattr(client.TimestampAuthority, "patience", 0.3)
    with pytest.raises(UpstreamError):
        stamp_last_root("", now())
    assert not TreeStamp.objects.exists()


def test_the_proof_of_a_record_has_the_first_stamp_of_a_root_with_it(
    authority: Authority,
    recorded: Any,
    proof: Any,
    desk: Desk,
) -> None:
    payments = []
    for number in range(3):
        payments.append(recorded(tmsReference=f"T-{number}"))
        sealed()
        stamp_last_root("", now())
    found = proof(payments[1])
    assert found["stamp"]["root"]["size"] == 2 and found["root"]["size"] == 3
    assert is_signed_by_us(found["stamp"]["root"])
    code, told = desk.verify(json.dumps(found).encode(), name="proof.json")
    assert code == GOOD and "the first 2 events existed at 20" in told, told


def test_an_export_states_the_last_stamp_and_openssl_verifies_what_is_written_out(
    authority: Authority, grown: TreeRoot, recorded: Any, examiner: Any, desk: Desk
) -> None:
    stamp_last_root("", now())
    recorded(tmsReference="T-3")
    sealed()
    raw = whole(examiner, "ndjson")
    stated = lines(raw)[-1]["manifest"]["stamp"]
    assert stated["root"]["size"] == 2 and stated["chain"] == "VERIFIED"
    code, told = desk.verify(raw, "--keys", "jwks.json", "--token", "root.tst")
    assert code == GOOD, told
    command = next(line.strip() for line in told.splitlines() if "openssl ts -verify" in line)
    words = command.replace("AUTHORITY.pem", authority.certificates).split()
    process = subprocess.run(words, cwd=desk.folder, capture_output=True, text=True, check=False)
    assert "Verification: OK" in process.stdout, process.stderr
    assert desk.verify(raw, "--keys", "jwks.json", "--token", "root.tst")[0] == UNREADABLE
    assert desk.verify(whole(examiner, "zip"), name="export.zip")[0] == GOOD


def _resigned(raw: bytes, change: Any) -> bytes:
    """Alter the stamp of an export and sign its manifest anew, as who holds our key could."""
    *rest, last = raw.splitlines()
    document = json.loads(last)
    manifest = {k: v for k, v in document["manifest"].items() if k != "signature"}
    change(manifest["stamp"])
    document["manifest"] = sign_statement(manifest)
    return b"\n".join([*rest, canonical_json(document), b""])


def _later_root(stated: dict[str, Any]) -> None:
    root = {k: v for k, v in stated["root"].items() if k != "signature"}
    stated["root"] = sign_statement(root | {"at": "2020-01-01T00:00:00.000Z"})


FORGED = {
    "another root": _later_root,
    "a root that nobody signed": lambda one: one["root"].update(at="2020-01-01T00:00:00.000Z"),
    "a token that is cut off": lambda one: one.update(token=one["token"][:400]),
    "a token that is none": lambda one: one.update(token="AAAA"),
    "another digest": lambda one: one.update(imprint="0" * 64),
}


@pytest.mark.parametrize("what", FORGED)
def test_the_verifier_finds_a_stamp_that_is_not_of_the_root(
    authority: Authority, grown: TreeRoot, examiner: Any, desk: Desk, what: str
) -> None:
    stamp_last_root("", now())
    code, told = desk.verify(_resigned(whole(examiner, "ndjson"), FORGED[what]))
    assert code == BAD and "time-stamp" in told, told


def test_the_ledger_of_stamps_is_held_against_roots_and_tokens(
    authority: Authority, grown: TreeRoot
) -> None:
    stamp_last_root("", now())
    sealer.seal_ledger(ledger="travel_stamps", now=now())
    assert list(verify_stamps(lambda done: None)) == []
    with connection.cursor() as cursor:
        for name in trigger_names("travelrule_treeroot", connection.vendor):
            on = " ON travelrule_treeroot" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER {name}{on}")
        cursor.execute("DELETE FROM travelrule_treeroot")
    assert list(verify_stamps(lambda done: None)) == [
        "the time-stamp of the root of 2 is of a missing root"
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TSA_CERTIFICATES", "/nowhere/authority.pem"),
        ("TSA_CERTIFICATES", __file__),
        ("TSA_POLICY", "the usual one"),
        ("TSA_URL", "ftp://authority.example"),
        ("TSA_URL", "http://authority.example/tsr"),
        ("TSA_URL", "https://who:secret@authority.example/tsr"),
    ],
)
def test_settings_by_which_no_token_could_be_had_are_refused_at_the_start(
    settings: Any, name: str, value: str
) -> None:
    setattr(settings, name, value)
    with pytest.raises(ImproperlyConfigured, match=name) as refused:
        check_timestamp_settings()
    assert "secret" not in str(refused.value)
