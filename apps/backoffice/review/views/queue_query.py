"""The query of the queue's address: a view, a search, filters, an order, a place."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.db.models import F, Q, Value
from django.db.models.functions import Coalesce

from apps.backoffice.review.case_types import CASE_TYPES
from apps.backoffice.review.models import Case, CaseQuerySet, Risk
from apps.platform.common.days import parse_day, start_of_day
from apps.platform.common.money import MoneyField
from apps.platform.desk.view_guards import FIRST_YEAR, LAST_YEAR

NEWEST_FIRST = {"decided": "decided", "all": "newest"}  # views with an order of their own
HOUR = timedelta(hours=1)
# time from opening to decision, by the clock: label, from, below
DECISION_TIMES: tuple[tuple[str, timedelta | None, timedelta | None], ...] = (
    ("under 1 h", None, HOUR),
    ("1 to 4 h", HOUR, 4 * HOUR),
    ("4 to 24 h", 4 * HOUR, 24 * HOUR),
    ("1 to 3 days", 24 * HOUR, 72 * HOUR),
    ("over 3 days", 72 * HOUR, None),
)


@dataclass(frozen=True, slots=True)
class QueueSort:
    """An order of the queue; `read` turns the text of a place back into the column's value."""

    slug: str
    title: str
    column: str
    newest: bool
    read: Callable[[str], Any]


SORTS = {
    sort.slug: sort
    for sort in (
        QueueSort("due", "Due first", "due_at", False, datetime.fromisoformat),
        QueueSort("newest", "Newest first", "opened_at", True, datetime.fromisoformat),
        QueueSort("score", "Highest risk first", "risk_score", True, int),
        QueueSort("amount", "Largest amount first", "amount_key", True, Decimal),
        QueueSort("decided", "Last decided", "decided_at", True, datetime.fromisoformat),
    )
}
FILTERS = (
    "kind",
    "risk",
    "owner",
    "rule",
    "entity",
    "listed",
    "opened",
    "decided",
    "since",
    "took",
)
UNSHOWN = ("entity", "listed", "opened", "decided", "since", "took")  # only a link sets them


@dataclass(frozen=True, slots=True)
class QueueQuery:
    """The query of the queue's address; unknown values fall back to none."""

    view: str = "open"
    search: str = ""
    kind: str = ""
    risk: str = ""
    owner: str = ""
    rule: str = ""
    entity: str = ""
    listed: str = ""
    opened: str = ""
    decided: str = ""
    since: str = ""
    took: str = ""
    order: str = ""
    after: str = ""

    @classmethod
    def read(cls, query: Any, allowed: set[str]) -> "QueueQuery":
        """Read a query string; `allowed` are views. A search without a view looks everywhere."""
        search = query.get("q", "").strip()[:200]
        view, order = query.get("view", ""), query.get("sort", "")
        if view not in allowed:
            view = "all" if search else "open"
        kind, risk, took = query.get("kind", ""), query.get("risk", ""), query.get("took", "")
        return cls(
            view=view,
            search=search,
            kind=kind if kind in CASE_TYPES else "",
            risk=risk if risk in Risk.values else "",
            owner=query.get("owner", "")[:80],
            rule=query.get("rule", "").replace("|", "")[:200],
            entity=query.get("entity", "")[:200],
            listed=query.get("listed", "")[:200],
            opened=_parse_day(query.get("opened", "")),
            decided=_parse_day(query.get("decided", "")),
            since=_parse_day(query.get("since", "")),
            took=took if took in {str(number) for number in range(len(DECISION_TIMES))} else "",
            order=order if order in SORTS and (order != "decided" or view == "decided") else "",
            after=query.get("after", "")[:80],
        )

    @property
    def sort(self) -> QueueSort:
        """The requested order, or the view's default."""
        return SORTS[self.order or NEWEST_FIRST.get(self.view, "due")]

    @property
    def kept(self) -> list[tuple[str, str]]:
        """Return the filters that no field of the form shows; the form sends them on hidden."""
        return [(name, value) for name in UNSHOWN if (value := getattr(self, name))]

    @property
    def filtered(self) -> bool:
        """Whether anything narrows the view."""
        return bool(self.search) or any(getattr(self, name) for name in FILTERS)

    def address(self, **changes: str) -> str:
        """Return the query string of this page with some of it changed, from its first page."""
        changed = replace(self, **{"after": "", **changes})
        parts = {"view": changed.view, "q": changed.search}
        parts |= {name: getattr(changed, name) for name in FILTERS}
        parts |= {"sort": changed.order, "after": changed.after}
        return "?" + urlencode({name: value for name, value in parts.items() if value})

    def narrow(self, cases: CaseQuerySet) -> CaseQuerySet:
        """Apply search and filters."""
        matching = cases.search(self.search) if self.search else cases
        for name in ("kind", "risk", "owner"):
            if getattr(self, name):
                matching = matching.filter(**{name: getattr(self, name)})
        if self.rule:
            matching = matching.filter(rule_refs__contains=f"|{self.rule}|")
        if self.entity:
            matching = matching.filter(entity_key=self.entity)
        if self.listed:
            matching = matching.filter(match_listed_party(self.listed))
        for name in ("opened", "decided"):
            if getattr(self, name):
                matching = matching.filter(match_day(f"{name}_at", getattr(self, name)))
        if self.since:
            matching = matching.filter(decided_at__gte=get_start_of_day(self.since))
        return matching.filter(match_decision_time(int(self.took))) if self.took else matching

    def order_by(self, cases: CaseQuerySet) -> CaseQuerySet:
        """Order the cases, and start behind the place that the address names."""
        sort = self.sort
        if sort.column == "amount_key":  # what has no value in USD comes last
            least = Value(Decimal(-1), output_field=MoneyField())
            cases = cases.annotate(amount_key=Coalesce("amount_usd", least))
        sign, step = ("-", "lt") if sort.newest else ("", "gt")
        place = _parse_place(self.after, sort)
        if place is not None:
            value, number = place
            behind = Q(**{f"{sort.column}__{step}": value})
            cases = cases.filter(behind | Q(**{sort.column: value, f"pk__{step}": number}))
        return cases.order_by(f"{sign}{sort.column}", f"{sign}pk")

    def place_of(self, case: Case) -> str:
        """Return the place of a case in this order, for the address of the page behind it."""
        value = getattr(case, self.sort.column)
        return f"{value.isoformat() if isinstance(value, datetime) else value}~{case.pk}"


def _parse_place(text: str, sort: QueueSort) -> tuple[Any, int] | None:
    value, _, number = text.partition("~")
    if not (number.isascii() and number.isdigit() and len(number) < 19):
        return None
    try:
        parsed_place: Any = sort.read(value)
        # numbers that no column holds would fail in the database; also Infinity, which Decimal
        # accepts
        if isinstance(parsed_place, int | Decimal) and not -(10**12) < parsed_place < 10**12:
            return None
    except (ValueError, ArithmeticError):
        return None
    if isinstance(parsed_place, datetime) and (
        # times are stored with a zone, and comparing with one without would fail
        parsed_place.tzinfo is None or not _is_within_calendar(parsed_place)
    ):
        return None
    return parsed_place, int(number)


def _parse_day(text: str) -> str:
    day = parse_day(text)
    return text if day and _is_within_calendar(day) else ""


def _is_within_calendar(moment: date) -> bool:
    """Tell whether sums with a day stay within the range of dates."""
    return FIRST_YEAR <= moment.year <= LAST_YEAR


def match_listed_party(listed: str) -> Q:
    """Return the condition that a case is about a listed party (`list:id`), alone or with others.

    apps/backoffice/review/rules/case_keys.py has the form of the key.
    """
    # with the spaces around it: an id may be the beginning of another one
    first, last = Q(entity_key__startswith=f"{listed} "), Q(entity_key__endswith=f" {listed}")
    return Q(entity_key=listed) | first | last | Q(entity_key__contains=f" {listed} ")


def get_start_of_day(day: str) -> datetime:
    """Return the first moment of a day (ISO, UTC)."""
    return start_of_day(date.fromisoformat(day))


def match_day(column: str, day: str) -> Q:
    """Return the condition that a moment lies on a day (UTC)."""
    start = get_start_of_day(day)
    return Q(**{f"{column}__gte": start, f"{column}__lt": start + timedelta(days=1)})


def match_decision_time(number: int) -> Q:
    """Return the condition that deciding took as long as that row of DECISION_TIMES."""
    _, least, most = DECISION_TIMES[number]
    condition = Q()
    if least is not None:
        condition &= Q(decided_at__gte=F("opened_at") + least)
    if most is not None:
        condition &= Q(decided_at__lt=F("opened_at") + most)
    return condition
