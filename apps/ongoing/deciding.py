"""What a decision on a re-screened party does: a wallet registered for a listed one ends."""

from datetime import datetime

from apps.registry.deciding import end_listed
from apps.review.models import Case

KIND = "rescreen"


def decided(*, ref: str, outcome: str, now: datetime) -> None:
    """End the registration of a party that an officer treats as listed; part of that transaction.

    Of a party that was only screened there is nothing to end: its next payment is screened by the
    lists as they are.
    """
    if outcome != "REJECT":
        return
    case = Case.objects.get(kind=KIND, ref=ref)
    place, _, number = str(case.evidence.get("party", {}).get("reference", "")).partition(":")
    if place == "registration" and number.isdigit():
        end_listed(pk=int(number), case=ref, now=now)
