"""Match indexes on disk: one folder per set of lists, built separately and renamed into place.

A live index is on the disk with a digest of each file. A damaged folder is moved away, so that it
counts as not built and is rebuilt.
"""

import json
import logging
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from django.conf import settings

from apps.reference.watchlists import locks
from apps.reference.watchlists.listed_entity import ListedEntity
from apps.reference.watchlists.live_list_sets import ListSet, LiveSource, Screened, build_list_set
from apps.reference.watchlists.matching.index import IndexEntry, build_index
from apps.reference.watchlists.matching.index_builder import FORMAT
from apps.reference.watchlists.matching.index_digests import (
    IndexDamaged,
    sync_to_disk,
    verify_directory,
)
from apps.reference.watchlists.models import EntityState

TOPICS: tuple[Screened, ...] = ("sanction", "pep")
KEPT = 2  # sets of older versions whose folders stay, in addition to the one just built
BUILDING, DAMAGED = ".building-", ".damaged-"
LOCK = "build.lock"
SET = "set.json"  # written last: which set the folder holds
Progress = Callable[[int], None]
Mark = tuple[int, int]
logger = logging.getLogger(__name__)


def index_root() -> Path:
    """Return the folder of all indexes of this host."""
    return Path(settings.VAR_DIR) / "index"


def index_folder(list_set_id: str, *, replay: bool = False) -> Path:
    """Return where the index of a set lies on this host, built or not."""
    # with the format: a release that changes it builds its own folders, and processes of the
    # release before keep theirs
    return index_root() / ("replay" if replay else "live") / f"{list_set_id}-{FORMAT}"


def is_index_built(list_set_id: str, *, replay: bool = False) -> bool:
    """Return whether the index of a set is complete on this host."""
    return (index_folder(list_set_id, replay=replay) / SET).is_file()


def find_newest_index() -> tuple[ListSet, Path] | None:
    """Return the newest complete index of this host and its set, whatever is live."""
    built = (index_root() / "live").glob(f"*-{FORMAT}")
    for path in sorted(built, key=_built_at, reverse=True):
        try:
            rows = json.loads((path / SET).read_text())
            # without ages: the live set in the database says how old its lists are
            sources = [LiveSource(**row, checked_at=None, max_age_hours=None) for row in rows]
        except (OSError, ValueError, TypeError):
            continue  # a folder without readable contents is useless
        list_set = build_list_set(sources)
        # a folder is trusted only if its name is the id of the set that it says it holds
        if index_folder(list_set.id) == path:
            return list_set, path
    return None


def identify_folder(place: Path) -> Mark | None:
    """Return what tells this folder from another put in its place, None when there is none."""
    try:
        status = place.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def is_index_sound(place: Path) -> bool:
    """Read a whole built index and return whether it is undamaged; otherwise move it away."""
    seen = identify_folder(place)
    try:
        for topic in TOPICS:
            verify_directory(place / topic)
    except IndexDamaged as error:
        quarantine_index(place, seen, error)
        return False
    return True


def quarantine_index(place: Path, seen: Mark | None, error: IndexDamaged) -> None:
    """Take a damaged index away, unless another has been put in its place since it was `seen`."""
    logger.error("A match index is damaged and will be rebuilt: %s", error)
    if seen and identify_folder(place) == seen:
        try:
            place.rename(place.with_name(f"{DAMAGED}{secrets.token_hex(8)}"))
        except OSError as failed:
            logger.error("The damaged index could not be moved away: %s", failed)


def build_set_index(
    lists: ListSet, *, replay: bool = False, progress: Progress = lambda parties: None
) -> bool:
    """Build the index of a set unless it is there; return whether it was built now.

    One build at a time per host: a second waits for the first and then finds its work. The
    folder appears complete, by a rename, or not at all.
    """
    target = index_folder(lists.id, replay=replay)
    with locks.hold_file_lock(index_root() / LOCK, wait=True):
        if is_index_built(lists.id, replay=replay) and is_index_sound(target):
            # it is in use again: the removal of old folders goes by this time
            os.utime(target / SET)
            return False
        target.parent.mkdir(exist_ok=True)
        # only the holder of the lock builds: what is left here is of a process that was killed
        for left in [*index_root().glob(f"*/{BUILDING}*"), *index_root().glob(f"*/{DAMAGED}*")]:
            shutil.rmtree(left, ignore_errors=True)
        shutil.rmtree(target, ignore_errors=True)  # without its last file it is no index
        # next to its target: a rename is atomic only within one file system
        aside = Path(tempfile.mkdtemp(prefix=BUILDING, dir=target.parent))
        try:
            _write_index(lists, aside, progress)
            aside.rename(target)
            # a rename survives a power cut once the folder that holds the name is on the disk
            sync_to_disk(target.parent)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
        # remove all but the newest folders; processes that mapped their files keep what they have
        others = [path for path in target.parent.iterdir() if path != target]
        for old in sorted(others, key=_built_at, reverse=True)[KEPT:]:
            shutil.rmtree(old, ignore_errors=True)
    return True


def iter_index_entries(lists: ListSet, topic: Screened) -> Iterator[IndexEntry]:
    """Yield the parties of a topic at the versions of a set, in a fixed order."""
    for source in lists.sources:
        states = EntityState.objects.at(source_id=source.pk, sequence=source.sequence)
        for entity in states.entities():
            if belongs_to_topic(entity, topic):
                yield IndexEntry(
                    ref=f"{source.slug}:{entity.entity_id}", dataset=source.slug, entity=entity
                )


def belongs_to_topic(entity: ListedEntity, topic: Screened) -> bool:
    """A sanctioned party that holds an office is found in both searches."""
    return entity.topic == topic or (topic == "pep" and bool(entity.positions))


def _write_index(lists: ListSet, aside: Path, progress: Progress) -> None:
    done = count(1)
    for topic in TOPICS:
        (aside / topic).mkdir()
        build_index(
            entries=iter_index_entries(lists, topic),
            directory=aside / topic,
            progress=lambda _: progress(next(done)),
        )
    columns = ("pk", "slug", "title", "topic", "kind", "sequence")
    rows = [{name: getattr(source, name) for name in columns} for source in lists.sources]
    (aside / SET).write_text(json.dumps(rows))
    sync_to_disk(aside / SET)
    sync_to_disk(aside)


def _built_at(path: Path) -> float:
    return (path / SET).stat().st_mtime if (path / SET).is_file() else 0.0
