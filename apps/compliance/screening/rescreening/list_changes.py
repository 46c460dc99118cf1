"""Changes of a list between two of its versions, entry by entry, in order of their ids."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from apps.compliance.screening.rules.rescreening import (
    is_material_change,
    is_material_holder_change,
    list_changed_fields,
)
from apps.reference.watchlists.indexes import belongs_to_topic
from apps.reference.watchlists.listed_entity import ListedEntity, deserialize_entity
from apps.reference.watchlists.models import EntityState, Source

SLICE = 500  # changed entries that are screened against the parties at once


@dataclass(frozen=True, slots=True)
class EntryChange:
    """An entry now and before, with the digests that the list keeps.

    `before` is None if it was not a sanctioned party, `office` if it was not a PEP.
    """

    after: ListedEntity
    before: ListedEntity | None
    digest: str
    former: str
    fields: tuple[str, ...]
    office: ListedEntity | None = None

    @property
    def material(self) -> bool:
        """Whether a look-up compares anything that changed, on a list of sanctions."""
        return belongs_to_topic(self.after, "sanction") and is_material_change(self.fields)

    @property
    def of_holder(self) -> bool:
        """Whether a look-up of PEPs compares any of the changes."""
        return belongs_to_topic(self.after, "pep") and is_material_holder_change(self.fields)


def iterate_change_slices(
    *, source: Source, since: int, through: int, behind: str = ""
) -> Iterator[list[EntryChange]]:
    """Yield what was added or changed after `since` up to `through`, in pieces, in order of ids.

    Each piece is two queries. Begins behind the id `behind`.
    """
    while piece := list(
        _changed_states(source, since, through).filter(entity_id__gt=behind)[:SLICE]
    ):
        ids = [entity_state.entity_id for entity_state in piece]
        entity_states = EntityState.objects.at(source_id=source.pk, sequence=since)
        then = (
            {state.entity_id: state for state in entity_states.filter(entity_id__in=ids)}
            if since
            else {}
        )
        yield [
            _build_change(entity_state, then.get(entity_state.entity_id)) for entity_state in piece
        ]
        behind = piece[-1].entity_id


def count_changes(*, source: Source, since: int, through: int) -> tuple[int, int]:
    """Return how many entries were added or changed, and how many left; two queries."""
    # states that were valid at `since` and are no longer at `through`: left, unless changed
    condition = Q(first_sequence__lte=since, last_sequence__gte=since, last_sequence__lt=through)
    entity_states = EntityState.objects.filter(condition, source=source)
    begun = _changed_states(source, since, through)
    still = begun.order_by().values("entity_id")
    return begun.count(), entity_states.exclude(entity_id__in=still).count()


def _changed_states(source: Source, since: int, through: int) -> QuerySet[EntityState]:
    states = EntityState.objects.at(source_id=source.pk, sequence=through)
    return states.filter(first_sequence__gt=since).order_by("entity_id")


def _build_change(now: EntityState, then: EntityState | None) -> EntryChange:
    before: dict[str, Any] | None = then.data if then else None
    former = deserialize_entity(then.data) if then else None
    return EntryChange(
        after=deserialize_entity(now.data),
        before=former if former and belongs_to_topic(former, "sanction") else None,
        digest=now.digest,
        former=then.digest if then else "",
        fields=list_changed_fields(before, now.data),
        office=former if former and belongs_to_topic(former, "pep") else None,
    )
