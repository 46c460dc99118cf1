"""The index of known parties, on the disk of the host that runs the job.

It has the word weights of the live lists. It contains names until it is rebuilt: a party erased in
the meantime has no row and is skipped.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings

from apps.compliance.screening.rescreening.subjects import build_index_entry, score_cutoff
from apps.platform.common.batches import iter_chunks
from apps.reference.watchlists import locks
from apps.reference.watchlists.matching.index import IndexEntry, MatchIndex
from apps.reference.watchlists.matching.index_builder import FORMAT, build_index
from apps.reference.watchlists.matching.index_digests import IndexDamaged, sync_to_disk
from apps.reference.watchlists.matching.reverse_index import PartyIndex
from apps.reference.watchlists.models import Party

MOST_NEWER = 20_000  # parties that are looked up one by one; more, and the index is built anew
# a party's `first_seen` is set before its transaction commits: within this time it has committed or
# never will
SETTLES = timedelta(hours=1)
META = "parties.json"  # written last: a folder without it is no index
READ_BATCH = 2000
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class OpenedPartyIndex:
    """An opened index of parties: their numbers by place, and who is looked up regardless.

    `cutoffs` has by place what a name must score by itself: less where more is known.
    """

    index: PartyIndex
    numbers: "np.ndarray[Any, Any]"
    cutoffs: "np.ndarray[Any, Any]"
    apart: tuple[int, ...]
    known_until: datetime


def index_root() -> Path:
    """Return the folder of this host's indexes of parties."""
    return Path(settings.VAR_DIR) / "index" / "parties"


def parties_missing_from_index(opened: OpenedPartyIndex | None) -> Any:
    """Return the parties that the index may lack; every party without one."""
    if opened is None:
        return Party.objects.all()
    return Party.objects.filter(first_seen__gte=opened.known_until)


def newest_index_path() -> Path | None:
    """Return the folder of the newest index of this host, None without one."""
    return max(index_root().glob(f"[0-9]*-{FORMAT}"), key=lambda path: path.name, default=None)


def open_newest_index(lender: MatchIndex) -> OpenedPartyIndex | None:
    """Open the newest whole index of this host; None without one."""
    paths = sorted(index_root().glob(f"[0-9]*-{FORMAT}"), key=lambda path: path.name, reverse=True)
    for place in paths:
        try:
            meta = json.loads((place / META).read_text())
            index = PartyIndex.open(place / "names", lender=lender)
            numbers = np.load(place / "numbers.npy")
            cutoffs = np.load(place / "cutoffs.npy")
        except (OSError, ValueError, IndexDamaged):
            # an index can always be rebuilt: a damaged one must not be opened again
            shutil.rmtree(place, ignore_errors=True)
            continue
        until = datetime.fromisoformat(meta["known_until"])
        return OpenedPartyIndex(index, numbers, cutoffs, tuple(meta["apart"]), until)
    return None


def build_party_index(
    *, lender: MatchIndex, now: datetime, progress: Progress = lambda parties: None
) -> Path:
    """File every party anew and return where; one build at a time per host.

    `lender` is the index of the live sanctions lists.
    """
    with locks.hold_file_lock(index_root() / "build.lock", wait=True):
        # what a killed build left behind: under the lock no build is running
        for left in index_root().glob(".building-*"):
            shutil.rmtree(left, ignore_errors=True)
        aside = Path(tempfile.mkdtemp(prefix=".building-", dir=index_root()))
        try:
            rows = Party.objects.order_by("pk").iterator(READ_BATCH)
            numbers, cutoffs, apart = write_index(
                parties=rows, place=aside / "names", lender=lender, progress=progress
            )
            np.save(aside / "numbers.npy", numbers)
            np.save(aside / "cutoffs.npy", cutoffs)
            meta = {"known_until": (now - SETTLES).isoformat(), "apart": apart}
            (aside / META).write_text(json.dumps(meta))
            # on disk before the rename: after a power failure a folder is whole or is not there
            sync_to_disk(aside / META)
            sync_to_disk(aside)
            os.utime(aside)
            # names of equal length: the newest index is the last by name
            target = index_root() / f"{int(now.timestamp() * 1000):015d}-{FORMAT}"
            shutil.rmtree(target, ignore_errors=True)
            aside.rename(target)
            sync_to_disk(target.parent)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
        # a process that has mapped the old files keeps them until it closes them
        for old in index_root().glob("[0-9]*"):
            if old != target:
                shutil.rmtree(old, ignore_errors=True)
    return target


def write_index(
    *, parties: Iterable[Party], place: Path, lender: MatchIndex, progress: Progress
) -> tuple["np.ndarray[Any, Any]", "np.ndarray[Any, Any]", list[int]]:
    """Index parties in `place`; return numbers and cutoffs by place, and those kept separately."""
    numbers: list[int] = []
    cutoffs: list[float] = []
    apart: list[int] = []

    def entries() -> Iterator[IndexEntry]:
        for batch in iter_chunks(parties, READ_BATCH):
            for party in batch:
                entry, alone = build_index_entry(party)
                numbers.append(party.pk)
                cutoffs.append(score_cutoff(party))
                apart.extend([party.pk] if alone else [])
                yield entry
            progress(len(numbers))

    build_index(
        entries=entries(),
        directory=place,
        lent=lambda group, token: lender.weights.facts(token=token, group=group),
    )
    thresholds = np.asarray(cutoffs, dtype=np.float32)
    return np.asarray(numbers, dtype=np.int64), thresholds, apart
