"""Staging: a new version is written in small transactions beside the live one, or undone."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from apps.platform.common.batches import iter_chunks
from apps.platform.common.problems import Conflict
from apps.platform.crypto.canonical import canonical_digest
from apps.reference.watchlists.listed_entity import (
    ListedEntity,
    deserialize_entity,
    serialize_entity,
)
from apps.reference.watchlists.models import READ_BATCH, EntityState, ListVersion, VersionStatus

BATCH = 1000
EXAMPLES = 200  # per kind of change, in the report of a version


class ImportLost(Conflict):
    """Another import took over; what this one staged is undone by the next."""

    code, title = "import_lost", "The import was overtaken"


class StagedVersion:
    """Writes one version: states that begin with it, and the end of those that it replaces."""

    def __init__(self, version: ListVersion) -> None:
        self.version = version
        self.source_id = version.source_id
        self.sequence = version.sequence
        self.added = self.changed = self.removed = self.total = 0
        self.counts: Counter[str] = Counter()
        self.gone: list[str] = []
        self.notes: list[str] = []
        self.examples: dict[str, list[dict[str, Any]]] = {"added": [], "changed": [], "removed": []}

    def put(self, entities: Sequence[ListedEntity]) -> None:
        """Stage one batch of parties; unchanged ones cost no write."""
        payloads = {entity.entity_id: serialize_entity(entity) for entity in entities}
        with transaction.atomic():
            # first, so that the row of the version is locked while its states are written
            self._fence()
            known = {state.entity_id: state for state in self._current(payloads).defer("data")}
            fresh: list[EntityState] = []
            ended: dict[str, int] = {}
            replaced: dict[str, int] = {}
            for entity_id, data in payloads.items():
                old, checksum = known.get(entity_id), canonical_digest(data)
                if old and old.digest == checksum:
                    continue
                fresh.append(self._state(entity_id, checksum, data))
                if old:
                    # a state of this very version is rewritten; one of an older version must stay
                    # readable, so it ends and another begins
                    again = old.first_sequence == self.sequence
                    (replaced if again else ended)[entity_id] = old.pk
            self._note(fresh, ended, replaced)
            # before the new rows: one state of a party per version (entity_state_first)
            EntityState.objects.filter(pk__in=replaced.values()).delete()
            self._end(ended.values())
            EntityState.objects.bulk_create(fresh, batch_size=BATCH)
        self.added += len(fresh) - len(ended) - len(replaced)
        self.changed += len(ended)

    def drop(self, entity_ids: Iterable[str]) -> None:
        """Stage that these parties are no longer listed; unknown ids are ignored."""
        for batch in iter_chunks(entity_ids, BATCH):
            with transaction.atomic():
                self._fence()
                entity_states = self._current(batch)
                # an earlier line of a delta had them
                staged = entity_states.filter(first_sequence=self.sequence)
                ids = list(staged.values_list("entity_id", flat=True))
                # of these some replaced a state of an older version: they count as removed, the
                # others as never added
                before = EntityState.objects.filter(
                    source_id=self.source_id, entity_id__in=ids, last_sequence=self.sequence - 1
                ).count()
                staged.delete()
                self.added -= len(ids) - before
                self.changed -= before
                self.removed += before
                # evaluated anew: what is still open now was open before this version
                rows = list(entity_states.values_list("pk", "entity_id", "data"))
                self._end([pk for pk, *_ in rows])
                for _, entity_id, data in rows:
                    self._example("removed", entity_id, data)
            self.removed += len(rows)

    def standing(self) -> Iterator[str]:
        """Yield the ids of parties that are listed so far and that this version has not written."""
        states = EntityState.objects.filter(source_id=self.source_id, last_sequence=None)
        older = states.filter(first_sequence__lt=self.sequence).order_by("entity_id")
        yield from older.values_list("entity_id", flat=True).iterator(chunk_size=READ_BATCH)

    def with_known_offices(self, entities: Sequence[ListedEntity]) -> list[ListedEntity]:
        """Give back the offices of parties whose change does not repeat them.

        A delta carries a party without the offices that point at it, unless these changed too.
        """
        bare = [entity.entity_id for entity in entities if not entity.positions]
        known = dict(self._current(bare).values_list("entity_id", "data"))
        return [
            replace(entity, positions=deserialize_entity(known[entity.entity_id]).positions)
            if entity.entity_id in known and not entity.positions
            else entity
            for entity in entities
        ]

    def _fence(self) -> None:
        """Refuse to write once the version is no longer ours, and say how far we are."""
        # a compare-and-set in the batch's own transaction: an import that was stopped and goes on
        # after another has undone it must not write between that one's rows
        mine = ListVersion.objects.filter(pk=self.version.pk, status=VersionStatus.STAGING)
        if not mine.update(total=self.total):
            raise ImportLost(f"{self.version} was undone by another import.")

    def _current(self, entity_ids: Iterable[str]) -> QuerySet[EntityState]:
        return EntityState.objects.filter(
            source_id=self.source_id, entity_id__in=list(entity_ids), last_sequence=None
        )

    def _state(self, entity_id: str, checksum: str, data: dict[str, Any]) -> EntityState:
        return EntityState(
            source_id=self.source_id,
            entity_id=entity_id,
            digest=checksum,
            data=data,
            first_sequence=self.sequence,
        )

    def _end(self, pks: Iterable[int]) -> None:
        EntityState.objects.filter(pk__in=list(pks)).update(last_sequence=self.sequence - 1)

    def _note(
        self, fresh: Sequence[EntityState], ended: Mapping[str, int], again: Mapping[str, int]
    ) -> None:
        before: dict[str, Any] = {}
        if ended and len(self.examples["changed"]) < EXAMPLES:
            rows = EntityState.objects.filter(pk__in=ended.values())
            before = dict(rows.values_list("entity_id", "data"))
        for state in fresh:
            if state.entity_id in before:
                old = before[state.entity_id]
                keys = sorted(set(old) | set(state.data))
                fields = [key for key in keys if old.get(key) != state.data.get(key)]
                self._example("changed", state.entity_id, state.data, fields=fields)
            elif state.entity_id not in ended and state.entity_id not in again:
                self._example("added", state.entity_id, state.data)

    def _example(self, kind: str, entity_id: str, data: dict[str, Any], **more: Any) -> None:
        rows = self.examples[kind]
        if len(rows) < EXAMPLES:
            name = next((name["full"] for name in data.get("names", ())), "")
            rows.append({"id": entity_id, "name": name, **more})


def undo_staged_version(version: ListVersion, *, status: str, report: dict[str, Any]) -> None:
    """Take back all that a version staged, in batches; it may be cut off and done again."""
    states = EntityState.objects.filter(source_id=version.source_id)
    # rows first and the status last: a version that was cut off here is STAGING still, and is
    # undone again
    _undo_in_batches(states.filter(first_sequence=version.sequence), delete=True)
    # Only this version can have ended a state with the one before it.
    _undo_in_batches(states.filter(last_sequence=version.sequence - 1), delete=False)
    ListVersion.objects.filter(pk=version.pk).update(status=status, report=report)
    version.refresh_from_db()


def _undo_in_batches(states: QuerySet[EntityState], *, delete: bool) -> None:
    # each batch changes what the query matches, so the next one starts from the beginning
    while pks := list(states.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        rows = EntityState.objects.filter(pk__in=pks)
        if delete:
            rows.delete()
        else:
            rows.update(last_sequence=None)
