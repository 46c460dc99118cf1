"""What is left out of a search before it is aligned could not have been among its hits."""

import random
from pathlib import Path
from typing import Any

import pytest

from apps.reference.watchlists.matching import candidates
from apps.reference.watchlists.matching.index import MatchIndex, Query
from apps.reference.watchlists.matching.upper_bounds import UpperBounds
from benchmarks.hostile_forms import MAKERS, WORDS, names
from tests.watchlists.indexes import index_of

KINDS = ("Person", "Organization", "Vessel")
MOST_ALIGNED = 40  # a search; before candidates had bounds, 48 of each group were aligned


def listed_names() -> list[str]:
    """Names that share their words with those sought, so that a search has many candidates."""
    pick = random.Random(5)
    drawn = [" ".join(pick.choices(WORDS, k=pick.randint(2, 4))) for _ in range(400)]
    return list(dict.fromkeys([*drawn, "Lazarus Group", "Mikhail Mishustin", "Kim Jong Un"]))


@pytest.fixture(scope="module")
def index(tmp_path_factory: Any) -> MatchIndex:
    place: Path = tmp_path_factory.mktemp("bounds")
    listed = [(name, KINDS[at % 3]) for at, name in enumerate(listed_names())]
    return index_of(listed, place / "index")  # type: ignore[arg-type]


def hostile(kind: str, *, count: int, seed: int) -> list[str]:
    made = names(seed=seed, count=len(MAKERS) * count, listed=listed_names())
    return [name for one, name in made if one == kind]


@pytest.mark.parametrize("kind", MAKERS)
def test_few_candidates_are_aligned(index: MatchIndex, kind: str, monkeypatch: Any) -> None:
    aligned = []

    def counted(**pair: Any) -> Any:
        aligned.append(pair)
        return align(**pair)

    align = candidates.align_tokens
    monkeypatch.setattr(candidates, "align_tokens", counted)
    for name in hostile(kind, count=4, seed=3):
        aligned.clear()
        index.search(Query(name), cutoff=0.2, limit=5)
        assert len(aligned) <= MOST_ALIGNED, name


@pytest.mark.parametrize("kind", MAKERS)
def test_no_name_scores_more_than_its_bound(index: MatchIndex, kind: str, monkeypatch: Any) -> None:
    bounds: dict[tuple[int, int], float] = {}

    class Kept(UpperBounds):
        def raw(self, listed: Any) -> float:
            bound = super().raw(listed)
            bounds[id(self._query), id(listed)] = bound
            return bound

    def judged(alignment: Any, prices: Any) -> Any:
        judgement = judge(alignment, prices)
        assert judgement.raw <= bounds[id(alignment.query), id(alignment.listed)]
        return judgement

    judge = candidates.judge_alignment
    monkeypatch.setattr(candidates, "UpperBounds", Kept)
    monkeypatch.setattr(candidates, "judge_alignment", judged)
    for name in hostile(kind, count=8, seed=4):  # others: what was found of a name is kept
        # so many are wanted that none is left out
        index.search(Query(name), cutoff=0.01, limit=10_000)
    assert bounds
