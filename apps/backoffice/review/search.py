"""Cases in the search of every page: by number, record, party, wallet, LEI, reference, client."""

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.db.models import Count, Q
from django.urls import reverse

from apps.access.keys import tenant_names
from apps.backoffice.review.models import Action, Case, DecisionEvent
from apps.backoffice.review.views import queue_page
from apps.platform.crypto.canonical import canonical_json
from apps.platform.desk.digest_search import find_seals_of_digest, parse_digest
from apps.platform.desk.search import SHOWN, SearchGroup, SearchHit, parse_row_number

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MANY = 1000  # up to so many matching cases are counted
MODEL = "review.case"
Numbers = list[int]


def search_cases(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find cases; one whose number, or whose record's id, the text is comes first."""
    if not user.has_perm("review.view_case"):
        return None
    exact = _find_exact_cases(user, text)
    named = list(Case.objects.numbers(text, most=MANY))
    others = [number for number in named if number not in exact]
    hits = _build_hits([*exact, *others][:SHOWN], set(exact), user, now)
    more = ""
    if len(named) > 1:
        more = "All cases (1,000 or more)" if len(named) >= MANY else f"All {len(named)} cases"
    address = _build_queue_url(view="all", q=text)
    return SearchGroup("Cases", MODEL, hits, more if len(named) > len(hits) else "", address)


def _find_exact_cases(user: "User", text: str) -> Numbers:
    if digest := parse_digest(text):
        # a digest is of what was known, or of a step; whoever may open the steps themselves is led
        # there (apps/platform/desk/digest_search.py)
        payload = canonical_json({"digest": digest}).decode()
        openings = [DecisionEvent.objects.filter(action=Action.OPENED, payload=payload)]
        if not user.has_perm("review.view_decisionevent"):
            steps = [
                seal.record_id for seal in find_seals_of_digest(digest, [DecisionEvent.LEDGER])
            ]
            openings.append(DecisionEvent.objects.filter(pk__in=steps))
        numbers = {
            number
            for decision_events in openings
            for number in decision_events.values_list("case", flat=True)[:SHOWN]
        }
        return sorted(numbers)
    condition = Q(ref=text.lower())
    if (number := parse_row_number(text, "case", "no.")) is not None:
        condition |= Q(pk=number)
    elif len(text) < len("00000000-0000"):
        return []  # shorter than the id of any record
    return list(Case.objects.filter(condition).values_list("pk", flat=True)[:SHOWN])


def _build_hits(numbers: Numbers, exact: set[int], user: "User", now: datetime) -> list[SearchHit]:
    people = ("claimed_by", "first_by", "assigned_to")
    known = Case.objects.select_related(*people).defer("evidence").in_bulk(numbers)
    cases = [known[number] for number in numbers]
    names = tenant_names.load_tenant_names({case.owner for case in cases})
    return [
        _build_hit(row, row.case.pk in exact)
        for row in queue_page.build_queue_rows(cases, names, user, now)
    ]


def _build_hit(row: queue_page.QueueRow, exact: bool) -> SearchHit:
    case = row.case
    stands = row.verdict.done if row.verdict.outcome else f"{case.get_status_display()}, {row.left}"
    stands = "Decided, in quality sample" if row.untold else stands
    columns = (
        f"Case {case.pk}",
        row.tenant,
        case.reference,
        f"{case.get_risk_display()} risk",
        stands,
        f"opened {case.opened_at:%d %b %Y}",
    )
    address, record = _build_case_url(case.pk), f"{MODEL}:{case.pk}"
    return SearchHit(
        case.party or case.title, " · ".join(filter(None, columns)), address, exact, record
    )


def list_hold_records(number: int) -> tuple[str, list[int]]:
    """Return the records that a hold on a case covers: its steps that have their payload."""
    steps = DecisionEvent.objects.filter(case=number).exclude(payload="").order_by("pk")
    return DecisionEvent.LEDGER, list(steps.values_list("pk", flat=True))


def label_decision_events(numbers: Collection[int]) -> dict[int, tuple[str, str]]:
    """Return of which case each step is, without its party, and where it is."""
    cases = DecisionEvent.objects.filter(pk__in=numbers).values_list("pk", "case")
    return {pk: (f"Case {case}", _build_case_url(case)) for pk, case in cases}


def _build_case_url(number: int) -> str:
    return reverse("admin:review_case_change", args=[number])


def search_clients(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find clients by name, for the cases that they have."""
    if not user.has_perm("review.view_case"):
        return None
    known = tenant_names.search_tenants(text, most=SHOWN)
    counted = dict(
        Case.objects.filter(owner__in=known).order_by().values_list("owner").annotate(Count("pk"))
    )
    hits = [
        SearchHit(name, f"{counted[owner]:,} cases", _build_queue_url(view="all", owner=owner))
        for owner, name in known.items()
        if owner in counted
    ]
    return SearchGroup("Cases of a client", MODEL, hits)


def _build_queue_url(**asked: str) -> str:
    return f"{reverse('admin:review_case_changelist')}?{urlencode(asked)}"
