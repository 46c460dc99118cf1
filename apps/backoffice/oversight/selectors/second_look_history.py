"""Results of second looks at a decided case, for its page and its sheet.

`review` shows them on the page of a case (apps/backoffice/review/second_looks.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from apps.backoffice.oversight.models import Agreement, LookVerdict, Sample, SecondLook
from apps.platform.ledger.verification.verified_reads import filter_verified_records

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from apps.backoffice.review.models import Case


@dataclass(frozen=True, slots=True)
class SecondLookStep:
    """One step of a second look in words: an own verdict with its reason, or the look itself.

    `opened` is when the officer had seen what tells the decision before they judged, or None.
    """

    event: SecondLook
    words: str
    reason: str
    agreement: str
    note: str
    opened: datetime | None


@dataclass(frozen=True, slots=True)
class SecondLookSummary:
    """The second look at a case: its steps, whether it disagrees, and the page of its sample."""

    steps: tuple[SecondLookStep, ...]
    disagrees: bool
    month: str
    address: str


def load_second_look(user: "User", case: "Case") -> SecondLookSummary | None:
    """Return the second look that was taken at a case, to who may read it; at most two queries."""
    if not user.has_perm("oversight.view_sample"):
        return None
    # only once the look is complete: until then another officer may still judge the case blind
    sample = Sample.objects.filter(case=case, looked_by__isnull=False).first()
    if sample is None:
        return None
    looks = filter_verified_records(
        SecondLook.objects.filter(sample=sample).select_related("by").order_by("pk")
    )
    return SecondLookSummary(
        steps=describe_look_steps(case, looks),
        disagrees=any(look.verdict == LookVerdict.DISAGREE for look in looks),
        month=sample.month,
        address=reverse("admin:oversight_sample_change", args=[sample.pk]),
    )


def describe_look_steps(case: "Case", looks: Iterable[SecondLook]) -> tuple[SecondLookStep, ...]:
    """Return steps of second looks at a case in words, the oldest first."""
    return tuple(_describe_look_step(case, look) for look in looks)


def _describe_look_step(case: "Case", second_look: SecondLook) -> SecondLookStep:
    data: dict[str, Any] = second_look.data
    blind = second_look.verdict == LookVerdict.BLIND
    basis = f" ({data['basis']})" if data.get("basis") else ""
    alike = data.get("agreement", "")
    return SecondLookStep(
        event=second_look,
        words=case.words_of(data.get("outcome", "")).does if blind else "",
        reason=f"{data.get('reason', '')}{basis}",
        agreement=Agreement(alike).label if alike in Agreement.values else "",
        note=data.get("note", ""),
        opened=datetime.fromisoformat(data["opened"]) if data.get("opened") else None,
    )
