"""Downloads of the official lists: streamed to disk, only what changed, then imported."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from apps.upstreams.http import Download, Upstream, UpstreamError
from apps.watchlists import actions
from apps.watchlists.models import ListVersion, Source

LARGEST = 4 * 1024**3  # bytes; the PEP collection is the largest by far
DEADLINE = 1500.0  # seconds per file
Progress = Callable[[int], None]


class Publisher(Upstream):
    """Where a list is published; each source has a breaker of its own."""

    timeout = (10.0, 60.0)
    largest = LARGEST

    def __init__(self, *, source: Source, url: str) -> None:
        parts = urlsplit(url)
        self.name = f"list-{source.slug}"[:60]
        self.base_url = f"{parts.scheme}://{parts.netloc}"
        self.path = url[len(self.base_url) :]


def due_sources() -> list[Source]:
    """Return the enabled sources that have an address."""
    return [source for source in Source.objects.filter(enabled=True) if source.urls]


def refresh(
    *, source: Source, now: datetime, progress: Progress = lambda count: None
) -> ListVersion:
    """Download a source's files where they changed, import them, and return the live version.

    Raises UpstreamError when a download fails and ImportRefused when the files are not taken;
    either is kept in the source's `last_error`, and the live version stays.
    """
    if not source.urls:
        raise UpstreamError(f"{source.slug} has no address to download from", permanent=True)
    folder = Path(settings.VAR_DIR) / "downloads" / source.slug
    folder.mkdir(parents=True, exist_ok=True)
    paths = [_target(folder, number, url) for number, url in enumerate(source.urls)]
    try:
        fetched = [_fetch(source, url, path) for url, path in zip(source.urls, paths, strict=True)]
    except UpstreamError as error:
        source.note_error(str(error))
        raise
    version = actions.import_files(source=source, paths=paths, now=now, progress=progress)
    source.note_validators(
        {
            url: {"etag": got.etag, "last_modified": got.last_modified}
            for url, got in zip(source.urls, fetched, strict=True)
        }
    )
    return version


def _target(folder: Path, number: int, url: str) -> Path:
    name = Path(urlsplit(url).path).name or "list"
    return folder / f"{number}-{name}"


def _fetch(source: Source, url: str, path: Path) -> Download:
    """Stream one file beside the last one and put it in its place when it is complete."""
    known = source.validators.get(url, {}) if path.exists() else {}
    aside = path.with_suffix(path.suffix + ".part")
    publisher = Publisher(source=source, url=url)
    got = publisher.download(
        publisher.path,
        aside,
        etag=known.get("etag", ""),
        last_modified=known.get("last_modified", ""),
        deadline=DEADLINE,
    )
    if got.changed:
        aside.replace(path)
    return got
