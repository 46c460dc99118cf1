"""Known false positives that end: about to expire, expired, woken, or found to be a true match.

The same conditions count a line of Today and choose the rows of the register that it leads to.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.db.models import Count, Q, QuerySet
from django.urls import reverse

from apps.backoffice.review.models import KnownAction, KnownEvent, KnownFalsePositive, KnownState
from apps.backoffice.review.rules.known_false_positives import ENDED_SHOWN_FOR, EXPIRY_WARNING
from apps.backoffice.review.services.known_false_positive_decisions import CONFIRMS
from apps.platform.desk.home import Panel
from apps.platform.desk.local_dates import local_date

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SOON = "soon"
# the records of each kind of end; EXPIRED has `until` if the last day passed. With `why` a true
# match or an erasure ended a proposal or erased a party: that is not counted.
ENDS: dict[str, Q] = {
    "found": Q(action=KnownAction.ENDED, payload__contains='"why":"LISTED"'),
    "changed": Q(action=KnownAction.WOKEN),
    "lapsed": Q(action=KnownAction.EXPIRED, payload__contains='"until":'),
}
# how each is chosen in the register
END_STATES: dict[str, str] = {
    SOON: f"Expires within {EXPIRY_WARNING.days} days",
    "found": f"Ended by a true match, last {ENDED_SHOWN_FOR.days} days",
    "changed": f"Woken, last {ENDED_SHOWN_FOR.days} days",
    "lapsed": f"Expired, last {ENDED_SHOWN_FOR.days} days",
}
WORDS: dict[str, str] = {
    "found": "ended by a true match",
    "changed": "woken by a change of the list",
    SOON: f"expiring within {EXPIRY_WARNING.days} days",
    "lapsed": "expired",
}


@dataclass(frozen=True, slots=True)
class EndedLine:
    """How many ended so, or are about to, and where they are shown."""

    count: int
    words: str
    address: str


def filter_ended_rows(name: str, now: datetime) -> Q:
    """Return which rows of the register a name of END_STATES chooses."""
    if name == SOON:
        today = local_date(now)
        return Q(state=KnownState.IN_FORCE, expires_on__range=(today, today + EXPIRY_WARNING))
    return Q(pk__in=_select_recent_ends(now).filter(ENDS[name]).values("known"))


def build_ended_panel(user: "User", now: datetime) -> Panel | None:
    """Return the line of Today for who approves known false positives; None where none ends."""
    if not user.has_perm(CONFIRMS):
        return None
    ended_lines = count_ended_lines(now)
    return (
        Panel("review/ending.html", {"lines": ended_lines, "days": ENDED_SHOWN_FOR.days})
        if ended_lines
        else None
    )


def count_ended_lines(now: datetime) -> list[EndedLine]:
    """Return recent and upcoming ends, the most severe first; two queries."""
    columns = {name: Count("known", distinct=True, filter=of) for name, of in ENDS.items()}
    counts = _select_recent_ends(now).aggregate(**columns)
    counts[SOON] = KnownFalsePositive.objects.filter(filter_ended_rows(SOON, now)).count()
    return [
        EndedLine(counts[name], WORDS[name], _build_register_url(name))
        for name in WORDS
        if counts[name]
    ]


def _select_recent_ends(now: datetime) -> QuerySet[KnownEvent]:
    ends = (KnownAction.ENDED, KnownAction.WOKEN, KnownAction.EXPIRED)
    return KnownEvent.objects.filter(action__in=ends, recorded_at__gt=now - ENDED_SHOWN_FOR)


def _build_register_url(name: str) -> str:
    return f"{reverse('admin:review_knownfalsepositive_changelist')}?{urlencode({'stands': name})}"
