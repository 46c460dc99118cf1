"""What two processes on the same index cost: speed each, and the memory that they share."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def print_processes(reports: list[dict[str, float]]) -> None:
    """Print speed and memory of each process."""
    print(
        "\nprocess  names/s  p50 ms  p99 ms  open ms  PSS MB  RSS MB  mapped PSS/RSS MB", flush=True
    )
    for number, report in enumerate(reports, start=1):
        print(
            f"{number:7d} {report['per_second']:8.0f} {report['p50_ms']:7.2f}"
            f" {report['p99_ms']:7.2f} {report['open_ms']:8.1f} {report['pss_mb']:7.0f}"
            f" {report['rss_mb']:7.0f} {report['mapped_pss_mb']:9.0f}/"
            f"{report['mapped_rss_mb']:.0f}",
            flush=True,
        )


def two_processes(folder: Path, queries: list[tuple[str, str]]) -> list[dict[str, float]]:
    """Search in one process, then in another, and measure the memory while both live."""
    lines = "\n".join(f"{schema}\t{' '.join(name.split())}" for schema, name in queries)
    names = folder.with_suffix(".names")
    names.write_text(lines, encoding="utf-8")
    with _worker(folder, names) as first, _worker(folder, names) as second:
        workers = (first, second)
        reports = [_answer(worker) for worker in workers]
        for report, worker in zip(reports, workers, strict=True):
            report |= _answer(worker)
    return reports


def _answer(worker: "subprocess.Popen[str]") -> dict[str, float]:
    assert worker.stdin and worker.stdout
    worker.stdin.write("\n")
    worker.stdin.flush()
    return json.loads(worker.stdout.readline())


@contextmanager
def _worker(folder: Path, names: Path) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "-m", "benchmarks.matching_worker", str(folder), str(names)]
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield worker
    finally:
        worker.stdin.close() if worker.stdin else None
        worker.wait(timeout=60)
