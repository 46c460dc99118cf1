"""Entries of the directory, as two senior officers put them into force."""

from datetime import date, datetime
from typing import Any

from django.contrib.auth.models import User

from apps.payments.travelrule.directory import services
from apps.payments.travelrule.models import Vasp, VaspChange
from apps.platform.common.clock import now
from tests.payees.registration.conftest import wallet
from tests.review.people import SENIOR, person

LEI = "5493001KJTIIGC8Y1R12"
OTHER_LEI = "5299001ERX0K10IZUL40"
SECRET = "s" * 40
NAME = "Heron Custody Limited"
FIRST = date(2020, 1, 1)


def stated(**changes: Any) -> dict[str, Any]:
    """What an entry states, which serves the creditor of the tests' instruction."""
    return {
        "lei": LEI,
        "name": NAME,
        "endpoint": "http://127.0.0.1:9/integration/travel-rule/receive",
        "dialect": "platform",
        "valid_from": FIRST,
        "valid_until": None,
        "wallets": [wallet(41)],
        "leis": [],
    } | changes


def senior(name: str) -> User:
    """Return a senior officer, made the first time."""
    return User.objects.filter(username=name).first() or person(name, SENIOR)


def propose(
    *, secret: str = "", drop_older: bool = False, at: datetime | None = None, **changes: Any
) -> VaspChange:
    said = stated(**changes)
    key = services.encrypt_secret(secret, lei=said["lei"]) if secret else None
    by = senior("sofia")
    return services.propose_change(
        stated=said, reason="Agreed with them by contract.", by=by, now=at or now(), key=key,
        drop_older=drop_older,
    )  # fmt: skip


def enter(*, secret: str = SECRET, at: datetime | None = None, **changes: Any) -> Vasp:
    """Put an entry into force."""
    change = propose(secret=secret, at=at, **changes)
    return services.approve_change(change=change, by=senior("samir"), now=at or now())
