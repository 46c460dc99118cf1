"""What earlier releases left is brought on as it was decided then, whatever the rules say now."""

import importlib
from datetime import date, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.sar.models import FilingEvent, SarEntry, SarMatter, SarParty
from apps.sar.projection import compare
from tests.review.people import NOON, SENIOR, person

pytestmark = pytest.mark.django_db
KEYED = importlib.import_module("apps.sar.migrations.0010_keyed_parties")
ROWS = importlib.import_module("apps.sar.migrations.0011_parties_in_rows")
PARTIES = importlib.import_module("apps.sar.migrations.0007_parties_and_clocks")
# SHA-256 of ["account:1","name","boris hadad"] as the log kept it in that release
BORIS = "d15d16ba1da7fad95b229c220f4dd0dfd040061ef7ad996d6a572938ff8e85cd"


def entry(ref: str, *, sanctions: bool = False, ago: int = 0, **payload: Any) -> SarEntry:
    told = {"owner": "account:1", "party": "Boris Hadad", "sanctions": sanctions} | payload
    made: SarEntry = SarEntry.write(
        payload=told, now=NOON - timedelta(days=ago), kind="screen", ref=ref
    )
    return made


def record(of: SarEntry, *actions: str) -> None:
    """Record steps without a day of their own, as that release did, a day after one another."""
    by = person(f"for{of.pk}", SENIOR)
    for number, action in enumerate(actions, 1):
        FilingEvent.write(
            payload={}, now=of.recorded_at + timedelta(days=number), entry=of, number=number,
            action=action, by=by,
        )  # fmt: skip


def forgotten() -> None:
    SarMatter.objects.update(party_key="", next_by=None, next_clock="")


@pytest.mark.parametrize(
    ("sanctions", "actions", "clock", "by"),
    [
        (False, [], "SAR-1", date(2026, 12, 20)),
        (True, [], "OFAC-1", date(2026, 12, 7)),  # Thanksgiving lies between
        (False, ["NO_SUSPECT"], "SAR-1", date(2027, 1, 19)),
        (False, ["NOT_FILED"], "", None),
        (False, ["NOT_FILED", "TO_FILE"], "SAR-1", date(2026, 12, 20)),
        (False, ["FILED"], "SAR-2", date(2027, 3, 21)),
        (False, ["FILED", "CONTINUES"], "SAR-3", date(2027, 3, 21)),
        (False, ["FILED", "ENDED"], "", None),
        (False, ["FILED", "ENDED", "REFERRED"], "SAR-1", date(2026, 12, 23)),
        (False, ["NOT_FILED", "MATCHED"], "OFAC-1", date(2026, 12, 7)),  # of a Sunday
        (True, ["NOT_FILED", "OFAC_NONE"], "", None),
        (True, ["NOT_FILED", "OFAC_REJECTED"], "", None),
        (True, ["NOT_FILED", "OFAC_BLOCKED"], "OFAC-2", date(2027, 9, 30)),
        (True, ["NOT_FILED", "OFAC_BLOCKED", "ANNUAL"], "OFAC-2", date(2028, 9, 30)),
        (True, ["NOT_FILED", "OFAC_BLOCKED", "RELEASED"], "", None),
    ],
)
def test_matters_of_an_earlier_release_get_the_clock_that_it_gave_them(
    sanctions: bool, actions: list[str], clock: str, by: date | None
) -> None:
    record(entry("1", sanctions=sanctions), *actions)
    forgotten()
    PARTIES.bring_on(apps, None)
    matter = SarMatter.objects.get()
    assert (matter.next_clock, matter.next_by) == (clock, by)


def test_matters_of_an_earlier_release_get_their_party() -> None:
    lei = "INR2EJN1ERAN0W5ZP974"
    entry("1"), entry("2", party="HADAD, boris"), entry("3", owner="account:2")
    entry("4", lei=lei), entry("5", lei=lei.lower(), party="Another"), entry("6", party="")
    forgotten()
    PARTIES.bring_on(apps, None)
    keys = list(SarMatter.objects.order_by("pk").values_list("party_key", flat=True))
    assert keys[0] == keys[1] == BORIS and keys[3] == keys[4]
    assert len(set(keys)) == 4 and all(len(key) == 64 for key in keys)


def test_matters_of_an_earlier_release_are_written_in_batches(monkeypatch: Any) -> None:
    monkeypatch.setattr(PARTIES, "BATCH", 10)
    for number in range(30):
        record(entry(str(number)), "NOT_FILED")
    forgotten()
    with CaptureQueriesContext(
        connection,
    ) as seen:
        PARTIES.bring_on(apps, None)
    written = [one["sql"] for one in seen if one["sql"].startswith("UPDATE")]
    read = [one["sql"] for one in seen if one["sql"].startswith("SELECT")]
    assert len(written) == 3 and len(read) <= 5
    assert not SarMatter.objects.filter(party_key="").exists()


def test_parties_of_an_earlier_release_get_their_keys_and_purged_ones_lose_theirs(
    django_assert_max_num_queries: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(KEYED, "BATCH", 10)
    for number in range(30):
        entry(str(number), party=f"Party {number % 7}", lei="", owner="")
    gone = entry("gone")
    SarEntry.objects.filter(pk=gone.pk).update(payload="", salt="")
    PARTIES.bring_on(apps, None)
    before = dict(SarMatter.objects.values_list("pk", "party_key"))
    with django_assert_max_num_queries(12):
        KEYED.rekey(apps, None)
    SarParty.objects.all().delete()
    ROWS.gather(apps, None)
    assert not set(before.values()) & set(SarMatter.objects.values_list("party_key", flat=True))
    assert list(compare(lambda done: None)) == []
