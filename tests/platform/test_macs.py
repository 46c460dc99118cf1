"""MACs of records: with the database's password but not the key, nothing written counts."""

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from apps.backoffice.sar.models import SarEntry
from apps.platform.crypto import macs
from apps.platform.crypto.canonical import canonical_json
from apps.platform.ledger import sealer
from apps.platform.ledger.models import LedgerHead, PurgeEvent, PurgeReason, Seal
from apps.platform.ledger.records import ledger_models
from apps.platform.ledger.retention import purge_payload
from apps.platform.ledger.verification import verifier
from tests.platform.tampering import copied, sql, without_triggers

pytestmark = pytest.mark.django_db
TABLE, SEALS = SarEntry._meta.db_table, Seal._meta.db_table
OLD, NEW = f"old:{'11' * 32}", f"new:{'22' * 32}"


def faults(ledger: str = "sar") -> list[str]:
    return verifier.verify_ledger(ledger=ledger).faults


def test_every_ledger_says_which_key_made_the_mac_of_its_records(write: Any) -> None:
    for model in ledger_models().values():
        assert {"mac", "mac_key"} <= {field.name for field in model._meta.concrete_fields}
    (entry,) = write(1)
    entry.refresh_from_db()
    assert (entry.mac_key, len(entry.mac), entry.mac_fault()) == ("sandbox", 64, "")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("payload", "{}"),
        ("salt", "00"),
        ("ref", "other"),
        ("kind", "other"),
        ("recorded_at", "2020-01-01 00:00:00+00"),
        ("mac", "0" * 64),
        ("mac", None),
        ("mac_key", None),
        ("mac_key", "other"),
    ],
)
def test_a_record_with_any_column_changed_is_not_ours(
    write: Any, column: str, value: str | None
) -> None:
    (entry,) = write(1)
    with without_triggers():
        sql(f"UPDATE {TABLE} SET {column} = %s WHERE id = %s", value, entry.pk)
    entry.refresh_from_db()
    assert entry.mac_fault()


def test_a_mac_of_one_ledger_is_worth_nothing_in_another(write: Any, monkeypatch: Any) -> None:
    (entry,) = write(1)
    monkeypatch.setattr(SarEntry, "LEDGER", "other")
    assert "does not hold" in entry.mac_fault()


# --- keys -------------------------------------------------------------------------------


def test_after_a_rotation_old_records_verify_and_new_ones_bear_the_new_key(
    write: Any, settings: Any, noon: Any
) -> None:
    settings.LEDGER_KEYS = OLD
    (old,) = write(1)
    settings.LEDGER_KEYS = f"{NEW},{OLD}"
    (new,) = write(1, first=2)
    assert (old.mac_key, new.mac_key) == ("old", "new")
    assert sealer.seal_ledger(ledger="sar", now=noon) == 2 and faults() == []
    settings.LEDGER_KEYS = NEW
    forged, *parties = faults()
    assert "the key 'old', which LEDGER_KEYS does not hold" in forged
    # parties are found under the oldest key: without it no matter is its party's
    assert len(parties) == 2 and all("the oldest of LEDGER_KEYS" in fault for fault in parties)


def test_a_keyed_digest_stands_over_a_rotation_and_falls_with_its_key(settings: Any) -> None:
    old, new = "a1" * 32, "b2" * 32
    settings.LEDGER_KEYS = f"2025:{old}"
    made = macs.keyed_digest(what="party", of=["account:1", "Börge"])
    assert len(made) == 64 and made != macs.keyed_digest(what="client", of=["account:1", "Börge"])
    assert made != macs.keyed_digest(what="party", of=["account:1Börge"])
    settings.LEDGER_KEYS = f"2026:{new},2025:{old}"
    assert macs.keyed_digest(what="party", of=["account:1", "Börge"]) == made
    settings.LEDGER_KEYS = f"2026:{new}"
    assert macs.keyed_digest(what="party", of=["account:1", "Börge"]) != made


@pytest.mark.parametrize(
    "keys", ["", "a", "a:11", f":{'11' * 32}", f"a:{'zz' * 32}", f"{OLD},{OLD}", f"{'x' * 21}:11"]
)
def test_bad_keys_are_refused_at_the_start(settings: Any, keys: str) -> None:
    settings.PRODUCTION, settings.LEDGER_KEYS = True, keys
    with pytest.raises(ImproperlyConfigured, match=r"LEDGER_KEYS .*(set it|write)"):
        macs.ledger_keys()


def test_a_sandbox_without_keys_has_one_of_its_own(settings: Any) -> None:
    settings.LEDGER_KEYS = ""
    assert set(macs.ledger_keys()) == {"sandbox"}


# --- what is inserted by hand -------------------------------------------------------------


def test_a_record_written_by_hand_is_never_sealed_and_stops_no_other(
    chain: list[SarEntry], write: Any, noon: Any
) -> None:
    forged = copied(chain[0], ref="forged")
    write(2, first=20)
    found: list[str] = []
    assert sealer.seal_ledger(ledger="sar", now=noon, refused=found) == 2
    assert found == [f"ledger sar, record {forged}: not sealed, {DOES_NOT_HOLD}"]
    assert not Seal.objects.filter(ledger="sar", record_id=forged).exists()
    assert f"record {forged}: not sealed, {DOES_NOT_HOLD}" in faults()


DOES_NOT_HOLD = "its MAC does not hold: it was not written by this platform, or was altered"


def test_forged_records_without_end_keep_no_other_from_its_seal(write: Any, noon: Any) -> None:
    (entry,) = write(1)
    sealer.seal_ledger(ledger="sar", now=noon)
    for number in range(5):
        copied(entry, ref=f"forged {number}")
    write(1, first=30)
    assert sealer.seal_ledger(ledger="sar", now=noon, limit=2) == 1
    assert Seal.objects.filter(ledger="sar").count() == 2


def test_a_record_that_is_copied_whole_is_not_sealed(chain: list[SarEntry], noon: Any) -> None:
    with without_triggers():
        sql(f"UPDATE {TABLE} SET ref = 'away' WHERE id = %s", chain[0].pk)
        copy = copied(chain[0])
        sql(f"UPDATE {TABLE} SET ref = ref || '!' WHERE id = %s", chain[0].pk)
    found: list[str] = []
    assert sealer.seal_ledger(ledger="sar", now=noon, refused=found) == 0
    assert f"record {copy}: not sealed, it is a copy of another record" in found[0]


def test_a_copy_that_was_sealed_by_hand_is_found(chain: list[SarEntry]) -> None:
    with without_triggers():
        sql(f"UPDATE {SEALS} SET content = %s WHERE position = 5", chain[0].content_hash())
    ids = f"{chain[0].pk}, {chain[4].pk}"
    assert f"records {ids}: copies of the same record" in faults()


def test_a_chain_that_was_hashed_anew_over_an_altered_record_is_found(
    chain: list[SarEntry], noon: Any
) -> None:
    with without_triggers():
        sql(f"UPDATE {TABLE} SET payload = '{{}}' WHERE id = %s", chain[5].pk)
        sql(f"DELETE FROM {SEALS} WHERE position = 6")
    last = Seal.objects.get(position=5)
    LedgerHead.objects.update(position=5, digest=last.digest)
    entry = SarEntry.objects.get(pk=chain[5].pk)
    head = LedgerHead.objects.get(ledger="sar")
    sealer._build_next_seal(head, entry, noon).save()
    head.save()
    assert faults() == [f"position 6, record {entry.pk}: {DOES_NOT_HOLD}"]


def test_a_trigger_that_was_dropped_is_a_fault(chain: list[SarEntry]) -> None:
    assert faults() == []
    with without_triggers():
        found = [fault for fault in faults() if fault.startswith("trigger missing")]
        assert any(f"{TABLE}_no_update" in fault for fault in found)
        assert any(f"{SEALS}_no_delete" in fault for fault in found)
    assert faults() == []


# --- purges -----------------------------------------------------------------------------------


@pytest.fixture
def purged(chain: list[SarEntry], noon: Any) -> SarEntry:
    """A record whose payload left as it should, and the event of it."""
    given = {"reason": PurgeReason.ERASURE, "by": "ann", "why": "Court order 7"}
    purge_payload(ledger="sar", record_id=chain[1].pk, now=noon, **given)
    sealer.seal_all_ledgers(now=noon)
    return chain[1]


def test_a_payload_blanked_beside_a_forged_purge_is_found(
    purged: SarEntry, chain: list[SarEntry]
) -> None:
    assert faults() == [] and faults("purges") == []
    event = PurgeEvent.objects.get()
    sql(f"UPDATE {TABLE} SET payload = '', salt = '' WHERE id = %s", chain[3].pk)
    copied(event, record_id=chain[3].pk)
    said = f"record {chain[3].pk}: the payload is missing and the recorded purge is forged"
    assert len(faults()) == 1 and faults()[0].startswith(said)


def test_a_purge_that_is_recorded_of_another_payload_is_found(
    chain: list[SarEntry], noon: Any
) -> None:
    sql(f"UPDATE {TABLE} SET payload = '', salt = '' WHERE id = %s", chain[3].pk)
    about = {"of_ledger": "sar", "record_id": chain[3].pk, "reason": "ERASURE", "by": "dba"}
    PurgeEvent.write(payload={"position": 1, "content": "x"}, now=noon, **about)
    assert "the recorded purge is of another record" in faults()[0]


def test_a_tombstone_with_an_altered_envelope_is_found(purged: SarEntry) -> None:
    with without_triggers():
        sql(f"UPDATE {TABLE} SET kind = 'x' WHERE id = %s", purged.pk)
    assert faults()[0] == f"position 2, record {purged.pk}: the record or its seal was altered"


# --- one ledger's fault ------------------------------------------------------------------------


def test_one_damaged_head_stops_its_own_ledger_and_no_other(
    chain: list[SarEntry], purged: SarEntry, write: Any, noon: Any
) -> None:
    LedgerHead.objects.filter(ledger="purges").update(position=99)
    write(1, first=40)
    with pytest.raises(sealer.SealingRefused, match="ledger purges: run verify_ledger"):
        sealer.seal_all_ledgers(now=noon)
    assert Seal.objects.filter(ledger="sar").count() == 7


def test_what_the_sealer_says_names_no_confidential_ledger(
    chain: list[SarEntry], write: Any, noon: Any, caplog: Any
) -> None:
    copied(chain[0], ref="forged")
    LedgerHead.objects.filter(ledger="sar_filings").update(position=99)
    LedgerHead.objects.get_or_create(ledger="sar_reads", defaults={"position": 9, "digest": "x"})
    with pytest.raises(sealer.SealingRefused) as refused:
        sealer.seal_all_ledgers(now=noon)
    assert "a ledger has faults: run verify_ledger" in str(refused.value)
    assert "sar" not in str(refused.value) and "sar" not in caplog.text


def test_the_command_seals_what_is_ours_and_then_names_what_is_not(
    chain: list[SarEntry], write: Any, capsys: Any, noon: Any
) -> None:
    sealer.seal_all_ledgers(now=noon)
    forged = copied(chain[0], ref="forged")
    write(1, first=50)
    with pytest.raises(CommandError, match="2 fault"):  # and it has no matter
        call_command("verify_ledger", "sar", "--seal")
    printed = capsys.readouterr().out
    assert "sealed 1 waiting records" in printed and f"record {forged}: not sealed" in printed


def test_what_a_mac_is_made_over_has_the_canonical_form() -> None:
    said = {"ledger": "é", "record": {"b": 1, "a": "ü\n", "c": True}, "content": "x"}
    assert macs._ENCODER.encode(said).encode() == canonical_json(said)
