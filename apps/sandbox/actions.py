"""What a sandbox has so that its first minute works: people, keys, sample data."""

import json
import os
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.management import call_command

from apps.access.models import Account, ApiKey, Kind, issue
from apps.desk.roles import ensure_staff
from apps.esgoracle.running import run_once as run_esg_oracle
from apps.stability.oracle.running import run_once as run_stability_oracle

PEOPLE = (  # sign-in name, group, how the page greets them
    ("olivia", "Compliance officer"),
    ("samir", "Senior officer"),
    ("sofia", "Senior officer"),
    ("rita", "Registrar"),
    ("edgar", "Examiner"),
    ("otto", "Operator"),
)
KEYS = (  # name in the keys file, kind, account
    ("subscription", Kind.SUBSCRIPTION, "Demo Treasury"),
    ("institution", Kind.INSTITUTION, "Demo Bank"),
    ("institution2", Kind.INSTITUTION, "Other Bank"),
    ("master", Kind.MASTER, "Demo Platform"),
    ("signing", Kind.SIGNING, "Demo Platform"),
    ("internal", Kind.INTERNAL, "Demo Platform"),
    ("data", Kind.DATA, "Demo Desk"),
)


@dataclass(frozen=True)
class Sandbox:
    """The secrets of a sandbox: passwords by sign-in name, keys by name."""

    people: dict[str, str]
    keys: dict[str, str]


class NotASandbox(RuntimeError):
    """Sample data and made-up people have no place in production."""


def set_up(*, now: datetime) -> Sandbox:
    """Make people, keys and sample data where they are missing; again, it changes nothing."""
    if settings.PRODUCTION:
        raise NotASandbox("DJANGO_ENV is production: no sandbox is set up.")
    kept = _read()
    people = {name: kept["people"].get(name) or secrets.token_urlsafe(9) for name, _ in PEOPLE}
    for name, group in PEOPLE:
        ensure_staff(username=name, group=group, password=people[name])
    keys = {
        name: _key(kept["keys"].get(name, ""), kind, account, now) for name, kind, account in KEYS
    }
    _write({"people": people, "keys": keys})
    for name in ("lists", "lei", "rates", "signals", "esg"):
        call_command(f"load_sample_{name}", verbosity=0)
    for run_once in (run_stability_oracle, run_esg_oracle):
        run_once(now=now)  # so that the oracles answer before their first run is due
    return Sandbox(people, keys)


def kept() -> Sandbox:
    """Return what was set up, unchanged; raises NotASandbox where nothing was."""
    found = _read()
    if settings.PRODUCTION or not found["keys"]:
        raise NotASandbox("There is no sandbox here: run setup_sandbox first.")
    return Sandbox(found["people"], found["keys"])


def _key(secret: str, kind: Kind, owner: str, now: datetime) -> str:
    """Return a working key: the one that is kept, or a new one."""
    from apps.access.gates import UnknownKey, find
    from apps.access.proof import KeyUnproved

    if secret:
        try:
            find(secret=secret, now=now)
        except (UnknownKey, KeyUnproved):
            secret = ""
    if secret:
        return secret
    account, _ = Account.objects.get_or_create(name=owner, defaults={"created_at": now})
    for old in ApiKey.objects.filter(account=account, kind=kind, label="sandbox"):
        old.revoke(now=now)
    return issue(account=account, kind=kind, now=now, label="sandbox").secret


def _read() -> dict[str, Any]:
    path = settings.VAR_DIR / "sandbox.json"
    if not path.exists():
        return {"people": {}, "keys": {}}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _write(found: dict[str, Any]) -> None:
    path = settings.VAR_DIR / "sandbox.json"
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        json.dump(found, out, indent=1)
    keys = os.open(settings.VAR_DIR / "keys.json", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(keys, "w", encoding="utf-8") as out:
        secret = {
            "webhook_secret": settings.WEBHOOK_SIGNING_KEY,
            "bank_webhook_secret": settings.BANK_WEBHOOK_SECRET,
        }
        json.dump(found["keys"] | secret, out, indent=1)
