"""Country listings held against their records: none comes, goes or changes unrecorded."""

from collections.abc import Callable, Iterator
from typing import Any

from django.db import transaction

from apps.reference.countries.models import CountryChange, CountryListing, ListingRecord

SpellKey = tuple[str, str, str]


def verify_country_listings(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield where the listings are not what was recorded.

    There are hundreds, not millions: all are read at once, and once more if they differ,
    because a change may have come in between.
    """
    if _find_listing_faults():
        with transaction.atomic():
            list(CountryChange.objects.select_for_update().filter(state="PROPOSED"))
            yield from _find_listing_faults()
    progress(CountryListing.objects.count())


def _find_listing_faults() -> list[str]:
    recorded: dict[SpellKey, ListingRecord] = {}
    faults = []
    for record in ListingRecord.objects.select_related("change").order_by("pk"):
        recorded[record.list, record.country, record.since.isoformat()] = record
        faults += _check_approval(record)
    for listing in CountryListing.objects.all():
        spell = (listing.list, listing.country, listing.since.isoformat())
        record_of_it = recorded.pop(spell, None)
        if record_of_it is None:
            faults.append(f"{_describe_spell(spell)}: it is listed, and no record says so")
        elif record_of_it.data != listing.state():
            faults.append(
                f"{_describe_spell(spell)}: "
                f"{_describe_difference(listing.state(), record_of_it.data)}"
            )
    faults += [
        f"{_describe_spell(spell)}: it is recorded, and the listing is gone" for spell in recorded
    ]
    return faults


def _check_approval(record: ListingRecord) -> list[str]:
    """Hold a record against the change that it names: approved, and of this country."""
    change = record.change
    if change is None or (
        change.state == CountryChange.State.APPROVED
        and (change.list, change.country) == (record.list, record.country)
        and change.decided_by_id != change.proposed_by_id
    ):
        return []
    return [f"change {change.pk}: it was put into force, and is not what was approved"]


def _describe_spell(spell: SpellKey) -> str:
    return f"{spell[1]} on {spell[0]} from {spell[2]}"


def _describe_difference(shown: dict[str, Any], recorded: dict[str, Any]) -> str:
    return ", ".join(
        f"{name} is {shown[name] or 'nothing'}, recorded is {recorded.get(name) or 'nothing'}"
        for name in shown
        if shown[name] != recorded.get(name)
    )
