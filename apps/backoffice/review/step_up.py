"""Which steps of a case require a recent proof of identity, and that proof."""

from typing import Any

from django.db.models import Q
from django.http import HttpRequest

from apps.backoffice.review.models import Case, Outcome, Risk

# one decision ends a case and those merged into it: the most severe of them counts
WITH_HIGH = Q(risk=Risk.HIGH) | Q(merged__risk=Risk.HIGH)


def is_high_risk_approval(request: HttpRequest, kwargs: dict[str, Any]) -> bool:
    """Tell whether a form that was sent approves a HIGH case, or one with a HIGH one merged in."""
    if not request.user.has_perm("review.view_case"):
        return False  # who may not see a case does not learn its risk by being asked
    if kwargs.get("name") == "decide":
        if request.POST.get("outcome") != Outcome.APPROVE:
            return False
        return Case.objects.filter(WITH_HIGH, pk=kwargs["pk"]).exists()
    approved = Case.objects.filter(WITH_HIGH, first_outcome=Outcome.APPROVE)
    return approved.filter(pk=kwargs["pk"]).exists()


def is_high_risk_clear(request: HttpRequest, kwargs: dict[str, Any]) -> bool:
    """Tell whether a form that was sent confirms that HIGH cases are cleared together."""
    if not request.user.has_perm("review.view_case"):
        return False
    return Case.objects.filter(WITH_HIGH, bulk_id=kwargs["pk"]).exists()


def get_step_proof(request: HttpRequest) -> dict[str, str] | None:
    """Return when (`at`) and how an officer confirmed their identity for this step, if required."""
    return getattr(request, "proof", None)
