"""Ledgers: sealed once, in any order of arrival, and every tampering is found."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from apps.backoffice.sar.models import SarEntry
from apps.platform.ledger import records, sealer
from apps.platform.ledger.envelope_encoding import EnvelopeEncoder
from apps.platform.ledger.models import LedgerHead, Seal
from apps.platform.ledger.records import GENESIS, ledger_models
from apps.platform.ledger.verification import verifier
from tests.platform.tampering import TAMPERINGS, sql, without_triggers

pytestmark = pytest.mark.django_db
TABLE, SEALS = SarEntry._meta.db_table, Seal._meta.db_table


def faults(**options: Any) -> list[str]:
    return verifier.verify_ledger(ledger="sar", **options).faults


def test_a_chain_that_nobody_touched_has_no_fault(chain: list[SarEntry]) -> None:
    report = verifier.verify_ledger(ledger="sar")
    assert (report.sealed, report.purged, report.unsealed, report.faults) == (6, 0, 0, [])
    assert report.head == Seal.objects.get(position=6).digest
    assert Seal.objects.get(position=1).previous == GENESIS


def test_sealing_twice_adds_nothing(chain: list[SarEntry], noon: Any) -> None:
    sealer.seal_all_ledgers(now=noon)
    assert sealer.seal_all_ledgers(now=noon) == 0
    assert Seal.objects.filter(ledger="sar").count() == 6


def test_an_empty_ledger_verifies(noon: Any) -> None:
    assert sealer.seal_ledger(ledger="sar", now=noon) == 0
    assert verifier.verify_ledger(ledger="sar").head == GENESIS


def test_more_than_a_batch_is_sealed_in_batches(write: Any, noon: Any) -> None:
    write(5)
    assert [sealer.seal_ledger(ledger="sar", now=noon, limit=2) for _ in range(4)] == [2, 2, 1, 0]
    assert faults() == []


def test_the_same_payload_has_another_hash_each_time(noon: Any) -> None:
    two = [SarEntry.write(payload={"n": 1}, now=noon, kind="k", ref=r) for r in "ab"]
    assert two[0].payload == two[1].payload
    assert two[0].content_hash() != two[1].content_hash()


def test_payloads_are_canonical_and_refuse_floats(noon: Any) -> None:
    made = SarEntry.write(payload={"b": 1, "a": "é"}, now=noon, kind="k", ref="a")
    assert made.payload == '{"a":"é","b":1}' and made.data == {"a": "é", "b": 1}
    with pytest.raises(TypeError):
        SarEntry.write(payload={"a": 0.5}, now=noon, kind="k", ref="b")


def test_rows_that_commit_out_of_order_are_sealed_as_they_are_found(write: Any, noon: Any) -> None:
    early, *rest = write(4)
    with without_triggers():  # as if `early` had not committed yet
        sql(f"DELETE FROM {TABLE} WHERE id = %s", early.pk)
    assert sealer.seal_ledger(ledger="sar", now=noon) == 3
    early.save(force_insert=True)
    assert sealer.seal_ledger(ledger="sar", now=noon + timedelta(seconds=60)) == 1
    order = list(Seal.objects.order_by("position").values_list("record_id", flat=True))
    assert order == [r.pk for r in rest] + [early.pk]
    assert faults() == []


def test_the_bookmark_moves_only_past_what_has_settled(write: Any, noon: Any) -> None:
    def watermark() -> int:
        return LedgerHead.objects.get(ledger="sar").watermark

    minutes = timedelta(minutes=1)
    first = write(2)
    sealer.seal_ledger(ledger="sar", now=noon)
    second = write(2, first=3)
    sealer.seal_ledger(ledger="sar", now=noon + 9 * minutes)
    assert watermark() == 0
    sealer.seal_ledger(ledger="sar", now=noon + 10 * minutes)
    assert watermark() == first[-1].pk
    sealer.seal_ledger(ledger="sar", now=noon + 20 * minutes)
    assert watermark() == second[-1].pk
    write(1, first=9)
    assert sealer.seal_ledger(ledger="sar", now=noon + 21 * minutes) == 1
    assert faults() == []


def test_a_clock_that_is_set_back_stops_no_sealing_and_what_settles_counts_anew(
    write: Any, noon: Any
) -> None:
    minutes = timedelta(minutes=1)
    first = write(2)
    sealer.seal_ledger(ledger="sar", now=noon + 120 * minutes)
    write(1, first=3)
    assert sealer.seal_ledger(ledger="sar", now=noon) == 1
    assert LedgerHead.objects.get(ledger="sar").watermark == 0
    sealer.seal_ledger(ledger="sar", now=noon + 9 * minutes)
    assert LedgerHead.objects.get(ledger="sar").watermark == 0
    sealer.seal_ledger(ledger="sar", now=noon + 10 * minutes)
    assert LedgerHead.objects.get(ledger="sar").watermark == first[-1].pk
    assert faults() == []


def test_the_bookmark_never_passes_a_record_that_was_refused(write: Any, noon: Any) -> None:
    minutes = timedelta(minutes=1)
    ours = write(2)
    forged = write(1, first=3)[0]
    with without_triggers():
        sql(f"UPDATE sar_sarentry SET mac = '{'0' * 64}' WHERE id = {forged.pk}")
    later = write(2, first=4)
    for minute in (0, 10, 20, 30, 40):
        with pytest.raises(sealer.SealingRefused):
            sealer.seal_all_ledgers(now=noon + minute * minutes)
    assert LedgerHead.objects.get(ledger="sar").watermark == forged.pk - 1
    sealed = set(Seal.objects.filter(ledger="sar").values_list("record_id", flat=True))
    assert sealed == {our.pk for our in (*ours, *later)}


def test_a_row_below_the_bookmark_is_reported_and_sealed_on_a_whole_look(
    chain: list[SarEntry], noon: Any, capsys: Any
) -> None:
    sealer.seal_all_ledgers(now=noon)
    LedgerHead.objects.filter(ledger="sar").update(watermark=10**9)
    late = SarEntry.write(payload={}, now=noon, kind="screen", ref="late")
    with pytest.raises(sealer.SealingRefused, match="bookmark"):
        sealer.seal_ledger(ledger="sar", now=noon)
    report = verifier.verify_ledger(ledger="sar")
    assert (report.unsealed, report.oldest_unsealed) == (1, noon)
    assert report.faults == [
        "the sealer's bookmark is beyond the last seal",
        f"record {late.pk}: not sealed, and its id is below the sealer's starting point",
    ]
    call_command("verify_ledger", "sar", "--seal")
    assert "sealed 1 waiting" in capsys.readouterr().out
    assert verifier.verify_ledger(ledger="sar").faults == []


@pytest.mark.parametrize(
    ("attack", "expected"),
    [
        *(pytest.param(text, words, id=title) for title, text, words in TAMPERINGS),
        ("UPDATE {t} SET payload = replace(payload, 'B', 'b') WHERE id = {id}", ("altered",)),
        ("UPDATE {t} SET ref = 'r99' WHERE id = {id}", ("altered",)),
    ],
)
def test_every_tampering_is_found(
    chain: list[SarEntry], attack: str, expected: tuple[str, ...]
) -> None:
    third = {"id": chain[2].pk, "position": 3}
    with without_triggers():
        assert sql(attack.format(t=TABLE, s=SEALS, l="sar", **third)) > 0
    found = faults()
    assert len(found) >= len(expected)
    for word, fault in zip(expected, found, strict=False):
        assert word in fault


def test_two_records_that_changed_places_are_found(chain: list[SarEntry]) -> None:
    one, two = chain[1], chain[3]
    with without_triggers():
        for entry, other in ((one, two), (two, one)):
            sql(
                f"UPDATE {TABLE} SET payload = %s, salt = %s WHERE id = %s",
                other.payload,
                other.salt,
                entry.pk,
            )
    assert len(faults()) == 2


def test_two_seals_that_changed_places_are_found(chain: list[SarEntry]) -> None:
    with without_triggers():
        for old, new in ((2, 100), (3, 2), (100, 3)):
            sql(f"UPDATE {SEALS} SET position = %s WHERE position = %s", new, old)
    assert any("reordered" in fault for fault in faults())


def test_a_row_with_seal_written_by_hand_is_found(chain: list[SarEntry], noon: Any) -> None:
    forged = SarEntry.write(payload={"n": 7}, now=noon, kind="screen", ref="forged")
    last = Seal.objects.get(position=6)
    Seal.objects.create(
        ledger="sar",
        position=7,
        record_id=forged.pk,
        previous=last.digest,
        content=forged.content_hash(),
        digest="f" * 64,
        sealed_at=noon,
    )
    assert any("altered" in fault for fault in faults())
    with pytest.raises(sealer.SealingRefused):
        sealer.seal_ledger(ledger="sar", now=noon)


def test_the_sealer_refuses_to_go_on_upon_a_last_seal_that_was_replaced(
    chain: list[SarEntry], noon: Any
) -> None:
    SarEntry.write(payload={"n": 7}, now=noon, kind="screen", ref="next")
    with without_triggers():
        sql(f"UPDATE {SEALS} SET digest = %s WHERE position = 6", "f" * 64)
    with pytest.raises(sealer.SealingRefused, match="run verify_ledger"):
        sealer.seal_ledger(ledger="sar", now=noon)
    assert Seal.objects.filter(ledger="sar").count() == 6


def test_the_sealer_refuses_to_go_on_after_a_cut(chain: list[SarEntry], noon: Any) -> None:
    with without_triggers():
        sql(f"DELETE FROM {SEALS} WHERE position = 6")
    with pytest.raises(sealer.SealingRefused, match="run verify_ledger"):
        sealer.seal_ledger(ledger="sar", now=noon)


def test_nullable_columns_added_later_leave_old_seals_whole(
    chain: list[SarEntry], monkeypatch: Any
) -> None:
    real = EnvelopeEncoder.texts
    assert "payload" not in chain[0].envelope() and chain[0].envelope()["ref"] == "r1"
    entry = SarEntry(kind="k", ref="r")
    assert "id" not in entry.envelope()  # what is null is not part of the seal

    def longer(self: EnvelopeEncoder, values: Any) -> Any:
        return tuple(f'{{"added":"x",{one[1:]}' for one in real(self, values))

    monkeypatch.setattr(EnvelopeEncoder, "texts", longer)
    assert len(faults()) == 6


# --- two sealers ----------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_sealers_at_once_make_one_chain(write: Any, noon: Any) -> None:
    write(60)
    done: list[int] = []
    gate = threading.Barrier(4)

    def work() -> None:
        gate.wait()
        total = 0
        while count := sealer.seal_ledger(ledger="sar", now=noon, limit=7):
            total += count
        done.append(total)
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sum(done) == 60 and len(done) == 4
    assert verifier.verify_ledger(ledger="sar").sealed == 60 and faults() == []


def test_ledger_names_are_stable() -> None:
    assert {"purges", "sar", "screens", "decisions"} <= set(ledger_models())
    assert records.GENESIS == "0" * 64


def test_a_bookmark_where_the_sealer_never_was_stops_it_and_is_named(write: Any, noon: Any) -> None:
    write(1)
    sealer.seal_ledger(ledger="sar", now=noon)
    for change in ({"watermark": 10**9}, {"candidate": 10**9, "watermark": 0}):
        LedgerHead.objects.filter(ledger="sar").update(**change)
        with pytest.raises(sealer.SealingRefused, match="bookmark"):
            sealer.seal_ledger(ledger="sar", now=noon)
        assert any("bookmark" in fault for fault in verifier.verify_ledger(ledger="sar").faults)
