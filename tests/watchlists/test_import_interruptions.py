"""Imports that are cut off, overtaken or doubled leave nothing behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from django.db import connection, connections

from apps.reference.watchlists import locks, staged_version
from apps.reference.watchlists.models import EntityState, ListVersion, Source, VersionStatus
from apps.reference.watchlists.services import list_imports
from apps.reference.watchlists.sources import FORMATS, ParseOptions
from tests.watchlists.stored_versions import listed

Make = Callable[..., Source]
Write = Callable[..., Path]


def half_stage(house: Source, write: Write, noon: datetime) -> ListVersion:
    """Leave a version behind as a process that was killed in the middle does."""
    version = ListVersion.objects.create(source=house, sequence=2, checksum="x", fetched_at=noon)
    stage = staged_version.StagedVersion(version)
    with write("half.csv", {"1": "Changed", "9": "New"}).open("rb") as half:
        stage.put(list(FORMATS["csv"].parse([half], ParseOptions())))
    stage.drop(["2"])
    return version


def test_what_a_killed_import_left_is_undone_by_the_next(
    source: Make, write: Write, noon: datetime
) -> None:
    house = source(minimum_percent=0)
    first = {"1": "A", "2": "B", "3": "C"}
    list_imports.import_files(source=house, paths=[write("a.csv", first)], now=noon)
    list_version = half_stage(house, write, noon)
    assert listed(house, 1) == first
    version = list_imports.import_files(
        source=house, paths=[write("b.csv", {"1": "A", "4": "D"})], now=noon
    )
    list_version.refresh_from_db()
    assert list_version.status == VersionStatus.FAILED
    assert (version.sequence, version.added, version.changed, version.removed) == (3, 1, 0, 2)
    assert listed(house, 1) == first
    assert listed(house, 3) == {"1": "A", "4": "D"}
    assert not EntityState.objects.filter(first_sequence=2).exists()


def test_an_import_that_was_undone_under_its_feet_stops(
    source: Make, write: Write, noon: datetime
) -> None:
    house = source()
    list_imports.import_files(source=house, paths=[write("a.csv", {"1": "A"})], now=noon)
    version = half_stage(house, write, noon)
    stage = staged_version.StagedVersion(version)
    staged_version.undo_staged_version(version, status=VersionStatus.FAILED, report={})
    with pytest.raises(staged_version.ImportLost):
        stage.put([])
    assert listed(house, 1) == {"1": "A"}


@pytest.mark.django_db(transaction=True)
def test_a_second_import_of_the_same_source_is_refused(
    source: Make, write: Write, noon: datetime
) -> None:
    house = source()
    path = write("a.csv", {"1": "A"})
    event, release = threading.Event(), threading.Event()

    def hold() -> None:
        with locks.hold_database_lock(f"import-{house.slug}"):
            event.set()
            release.wait(10)
        connections.close_all()

    other = threading.Thread(target=hold)
    other.start()
    assert event.wait(10)
    try:
        with pytest.raises(locks.AlreadyRunning):
            list_imports.import_files(source=house, paths=[path], now=noon)
    finally:
        release.set()
        other.join()
    assert list_imports.import_files(source=house, paths=[path], now=noon).sequence == 1


KILLED = """
import django, sys, time
django.setup()
from datetime import datetime, UTC
from pathlib import Path
from django.conf import settings
settings.VAR_DIR = Path(sys.argv[4])
settings.DATABASES["default"]["NAME"] = sys.argv[1]
from apps.reference.watchlists.models import Source
from apps.reference.watchlists.services import list_imports
list_imports.BATCH = 10
def slowly(count):
    print(count, flush=True)
    time.sleep(0.2)
house = Source.objects.get(slug=sys.argv[2])
path = Path(sys.argv[3])
list_imports.import_files(source=house, paths=[path], now=datetime.now(UTC), progress=slowly)
"""


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
def test_kill_9_half_way_loses_nothing_and_the_next_import_completes(
    source: Make, write: Write, noon: datetime, own_folder: Path
) -> None:
    house = source(minimum_percent=0)
    first = {str(number): f"Party {number}" for number in range(100)}
    list_imports.import_files(source=house, paths=[write("a.csv", first)], now=noon)
    second = {str(number): f"Other {number}" for number in range(50, 150)}
    path = write("b.csv", second)
    name = str(connection.settings_dict["NAME"])
    arguments = [name, house.slug, str(path), str(own_folder)]
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, *arguments],
        stdout=subprocess.PIPE,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": os.environ["DJANGO_SETTINGS_MODULE"]},
    )
    assert process.stdout
    for _ in range(3):
        assert process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert ListVersion.objects.get(sequence=2).status == VersionStatus.STAGING
    assert EntityState.objects.filter(first_sequence=2).exists()
    assert listed(house, 1) == first
    # PostgreSQL gives the lock back when it notices that the client is gone
    for _ in range(50):
        try:
            version = list_imports.import_files(source=house, paths=[path], now=noon)
            break
        except locks.AlreadyRunning:
            time.sleep(0.1)
    assert version.sequence == 3
    assert listed(house, 1) == first
    assert listed(house, 3) == second
    assert not EntityState.objects.filter(first_sequence=2).exists()
