"""Signed heads of ledgers, kept elsewhere: a tail that was cut shows against them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import OperationalError

from apps.backoffice.sar.models import SarEntry
from apps.platform import tasks
from apps.platform.crypto.signatures import sign_statement
from apps.platform.ledger import sealer
from apps.platform.ledger.models import LedgerHead, Seal
from apps.platform.ledger.records import ledger_models
from apps.platform.ledger.verification import signed_heads, verifier
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db
TABLE, SEALS = SarEntry._meta.db_table, Seal._meta.db_table


def faults() -> list[str]:
    return verifier.verify_ledger(ledger="sar").faults


@pytest.fixture
def exported(chain: list[SarEntry], noon: Any, settings: Any, tmp_path: Path) -> Path:
    """A heads file with one line, written by the job."""
    settings.VAR_DIR = tmp_path
    tasks.export_heads("", noon)
    return tmp_path / "heads.jsonl"


def cut(positions: int) -> None:
    """Cut the tail off as a careful attacker would: rows, what hangs on them, seals, bookmark."""
    with without_triggers():
        keep = 6 - positions
        gone = list(Seal.objects.filter(position__gt=keep).values_list("record_id", flat=True))
        for record_id in gone:
            sql(f"DELETE FROM {TABLE} WHERE id = %s", record_id)
            sql("DELETE FROM sar_sarparty WHERE newest = %s", record_id)
            sql("DELETE FROM sar_sarmatter WHERE entry_id = %s", record_id)
        sql(f"DELETE FROM {SEALS} WHERE position > %s", keep)
    last = Seal.objects.get(position=keep)
    # whoever cuts leaves no bookmark behind that tells of it
    unmarked = {"watermark": 0, "candidate": 0}
    LedgerHead.objects.filter(ledger="sar").update(position=keep, digest=last.digest, **unmarked)


def test_heads_that_were_exported_verify(exported: Path, write: Any, noon: Any) -> None:
    write(2, first=20)
    sealer.seal_ledger(ledger="sar", now=noon)
    call_command("verify_ledger", heads=exported)
    call_command("verify_ledger")


def test_a_tail_cut_without_a_trace_shows_against_the_heads(exported: Path) -> None:
    cut(2)
    assert faults() == []
    with pytest.raises(CommandError, match="1 fault"):
        call_command("verify_ledger", "sar", heads=exported)


def test_a_head_exported_after_the_cut_does_not_hide_it(exported: Path, noon: Any) -> None:
    cut(2)
    tasks.export_heads("", noon)
    assert len(exported.read_text().splitlines()) == 2
    with pytest.raises(CommandError, match="1 fault"):
        call_command("verify_ledger", heads=exported)


def test_a_tail_that_was_cut_and_grew_again_shows(exported: Path, write: Any, noon: Any) -> None:
    cut(2)
    write(4, first=30)
    sealer.seal_ledger(ledger="sar", now=noon)
    assert faults() == []
    with pytest.raises(CommandError, match="1 fault"):
        call_command("verify_ledger", "sar", heads=exported)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace('"position": 6', '"position": 4'), "signature is invalid"),
        (lambda text: text.replace("EdDSA", "none"), "signature is invalid"),
        (lambda text: text[:-20], "contains no heads"),
        (lambda text: '{"heads": {}}\n' + text, "line 1: the signature"),
        (lambda text: "5", "signature is invalid"),
        (lambda text: "", "contains no heads"),
        (lambda text: json.dumps(sign_statement({"other": "x"})), "not about heads"),
    ],
)
def test_forged_or_broken_heads_are_refused(
    exported: Path, change: Callable[[str], str], message: str
) -> None:
    exported.write_text(change(exported.read_text()))
    with pytest.raises(CommandError, match=message):
        call_command("verify_ledger", heads=exported)


def test_export_heads_prints_where_every_ledger_ends(
    chain: list[SarEntry], capsys: Any, tmp_path: Path
) -> None:
    call_command("export_heads")
    printed = capsys.readouterr().out
    stated = json.loads(printed)["heads"]
    assert set(stated) == set(ledger_models())
    assert stated["sar"] == {"position": 6, "digest": Seal.objects.get(position=6).digest}
    kept = tmp_path / "kept.jsonl"
    kept.write_text(printed)
    call_command("verify_ledger", heads=kept)


def test_the_command_names_faults_and_ages(chain: list[SarEntry], write: Any, capsys: Any) -> None:
    write(1, first=50)
    with without_triggers():
        sql(f"UPDATE {TABLE} SET ref = 'x' WHERE id = %s", chain[0].pk)
    with pytest.raises(CommandError, match="2 fault"):
        call_command("verify_ledger", "sar")
    printed = capsys.readouterr().out
    assert "sar: 6 sealed, 0 purged, 1 not yet sealed (oldest " in printed
    assert f"position 1, record {chain[0].pk}: the record or its seal was altered" in printed
    with pytest.raises(CommandError, match="no such ledger: nothing"):
        call_command("verify_ledger", "nothing")


# --- where they go ---------------------------------------------------------------------


def test_by_default_the_heads_that_are_kept_here_are_verified_against(
    exported: Path, capsys: Any
) -> None:
    cut(2)
    with pytest.raises(CommandError, match="1 fault"):
        call_command("verify_ledger", "sar")
    assert f"against the exported heads of {exported}" in capsys.readouterr().out
    exported.unlink()
    call_command("verify_ledger", "sar")
    assert "a truncated tail would not be detected" in capsys.readouterr().out


def test_heads_go_to_every_folder_and_address(
    exported: Path, settings: Any, noon: Any, tmp_path: Path, mailoutbox: list[Any]
) -> None:
    away = tmp_path / "away"
    away.mkdir()
    settings.HEADS_TO = [str(away), "mailto:auditor@example.com"]
    settings.MAIL_FROM = "ledgers@example.com"
    tasks.export_heads("", noon)
    (mail,) = mailoutbox
    assert (mail.to, mail.from_email) == (["auditor@example.com"], "ledgers@example.com")
    assert mail.body == (away / "heads.jsonl").read_text()
    kept = tmp_path / "mailed.jsonl"
    kept.write_text(mail.body)
    call_command("verify_ledger", heads=kept)
    exported.unlink()
    cut(2)
    with pytest.raises(CommandError, match="1 fault"):
        call_command("verify_ledger", "sar")


def test_a_folder_that_is_gone_keeps_no_other_place_from_its_heads(
    exported: Path, settings: Any, noon: Any, tmp_path: Path, mailoutbox: list[Any]
) -> None:
    settings.HEADS_TO = [str(tmp_path / "gone"), "mailto:auditor@example.com"]
    with pytest.raises(FileNotFoundError):
        tasks.export_heads("", noon)
    assert len(mailoutbox) == 1 and len(exported.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("place", "server"),
    [("var/heads", {}), ("mailto:auditor", {"EMAIL_HOST": "x"}), ("mailto:a@example.com", {})],
)
def test_a_place_that_could_only_fail_later_refuses_to_start(
    settings: Any, place: str, server: dict[str, str]
) -> None:
    settings.HEADS_TO, settings.MAIL_SERVER = [place], server
    with pytest.raises(ImproperlyConfigured, match="HEADS_TO has the part"):
        signed_heads.check_heads_settings()


# --- a machine that stopped while it wrote ------------------------------------------------


def test_a_torn_file_loses_its_last_line_only(exported: Path, noon: Any, capsys: Any) -> None:
    tasks.export_heads("", noon)
    exported.write_bytes(exported.read_bytes()[:-30])
    call_command("verify_ledger", "sar")
    assert f"{exported}, line 2: incomplete line, skipped" in capsys.readouterr().err
    tasks.export_heads("", noon)
    assert len(exported.read_text().splitlines()) == 3
    cut(2)
    with pytest.raises(CommandError, match="1 fault"):
        call_command("verify_ledger", "sar")


def test_zeros_that_a_power_cut_left_are_passed_over(exported: Path, noon: Any) -> None:
    exported.write_bytes(exported.read_bytes() + b"\0" * 512)
    tasks.export_heads("", noon)
    cut(2)
    with pytest.raises(CommandError, match="1 fault"):
        call_command("verify_ledger", "sar")


def test_a_missing_file_is_an_error_in_words(db: Any, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"nothing\.jsonl cannot be read: No such file"):
        call_command("verify_ledger", heads=tmp_path / "nothing.jsonl")
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("verify_ledger", heads=tmp_path)


def test_a_database_without_ledgers_is_an_error_in_words(db: Any, monkeypatch: Any) -> None:
    def gone(*args: Any, **given: Any) -> Any:
        raise OperationalError("no such table")

    monkeypatch.setattr(signed_heads, "read_chain_end", gone)
    monkeypatch.setattr(verifier, "verify_ledger", gone)
    for command in ("export_heads", "verify_ledger"):
        with pytest.raises(CommandError, match="the ledgers cannot be read"):
            call_command(command)
