"""The list of screens: the query of its address, and one page by key."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import QuerySet

from apps.access.keys import tenant_names
from apps.compliance.screening.api.filters import DeskScreenFilter
from apps.compliance.screening.models import Screen
from apps.compliance.screening.rules.findings import RULES
from apps.compliance.screening.search import find_screens
from apps.platform.desk import list_pages
from apps.platform.ledger.verification.verified_reads import filter_verified_records

DECISIONS = {"APPROVED": "Approved", "FLAGGED": "Flagged", "BLOCKED": "Blocked"}
TONES = {"APPROVED": "approve", "FLAGGED": "second", "BLOCKED": "reject"}  # of badges
SAMPLES = {"yes": "Sample data", "no": "Live data"}
TITLES = {rule.code: rule.title for rule in RULES}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenListQuery(list_pages.ListQuery):
    """The filters of the address; unknown values filter nothing. Days are ISO, in UTC."""

    decision: str = list_pages.choice_field(DECISIONS)
    owner: str = list_pages.value_field(80)
    rule: str = list_pages.choice_field(TITLES)
    sample: str = list_pages.choice_field(SAMPLES)
    q: str = list_pages.value_field(200)
    since: str = list_pages.filter_field(list_pages.parse_day_filter)
    until: str = list_pages.filter_field(list_pages.parse_day_filter)

    def screens(self) -> list[QuerySet[Screen]]:
        """Return the requested screens, newest first, after the position in the address.

        One queryset for the client's screens, and one for those that are hidden from its keys.
        """
        # not one query for both owners: each then reads its own index in order
        owners = tenant_names.list_owners_for_tenant(self.owner) if self.owner else ("",)
        return [self._of(owner) for owner in owners]

    def _of(self, owner: str) -> QuerySet[Screen]:
        rows = find_screens(self.q, owner) if self.q else Screen.objects.all()
        rows = DeskScreenFilter(self.chosen | ({"owner": owner} if owner else {}), rows).qs
        return list_pages.filter_by_days(rows, since=self.since, until=self.until, after=self.after)

    def place(self, screen: Screen) -> tuple[Any, ...]:
        """Return the sort key of a screen in the list."""
        # with days, records are read by the index of their time (list_pages.filter_by_days)
        return (screen.recorded_at, screen.pk) if self.since or self.until else (screen.pk,)

    @property
    def rare(self) -> bool:
        """Whether few screens may match, anywhere in the table."""
        # a rule has an index of its own, which has no order of time
        return bool(self.rule and not (self.q or self.since or self.until))


@dataclass(frozen=True, slots=True)
class ScreenRow:
    """One line of the list; `ours` is whether the record is proved to be."""

    screen: Screen
    ours: bool
    party: str
    tenant: str
    decision: str
    tone: str
    rules: tuple[str, ...]
    reference: str


def build_screen_page(query: ScreenListQuery) -> list_pages.ListPage:
    """Return one page: the screens and their clients' names, in two queries.

    Rare rules and, behind a place, days take one or two more. Of one client the queries for screens
    are made twice, once for each owner.
    """
    cut = (
        partial(list_pages.take_page_of_rare, after=query.after)
        if query.rare
        else list_pages.take_page
    )
    shown, last = list_pages.merge_pages([cut(part) for part in query.screens()], by=query.place)
    ours = {screen.pk for screen in filter_verified_records(shown)}
    names = tenant_names.load_tenant_names({screen.owner for screen in shown})
    rows = [_build_screen_row(screen, screen.pk in ours, names) for screen in shown]
    return list_pages.build_list_page(rows, last)


def _build_screen_row(screen: Screen, ours: bool, names: dict[str, str]) -> ScreenRow:
    request = screen.data.get("request", {})
    return ScreenRow(
        screen=screen,
        ours=ours,
        party=request.get("name") or "payload purged",
        tenant=names.get(screen.owner, screen.owner),
        decision=DECISIONS.get(screen.decision, screen.decision),
        tone=TONES.get(screen.decision, "info"),
        rules=describe_rules(screen),
        reference=request.get("reference", ""),
    )


def describe_rules(screen: Screen) -> tuple[str, ...]:
    """Return the rules that held in words; a former rule by its code."""
    return tuple(TITLES.get(code, code) for code in screen.rules.split("; ") if code)
