"""How lists have single parties, by key, and who came in the place of one that left.

A key is `list:id`; matches name their list with its id again (`list:list:id`), which is the same.
The digest of a party changes with every name, alias, type, date, number and programme
(apps/reference/watchlists/staged_version.py). What a decision about it rests on is less:
the facts below.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from django.db.models import Max, Q

from apps.backoffice.review.case_types import ListEntry
from apps.backoffice.review.rules.known_false_positives import EntryFacts, has_all_facts
from apps.reference.watchlists.listed_entity import ListedEntity, deserialize_entity
from apps.reference.watchlists.models import READ_BATCH, EntityState, Source

SIZE = 400  # parties per query, within the parameter limit of a database


def build_entry_facts(entity: ListedEntity) -> dict[str, list[str]]:
    """Return what a list says of a party that tells it from another one; empty kinds are left out.

    Programmes, measures, remarks and the day of listing say nothing of who it is, nor does which
    of its names comes first.
    """
    texts_by_fact: dict[str, Iterable[str]] = {
        "schema": [entity.schema],
        "topic": [entity.topic],
        "names": [f"{name.full}{' (weak)' * name.weak}" for name in entity.names],
        "countries": entity.countries,
        "birth_dates": entity.birth_dates,
        "identifiers": [
            f"{identifier.kind} {identifier.value} {identifier.country}"
            for identifier in entity.identifiers
        ],
        "positions": [
            f"{position.title} {position.country} {position.since} {position.until}"
            for position in entity.positions
        ],
        "addresses": entity.addresses,
        "gender": [entity.gender] if entity.gender else [],
    }
    # so that another spelling of blanks or case is no other fact
    folded = {
        what: {" ".join(text.casefold().split()) for text in texts}
        for what, texts in texts_by_fact.items()
    }
    return {what: sorted(texts) for what, texts in folded.items() if texts}


def load_entries(
    keys: Collection[str], *, seen: Mapping[str, Any] | None = None
) -> dict[str, ListEntry]:
    """Return how lists have each party that is listed, by key; who is not is left out.

    Asked is the live version of each list, whether it is screened against or not, or, with
    evidence, the versions that it was made against; evidence that names none has none. One query
    for the lists, and one for every 400 keys.
    """
    wanted_ids: dict[str, dict[str, str]] = defaultdict(dict)
    for key in keys:
        slug, entity = _split_entry_key(key)
        wanted_ids[slug][entity] = key
    rows = Source.objects.filter(slug__in=wanted_ids).values_list("slug", "pk", "live__sequence")
    known = {} if seen is None else seen.get("versions", {}).get("lists", {})
    wanted_entries = [
        (slug, pk, live if seen is None else known.get(slug), entity)
        for slug, pk, live in rows
        for entity in wanted_ids[slug]
    ]
    found_entries = [wanted_entry for wanted_entry in wanted_entries if wanted_entry[2] is not None]
    list_entries: dict[str, ListEntry] = {}
    for start in range(0, len(found_entries), SIZE):
        for slug, entity, entry in _iter_entries(found_entries[start : start + SIZE]):
            list_entries[wanted_ids[slug][entity]] = entry
    return list_entries


def _split_entry_key(key: str) -> tuple[str, str]:
    """Return the list of a party and its id there."""
    slug, _, entity = key.partition(":")
    return slug, entity.removeprefix(f"{slug}:")


def _iter_entries(
    wanted_entries: list[tuple[str, int, int | None, str]],
) -> Iterator[tuple[str, str, ListEntry]]:
    ids: dict[tuple[str, int, int], list[str]] = defaultdict(list)
    for slug, pk, sequence, entity in wanted_entries:
        ids[slug, pk, sequence or 0].append(entity)
    either = Q()
    for (_, pk, sequence), entities in ids.items():
        still = Q(last_sequence=None) | Q(last_sequence__gte=sequence)
        either |= still & Q(source_id=pk, entity_id__in=entities, first_sequence__lte=sequence)
    slugs = {pk: slug for slug, pk, _ in ids}
    rows = EntityState.objects.filter(either).values_list(
        "source_id", "entity_id", "digest", "data"
    )
    for pk, entity, digest, data in rows:
        yield slugs[pk], entity, ListEntry(digest, build_entry_facts(deserialize_entity(data)))


def find_successors(left: Mapping[str, EntryFacts]) -> dict[str, dict[str, EntryFacts]]:
    """Return who is listed now in the place of each party that left, by key, with its facts.

    A list that gives a party another reference, or merges it with another, says all of it on in
    the version in which the old reference leaves; that may happen several times over.
    """
    successors: dict[str, dict[str, EntryFacts]] = {}
    for key, facts in left.items():
        slug, entity = _split_entry_key(key)
        ids = _find_successor_ids(slug, entity, facts, seen={entity}) if facts else set()
        # the key as it came, whether it names its list once or twice
        live = load_entries([f"{key.removesuffix(entity)}{id_}" for id_ in ids])
        successors[key] = {entity_id: entry.facts for entity_id, entry in live.items()}
    return successors


def _find_successor_ids(slug: str, entity: str, facts: EntryFacts, *, seen: set[str]) -> set[str]:
    """Return the references that took over what was said under one, and those after them."""
    states = EntityState.objects.filter(source__slug=slug)
    ended = states.filter(entity_id=entity).aggregate(last=Max("last_sequence"))["last"]
    if ended is None or states.filter(entity_id=entity, last_sequence=None).exists():
        return set()
    # a successor appears in the very version in which the old reference leaves
    begun = states.filter(first_sequence=ended + 1).exclude(entity_id__in=seen)
    rows = begun.values_list("entity_id", "data").iterator(chunk_size=READ_BATCH)
    holders = {
        entity_id
        for entity_id, data in rows
        if has_all_facts(build_entry_facts(deserialize_entity(data)), facts)
    }
    # before going on: two references that replace each other would otherwise never end
    seen |= holders
    return holders.union(
        *(_find_successor_ids(slug, entity_id, facts, seen=seen) for entity_id in holders)
    )
