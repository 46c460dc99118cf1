"""Names that somebody may send to tire a worker: none ends in an error, and none takes long."""

import time
from pathlib import Path
from typing import Any

import pytest

from apps.reference.names.payee import compare_payee_names
from apps.reference.watchlists import lookup
from apps.reference.watchlists.matching.index import MatchIndex
from apps.reference.watchlists.subjects import Subject
from benchmarks.hostile_forms import LONGEST, MAKERS, names
from tests.watchlists.indexes import index_of

LISTED = [
    ("Lazarus Group", "Organization"), ("Mikhail Mishustin", "Person"), ("DINO I", "Vessel"),
    ("Hezbollah", "Organization"), ("Osama bin Laden", "Person"), ("P-532", "Aircraft"),
    ("Islamic Republic of Iran Shipping Lines", "Organization"), ("Kim Jong Un", "Person"),
]  # fmt: skip
MOST_SECONDS = 1.0  # of CPU time
REPORTED = (
    "Freight MT DINO I IMO 9569671 voy 3",
    "Hesbolá",
    "M i k h a i l  M i s h u s t i n",
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: Any) -> MatchIndex:
    place: Path = tmp_path_factory.mktemp("hostile")
    return index_of(LISTED, place / "index")  # type: ignore[arg-type]


def seconds_of(index: MatchIndex, name: str) -> float:
    started = time.thread_time()
    lookup.match_sanctions_in_index(index=index, subject=Subject(name=name), most=lookup.SHOWN)
    lookup.match_peps_in_index(index=index, subject=Subject(name=name), most=lookup.SHOWN)
    compare_payee_names(submitted=name, registered=LISTED[0][0])
    return time.thread_time() - started


@pytest.mark.parametrize("kind", MAKERS)
def test_names_of_every_kind_are_compared_in_time(index: MatchIndex, kind: str) -> None:
    listed = [name for name, _schema in LISTED]
    made = [name for one, name in names(seed=3, count=11 * 6, listed=listed) if one == kind]
    assert len(made) == 6 and all(0 < len(name) <= LONGEST for name in made)
    slow = {name: took for name in made if (took := seconds_of(index, name)) > MOST_SECONDS}
    assert not slow


@pytest.mark.parametrize("name", REPORTED)
def test_names_that_used_to_end_a_worker_are_compared_in_time(index: MatchIndex, name: str) -> None:
    assert seconds_of(index, name) < MOST_SECONDS
    assert lookup.match_sanctions_in_index(index=index, subject=Subject(name=name), most=5).matches


def test_the_same_seed_makes_the_same_names() -> None:
    first, again, other = (list(names(seed=one, count=50, listed=["a b"])) for one in (1, 1, 2))
    assert first == again != other
