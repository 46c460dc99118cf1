"""The matcher of this process: the mapped index of the live set, checked at most once a second."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any

from django.conf import settings

from apps.platform.common.problems import Unavailable
from apps.reference.watchlists import indexes
from apps.reference.watchlists.live_list_sets import (
    Freshness,
    ListSet,
    Screened,
    assess_topic_coverage,
    judge_freshness,
    load_current_set,
    load_set_of_versions,
)
from apps.reference.watchlists.matching.index import MatchIndex
from apps.reference.watchlists.matching.index_digests import IndexDamaged

LOOK_EVERY = 1.0  # seconds between reads of the live pointer, per process
RETRY_AFTER = 30


class ListsUnavailable(Unavailable):
    """There is no list to screen against, or no index of it."""

    code, title = "lists_unavailable", "No list to screen against"


class ListsStale(Unavailable):
    """The lists are older than allowed."""

    code, title = "lists_stale", "The lists are too old"


@dataclass(frozen=True, slots=True)
class Engine:
    """One set of lists opened for searching; it stays usable while newer sets go live."""

    list_set: ListSet
    sanctions: MatchIndex
    pep: MatchIndex
    freshness: Mapping[Screened, Freshness]

    @property
    def sample(self) -> bool:
        """Return whether any list of the set is bundled sample data."""
        return self.list_set.sample

    def lacking(self, *topics: Screened) -> tuple[str, ...]:
        """Return why lists of these topics are not held or not current, in sentences."""
        reasons = (why for topic in topics for why in self.freshness[topic].lacking)
        return tuple(dict.fromkeys(reasons))


class _OpenIndexes:
    """The lists open in this process, and when it last checked that they are live."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.looked_at = float("-inf")
        self.live: ListSet | None = None
        self.opened: tuple[ListSet, MatchIndex, MatchIndex] | None = None
        self.place: tuple[Path, indexes.Mark | None] | None = None


_held = _OpenIndexes()


def load_current_engine(now: datetime, *, need: tuple[Screened, ...] = ("sanction",)) -> Engine:
    """Return the engine of the live set; at most one query a second, and never a build.

    While the index of a newer set is being built the one before serves, for at most
    INDEX_MAX_LAG_SECONDS. Raises ListsUnavailable or ListsStale when a needed topic has no list,
    an index that is missing or lags too far, or a list that is too old. The freshness of the
    topics that are not needed is in the answer for the caller to judge.
    """
    # threads of a process refresh and open one after the other; they search without the lock
    with _held.lock:
        live = _refresh_live_set()
        served = _held.opened[0] if _held.opened else None
        freshness = {
            topic: _judge_served_freshness(live, served, topic, now) for topic in indexes.TOPICS
        }
        for topic in need:
            _require_fresh(freshness[topic])
        if _held.opened is None:
            detail = "The index of the lists is not built yet."
            raise ListsUnavailable(detail, retry_after=RETRY_AFTER)
        # an older index serves through a rebuild, but only so long: past the bound fail closed
        lag = _compute_lag(live, now)
        if lag > settings.INDEX_MAX_LAG_SECONDS:
            raise ListsUnavailable(
                f"This host's index is {lag} seconds behind the lists.", retry_after=RETRY_AFTER
            )
        return Engine(*_held.opened, freshness)


def load_engine_for_versions(versions: Mapping[str, int]) -> Engine:
    """Return the engine of these versions of the lists, for a replay; it may build.

    Their age then is not judged: a topic is fresh when the versions cover it, else absent.
    """
    lists = load_set_of_versions(versions)
    missing = sorted(set(versions) - set(lists.versions))
    if missing:
        raise ListsUnavailable(f"The lists {', '.join(missing)} are no longer available.")
    # the index of a set that is or was lately live is still there; any other is built apart
    # from those that serve, so that a replay never pushes one of them out
    live = indexes.is_index_built(lists.id) and indexes.is_index_sound(
        indexes.index_folder(lists.id)
    )
    if not live:
        indexes.build_set_index(lists, replay=True)
    opened = _open_indexes(lists, indexes.index_folder(lists.id, replay=not live))
    return Engine(*opened, {topic: assess_topic_coverage(lists, topic) for topic in indexes.TOPICS})


def check_lists_health(now: datetime) -> dict[str, Any]:
    """Judge the lists and this host's index: ok, degraded (sample, lag, no PEP list) or down."""
    with _held.lock:
        live = _refresh_live_set(force=True)
        opened = _held.opened
        lag = _compute_lag(live, now)
    served = opened[0] if opened else None
    fresh = {topic: _judge_served_freshness(live, served, topic, now) for topic in indexes.TOPICS}
    down = opened is None or fresh["sanction"].state != "fresh"
    late = lag > settings.INDEX_MAX_LAG_SECONDS
    reasons = [
        why for freshness in fresh.values() for why in (*freshness.lacking, freshness.detail)
    ]
    lacking = sorted(filter(None, {*reasons, *(source.unheeded() for source in live.sources)}))
    weak = lag > 0 or fresh["pep"].state != "fresh" or live.sample or bool(lacking)
    return {
        "status": "down" if down or late else "degraded" if weak else "ok",
        "listSet": live.id,
        "versions": live.versions,
        "sanctions": fresh["sanction"].state,
        "pep": fresh["pep"].state,
        "missing": lacking,
        "notLoaded": list(live.unloaded),
        "sample": live.sample,
        "servedListSet": served.id if served else None,
        "lagSeconds": lag,
    }


def reset_engine() -> None:
    """Close what this process has open, so that the next call opens it again."""
    with _held.lock:
        _held.looked_at, _held.live = float("-inf"), None
        _held.opened = _held.place = None


def _refresh_live_set(*, force: bool = False) -> ListSet:
    """Return the live set, and open its index when it is on this host; the lock is held."""
    if not force and _held.live and time.monotonic() - _held.looked_at < LOOK_EVERY:
        return _held.live
    live = _held.live = load_current_set()
    # mapped files outlive their folder: a damaged index would stay in use otherwise
    if _held.place and indexes.identify_folder(_held.place[0]) != _held.place[1]:
        _held.opened = _held.place = None  # it was found damaged, or was rebuilt
    served = _held.opened[0].id if _held.opened else None
    if served != live.id and indexes.is_index_built(live.id):
        _serve_index(live, indexes.index_folder(live.id))
    elif served is None and (older := indexes.find_newest_index()):
        # A process that starts during a build serves what its neighbours serve; the lag counts.
        _serve_index(*older)
    _held.looked_at = time.monotonic()
    return live


def _serve_index(lists: ListSet, place: Path) -> None:
    """Open an index for this process; a damaged one is moved away, and never used."""
    # before opening: only this folder may be moved away, not one that is put there meanwhile
    seen = indexes.identify_folder(place)
    try:
        _held.opened = _open_indexes(lists, place)
    except IndexDamaged as error:
        indexes.quarantine_index(place, seen, error)
        return
    _held.place = place, seen


def _open_indexes(lists: ListSet, place: Path) -> tuple[ListSet, MatchIndex, MatchIndex]:
    return lists, MatchIndex.open(place / "sanction"), MatchIndex.open(place / "pep", profile="pep")


def _compute_lag(live: ListSet, now: datetime) -> int:
    """Return for how many seconds a newer set than the served one has been live."""
    # `since` is when the newer set went live, not when its build began: waiting counts too
    if _held.opened is None or _held.opened[0].id == live.id or live.since is None:
        return 0
    return max(0, int((now - live.since).total_seconds()))


def _judge_served_freshness(
    live: ListSet, served: ListSet | None, topic: Screened, now: datetime
) -> Freshness:
    """Judge the served lists: a list whose first live version is not yet indexed is missing."""
    freshness = judge_freshness(lists=live, topic=topic, now=now)
    if freshness.state != "fresh" or served is None:
        return freshness
    waiting = [source for source in live.sources if source.slug not in served.versions]
    if not served.of(topic) or any(source.required for source in waiting):
        detail = f"The index of the first {topic} list is not built yet."
        return replace(freshness, state="absent", detail=detail)
    lacking = (f"The index of the list {source.slug} is not built yet." for source in waiting)
    return replace(freshness, lacking=(*freshness.lacking, *lacking))


def _require_fresh(freshness: Freshness) -> None:
    if freshness.state == "absent":
        raise ListsUnavailable(freshness.detail, retry_after=RETRY_AFTER)
    if freshness.state == "stale":
        raise ListsStale(freshness.detail, retry_after=RETRY_AFTER)
