"""Refreshing: downloads stream to disk, only what changed is fetched, failures are kept."""

import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from apps.platform.jobs.models import Job
from apps.platform.upstreams.http import UpstreamError
from apps.reference.watchlists import locks, tasks
from apps.reference.watchlists.catalog import CATALOG, ensure_sources
from apps.reference.watchlists.models import ListVersion, Source, SourceKind
from apps.reference.watchlists.services import list_imports, refresh_list
from apps.reference.watchlists.sources import FORMATS
from tests.watchlists.publisher import Publisher, publishing

Make = Callable[..., Source]
FIRST = b"entity_id,name\n1,A\n2,B\n"
SECOND = b"entity_id,name\n1,A\n2,B\n3,C\n"


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    """A running publisher."""
    with publishing() as made:
        yield made


@pytest.fixture
def house(source: Make, publisher: Publisher) -> Source:
    """A source at the publisher."""
    publisher.files["/list.csv"] = FIRST
    return source(urls=[f"{publisher.address}/list.csv"], kind=SourceKind.OFFICIAL)


def test_what_is_published_goes_live(house: Source, publisher: Publisher, noon: datetime) -> None:
    version = refresh_list.download_and_import(source=house, now=noon)
    assert (version.sequence, version.total) == (1, 2)
    publisher.files["/list.csv"] = SECOND
    version = refresh_list.download_and_import(source=house, now=noon + timedelta(hours=6))
    assert (version.sequence, version.added) == (2, 1)


def test_an_unchanged_file_is_not_sent_again_but_counts_as_checked(
    house: Source, publisher: Publisher, noon: datetime
) -> None:
    refresh_list.download_and_import(source=house, now=noon)
    later = noon + timedelta(hours=6)
    refresh_list.download_and_import(source=house, now=later)
    assert publisher.asked[0][1] == ""
    assert publisher.asked[1][1] != ""
    house.refresh_from_db()
    assert house.last_checked_at == later
    assert ListVersion.objects.count() == 1


def test_a_file_that_was_lost_here_is_fetched_whole(
    house: Source, publisher: Publisher, noon: datetime, own_folder: Path
) -> None:
    refresh_list.download_and_import(source=house, now=noon)
    for path in (own_folder / "downloads" / house.slug).iterdir():
        path.unlink()
    refresh_list.download_and_import(source=house, now=noon)
    assert publisher.asked[1][1] == ""


def test_several_files_make_one_list(source: Make, publisher: Publisher, noon: datetime) -> None:
    publisher.files |= {"/a": FIRST, "/b": b"entity_id,name\n9,Z\n"}
    both = source(urls=[f"{publisher.address}/a", f"{publisher.address}/b"])
    assert refresh_list.download_and_import(source=both, now=noon).total == 3


def test_a_publisher_that_fails_leaves_the_live_version(
    house: Source, publisher: Publisher, noon: datetime
) -> None:
    refresh_list.download_and_import(source=house, now=noon)
    publisher.status = 503
    publisher.files["/list.csv"] = b"maintenance"
    with pytest.raises(UpstreamError):
        refresh_list.download_and_import(source=house, now=noon + timedelta(hours=6))
    house.refresh_from_db()
    assert "503" in house.last_error
    assert house.last_checked_at == noon
    assert house.live and house.live.sequence == 1


def test_a_page_instead_of_a_list_is_refused_and_asked_for_again(
    house: Source, publisher: Publisher, noon: datetime
) -> None:
    refresh_list.download_and_import(source=house, now=noon)
    publisher.files["/list.csv"] = b"<html>sorry</html>"
    with pytest.raises(list_imports.ImportRefused, match="expected the column"):
        refresh_list.download_and_import(source=house, now=noon)
    publisher.files["/list.csv"] = SECOND
    assert refresh_list.download_and_import(source=house, now=noon).total == 3


def test_a_page_that_was_served_once_is_not_what_an_unchanged_file_means(
    house: Source, publisher: Publisher, noon: datetime, own_folder: Path
) -> None:
    refresh_list.download_and_import(source=house, now=noon)
    publisher.files["/list.csv"] = b"<html>down for maintenance</html>"
    with pytest.raises(list_imports.ImportRefused):
        refresh_list.download_and_import(source=house, now=noon)
    kept = [path.read_bytes() for path in (own_folder / "downloads" / house.slug).iterdir()]
    assert kept == [FIRST]
    publisher.files["/list.csv"] = FIRST  # the publisher is back, and says 304
    later = noon + timedelta(hours=6)
    assert refresh_list.download_and_import(source=house, now=later).sequence == 1
    assert publisher.asked[-1][1] == publisher.asked[1][1] != ""
    house.refresh_from_db()
    assert (house.last_error, house.last_checked_at) == ("", later)


def test_a_file_that_is_not_the_one_the_validators_were_of_is_fetched_whole(
    house: Source, publisher: Publisher, noon: datetime, own_folder: Path
) -> None:
    refresh_list.download_and_import(source=house, now=noon)
    (path,) = (own_folder / "downloads" / house.slug).iterdir()
    path.write_bytes(b"<html>down for maintenance</html>")
    assert refresh_list.download_and_import(source=house, now=noon).total == 2
    assert publisher.asked[1][1] == "" and path.read_bytes() == FIRST


def test_of_several_files_none_is_replaced_when_one_is_refused(
    source: Make, publisher: Publisher, noon: datetime, own_folder: Path
) -> None:
    publisher.files |= {"/a": FIRST, "/b": b"entity_id,name\n9,Z\n"}
    both = source(urls=[f"{publisher.address}/a", f"{publisher.address}/b"])
    refresh_list.download_and_import(source=both, now=noon)
    publisher.files |= {"/a": SECOND, "/b": b"<html>"}
    with pytest.raises(list_imports.ImportRefused):
        refresh_list.download_and_import(source=both, now=noon)
    kept = sorted((own_folder / "downloads" / both.slug).iterdir())
    assert [path.read_bytes() for path in kept] == [FIRST, b"entity_id,name\n9,Z\n"]
    publisher.files["/b"] = b"entity_id,name\n9,Z\n"
    assert refresh_list.download_and_import(source=both, now=noon).total == 4


def test_one_source_is_refreshed_by_one_process_at_a_time(house: Source, noon: datetime) -> None:
    def elsewhere() -> None:
        try:
            with locks.hold_database_lock(f"refresh-{house.slug}"):
                event.set()
                release.wait(10)
        finally:
            connection.close()

    event, release = threading.Event(), threading.Event()
    other = threading.Thread(target=elsewhere)
    other.start()
    assert event.wait(10)
    with pytest.raises(locks.AlreadyRunning):
        refresh_list.download_and_import(source=house, now=noon)
    release.set()
    other.join()


def test_all_files_of_a_source_share_one_deadline(
    source: Make, publisher: Publisher, noon: datetime, monkeypatch: Any
) -> None:
    publisher.files |= {"/a": FIRST, "/b": FIRST}
    publisher.pause = 0.3
    monkeypatch.setattr(refresh_list, "DEADLINE", 30.0)
    given: list[float] = []
    download = refresh_list.ListPublisher.download

    def noted(self: Any, *args: Any, **options: Any) -> Any:
        given.append(options["deadline"])
        return download(self, *args, **options)

    monkeypatch.setattr(refresh_list.ListPublisher, "download", noted)
    refresh_list.download_and_import(
        source=source(urls=[f"{publisher.address}/{n}" for n in "ab"]), now=noon
    )
    assert given[1] <= given[0] - 0.2


def test_each_source_is_refreshed_by_a_job_of_its_own(
    house: Source, source: Make, publisher: Publisher, noon: datetime
) -> None:
    ensure_sources()
    Source.objects.exclude(pk=house.pk).update(enabled=False)
    source("a-broken", urls=[f"{publisher.address}/nothing"])
    source("off", urls=[f"{publisher.address}/list.csv"], enabled=False)
    tasks.refresh_lists("", noon)
    planned = Job.objects.filter(name="watchlists.refresh")
    assert sorted(planned.values_list("key", flat=True)) == ["a-broken", "house"]
    with pytest.raises(list_imports.ImportRefused):
        tasks.refresh_lists("a-broken", noon)
    tasks.refresh_lists("house", noon)
    house.refresh_from_db()
    assert house.live
    tasks.refresh_lists("nothing-of-the-name", noon)


def test_a_job_leaves_a_source_alone_that_is_being_refreshed(
    house: Source, publisher: Publisher, noon: datetime, monkeypatch: Any
) -> None:
    def busy(**_: Any) -> None:
        raise locks.AlreadyRunning("by another")

    monkeypatch.setattr(refresh_list, "download_and_import", busy)
    tasks.refresh_lists("house", noon)
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
    with pytest.raises(CommandError, match="No source nothing"):
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
