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

from apps.platform.upstreams.http import Download, Upstream, UpstreamError
from apps.reference.signals.clients.paged_json import items_at_path, join_pages
from apps.reference.signals.models import Fetch
from apps.reference.signals.series import Feed, Series

MOST_PAGES = 50  # of one document; a publisher without an end would keep the worker


@dataclass(frozen=True, slots=True)
class FetchedFile:
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
        self.base_url = feed_url(feed)
        self.name = f"signals {urlsplit(self.base_url).hostname or ''}"[:60]
        self.largest = feed.largest


def feed_url(feed: Feed) -> str:
    """Return the address of a file: a mirror that the operator names, or its publisher's."""
    named = dict(signals_feed.partition("=")[::2] for signals_feed in settings.SIGNALS_FEEDS)
    if feed.name == "ecb-rates":
        return named.get(feed.name) or settings.ECB_RATES_URL
    return named.get(feed.name) or feed.url


def is_feed_on(feed: Feed) -> bool:
    """Return whether a file is fetched: its licence allows it, and a key that it needs is set."""
    named = [signals_feed.partition("=")[0] for signals_feed in settings.SIGNALS_FEEDS]
    is_wanted = feed.name in named or ("all" in named and not feed.opt_in)
    return is_wanted and (not feed.needs_key or bool(feed_api_key(feed)))


def feed_api_key(feed: Feed) -> str:
    """Return the operator's own key for a publisher, empty without one."""
    return getattr(settings, feed.key) if feed.key else ""


def fetch_feed(
    feed: Feed, *, wanted: Sequence[Series], since: date, until: date, now: datetime
) -> FetchedFile:
    """Fetch a file; raises UpstreamError if the publisher does not deliver it.

    The request is conditional only if the last good file came from the same request and was read
    for the same series: otherwise values of new rows would stay unread. A paged file is read whole,
    and never requested conditionally.
    """
    publisher = Publisher(feed)
    words = {
        "since": since.isoformat(),
        "since_year": str(since.year),
        "until": until.isoformat(),
        "until_year": str(until.year),
        "today": now.date().isoformat(),
        "day": f"{now:%Y%m%d}",
        "year": str(now.year),
        "page": "",
        "key": feed_api_key(feed),
    }
    publisher.base_url = publisher.base_url.replace("{year}", words["year"])
    # without the key: the digest of the request is stored, and another key asks for the same
    query = _build_query(feed, words | {"key": ""})
    question = [asdict(feed), [asdict(row) for row in wanted], publisher.base_url, query]
    fingerprint = hashlib.sha256(
        json.dumps(question, default=_to_json_value, sort_keys=True).encode()
    ).hexdigest()
    # a paged document has no validators of its own
    if feed.page_size:
        body = _download_pages(publisher, feed, words)
        return FetchedFile(body, hashlib.sha256(body).hexdigest(), asked=fingerprint)
    # conditional only after a file that was accepted:
    # after a rejected one the same bytes must come again
    good = Fetch.objects.filter(feed=feed.name, outcome__in=("NEW", "SAME", "UNCHANGED"))
    last = good.order_by("-at", "-pk").first()
    last = last if last and last.asked == fingerprint else None
    etag, modified = (last.etag, last.last_modified) if last else ("", "")
    got, body = _download_file(publisher, feed, words, etag=etag, last_modified=modified)
    if not got.changed:
        return FetchedFile(None, last.digest if last else "", etag, modified, fingerprint)
    digest = hashlib.sha256(body).hexdigest()
    return FetchedFile(body, digest, got.etag[:200], got.last_modified[:60], fingerprint)


def _download_file(
    publisher: Publisher, feed: Feed, words: Mapping[str, str], **known: str
) -> tuple[Download, bytes]:
    """Return the outcome of a request with these words in its query, and the body if it changed."""
    query = _build_query(feed, words)
    wait_for_pace(publisher.name, feed)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "file"
        path = f"?{urlencode(query)}" if query else ""
        headers = {"User-Agent": feed.agent, "Accept": feed.accept}
        got = publisher.download(
            path,
            target,
            headers={name: value for name, value in headers.items() if value},
            deadline=feed.patience,
            **known,
        )
        return got, target.read_bytes() if got.changed else b""


def _download_pages(publisher: Publisher, feed: Feed, words: Mapping[str, str]) -> bytes:
    """Return the first page of a document with the lists of all pages joined in it.

    The last page is the first one that is not full. UpstreamError for a publisher that has no end.
    """
    first, joined = b"", list[Any]()
    for number in range(feed.first_page, feed.first_page + MOST_PAGES):
        try:
            _, body = _download_file(publisher, feed, {**words, "page": str(number)})
        except UpstreamError as error:
            # GDACS answers 404 behind its last page
            if not feed.empty_status or error.status != feed.empty_status:
                raise
            return join_pages(first or b"{}", feed.pages_of, joined)
        items = items_at_path(body, feed.pages_of)
        first, joined = first or body, joined + items
        if len(items) < feed.page_size:
            return join_pages(first, feed.pages_of, joined)
    raise UpstreamError(f"{feed.name}: more than {MOST_PAGES} pages")


def _build_query(feed: Feed, words: Mapping[str, str]) -> dict[str, str]:
    query = {name: value.format(**words) for name, value in feed.query.items()}
    # the Federal Reserve's form expects `lastobs` even if it is empty
    return {name: value for name, value in query.items() if value or name == "lastobs"}


def _to_json_value(value: Any) -> Any:
    return sorted(value) if isinstance(value, frozenset) else str(value)


def wait_for_pace(host: str, feed: Feed) -> None:
    """Wait until this host may be called again; the pace is per host, over all workers."""
    mark = f"signals-pace-{hashlib.sha256(host.encode()).hexdigest()[:16]}"
    # add is atomic in the shared cache: one worker gets the turn, the others wait for the next
    while feed.pace and not cache.add(mark, 1, timeout=feed.pace.total_seconds()):
        time.sleep(0.05)


def claim_feed(feed: Feed) -> bool:
    """Claim a file for this run until `release_feed`; False if another run is fetching it.

    The claim of a run whose worker died ends after the longest time that the publisher may take.
    """
    return bool(cache.add(f"signals-asks-{feed.name}", 1, timeout=feed.patience + 300))


def release_feed(feed: Feed) -> None:
    """Let other runs fetch a file."""
    cache.delete(f"signals-asks-{feed.name}")
