"""The commands of retention: what operators type, and what they are told."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.backoffice.sar.models import SarEntry
from apps.platform.ledger import retention
from apps.platform.ledger.models import LegalHold, PurgeEvent

pytestmark = pytest.mark.django_db


def test_an_erasure_order_purges_one_record_and_is_recorded(
    chain: list[SarEntry], capsys: Any
) -> None:
    call_command("purge_record", "sar", str(chain[2].pk), "--by", "ann", "--reason", "Court 7/26")
    call_command("purge_record", "sar", str(chain[2].pk), "--by", "bob")
    printed = capsys.readouterr().out
    assert "is purged" in printed and "had already been purged" in printed
    assert [bool(e.payload) for e in SarEntry.objects.order_by("pk")].count(False) == 1
    event = PurgeEvent.objects.get()
    assert (event.record_id, event.reason, event.by) == (chain[2].pk, "ERASURE", "ann")
    assert event.data["why"] == "Court 7/26"


def test_an_erasure_without_its_order_is_refused_while_the_law_wants_it_kept(
    chain: list[SarEntry],
) -> None:
    with pytest.raises(
        CommandError, match="The law requires payloads of sar to be retained for 10 years"
    ):
        call_command("purge_record", "sar", str(chain[2].pk), "--by", "ann")


@pytest.mark.parametrize(("ledger", "record"), [("sar", "999999"), ("none", "1"), ("purges", "1")])
def test_what_cannot_be_purged_is_an_error_in_words(ledger: str, record: str) -> None:
    with pytest.raises(CommandError, match=r"No ledger|has no record|keep their payload"):
        call_command("purge_record", ledger, record, "--by", "ann")


def test_holds_are_placed_listed_and_lifted(chain: list[SarEntry], capsys: Any) -> None:
    record = str(chain[0].pk)
    call_command("legal_hold", "place", "sar", record, "--reason", "court 12/26", "--by", "ann")
    hold = LegalHold.objects.get()
    call_command("legal_hold", "list")
    assert f"{hold.pk}: sar {record}" in (printed := capsys.readouterr().out)
    assert "court 12/26" in printed and "by ann" in printed
    with pytest.raises(CommandError, match="legal hold applies"):
        call_command("purge_record", "sar", record, "--by", "ann")
    call_command("legal_hold", "lift", str(hold.pk), "--by", "bob", "--reason", "over")
    assert not retention.active_holds(ledger="sar").exists()
    with pytest.raises(CommandError, match=f"no active hold {hold.pk}"):
        call_command("legal_hold", "lift", str(hold.pk), "--by", "bob", "--reason", "over")
    capsys.readouterr()
    call_command("legal_hold", "list")
    assert capsys.readouterr().out == ""


def test_a_hold_on_nothing_is_refused() -> None:
    with pytest.raises(CommandError, match="has no record"):
        call_command("legal_hold", "place", "sar", "999999", "--reason", "r", "--by", "ann")
