"""Cases in the search of every page: by number, record, party, wallet, LEI, reference, client."""

from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.db.models import Count, Q
from django.urls import reverse

from apps.access import tenants
from apps.desk.search import SHOWN, Group, Hit, number_of
from apps.review.models import Case
from apps.review.pages import queue

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MANY = 1000  # up to so many finds are counted
MODEL = "review.case"
Numbers = list[int]


def cases(user: "User", text: str, now: datetime) -> Group | None:
    """Find cases; one whose number, or whose record's id, the text is comes first."""
    if not user.has_perm("review.view_case"):
        return None
    exact = _exact(text)
    named = list(Case.objects.numbers(text, most=MANY))
    others = [number for number in named if number not in exact]
    hits = _hits([*exact, *others][:SHOWN], set(exact), now)
    more = ""
    if len(named) > 1:
        more = "All 1,000 and more cases" if len(named) >= MANY else f"All {len(named)} cases"
    address = _queue(view="all", q=text)
    return Group("Cases", MODEL, hits, more if len(named) > len(hits) else "", address)


def _exact(text: str) -> Numbers:
    found = Q(ref=text.lower())
    if (number := number_of(text, "case", "no.")) is not None:
        found |= Q(pk=number)
    elif len(text) < len("00000000-0000"):
        return []  # shorter than the id of any record
    return list(Case.objects.filter(found).values_list("pk", flat=True)[:SHOWN])


def _hits(numbers: Numbers, exact: set[int], now: datetime) -> list[Hit]:
    people = ("claimed_by", "first_by", "assigned_to")
    known = Case.objects.select_related(*people).defer("evidence").in_bulk(numbers)
    found = [known[number] for number in numbers]
    names = tenants.names({case.owner for case in found})
    return [_hit(row, row.case.pk in exact) for row in queue.rows(found, names, now)]


def _hit(row: queue.Row, exact: bool) -> Hit:
    case = row.case
    stands = row.verdict.done if row.verdict.outcome else f"{case.get_status_display()}, {row.left}"
    told = (
        f"Case {case.pk}",
        row.tenant,
        case.reference,
        f"{case.get_risk_display()} risk",
        stands,
        f"opened {case.opened_at:%d %b %Y}",
    )
    address = reverse("admin:review_case_change", args=[case.pk])
    return Hit(case.party or case.title, " · ".join(filter(None, told)), address, exact)


def clients(user: "User", text: str, now: datetime) -> Group | None:
    """Find clients by name, for the cases that they have."""
    if not user.has_perm("review.view_case"):
        return None
    known = tenants.named(text, most=SHOWN)
    counted = dict(
        Case.objects.filter(owner__in=known).order_by().values_list("owner").annotate(Count("pk"))
    )
    hits = [
        Hit(name, f"{counted[owner]:,} cases", _queue(view="all", owner=owner))
        for owner, name in known.items()
        if owner in counted
    ]
    return Group("Cases of a client", MODEL, hits)


def _queue(**asked: str) -> str:
    return f"{reverse('admin:review_case_changelist')}?{urlencode(asked)}"
