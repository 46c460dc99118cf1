"""A chain that is looked at in stretches has the faults that it has as a whole."""

import hashlib
import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import product
from typing import Any

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from apps.backoffice.sar.models import SarEntry
from apps.platform.crypto.canonical import canonical_digest, canonical_json, canonical_text
from apps.platform.db import parallel_scan
from apps.platform.db.parallel_scan import Task, run_tasks, split_range
from apps.platform.ledger import sealer
from apps.platform.ledger.envelope_encoding import (
    encode_link_input,
    encode_mac_input,
    envelope_encoder,
)
from apps.platform.ledger.models import Seal
from apps.platform.ledger.records import GENESIS
from apps.platform.ledger.verification import segment_verification, verifier
from apps.platform.ledger.verification.segment_verification import (
    VerificationReport,
    verify_segment,
)
from tests.for_each import for_each
from tests.platform.tampering import sql, without_triggers

TABLE, SEALS = SarEntry._meta.db_table, Seal._meta.db_table


def parted(cuts: tuple[int, ...]) -> VerificationReport:
    """Look at the chain in stretches that end at these positions."""
    ends: list[int | None] = [*cuts, None]
    begins: list[int | None] = [None, *cuts]
    report = VerificationReport("sar")
    for span in zip(begins, ends, strict=True):
        report.add(verify_segment("sar", span, {}, lambda done: None))
    return report


TAMPERED: dict[str, str] = {
    "nothing": "SELECT 1",
    "a payload": f"UPDATE {TABLE} SET payload = '{{}}' WHERE ref = 'r3'",
    "a column": f"UPDATE {TABLE} SET kind = 'other' WHERE ref = 'r3'",
    "a MAC": f"UPDATE {TABLE} SET mac = '{'0' * 64}' WHERE ref = 'r4'",
    "a key": f"UPDATE {TABLE} SET mac_key = 'other' WHERE ref = 'r4'",
    "a blanked payload": f"UPDATE {TABLE} SET payload = '', salt = '' WHERE ref = 'r3'",
    "a record that is gone": f"DELETE FROM {TABLE} WHERE ref = 'r3'",
    "a seal that is gone": f"DELETE FROM {SEALS} WHERE position = 3",
    "the first seal gone": f"DELETE FROM {SEALS} WHERE position = 1",
    "seals gone across a cut": f"DELETE FROM {SEALS} WHERE position IN (2, 3, 4)",
    "a digest": f"UPDATE {SEALS} SET digest = '{'1' * 64}' WHERE position = 3",
    "a link": f"UPDATE {SEALS} SET previous = '{'1' * 64}' WHERE position = 4",
    "a content": f"UPDATE {SEALS} SET content = '{'1' * 64}' WHERE position = 3",
    "a position before the first": f"UPDATE {SEALS} SET position = -1 WHERE position = 1",
    "a moment": f"UPDATE {SEALS} SET sealed_at = '2020-01-01 00:00:00+00' WHERE position = 2",
}


@pytest.mark.django_db
@for_each("what", TAMPERED)
def test_stretches_find_what_one_look_finds(
    chain: list[SarEntry], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with without_triggers():
        sql(TAMPERED[what])
    whole = parted(())
    assert bool(whole.faults) is (what != "nothing")
    for batch, cuts in product((1, 2, 2000), ((), (3,), (2, 4), (1, 2, 3, 4, 5))):
        monkeypatch.setattr(segment_verification, "BATCH", batch)
        assert parted(cuts) == whole, (batch, cuts)


@pytest.mark.django_db
def test_rows_of_one_value_are_all_read_across_the_edge_of_a_piece(chain: list[SarEntry]) -> None:
    rows = SarEntry.objects.all()  # all of one kind: as seals of one position would be
    for at_once in (1, 2, 6):
        pieces = parallel_scan.read_columns(rows, "kind", (None, None), ("kind", "pk"), at_once)
        assert [pk for piece in pieces for _, pk in piece] == [sar_entry.pk for sar_entry in chain]


@pytest.mark.django_db
def test_a_whole_batch_costs_two_queries_and_no_look_at_each_record(
    chain: list[SarEntry], django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(3):  # seals, their records, and that no more seals follow
        assert verify_segment("sar", (None, None), {}, lambda done: None).sealed == 6


@pytest.mark.django_db
def test_every_ledger_is_read_as_it_was_sealed(chain: list[SarEntry]) -> None:
    sar_entry = SarEntry.objects.get(pk=chain[2].pk)
    seal = Seal.objects.get(ledger="sar", record_id=sar_entry.pk)
    bare, full = envelope_encoder(SarEntry, SarEntry.PURGEABLE).of(sar_entry)
    record = {name: plain(value) for name, value in sar_entry.envelope().items()}
    without_id = {name: value for name, value in record.items() if name != "id"}
    assert encode_mac_input(ledger="sar", content="c", record=bare).encode() == canonical_json(
        {"ledger": "sar", "record": without_id, "content": "c"}
    )
    link_input = encode_link_input(
        ledger="sar", position=3, previous=GENESIS, record=full, content="c",
        sealed_at=seal.sealed_at,
    )  # fmt: skip
    assert digest_of(link_input) == canonical_digest(
        {
            "ledger": "sar",
            "position": 3,
            "previous": GENESIS,
            "record": record,
            "content": "c",
            "sealedAt": plain(seal.sealed_at),
        }
    )


def plain(value: Any) -> Any:
    """Return a moment as microseconds since 1970: databases return different time zones."""
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    return (value - epoch) // timedelta(microseconds=1) if isinstance(value, datetime) else value


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@given(
    st.one_of(
        st.text(), st.integers(), st.booleans(), st.none(), st.uuids(), st.dates(),
        st.decimals(allow_nan=False, allow_infinity=False, min_value=-10**9, max_value=10**9),
        st.datetimes(timezones=st.timezones()),
    )
)  # fmt: skip
def test_one_value_is_written_as_the_canonical_form_has_it(value: Any) -> None:
    assert canonical_text(value).encode() == canonical_json(value)
    assert canonical_digest({"a": value}) == digest_of(f'{{"a":{canonical_text(value)}}}')


@pytest.mark.parametrize("value", [0.5, object()])
def test_what_has_no_canonical_form_is_not_written(value: Any) -> None:
    with pytest.raises(TypeError):
        canonical_text(value)


@pytest.mark.parametrize("last", [0, 1, 4999, 5000, 40_000, 123_457])
@pytest.mark.parametrize("processes", [1, 2, 3])
def test_stretches_leave_nothing_out(last: int, processes: int) -> None:
    spans = split_range(last, processes)
    assert spans[0][0] is None and spans[-1][1] is None
    assert [until for _, until in spans[:-1]] == [above for above, _ in spans[1:]]
    assert len(spans) <= processes * parallel_scan.PIECES


@pytest.mark.django_db
def test_processes_refuse_to_look_past_a_transaction() -> None:
    with pytest.raises(RuntimeError, match="transaction"):
        list(run_tasks([lambda progress: 1], processes=2, progress=lambda done: None))


def divided(by: int, progress: Any) -> int:
    return 1 // by


@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(60)
@pytest.mark.parametrize("fails", [False, True])
def test_processes_end_also_where_the_parent_takes_their_signal_for_itself(fails: bool) -> None:
    before = signal.signal(signal.SIGTERM, lambda *_: None)  # as the keeper of the index does
    try:
        task = partial(divided, 0 if fails else 1)
        tasks = run_tasks([task] * 3, processes=2, progress=lambda done: None)
        with pytest.raises(ZeroDivisionError) if fails else nullcontext():
            assert list(tasks) == [1, 1, 1]
    finally:
        signal.signal(signal.SIGTERM, before)


STARTED = multiprocessing.get_context("fork").RawValue("i", 0)


def endless(progress: Any) -> int:
    STARTED.value += 1
    while True:
        progress(0)
        time.sleep(0.01)


def killed(progress: Any) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(60)
def test_an_error_ends_the_stretches_that_run_and_those_that_wait() -> None:
    STARTED.value = 0
    tasks: list[Task[int]] = [partial(divided, 0), *[endless] * 9]
    with pytest.raises(ZeroDivisionError):
        list(run_tasks(tasks, processes=2, progress=lambda done: None))
    assert STARTED.value < 9


@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(60)
def test_whoever_wants_no_more_results_does_not_wait_for_the_rest() -> None:
    tasks: list[Task[int]] = [partial(divided, 1), *[endless] * 3]
    results = run_tasks(tasks, processes=2, progress=lambda done: None)
    assert next(results) == 1
    results.close()  # type: ignore[attr-defined]


@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(60)
def test_a_process_that_is_killed_is_an_error_and_no_wait_without_end() -> None:
    with pytest.raises(BrokenProcessPool):
        list(run_tasks([killed, killed], processes=2, progress=lambda done: None))


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite here is in memory")
def test_two_processes_find_what_one_finds(
    write: Callable[..., list[SarEntry]], noon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel_scan, "SMALLEST", 2)
    write(9)
    sealer.seal_all_ledgers(now=noon)
    whole = verifier.verify_ledger(ledger="sar")
    assert verifier.verify_ledger(ledger="sar", processes=2) == whole and not whole.faults
    with without_triggers():
        sql(f"UPDATE {TABLE} SET kind = 'other' WHERE ref = 'r3'")
        sql(f"DELETE FROM {SEALS} WHERE position = 9")
    whole = verifier.verify_ledger(ledger="sar")
    assert verifier.verify_ledger(ledger="sar", processes=2) == whole
    assert len(whole.faults) >= 2
