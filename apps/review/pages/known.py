"""Known false positives on the case page: what is told, and what the decision box offers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from apps.core.written import day_from
from apps.desk.days import day_of
from apps.review import kinds
from apps.review.actions.knowing import BadKnown, Proposed
from apps.review.models import Case
from apps.review.models.known import LIVE
from apps.review.pages.evidence import picture
from apps.review.rules import known as rules
from apps.review.telling import Told, listed, party_of, told
from config.review import KINDS

FIELD = "known"  # ticked: propose; `known-1`, `known-2`, …: of which listed parties


@dataclass(frozen=True, slots=True)
class Choice:
    """A listed party that may be known: the name of its field, its key, how it is shown."""

    name: str
    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Offer:
    """What the decision box offers: listed parties, the usual last day, and its bounds."""

    choices: tuple[Choice, ...]
    usual: date
    first: date
    latest: date


def on_case(case: Case, *, drawn: Mapping[str, Any], now: datetime) -> list[Told]:
    """Return what is known of a case's party and those it matches."""
    return told(case, drawn=drawn, now=now)


def offer(case: Case, *, known: Sequence[Told], now: datetime) -> Offer | None:
    """Return what may be proposed with the decision; None where nothing, or all of it stands."""
    standing = {one.known.entity for one in known if one.standing in LIVE}
    found = [one for one in listed(case) if one.key not in standing]
    if not found:
        return None
    today = day_of(now)
    choices = (Choice(f"{FIELD}-{n}", one.key, one.label) for n, one in enumerate(found, 1))
    return Offer(
        choices=tuple(choices),
        usual=rules.usual(today),
        first=next_day(today),
        latest=rules.latest(today),
    )


def proposed(case: Case, data: Mapping[str, str], *, outcome: str, code: str) -> Proposed | None:
    """Return what a form proposes; None where nothing is ticked or the reason is about another.

    BadKnown for a day that is none.
    """
    kind = kinds.named(case.kind) if case.kind in KINDS else None
    reason = kind.reason(outcome=outcome, code=code) if kind else None
    if not data.get(FIELD) or reason is None or not reason.false_positive:
        return None
    keys = tuple(value for name, value in data.items() if name.startswith(f"{FIELD}-"))
    party = party_of(picture(case))
    return Proposed(keys, day(data.get(f"{FIELD}_until", "")), party)


def next_day(after: date) -> date:
    """Return the day after a day."""
    return after + timedelta(days=1)


def day(text: str) -> date:
    """Return the day that a form says; BadKnown for none."""
    if found := day_from(text):
        return found
    message = "Choose the last day on which it holds."
    raise BadKnown(message, errors=[{"field": "until", "message": message}])
