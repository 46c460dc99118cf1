"""One process that searches an index and tells its speed and its memory; two of them share it."""

import json
import sys
import time
from pathlib import Path

import numpy as np

from apps.reference.watchlists.matching.index import MatchIndex, Query


def main() -> None:
    """Arguments: index folder, file of `schema<TAB>name` lines; each line read is one step."""
    sys.stdin.readline()  # one process at a time
    print(json.dumps(_searched(Path(sys.argv[1]), Path(sys.argv[2]))), flush=True)
    sys.stdin.readline()  # both processes have searched by now
    whole = memory("/proc/self/smaps_rollup")
    mapped = mapped_memory(sys.argv[1])
    report = {
        "pss_mb": whole["Pss"] / 1024,
        "rss_mb": whole["Rss"] / 1024,
        "mapped_pss_mb": mapped["Pss"] / 1024,
        "mapped_rss_mb": mapped["Rss"] / 1024,
    }
    print(json.dumps(report), flush=True)
    sys.stdin.readline()


def _searched(folder: Path, names: Path) -> dict[str, float]:
    """Open the index, warm up on names spelt backwards, time names never seen, fill the caches."""
    lines = names.read_text(encoding="utf-8").splitlines()
    queries = [Query(name=name, schema=schema) for schema, name in (x.split("\t") for x in lines)]
    started = time.perf_counter()
    index = MatchIndex.open(folder)
    opened = time.perf_counter() - started
    for query in queries[::50]:
        index.search(Query(name=query.name[::-1], schema=query.schema))
    took = []
    for query in queries:
        started = time.perf_counter()
        index.search(query)
        took.append((time.perf_counter() - started) * 1000)
    for query in queries:
        index.search(query)
    return {
        "open_ms": opened * 1000,
        "per_second": 1000 / float(np.mean(took)),
        "p50_ms": float(np.percentile(took, 50)),
        "p99_ms": float(np.percentile(took, 99)),
    }


def memory(path: str) -> dict[str, int]:
    """Return the Pss and Rss of a whole process in kB."""
    found = {}
    for line in Path(path).read_text().splitlines():
        name, _colon, rest = line.partition(":")
        if name in ("Pss", "Rss"):
            found[name] = int(rest.split()[0])
    return found


def mapped_memory(folder: str) -> dict[str, int]:
    """Return the Pss and Rss in kB of the files of the index as this process maps them."""
    found = {"Pss": 0, "Rss": 0}
    inside = False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        name, _colon, rest = line.partition(":")
        if "-" in name:
            inside = folder in line
        elif inside and name in found:
            found[name] += int(rest.split()[0])
    return found


if __name__ == "__main__":
    main()
