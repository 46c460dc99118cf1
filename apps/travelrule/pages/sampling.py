"""Samples: drawn by a seed from what a filter finds, kept, and to be drawn again by anybody."""

import secrets
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import QuerySet
from django.http import QueryDict

from apps.core.problems import DomainError
from apps.core.written import hidden_fault
from apps.travelrule.engagements.scope import Standing, records_of, standing
from apps.travelrule.models import DrawnSample, SavedFilter, TravelRecord
from apps.travelrule.pages.listing import Asked
from apps.travelrule.rules import sampling

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LONGEST_SEED = 64
LONGEST_NAME = 80
MOST_FILTERS = 50


class BadSample(DomainError):
    """The sample cannot be drawn so, or the filter cannot be kept so."""

    code, title = "invalid_sample", "It cannot be done so"


def filter_of(address: str) -> Asked:
    """Return the filter of an address, from its first page."""
    asked = Asked.read(QueryDict(address.removeprefix("?")))
    return Asked.read(QueryDict(asked.address().removeprefix("?")))


@transaction.atomic
def draw(
    *, user: "User", address: str, wanted: int, seed: str, bound: int | None, now: datetime
) -> DrawnSample:
    """Draw a sample from what a filter finds among the records that somebody sees, and keep it.

    An empty `seed` is drawn by chance. `bound`, of an earlier sample, leaves later records out.
    Raises BadSample for a seed or a number that is none, and for more records than are looked at.
    """
    seed = seed.strip() or secrets.token_hex(8)
    if len(seed) > LONGEST_SEED or hidden_fault(seed, lines=False):
        raise BadSample(f"A seed has {LONGEST_SEED} visible characters at most.")
    if not 1 <= wanted <= sampling.MOST_DRAWN:
        raise BadSample(f"Draw between 1 and {sampling.MOST_DRAWN} records.")
    found: Standing = standing(user, now)
    asked, seen = filter_of(address), records_of(user, now)
    last = TravelRecord.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    until = last if bound is None else min(bound, last)
    rows = asked.narrowed(seen).filter(pk__lte=until).order_by()
    ids = rows.values_list("pk", "record_id").iterator(5000)
    try:
        picks, population = sampling.draw(
            seed=seed, of=((number, str(one)) for number, one in ids), wanted=wanted
        )
    except sampling.TooMany as error:
        raise BadSample(f"{error} Narrow the filter, for example to a month.") from error
    if not picks:
        raise BadSample("The filter finds no record to draw from.")
    return DrawnSample.objects.create(
        scope=found.engagement,
        asked=asked.address(),
        seed=seed,
        bound=until,
        wanted=wanted,
        population=population,
        picks=picks,
        method=sampling.METHOD,
        by=user,
        at=now,
    )


def samples_of(user: "User", now: datetime) -> QuerySet[DrawnSample]:
    """Return the samples that somebody sees: an examiner's under an engagement, its own."""
    rows = DrawnSample.objects.select_related("by", "scope")
    found = standing(user, now)
    if found.refused or not user.has_perm("travelrule.view_drawnsample"):
        return rows.none()
    return rows if found.engagement is None else rows.filter(scope=found.engagement)


def picked(sample: DrawnSample, seen: QuerySet[TravelRecord]) -> list[TravelRecord]:
    """Return the records of a sample in the order drawn, as far as a reader sees them."""
    held = seen.in_bulk(sample.picks)
    return [held[one] for one in sample.picks if one in held]


@transaction.atomic
def save_filter(*, user: "User", address: str, name: str, now: datetime) -> SavedFilter:
    """Keep a filter for the time of somebody's engagement; BadSample where that cannot be."""
    found = standing(user, now)
    name = " ".join(name.split())
    if found.engagement is None:
        raise BadSample("Filters are kept for an engagement, and you have none.")
    if not 1 <= len(name) <= LONGEST_NAME or hidden_fault(name, lines=False):
        raise BadSample(f"Give the filter a name of {LONGEST_NAME} visible characters at most.")
    mine = SavedFilter.objects.filter(engagement=found.engagement)
    if mine.count() >= MOST_FILTERS:
        raise BadSample(f"An engagement keeps {MOST_FILTERS} filters at most.")
    given: dict[str, Any] = {"asked": filter_of(address).address(), "by": user, "at": now}
    row, new = SavedFilter.objects.get_or_create(
        engagement=found.engagement, name=name, defaults=given
    )
    if not new:
        raise BadSample("A filter of this name is kept already: choose another.")
    return row
