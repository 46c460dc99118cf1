"""Engagements for tests: made by one senior officer, approved by another."""

from datetime import date, datetime, timedelta
from typing import Any

from django.contrib.auth.models import Group, User

from apps.payments.travelrule.engagements import services
from apps.payments.travelrule.models import Engagement
from apps.platform.common.clock import now

VISITING = "Visiting examiner"
WHY = "The supervisor announced an examination."


def senior(name: str) -> User:
    """Return a senior officer, made if need be."""
    user, _ = User.objects.get_or_create(username=name, defaults={"is_staff": True})
    user.groups.add(Group.objects.get(name="Senior officer"))
    return user


def proposed(examiner: User, at: datetime | None = None, **given: Any) -> Engagement:
    """Propose that somebody examines: by default an hour ago until in thirty days, everything."""
    moment = at or now()
    said: dict[str, Any] = {
        "examiner": examiner,
        "authority": "Supervisory authority",
        "starts_at": moment - timedelta(hours=1),
        "ends_at": moment + timedelta(days=30),
        "records_from": date(2020, 1, 1),
        "records_to": date(2099, 12, 31),
        "institutions": [],
        "reason": WHY,
    }
    return services.propose_engagement(by=senior("engaging-one"), now=moment, **(said | given))


def engaged(examiner: User, at: datetime | None = None, **given: Any) -> Engagement:
    """Propose and approve an engagement."""
    change = proposed(examiner, at, **given)
    services.approve_engagement(change=change, by=senior("engaging-two"), note="", now=at or now())
    change.refresh_from_db()
    return change
