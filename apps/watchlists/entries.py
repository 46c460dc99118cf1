"""How lists have single parties, by key (`list:id`): the digest of what they say of each.

It changes with every name, alias, type, date, number and programme (apps/watchlists/staging.py).
"""

from collections import defaultdict
from collections.abc import Collection, Mapping

from django.db.models import Q

from apps.watchlists.models import EntityState, Source

SIZE = 400  # parties asked for at once, within what a database takes as parameters


def digests(keys: Collection[str], *, versions: Mapping[str, int] | None = None) -> dict[str, str]:
    """Return the digest of each party that is listed, by key; who is not is left out.

    Asked is the live version of each list, whether it is screened against or not, or the versions
    that are given by list. One query for the lists, and one for every 400 keys.
    """
    wanted: dict[str, list[str]] = defaultdict(list)
    for key in dict.fromkeys(keys):
        slug, _, entity = key.partition(":")
        wanted[slug].append(entity)
    rows = Source.objects.filter(slug__in=wanted).values_list("slug", "pk", "live__sequence")
    known = versions or {}
    asked = [
        (slug, pk, live if versions is None else known.get(slug), entity)
        for slug, pk, live in rows
        for entity in wanted[slug]
    ]
    held = [one for one in asked if one[2] is not None]
    found: dict[str, str] = {}
    for start in range(0, len(held), SIZE):
        found |= _digests(held[start : start + SIZE])
    return found


def _digests(held: list[tuple[str, int, int | None, str]]) -> dict[str, str]:
    ids: dict[tuple[str, int, int], list[str]] = defaultdict(list)
    for slug, pk, sequence, entity in held:
        ids[slug, pk, sequence or 0].append(entity)
    either = Q()
    for (_, pk, sequence), entities in ids.items():
        still = Q(last_sequence=None) | Q(last_sequence__gte=sequence)
        either |= still & Q(source_id=pk, entity_id__in=entities, first_sequence__lte=sequence)
    slugs = {pk: slug for slug, pk, _ in ids}
    rows = EntityState.objects.filter(either).values_list("source_id", "entity_id", "digest")
    return {f"{slugs[pk]}:{entity}": digest for pk, entity, digest in rows}
