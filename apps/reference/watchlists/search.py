"""Listed parties in the search of every page: by name, wallet, LEI, and the id of their list."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.db.models import F, Q
from django.urls import reverse

from apps.backoffice.review.rules.case_keys import build_party_key
from apps.platform.desk.search import SHOWN, SearchGroup, SearchHit
from apps.reference.watchlists import engine as watchlist_engine
from apps.reference.watchlists.match_effects import LONG
from apps.reference.watchlists.matching.index import Hit, Query
from apps.reference.watchlists.models import EntityState, Source

if TYPE_CHECKING:
    from django.contrib.auth.models import User

# likeness from which a name is shown; what has all words of the text is shown far below it
ALIKE, LEAST = 0.6, 0.3
MODEL = "watchlists.entitystate"


def search_listed_parties(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find listed parties of the live lists; who may not open them is led to their cases."""
    opens = user.has_perm("watchlists.view_entitystate")
    if not (opens or user.has_perm("review.view_case")):
        return None
    note, by_id = "", dict(_search_by_id(text))
    try:
        by_id |= dict(_search_by_number(text, now))
        by_id |= {key: name for key, name in _search_by_name(text, now) if key not in by_id}
    except watchlist_engine.ListsUnavailable as error:
        note = f"Names of listed parties cannot be looked up now. {error.detail}"
    keys = list(by_id)[:SHOWN]
    pages = _state_page_urls(keys) if opens else {}
    hits = [
        SearchHit(by_id[key], ", ".join(key), pages.get(key) or _case_list_url(key), exact=False)
        for key in keys
    ]
    return SearchGroup("Listed parties", MODEL, hits, note=note)


Key = tuple[str, str]  # list, and id on it


def _search_by_number(text: str, now: datetime) -> Iterator[tuple[Key, str]]:
    """Yield who bears a wallet or an LEI; either is found by the whole alone."""
    # no topic is needed: officers look parties up even while lists are too old to screen against
    engine = watchlist_engine.load_current_engine(now, need=())
    for index in (engine.sanctions, engine.pep):
        for kind in LONG:
            for hit in index.search_exact(kind=kind, value=text):
                yield _entry_key_of_hit(hit), hit.name or text


def _entry_key_of_hit(hit: Hit) -> Key:
    return hit.dataset, hit.ref.removeprefix(f"{hit.dataset}:")


def _search_by_name(text: str, now: datetime) -> Iterator[tuple[Key, str]]:
    engine = watchlist_engine.load_current_engine(now, need=())
    hits = [
        hit
        for index in (engine.sanctions, engine.pep)
        for hit in index.search(Query(name=text), cutoff=LEAST, limit=4 * SHOWN)
    ]
    words = build_party_key(text).split()
    for hit in sorted(hits, key=lambda found_hit: -found_hit.score):
        if hit.score >= ALIKE or all(word in build_party_key(hit.name) for word in words):
            yield _entry_key_of_hit(hit), hit.name


def _live_state_condition() -> Q:
    """Return the condition that a state is part of its source's live version."""
    still = Q(last_sequence=None) | Q(last_sequence__gte=F("source__live__sequence"))
    return still & Q(source__enabled=True, first_sequence__lte=F("source__live__sequence"))


def _search_by_id(text: str) -> Iterator[tuple[Key, str]]:
    sources = list(Source.objects.filter(enabled=True).values_list("pk", flat=True))
    for state in EntityState.objects.filter(
        _live_state_condition(), source_id__in=sources, entity_id=text
    ).select_related("source"):
        names = state.data.get("names", ())
        yield (state.source.slug, state.entity_id), next((n["full"] for n in names), text)


def _state_page_urls(keys: list[Key]) -> dict[Key, str]:
    """Return the page of each party's live state, in one query."""
    condition = Q(pk__in=[])
    for slug, number in keys:
        condition |= Q(source__slug=slug, entity_id=number)
    rows = EntityState.objects.filter(_live_state_condition(), condition).values_list(
        "source__slug", "entity_id", "pk"
    )
    page = "admin:watchlists_entitystate_change"
    return {(slug, number): reverse(page, args=[pk]) for slug, number, pk in rows}


def _case_list_url(key: Key) -> str:
    slug, number = key
    # as evidence names a listed party: the matcher's reference has its list in it
    query = {"view": "all", "listed": f"{slug}:{slug}:{number}"}
    return f"{reverse('admin:review_case_changelist')}?{urlencode(query)}"
