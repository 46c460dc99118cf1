"""The same queries on the same list with other matchers, one thread, a few hundred names."""

import importlib.util
import time
from collections.abc import Callable

import numpy as np
from rapidfuzz import fuzz, process, utils

from benchmarks.matching_data import Data


def rapidfuzz_speeds(*, data: Data, queries: list[tuple[str, str]]) -> dict[str, list[float]]:
    """Return ms per query of `process.extract` over the names of the query's schema."""
    listed = {
        schema: [
            utils.default_process(row["name"]) for row in data.listed if row["schema"] == schema
        ]
        for schema in ("Person", "Organization")
    }

    def with_scorer(scorer: Callable[..., float]) -> Callable[[str, str], object]:
        return lambda schema, name: process.extract(
            utils.default_process(name), listed[schema], scorer=scorer, limit=20, score_cutoff=45
        )

    return {
        f"rapidfuzz {name}": _timed(with_scorer(scorer), queries)
        for name, scorer in (
            ("token_sort_ratio", fuzz.token_sort_ratio),
            ("WRatio", fuzz.WRatio),
        )
    }


def logic_v2(*, data: Data, queries: list[tuple[str, str]]) -> list[float] | None:
    """Return ms per query of token_sort retrieval of 50 and logic-v2 on them; None when absent."""
    if importlib.util.find_spec("nomenklatura") is None:
        return None
    from followthemoney import model
    from nomenklatura.matching.logic_v2.model import LogicV2

    def entity(schema: str, name: str, number: object) -> object:
        body = {"id": f"e{number}", "schema": schema, "properties": {"name": [name]}}
        return model.get_proxy(body)

    listed = {
        schema: [row["name"] for row in data.listed if row["schema"] == schema]
        for schema in ("Person", "Organization")
    }
    config = LogicV2.default_config()
    made = iter(range(10**9))

    def search(schema: str, name: str) -> object:
        query = entity(schema, name, next(made))
        near = process.extract(
            name, listed[schema], scorer=fuzz.token_sort_ratio, processor=utils.default_process,
            limit=50,
        )  # fmt: skip
        return [LogicV2.compare(query, entity(schema, n, next(made)), config) for n, _s, _i in near]

    search(*queries[0])
    return _timed(search, queries)


def _timed(search: Callable[[str, str], object], queries: list[tuple[str, str]]) -> list[float]:
    took = []
    for schema, name in queries:
        started = time.perf_counter()
        search(schema, name)
        took.append((time.perf_counter() - started) * 1000)
    return took


def line(name: str, took: list[float], *, ours: float) -> str:
    """Return one row of the table: speed, and ours as a multiple of it."""
    mean = float(np.mean(took))
    return (
        f"{name:32s} {1000 / mean:9.0f} {np.percentile(took, 50):9.2f}"
        f" {np.percentile(took, 99):9.2f} {ours * mean / 1000:9.1f}x"
    )
