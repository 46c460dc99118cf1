"""Known false positives on the case page, and what the decision form offers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from apps.backoffice.review import case_types
from apps.backoffice.review.case_types import CASE_TYPES
from apps.backoffice.review.models import Case
from apps.backoffice.review.models.known_false_positives import LIVE
from apps.backoffice.review.rules import known_false_positives as known_rules
from apps.backoffice.review.selectors.known_false_positives import (
    KnownStatus,
    get_party_details,
    list_listed_parties,
    load_known_of_case,
)
from apps.backoffice.review.services.known_false_positive_proposals import (
    InvalidKnownFalsePositive,
    KnownProposal,
)
from apps.backoffice.review.views.evidence import draw_case_evidence
from apps.platform.common.days import parse_day
from apps.platform.desk.local_dates import local_date

FIELD = "known"  # ticked: propose; `known-1`, `known-2`, …: of which listed parties


@dataclass(frozen=True, slots=True)
class KnownChoice:
    """A listed party that may be known: the name of its field, its key, how it is shown."""

    name: str
    key: str
    label: str


@dataclass(frozen=True, slots=True)
class KnownOffer:
    """What the decision box offers: listed parties, the usual last day, and its bounds."""

    choices: tuple[KnownChoice, ...]
    usual: date
    first: date
    latest: date


def load_known_for_page(
    case: Case, *, drawn: Mapping[str, Any], now: datetime
) -> list[KnownStatus]:
    """Return what is known of a case's party and those it matches."""
    return load_known_of_case(case, drawn=drawn, now=now)


def build_known_offer(
    case: Case, *, known: Sequence[KnownStatus], now: datetime
) -> KnownOffer | None:
    """Return what may be proposed with the decision; None if nothing, or all of it exists."""
    standing = {status.known.entity for status in known if status.standing in LIVE}
    listed_parties = [
        listed_party
        for listed_party in list_listed_parties(case)
        if listed_party.key not in standing
    ]
    if not listed_parties:
        return None
    today = local_date(now)
    choices = (
        KnownChoice(f"{FIELD}-{n}", listed_party.key, listed_party.label)
        for n, listed_party in enumerate(listed_parties, 1)
    )
    return KnownOffer(
        choices=tuple(choices),
        usual=known_rules.get_usual_expiry(today),
        first=get_next_day(today),
        latest=known_rules.get_latest_expiry(today),
    )


def parse_known_proposal(
    case: Case, data: Mapping[str, str], *, outcome: str, code: str
) -> KnownProposal | None:
    """Return what a form proposes; None where nothing is ticked or the reason is about another.

    InvalidKnownFalsePositive for a day that is none.
    """
    kind = case_types.get_case_type(case.kind) if case.kind in CASE_TYPES else None
    reason = kind.reason(outcome=outcome, code=code) if kind else None
    if not data.get(FIELD) or reason is None or not reason.false_positive:
        return None
    keys = tuple(value for name, value in data.items() if name.startswith(f"{FIELD}-"))
    party = get_party_details(draw_case_evidence(case))
    return KnownProposal(keys, parse_last_day(data.get(f"{FIELD}_until", "")), party)


def get_next_day(after: date) -> date:
    """Return the day after a day."""
    return after + timedelta(days=1)


def parse_last_day(text: str) -> date:
    """Return the day that a form says; InvalidKnownFalsePositive for none."""
    if day := parse_day(text):
        return day
    message = "Choose the last day on which it is valid."
    raise InvalidKnownFalsePositive(message, errors=[{"field": "until", "message": message}])
