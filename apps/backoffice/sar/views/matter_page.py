"""The page of one SAR matter: all that it can be decided from, and what can be recorded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from apps.access.keys import tenant_names
from apps.backoffice.sar import rules
from apps.backoffice.sar.date_formats import format_days_left, local_date
from apps.backoffice.sar.entry_facts import format_report_amount
from apps.backoffice.sar.models import SarMatter
from apps.backoffice.sar.record_types import RECORD_TYPES
from apps.backoffice.sar.selectors.matter_steps import StepWithCorrections, list_matter_steps
from apps.backoffice.sar.views.log_list import SHOWN, build_matter_line
from apps.backoffice.sar.views.matter_origin import build_origin_context
from apps.backoffice.sar.views.matter_stages import build_stages, describe_referrer
from apps.backoffice.sar.views.matter_timeline import build_matter_timeline
from apps.backoffice.sar.views.step_forms import (
    SubmittedStep,
    build_step_forms,
    find_lost_text,
    list_withdrawn_forms,
)
from apps.platform.desk.note_validation import SHORTEST_NOTE

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from apps.platform.common.problems import DomainError


@dataclass(frozen=True, slots=True)
class RefusedStep:
    """A refused step: its input and the reason; empty if none was refused."""

    typed: Mapping[str, str] = field(default_factory=dict)
    error: "DomainError | None" = None

    @property
    def wrong(self) -> dict[str, str]:
        """What is wrong with each field."""
        return {
            error["field"]: error["message"] for error in (self.error.errors if self.error else ())
        }


def build_matter_context(
    *, matter: SarMatter, user: "User", now: datetime, refused: RefusedStep
) -> dict[str, Any]:
    """Return the context of the entry's page."""
    # days left are counted in the zone of the desk; a record may be dated up to today in the zone
    # in which the entry's days are counted
    today, until = local_date(now), local_date(now, zone=matter.zone)
    events = list(matter.entry.filings.select_related("by").order_by("number"))
    stands, steps, data = matter.after(events), list_matter_steps(matter, events), matter.entry.data
    kind = RECORD_TYPES.get(matter.entry.kind)
    running = [
        (clock, format_days_left(by=clock.by, today=today), clock.by < today)
        for clock in rules.list_running_clocks(stands)
    ]
    running_clocks = {"running": running, "report_by": rules.get_ofac_report_deadline(stands)}
    same = SarMatter.objects.filter(party_key=matter.party_key).exclude(pk=matter.pk)
    matters = same.select_related("entry").defer("entry__payload", "entry__salt")
    rows = list(matters.order_by("-pk")[: SHOWN + 1])
    other_matters = {
        "others": [build_matter_line(row, today) for row in rows[:SHOWN]],
        "more_others": len(rows) > SHOWN,
    }
    return {
        "title": f"SAR log: {data.get('party') or f'no. {matter.pk}'}",
        "matter": matter,
        "tenant": tenant_names.load_tenant_name(data.get("owner", "")),
        "stages": build_stages(
            matter=stands, steps=steps, today=today, how=describe_referrer(data)
        ),
        "recorded": build_matter_timeline(events=events, steps=steps),
        "records": kind.pages(matter.entry.ref, user) if kind else [],
        "outcomes": kind.outcome(matter.entry.ref, user) if kind else [],
        "until": until,
        "shortest": SHORTEST_NOTE,
        **build_origin_context(matter=matter, stands=stands, detection=steps[rules.DETECTION]),
        **running_clocks,
        **other_matters,
        **_build_forms(stands, steps, format_report_amount(data), user, until, refused),
    }


def _build_forms(
    matter: rules.Matter,
    steps: Mapping[int, StepWithCorrections],
    amount: str,
    user: "User",
    until: date,
    refused: RefusedStep,
) -> dict[str, Any]:
    """Return the forms of what can be recorded or corrected; none for who may only read."""
    may = user.has_perm("sar.file_sarentry")
    submitted_step = SubmittedStep(refused.typed, refused.wrong)
    groups = (
        build_step_forms(
            matter=matter, today=until, sent=submitted_step, amount=amount, steps=steps
        )
        if may
        else ()
    )
    return {
        "may": may,
        "groups": groups,
        "error": refused.error,
        "wrong": refused.wrong,
        "lost": find_lost_text(groups=groups, typed=refused.typed) if refused.typed else "",
        "gone": list_withdrawn_forms(groups=groups, steps=steps) if may else (),
    }
