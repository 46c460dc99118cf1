"""Find who may still judge a case blind, and what has already shown them its decision."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import Q

from apps.backoffice.oversight.models import (
    ExportEvent,
    LookVerdict,
    Phase,
    ReadEvent,
    Sample,
    SecondLook,
)
from apps.backoffice.review.models import Case
from apps.platform.common.clock import format_utc

if TYPE_CHECKING:
    from django.contrib.auth.models import User

EXPOSING_EXPORTS = ("cases", "decisions")  # exports that contain decisions
PREVIEW = "/preview/"  # end of the address of the queue's preview of a case


def find_unjudged_cases(user: "User", numbers: Sequence[int]) -> set[int]:
    """Return the cases that a user may still get as samples and has not judged.

    The user must not see how these were decided. One query; none for users who take no second
    looks.
    """
    if not user.has_perm("oversight.look_sample"):
        return set()
    judged = SecondLook.objects.filter(by=user, verdict=LookVerdict.BLIND).values("sample")
    mine = Sample.objects.open_to(user).filter(case__in=numbers).exclude(pk__in=judged)
    return set(mine.order_by().values_list("case_id", flat=True))


def find_first_exposure(sample: Sample, by: "User") -> datetime | None:
    """Return when a user first saw a case's decision after it was made, or None.

    That is the case, its sheet, a step of it, the list of all steps, another case of the party
    (which shows earlier outcomes), or an export of its time.
    """
    return min(
        [*_find_exposing_reads(sample, by), *_find_exports_revealing_decision(sample.case, by)],
        default=None,
    )


def _find_exposing_reads(sample: Sample, by: "User") -> Iterator[datetime]:
    case = sample.case
    cases = [case.pk]
    if case.party_key or case.own_lei or case.wallet_key:
        cases += Case.objects.same_party(case).values_list("pk", flat=True)
    steps = ["", *map(str, case.events.values_list("pk", flat=True))]  # "" is the list of all
    condition = Q(what="review.case", ref__in=[str(pk) for pk in cases])
    # the ledger of decisions shows the outcome of every case in its list
    condition |= Q(what="review.decisionevent", ref__in=steps)
    reads = ReadEvent.objects.filter(condition, by=by, recorded_at__gte=case.decided_at)
    for read_event in reads.order_by("recorded_at"):
        beside = read_event.data.get("address", "").endswith(PREVIEW)
        own = read_event.ref == str(case.pk)
        # a preview reveals no decision on other cases; on its own case it does so until the case is
        # sampled, when it leaves out what was decided
        if not beside or (own and read_event.recorded_at < sample.sampled_at):
            yield read_event.recorded_at
            return


def _find_exports_revealing_decision(case: Case, by: "User") -> Iterator[datetime]:
    decided = case.decided_at or case.opened_at
    begun = ExportEvent.objects.filter(by=by, what__in=EXPOSING_EXPORTS, phase=Phase.STARTED)
    for export in begun.filter(recorded_at__gte=decided).order_by("recorded_at"):
        # exports of cases are by the day of opening, those of decisions by the day of the decision
        moment = format_utc(case.opened_at if export.what == "cases" else decided)
        if export.data.get("from", "") <= moment < export.data.get("until", moment + "~"):
            yield export.recorded_at
            return
