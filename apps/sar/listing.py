"""The SAR log's list: a row for each party of a client, the one whose clock ends first on top.

Every page is read by an index, however long the log is: parties stand in rows of their own
(models.py), pages begin behind the last row of the one before, and what is counted has a bound.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import F, OrderBy, OuterRef, Q, QuerySet, Subquery

from apps.core.written import day_from
from apps.desk import lists
from apps.sar import rules
from apps.sar.days import days_left
from apps.sar.facts import kind_words, reasons_of, shown_amount
from apps.sar.models import RUNNING, SarEntry, SarMatter, SarParty

TITLES = {
    "SAR-1": "File, or record why not",
    "SAR-2": "Review continuing activity",
    "SAR-3": "File again",
    "OFAC-1": "Report to OFAC",
    "OFAC-2": "Annual report",
}
LAST = {step.action: step.title for step in rules.STEPS} | {rules.CORRECTED: rules.TITLE}
SHOWN = 6  # matters of one party in the list; the others have a list of their own
MOST_MATTERS = 100  # of a party that are counted
MOST = 10_000  # matters of a view that are counted
PURGED = "Party purged"
NEAREST: tuple[OrderBy | str, ...] = (F("next_by").asc(nulls_last=True), "pk")
NEWEST: tuple[OrderBy | str, ...] = ("-pk",)


@dataclass(frozen=True, slots=True)
class View:
    """One view: which matters it has and which parties, and in which order those of one party.

    `due`: parties with the nearest clock first, else those with the newest matter.
    """

    title: str
    matters: Callable[[date], Q]
    parties: Callable[[date], Q]
    inside: tuple[OrderBy | str, ...]
    due: bool = False


VIEWS = {
    "due": View(
        "Clocks running",
        lambda today: RUNNING,
        lambda today: RUNNING,
        ("next_by", "pk"),
        due=True,
    ),
    "late": View(
        "Past due",
        lambda today: Q(next_by__lt=today),
        lambda today: Q(next_by__lt=today),
        ("next_by", "pk"),
        due=True,
    ),
    "settled": View(
        "Settled", lambda today: Q(next_by=None), lambda today: Q(settled=True), NEWEST
    ),
    "all": View("All", lambda today: Q(), lambda today: Q(), NEAREST),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(lists.Asked):
    """What the address asks for: a view, the matters of one party alone.

    `after` is the place of the last row of the page before: a number, behind the day of its clock
    where that orders the view.
    """

    view: str = "due"
    party: str = ""

    @classmethod
    def read(cls, query: Any) -> "Asked":
        """Read a query string; an unknown view is the first, and so is an unknown page."""
        view = query.get("view", "")
        day, _, number = query.get("after", "").rpartition("~")
        known = lists.number_place(number) and (day_from(day) or query["after"] == number)
        return cls(
            view=view if view in VIEWS else "due",
            party=query.get("party", "")[:64],
            after=query["after"] if known else "",
        )

    @property
    def place(self) -> tuple[date | None, int] | None:
        """The day and number that `after` names."""
        day, _, number = self.after.rpartition("~")
        return (day_from(day), int(number)) if number else None


@dataclass(frozen=True, slots=True)
class Line:
    """One matter in short."""

    matter: SarMatter
    clock: str
    left: str
    late: bool
    last: str


@dataclass(frozen=True, slots=True)
class Row:
    """One party of a client: the matter that is due first, and its others; `more` are not shown."""

    key: str
    lead: Line
    party: str
    kind: str
    why: str
    amount: str
    many: int
    others: list[Line]

    @property
    def more(self) -> bool:
        """Whether there are more than are shown."""
        return self.many > len(self.others) + 1

    @property
    def counted(self) -> str:
        """How many there are, in words."""
        return counted(self.many, most=MOST_MATTERS)


def listing(*, asked: Asked, today: date) -> dict[str, Any]:
    """Return what the list draws: one page, and where the next begins."""
    drawn = _alone if asked.party else _together
    rows, following = drawn(asked, today)
    return {
        "asked": asked,
        "views": _views(today),
        "party_name": rows[0].party if asked.party and rows else "",
        "rows": rows,
        **asked.turns(following),
    }


def many(matters: QuerySet[SarMatter]) -> str:
    """Return how many matters there are, as it is read; no more than MOST are counted."""
    return counted(_bounded(matters), most=MOST)


def _bounded(matters: QuerySet[SarMatter]) -> int:
    return matters.order_by()[: MOST + 1].count()


def _views(today: date) -> list[tuple[str, str, str]]:
    """Return each view with its title and how many matters it has."""
    found = {
        name: _bounded(SarMatter.objects.filter(view.matters(today)))
        for name, view in VIEWS.items()
        if name != "all"
    }
    found["all"] = found["due"] + found["settled"]
    return [(name, VIEWS[name].title, counted(found[name], most=MOST)) for name in VIEWS]


def counted(number: int, *, most: int) -> str:
    """Return a bounded count as it is read: 9,120, or 10,000+."""
    return f"{number:,}" if number <= most else f"{most:,}+"


# --- one page --------------------------------------------------------------------------


def _behind(place: tuple[date | None, int] | None, *, due: bool, number: str) -> Q:
    """Return the condition of what stands behind a place; all does behind none."""
    if place is None or due is not (place[0] is not None):
        return Q()
    day, last = place
    if not due:
        return Q(**{f"{number}__lt": last})
    # by the day alone an index finds where to begin
    return Q(next_by__gte=day) & (Q(next_by__gt=day) | Q(**{f"{number}__gt": last}))


def _place(day: date | None, number: int, *, due: bool) -> str:
    return f"{day}~{number}" if due else str(number)


def _alone(asked: Asked, today: date) -> tuple[list[Row], str]:
    """Return the matters of one party, each in a row of its own."""
    view = VIEWS[asked.view]
    mine = SarMatter.objects.filter(view.matters(today), party_key=asked.party)
    behind = _behind(asked.place, due=view.due, number="pk")
    order = view.inside if view.due else NEWEST
    ordered = mine.filter(behind).select_related("entry").order_by(*order)
    found, last = lists.cut(ordered)
    rows = [_row([matter], 1, matter.entry, today) for matter in found]
    return rows, _place(last.next_by, last.pk, due=view.due) if last else ""


class _Counted(Subquery):
    """The number of rows of a subquery that has a bound."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) counted)"


def _together(asked: Asked, today: date) -> tuple[list[Row], str]:
    """Return a row for each party of the page, in three queries whatever their number."""
    view = VIEWS[asked.view]
    behind = _behind(asked.place, due=view.due, number="newest")
    parties = SarParty.objects.filter(view.parties(today)).filter(behind)
    order = ("next_by", "newest") if view.due else ("-newest",)
    found, last = lists.cut(parties.order_by(*order).annotate(**_of_each(view, today)))
    held = {
        one.key: [pk for place in PLACES if (pk := getattr(one, place)) is not None]
        for one in found
    }
    # what a payload holds is needed of the first matter alone
    shown = SarMatter.objects.select_related("entry").defer("entry__payload", "entry__salt")
    matters = shown.in_bulk([pk for pks in held.values() for pk in pks])
    leads = SarEntry.objects.in_bulk([pks[0] for pks in held.values() if pks])
    rows = [
        _row([matters[pk] for pk in pks], getattr(one, COUNT), leads[pks[0]], today)
        for one in found
        if (pks := held[one.key])
    ]
    return rows, _place(last.next_by, last.newest, due=view.due) if last else ""


PLACES, COUNT = tuple(f"place_{number}" for number in range(SHOWN)), "counted"


def _of_each(view: View, today: date) -> dict[str, Subquery]:
    """Return what is read of each party: the first of its matters, and how many there are."""
    mine = SarMatter.objects.filter(view.matters(today), party_key=OuterRef("pk"))
    ordered = mine.order_by(*view.inside).values("pk")
    first = {name: Subquery(ordered[at : at + 1]) for at, name in enumerate(PLACES)}
    return first | {COUNT: _Counted(mine.order_by().values("pk")[: MOST_MATTERS + 1])}


def _row(held: Sequence[SarMatter], many: int, entry: SarEntry, today: date) -> Row:
    data = entry.data
    return Row(
        key=held[0].party_key,
        lead=line(held[0], today),
        party=data.get("party", "") or PURGED,
        kind=kind_words(entry.kind),
        why=next(iter(reasons_of(entry.kind, data)), ""),
        amount=shown_amount(data),
        many=many,
        others=[line(one, today) for one in held[1:]],
    )


def line(matter: SarMatter, today: date) -> Line:
    """Return a matter in short; nothing of its payload is read."""
    return Line(
        matter=matter,
        clock=TITLES.get(matter.next_clock, ""),
        left=days_left(by=matter.next_by, today=today) if matter.next_by else "",
        late=matter.next_by is not None and matter.next_by < today,
        last=LAST.get(matter.last_action, ""),
    )
