"""One process that searches an index and tells its speed and its memory; two of them share it."""

import json
import sys
import time
from pathlib import Path


def main() -> None:
    """Arguments: index folder, file of `schema<TAB>name` lines; each line read is one step."""
    import numpy as np

    from apps.watchlists.matching.index import MatchIndex, Query

    sys.stdin.readline()  # one process at a time
    lines = Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()
    queries = [Query(name=name, schema=schema) for schema, name in (x.split("\t") for x in lines)]
    before = memory("/proc/self/smaps_rollup")["Pss"]
    started = time.perf_counter()
    index = MatchIndex.open(Path(sys.argv[1]))
    opened = time.perf_counter() - started
    for query in queries[::50]:
        index.search(Query(name=query.name[::-1], schema=query.schema))
    took = {"Person": [], "Organization": []}
    for query in queries:
        started = time.perf_counter()
        index.search(query)
        took[query.schema].append((time.perf_counter() - started) * 1000)
    for query in queries:
        index.search(query)
    every = np.concatenate([np.asarray(times) for times in took.values()])
    report = {
        "open_ms": opened * 1000,
        "per_second": 1000 / every.mean(),
        "p50_ms": float(np.percentile(every, 50)),
        "p99_ms": float(np.percentile(every, 99)),
        "before_mb": before / 1024,
        **{f"{schema}_p99_ms": float(np.percentile(t, 99)) for schema, t in took.items() if t},
    }
    print(json.dumps(report), flush=True)
    sys.stdin.readline()  # both processes have searched by now
    whole = memory("/proc/self/smaps_rollup")
    mapped = mapped_memory(sys.argv[1])
    print(
        json.dumps(
            {
                "pss_mb": whole["Pss"] / 1024,
                "rss_mb": whole["Rss"] / 1024,
                "mapped_pss_mb": mapped["Pss"] / 1024,
                "mapped_rss_mb": mapped["Rss"] / 1024,
            }
        ),
        flush=True,
    )
    sys.stdin.readline()


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
