"""No library that is read later lifts the bound on recursion: deep JSON would end the process."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

ROOT = Path(__file__).resolve().parents[2]
READ = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
before = sys.getrecursionlimit()
import django
django.setup()
import eth_account, x402.mechanisms.evm
assert sys.getrecursionlimit() == before, sys.getrecursionlimit()
"""


def test_reading_the_libraries_of_payments_leaves_the_bound_as_it_was() -> None:
    process = subprocess.run(
        [sys.executable, "-c", READ], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert process.returncode == 0, process.stderr
