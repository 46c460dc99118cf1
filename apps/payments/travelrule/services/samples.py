"""Samples: drawn by a seed from what a filter finds, kept, and to be drawn again by anybody."""

import secrets
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import QuerySet
from django.http import QueryDict

from apps.payments.travelrule.engagements.scope import (
    ExaminerAccess,
    load_examiner_access,
    select_visible_records,
)
from apps.payments.travelrule.models import DrawnSample, SavedFilter, TravelRecord
from apps.payments.travelrule.rules import samples
from apps.payments.travelrule.views.record_list import RecordQuery
from apps.platform.common.hidden_characters import find_hidden_character
from apps.platform.common.problems import DomainError

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MAX_SEED_LENGTH = 64
MAX_NAME_LENGTH = 80
MAX_FILTERS = 50


class InvalidSample(DomainError):
    """The sample cannot be drawn so, or the filter cannot be kept so."""

    code, title = "invalid_sample", "It cannot be done so"


def parse_filter(address: str) -> RecordQuery:
    """Return the filter of an address, from its first page."""
    query = RecordQuery.read(QueryDict(address.removeprefix("?")))
    # read twice: `address` leaves out the place in the list
    return RecordQuery.read(QueryDict(query.address().removeprefix("?")))


@transaction.atomic
def draw_sample(
    *, user: "User", address: str, wanted: int, seed: str, bound: int | None, now: datetime
) -> DrawnSample:
    """Select a sample of a filter's matches among the records visible to a user, and store it.

    An empty `seed` is replaced by a random one. `bound`, of an earlier sample, excludes later
    records. Raises InvalidSample for an invalid seed or number, and for more matches than the
    limit.
    """
    seed = seed.strip() or secrets.token_hex(8)
    if len(seed) > MAX_SEED_LENGTH or find_hidden_character(seed, lines=False):
        raise InvalidSample(f"A seed has at most {MAX_SEED_LENGTH} visible characters.")
    if not 1 <= wanted <= samples.MAX_DRAWN:
        raise InvalidSample(f"Select between 1 and {samples.MAX_DRAWN} records.")
    examiner_access: ExaminerAccess = load_examiner_access(user, now)
    query, seen = parse_filter(address), select_visible_records(user, now)
    # records that are made from now on would change what the seed draws
    last = TravelRecord.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    until = last if bound is None else min(bound, last)
    rows = query.narrowed(seen).filter(pk__lte=until).order_by()
    ids = rows.values_list("pk", "record_id").iterator(5000)
    try:
        picks, population = samples.draw_record_numbers(
            seed=seed, of=((number, str(record_id)) for number, record_id in ids), wanted=wanted
        )
    except samples.TooManyRecords as error:
        raise InvalidSample(f"{error} Narrow the filter, for example to a month.") from error
    if not picks:
        raise InvalidSample("No record matches the filter.")
    return DrawnSample.objects.create(
        scope=examiner_access.engagement,
        asked=query.address(),
        seed=seed,
        bound=until,
        wanted=wanted,
        population=population,
        picks=picks,
        method=samples.METHOD,
        by=user,
        at=now,
    )


def select_visible_samples(user: "User", now: datetime) -> QuerySet[DrawnSample]:
    """Return the samples visible to a user: for an examiner, those of the engagement."""
    rows = DrawnSample.objects.select_related("by", "scope")
    examiner_access = load_examiner_access(user, now)
    if examiner_access.refused or not user.has_perm("travelrule.view_drawnsample"):
        return rows.none()
    return (
        rows
        if examiner_access.engagement is None
        else rows.filter(scope=examiner_access.engagement)
    )


def load_sampled_records(sample: DrawnSample, seen: QuerySet[TravelRecord]) -> list[TravelRecord]:
    """Return the records of a sample in the order drawn, as far as a reader sees them."""
    travel_records = seen.in_bulk(sample.picks)
    return [travel_records[pick] for pick in sample.picks if pick in travel_records]


@transaction.atomic
def save_filter(*, user: "User", address: str, name: str, now: datetime) -> SavedFilter:
    """Store a filter for the duration of a user's engagement; InvalidSample if it is invalid."""
    examiner_access = load_examiner_access(user, now)
    name = " ".join(name.split())
    if examiner_access.engagement is None:
        raise InvalidSample("Filters are kept for an engagement, and you have none.")
    if not 1 <= len(name) <= MAX_NAME_LENGTH or find_hidden_character(name, lines=False):
        raise InvalidSample(
            f"Give the filter a name of {MAX_NAME_LENGTH} visible characters at most."
        )
    mine = SavedFilter.objects.filter(engagement=examiner_access.engagement)
    if mine.count() >= MAX_FILTERS:
        raise InvalidSample(f"An engagement keeps {MAX_FILTERS} filters at most.")
    saved_fields: dict[str, Any] = {"asked": parse_filter(address).address(), "by": user, "at": now}
    row, new = SavedFilter.objects.get_or_create(
        engagement=examiner_access.engagement, name=name, defaults=saved_fields
    )
    if not new:
        raise InvalidSample("A filter with this name already exists: choose another name.")
    return row
