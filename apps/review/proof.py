"""Which steps of a case ask for a fresh proof of who decides (config/staff.py)."""

from typing import Any

from django.http import HttpRequest

from apps.review.models import Case, Outcome, Risk


def approves_high(request: HttpRequest, kwargs: dict[str, Any]) -> bool:
    """Tell whether a form that was sent approves a HIGH case, or confirms such an approval."""
    if not request.user.has_perm("review.view_case"):
        return False  # who may not see a case does not learn its risk by being asked
    if kwargs.get("name") == "decide":
        if request.POST.get("outcome") != Outcome.APPROVE:
            return False
        return Case.objects.filter(pk=kwargs["pk"], risk=Risk.HIGH).exists()
    approved = Case.objects.filter(first_outcome=Outcome.APPROVE, risk=Risk.HIGH)
    return approved.filter(pk=kwargs["pk"]).exists()


def clears_high(request: HttpRequest, kwargs: dict[str, Any]) -> bool:
    """Tell whether a form that was sent confirms that HIGH cases are cleared together."""
    if not request.user.has_perm("review.view_case"):
        return False
    return Case.objects.filter(bulk_id=kwargs["pk"], risk=Risk.HIGH).exists()
