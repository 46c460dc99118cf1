"""Listed parties in the search of every page: by name, wallet, LEI, and the id of their list."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.db.models import F, Q
from django.urls import reverse

from apps.desk.search import SHOWN, Group, Hit
from apps.review.rules.keys import party_key
from apps.watchlists import engine as engines
from apps.watchlists.evidence import LONG
from apps.watchlists.matching import index as indexed
from apps.watchlists.matching.index import Query
from apps.watchlists.models import EntityState, Source

if TYPE_CHECKING:
    from django.contrib.auth.models import User

# likeness from which a name is shown; what has all words of the text is shown far below it
ALIKE, LEAST = 0.6, 0.3
MODEL = "watchlists.entitystate"


def listed(user: "User", text: str, now: datetime) -> Group | None:
    """Find listed parties of the live lists; who may not open them is led to their cases."""
    opens = user.has_perm("watchlists.view_entitystate")
    if not (opens or user.has_perm("review.view_case")):
        return None
    note, found = "", dict(_by_id(text))
    try:
        found |= dict(_by_number(text, now))
        found |= {key: name for key, name in _by_name(text, now) if key not in found}
    except engines.ListsUnavailable as error:
        note = f"Names of listed parties cannot be looked up now. {error.detail}"
    keys = list(found)[:SHOWN]
    pages = _pages(keys) if opens else {}
    hits = [
        Hit(found[key], ", ".join(key), pages.get(key) or _cases(key), exact=False) for key in keys
    ]
    return Group("Listed parties", MODEL, hits, note=note)


Key = tuple[str, str]  # list, and id on it


def _by_number(text: str, now: datetime) -> Iterator[tuple[Key, str]]:
    """Yield who bears a wallet or an LEI; either is found by the whole alone."""
    engine = engines.current(now, need=())
    for index in (engine.sanctions, engine.pep):
        for kind in LONG:
            for hit in index.search_exact(kind=kind, value=text):
                yield _key(hit), hit.name or text


def _key(hit: indexed.Hit) -> Key:
    return hit.dataset, hit.ref.removeprefix(f"{hit.dataset}:")


def _by_name(text: str, now: datetime) -> Iterator[tuple[Key, str]]:
    engine = engines.current(now, need=())
    hits = [
        hit
        for index in (engine.sanctions, engine.pep)
        for hit in index.search(Query(name=text), cutoff=LEAST, limit=4 * SHOWN)
    ]
    words = party_key(text).split()
    for hit in sorted(hits, key=lambda one: -one.score):
        if hit.score >= ALIKE or all(word in party_key(hit.name) for word in words):
            yield _key(hit), hit.name


def _live() -> Q:
    """Return the condition that a state is part of its source's live version."""
    still = Q(last_sequence=None) | Q(last_sequence__gte=F("source__live__sequence"))
    return still & Q(source__enabled=True, first_sequence__lte=F("source__live__sequence"))


def _by_id(text: str) -> Iterator[tuple[Key, str]]:
    sources = list(Source.objects.filter(enabled=True).values_list("pk", flat=True))
    for state in EntityState.objects.filter(
        _live(), source_id__in=sources, entity_id=text
    ).select_related("source"):
        names = state.data.get("names", ())
        yield (state.source.slug, state.entity_id), next((n["full"] for n in names), text)


def _pages(keys: list[Key]) -> dict[Key, str]:
    """Return the page of each party's live state, in one query."""
    wanted = Q(pk__in=[])
    for slug, number in keys:
        wanted |= Q(source__slug=slug, entity_id=number)
    rows = EntityState.objects.filter(_live(), wanted).values_list(
        "source__slug", "entity_id", "pk"
    )
    page = "admin:watchlists_entitystate_change"
    return {(slug, number): reverse(page, args=[pk]) for slug, number, pk in rows}


def _cases(key: Key) -> str:
    slug, number = key
    # as evidence names a listed party: the matcher's reference has its list in it
    query = {"view": "all", "listed": f"{slug}:{slug}:{number}"}
    return f"{reverse('admin:review_case_changelist')}?{urlencode(query)}"
