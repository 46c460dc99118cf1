"""Every day all ledgers are verified; a fault makes the run fail and tells no secret."""

import logging
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.oversight.models import ReadEvent
from apps.backoffice.sar.models import SarRead
from apps.platform import tasks
from apps.platform.ledger import sealer
from apps.platform.ledger.records import LedgerRecord
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db


def kept(model: type[LedgerRecord], now: datetime) -> LedgerRecord:
    rita = User.objects.get_or_create(username="rita")[0]
    record = model.write(payload={}, now=now, by=rita, what="a page")
    sealer.seal_all_ledgers(now=now)
    return record


def altered(record: LedgerRecord) -> None:
    with without_triggers():
        sql(f"UPDATE {record._meta.db_table} SET what = 'another' WHERE id = %s", record.pk)


def test_ledgers_as_they_were_written_pass(noon: datetime, caplog: Any) -> None:
    kept(ReadEvent, noon)
    kept(SarRead, noon)
    tasks.export_heads("", noon)
    with caplog.at_level(logging.ERROR):
        tasks.verify_ledgers("", noon)
    assert caplog.records == []


def test_a_fault_fails_the_run_and_is_logged(noon: datetime, caplog: Any) -> None:
    altered(kept(ReadEvent, noon))
    with pytest.raises(tasks.LedgersFaulty, match=r"[1-9]\d* fault\(s\) in the ledgers"):
        tasks.verify_ledgers("", noon)
    assert f"ledger {ReadEvent.LEDGER}: position 1" in caplog.text


def test_a_fault_of_the_sar_log_fails_the_run_and_is_not_named(noon: datetime, caplog: Any) -> None:
    altered(kept(SarRead, noon))
    with pytest.raises(tasks.LedgersFaulty) as failed:
        tasks.verify_ledgers("", noon)
    assert "sar" not in f"{failed.value} {caplog.text}".lower()


def test_a_tail_that_was_cut_off_after_its_head_went_out_fails_the_run(noon: datetime) -> None:
    record = kept(ReadEvent, noon)
    tasks.export_heads("", noon)
    with without_triggers():
        sql(f"DELETE FROM {ReadEvent._meta.db_table} WHERE id = %s", record.pk)
        sql("DELETE FROM core_seal WHERE ledger = %s", ReadEvent.LEDGER)
        sql("DELETE FROM core_ledgerhead WHERE ledger = %s", ReadEvent.LEDGER)
    with pytest.raises(tasks.LedgersFaulty):
        tasks.verify_ledgers("", noon)
