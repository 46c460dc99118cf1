"""Signed heads of ledgers, kept elsewhere: a tail that was cut shows against them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.core import housekeeping, sealing
from apps.core.ledger import ledgers
from apps.core.models import LedgerHead, Seal
from apps.sar.models import SarEntry
from tests.core.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db
TABLE, SEALS = SarEntry._meta.db_table, Seal._meta.db_table


def faults() -> list[str]:
    return sealing.verify(ledger="sar").faults


@pytest.fixture
def exported(chain: list[SarEntry], noon: Any, settings: Any, tmp_path: Path) -> Path:
    """A heads file with one line, written by the job."""
    settings.VAR_DIR = tmp_path
    housekeeping.export_heads("", noon)
    return tmp_path / "heads.jsonl"


def cut(positions: int) -> None:
    """Cut the tail off as a careful attacker would: rows, seals and bookmark."""
    with without_triggers():
        keep = 6 - positions
        gone = list(Seal.objects.filter(position__gt=keep).values_list("record_id", flat=True))
        for record_id in gone:
            sql(f"DELETE FROM {TABLE} WHERE id = %s", record_id)
        sql(f"DELETE FROM {SEALS} WHERE position > %s", keep)
    last = Seal.objects.get(position=keep)
    LedgerHead.objects.update(position=keep, digest=last.digest)


def test_heads_that_were_exported_verify(exported: Path, write: Any, noon: Any) -> None:
    write(2, first=20)
    sealing.seal(ledger="sar", now=noon)
    call_command("verify_ledger", heads=exported)


def test_a_tail_cut_without_a_trace_shows_against_the_heads(exported: Path) -> None:
    cut(2)
    assert faults() == []
    with pytest.raises(CommandError, match="1 fault"):
        call_command("verify_ledger", "sar", heads=exported)


def test_a_head_exported_after_the_cut_does_not_hide_it(exported: Path, noon: Any) -> None:
    cut(2)
    housekeeping.export_heads("", noon)
    assert len(exported.read_text().splitlines()) == 2
    with pytest.raises(CommandError, match="1 fault"):
        call_command("verify_ledger", heads=exported)


def test_a_tail_that_was_cut_and_grew_again_shows(exported: Path, write: Any, noon: Any) -> None:
    cut(2)
    write(4, first=30)
    sealing.seal(ledger="sar", now=noon)
    assert faults() == []
    with pytest.raises(CommandError, match="1 fault"):
        call_command("verify_ledger", "sar", heads=exported)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace('"position": 6', '"position": 4'), "signature does not hold"),
        (lambda text: text.replace("EdDSA", "none"), "signature does not hold"),
        (lambda text: text[:-20], "not JSON"),
        (lambda text: '{"heads": {}}\n' + text, "line 1: the signature"),
        (lambda text: "5", "signature does not hold"),
        (lambda text: "", "holds no heads"),
        (lambda text: json.dumps(housekeeping.attest({"other": "x"})), "not about heads"),
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
    assert set(stated) == set(ledgers())
    assert stated["sar"] == {"position": 6, "digest": Seal.objects.get(position=6).digest}
    kept = tmp_path / "kept.jsonl"
    kept.write_text(printed)
    call_command("verify_ledger", heads=kept)


def test_the_command_names_faults_and_ages(chain: list[SarEntry], write: Any, capsys: Any) -> None:
    write(1, first=50)
    with without_triggers():
        sql(f"UPDATE {TABLE} SET ref = 'x' WHERE id = %s", chain[0].pk)
    with pytest.raises(CommandError, match="1 fault"):
        call_command("verify_ledger", "sar")
    printed = capsys.readouterr().out
    assert "sar: 6 sealed, 0 purged, 1 not yet sealed (oldest " in printed
    assert f"position 1, record {chain[0].pk}: the record or its seal was altered" in printed
    with pytest.raises(CommandError, match="no such ledger: nothing"):
        call_command("verify_ledger", "nothing")
