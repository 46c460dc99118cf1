"""The SAR log's list: a row per party of a client, the earliest end of a clock first.

Every page is read by an index, however long the log is: parties have rows of their own (SarParty of
models/matters.py), pages begin behind the last row of the one before, and counts are bounded.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import F, OrderBy, OuterRef, Q, QuerySet, Subquery

from apps.backoffice.sar import rules
from apps.backoffice.sar.date_formats import format_days_left
from apps.backoffice.sar.entry_facts import (
    format_entry_amount,
    format_entry_reasons,
    get_record_label,
)
from apps.backoffice.sar.models import RUNNING, SarEntry, SarMatter, SarParty
from apps.platform.common.days import parse_day
from apps.platform.desk import list_pages

TITLES = {
    "SAR-1": "File, or record why not",
    "SAR-2": "Review continuing activity",
    "SAR-3": "File again",
    "OFAC-1": "Report to OFAC",
    "OFAC-2": "Annual report",
}
LAST = {step.action: step.title for step in rules.STEPS} | {rules.CORRECTED: rules.CORRECTION_TITLE}
SHOWN = 6  # matters of one party in the list; the others have a list of their own
MOST_MATTERS = 100  # of a party that are counted
MOST = 10_000  # matters of a view that are counted
PURGED = "Party purged"
NEAREST: tuple[OrderBy | str, ...] = (F("next_by").asc(nulls_last=True), "pk")
NEWEST: tuple[OrderBy | str, ...] = ("-pk",)


@dataclass(frozen=True, slots=True)
class LogView:
    """One view: which matters it has and which parties, and in which order those of one party.

    `due`: parties with the nearest clock first, else those with the newest matter.
    """

    title: str
    matters: Callable[[date], Q]
    parties: Callable[[date], Q]
    inside: tuple[OrderBy | str, ...]
    due: bool = False


VIEWS = {
    "due": LogView(
        "Deadlines running",
        lambda today: RUNNING,
        lambda today: RUNNING,
        ("next_by", "pk"),
        due=True,
    ),
    "late": LogView(
        "Overdue",
        lambda today: Q(next_by__lt=today),
        lambda today: Q(next_by__lt=today),
        ("next_by", "pk"),
        due=True,
    ),
    "settled": LogView(
        "Settled", lambda today: Q(next_by=None), lambda today: Q(settled=True), NEWEST
    ),
    "all": LogView("All", lambda today: Q(), lambda today: Q(), NEAREST),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LogQuery(list_pages.ListQuery):
    """The query of the address: a view, and the party whose matters alone are shown.

    `after` is the place of the last row of the page before: a number, behind the day of its clock
    where that orders the view.
    """

    view: str = "due"
    party: str = ""

    @classmethod
    def read(cls, query: Any) -> "LogQuery":
        """Read a query string; an unknown view is the first, and so is an unknown page."""
        view = query.get("view", "")
        day, _, number = query.get("after", "").rpartition("~")
        known = list_pages.parse_row_number_place(number) and (
            parse_day(day) or query["after"] == number
        )
        return cls(
            view=view if view in VIEWS else "due",
            party=query.get("party", "")[:64],
            after=query["after"] if known else "",
        )

    @property
    def place(self) -> tuple[date | None, int] | None:
        """The day and number that `after` names."""
        day, _, number = self.after.rpartition("~")
        return (parse_day(day), int(number)) if number else None


@dataclass(frozen=True, slots=True)
class MatterLine:
    """One matter in short."""

    matter: SarMatter
    clock: str
    left: str
    late: bool
    last: str


@dataclass(frozen=True, slots=True)
class PartyRow:
    """One party of a client: the matter that is due first, and its others; `more` are not shown."""

    key: str
    lead: MatterLine
    party: str
    kind: str
    why: str
    amount: str
    many: int
    others: list[MatterLine]

    @property
    def more(self) -> bool:
        """Whether there are more than are shown."""
        return self.many > len(self.others) + 1

    @property
    def counted(self) -> str:
        """How many there are, in words."""
        return format_bounded_count(self.many, most=MOST_MATTERS)


def build_log_context(*, query: LogQuery, today: date) -> dict[str, Any]:
    """Return what the list draws: one page, and where the next begins."""
    drawn = _list_matters_of_party if query.party else _list_parties
    rows, following = drawn(query, today)
    counts = {
        name: _count_bounded(SarMatter.objects.filter(view.matters(today)))
        for name, view in VIEWS.items()
        if name != "all"
    }
    # a matter is either due or settled; not counted a third time
    counts["all"] = counts["due"] + counts["settled"]
    return {
        "asked": query,
        "views": [
            (name, VIEWS[name].title, format_bounded_count(counts[name], most=MOST))
            for name in VIEWS
        ],
        "party_name": rows[0].party if query.party and rows else "",
        "rows": rows,
        **query.turns(following),
    }


def format_matter_count(matters: QuerySet[SarMatter]) -> str:
    """Return how many matters there are, as it is read; no more than MOST are counted."""
    return format_bounded_count(_count_bounded(matters), most=MOST)


def _count_bounded(matters: QuerySet[SarMatter]) -> int:
    return matters.order_by()[: MOST + 1].count()


def format_bounded_count(number: int, *, most: int) -> str:
    """Return a bounded count as it is read: 9,120, or 10,000+."""
    return f"{number:,}" if number <= most else f"{most:,}+"


# --- one page --------------------------------------------------------------------------


def _match_after_place(place: tuple[date | None, int] | None, *, due: bool, number: str) -> Q:
    """Return the condition for rows after a cursor; without a cursor, all rows."""
    if place is None or due is not (place[0] is not None):
        return Q()
    day, last = place
    if not due:
        return Q(**{f"{number}__lt": last})
    # the first condition is implied by the second, but an index finds its place only by the day
    return Q(next_by__gte=day) & (Q(next_by__gt=day) | Q(**{f"{number}__gt": last}))


def _format_place(day: date | None, number: int, *, due: bool) -> str:
    return f"{day}~{number}" if due else str(number)


def _list_matters_of_party(query: LogQuery, today: date) -> tuple[list[PartyRow], str]:
    """Return the matters of one party, each in a row of its own."""
    view = VIEWS[query.view]
    mine = SarMatter.objects.filter(view.matters(today), party_key=query.party)
    behind = _match_after_place(query.place, due=view.due, number="pk")
    order = view.inside if view.due else NEWEST
    ordered = mine.filter(behind).select_related("entry").order_by(*order)
    sar_matters, last = list_pages.take_page(ordered)
    rows = [_build_row([matter], 1, matter.entry, today) for matter in sar_matters]
    return rows, _format_place(last.next_by, last.pk, due=view.due) if last else ""


class _CountSubquery(Subquery):
    """The number of rows of a subquery that has a bound."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) counted)"


def _list_parties(query: LogQuery, today: date) -> tuple[list[PartyRow], str]:
    """Return a row for each party of the page, in three queries whatever their number."""
    view = VIEWS[query.view]
    behind = _match_after_place(query.place, due=view.due, number="newest")
    parties = SarParty.objects.filter(view.parties(today)).filter(behind)
    order = ("next_by", "newest") if view.due else ("-newest",)
    # each party with the first of its matters, and how many there are
    mine = SarMatter.objects.filter(view.matters(today), party_key=OuterRef("pk"))
    ordered = mine.order_by(*view.inside).values("pk")
    first = {name: Subquery(ordered[at : at + 1]) for at, name in enumerate(PLACES)}
    party_annotations = first | {
        COUNT: _CountSubquery(mine.order_by().values("pk")[: MOST_MATTERS + 1])
    }
    sar_parties, last = list_pages.take_page(parties.order_by(*order).annotate(**party_annotations))
    places_by_party = {
        party.key: [pk for place in PLACES if (pk := getattr(party, place)) is not None]
        for party in sar_parties
    }
    # payloads are needed of the first matters only
    queryset = SarMatter.objects.select_related("entry").defer("entry__payload", "entry__salt")
    matters = queryset.in_bulk([pk for pks in places_by_party.values() for pk in pks])
    leads = SarEntry.objects.in_bulk([pks[0] for pks in places_by_party.values() if pks])
    rows = [
        _build_row([matters[pk] for pk in pks], getattr(party, COUNT), leads[pks[0]], today)
        for party in sar_parties
        if (pks := places_by_party[party.key])
    ]
    return rows, _format_place(last.next_by, last.newest, due=view.due) if last else ""


PLACES, COUNT = tuple(f"place_{number}" for number in range(SHOWN)), "counted"


def _build_row(
    sar_matters: Sequence[SarMatter], many: int, entry: SarEntry, today: date
) -> PartyRow:
    data = entry.data
    return PartyRow(
        key=sar_matters[0].party_key,
        lead=build_matter_line(sar_matters[0], today),
        party=data.get("party", "") or PURGED,
        kind=get_record_label(entry.kind),
        why=next(iter(format_entry_reasons(entry.kind, data)), ""),
        amount=format_entry_amount(data),
        many=many,
        others=[build_matter_line(sar_matter, today) for sar_matter in sar_matters[1:]],
    )


def build_matter_line(matter: SarMatter, today: date) -> MatterLine:
    """Return a matter in short; nothing of its payload is read."""
    return MatterLine(
        matter=matter,
        clock=TITLES.get(matter.next_clock, ""),
        left=format_days_left(by=matter.next_by, today=today) if matter.next_by else "",
        late=matter.next_by is not None and matter.next_by < today,
        last=LAST.get(matter.last_action, ""),
    )
