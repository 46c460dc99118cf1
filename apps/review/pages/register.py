"""The register of known false positives: what its address asks for, one page by key, and one."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet

from apps.access import tenants
from apps.desk import lists
from apps.desk.days import day_of
from apps.desk.rules import SHORTEST_NOTE
from apps.review.actions.known_steps import CONFIRMS, hindrance
from apps.review.known import events_of
from apps.review.models import KnownEvent, KnownFalsePositive, KnownState
from apps.review.models.known import LIVE
from apps.review.pages import ending
from apps.review.pages import known as pages
from apps.review.pages.evidence import picture
from apps.review.rules import known as rules
from apps.review.rules.keys import party_key
from apps.review.telling import STRANGE, Told, standing
from config.review import KINDS

if TYPE_CHECKING:
    from django.contrib.auth.models import User

STANDS = {
    "waits": "Needs a second officer",
    "IN_FORCE": "In force",
    "WOKEN": "Woken: the listed entry is another",
    "EXPIRED": "Expired",
    "ENDED": "Ended",
    "REJECTED": "Rejected",
} | ending.STANDS
PEOPLE = ("proposed_by", "decided_by", "extend_by")
Rows = QuerySet[KnownFalsePositive]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(lists.Asked):
    """What the address asks for; what is unknown narrows nothing."""

    q: str = ""
    stands: str = ""
    owner: str = ""

    @classmethod
    def read(cls, query: Any) -> "Asked":
        """Read a query string."""
        stands = query.get("stands", "")
        return cls(
            q=query.get("q", "").strip()[:200],
            stands=stands if stands in STANDS else "",
            owner=query.get("owner", "")[:80],
            after=lists.number_place(query.get("after", "")),
        )

    def rows(self, now: datetime) -> Rows:
        """Return those asked for, the newest first, behind the place of the address."""
        found = KnownFalsePositive.objects.select_related(*PEOPLE).order_by("-pk")
        if self.stands:
            found = found.filter(_stands(self.stands, now))
        if self.owner:
            found = found.filter(owner=self.owner)
        if self.q:
            found = found.filter(_named(self.q))
        return found.filter(pk__lt=int(self.after)) if self.after else found


def _stands(name: str, now: datetime) -> Q:
    if name in ending.STANDS:
        return ending.asked(name, now)
    late = Q(state__in=LIVE, expires_on__lt=day_of(now))
    if name == "waits":
        # a union: an OR over both would read every row
        held = KnownFalsePositive.objects.order_by().values("pk")
        new, longer = held.filter(state=KnownState.PROPOSED), held.filter(extend_to__isnull=False)
        return Q(pk__in=new.union(longer), expires_on__gte=day_of(now))
    if name == KnownState.EXPIRED:
        return Q(state=name) | late
    return Q(state=name) & ~late


def _named(text: str) -> Q:
    """Find by words of the party's name, its LEI, or the listed party's name or key."""
    words = party_key(text).split()[:8]
    party = Q()
    for word in words:
        party &= Q(party_key__contains=word)
    found = Q(lei=text.upper()) | Q(label__icontains=text) | Q(entity__icontains=text)
    return found | party if words else found


@dataclass(frozen=True, slots=True)
class Row:
    """One line: how it stands, and whose it is."""

    told: Told
    tenant: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the register; `following` is the place of the next one, "" on the last."""

    rows: list[Row]
    following: str


def page(asked: Asked, now: datetime) -> Page:
    """Return one page: three queries, and those of the lists."""
    found, last = lists.cut(asked.rows(now))
    names = tenants.names({one.owner for one in found})
    told = standing(found, now=now) if found else []
    rows = [Row(one, names.get(one.known.owner, one.known.owner)) for one in told]
    return Page(rows, str(last.pk) if last else "")


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the history."""

    event: KnownEvent
    until: str
    why: str
    note: str


@dataclass(frozen=True, slots=True)
class May:
    """What the reader may do now; the actions check all of it again."""

    decide: bool
    grant: bool
    end: bool
    extend: bool


def one(known: KnownFalsePositive, *, user: "User", now: datetime) -> dict[str, Any]:
    """Return what the page of one draws."""
    (told,) = standing([known], now=now)
    events = events_of([known.pk])[known.pk]
    today = day_of(now)
    allowed = may(told, user)
    return _seen(known, user) | {
        "known": known,
        "told": told,
        "tenant": tenants.name(known.owner),
        "steps": [_step(event) for event in events],
        "may": allowed,
        "hindered": hindrance(known) if allowed.decide else "",
        "first": pages.next_day(max(today, known.expires_on)),
        "latest": rules.latest(today),
        "shortest_note": SHORTEST_NOTE,
    }


def _seen(known: KnownFalsePositive, user: "User") -> dict[str, Any]:
    """Return what its case shows of the party and the listed one, to who may see cases."""
    if not user.has_perm("review.view_case"):
        return {}
    drawn = picture(known.case)
    mine = (one for one in drawn["matches"] if one.get("key") == known.entity)
    return {"picture": drawn, "match": next((one for one in mine if not one.get("of")), None)}


def may(told: Told, user: "User") -> May:
    """Tell what a user may do with one."""
    known, stands = told.known, told.standing
    second = user.has_perm(CONFIRMS)
    works = user.has_perm("review.decide_case") and known.kind in KINDS
    live = known.state == KnownState.IN_FORCE and stands != STRANGE
    return May(
        decide=second and stands == KnownState.PROPOSED and known.proposed_by_id != user.pk,
        grant=second and live and known.extend_to is not None and known.extend_by_id != user.pk,
        end=works and live,
        extend=works and stands == KnownState.IN_FORCE and known.extend_to is None,
    )


def _step(event: KnownEvent) -> Step:
    data = event.data
    why = rules.WORDS.get(data.get("why", ""), data.get("reason", ""))
    return Step(event, data.get("until", ""), why, data.get("note", ""))
