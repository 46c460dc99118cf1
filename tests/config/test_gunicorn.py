"""What web workers have read before the first request comes, and where they listen."""

import runpy
import subprocess
import sys

import pytest
from gunicorn.util import parse_address

from config.settings import BASE_DIR

CODE = """
import time
import config.wsgi  # as gunicorn does before it forks
from config import gunicorn
gunicorn.when_ready(object())
from apps.reference.names.payee import compare_payee_names
begun = time.process_time()
compare_payee_names(submitted="Blue Heron Stationery Ltd of London", registered="Maria Gonzales")
compare_payee_names(submitted="Банк Ромашка", registered="Daisy Bank (Cyprus) Ltd")
print(time.process_time() - begun)
"""


@pytest.mark.processes
def test_the_first_comparison_of_payees_in_a_process_waits_for_no_table() -> None:
    process = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, timeout=120
    )
    assert float(process.stdout) < 0.3, (
        process.stderr
    )  # 2 to 14 seconds before, by the machine's load


@pytest.mark.parametrize(
    ("host", "address"),
    [("", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("::1", "::1"), (" :: ", "::")],
)
def test_web_workers_listen_on_the_address_of_either_protocol(
    monkeypatch: pytest.MonkeyPatch, host: str, address: str
) -> None:
    monkeypatch.setenv("HOST", host)
    monkeypatch.setenv("PORT", "8100")
    bind = runpy.run_path(str(BASE_DIR / "config" / "gunicorn.py"))["bind"]
    assert parse_address(bind) == (address, 8100)
