"""The page of one SAR matter: all that it can be decided from, and what can be recorded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from django.utils.module_loading import import_string

from apps.access import tenants
from apps.desk.rules import SHORTEST_NOTE
from apps.sar import rules
from apps.sar.arose import facts
from apps.sar.days import day_of, days_left
from apps.sar.facts import amount_of
from apps.sar.forms import Sent, forms, gone, lost
from apps.sar.listing import SHOWN, line
from apps.sar.models import SarEntry, SarMatter
from apps.sar.progress import found_by, stages
from apps.sar.recorded import timeline
from apps.sar.taken import Taken, taken
from config.sar import OUTCOMES, RECORDS

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from apps.core.problems import DomainError


@dataclass(frozen=True, slots=True)
class Refused:
    """A step that was refused: what came with it, and why; of none nothing is said."""

    typed: Mapping[str, str] = field(default_factory=dict)
    error: "DomainError | None" = None

    @property
    def wrong(self) -> dict[str, str]:
        """What is wrong with each field."""
        return {one["field"]: one["message"] for one in (self.error.errors if self.error else ())}


def context(*, matter: SarMatter, user: "User", now: datetime, refused: Refused) -> dict[str, Any]:
    """Return what the entry's page draws.

    What is left is counted where the desk is; a record's last day is today where the entry is.
    """
    today, until = day_of(now), day_of(now, zone=matter.zone)
    events = list(matter.entry.filings.select_related("by").order_by("number"))
    stands, steps, data = matter.after(events), taken(matter, events), matter.entry.data
    return {
        "title": f"SAR log: {data.get('party') or f'no. {matter.pk}'}",
        "matter": matter,
        "tenant": tenants.name(data.get("owner", "")),
        "stages": stages(matter=stands, steps=steps, today=today, how=found_by(data)),
        "recorded": timeline(events=events, steps=steps),
        "records": _by_kind(RECORDS, matter.entry, user),
        "outcomes": _by_kind(OUTCOMES, matter.entry, user),
        "until": until,
        "shortest": SHORTEST_NOTE,
        **facts(matter=matter, stands=stands, detection=steps[rules.DETECTION]),
        **_running(stands, today),
        **_others(matter, today),
        **_forms(stands, steps, amount_of(data), user, until, refused),
    }


def _running(stands: rules.Matter, today: date) -> dict[str, Any]:
    """Return the clocks that run, and by when OFAC would be told where none of its does."""
    running = [
        (clock, days_left(by=clock.by, today=today), clock.by < today)
        for clock in rules.clocks(stands)
    ]
    return {"running": running, "report_by": rules.report_by(stands)}


def _forms(
    stands: rules.Matter,
    steps: Mapping[int, Taken],
    amount: str,
    user: "User",
    until: date,
    refused: Refused,
) -> dict[str, Any]:
    """Return the forms of what can be recorded or corrected; none for who may only read."""
    may = user.has_perm("sar.file_sarentry")
    sent = Sent(refused.typed, refused.wrong)
    groups = forms(matter=stands, today=until, sent=sent, amount=amount, steps=steps) if may else ()
    return {
        "may": may,
        "groups": groups,
        "error": refused.error,
        "wrong": refused.wrong,
        "lost": lost(groups=groups, typed=refused.typed) if refused.typed else "",
        "gone": gone(groups=groups, steps=steps) if may else (),
    }


def _others(matter: SarMatter, today: date) -> dict[str, Any]:
    """Return the party's other matters, the newest first, and whether there are more."""
    same = SarMatter.objects.filter(party_key=matter.party_key).exclude(pk=matter.pk)
    found = same.select_related("entry").defer("entry__payload", "entry__salt")
    rows = list(found.order_by("-pk")[: SHOWN + 1])
    return {
        "others": [line(one, today) for one in rows[:SHOWN]],
        "more_others": len(rows) > SHOWN,
    }


def _by_kind(table: Mapping[str, str], entry: SarEntry, user: "User") -> list[tuple[str, str]]:
    """Return what the domain of a record says of it: its pages, or its outcome."""
    path = table.get(entry.kind)
    found: list[tuple[str, str]] = import_string(path)(entry.ref, user) if path else []
    return found
