"""The SAR log's pages: the list by due day, and one entry with its clocks."""

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator

from apps.access import tenants
from apps.core.models import PurgeEvent, Seal
from apps.desk.rules import SHORTEST_NOTE
from apps.sar import authorities, rules
from apps.sar.models import FilingEvent, SarEntry, SarMatter

if TYPE_CHECKING:
    from django.contrib.auth.models import User

VIEWS = (("due", "Clocks running"), ("late", "Past due"), ("settled", "Settled"), ("all", "All"))
TITLES = {
    "SAR-1": "File, or record why not",
    "SAR-2": "Review continuing activity",
    "OFAC-1": "Report to OFAC",
    "OFAC-2": "Annual report",
}
LAST = {step.action: step.title for step in rules.STEPS}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list."""

    matter: SarMatter
    party: str
    why: str
    clock: str
    left: str
    late: bool
    last: str


def listing(*, query: Any, today: date, size: int) -> dict[str, Any]:
    """Return what the list draws; an unknown view is the first, a page too far the last."""
    view = query.get("view", "")
    view = view if view in dict(VIEWS) else "due"
    chosen = {
        "due": SarMatter.objects.pending(),
        "late": SarMatter.objects.late(today).order_by("next_by", "pk"),
        "settled": SarMatter.objects.filter(next_by=None).order_by("-pk"),
        "all": SarMatter.objects.order_by("-pk"),
    }
    counts = {name: rows.count() for name, rows in chosen.items()}
    found = Paginator(chosen[view].select_related("entry"), size).get_page(query.get("page"))
    return {
        "view": view,
        "views": [(name, title, counts[name]) for name, title in VIEWS],
        "page": found,
        "rows": [_row(matter, today) for matter in found],
    }


def _row(matter: SarMatter, today: date) -> Row:
    data = matter.entry.data
    return Row(
        matter=matter,
        party=data.get("party", "") or "payload purged",
        why=next(iter(data.get("reasons", ())), ""),
        clock=TITLES.get(matter.next_clock, ""),
        left=days_left(by=matter.next_by, today=today) if matter.next_by else "",
        late=matter.next_by is not None and matter.next_by < today,
        last=LAST.get(matter.last_action, ""),
    )


def days_left(*, by: date, today: date) -> str:
    """Return in words how far away a last day is."""
    days = (by - today).days
    if days == 0:
        return "today"
    unit = "day" if abs(days) == 1 else "days"
    return f"{days} {unit} left" if days > 0 else f"{-days} {unit} late"


@dataclass(frozen=True, slots=True)
class Recorded:
    """One line of an entry's timeline."""

    event: FilingEvent
    reference: str
    rationale: str
    sealed: int | None


def context(*, matter: SarMatter, user: "User", today: date) -> dict[str, Any]:
    """Return what the entry's page draws."""
    events = list(matter.entry.filings.select_related("by").order_by("number"))
    stands = matter.after(events)
    data = matter.entry.data
    return {
        "title": f"SAR log: {data.get('party') or matter.entry}",
        "matter": matter,
        "entry": matter.entry,
        "data": data,
        "tenant": tenants.name(data.get("owner", "")),
        "grounds": _grounds(data),
        "running": [
            (clock, days_left(by=clock.by, today=today), clock.by < today)
            for clock in rules.clocks(stands)
        ],
        "purge": _purge(matter) if matter.entry.purged else None,
        "report_by": rules.report_by(stands),
        "concerned": authorities.concerned(data.get("lists", ())),
        "recorded": _recorded(events),
        "possible": rules.possible(stands, today) if user.has_perm("sar.file_sarentry") else (),
        "shortest": SHORTEST_NOTE,
    }


def _purge(matter: SarMatter) -> PurgeEvent | None:
    """Return why and when the entry's payload left; None when no record says so."""
    return PurgeEvent.objects.filter(of_ledger=SarEntry.LEDGER, record_id=matter.pk).first()


def _grounds(data: dict[str, Any]) -> list[tuple[str, str]]:
    """Pair each reason with the reference of its rule."""
    reasons, refs = data.get("reasons", []), data.get("rules", [])
    padded = [*refs, *[""] * (len(reasons) - len(refs))]
    return [(str(reason), str(ref)) for reason, ref in zip(reasons, padded, strict=False)]


def _recorded(events: list[FilingEvent]) -> list[Recorded]:
    sealed = dict(
        Seal.objects.filter(
            ledger=FilingEvent.LEDGER, record_id__in=[event.pk for event in events]
        ).values_list("record_id", "position")
    )
    return [
        Recorded(
            event=event,
            reference=event.data.get("reference", ""),
            rationale=event.data.get("rationale", ""),
            sealed=sealed.get(event.pk),
        )
        for event in events
    ]
