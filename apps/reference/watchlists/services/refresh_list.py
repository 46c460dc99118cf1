"""Downloads of the official lists: streamed to disk, only what changed, then imported."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from apps.platform.common.clock import assume_utc
from apps.platform.common.file_checksums import compute_checksum
from apps.platform.upstreams.http import Download, Upstream, UpstreamError
from apps.reference.watchlists import locks
from apps.reference.watchlists.models import ListVersion, Source
from apps.reference.watchlists.services import list_imports

LARGEST = 4 * 1024**3  # bytes; the PEP collection is the largest by far
DEADLINE = 1500.0  # seconds for all files of a source
Progress = Callable[[int], None]


class ListPublisher(Upstream):
    """Where a list is published; each source has a breaker of its own."""

    timeout = (10.0, 60.0)
    largest = LARGEST
    slowest = 2000

    def __init__(self, *, source: Source, url: str) -> None:
        parts = urlsplit(url)
        self.name = f"list-{source.slug}"[:60]
        self.base_url = f"{parts.scheme}://{parts.netloc}"
        self.path = url[len(self.base_url) :]


def due_sources() -> list[Source]:
    """Return the enabled sources that have an address."""
    return [source for source in Source.objects.filter(enabled=True) if source.urls]


def download_and_import(
    *, source: Source, now: datetime, progress: Progress = lambda count: None
) -> ListVersion:
    """Download a source's files where they changed, import them, and return the live version.

    Raises UpstreamError when a download fails, ImportRefused when the files are not taken and
    locks.AlreadyRunning when the source is being refreshed already. What failed is kept in the
    source's `last_error`, and the live version stays.
    """
    if not source.urls:
        raise UpstreamError(f"{source.slug} has no address to download from", permanent=True)
    with locks.hold_database_lock(f"refresh-{source.slug}"):
        folder = Path(settings.VAR_DIR) / "downloads" / source.slug
        folder.mkdir(parents=True, exist_ok=True)
        ends = time.monotonic() + DEADLINE
        files = [
            _SourceFile(url=url, kept=_download_path(folder, n, url))
            for n, url in enumerate(source.urls)
        ]
        try:
            for file in files:
                # stream one file beside the last one that was accepted, unless it is unchanged
                # one deadline for all files of the source
                seconds = max(1.0, ends - time.monotonic())
                known = file.known(source.validators.get(file.url, {}))
                publisher = ListPublisher(source=source, url=file.url)
                file.got = publisher.download(
                    publisher.path,
                    file.aside,
                    etag=known.get("etag", ""),
                    last_modified=known.get("last_modified", ""),
                    deadline=seconds,
                )
            last_modifieds = (file.got.last_modified for file in files)
            version = list_imports.import_files(
                source=source,
                paths=[file.newest for file in files],
                now=now,
                progress=progress,
                terms=list_imports.ImportTerms(
                    published=max(filter(None, map(_parse_http_date, last_modifieds)), default=None)
                ),
            )
            # only now: a page that was served instead of a list must not be what a later 304 means
            for file in files:
                file.take()
            source.note_validators({file.url: file.validators() for file in files})
        except UpstreamError as error:
            source.note_error(str(error))
            raise
        finally:
            for file in files:
                file.aside.unlink(missing_ok=True)
        return version


@dataclass(slots=True)
class _SourceFile:
    """One file of a source: the last one that was accepted, and what was fetched beside it."""

    url: str
    kept: Path
    got: Download = field(default_factory=lambda: Download(changed=False))

    @property
    def aside(self) -> Path:
        """Return where a download waits until its import was accepted."""
        return self.kept.with_suffix(self.kept.suffix + ".part")

    @property
    def newest(self) -> Path:
        """Return the file that the publisher has now."""
        return self.aside if self.got.changed else self.kept

    def take(self) -> None:
        """Put what was fetched in the place of the last one."""
        if self.got.changed:
            self.aside.replace(self.kept)

    def known(self, validators: Mapping[str, str]) -> Mapping[str, str]:
        """Return the stored validators if they are of the very file that is kept, else none."""
        whole = self.kept.exists() and validators.get("sha256") == compute_checksum(self.kept)
        return validators if whole else {}

    def validators(self) -> dict[str, str]:
        """Return what the publisher said of the file, and of which bytes it said so."""
        response_validators = {"etag": self.got.etag, "last_modified": self.got.last_modified}
        return response_validators | {"sha256": compute_checksum(self.kept)}


def _parse_http_date(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return assume_utc(moment)


def _download_path(folder: Path, number: int, url: str) -> Path:
    name = Path(urlsplit(url).path).name or "list"
    return folder / f"{number}-{name}"
