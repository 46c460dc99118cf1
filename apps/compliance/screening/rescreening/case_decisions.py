"""Act on a decision about a re-screened party: end the wallet registered for a listed one."""

from datetime import datetime

from apps.backoffice.review.models import Case
from apps.compliance.payees.services.case_decisions import end_listed_registration
from apps.compliance.screening.rescreening.cases import KIND


def apply_rescreen_decision(*, ref: str, outcome: str, now: datetime) -> None:
    """End the registration of a party that an officer treats as listed, in that transaction."""
    if outcome != "REJECT":
        return
    case = Case.objects.get(kind=KIND, ref=ref)
    place, _, number = str(case.evidence.get("party", {}).get("reference", "")).partition(":")
    # for a party that was only screened there is nothing to end: its next payment is screened by
    # the current lists
    if place == "registration" and number.isdigit():
        end_listed_registration(pk=int(number), case=ref, now=now)
