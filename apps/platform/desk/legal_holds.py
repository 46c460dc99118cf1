"""Records for a legal hold: found by the search of every page, told in words.

Apps say in `HELD_WHOLE` what is held as a whole though it is several records (the steps of a case),
in `HELD_ALONG` what is held with it, and in `RECORD_WORDS` what tells the records of a ledger.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.platform.common.problems import NotFound
from apps.platform.common.registry import Registry
from apps.platform.desk import search
from apps.platform.ledger import retention
from apps.platform.ledger.models import LegalHold
from apps.platform.ledger.records import ledger_models

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from apps.platform.desk.search import SearchHit, SearchResults

# `(number) -> (ledger, numbers of its records)`
HeldRecordsFinder = Callable[[int], tuple[str, list[int]]]
HELD_WHOLE: Registry[HeldRecordsFinder] = Registry("thing that is held as a whole")
HELD_ALONG: dict[str, list[HeldRecordsFinder]] = {}

# Records of a ledger in words without anybody's name, and their addresses, by their numbers; those
# of other ledgers are told by ledger and number
RecordLabeller = Callable[[Collection[int]], dict[int, tuple[str, str]]]
RECORD_WORDS: Registry[RecordLabeller] = Registry("words of the records of a ledger")


@dataclass(frozen=True, slots=True)
class HoldGroup:
    """Holds that were placed in one go: `first` stands for all, `records` says how many.

    `parts` are the ledgers that they stand in, with how many records of each.
    """

    first: LegalHold
    label: str
    address: str
    records: int
    parts: tuple[tuple[str, int], ...] = ()


def visible_ledgers(user: "User") -> list[str]:
    """Return the ledgers whose app somebody has any business in; others are not named."""
    found = ledger_models().items()
    return sorted(name for name, model in found if user.has_module_perms(model._meta.app_label))


def search_holdable_records(
    *, user: "User", text: str, now: datetime
) -> tuple["SearchResults", list["SearchHit"]]:
    """Return what a search found, and of it what somebody may hold."""
    all_found = search.search_everything(user=user, text=text, now=now)
    holdable = {*_holdable_ledgers(user), *HELD_WHOLE}
    hits = [hit for group in all_found.groups for hit in group.hits]
    return all_found, [hit for hit in hits if hit.record.partition(":")[0] in holdable]


def _holdable_ledgers(user: "User") -> set[str]:
    return set(visible_ledgers(user)) & set(retention.purgeable_ledgers())


@transaction.atomic
def place_holds(*, user: "User", record: str, reason: str, now: datetime) -> int:
    """Hold what a hit of the search names (`Hit.record`); returns how many records that are.

    Raises NotFound for what is not there or not the user's to know of, Conflict for what left.
    """
    name, _, number = record.partition(":")
    plain = number.isascii() and number.isdigit() and len(number) <= 18
    parts = _records_by_ledger(name, int(number)) if plain else []
    if not parts or not parts[-1][1] or parts[-1][0] not in _holdable_ledgers(user):
        raise NotFound("There is no such record.")
    by, numbers = user.get_username(), [(ledger, one) for ledger, ones in parts for one in ones]
    for ledger, one in numbers:
        retention.place_hold(ledger=ledger, record_id=one, reason=reason, by=by, now=now)
    return len(numbers)


def _records_by_ledger(name: str, number: int) -> list[tuple[str, list[int]]]:
    """Return the records of what is held, by ledger; those that tell it come last."""
    if name not in HELD_WHOLE:
        return [(name, [number])]
    finders = [*HELD_ALONG.get(name, ()), HELD_WHOLE[name]]
    return [find(number) for find in finders]


@transaction.atomic
def lift_holds(*, hold: LegalHold, reason: str, by: str, now: datetime) -> bool:
    """End the holds that were placed in one go with this one; False if none stood any more.

    Raises retention.SamePerson where another person than who placed them must.
    """
    together = LegalHold.objects.filter(
        placed_at=hold.placed_at, placed_by=hold.placed_by, lifted_at=None
    )
    numbers = list(together.filter(reason=hold.reason).values_list("pk", flat=True))
    lifted = [retention.lift_hold(hold_id=pk, reason=reason, by=by, now=now) for pk in numbers]
    return any(lifted)


def describe_holds(holds: Iterable[LegalHold]) -> list[HoldGroup]:
    """Return holds in words, those of one go as one; a query for each ledger."""
    kept = list(holds)
    groups: dict[tuple[object, ...], list[LegalHold]] = {}
    for one in kept:
        key = (one.placed_at, one.placed_by, one.reason, one.lifted_at)
        groups.setdefault(key, []).append(one)
    words = {name: _label_records(name, kept) for name in {one.ledger for one in kept}}
    return [_describe_hold_group(group, words) for group in groups.values()]


def _label_records(ledger: str, holds: Sequence[LegalHold]) -> dict[int, tuple[str, str]]:
    numbers: Collection[int] = {hold.record_id for hold in holds if hold.ledger == ledger}
    label_records = RECORD_WORDS.get(ledger)
    return label_records(numbers) if label_records else {}


def _describe_hold_group(
    group: list[LegalHold], words: dict[str, dict[int, tuple[str, str]]]
) -> HoldGroup:
    first = max(group, key=lambda one: one.pk)  # what tells the whole is held last
    counted = Counter(one.ledger for one in group)
    label, address = words[first.ledger].get(
        first.record_id, (f"{first.ledger} {first.record_id}", "")
    )
    return HoldGroup(first, label, address, len(group), tuple(counted.items()))
