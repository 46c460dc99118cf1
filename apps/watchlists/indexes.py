"""Match indexes on disk: one folder per set of lists, built aside and put in place by a rename."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from django.conf import settings

from apps.watchlists import locks
from apps.watchlists.matching.build import FORMAT
from apps.watchlists.matching.index import Entry, build
from apps.watchlists.models import EntityState
from apps.watchlists.sets import ListSet, LiveSource, Screened, list_set
from apps.watchlists.values import ListedEntity

TOPICS: tuple[Screened, ...] = ("sanction", "pep")
KEPT = 2  # sets of older versions whose folders stay, besides the one just built
BUILDING = ".building-"
LOCK = "build.lock"
SET = "set.json"  # written last: which set the folder holds
Progress = Callable[[int], None]


def root() -> Path:
    """Return the folder of all indexes of this host."""
    return Path(settings.VAR_DIR) / "index"


def folder(list_set_id: str, *, replay: bool = False) -> Path:
    """Return where the index of a set lies on this host, built or not."""
    return root() / ("replay" if replay else "live") / f"{list_set_id}-{FORMAT}"


def is_built(list_set_id: str, *, replay: bool = False) -> bool:
    """Return whether the index of a set is complete on this host."""
    return (folder(list_set_id, replay=replay) / SET).is_file()


def newest() -> tuple[ListSet, Path] | None:
    """Return the newest complete index of this host and its set, whatever is live."""
    found = [path for path in (root() / "live").glob(f"*-{FORMAT}") if (path / SET).is_file()]
    if not found:
        return None
    path = max(found, key=lambda path: (path / SET).stat().st_mtime)
    rows = json.loads((path / SET).read_text())
    sources = [LiveSource(**row, checked_at=None, max_age_hours=None) for row in rows]
    return list_set(sources), path


def build_set(
    lists: ListSet, *, replay: bool = False, progress: Progress = lambda parties: None
) -> bool:
    """Build the index of a set unless it is there; return whether it was built now.

    One build at a time per host: a second waits for the first and then finds its work. The
    folder appears complete, by a rename, or not at all.
    """
    target = folder(lists.id, replay=replay)
    with locks.file_lock(root() / LOCK, wait=True):
        if is_built(lists.id, replay=replay):
            os.utime(target / SET)
            return False
        target.parent.mkdir(exist_ok=True)
        for left in root().glob(f"*/{BUILDING}*"):
            shutil.rmtree(left)
        aside = Path(tempfile.mkdtemp(prefix=BUILDING, dir=target.parent))
        try:
            _write(lists, aside, progress)
            aside.chmod(0o755)
            aside.rename(target)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
        _prune(target)
    return True


def entries(lists: ListSet, topic: Screened) -> Iterator[Entry]:
    """Yield the parties of a topic at the versions of a set, in a fixed order."""
    for source in lists.sources:
        states = EntityState.objects.at(source_id=source.pk, sequence=source.sequence)
        for entity in states.entities():
            if _belongs(entity, topic):
                yield Entry(
                    ref=f"{source.slug}:{entity.entity_id}", dataset=source.slug, entity=entity
                )


def _belongs(entity: ListedEntity, topic: Screened) -> bool:
    """A sanctioned party that holds an office is found in both searches."""
    return entity.topic == topic or (topic == "pep" and bool(entity.positions))


def _write(lists: ListSet, aside: Path, progress: Progress) -> None:
    done = count(1)
    for topic in TOPICS:
        (aside / topic).mkdir()
        build(
            entries=entries(lists, topic),
            directory=aside / topic,
            progress=lambda _: progress(next(done)),
        )
    kept = ("pk", "slug", "title", "topic", "kind", "sequence")
    rows = [{name: getattr(source, name) for name in kept} for source in lists.sources]
    (aside / SET).write_text(json.dumps(rows))


def _prune(built: Path) -> None:
    """Remove all but the newest folders; processes that mapped their files keep what they have."""
    others = [path for path in built.parent.iterdir() if path != built]
    for old in sorted(others, key=_age, reverse=True)[KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


def _age(path: Path) -> float:
    return (path / SET).stat().st_mtime if (path / SET).is_file() else 0.0
