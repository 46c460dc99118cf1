"""A process that is warmed as workers are, then screens names and tells what it read meanwhile.

    python -m tests.config.warmed_process INDEX LISTED COUNT [late]

`late` reads a module, a file and a table late, to show that such things are seen.
"""

import functools
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")


@functools.cache
def late_table() -> int:
    return 1


def memory_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main(folder: str, listed: str, count: int, *, late: bool) -> dict[str, Any]:
    django.setup()
    from apps.reference.names.payee import compare_payee_names
    from apps.reference.names.table_warm_up import iter_cached_tables, list_built_tables
    from apps.reference.watchlists import lookup
    from apps.reference.watchlists.matching.index import MatchIndex
    from apps.reference.watchlists.subjects import Subject
    from benchmarks.hostile_forms import names
    from config import warm_up
    from tests.config import warmed_process

    warm_up.import_url_modules()
    warm_up.load_name_tables()
    warm_up.freeze_garbage_collector()
    index = MatchIndex.open(Path(folder))
    asked = [
        name[:50]
        for _kind, name in names(seed=2, count=count, listed=json.loads(listed) or ["a b"])
    ]
    watched = ("apps", "config", "tests")
    before, tables = list_built_tables(*watched), len(list(iter_cached_tables(*watched)))
    imported: list[str] = []
    opened: list[str] = []
    watching = True

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if not watching:
            return
        if event == "import":
            imported.append(str(arguments[0]))
        elif event == "open":
            opened.append(str(arguments[0]))

    start_mb = memory_mb()
    sys.addaudithook(watch)
    longest = 0.0
    for number, name in enumerate(asked):
        started = time.thread_time()
        lookup.match_sanctions_in_index(index=index, subject=Subject(name=name), most=lookup.SHOWN)
        if number % 3 == 0:
            lookup.match_peps_in_index(index=index, subject=Subject(name=name), most=lookup.SHOWN)
        if number % 3 == 1:
            compare_payee_names(submitted=name, registered=asked[0])
        longest = max(longest, time.thread_time() - started)
    if late:
        import colorsys  # noqa: F401

        Path("README.md").read_text()
        warmed_process.late_table()
    watching = False
    return {
        "screened": len(asked),
        "imported": imported,
        "opened": opened,
        "tables": tables,
        "made": sorted(list_built_tables(*watched) - before),
        "grown_mb": round(memory_mb() - start_mb, 1),
        "longest_seconds": round(longest, 3),
    }


if __name__ == "__main__":
    told = main(sys.argv[1], sys.argv[2], int(sys.argv[3]), late="late" in sys.argv[4:])
    print(json.dumps(told))
