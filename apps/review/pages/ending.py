"""Known false positives that end: about to expire, expired, woken, or found to be a true match.

The same conditions count a line of Today and choose the rows of the register that it leads to.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.db.models import Count, Q, QuerySet
from django.urls import reverse

from apps.desk.days import day_of
from apps.desk.home import Panel
from apps.review.actions.known_steps import CONFIRMS
from apps.review.models import KnownAction, KnownEvent, KnownFalsePositive, KnownState
from apps.review.rules.known import TOLD, WARNED

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SOON = "soon"
# what is recorded of each end that happened; a proposal that only waited ended nothing
ENDS: dict[str, Q] = {
    "found": Q(action=KnownAction.ENDED, payload__contains='"why":"LISTED"'),
    "changed": Q(action=KnownAction.WOKEN),
    "lapsed": Q(action=KnownAction.EXPIRED, payload__contains='"until":'),
}
# how each is chosen in the register
STANDS: dict[str, str] = {
    SOON: f"Expires within {WARNED.days} days",
    "found": f"Ended by a true match, last {TOLD.days} days",
    "changed": f"Woken, last {TOLD.days} days",
    "lapsed": f"Expired, last {TOLD.days} days",
}
WORDS: dict[str, str] = {
    "found": "ended by a true match",
    "changed": "woken by a change of the list",
    SOON: f"about to expire within {WARNED.days} days",
    "lapsed": "expired",
}


@dataclass(frozen=True, slots=True)
class Line:
    """How many ended so, or are about to, and where they are shown."""

    count: int
    words: str
    address: str


def asked(name: str, now: datetime) -> Q:
    """Return which rows of the register a name of STANDS chooses."""
    if name == SOON:
        today = day_of(now)
        return Q(state=KnownState.IN_FORCE, expires_on__range=(today, today + WARNED))
    return Q(pk__in=_lately(now).filter(ENDS[name]).values("known"))


def panel(user: "User", now: datetime) -> Panel | None:
    """Return the line of Today for who approves known false positives; None where none ends."""
    if not user.has_perm(CONFIRMS):
        return None
    found = lines(now)
    return Panel("review/ending.html", {"lines": found, "days": TOLD.days}) if found else None


def lines(now: datetime) -> list[Line]:
    """Return what ended lately and what is about to, the gravest first; two queries."""
    columns = {name: Count("known", distinct=True, filter=of) for name, of in ENDS.items()}
    counts = _lately(now).aggregate(**columns)
    counts[SOON] = KnownFalsePositive.objects.filter(asked(SOON, now)).count()
    return [Line(counts[name], WORDS[name], _address(name)) for name in WORDS if counts[name]]


def _lately(now: datetime) -> QuerySet[KnownEvent]:
    ends = (KnownAction.ENDED, KnownAction.WOKEN, KnownAction.EXPIRED)
    return KnownEvent.objects.filter(action__in=ends, recorded_at__gt=now - TOLD)


def _address(name: str) -> str:
    return f"{reverse('admin:review_knownfalsepositive_changelist')}?{urlencode({'stands': name})}"
