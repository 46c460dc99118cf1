"""Verify country listings against their records: none may appear, vanish or change unrecorded."""

from collections.abc import Callable, Iterator

from django.db import transaction

from apps.reference.countries.models import CountryChange, CountryListing, ListingRecord

SpellKey = tuple[str, str, str]


def verify_country_listings(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield where the listings are not what was recorded."""
    # there are hundreds, not millions: all are read at once, and once more if they differ, because
    # a change may have come in between
    if _find_listing_faults():
        with transaction.atomic():
            # no pending change is approved while its row is locked
            list(CountryChange.objects.select_for_update().filter(state="PROPOSED"))
            yield from _find_listing_faults()
    progress(CountryListing.objects.count())


def _find_listing_faults() -> list[str]:
    # the last record of a spell wins; a forged one is a fault of the ledger itself
    recorded: dict[SpellKey, ListingRecord] = {}
    faults = []
    for record in ListingRecord.objects.select_related("change").order_by("pk"):
        recorded[record.list, record.country, record.since.isoformat()] = record
        change = record.change
        approved = change is None or (
            change.state == CountryChange.State.APPROVED
            and (change.list, change.country) == (record.list, record.country)
            and change.decided_by_id != change.proposed_by_id
        )
        if change is not None and not approved:
            faults.append(
                f"change {change.pk}: it was put into force, and is not what was approved"
            )
    for listing in CountryListing.objects.all():
        spell = (listing.list, listing.country, listing.since.isoformat())
        record_of_it = recorded.pop(spell, None)
        if record_of_it is None:
            faults.append(f"{_describe_spell(spell)}: it is listed, and no record says so")
        elif record_of_it.data != listing.state():
            shown = listing.state()
            difference = ", ".join(
                f"{name} is {shown[name] or 'nothing'}, "
                f"recorded is {record_of_it.data.get(name) or 'nothing'}"
                for name in shown
                if shown[name] != record_of_it.data.get(name)
            )
            faults.append(f"{_describe_spell(spell)}: {difference}")
    faults += [
        f"{_describe_spell(spell)}: it is recorded, and the listing is gone" for spell in recorded
    ]
    return faults


def _describe_spell(spell: SpellKey) -> str:
    return f"{spell[1]} on {spell[0]} from {spell[2]}"
