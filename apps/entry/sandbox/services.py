"""Set up a sandbox: people, keys and sample data."""

import json
import os
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.management import call_command

from apps.access.keys.models import Account, ApiKey, KeyKind, issue_api_key
from apps.insight.esg.oracle.services.oracle_runs import record_run as record_esg_run
from apps.insight.stability.oracle.services.oracle_runs import record_run as record_stability_run
from apps.platform.desk.role_sync import ensure_staff_user

PEOPLE = (  # sign-in name, group
    ("olivia", "Compliance officer"),
    ("samir", "Senior officer"),
    ("sofia", "Senior officer"),
    ("rita", "Registrar"),
    ("edgar", "Examiner"),
    ("otto", "Operator"),
    ("odile", "Operator"),  # what one operator proposes another approves
)
KEYS = (  # name in the keys file, kind, account
    ("subscription", KeyKind.SUBSCRIPTION, "Demo Treasury"),
    ("institution", KeyKind.INSTITUTION, "Demo Bank"),
    ("institution2", KeyKind.INSTITUTION, "Other Bank"),
    ("master", KeyKind.MASTER, "Demo Platform"),
    ("signing", KeyKind.SIGNING, "Demo Platform"),
    ("internal", KeyKind.INTERNAL, "Demo Platform"),
    ("data", KeyKind.DATA, "Demo Desk"),
)


@dataclass(frozen=True)
class SandboxSecrets:
    """The secrets of a sandbox: passwords by sign-in name, keys by name."""

    people: dict[str, str]
    keys: dict[str, str]


class NotASandbox(RuntimeError):
    """This is a production installation, or no sandbox was set up."""


def set_up_sandbox(*, now: datetime) -> SandboxSecrets:
    """Create the people, keys and sample data that are missing; a second run changes nothing."""
    if settings.PRODUCTION:
        raise NotASandbox("DJANGO_ENV is production: no sandbox is set up.")
    stored_secrets = _read_secrets()
    people = {
        name: stored_secrets["people"].get(name) or secrets.token_urlsafe(9) for name, _ in PEOPLE
    }
    for name, group in PEOPLE:
        ensure_staff_user(username=name, group=group, password=people[name])
    keys = {
        name: _ensure_key(stored_secrets["keys"].get(name, ""), kind, account, now)
        for name, kind, account in KEYS
    }
    # before the data: the commands below take a while, and an interrupted run must not lose keys,
    # of which the database has only digests
    _write_secrets({"people": people, "keys": keys})
    for name in ("lists", "lei", "rates", "signals", "esg"):
        call_command(f"load_sample_{name}", verbosity=0)
    for run_once in (record_stability_run, record_esg_run):
        run_once(now=now)  # so that the oracles answer before their first run is due
    return SandboxSecrets(people, keys)


def load_sandbox() -> SandboxSecrets:
    """Return what was set up, unchanged; raises NotASandbox where nothing was."""
    stored_secrets = _read_secrets()
    if settings.PRODUCTION or not stored_secrets["keys"]:
        raise NotASandbox("No sandbox is set up here: run setup_sandbox first.")
    return SandboxSecrets(stored_secrets["people"], stored_secrets["keys"])


def _ensure_key(secret: str, kind: KeyKind, owner: str, now: datetime) -> str:
    """Return a working key: the stored one, or a new one."""
    from apps.access.keys.authentication import UnknownKey, find_key_by_secret
    from apps.access.keys.integrity import KeyIntegrityError

    if secret:
        try:
            find_key_by_secret(secret=secret, now=now)
        except (UnknownKey, KeyIntegrityError):
            secret = ""
    if secret:
        return secret
    account, _ = Account.objects.get_or_create(name=owner, defaults={"created_at": now})
    # the file was lost, or the database replaced: nobody has the earlier keys
    for old in ApiKey.objects.filter(account=account, kind=kind, label="sandbox"):
        old.revoke(now=now)
    return issue_api_key(account=account, kind=kind, now=now, label="sandbox").secret


def _read_secrets() -> dict[str, Any]:
    path = settings.VAR_DIR / "sandbox.json"
    if not path.exists():
        return {"people": {}, "keys": {}}
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def _write_secrets(new_secrets: dict[str, Any]) -> None:
    path = settings.VAR_DIR / "sandbox.json"
    # os.open, because the mode must be right from the first byte on
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        json.dump(new_secrets, out, indent=1)
    keys = os.open(settings.VAR_DIR / "keys.json", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(keys, "w", encoding="utf-8") as out:
        secret = {
            "webhook_secret": settings.WEBHOOK_SIGNING_KEY,
            "bank_webhook_secret": settings.BANK_WEBHOOK_SECRET,
        }
        json.dump(new_secrets["keys"] | secret, out, indent=1)
