"""Lists are held against their records: whoever takes a party off by hand is found out."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from apps.platform.ledger import sealer
from apps.platform.ledger.verification import verifier
from apps.reference.watchlists.catalog import ensure_sources
from apps.reference.watchlists.integrity import MOST_NAMED, verify_lists
from apps.reference.watchlists.models import (
    EntityState,
    ListRecord,
    ListVersion,
    Source,
    SourceKind,
    VersionStatus,
)
from apps.reference.watchlists.services import list_imports
from tests.conftest import NOON
from tests.platform.tampering import sql, without_triggers

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
            list_imports.import_files(source=made, paths=[path], now=noon)
        else:
            with pytest.raises(list_imports.ImportRefused):
                list_imports.import_files(source=made, paths=[path], now=noon)
    return made


def faults() -> list[str]:
    return list(verify_lists(lambda done: None))


def test_lists_are_what_went_live_version_by_version(house: Source) -> None:
    assert faults() == []
    recorded = ListRecord.objects.exclude(sequence=None).order_by("pk")
    assert list(recorded.values_list("sequence", flat=True)) == [1, 2, 4]
    assert [record.data["begun"]["count"] for record in recorded] == [4, 2, 2]
    assert [record.data["ended"]["count"] for record in recorded] == [0, 2, 1]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DELETE FROM {t} WHERE entity_id = '1'", "version 1: parties added differ"),
        ("DELETE FROM {t} WHERE entity_id = '6'", "version 4: parties added differ"),
        ("UPDATE {t} SET entity_id = '9' WHERE entity_id = '1'", "version 1: parties added"),
        ("UPDATE {t} SET last_sequence = 2 WHERE entity_id = '1'", "version 3: it never went"),
        ("UPDATE {t} SET last_sequence = 1 WHERE entity_id = '1'", "version 2: parties removed"),
        ("UPDATE {t} SET last_sequence = NULL WHERE entity_id = '4'", "version 2: parties removed"),
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
    list_imports.import_files(source=source(), paths=[write("a.csv", parties)], now=noon)
    EntityState.objects.update(data={})
    assert (
        faults()[-1] == "list house: 5 more states were altered" and len(faults()) == MOST_NAMED + 1
    )


def test_a_source_that_points_at_an_old_version_is_found(house: Source) -> None:
    Source.objects.update(live=ListVersion.objects.get(sequence=1))
    assert faults() == ["list house: live is version 1, recorded is 4"]


def test_a_switch_that_nobody_recorded_is_found(house: Source, noon: datetime) -> None:
    house.switch(enabled=False, now=noon)
    assert faults() == []
    Source.objects.update(enabled=True)
    assert faults() == ["list house: it is on without a record"]


BY_HAND = [
    ({"required": True}, "required for every screen is yes, recorded is no"),
    ({"max_age_hours": 9000}, "age limit in hours is 9000, recorded is the general limit"),
    ({"max_age_hours": 0}, "age limit in hours is 0, recorded is the general limit"),
    ({"minimum_percent": 0}, "least share of the live version, in percent is 0, recorded is 90"),
    (
        {"urls": ["https://elsewhere.example"]},
        "addresses to download from is https://elsewhere.exam",
    ),
    ({"enabled": False}, "it is off without a record"),
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
    list_imports.import_files(source=house, paths=[path], now=noon)
    assert faults() == [fault]


@pytest.mark.parametrize(
    ("altered", "said"),
    [
        ({"kind": "sample"}, "kind is sample, recorded is in_house"),
        ({"topic": "other"}, "topic is other, recorded is sanction"),
        ({"columns": {"name": "alias"}}, "column mapping is name from alias, recorded is noth"),
        ({"last_checked_at": NOON + timedelta(seconds=1)}, "time of the last check is 2026"),
        ({"last_checked_at": None}, "time of the last check is nothing, recorded is 2026"),
    ],
)
def test_what_a_list_is_and_when_it_was_checked_is_as_recorded(
    house: Source, altered: dict[str, Any], said: str, noon: datetime
) -> None:
    Source.objects.update(**altered)
    (fault,) = faults()
    assert fault.startswith(f"list house: {said}")
    house.refresh_from_db()
    house.set_policy("required", True, now=noon)  # another change does not bless it
    assert faults() == [fault]


@pytest.mark.parametrize(
    ("altered", "said"),
    [
        ({"published_at": NOON}, "publication of the live version is 2026-11-20T12:00:00"),
        ({"by_hand": True}, "given by an operator is yes, recorded is no"),
        ({"partial": True}, "incomplete is yes, recorded is no"),
    ],
)
def test_what_the_live_version_says_of_its_age_is_as_recorded(
    house: Source, altered: dict[str, Any], said: str, noon: datetime
) -> None:
    ListVersion.objects.filter(sequence=1).update(**altered)  # no screen rests on that one
    assert faults() == []
    ListVersion.objects.filter(sequence=4).update(**altered)
    (fault,) = faults()
    assert fault.startswith(f"list house: {said}")
    house.switch(enabled=False, now=noon)
    assert faults() == [fault]


@pytest.mark.parametrize(
    ("sequence", "status", "said"),
    [
        (4, VersionStatus.SUPERSEDED, "version 4: it is not marked as live"),
        (1, VersionStatus.LIVE, "version 1: it is live without a record"),
        (3, VersionStatus.LIVE, "version 3: it is live without a record"),
    ],
)
def test_a_version_whose_status_was_changed_is_found(
    house: Source, sequence: int, status: str, said: str
) -> None:
    ListVersion.objects.filter(sequence=sequence).update(status=status)
    assert faults() == [f"list house, {said}"]


def test_each_check_of_a_list_is_recorded_and_blesses_nothing_else(
    source: Make, write: Write, noon: datetime
) -> None:
    made, path = source(kind=SourceKind.OFFICIAL), write("a.csv", {"1": "Ann"})
    told = noon - timedelta(hours=9)
    for given in (
        list_imports.ImportTerms(published=told),
        list_imports.DEFAULT_TERMS,
        list_imports.ImportTerms(by_hand=True, published=told + timedelta(hours=1)),
        list_imports.DEFAULT_TERMS,
    ):
        noon += timedelta(hours=6)
        list_imports.import_files(source=made, paths=[path], now=noon, terms=given)
        assert faults() == []
    ListVersion.objects.update(published_at=noon)
    list_imports.import_files(source=made, paths=[path], now=noon + timedelta(hours=6))
    assert [fault.split(" is ")[0] for fault in faults()] == [
        "list house: publication of the live version"
    ]


def test_another_mapping_is_recorded(house: Source, noon: datetime) -> None:
    house.remap({"name": "alias"}, now=noon)
    assert faults() == []


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


def test_an_import_that_runs_while_lists_are_verified_is_no_fault(
    house: Source, write: Write, noon: datetime, monkeypatch: Any
) -> None:
    real = EntityState.objects.filter
    path = write("late.csv", {"1": "Ann", "2": "Bobby", "3": "Cemal", "5": "Emil", "7": "Gus"})

    def late(*args: Any, **given: Any) -> Any:
        monkeypatch.setattr(EntityState.objects, "filter", real)
        list_imports.import_files(source=house, paths=[path], now=noon)
        return real(*args, **given)

    monkeypatch.setattr(EntityState.objects, "filter", late)
    assert faults() == [] and faults() == []
    house.refresh_from_db()
    assert house.live is not None and house.live.sequence == 5


def test_the_verification_of_the_ledger_says_so(house: Source, noon: datetime) -> None:
    sealer.seal_all_ledgers(now=noon)
    assert verifier.verify_ledger(ledger="lists").faults == []
    sql(f"DELETE FROM {STATES} WHERE entity_id = '1'")
    assert len(verifier.verify_ledger(ledger="lists").faults) == 1


def test_records_that_cannot_be_read_are_a_fault_and_no_failure(
    house: Source, noon: datetime
) -> None:
    sealer.seal_all_ledgers(now=noon)
    with without_triggers():
        sql(f"UPDATE {ListRecord._meta.db_table} SET payload = 'x'")
    assert any(
        "records are damaged" in fault for fault in verifier.verify_ledger(ledger="lists").faults
    )
