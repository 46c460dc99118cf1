"""How a list has a party is told by a digest, which changes with whatever the list says of it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.compliance.screening.case_types.screens import SCREEN
from apps.platform.crypto.canonical import canonical_digest
from apps.reference.watchlists.listed_entity import (
    Identifier,
    ListedEntity,
    ListedName,
    serialize_entity,
)
from apps.reference.watchlists.models import EntityState, ListVersion, Source
from apps.reference.watchlists.selectors.list_entries import load_entries
from tests.review.people import NOON

HADAD = ListedEntity(
    entity_id="7",
    schema="Person",
    names=(ListedName("HADAD, Chen", "primary"), ListedName("Abu Chen")),
    birth_dates=("1961-02-03",),
    identifiers=(Identifier("passport", "N123", "SY"),),
    programs=("SDGT",),
)


def store(entity: ListedEntity, *, slug: str = "test", first: int = 1, last: Any = None) -> None:
    source, _ = Source.objects.get_or_create(
        slug=slug, defaults={"title": "x", "topic": "sanction", "kind": "official", "format": "csv"}
    )
    version, _ = ListVersion.objects.get_or_create(
        source=source, sequence=first, defaults={"checksum": "0" * 64, "fetched_at": NOON}
    )
    Source.objects.filter(pk=source.pk).update(live=version)
    data = serialize_entity(entity)
    EntityState.objects.create(
        source=source, entity_id=entity.entity_id, digest=canonical_digest(data), data=data,
        first_sequence=first, last_sequence=last,
    )  # fmt: skip


def digests(keys: list[str], **seen: Any) -> dict[str, str]:
    return {key: entry.digest for key, entry in load_entries(keys, **seen).items()}


def _seen(**versions: int) -> dict[str, Any]:
    return {"versions": {"lists": versions}}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "change",
    [
        {"names": (ListedName("HADDAD, Chen", "primary"), ListedName("Abu Chen"))},
        {"names": (ListedName("HADAD, Chen", "primary"),)},
        {"names": (ListedName("HADAD, Chen", "primary"), ListedName("Abu Chen", weak=True))},
        {"schema": "Organization"},
        {"birth_dates": ("1961",)},
        {"identifiers": (Identifier("passport", "N124", "SY"),)},
        {"programs": ("SDGT", "SYRIA")},
    ],
)
def test_whatever_changes_of_a_party_changes_its_digest(change: dict[str, Any]) -> None:
    store(HADAD, first=1, last=1)
    seen = digests(["test:7"])
    store(replace(HADAD, **change), first=2)
    assert digests(["test:7"])["test:7"] != seen["test:7"]
    assert digests(["test:7"], seen=_seen(test=1)) == seen
    assert digests(["test:7"], seen=_seen(test=2)) == digests(["test:7"])


@pytest.mark.django_db
def test_a_party_that_left_has_none_and_another_list_is_another_party() -> None:
    store(HADAD, first=1, last=1)
    store(replace(HADAD, entity_id="8"), first=2)
    assert set(digests(["test:7", "test:8", "other:8", "nonsense"])) == {"test:8"}
    assert digests(["test:8"], seen=_seen(other=1)) == {}


@pytest.mark.django_db
def test_all_parties_take_two_queries(django_assert_num_queries: Any) -> None:
    for number in range(9):
        store(replace(HADAD, entity_id=f"{number}:x"), slug=f"list{number % 3}")
    keys = [f"list{number % 3}:{number}:x" for number in range(9)]
    with django_assert_num_queries(2):
        assert set(digests(keys)) == set(keys)


def test_the_party_of_a_flagged_screen_is_known_by_the_entries_it_matched(
    screen: Callable[..., dict[str, Any]],
) -> None:
    assert screen(name="Hamas Trading")["decision"] == "FLAGGED"
    case = Case.objects.get()
    assert SCREEN.listed is not None and SCREEN.entries is not None
    keys = [one.key for one in SCREEN.listed(case.evidence)]
    assert keys and " ".join(sorted(keys)) == case.entity_key
    assert set(SCREEN.entries(keys, seen=case.evidence)) == set(keys)
    assert SCREEN.entries(keys) == SCREEN.entries(keys, seen=case.evidence)
