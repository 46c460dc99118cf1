"""A record that is cut off before it is sealed is missed: its hash was noted on disk."""

import hashlib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from apps.access.keys.integrity import KeyRecord
from apps.access.keys.models import Account, ApiKey, IssuedKey, KeyKind, issue_api_key
from apps.platform import tasks
from apps.platform.ledger import sealer, written_record_log
from apps.platform.ledger.records import ledger_models
from apps.platform.ledger.table_proofs import ACCESS, MONEY, PROVED, WITNESSED
from apps.platform.ledger.verification import verifier
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db
Kept = Callable[..., Any]


@pytest.fixture(autouse=True)
def _of_its_own(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path


@pytest.fixture
def revoked(noon: Any, django_capture_on_commit_callbacks: Kept) -> IssuedKey:
    """A key that was issued and revoked, each in a transaction that is committed."""
    account = Account.objects.create(name="Alice Ltd", created_at=noon)
    with django_capture_on_commit_callbacks(execute=True):
        api_key = issue_api_key(account=account, kind=KeyKind.SIGNING, now=noon)
    with django_capture_on_commit_callbacks(execute=True):
        api_key.key.revoke(now=noon)
    return api_key


def faults() -> list[str]:
    return verifier.verify_ledger(ledger="keys").faults


def cut() -> None:
    """Take the revocation back as if it had never been: the record, and what it changed."""
    with without_triggers():
        sql("DELETE FROM access_keyrecord WHERE number = 2")
    ApiKey.objects.update(revoked_at=None)


def test_what_was_written_is_there_before_and_after_it_is_sealed(
    revoked: IssuedKey, noon: Any
) -> None:
    assert len(list(written_record_log.read_noted_records("keys"))) == 2 and faults() == []
    assert sealer.seal_ledger(ledger="keys", now=noon) == 2
    assert faults() == []


def test_a_record_that_is_cut_off_before_it_is_sealed_is_missed(revoked: IssuedKey) -> None:
    content = KeyRecord.objects.get(number=2).content_hash()
    cut()
    assert faults() == [f"a record written at 2026-11-20T12:00:00Z is missing ({content[:12]}…)"]


def test_without_the_note_nothing_would_tell(revoked: IssuedKey) -> None:
    cut()
    for path in written_record_log.witness_folder().glob("*.txt"):
        path.unlink()
    assert faults() == []


def test_what_was_rolled_back_is_not_noted(noon: Any) -> None:
    account = Account.objects.create(name="Alice Ltd", created_at=noon)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        issue_api_key(account=account, kind=KeyKind.SIGNING, now=noon)
        raise ZeroDivisionError
    assert (
        list(written_record_log.read_noted_records("keys")) == []
        and not written_record_log.witness_folder().exists()
    )


def test_notes_hold_hashes_alone(revoked: IssuedKey) -> None:
    (path,) = written_record_log.witness_folder().glob("*.txt")
    lines = path.read_text().splitlines()
    assert len(lines) == 2
    for line, record in zip(lines, KeyRecord.objects.order_by("pk"), strict=True):
        content = hashlib.sha256(f"{record.salt}:{record.payload}".encode()).hexdigest()
        assert line == f"keys 2026-11-20T12:00:00Z {content}"


def test_torn_and_foreign_lines_are_passed_over(revoked: IssuedKey) -> None:
    (path,) = written_record_log.witness_folder().glob("*.txt")
    with path.open("a") as out:
        out.write("keys 2026-11-20T12:00:00Z abc\n\nregistrations x " + "0" * 64 + "\nkeys")
    assert len(list(written_record_log.read_noted_records("keys"))) == 2


def test_other_ledgers_are_not_noted(noon: Any, django_capture_on_commit_callbacks: Kept) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        written_record_log.note_records(ledger="screens", contents=["0" * 64], now=noon)
    assert (
        not written_record_log.witness_folder().exists()
        and list(written_record_log.read_noted_records("screens")) == []
    )


def test_every_ledger_that_proves_money_or_access_is_noted() -> None:
    proving = {one.ledger for one in PROVED.values() if one.would in (MONEY, ACCESS)}
    assert proving - {""} <= WITNESSED
    assert set(ledger_models()) >= WITNESSED


def test_a_disk_that_takes_no_notes_stops_no_work(
    noon: Any,
    settings: Any,
    tmp_path: Path,
    django_capture_on_commit_callbacks: Kept,
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings.VAR_DIR = tmp_path / "file"
    settings.VAR_DIR.write_text("")
    with django_capture_on_commit_callbacks(execute=True):
        written_record_log.note_records(ledger="keys", contents=["0" * 64], now=noon)
    assert "records of keys could not be noted" in caplog.text


def test_notes_leave_after_a_fortnight(revoked: IssuedKey, noon: Any) -> None:
    tasks.remove_expired_rows("", noon + timedelta(days=14))
    assert len(list(written_record_log.read_noted_records("keys"))) == 2
    tasks.remove_expired_rows("", noon + timedelta(days=15))
    assert list(written_record_log.read_noted_records("keys")) == []
