"""Records for a legal hold: found by the search of every page, described in words.

Apps say in `HELD_WHOLE` what is held as a whole though it is several records (the steps of a case),
in `HELD_ALONG` what is held with it, and in `RECORD_WORDS` how a ledger's records are described.
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

# Descriptions of a ledger's records without personal names, and their addresses, by number; for
# other ledgers the description is the ledger and the number
RecordLabeller = Callable[[Collection[int]], dict[int, tuple[str, str]]]
RECORD_WORDS: Registry[RecordLabeller] = Registry("words of the records of a ledger")


@dataclass(frozen=True, slots=True)
class HoldGroup:
    """Holds that were placed together: `first` represents all, `records` says how many.

    `parts` are their ledgers, with the number of records in each.
    """

    first: LegalHold
    label: str
    address: str
    records: int
    parts: tuple[tuple[str, int], ...] = ()


def visible_ledgers(user: "User") -> list[str]:
    """Return the ledgers of apps that a user has any permission in; others are not named."""
    ledgers = ledger_models().items()
    return sorted(name for name, model in ledgers if user.has_module_perms(model._meta.app_label))


def search_holdable_records(
    *, user: "User", text: str, now: datetime
) -> tuple["SearchResults", list["SearchHit"]]:
    """Return the results of a search, and those of them that a user may hold."""
    all_found = search.search_everything(user=user, text=text, now=now)
    holdable = {*_holdable_ledgers(user), *HELD_WHOLE}
    hits = [hit for group in all_found.groups for hit in group.hits]
    return all_found, [hit for hit in hits if hit.record.partition(":")[0] in holdable]


def _holdable_ledgers(user: "User") -> set[str]:
    return set(visible_ledgers(user)) & set(retention.purgeable_ledgers())


@transaction.atomic
def place_holds(*, user: "User", record: str, reason: str, now: datetime) -> int:
    """Hold the records of a search hit (`SearchHit.record`); returns their number.

    Raises NotFound for a record that does not exist or that the user may not know of, Conflict for
    one whose payload was purged.
    """
    name, _, number = record.partition(":")
    plain = number.isascii() and number.isdigit() and len(number) <= 18
    parts = _records_by_ledger(name, int(number)) if plain else []
    # the same answer for a record that is not there and for a ledger that the user may not know of
    if not parts or not parts[-1][1] or parts[-1][0] not in _holdable_ledgers(user):
        raise NotFound("There is no such record.")
    by = user.get_username()
    records = [(ledger, record_id) for ledger, record_ids in parts for record_id in record_ids]
    for ledger, record_id in records:
        retention.place_hold(ledger=ledger, record_id=record_id, reason=reason, by=by, now=now)
    return len(records)


def _records_by_ledger(name: str, number: int) -> list[tuple[str, list[int]]]:
    """Return the records of a hit, by ledger; those that describe it come last."""
    if name not in HELD_WHOLE:
        return [(name, [number])]
    finders = [*HELD_ALONG.get(name, ()), HELD_WHOLE[name]]
    return [find(number) for find in finders]


@transaction.atomic
def lift_holds(*, hold: LegalHold, reason: str, by: str, now: datetime) -> bool:
    """Lift the holds that were placed together with this one; False if none is active any more.

    Raises retention.SamePerson if another person than the one who placed them must do it.
    """
    # holds that were placed together share time, person and reason; there is no row for the group
    together = LegalHold.objects.filter(
        placed_at=hold.placed_at, placed_by=hold.placed_by, lifted_at=None
    )
    numbers = list(together.filter(reason=hold.reason).values_list("pk", flat=True))
    lifted = [retention.lift_hold(hold_id=pk, reason=reason, by=by, now=now) for pk in numbers]
    return any(lifted)


def describe_holds(holds: Iterable[LegalHold]) -> list[HoldGroup]:
    """Describe holds in words, one entry for those placed together; a query for each ledger."""
    listed_holds = list(holds)
    groups: dict[tuple[object, ...], list[LegalHold]] = {}
    for legal_hold in listed_holds:
        # lifted together as well: one that was lifted alone is shown alone
        key = (legal_hold.placed_at, legal_hold.placed_by, legal_hold.reason, legal_hold.lifted_at)
        groups.setdefault(key, []).append(legal_hold)
    words = {
        name: _label_records(name, listed_holds) for name in {hold.ledger for hold in listed_holds}
    }
    return [_describe_hold_group(group, words) for group in groups.values()]


def _label_records(ledger: str, holds: Sequence[LegalHold]) -> dict[int, tuple[str, str]]:
    numbers: Collection[int] = {hold.record_id for hold in holds if hold.ledger == ledger}
    label_records = RECORD_WORDS.get(ledger)
    return label_records(numbers) if label_records else {}


def _describe_hold_group(
    group: list[LegalHold], words: dict[str, dict[int, tuple[str, str]]]
) -> HoldGroup:
    first = max(group, key=lambda hold: hold.pk)  # the record that describes the whole is held last
    counted = Counter(hold.ledger for hold in group)
    label, address = words[first.ledger].get(
        first.record_id, (f"{first.ledger} {first.record_id}", "")
    )
    return HoldGroup(first, label, address, len(group), tuple(counted.items()))
