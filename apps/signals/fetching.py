"""One fetch for all publishers: conditional, bounded, behind a breaker, at the host's pace."""

import hashlib
import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.core.cache import cache

from apps.signals.models import Fetch
from apps.signals.series import Feed, Series
from apps.upstreams.http import Upstream


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a publisher sent; `body` is None when nothing changed since the last good file."""

    body: bytes | None
    digest: str = ""
    etag: str = ""
    last_modified: str = ""
    asked: str = ""


class Publisher(Upstream):
    """One publisher's file. The breaker is the host's: its files fail together."""

    timeout = (5.0, 30.0)
    patience = 60.0

    def __init__(self, feed: Feed) -> None:
        self.base_url = address_of(feed)
        self.name = f"signals {urlsplit(self.base_url).hostname or ''}"[:60]
        self.largest = feed.largest


def address_of(feed: Feed) -> str:
    """Return where a file is fetched: a mirror that the operator names, or its publisher."""
    named = dict(one.partition("=")[::2] for one in settings.SIGNALS_FEEDS)
    if feed.name == "ecb-rates":
        return named.get(feed.name) or settings.ECB_RATES_URL
    return named.get(feed.name) or feed.url


def is_on(feed: Feed) -> bool:
    """Tell whether a file is asked for: its licence lets us, and a key that it needs is there."""
    named = [one.partition("=")[0] for one in settings.SIGNALS_FEEDS]
    wanted = feed.name in named or ("all" in named and not feed.opt_in)
    return wanted and (not feed.needs_key or bool(key_of(feed)))


def key_of(feed: Feed) -> str:
    """Return the operator's own key for a publisher, empty without one."""
    return getattr(settings, feed.key) if feed.key else ""


def fetch(feed: Feed, *, wanted: Sequence[Series], since: date, now: datetime) -> Fetched:
    """Ask for a file; raises UpstreamError when the publisher does not give it.

    Whether it changed is asked only where the last good file was asked for in the same words and
    read for the same series: else what the new rows want of it would stay unread.
    """
    publisher = Publisher(feed)
    words = _words(feed, since, now)
    publisher.base_url = publisher.base_url.replace("{year}", words["year"])
    asked = _digest(feed, wanted, publisher.base_url, _query(feed, words | {"key": ""}))
    query = _query(feed, words)
    last = _last(feed, asked)
    etag, modified = (last.etag, last.last_modified) if last else ("", "")
    keep_pace(publisher.name, feed)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "file"
        path = f"?{urlencode(query)}" if query else ""
        got = publisher.download(
            path,
            target,
            etag=etag,
            last_modified=modified,
            headers=_headers(feed),
            deadline=feed.patience,
        )
        if not got.changed:
            return Fetched(None, last.digest if last else "", etag, modified, asked)
        body = target.read_bytes()
    digest = hashlib.sha256(body).hexdigest()
    return Fetched(body, digest, got.etag[:200], got.last_modified[:60], asked)


def _last(feed: Feed, asked: str) -> Fetch | None:
    """Return the note of the last good file, if it was asked for as it is now."""
    good = Fetch.objects.filter(feed=feed.name, outcome__in=("NEW", "SAME", "UNCHANGED"))
    last = good.order_by("-at", "-pk").first()
    return last if last and last.asked == asked else None


def _query(feed: Feed, words: Mapping[str, str]) -> dict[str, str]:
    query = {name: value.format(**words) for name, value in feed.query.items()}
    return {name: value for name, value in query.items() if value or name == "lastobs"}


def _digest(feed: Feed, wanted: Sequence[Series], address: str, query: Mapping[str, str]) -> str:
    """Return the SHA-256 of the rows of a file and its series, and of where it is asked for."""
    told = [asdict(feed), [asdict(row) for row in wanted], address, query]
    return hashlib.sha256(json.dumps(told, default=_plain, sort_keys=True).encode()).hexdigest()


def _plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, frozenset) else str(value)


def _words(feed: Feed, since: date, now: datetime) -> dict[str, str]:
    return {
        "since": since.isoformat(),
        "today": now.date().isoformat(),
        "day": f"{now:%Y%m%d}",
        "year": str(now.year),
        "first": str(now.year - 19),
        "key": key_of(feed),
    }


def _headers(feed: Feed) -> Mapping[str, str]:
    told = {"User-Agent": feed.agent, "Accept": feed.accept}
    return {name: value for name, value in told.items() if value}


def keep_pace(host: str, feed: Feed) -> None:
    """Wait until this host may be asked again; hosts are told apart, workers are not."""
    mark = f"signals-pace-{hashlib.sha256(host.encode()).hexdigest()[:16]}"
    while feed.pace and not cache.add(mark, 1, timeout=feed.pace.total_seconds()):
        time.sleep(0.05)


def is_free(feed: Feed) -> bool:
    """Tell whether no other run is asking for a file, and let none until `release`.

    A run whose worker died holds a file for as long as its publisher might have taken.
    """
    return bool(cache.add(f"signals-asks-{feed.name}", 1, timeout=feed.patience + 300))


def release(feed: Feed) -> None:
    """Let other runs ask for a file."""
    cache.delete(f"signals-asks-{feed.name}")
