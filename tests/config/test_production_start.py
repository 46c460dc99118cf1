"""Starting in production: with all that it needs, or not at all; and what the settings page says of
it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from config import env

pytestmark = pytest.mark.processes

ROOT = Path(settings.BASE_DIR)
# made once by `openssl rand -hex 32`, and used nowhere but here
GOOD = "9f8c1de2a7450b36e1d97c02f54b8a63d80e6f17c2953ba4d1765e08fb9c42a7"
OTHER = "3ad4e8057b91f26cc8e06d153fa7b249108b5ed97c643fa21e9d70b8f5c4a236"
OLD = "c7e1509ab83f46d22d6497f0eb5c18a3f90a7db642e8531cd4b7069f8e21a5c3"
PRODUCTION = {
    "DJANGO_ENV": "production",
    "SECRET_KEY": GOOD,
    "WEBHOOK_SIGNING_KEY": OTHER,
    "ATTESTATION_KEYS": f"a:{OLD[::-1]}",
    "LEDGER_KEYS": f"a:{GOOD[::-1]},b:{OLD}",
    "TRAVEL_RULE_KEYS": f"a:{OTHER[::-1]}",
    "OPERATOR_NAME": "Alder Payments Limited",
    "ALLOWED_HOSTS": "oracle.example.com",
}


def start(folder: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Start Django in a process of its own and print every variable it asked for."""
    code = (
        "import json, django; django.setup(); from config import env; "
        "print(json.dumps({n: [v.about, v.default] for n, v in env.VARIABLES.items()}))"
    )
    plain = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME", "LANG")}
    given = {"DJANGO_SETTINGS_MODULE": "config.settings", "VAR_DIR": str(folder)} | variables
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        env=plain | given,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.fixture(scope="module")
def production(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Start production as it should be; return its variables."""
    started = start(tmp_path_factory.mktemp("var"), **PRODUCTION)
    assert started.returncode == 0, started.stderr
    found: dict[str, list[str]] = json.loads(started.stdout)
    return found


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SECRET_KEY", ""),
        ("WEBHOOK_SIGNING_KEY", "weak"),
        ("ATTESTATION_KEYS", ""),
        ("LEDGER_KEYS", ""),
        ("LEDGER_KEYS", "a:22"),
        ("TRAVEL_RULE_KEYS", ""),
        ("TRAVEL_RULE_KEYS", "a:33"),
        ("TRAVEL_RULE_SIGNING_KEY", "weak"),
        ("TRAVEL_RULE_SIGNING_KEY", OTHER),
        ("TRAVEL_RULE_SIGNING_KEY", f"{GOOD[::2]}{OTHER[::2]},{GOOD}"),
        ("MFA_KEYS", f"a:{OLD.upper()}"),
        ("BANK_WEBHOOK_SECRET", GOOD),
        ("DATABASE_PASSWORD", GOOD),
        ("OIDC_CLIENT_SECRET", GOOD),
        ("FACILITATOR_KEY", GOOD),
        ("ADVISORY_KEY", GOOD),
        ("MFA_KEYS", f"a:{GOOD[::2] * 2},b:{GOOD[::2] * 2}"),
        ("LEDGER_KEYS", f"a:{'22' * 32}"),
        ("SECRET_KEY", "0123456789abcdef" * 4),
        ("OPERATOR_NAME", ""),
        ("ALLOWED_HOSTS", ""),
        ("SERVICE_HOSTS", "nothing=x.example.com"),
        ("CLOCK_AHEAD", "1"),
    ],
)
def test_production_does_not_start_without_what_it_needs(
    tmp_path: Path, name: str, value: str
) -> None:
    started = start(tmp_path, **PRODUCTION | {name: value})
    assert started.returncode != 0
    last = started.stderr.strip().splitlines()[-1]
    assert "ImproperlyConfigured" in last and name in last


def test_every_variable_says_what_it_does(production: dict[str, list[str]]) -> None:
    assert all(len(about) > 10 for about, _ in production.values())
    assert {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "SERVICE_HOSTS"} <= set(production)


def test_every_variable_is_on_the_settings_page(production: dict[str, list[str]]) -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|\s*`([A-Z][A-Z0-9_]+)`", page, re.M)
    assert sorted((set(production) | set(env.VARIABLES)) - set(rows)) == []
