"""The register of known false positives: its query, one page by key, and the page of one."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet

from apps.access.keys import tenant_names
from apps.backoffice.review.case_types import CASE_TYPES
from apps.backoffice.review.known_false_positive_integrity import load_known_events
from apps.backoffice.review.models import KnownEvent, KnownFalsePositive, KnownState
from apps.backoffice.review.models.known_false_positives import LIVE
from apps.backoffice.review.rules import known_false_positives as known_rules
from apps.backoffice.review.rules.case_keys import build_party_key
from apps.backoffice.review.selectors.known_false_positives import (
    ALTERED,
    KnownStatus,
    build_known_statuses,
)
from apps.backoffice.review.services.known_false_positive_decisions import (
    CONFIRMS,
    find_approval_hindrance,
    list_proposed_together,
)
from apps.backoffice.review.views import known_false_positive_expiry
from apps.backoffice.review.views.case_known_false_positives import get_next_day
from apps.backoffice.review.views.evidence import draw_case_evidence
from apps.platform.desk import list_pages
from apps.platform.desk.local_dates import local_date
from apps.platform.desk.note_validation import SHORTEST_NOTE

if TYPE_CHECKING:
    from django.contrib.auth.models import User

REGISTER_STATES = {
    "waits": "Needs a second officer",
    "IN_FORCE": "In force",
    "WOKEN": "Woken: the listed entry is another",
    "EXPIRED": "Expired",
    "ENDED": "Ended",
    "REJECTED": "Rejected",
} | known_false_positive_expiry.END_STATES
PEOPLE = ("proposed_by", "decided_by", "extend_by")
Rows = QuerySet[KnownFalsePositive]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterQuery(list_pages.ListQuery):
    """The filters of the address; unknown values filter nothing."""

    q: str = list_pages.text_field(200)
    stands: str = list_pages.choice_field(REGISTER_STATES)
    owner: str = list_pages.value_field(80)

    def rows(self, now: datetime) -> Rows:
        """Return the requested ones, the newest first, after the cursor of the address."""
        false_positives = KnownFalsePositive.objects.select_related(*PEOPLE)
        if self.stands:
            false_positives = false_positives.filter(_match_state(self.stands, now))
        if self.owner:
            false_positives = false_positives.filter(owner=self.owner)
        if self.q:
            text = self.q
            words = build_party_key(text).split()[:8]
            party = Q()
            for word in words:
                party &= Q(party_key__contains=word)
            condition = Q(lei=text.upper()) | Q(label__icontains=text) | Q(entity__icontains=text)
            false_positives = false_positives.filter(condition | party if words else condition)
        return self.behind(false_positives)


def _match_state(name: str, now: datetime) -> Q:
    if name in known_false_positive_expiry.END_STATES:
        return known_false_positive_expiry.filter_ended_rows(name, now)
    # past its last day one counts as expired, although the daily job has not ended it yet
    late = Q(state__in=LIVE, expires_on__lt=local_date(now))
    if name == "waits":
        # a union: an OR over both would read every row
        false_positives = KnownFalsePositive.objects.order_by().values("pk")
        new, longer = (
            false_positives.filter(state=KnownState.PROPOSED),
            false_positives.filter(extend_to__isnull=False),
        )
        return Q(pk__in=new.union(longer), expires_on__gte=local_date(now))
    if name == KnownState.EXPIRED:
        return Q(state=name) | late
    return Q(state=name) & ~late


@dataclass(frozen=True, slots=True)
class RegisterRow:
    """One line: its state and owner."""

    told: KnownStatus
    tenant: str


def build_register_page(query: RegisterQuery, now: datetime) -> list_pages.ListPage:
    """Return one page: three queries, and those of the lists."""
    false_positives, last = list_pages.take_page(query.rows(now))
    names = tenant_names.load_tenant_names({positive.owner for positive in false_positives})
    statuses = build_known_statuses(false_positives, now=now) if false_positives else []
    rows = [
        RegisterRow(status, names.get(status.known.owner, status.known.owner))
        for status in statuses
    ]
    return list_pages.build_list_page(rows, last)


@dataclass(frozen=True, slots=True)
class KnownHistoryStep:
    """One line of the history."""

    event: KnownEvent
    until: str
    why: str
    note: str


@dataclass(frozen=True, slots=True)
class KnownPermissions:
    """What the reader may do now; the actions check all of it again."""

    decide: bool
    grant: bool
    end: bool
    extend: bool


def build_known_context(
    known: KnownFalsePositive, *, user: "User", now: datetime
) -> dict[str, Any]:
    """Return the context of the page of one."""
    (known_status,) = build_known_statuses([known], now=now)
    events = load_known_events([known.pk])[known.pk]
    today = local_date(now)
    allowed = get_known_permissions(known_status, user)
    # the evidence is that of the case, and not everybody who reads the register may see cases
    if not user.has_perm("review.view_case"):
        match_evidence = {}
    else:
        case_evidence = draw_case_evidence(known.case)
        mine = (match for match in case_evidence["matches"] if match.get("key") == known.entity)
        match_evidence = {
            "picture": case_evidence,
            "match": next((match_row for match_row in mine if not match_row.get("of")), None),
        }
    return match_evidence | {
        "known": known,
        "told": known_status,
        "tenant": tenant_names.load_tenant_name(known.owner),
        "steps": [_build_history_step(event) for event in events],
        "may": allowed,
        "hindered": find_approval_hindrance(known) if allowed.decide else "",
        "together": list_proposed_together(known) if allowed.decide else (),
        "first": get_next_day(max(today, known.expires_on)),
        "latest": known_rules.get_latest_expiry(today),
        "shortest_note": SHORTEST_NOTE,
    }


def get_known_permissions(known_status: KnownStatus, user: "User") -> KnownPermissions:
    """Tell what a user may do with one."""
    known, stands = known_status.known, known_status.standing
    second = user.has_perm(CONFIRMS)
    works = user.has_perm("review.decide_case") and known.kind in CASE_TYPES
    # by the stored state, so that one past its last day that the daily job has not ended yet can
    # still be ended; one that is not as recorded is neither ended nor extended here
    live = known.state == KnownState.IN_FORCE and stands != ALTERED
    return KnownPermissions(
        decide=second and stands == KnownState.PROPOSED and known.proposed_by_id != user.pk,
        grant=second and live and known.extend_to is not None and known.extend_by_id != user.pk,
        end=works and live,
        extend=works and stands == KnownState.IN_FORCE and known.extend_to is None,
    )


def _build_history_step(event: KnownEvent) -> KnownHistoryStep:
    data = event.data
    why = known_rules.WAKE_REASON_LABELS.get(data.get("why", ""), data.get("reason", ""))
    return KnownHistoryStep(event, data.get("until", ""), why, data.get("note", ""))
