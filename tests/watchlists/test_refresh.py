"""Refreshing: downloads stream to disk, only what changed is fetched, failures are kept."""

import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from apps.core.models import Job
from apps.upstreams.http import UpstreamError
from apps.watchlists import actions, jobs, locks, refresh
from apps.watchlists.catalog import CATALOG, ensure_sources
from apps.watchlists.models import Kind, ListVersion, Source
from apps.watchlists.sources import FORMATS

Make = Callable[..., Source]
FIRST = b"entity_id,name\n1,A\n2,B\n"
SECOND = b"entity_id,name\n1,A\n2,B\n3,C\n"


class Publisher:
    """A publisher on loopback: `files` by path, and the requests that it got."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.status = 200
        self.pause = 0.0
        self.asked: list[tuple[str, str]] = []
        publisher = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                publisher.answer(self)

            def log_message(self, *_: Any) -> None:
                """Keep the test's output quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        time.sleep(self.pause)
        body = self.files.get(request.path, b"")
        etag = f'"{hash(body)}"'
        known = request.headers.get("If-None-Match", "")
        self.asked.append((request.path, known))
        status = 304 if self.status == 200 and known == etag else self.status
        request.send_response(status)
        request.send_header("ETag", etag)
        request.send_header("Content-Length", "0" if status == 304 else str(len(body)))
        request.end_headers()
        if status != 304:
            request.wfile.write(body)


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    """A running publisher."""
    made = Publisher()
    thread = threading.Thread(target=made.server.serve_forever, daemon=True)
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


@pytest.fixture
def house(source: Make, publisher: Publisher) -> Source:
    """A source at the publisher."""
    publisher.files["/list.csv"] = FIRST
    return source(urls=[f"{publisher.address}/list.csv"], kind=Kind.OFFICIAL)


def test_what_is_published_goes_live(house: Source, publisher: Publisher, noon: datetime) -> None:
    version = refresh.refresh(source=house, now=noon)
    assert (version.sequence, version.total) == (1, 2)
    publisher.files["/list.csv"] = SECOND
    version = refresh.refresh(source=house, now=noon + timedelta(hours=6))
    assert (version.sequence, version.added) == (2, 1)


def test_an_unchanged_file_is_not_sent_again_but_counts_as_checked(
    house: Source, publisher: Publisher, noon: datetime
) -> None:
    refresh.refresh(source=house, now=noon)
    later = noon + timedelta(hours=6)
    refresh.refresh(source=house, now=later)
    assert publisher.asked[0][1] == ""
    assert publisher.asked[1][1] != ""
    house.refresh_from_db()
    assert house.last_checked_at == later
    assert ListVersion.objects.count() == 1


def test_a_file_that_was_lost_here_is_fetched_whole(
    house: Source, publisher: Publisher, noon: datetime, own_folder: Path
) -> None:
    refresh.refresh(source=house, now=noon)
    for path in (own_folder / "downloads" / house.slug).iterdir():
        path.unlink()
    refresh.refresh(source=house, now=noon)
    assert publisher.asked[1][1] == ""


def test_several_files_make_one_list(source: Make, publisher: Publisher, noon: datetime) -> None:
    publisher.files |= {"/a": FIRST, "/b": b"entity_id,name\n9,Z\n"}
    both = source(urls=[f"{publisher.address}/a", f"{publisher.address}/b"])
    assert refresh.refresh(source=both, now=noon).total == 3


def test_a_publisher_that_fails_leaves_the_live_version(
    house: Source, publisher: Publisher, noon: datetime
) -> None:
    refresh.refresh(source=house, now=noon)
    publisher.status = 503
    publisher.files["/list.csv"] = b"maintenance"
    with pytest.raises(UpstreamError):
        refresh.refresh(source=house, now=noon + timedelta(hours=6))
    house.refresh_from_db()
    assert "503" in house.last_error
    assert house.last_checked_at == noon
    assert house.live and house.live.sequence == 1


def test_a_page_instead_of_a_list_is_refused_and_asked_for_again(
    house: Source, publisher: Publisher, noon: datetime
) -> None:
    refresh.refresh(source=house, now=noon)
    publisher.files["/list.csv"] = b"<html>sorry</html>"
    with pytest.raises(actions.ImportRefused, match="expected the column"):
        refresh.refresh(source=house, now=noon)
    publisher.files["/list.csv"] = SECOND
    assert refresh.refresh(source=house, now=noon).total == 3


def test_a_page_that_was_served_once_is_not_what_an_unchanged_file_means(
    house: Source, publisher: Publisher, noon: datetime, own_folder: Path
) -> None:
    refresh.refresh(source=house, now=noon)
    publisher.files["/list.csv"] = b"<html>down for maintenance</html>"
    with pytest.raises(actions.ImportRefused):
        refresh.refresh(source=house, now=noon)
    kept = [path.read_bytes() for path in (own_folder / "downloads" / house.slug).iterdir()]
    assert kept == [FIRST]
    publisher.files["/list.csv"] = FIRST  # the publisher is back, and says 304
    later = noon + timedelta(hours=6)
    assert refresh.refresh(source=house, now=later).sequence == 1
    assert publisher.asked[-1][1] == publisher.asked[1][1] != ""
    house.refresh_from_db()
    assert (house.last_error, house.last_checked_at) == ("", later)


def test_a_file_that_is_not_the_one_the_validators_were_of_is_fetched_whole(
    house: Source, publisher: Publisher, noon: datetime, own_folder: Path
) -> None:
    refresh.refresh(source=house, now=noon)
    (path,) = (own_folder / "downloads" / house.slug).iterdir()
    path.write_bytes(b"<html>down for maintenance</html>")
    assert refresh.refresh(source=house, now=noon).total == 2
    assert publisher.asked[1][1] == "" and path.read_bytes() == FIRST


def test_of_several_files_none_is_replaced_when_one_is_refused(
    source: Make, publisher: Publisher, noon: datetime, own_folder: Path
) -> None:
    publisher.files |= {"/a": FIRST, "/b": b"entity_id,name\n9,Z\n"}
    both = source(urls=[f"{publisher.address}/a", f"{publisher.address}/b"])
    refresh.refresh(source=both, now=noon)
    publisher.files |= {"/a": SECOND, "/b": b"<html>"}
    with pytest.raises(actions.ImportRefused):
        refresh.refresh(source=both, now=noon)
    kept = sorted((own_folder / "downloads" / both.slug).iterdir())
    assert [path.read_bytes() for path in kept] == [FIRST, b"entity_id,name\n9,Z\n"]
    publisher.files["/b"] = b"entity_id,name\n9,Z\n"
    assert refresh.refresh(source=both, now=noon).total == 4


def test_one_source_is_refreshed_by_one_process_at_a_time(house: Source, noon: datetime) -> None:
    def elsewhere() -> None:
        try:
            with locks.one_at_a_time(f"refresh-{house.slug}"):
                held.set()
                release.wait(10)
        finally:
            connection.close()

    held, release = threading.Event(), threading.Event()
    other = threading.Thread(target=elsewhere)
    other.start()
    assert held.wait(10)
    with pytest.raises(locks.Busy):
        refresh.refresh(source=house, now=noon)
    release.set()
    other.join()


def test_all_files_of_a_source_share_one_deadline(
    source: Make, publisher: Publisher, noon: datetime, monkeypatch: Any
) -> None:
    publisher.files |= {"/a": FIRST, "/b": FIRST}
    publisher.pause = 0.3
    monkeypatch.setattr(refresh, "DEADLINE", 30.0)
    given: list[float] = []
    download = refresh.Publisher.download

    def noted(self: Any, *args: Any, **options: Any) -> Any:
        given.append(options["deadline"])
        return download(self, *args, **options)

    monkeypatch.setattr(refresh.Publisher, "download", noted)
    refresh.refresh(source=source(urls=[f"{publisher.address}/{n}" for n in "ab"]), now=noon)
    assert given[1] <= given[0] - 0.2


def test_each_source_is_refreshed_by_a_job_of_its_own(
    house: Source, source: Make, publisher: Publisher, noon: datetime
) -> None:
    ensure_sources()
    Source.objects.exclude(pk=house.pk).update(enabled=False)
    source("a-broken", urls=[f"{publisher.address}/nothing"])
    source("off", urls=[f"{publisher.address}/list.csv"], enabled=False)
    jobs.refresh_lists("", noon)
    planned = Job.objects.filter(name="watchlists.refresh")
    assert sorted(planned.values_list("key", flat=True)) == ["a-broken", "house"]
    with pytest.raises(actions.ImportRefused):
        jobs.refresh_lists("a-broken", noon)
    jobs.refresh_lists("house", noon)
    house.refresh_from_db()
    assert house.live
    jobs.refresh_lists("nothing-of-the-name", noon)


def test_a_job_leaves_a_source_alone_that_is_being_refreshed(
    house: Source, publisher: Publisher, noon: datetime, monkeypatch: Any
) -> None:
    def busy(**_: Any) -> None:
        raise locks.Busy("by another")

    monkeypatch.setattr(refresh, "refresh", busy)
    jobs.refresh_lists("house", noon)
    assert not publisher.asked


def test_the_command_refreshes_one_source_and_names_what_failed(
    house: Source, publisher: Publisher
) -> None:
    call_command("refresh_lists", "--source", house.slug)
    house.refresh_from_db()
    assert house.live
    publisher.status = 500
    with pytest.raises(CommandError, match="house"):
        call_command("refresh_lists", "--source", house.slug)
    with pytest.raises(CommandError, match="no source nothing"):
        call_command("refresh_lists", "--source", "nothing")


def test_known_sources_are_created_once_and_left_as_the_operator_has_them(db: Any) -> None:
    ensure_sources()
    Source.objects.filter(slug="un-sc").update(enabled=False)
    ensure_sources()
    assert Source.objects.count() == len(CATALOG)
    assert not Source.objects.get(slug="un-sc").enabled


def test_every_known_source_has_a_format_an_address_and_a_licence() -> None:
    for known in CATALOG:
        assert known.format in FORMATS
        assert known.licence
        assert known.urls
        assert all(url.startswith("https://") for url in known.urls)
