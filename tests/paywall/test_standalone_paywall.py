"""The paywall alone in another project, which is made from docs/paywall.md, and paid."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.once, pytest.mark.processes]
ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "paywall.md").read_text()
OWN = """
from pathlib import Path
SECRET_KEY = "of the project alone, and long enough for everybody who asks"
ROOT_URLCONF, ALLOWED_HOSTS, USE_TZ = "urls", ["testserver"], True
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "db.sqlite3"}}
"""
URLS = """
from django.urls import path
from views import Weather
urlpatterns = [path("weather", Weather.as_view())]
"""
PAYS = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from rest_framework.test import APIClient
from apps.access.paywall.models import Receipt
from tests.paywall.payer import ALICE, v1
client = APIClient()
asked = client.get("/weather")
paid = v1(asked.json()["accepts"][0])
first, again = client.get("/weather", headers=paid), client.get("/weather", headers=paid)
assert (asked.status_code, first.status_code, again.content) == (402, 200, first.content)
assert first.json() == {"weather": "fair", "paid_by": ALICE.address.lower()}
assert (Receipt.objects.count(), Receipt.objects.get().mac_fault()) == (1, "")
call_command("look_after_payments")
"""


def block(name: str) -> str:
    """Return the code of the page that is marked so."""
    match = re.search(rf"```python {name}\n(.*?)```", PAGE, re.DOTALL)
    assert match, f"docs/paywall.md has no block of {name}"
    return match.group(1)


def test_a_strangers_project_takes_payments_by_what_the_page_says(tmp_path: Path) -> None:
    files = {"settings": OWN + block("settings"), "views": block("view"), "urls": URLS}
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    env = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    env |= {"DJANGO_SETTINGS_MODULE": "settings", "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    process = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PAYS],
        cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    assert "outcome is not known yet: 0" in process.stdout
