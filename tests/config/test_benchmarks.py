"""Every benchmark that `./run bench` lists begins, and says what it can be asked."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(
    path.stem
    for path in (ROOT / "benchmarks").glob("*.py")
    if f"run bench {path.stem}" in path.read_text(encoding="utf-8")
)


@pytest.mark.processes
@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_says_what_it_can_be_asked(name: str) -> None:
    command = [sys.executable, "-m", f"benchmarks.{name}", "--help"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert process.returncode == 0, process.stderr
    assert process.stdout.startswith("usage:")
