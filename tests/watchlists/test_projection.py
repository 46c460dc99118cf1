"""Lists are held against their records: whoever takes a party off by hand is found out."""

import json
from collections.abc import Callable
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps

from apps.core import sealing
from apps.watchlists import actions
from apps.watchlists.catalog import ensure_sources
from apps.watchlists.models import EntityState, ListRecord, ListVersion, Source
from apps.watchlists.projection import MOST_NAMED, compare
from tests.core.tampering import sql, without_triggers

Make, Write = Callable[..., Source], Callable[..., Path]
STATES = EntityState._meta.db_table


@pytest.fixture
def house(source: Make, write: Write, noon: datetime) -> Source:
    """A list in its third version: parties came, changed and went; one version was refused."""
    made = source()
    days = (
        {"1": "Ann", "2": "Bob", "3": "Cem", "4": "Dora"},
        {"1": "Ann", "2": "Bobby", "3": "Cem", "5": "Emil"},
        {},
        {"1": "Ann", "2": "Bobby", "3": "Cemal", "5": "Emil", "6": "Fay"},
    )
    for number, parties in enumerate(days):
        path = write(f"{number}.csv", parties)
        if parties:
            actions.import_files(source=made, paths=[path], now=noon)
        else:
            with pytest.raises(actions.ImportRefused):
                actions.import_files(source=made, paths=[path], now=noon)
    return made


def faults() -> list[str]:
    return list(compare(lambda done: None))


def test_lists_are_what_went_live_version_by_version(house: Source) -> None:
    assert faults() == []
    recorded = ListRecord.objects.exclude(sequence=None).order_by("pk")
    assert list(recorded.values_list("sequence", flat=True)) == [1, 2, 4]
    assert [record.data["begun"]["count"] for record in recorded] == [4, 2, 2]
    assert [record.data["ended"]["count"] for record in recorded] == [0, 2, 1]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DELETE FROM {t} WHERE entity_id = '1'", "version 1: parties listed anew are not"),
        ("DELETE FROM {t} WHERE entity_id = '6'", "version 4: parties listed anew are not"),
        ("UPDATE {t} SET entity_id = '9' WHERE entity_id = '1'", "version 1: parties listed anew"),
        ("UPDATE {t} SET last_sequence = 2 WHERE entity_id = '1'", "version 3: it never went"),
        ("UPDATE {t} SET last_sequence = 1 WHERE entity_id = '1'", "version 2: parties listed no"),
        ("UPDATE {t} SET last_sequence = NULL WHERE entity_id = '4'", "version 2: parties listed"),
        ("UPDATE {t} SET first_sequence = 3 WHERE entity_id = '6'", "version 3: it never went"),
        ("UPDATE {t} SET digest = 'x' WHERE entity_id = '1'", "the state of 1 was altered"),
    ],
)
def test_a_party_that_was_changed_by_hand_is_found(
    house: Source, statement: str, said: str
) -> None:
    assert sql(statement.format(t=STATES)) == 1
    assert any(said in fault for fault in faults()), faults()


@pytest.mark.parametrize("change", [{"full": "Nobody"}, {"full": 0.5}])
def test_a_name_that_was_changed_by_hand_is_found(house: Source, change: dict[str, Any]) -> None:
    state = EntityState.objects.get(entity_id="1")
    state.data["names"][0] |= change
    sql(f"UPDATE {STATES} SET data = %s WHERE id = %s", json.dumps(state.data), state.pk)
    assert faults() == ["list house: the state of 1 was altered"]


def test_many_altered_parties_are_counted_not_listed(
    source: Make, write: Write, noon: datetime
) -> None:
    parties = {str(number): f"Party {number}" for number in range(MOST_NAMED + 5)}
    actions.import_files(source=source(), paths=[write("a.csv", parties)], now=noon)
    EntityState.objects.update(data={})
    assert faults()[-1] == "list house: so were 5 more" and len(faults()) == MOST_NAMED + 1


def test_a_source_that_points_at_an_old_version_is_found(house: Source) -> None:
    Source.objects.update(live=ListVersion.objects.get(sequence=1))
    assert faults() == ["list house: live is version 1, recorded is 4"]


def test_a_switch_that_nobody_recorded_is_found(house: Source, noon: datetime) -> None:
    house.switch(enabled=False, now=noon)
    assert faults() == []
    Source.objects.update(enabled=True)
    assert faults() == ["list house: it is on, and no record says so"]


BY_HAND = [
    ({"required": True}, "required for every screen is yes, recorded is no"),
    ({"max_age_hours": 9000}, "age limit in hours is 9000, recorded is the general limit"),
    ({"max_age_hours": 0}, "age limit in hours is 0, recorded is the general limit"),
    ({"minimum_percent": 0}, "least share of the live version, in percent is 0, recorded is 90"),
    (
        {"urls": ["https://elsewhere.example"]},
        "addresses to download from is https://elsewhere.exam",
    ),
    ({"enabled": False}, "it is off, and no record says so"),
]


@pytest.mark.parametrize(("altered", "said"), BY_HAND)
def test_what_a_list_is_judged_by_is_as_two_people_left_it(
    house: Source, write: Write, noon: datetime, altered: dict[str, Any], said: str
) -> None:
    Source.objects.update(**altered)
    (fault,) = faults()
    assert fault.startswith(f"list house: {said}")
    # a further version does not bless it
    path = write("next.csv", {"1": "Ann", "2": "Bobby", "3": "Cemal", "5": "Emil", "8": "Ida"})
    house.refresh_from_db()
    actions.import_files(source=house, paths=[path], now=noon)
    assert faults() == [fault]


@pytest.mark.parametrize(("altered", "said"), BY_HAND)
def test_a_known_list_that_was_never_loaded_stands_as_it_was_made(
    db: Any, altered: dict[str, Any], said: str
) -> None:
    ensure_sources()
    assert faults() == []
    Source.objects.filter(slug="un-sc").update(**altered)
    assert [fault.split(" is ")[0] for fault in faults()] == [
        f"list un-sc: {said}".split(" is ")[0]
    ]


def test_a_policy_is_recorded_for_the_lists_that_an_upgrade_finds(source: Make) -> None:
    made = source(required=True, minimum_percent=70)
    upgrade = import_module("apps.watchlists.migrations.0008_recorded_policy")
    upgrade.record_what_lists_are_judged_by(apps, None)
    assert faults() == []
    Source.objects.filter(pk=made.pk).update(required=False)
    assert len(faults()) == 1


def test_an_import_that_runs_while_lists_are_verified_is_no_fault(
    house: Source, write: Write, noon: datetime, monkeypatch: Any
) -> None:
    real = EntityState.objects.filter
    path = write("late.csv", {"1": "Ann", "2": "Bobby", "3": "Cemal", "5": "Emil", "7": "Gus"})

    def late(*args: Any, **given: Any) -> Any:
        monkeypatch.setattr(EntityState.objects, "filter", real)
        actions.import_files(source=house, paths=[path], now=noon)
        return real(*args, **given)

    monkeypatch.setattr(EntityState.objects, "filter", late)
    assert faults() == [] and faults() == []
    house.refresh_from_db()
    assert house.live is not None and house.live.sequence == 5


def test_the_verification_of_the_ledger_says_so(house: Source, noon: datetime) -> None:
    sealing.seal_all(now=noon)
    assert sealing.verify(ledger="lists").faults == []
    sql(f"DELETE FROM {STATES} WHERE entity_id = '1'")
    assert len(sealing.verify(ledger="lists").faults) == 1


def test_versions_from_before_there_were_records_are_recorded_at_the_upgrade(
    house: Source, noon: datetime
) -> None:
    migration = import_module("apps.watchlists.migrations.0003_records")
    with without_triggers():
        sql(f"DELETE FROM {ListRecord._meta.db_table}")
    assert "live is version 4, recorded is None" in faults()[0]
    migration.record_what_is_live(apps, None)
    assert faults() == [] and ListRecord.objects.count() == 3
    sealing.seal_all(now=noon)
    assert sealing.verify(ledger="lists").faults == []


def test_records_that_cannot_be_read_are_a_fault_and_no_failure(
    house: Source, noon: datetime
) -> None:
    sealing.seal_all(now=noon)
    with without_triggers():
        sql(f"UPDATE {ListRecord._meta.db_table} SET payload = 'x'")
    assert any("records are damaged" in fault for fault in sealing.verify(ledger="lists").faults)
