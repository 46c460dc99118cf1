"""Merges of cases, and which decisions their kind was told of."""

from datetime import datetime

from django.contrib.auth.models import User

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from tests.review.people import NOON, NOTE

APPLIED: list[str] = []  # reference and outcome of each decision, for `decisions_recorded`


def apply_decision(*, ref: str, outcome: str, now: datetime) -> None:
    APPLIED.append(f"{ref} {outcome}")


def merge(duplicate: Case, into: Case, by: User) -> Case:
    return services.merge_case(duplicate=duplicate, into=into, by=by, note=NOTE, now=NOON)
